//! Plots, each as SVG and as PNG.
//!
//! Texts are drawn with a font that is compiled in, so that a picture is the same on a machine without fonts.

mod chart;

use std::path::Path;
use std::sync::Once;

use plotters::style::{FontStyle, register_font};

use crate::error::ExperimentError;
use crate::output::GroupOutcome;
use crate::spec::{Axes, Metric, Plot, Series};

/// The name under which the font is known.
const FONT: &str = "sans-serif";

/// A line with a name.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// Error bars: x, low, high.
    pub bars: Vec<(f64, f64, f64)>,
}

/// Draws a plot of a series; false when there is nothing to draw.
pub(crate) fn draw(
    path: &Path,
    series: &Series,
    plot: Plot,
    outcomes: &[GroupOutcome<'_>],
) -> Result<bool, ExperimentError> {
    match plot {
        Plot::Mean(metric) => {
            let axes = (series.size_name().unwrap_or("size"), metric.title());
            curves(path, &series.title, axes, series.log, &means(series, metric, outcomes))
        }
        Plot::Times => {
            let Some(largest) = outcomes.iter().rev().find(|o| !o.found.is_empty()).map(|o| &o.group.size) else {
                return Ok(false);
            };
            let title = format!("{}: size {largest}", series.title);
            let last: Vec<_> = outcomes.iter().filter(|o| o.group.size == *largest).map(distribution).collect();
            let axes = (Metric::SearchTime.title(), "trials that have found it, in %");
            curves(path, &title, axes, if series.log == Axes::Linear { Axes::Linear } else { Axes::LogX }, &last)
        }
    }
}

/// The mean against the size, with 95 % confidence intervals; references are lines of their own.
fn means(series: &Series, metric: Metric, outcomes: &[GroupOutcome<'_>]) -> Vec<Curve> {
    let mut all: Vec<Curve> = Vec::new();
    for outcome in outcomes {
        let (Ok(size), Some(s)) = (outcome.group.size.parse::<f64>(), outcome.summary(metric)) else { continue };
        let name = &outcome.group.configuration;
        if all.iter().all(|c| c.name != *name) {
            all.push(Curve { name: name.clone(), points: Vec::new(), bars: Vec::new() });
        }
        let curve = all.iter_mut().find(|c| c.name == *name).expect("just added");
        curve.points.push((size, s.mean));
        curve.bars.extend(s.half_width.map(|h| (size, s.mean - h, s.mean + h)));
    }
    for reference in series.references.iter().filter(|r| r.metric == metric) {
        let point = |(size, value): &(String, f64)| Some((size.parse().ok()?, *value));
        let points = reference.values.iter().filter_map(point).collect();
        all.push(Curve { name: reference.name.clone(), points, bars: Vec::new() });
    }
    all
}

/// The share of trials that have found something by a time.
fn distribution(outcome: &GroupOutcome<'_>) -> Curve {
    let mut times: Vec<f64> = outcome.found.iter().filter_map(|r| r.measure(Metric::SearchTime)).collect();
    times.sort_by(f64::total_cmp);
    let share = |n: usize| 100.0 * n as f64 / outcome.rows.len() as f64;
    let points = times.iter().enumerate().flat_map(|(i, &t)| [(t, share(i)), (t, share(i + 1))]).collect();
    Curve { name: outcome.group.configuration.clone(), points, bars: Vec::new() }
}

/// Draws curves; false when there are none.
pub(crate) fn curves(
    path: &Path,
    title: &str,
    axes: (&str, &str),
    log: Axes,
    curves: &[Curve],
) -> Result<bool, ExperimentError> {
    static FONTS: Once = Once::new();
    FONTS.call_once(|| {
        // The font is part of the program; it cannot be missing or broken.
        let _ = register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
    });
    let some: Vec<&Curve> = curves.iter().filter(|c| !c.points.is_empty()).collect();
    if some.is_empty() {
        return Ok(false);
    }
    for extension in ["svg", "png"] {
        let file = path.with_file_name(format!("{}.{extension}", path.file_name().unwrap_or_default().display()));
        chart::draw(&file, title, axes, log, &some).map_err(|why| ExperimentError::Plot(file.clone(), why))?;
    }
    Ok(true)
}
