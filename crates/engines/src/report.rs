//! What an engine reports.

use std::collections::BTreeSet;
use std::time::Duration;

use lurcher_ir::Property;
use lurcher_search::{Coverage, Found, Observer, Semantics, Stats, StopReason, Storage};
use lurcher_symbolic::Count;
use lurcher_syntax::Span;
use lurcher_system::{Interpreter, Limits, Path};
use lurcher_trace::{Evidence, Replayed, StateEvidence};

use crate::own::OwnTrace;
use crate::timed::TimedTrace;

/// The verdict on a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// There is a trace that shows a violation, and it replayed.
    Violated,
    /// Neither proved nor refuted.
    Inconclusive,
    /// The search was complete and exact, and there is no violation.
    Holds,
}

impl Verdict {
    /// The word in reports.
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
    /// The kind of property it violates, in reports.
    pub kind: &'static str,
    /// One sentence.
    pub message: String,
    /// Where in the source it happens.
    pub place: Option<Span>,
    /// The trace, executed.
    pub trace: Trace,
    /// No shorter one exists.
    pub shortest: bool,
    /// Its length before it was minimised.
    pub found_length: u32,
    /// How often the search met it.
    pub count: u64,
}

/// A trace that was executed, and what it shows.
#[derive(Clone, Debug)]
pub enum Trace {
    /// Of a process model.
    Processes(Box<ProcessTrace>),
    /// Of a relation; none where a property is violated in a way that no single run shows.
    States(Option<(Path<Vec<i64>>, StateEvidence)>),
    /// Of a model written in Rust.
    Own(Box<OwnTrace>),
    /// Of a real-time specification.
    Timed(Box<TimedTrace>),
}

/// A trace of a process model.
#[derive(Clone, Debug)]
pub struct ProcessTrace {
    /// The trace, executed.
    pub replayed: Replayed,
    /// What it shows.
    pub evidence: Evidence,
    /// How many processes move in it, and how many there are at most: the quotient is the dynamic PEP factor.
    pub participants: (usize, usize),
    /// Settings of the execution.
    pub limits: Limits,
    /// The semantics that the model was run with.
    pub semantics: Semantics,
}

impl ProcessTrace {
    /// The trace of what an interpreter has executed.
    pub fn new(interpreter: &Interpreter<'_>, replayed: Replayed, evidence: Evidence, semantics: Semantics) -> Self {
        let mut moving = BTreeSet::new();
        let mut most = usize::from(replayed.initial.process_count());
        replayed.visit(interpreter, |v| {
            moving.insert(v.step.taken.process);
            moving.extend(v.step.taken.partner.map(|p| p.0));
            most = most.max(usize::from(v.after.process_count()));
        });
        let participants = (moving.len(), most);
        ProcessTrace { replayed, evidence, participants, limits: interpreter.limits().clone(), semantics }
    }
}

impl Trace {
    /// Its length in steps.
    pub fn length(&self) -> u32 {
        match self {
            Trace::Processes(trace) => trace.replayed.length(),
            Trace::States(run) => run.as_ref().map_or(0, |(run, _)| run.length()),
            Trace::Own(trace) => trace.length(),
            Trace::Timed(trace) => trace.length(),
        }
    }

    /// For a lasso: the number of steps before the cycle.
    pub fn cycle_start(&self) -> Option<u32> {
        match self {
            Trace::Processes(trace) => {
                let replayed = &trace.replayed;
                replayed.path.cycle_start.map(|n| replayed.path.steps[..n].iter().map(|s| s.taken.length()).sum())
            }
            Trace::States(run) => run.as_ref().and_then(|(run, _)| run.cycle_start).map(|n| n as u32),
            Trace::Own(trace) => trace.cycle_start.map(|n| n as u32),
            Trace::Timed(_) => None,
        }
    }

    /// The trace of a process model.
    pub fn processes(&self) -> Option<&ProcessTrace> {
        match self {
            Trace::Processes(trace) => Some(trace),
            Trace::States(_) | Trace::Own(_) | Trace::Timed(_) => None,
        }
    }
}

/// What a search came to, before its traces are judged. `S` is a step of a path.
#[derive(Clone, Debug)]
pub struct Answer<S> {
    /// The violations.
    pub found: Vec<Found<S>>,
    /// Everything else.
    pub report: Report,
}

impl<S> Answer<S> {
    /// The answer of an engine that has found nothing yet.
    pub fn new(property: &Property, engine: &str) -> Self {
        Answer { found: Vec::new(), report: Report::new(property, engine) }
    }

    /// The answer of an engine that was stopped before it began.
    pub fn stopped(property: &Property, engine: &str, stop: StopReason) -> Self {
        Answer { found: Vec::new(), report: Report::stopped(property, engine, stop) }
    }
}

/// Trials of a randomised search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialReport {
    /// Trials that count: up to the one that decided the property.
    pub made: u64,
    /// Those that ended at their limit on states, or for want of memory.
    pub cut: u64,
    /// The number of the trial that decided the property.
    pub decided_by: Option<u64>,
}

