//! The results of a group of trials.

use std::collections::BTreeMap;

use crate::conduct::Known;
use crate::plan::{Group, Plan};
use crate::record::Results;
use crate::report::distinct;
use crate::spec::Metric;
use crate::statistics::{Proportion, Summary};

/// The trials of a group that have results.
#[derive(Debug)]
pub(crate) struct GroupOutcome<'a> {
    pub group: &'a Group,
    /// Row number in `trials.csv`, and results.
    pub rows: Vec<(usize, &'a Results)>,
    /// The trials that found a violation.
    pub found: Vec<&'a Results>,
}

/// For each trial of a plan that has results: the number of its row in `trials.csv`, and the results.
pub(crate) type RowsByTrial<'a> = Vec<Option<(usize, &'a Results)>>;

/// The groups with the same size and subject, in the order in which subjects first occur.
pub(crate) fn by_subject<'g, 'a>(outcomes: &'g [GroupOutcome<'a>]) -> Vec<Vec<&'g GroupOutcome<'a>>> {
    let subject = |outcome: &GroupOutcome<'a>| (&outcome.group.size, &outcome.group.subject);
    let at = |wanted| outcomes.iter().filter(|o| subject(o) == wanted).collect();
    distinct(outcomes.iter().map(subject)).into_iter().map(at).collect()
}

/// The rows of all trials.
pub(super) fn rows_by_trial<'a>(plan: &Plan, known: &'a Known) -> RowsByTrial<'a> {
    let mut row = 0;
    let mut numbered = |results| {
        row += 1;
        (row, results)
    };
    plan.trials.iter().map(|t| known.get(&t.parameters.id()).map(&mut numbered)).collect()
}

impl<'a> GroupOutcome<'a> {
    pub fn new(group: &'a Group, rows: &RowsByTrial<'a>) -> Self {
        let rows: Vec<(usize, &Results)> = group.trials.iter().filter_map(|&t| rows[t]).collect();
        let found = rows.iter().map(|(_, r)| *r).filter(|r| r.is_violated()).collect();
        GroupOutcome { group, rows, found }
    }

    /// The values of a quantity in the trials that found a violation.
    pub fn sample(&self, metric: Metric) -> Vec<f64> {
        self.found.iter().filter_map(|r| r.measure(metric)).collect()
    }

    /// The statistics of a quantity over the trials that found a violation.
    pub fn summary(&self, metric: Metric) -> Option<Summary> {
        Summary::of(&self.sample(metric))
    }

    /// The trials that could not be run.
    pub fn errors(&self) -> usize {
        self.rows.iter().filter(|(_, r)| r.is_error()).count()
    }

    /// Path error density: the trials that found a violation, among all that could be run (Rungta and Mercer 2007).
    pub fn path_error_density(&self) -> Proportion {
        let trials = self.rows.len() - self.errors();
        Proportion { successes: self.found.len() as u64, trials: trials as u64 }
    }

    /// Violations per walk, over all trials.
    pub fn violations_per_walk(&self) -> Option<f64> {
        let walks: u64 = self.rows.iter().map(|(_, r)| r.walks).sum::<Option<u64>>()?;
        (walks > 0).then(|| self.found.len() as f64 / walks as f64)
    }

    /// Steps of all trials per violation.
    pub fn steps_per_violation(&self) -> Option<f64> {
        let steps: u64 = self.rows.iter().filter_map(|(_, r)| r.steps).sum();
        (!self.found.is_empty()).then(|| steps as f64 / self.found.len() as f64)
    }

    /// The stop reasons of the trials that found nothing, with their numbers.
    pub fn stops(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, results) in self.rows.iter().filter(|(_, r)| !r.is_violated()) {
            let word = match (results.verdict.as_str(), results.stop.as_str()) {
                ("inconclusive", "memory") => "oom",
                ("inconclusive", stop) => stop,
                (verdict, _) => verdict,
            };
            *counts.entry(word).or_default() += 1;
        }
        let one = self.rows.len() == 1;
        let words = counts.iter().map(|(w, n)| if one { (*w).to_owned() } else { format!("{n} {w}") });
        words.collect::<Vec<_>>().join(", ")
    }

    /// The row numbers, as ranges.
    pub fn row_numbers(&self) -> String {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for &(row, _) in &self.rows {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == row => *last = row,
                _ => ranges.push((row, row)),
            }
        }
        let text = |(a, b): &(usize, usize)| if a == b { a.to_string() } else { format!("{a}–{b}") };
        ranges.iter().map(text).collect::<Vec<_>>().join(", ")
    }
}
