//! Two techniques compared by tests.
//!
//! A trial that found nothing is a censored observation: it needs more than it was given, or has no violation in reach at all.
//! Path error density is compared by Fisher's exact test.

mod page;
mod rows;

use lurcher::engines::StopReason;

use crate::plan::Pair;
use crate::record::Results;
use crate::spec::{Comparison, Metric, Series};
use crate::statistics::{Observation, RankTest, fisher_exact, holm};

use super::GroupOutcome;
use super::summary::PATH_ERROR_DENSITY;

pub(super) use rows::write;

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
