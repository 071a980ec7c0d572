//! Plots of series.

use std::path::Path;

use crate::error::ExperimentError;
use crate::output::{Compared, GroupOutcome, normalised};
use crate::report::{Axes, Curve, Marker, Panel, curves, panels};
use crate::spec::{Metric, Plot, Series};
use crate::statistics::Summary;

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

/// Draws the normalised quantities of two techniques against each other, as in figure 3 of Rungta and Mercer (2007); false when
/// there is nothing to draw.
pub(crate) fn draw_comparison(path: &Path, compared: &Compared<'_>) -> Result<bool, ExperimentError> {
    let mut all = vec![Panel::new("path error density", densities(compared))];
    all.extend(
        Metric::NORMALISED.map(|metric| Panel::new(without_unit(metric.title()), normalised_points(compared, metric))),
    );
    let together = all.iter().flat_map(|panel| panel.points.clone()).collect();
    all.insert(0, Panel::new("all quantities", together));
    panels(path, &compared.title(), compared.names(), &all)
}

fn without_unit(title: &str) -> &str {
    title.split(", in ").next().unwrap_or(title)
}

/// The path error densities of each subject.
fn densities(compared: &Compared<'_>) -> Vec<(f64, f64, Marker)> {
    let share = |side: &GroupOutcome<'_>| side.path_error_density().share();
    let subjects = compared.subjects().iter();
    subjects.filter_map(|s| Some((share(s.first)?, share(s.second)?, Marker::Mean))).collect()
}

/// Best, mean and worst trial of each subject; 0 for a technique that found nothing.
fn normalised_points(compared: &Compared<'_>, metric: Metric) -> Vec<(f64, f64, Marker)> {
    let mut points = Vec::new();
    for subject in compared.subjects() {
        let [first, second] = &normalised(&[subject.first, subject.second], metric)[..] else { continue };
        if first.is_none() && second.is_none() {
            continue;
        }
        let of = |side: &Option<Summary>| side.map_or([0.0; 3], |s| [s.max, s.mean, s.min]);
        let markers = [Marker::Best, Marker::Mean, Marker::Worst];
        points.extend((0..3).map(|n| (of(first)[n], of(second)[n], markers[n])));
    }
    points
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
