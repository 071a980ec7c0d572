//! Plots of steps and times until violations are found, and of saturation.

use std::path::Path;

use lurcher::engines::Info;

use super::FaultStudy;
use super::findings::Findings;
use super::trial::PropertyResult;
use crate::error::ExperimentError;
use crate::report::{Axes, Curve, curves};

/// A plot: its file without extension, and its title.
pub(super) type DrawnPlot = (&'static str, &'static str);

/// The most curves in the plot of saturation.
const SEARCHES: usize = 7;
/// Bins of a histogram for each power of ten.
const BINS: f64 = 4.0;

/// Draws all plots and returns those that are not empty.
pub(super) fn draw(folder: &Path, study: &FaultStudy, findings: &Findings) -> Result<Vec<DrawnPlot>, ExperimentError> {
    let plots = folder.join("plots");
    let mut drawn = Vec::new();
    let mut add = |plot: DrawnPlot, axes: (&str, &str), lines: &[Curve]| {
        if curves(&plots.join(plot.0), plot.1, axes, Axes::LogX, lines)? {
            drawn.push(plot);
        }
        Ok::<(), ExperimentError>(())
    };
    let random = || study.engines.iter().copied().filter(|e| e.random);
    let name = |engine: &Info| format!("{} ({} runs)", engine.name, study.runs);

    let steps = |s: &PropertyResult| s.found_after.map(|n| n.max(1) as f64);
    let within: Vec<Curve> =
        random().map(|e| cumulative(name(e), findings.measured(Some(e), steps), findings, e)).collect();
    add(
        ("steps", "Violations found within a number of steps"),
        ("steps of the search", "violations found, in % of those there are"),
        &within,
    )?;
    let mut histograms: Vec<Curve> = random().map(|e| histogram(name(e), &findings.measured(Some(e), steps))).collect();
    add(
        ("steps-histogram", "Steps until a violation is found"),
        ("steps of the search", "violations found, in % of all found"),
        &histograms,
    )?;
    let seconds = |s: &PropertyResult| Some(s.seconds.max(1e-6) * 1000.0);
    histograms = vec![histogram("judge".to_owned(), &findings.measured(None, seconds))];
    histograms.extend(study.engines.iter().map(|&e| {
        let name = if e.random { name(e) } else { e.name.to_owned() };
        histogram(name, &findings.measured(Some(e), seconds))
    }));
    add(
        ("times", "Time until a violation is found"),
        ("milliseconds", "violations found, in % of all found"),
        &histograms,
    )?;
    add(
        ("saturation", "Saturation of LURCH on the model without faults, run 1"),
        ("steps of the search", "new states among the last steps, in %"),
        &saturation(findings),
    )?;
    Ok(drawn)
}

/// The percentage of violations found up to each value, over all runs.
fn cumulative(name: String, mut sorted: Vec<f64>, findings: &Findings, engine: &Info) -> Curve {
    let all: usize = findings.faults().map(|o| o.violated().count() * o.runs_of(engine).count()).sum();
    sorted.sort_by(f64::total_cmp);
    let points = sorted.iter().enumerate().map(|(i, &v)| (v, 100.0 * (i + 1) as f64 / all.max(1) as f64));
    Curve::new(name, points.collect())
}

/// The outline of a histogram with logarithmic bins.
fn histogram(name: String, values: &[f64]) -> Curve {
    let bin = |v: f64| (v.log10() * BINS).floor() as i32;
    let edge = |b: i32| 10f64.powf(f64::from(b) / BINS);
    let mut points = Vec::new();
    let bins: Vec<i32> = values.iter().map(|&v| bin(v)).collect();
    if let (Some(&low), Some(&high)) = (bins.iter().min(), bins.iter().max()) {
        points.push((edge(low), 0.0));
        for b in low..=high {
            let share = 100.0 * bins.iter().filter(|&&x| x == b).count() as f64 / bins.len() as f64;
            points.extend([(edge(b), share), (edge(b + 1), share)]);
        }
        points.push((edge(high + 1), 0.0));
    }
    Curve::new(name, points)
}

/// The points of a saturation curve: steps, and distinct states.
type Points = Vec<(u64, u64)>;

/// The percentage of new states between the points of each search. Properties with the same curve share a line.
fn saturation(findings: &Findings) -> Vec<Curve> {
    let first = findings.outcomes.first();
    let run = first.and_then(|o| o.runs.iter().find(|r| r.engine.name == "lurch"));
    let mut searches: Vec<(Points, Vec<&str>)> = Vec::new();
    for (result, property) in run.iter().flat_map(|r| r.results.iter().zip(&findings.properties)) {
        let Some(curve) = &result.curve else { continue };
        match searches.iter_mut().find(|(points, _)| *points == curve.points) {
            Some((_, names)) => names.push(property),
            None => searches.push((curve.points.clone(), vec![property])),
        }
    }
    let line = |(points, names): &(Points, Vec<&str>)| {
        let name = match names.as_slice() {
            [one] => (*one).to_owned(),
            several => format!("{} alike", several.len()),
        };
        let mut before = (0, 0);
        let share = |&(steps, states): &(u64, u64)| {
            let (s, n) = (steps - before.0, states.saturating_sub(before.1));
            before = (steps, states);
            (steps as f64, (100.0 * n as f64 / s.max(1) as f64).min(100.0))
        };
        Curve::new(name, points.iter().filter(|p| p.0 > 0).map(share).collect())
    };
    searches.iter().take(SEARCHES).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_has_four_bins_for_each_power_of_ten_and_ends_at_zero() {
        let curve = histogram("x".to_owned(), &[1.0, 1.5, 20.0, 20.0]);
        assert_eq!(curve.points.len(), 2 + 2 * 6);
        assert_eq!((curve.points[1].1, curve.points[11].1), (50.0, 50.0));
        assert_eq!((curve.points[0].1, curve.points[13].1), (0.0, 0.0));
    }
}
