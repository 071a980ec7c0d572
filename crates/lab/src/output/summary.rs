//! `summary.csv`: the statistics of the tables, for programs.

use std::path::Path;

use crate::error::ExperimentError;
use crate::spec::{Metric, Series};
use crate::statistics::Summary;

use super::{GroupOutcome, write_csv};

/// The name of the share of trials that found a violation.
pub(super) const PATH_ERROR_DENSITY: &str = "path-error-density";

pub(super) fn write(path: &Path, series: &[(&Series, Vec<GroupOutcome<'_>>)]) -> Result<(), ExperimentError> {
    let head = "series size configuration quantity trials found min mean max deviation ci_low ci_high violations_per_walk rows";
    let mut rows = Vec::new();
    for (series, outcome) in series.iter().flat_map(|(series, all)| all.iter().map(move |o| (series, o))) {
        let measured = Metric::all().filter_map(|metric| Some((metric.name(), statistics(&outcome.summary(metric)?))));
        let density = density(outcome).map(|statistics| (PATH_ERROR_DENSITY, statistics));
        for (quantity, statistics) in density.into_iter().chain(measured) {
            let group = [&series.name, &outcome.group.size, &outcome.group.configuration].map(String::clone);
            let counts = [outcome.rows.len(), outcome.found.len()].map(|n| n.to_string());
            let last = [optional(outcome.violations_per_walk()), outcome.row_numbers()];
            rows.push([&group[..], &[quantity.to_owned()], &counts, &statistics.map(optional), &last].concat());
        }
    }
    write_csv(path, &head.split(' ').collect::<Vec<_>>(), &rows)
}

/// Minimum, mean, maximum, deviation, and the confidence interval.
type Statistics = [Option<f64>; 6];

pub(super) fn statistics(s: &Summary) -> Statistics {
    let (low, high) = (s.half_width.map(|h| s.mean - h), s.half_width.map(|h| s.mean + h));
    [Some(s.min), Some(s.mean), Some(s.max), s.deviation, low, high]
}

/// The statistics of the indicator of success over all trials, those without a violation included.
pub(super) fn density(outcome: &GroupOutcome<'_>) -> Option<Statistics> {
    let density = outcome.path_error_density();
    let (low, high) = density.interval()?;
    let all = f64::from(density.successes == density.trials);
    let some = f64::from(density.successes > 0);
    Some([Some(all), density.share(), Some(some), density.deviation(), Some(low), Some(high)])
}

pub(super) fn optional(number: Option<f64>) -> String {
    number.map_or(String::new(), |n| n.to_string())
}
