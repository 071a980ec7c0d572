//! `summary.csv`: the statistics of the tables, for programs.

use std::path::Path;

use crate::error::ExperimentError;
use crate::spec::{Metric, Series};

use super::{GroupOutcome, write_csv};

pub(super) fn write(path: &Path, series: &[(&Series, Vec<GroupOutcome<'_>>)]) -> Result<(), ExperimentError> {
    let head = "series size configuration quantity trials found min mean max deviation ci_low ci_high density rows";
    let mut rows = Vec::new();
    for (series, outcome) in series.iter().flat_map(|(series, all)| all.iter().map(move |o| (series, o))) {
        for metric in Metric::all() {
            let Some(s) = outcome.summary(metric) else { continue };
            let optional = |n: Option<f64>| n.map_or(String::new(), |n| n.to_string());
            rows.push(vec![
                series.name.clone(),
                outcome.group.size.clone(),
                outcome.group.configuration.clone(),
                metric.name().to_owned(),
                outcome.rows.len().to_string(),
                outcome.found.len().to_string(),
                s.min.to_string(),
                s.mean.to_string(),
                s.max.to_string(),
                optional(s.deviation),
                optional(s.half_width.map(|h| s.mean - h)),
                optional(s.half_width.map(|h| s.mean + h)),
                optional(outcome.density()),
                outcome.row_numbers(),
            ]);
        }
    }
    write_csv(path, &head.split(' ').collect::<Vec<_>>(), &rows)
}
