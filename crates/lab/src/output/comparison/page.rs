//! The part of the page about a comparison.

use crate::report::{Align, markdown_table};

use super::super::GroupOutcome;
use super::super::markdown::{cell, number};
use super::{Compared, Subject, Test, TestResult, quantity};

/// Differences with a greater probability are not called differences.
const SIGNIFICANCE: f64 = 0.05;

/// How to read the table of a comparison.
const EXPLANATION: &str = "A trial without a violation counts as one that needs more than it was given (a censored \
observation), or, where the search was over, as one that never finds it; lengths are compared among the trials that found \
a violation. *Better* is the probability that a trial is better than one of the other technique, where ties and pairs \
without a certain order count one half (Vargha and Delaney's A); 0.5 means no difference. Path error density is tested by \
Fisher's exact test, the others by the generalised Wilcoxon test of Gehan, exact for up to 100 trials.";

impl Compared<'_> {
    /// The part of the page about this comparison.
    pub fn section(&self, plot: Option<&str>) -> String {
        let (first, second) = self.names();
        let better = format!("{second} better");
        let head = ["subject", "quantity", first, second, &better, "effect", "p", "p (Holm)", "test"];
        let lines: Vec<Vec<String>> = self.tests.iter().map(|test| self.line(test)).collect();
        let table = markdown_table(&head, &lines, Align::Right);
        let plot = plot.map_or(String::new(), |plot| format!("![{plot}](plots/{plot}.svg)\n\n"));
        format!("## {}\n\n{}\n\n{table}\n{plot}", self.title(), self.conclusion())
    }

    fn line(&self, test: &Test) -> Vec<String> {
        let Subject { name, first, second } = &self.subjects[test.subject];
        let show = |outcome: &GroupOutcome<'_>| match test.metric {
            Some(metric) => cell(outcome, metric),
            None => density_cell(outcome),
        };
        let cells = [name.clone(), quantity(test.metric).to_owned(), show(first), show(second)];
        let results = match &test.result {
            None => ["", "", "", "", "no trials to compare"].map(str::to_owned),
            Some(result) => [
                format!("{:.2}", result.superiority),
                magnitude(result.superiority).to_owned(),
                probability(result.probability),
                probability(result.adjusted),
                result.kind.to_owned(),
            ],
        };
        cells.into_iter().chain(results).collect()
    }

    /// How many tests show a difference, in which direction, and which trials did not take part.
    fn conclusion(&self) -> String {
        let (first, second) = self.names();
        let results: Vec<TestResult> = self.tests.iter().filter_map(|test| test.result).collect();
        let is_shown = |result: &&TestResult| result.adjusted < SIGNIFICANCE;
        let shown: Vec<&TestResult> = results.iter().filter(is_shown).collect();
        let for_second = shown.iter().filter(|result| result.superiority > 0.5).count();
        let errors: usize = self.subjects.iter().map(|s| s.first.errors() + s.second.errors()).sum();
        let errors =
            if errors > 0 { format!(" {errors} trials could not be run and take no part.") } else { String::new() };
        format!(
            "Of {} tests, after Holm's correction at the 5 % level, {for_second} show that {second} is better, and {} that \
             {first} is.{errors} {EXPLANATION}",
            results.len(),
            shown.len() - for_second,
        )
    }
}

/// The share of trials that found a violation, its interval, and the counts.
fn density_cell(outcome: &GroupOutcome<'_>) -> String {
    let density = outcome.path_error_density();
    let (Some(share), Some((low, high))) = (density.share(), density.interval()) else { return outcome.stops() };
    format!("{share:.2}, {low:.2} to {high:.2} ({}/{})", density.successes, density.trials)
}

/// The words of Vargha and Delaney for the distance of a probability from one half.
fn magnitude(superiority: f64) -> &'static str {
    match (superiority - 0.5).abs() {
        d if d < 0.06 => "negligible",
        d if d < 0.14 => "small",
        d if d < 0.21 => "medium",
        _ => "large",
    }
}

fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { number(p) }
}
