//! Normalised quantities: 1 is the best value that any technique reached on a subject, 0 the worst.
//!
//! The values are those of the trials that found a violation (Rungta and Mercer 2007, section 4 and table 3). A technique that
//! found none has 0 throughout. Path error density is a share already and counts all trials.

use std::path::Path;

use crate::error::ExperimentError;
use crate::report::{Align, markdown_table};
use crate::spec::{Metric, Series};
use crate::statistics::Summary;

use super::markdown::subject_columns;
use super::outcome::by_subject;
use super::summary::{PATH_ERROR_DENSITY, density, optional, statistics};
use super::{GroupOutcome, write_csv};

/// The statistics of a normalised quantity for each technique of a subject; none for techniques that found nothing.
pub(crate) fn normalised(techniques: &[&GroupOutcome<'_>], metric: Metric) -> Vec<Option<Summary>> {
    let samples: Vec<Vec<f64>> = techniques.iter().map(|technique| technique.sample(metric)).collect();
    let Some(all) = Summary::of(&samples.concat()) else { return vec![None; techniques.len()] };
    let range = all.max - all.min;
    let share = |value: &f64| if range > 0.0 { (all.max - value) / range } else { 1.0 };
    samples.iter().map(|sample| Summary::of(&sample.iter().map(share).collect::<Vec<_>>())).collect()
}

/// A table with a line for each technique of each subject: mean, and in brackets the worst and the best trial.
pub(super) fn table(series: &Series, outcomes: &[GroupOutcome<'_>]) -> String {
    let quantities = Metric::NORMALISED.map(Metric::name);
    let head = [&subject_columns(series)[..], &["technique", "path error density"], &quantities].concat();
    let mut lines = Vec::new();
    for techniques in by_subject(outcomes) {
        let columns = Metric::NORMALISED.map(|metric| normalised(&techniques, metric));
        for (number, technique) in techniques.iter().enumerate() {
            let group = technique.group;
            let share = technique.path_error_density().share();
            let head = [group.size.clone(), group.subject.clone(), group.technique.clone()];
            let share = share.map_or_else(|| technique.stops(), |share| format!("{share:.2}"));
            let cells = columns.iter().map(|column| column[number].as_ref().map_or("0.00".to_owned(), cell));
            lines.push(head.into_iter().chain([share]).chain(cells).collect());
        }
    }
    markdown_table(&head, &lines, Align::Right)
}

fn cell(s: &Summary) -> String {
    let spread = if s.count > 1 { format!(" ({:.2}–{:.2})", s.min, s.max) } else { String::new() };
    format!("{:.2}{spread}", s.mean)
}

/// Writes `normalised.csv`: the statistics of all normalised quantities.
pub(super) fn write(path: &Path, series: &[(&Series, Vec<GroupOutcome<'_>>)]) -> Result<(), ExperimentError> {
    let head = "series size subject technique quantity trials found min mean max deviation ci_low ci_high";
    let mut rows = Vec::new();
    for (series, outcomes) in series {
        for techniques in by_subject(outcomes) {
            let columns = Metric::NORMALISED.map(|metric| (metric.name(), normalised(&techniques, metric)));
            for (number, technique) in techniques.iter().enumerate() {
                let group = technique.group;
                let about = [&series.name, &group.size, &group.subject, &group.technique].map(String::clone);
                let counts = [technique.rows.len(), technique.found.len()].map(|n| n.to_string());
                let none = [None; 6];
                let shares = [(PATH_ERROR_DENSITY, density(technique).unwrap_or(none))];
                let measured = columns.iter().map(|(name, all)| (*name, all[number].as_ref().map_or(none, statistics)));
                for (quantity, statistics) in shares.into_iter().chain(measured) {
                    rows.push([&about[..], &[quantity.to_owned()], &counts, &statistics.map(optional)].concat());
                }
            }
        }
    }
    write_csv(path, &head.split(' ').collect::<Vec<_>>(), &rows)
}
