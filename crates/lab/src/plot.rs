//! Plots of series.

use std::path::Path;

use crate::error::ExperimentError;
use crate::output::GroupOutcome;
use crate::report::{Axes, Curve, curves};
use crate::spec::{Metric, Plot, Series};

/// Draws a plot of a series; false when it would be empty.
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

/// The mean over the size for each configuration, with 95 % confidence intervals, and a curve for each reference.
fn means(series: &Series, metric: Metric, outcomes: &[GroupOutcome<'_>]) -> Vec<Curve> {
    let mut all: Vec<Curve> = Vec::new();
    for outcome in outcomes {
        let (Ok(size), Some(s)) = (outcome.group.size.parse::<f64>(), outcome.summary(metric)) else { continue };
        let name = &outcome.group.configuration;
        if all.iter().all(|c| c.name != *name) {
            all.push(Curve::new(name, Vec::new()));
        }
        let curve = all.iter_mut().find(|c| c.name == *name).expect("just added");
        curve.points.push((size, s.mean));
        curve.bars.extend(s.half_width.map(|h| (size, s.mean - h, s.mean + h)));
    }
    for reference in series.references.iter().filter(|r| r.metric == metric) {
        let point = |(size, value): &(String, f64)| Some((size.parse().ok()?, *value));
        let points = reference.values.iter().filter_map(point).collect();
        all.push(Curve::new(&reference.name, points));
    }
    all
}

/// The percentage of trials that have found a violation by each time.
fn distribution(outcome: &GroupOutcome<'_>) -> Curve {
    let mut times: Vec<f64> = outcome.found.iter().filter_map(|r| r.measure(Metric::SearchTime)).collect();
    times.sort_by(f64::total_cmp);
    let share = |n: usize| 100.0 * n as f64 / outcome.rows.len() as f64;
    let points = times.iter().enumerate().flat_map(|(i, &t)| [(t, share(i)), (t, share(i + 1))]).collect();
    Curve::new(&outcome.group.configuration, points)
}
