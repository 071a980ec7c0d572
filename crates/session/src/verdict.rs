//! What a job comes to.

use std::time::Duration;

use lurcher_search::{Coverage, Stats, StopReason};
use lurcher_syntax::Span;
use lurcher_trace::{Evidence, Replayed};

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a trace that shows a violation, and it replayed.
    Violated,
    /// Everything was looked at, exactly, and there is no violation.
    Holds,
    /// Neither.
    Inconclusive,
}

impl Verdict {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Violated => "violated",
            Verdict::Holds => "holds",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

/// A violation with its trace.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The kind of property it violates, as reports call it.
    pub kind: &'static str,
    /// One sentence.
    pub message: String,
    /// Where in the source it happens.
    pub place: Option<Span>,
    /// The trace, executed.
    pub replayed: Replayed,
    /// What the trace shows.
    pub evidence: Evidence,
    /// No shorter one exists.
    pub shortest: bool,
    /// How often the search met it.
    pub count: u64,
}

/// The result of checking one property.
#[derive(Clone, Debug)]
pub struct Report {
    /// The property's name.
    pub name: String,
    /// The property's kind, as reports call it.
    pub kind: &'static str,
    /// Where it is written.
    pub place: Option<Span>,
    /// The answer.
    pub verdict: Verdict,
    /// What stopped the search.
    pub stop: StopReason,
    /// The search that was used.
    pub engine: &'static str,
    /// Violations: the first decides, others follow with `all_errors`.
    pub counterexamples: Vec<Counterexample>,
    /// Counts.
    pub stats: Stats,
    /// What was executed.
    pub coverage: Coverage,
    /// Time for the search.
    pub time: Duration,
    /// What the reader should know about how it was found.
    pub remarks: Vec<String>,
}