/// The result of checking one property.
#[derive(Clone, Debug)]
pub struct Report {
    /// The property's name.
    pub name: String,
    /// The property's kind, in reports.
    pub kind: &'static str,
    /// Where it is written.
    pub place: Option<Span>,
    /// The verdict.
    pub verdict: Verdict,
    /// What stopped the search.
    pub stop: StopReason,
    /// A violation was found, but a limit was reached before its trace was replayed.
    pub unconfirmed: bool,
    /// The engine that was used; where something was found, the one that found it.
    pub engine: String,
    /// The reduction of the state space.
    pub reduction: Option<&'static str>,
    /// The heuristic.
    pub guide: Option<String>,
    /// The least and the greatest value that it gave a state, in a directed search.
    pub guide_range: Option<(u32, u32)>,
    /// Violations: the first decides, others follow with `all-errors`.
    pub counterexamples: Vec<Counterexample>,
    /// Counts.
    pub stats: Stats,
    /// What ran the model, where there is a choice: `interp` or `jit`.
    pub executor: Option<&'static str>,
    /// What was stored of states.
    pub storage: Storage,
    /// With lossy storage: the probability, at the end, that a new state is taken for a known one.
    pub omission: Option<f64>,
    /// The statements executed, for process models.
    pub coverage: Option<Coverage>,
    /// Where the time went.
    pub times: Times,
    /// The trials, where trials were made.
    pub trials: Option<TrialReport>,
    /// The walks, where walks were made.
    pub walks: Option<WalkReport>,
    /// A claim took part: traces must be executed with one.
    pub with_claim: bool,
    /// Sets of states, for symbolic engines.
    pub sets: Option<Sets>,
    /// Sets of integers, for real-time specifications.
    pub polyhedra: Option<Polyhedra>,
    /// The saturation curve, for LURCH.
    pub curve: Option<LurchCurve>,
    /// What the reader should know about how the result was found.
    pub remarks: Vec<String>,
}

impl Report {
    /// An inconclusive report of a complete search, to be filled in.
    pub fn new(property: &Property, engine: &str) -> Report {
        Report {
            name: property.name.clone(),
            kind: property.kind.name(),
            place: (property.span != Span::default()).then_some(property.span),
            verdict: Verdict::Inconclusive,
            stop: StopReason::Complete,
            unconfirmed: false,
            engine: engine.to_owned(),
            reduction: None,
            guide: None,
            guide_range: None,
            counterexamples: Vec::new(),
            stats: Stats::default(),
            executor: None,
            storage: Storage::Exact,
            omission: None,
            coverage: None,
            times: Times::default(),
            trials: None,
            walks: None,
            with_claim: false,
            sets: None,
            polyhedra: None,
            curve: None,
            remarks: Vec::new(),
        }
    }

    /// The report of an engine that was stopped before it had any result.
    pub fn stopped(property: &Property, engine: &str, stop: StopReason) -> Report {
        Report { stop, ..Report::new(property, engine) }
    }

    /// Tells an observer the verdict, where there is one.
    pub(crate) fn tell(&self, observer: &mut dyn Observer) {
        if self.verdict != Verdict::Inconclusive {
            observer.decided(&self.name, self.verdict.name());
        }
    }

    /// The report on a property that the engine does not support, beside others that it does.
    pub fn unsupported(property: &Property, why: String) -> Report {
        Report { stop: StopReason::Unsuited, remarks: vec![why], ..Report::new(property, "none") }
    }
}

/// Puts a violation first and leaves out properties that were not decided when a hunt stopped at it.
pub(crate) fn violation_first(mut reports: Vec<Report>) -> Vec<Report> {
    if reports.iter().any(|r| r.verdict == Verdict::Violated) {
        reports.retain(|r| r.verdict != Verdict::Inconclusive);
        reports.sort_by_key(|r| r.verdict);
    }
    reports
}

/// Where the time of a check went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Making native code.
    pub compile: Duration,
    /// Making heuristics.
    pub guide: Duration,
    /// Searching.
    pub search: Duration,
    /// Minimising traces.
    pub minimise: Duration,
}

/// Sets of states.
#[derive(Clone, Debug)]
pub struct Sets {
    /// The number of reachable states, where all were found.
    pub reachable: Option<Count>,
    /// Nodes of all BDDs at the end.
    pub nodes: u64,
}

/// Sets of integers, as unions of polyhedra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Polyhedra {
    /// Rounds of a fixpoint, or nodes of the tree that were tried.
    pub nodes: u64,
    /// Polyhedra of the largest set of states.
    pub most: usize,
    /// How many of the last events of a kind states remember.
    pub window: usize,
}

/// The saturation curve of a LURCH search.
#[derive(Clone, Debug)]
pub struct LurchCurve {
    /// Steps taken and different states met, at growing numbers of steps.
    pub points: Vec<(u64, u64)>,
    /// Paths made.
    pub paths: u64,
    /// The table of states was full, so that states met later count as known.
    pub full: bool,
    /// Steps and time until the violation was found.
    pub found_after: Option<(u64, Duration)>,
}

/// What walks came to.
#[derive(Clone, Debug, Default)]
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
    /// Walks whose states were noted; the others count steps, statements and violations only.
    pub looked_walks: u64,
    /// Distinct states seen in these.
    pub distinct: u64,
    /// That number is exact, not an estimate.
    pub exact: bool,
    /// The members of the portfolio.
    pub members: Vec<MemberReport>,
    /// Upper bounds on the probability that one more walk finds a violation.
    pub bounds: Vec<Bound>,
    /// States that one more unguided walk is expected to see for the first time (Good–Turing, over the walks whose
    /// states were noted).
    pub new_states_per_walk: Option<f64>,
}

/// A member of a portfolio.
#[derive(Clone, Debug)]
pub struct MemberReport {
    /// Its name.
    pub name: String,
    /// Walks it made.
    pub walks: u64,
    /// Steps it took.
    pub steps: u64,
    /// States it was the first to see, in walks whose states were noted.
    pub new_states: u64,
    /// The best score its heuristic gave.
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
