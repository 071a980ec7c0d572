//! `summary.csv`: the numbers of the tables, for other programs.

use std::path::Path;

use crate::error::ExperimentError;
use crate::spec::{Metric, Series};

use super::GroupOutcome;

pub(super) fn write(path: &Path, series: &[(&Series, Vec<GroupOutcome<'_>>)]) -> Result<(), ExperimentError> {
    let failed = |e: csv::Error| ExperimentError::Csv(path.to_owned(), e.to_string());
    let mut writer = csv::Writer::from_path(path).map_err(failed)?;
    let header = [
        "series",
        "size",
        "configuration",
        "quantity",
        "trials",
        "found",
        "min",
        "mean",
        "max",
        "deviation",
        "ci_low",
        "ci_high",
        "density",
        "rows",
    ];
    writer.write_record(header).map_err(failed)?;
    for (series, outcomes) in series {
        for outcome in outcomes {
            let group = outcome.group;
            for metric in Metric::ALL {
                let Some(s) = outcome.summary(metric) else { continue };
                let optional = |n: Option<f64>| n.map_or(String::new(), |n| n.to_string());
                let record = [
                    series.name.clone(),
                    group.size.clone(),
                    group.configuration.clone(),
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
                ];
                writer.write_record(&record).map_err(failed)?;
            }
        }
    }
    writer.flush().map_err(|e| ExperimentError::Io(path.to_owned(), e))
}
