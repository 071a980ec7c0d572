//! Two techniques compared by tests.
//!
//! A trial that found nothing is a censored observation: it needs more than it was given, or has no violation in reach at all.
//! Path error density is compared by Fisher's exact test.

use std::path::Path;

use lurcher::engines::StopReason;

use crate::error::ExperimentError;
use crate::plan::Pair;
use crate::record::Results;
use crate::report::{Align, markdown_table};
use crate::spec::{Comparison, Metric, Series};
use crate::statistics::{Observation, RankTest, fisher_exact, holm};

use super::markdown::{cell, number};
use super::summary::{PATH_ERROR_DENSITY, optional};
use super::{GroupOutcome, write_csv};

/// The series with the outcomes of their groups.
pub(crate) type Parts<'a> = [(&'a Series, Vec<GroupOutcome<'a>>)];

/// A comparison with its tests.
#[derive(Debug)]
pub(crate) struct Compared<'a> {
    comparison: &'a Comparison,
    subjects: Vec<Subject<'a>>,
    tests: Vec<Test>,
}

/// Two techniques on a subject.
#[derive(Debug)]
pub(crate) struct Subject<'a> {
    name: String,
    pub first: &'a GroupOutcome<'a>,
    pub second: &'a GroupOutcome<'a>,
}

/// A quantity of two techniques on a subject.
#[derive(Debug)]
struct Test {
    /// The subject, by number.
    subject: usize,
    /// The quantity; none for path error density.
    metric: Option<Metric>,
    /// None where a technique has no trial with the quantity.
    result: Option<TestResult>,
}

#[derive(Clone, Copy, Debug)]
struct TestResult {
    kind: &'static str,
    /// The probability that a trial of the second technique is better than one of the first; ties count one half.
    superiority: f64,
    probability: f64,
    /// The same after Holm's correction for all tests of the comparison.
    adjusted: f64,
}

/// The ends of searches that would find nothing with more time, memory or states either.
const OVER: [StopReason; 5] =
    [StopReason::Complete, StopReason::Frontier, StopReason::Depth, StopReason::Storage, StopReason::Prefixes];

/// Differences with a greater probability are not called differences.
const SIGNIFICANCE: f64 = 0.05;

impl<'a> Compared<'a> {
    /// Makes all tests of a comparison.
    pub fn new(comparison: &'a Comparison, pairs: &[Pair], parts: &'a Parts<'a>) -> Self {
        let subjects: Vec<Subject<'_>> = pairs.iter().map(|pair| Subject::new(*pair, parts)).collect();
        let metrics = || std::iter::once(None).chain(comparison.metrics.iter().copied().map(Some));
        let of = |(number, subject): (usize, &Subject<'_>)| -> Vec<Test> {
            metrics().map(|metric| Test { subject: number, metric, result: subject.test(metric) }).collect()
        };
        let mut tests: Vec<Test> = subjects.iter().enumerate().flat_map(of).collect();
        let mut results: Vec<&mut TestResult> = tests.iter_mut().filter_map(|test| test.result.as_mut()).collect();
        let probabilities: Vec<f64> = results.iter().map(|result| result.probability).collect();
        results.iter_mut().zip(holm(&probabilities)).for_each(|(result, adjusted)| result.adjusted = adjusted);
        Compared { comparison, subjects, tests }
    }

    /// The subjects, for plots.
    pub fn subjects(&self) -> &[Subject<'a>] {
        &self.subjects
    }

    /// What the two techniques are called.
    pub fn names(&self) -> (&'a str, &'a str) {
        let name = |outcome: Option<&GroupOutcome<'a>>| outcome.map_or("", |o| o.group.technique.as_str());
        (name(self.subjects.first().map(|s| s.first)), name(self.subjects.first().map(|s| s.second)))
    }

    /// The heading.
    pub fn title(&self) -> String {
        let (first, second) = self.names();
        let title = &self.comparison.title;
        if title.is_empty() { format!("{first} and {second}") } else { title.clone() }
    }

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

    /// The lines of `comparisons.csv`.
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
                [&[side.group.technique.clone()], &counts[..], &[optional(mean)]].concat()
            });
            let result = test.result.map_or([const { String::new() }; 4], |r| {
                [r.kind.to_owned(), r.superiority.to_string(), r.probability.to_string(), r.adjusted.to_string()]
            });
            [&about.map(str::to_owned)[..], &sides.concat(), &result].concat()
        })
    }
}

/// How to read the table of a comparison.
const EXPLANATION: &str = "A trial without a violation counts as one that needs more than it was given (a censored \
observation), or, where the search was over, as one that never finds it; lengths are compared among the trials that found \
a violation. *Better* is the probability that a trial is better than one of the other technique, where ties and pairs \
without a certain order count one half (Vargha and Delaney's A); 0.5 means no difference. Path error density is tested by \
Fisher's exact test, the others by the generalised Wilcoxon test of Gehan, exact for up to 100 trials.";

/// Writes `comparisons.csv`: every test of every comparison.
pub(super) fn write(path: &Path, compared: &[Compared<'_>]) -> Result<(), ExperimentError> {
    let head = "comparison subject quantity first first_trials first_found first_mean second second_trials second_found \
                second_mean test second_better p p_holm";
    let rows: Vec<Vec<String>> = compared.iter().flat_map(Compared::rows).collect();
    write_csv(path, &head.split(' ').collect::<Vec<_>>(), &rows)
}

impl<'a> Subject<'a> {
    fn new(pair: Pair, parts: &'a Parts<'a>) -> Self {
        let (series, outcomes) = &parts[pair.series];
        let (first, second) = (&outcomes[pair.first], &outcomes[pair.second]);
        let group = first.group;
        let size = series.size_name().filter(|_| !group.size.is_empty());
        let size = size.map_or(String::new(), |name| format!(", {name}={}", group.size));
        Subject { name: format!("{}{size}", group.subject), first, second }
    }

    fn test(&self, metric: Option<Metric>) -> Option<TestResult> {
        let Some(metric) = metric else { return self.test_density() };
        let sample = |side: &GroupOutcome<'_>| -> Vec<Observation> {
            side.rows.iter().filter_map(|(_, results)| observation(results, metric)).collect()
        };
        let test = RankTest::of(&sample(self.first), &sample(self.second))?;
        let kind = if test.is_exact { "Gehan, exact" } else { "Gehan, normal" };
        let RankTest { superiority, probability, .. } = test;
        Some(TestResult { kind, superiority, probability, adjusted: probability })
    }

    fn test_density(&self) -> Option<TestResult> {
        let (first, second) = (self.first.path_error_density(), self.second.path_error_density());
        let superiority = 0.5 + (second.share()? - first.share()?) / 2.0;
        let probability = fisher_exact(first, second);
        Some(TestResult { kind: "Fisher, exact", superiority, probability, adjusted: probability })
    }
}

/// What a trial says about a quantity. A trial that found nothing has no length.
fn observation(results: &Results, metric: Metric) -> Option<Observation> {
    if results.is_violated() {
        return Some(Observation { value: results.measure(metric)?, is_censored: false });
    }
    if results.is_error() || matches!(metric, Metric::Found | Metric::Reported) {
        return None;
    }
    let is_over = OVER.iter().any(|stop| stop.name() == results.stop);
    let value = if is_over { f64::INFINITY } else { results.measure(metric)? };
    Some(Observation { value, is_censored: true })
}

fn quantity(metric: Option<Metric>) -> &'static str {
    metric.map_or(PATH_ERROR_DENSITY, Metric::name)
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
