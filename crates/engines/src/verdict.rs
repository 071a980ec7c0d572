//! What a job comes to.

use std::time::Duration;

use crate::relation::{LurchCurve, Sets};
use lurcher_search::{Coverage, Stats, StopReason, Storage};
use lurcher_syntax::Span;
use lurcher_system::Path;
use lurcher_trace::{Evidence, Replayed, StateEvidence};

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
    pub trace: Trace,
    /// No shorter one exists.
    pub shortest: bool,
    /// Its length when it was found, before it was minimised.
    pub found_length: u32,
    /// How often the search met it.
    pub count: u64,
}

/// A trace that was executed, and what it shows.
#[derive(Clone, Debug)]
pub enum Trace {
    /// Of a model made of processes.
    Processes(Box<ProcessTrace>),
    /// Of a relation; none where a property is violated in a way that no single run shows.
    States(Option<(Path<Vec<i64>>, StateEvidence)>),
}

/// A trace of processes.
#[derive(Clone, Debug)]
pub struct ProcessTrace {
    /// The trace, executed.
    pub replayed: Replayed,
    /// What it shows.
    pub evidence: Evidence,
    /// How many processes move in it, and how many there are at most: the share is the dynamic PEP factor.
    pub participants: (usize, usize),
}

impl Trace {
    /// Its length in steps.
    pub fn length(&self) -> u32 {
        match self {
            Trace::Processes(trace) => trace.replayed.length(),
            Trace::States(run) => run.as_ref().map_or(0, |(run, _)| run.length()),
        }
    }

    /// For a lasso: the number of steps before the cycle.
    pub fn cycle_start(&self) -> Option<u32> {
        match self {
            Trace::Processes(trace) => {
                let path = &trace.replayed.path;
                path.cycle_start.map(|_| path.prefix().iter().map(|s| s.taken.length()).sum())
            }
            Trace::States(run) => run.as_ref().and_then(|(run, _)| run.cycle_start).map(|n| n as u32),
        }
    }

    /// The trace of a model made of processes.
    pub fn processes(&self) -> Option<&ProcessTrace> {
        match self {
            Trace::Processes(trace) => Some(trace),
            Trace::States(_) => None,
        }
    }
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
    /// The search that was used; when something was found, the one that found it.
    pub engine: String,
    /// The reduction of the state space that it used.
    pub reduction: Option<&'static str>,
    /// The guide it used.
    pub guide: Option<String>,
    /// Violations: the first decides, others follow with `all_errors`.
    pub counterexamples: Vec<Counterexample>,
    /// Counts.
    pub stats: Stats,
    /// What ran the model, where there is a choice: `interp` or `jit`.
    pub executor: Option<&'static str>,
    /// What was kept of states.
    pub storage: Storage,
    /// With lossy storage: how likely it is, at the end, that a state which was not met is taken for one that was.
    pub omission: Option<f64>,
    /// What was executed, where the model is made of processes.
    pub coverage: Option<Coverage>,
    /// Where the time went.
    pub times: Times,
    /// What the walks came to, where walks were made.
    pub walks: Option<WalkReport>,
    /// A claim took part: traces must be executed with one.
    pub with_claim: bool,
    /// What is known of sets of states, where an engine works with them.
    pub sets: Option<Sets>,
    /// How a search by LURCH went.
    pub curve: Option<LurchCurve>,
    /// What the reader should know about how it was found.
    pub remarks: Vec<String>,
}

/// Where the time of a check went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Making native code.
    pub compile: Duration,
    /// Making guides.
    pub guide: Duration,
    /// Searching.
    pub search: Duration,
    /// Shortening traces.
    pub minimise: Duration,
}

/// What walks came to.
#[derive(Clone, Debug)]
pub struct WalkReport {
    /// The member of the portfolio that found the violation.
    pub winner: Option<String>,
    /// The number of the unit that found the violation.
    pub unit: Option<u64>,
    /// Units finished, from the first without a gap.
    pub units: u64,
    /// Walks made.
    pub walks: u64,
    /// Steps taken.
    pub steps: u64,
    /// Steps a second, those of a saved hunt left out.
    pub rate: f64,
    /// Branches tested.
    pub tries: u64,
    /// Length of the longest walk.
    pub depth: u32,
    /// Walks whose states were looked at; the others count steps, statements and violations only.
    pub looked_walks: u64,
    /// Distinct states seen in these.
    pub distinct: u64,
    /// That number is exact, not an estimate.
    pub exact: bool,
    /// What each member did.
    pub members: Vec<MemberReport>,
    /// Upper bounds on the probability that one more walk finds a violation.
    pub bounds: Vec<Bound>,
    /// States that one more unguided walk is expected to see for the first time (Good–Turing, over the walks that were
    /// looked at).
    pub new_states_per_walk: Option<f64>,
}

/// What a member of a portfolio did.
#[derive(Clone, Debug)]
pub struct MemberReport {
    /// Its name.
    pub name: String,
    /// Walks it made.
    pub walks: u64,
    /// Steps it took.
    pub steps: u64,
    /// States it was the first to see, in walks that were looked at.
    pub new_states: u64,
    /// The best score its guide gave.
    pub best: Option<u32>,
}

/// With the given confidence, one more independent walk of this kind and depth finds a violation with at most this
/// probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The member whose walks it is computed from.
    pub member: String,
    /// The depth of the walks.
    pub depth: u32,
    /// How many there were.
    pub walks: u64,
    /// The probability.
    pub probability: f64,
    /// The confidence.
    pub confidence: f64,
}

impl Bound {
    /// The bound after so many walks that found nothing: the probability *p* at which (1 − *p*)ᴺ = 1 − confidence.
    pub fn after(member: &str, depth: u32, walks: u64, confidence: f64) -> Bound {
        let probability = if walks == 0 { 1.0 } else { 1.0 - (1.0 - confidence).powf(1.0 / walks as f64) };
        Bound { member: member.to_owned(), depth, walks, probability, confidence }
    }
}
