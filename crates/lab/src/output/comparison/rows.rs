//! `comparisons.csv`: every test of every comparison, for programs.

use std::path::Path;

use crate::error::ExperimentError;

use super::super::summary::optional;
use super::super::write_csv;
use super::{Compared, Subject, quantity};

/// Writes `comparisons.csv`: every test of every comparison.
pub(crate) fn write(path: &Path, compared: &[Compared<'_>]) -> Result<(), ExperimentError> {
    let head = "comparison subject quantity first first_trials first_found first_mean second second_trials second_found \
                second_mean test second_better p p_holm";
    let rows: Vec<Vec<String>> = compared.iter().flat_map(Compared::rows).collect();
    write_csv(path, &head.split(' ').collect::<Vec<_>>(), &rows)
}

impl Compared<'_> {
    /// One line for each test.
    fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        self.tests.iter().map(|test| {
            let Subject { name, first, second } = &self.subjects[test.subject];
            let about = [self.comparison.name.as_str(), name, quantity(test.metric)];
            let sides = [first, second].map(|side| {
                let mean = match test.metric {
                    Some(metric) => side.summary(metric).map(|s| s.mean),
                    None => side.path_error_density().share(),
                };
                let counts = [side.path_error_density().trials, side.found.len() as u64].map(|n| n.to_string());
                [std::slice::from_ref(&side.group.technique), &counts[..], &[optional(mean)]].concat()
            });
            let result = test.result.map_or([const { String::new() }; 4], |r| {
                [r.kind.to_owned(), r.superiority.to_string(), r.probability.to_string(), r.adjusted.to_string()]
            });
            [&about.map(str::to_owned)[..], &sides.concat(), &result].concat()
        })
    }
}
