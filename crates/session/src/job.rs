//! Checking properties: picks the search, runs it, replays what it finds.

use std::time::Instant;

use lurcher_exec::{Interpreter, Limits, Move, Violation};
use lurcher_ir::{Expr, Model, Property, PropertyKind};
use lurcher_search::{
    Budget, Claim, Coverage, Found, FoundKind, Observer, Outcome, Product, Step, StopReason, System, bfs, dfs,
    nested_dfs,
};
use lurcher_syntax::{SourceMap, Span};
use lurcher_trace::{Evidence, Question, Trail, is_fair, judge, replay};

use crate::claims;
use crate::verdict::{Counterexample, Report, Verdict};

/// A search for bad states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Depth first.
    Dfs,
    /// Breadth first: the trace is a shortest one.
    Bfs,
}

impl Engine {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Dfs => "dfs",
            Engine::Bfs => "bfs",
        }
    }
}

/// What every check of a job shares.
#[derive(Clone, Debug)]
pub struct Job {
    /// The search for bad states; cycles are always looked for by nested depth-first search.
    pub engine: Engine,
    /// What each check may use.
    pub budget: Budget,
    /// Only runs in which no process is neglected for ever count as violations.
    pub fair: bool,
    /// A message sent to a full channel is lost.
    pub message_loss: bool,
}

/// What a check fails with when it is not the model's fault.
#[derive(Debug)]
#[non_exhaustive]
pub enum JobError {
    /// A formula whose automaton is too large.
    Formula(String, lurcher_ltl::TooLarge),
    /// A trace that a search found does not replay: a bug.
    Unconfirmed(String),
}

impl std::fmt::Display for JobError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            JobError::Formula(name, error) => write!(f, "property `{name}`: {error}"),
            JobError::Unconfirmed(what) => write!(f, "the trace of a violation could not be confirmed: {what}"),
        }
    }
}

impl std::error::Error for JobError {}

/// The property that stands for end states, assertions and faults.
pub fn safety() -> Property {
    Property { name: "safety".to_owned(), kind: PropertyKind::Safety, span: Span::default() }
}

/// The name of a kind of property in reports.
fn kind_name(kind: &PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Safety => "safety",
        PropertyKind::Ltl { .. } => "ltl",
        PropertyKind::Never(_) => "never",
        PropertyKind::NonProgress => "non-progress",
        PropertyKind::Acceptance => "acceptance",
        PropertyKind::Invariant(_) => "invariant",
    }
}

/// What is watched while the property is checked.
enum Watched {
    States(Vec<Expr>),
    Claim(Claim),
}

impl Job {
    /// Checks one property of a model.
    pub fn check(
        &self,
        model: &Model,
        sources: &SourceMap,
        property: &Property,
        observer: &mut impl Observer,
    ) -> Result<Report, JobError> {
        let started = Instant::now();
        let mut model = model.clone();
        let watched = watch(&mut model, property)?;
        let limits = limits(&model, property, self.message_loss);
        let interpreter = Interpreter::new(&model, limits);
        let (outcome, coverage, engine) = self.search(&interpreter, &watched, property, observer);
        let time = started.elapsed();
        let mut counterexamples = Vec::new();
        for found in &outcome.found {
            let confirmed = confirm(&interpreter, sources, property, &watched, found)?;
            if self.fair && found.kind == FoundKind::Cycle && !is_fair(&interpreter, &confirmed.replayed) {
                return Err(JobError::Unconfirmed("the cycle neglects a process".to_owned()));
            }
            counterexamples.push(confirmed);
        }
        let verdict = match (counterexamples.is_empty(), outcome.stop) {
            (false, _) => Verdict::Violated,
            (true, StopReason::Complete) => Verdict::Holds,
            (true, _) => Verdict::Inconclusive,
        };
        Ok(Report {
            name: property.name.clone(),
            kind: kind_name(&property.kind),
            place: (property.span != Span::default()).then_some(property.span),
            verdict,
            stop: outcome.stop,
            engine,
            counterexamples,
            stats: outcome.stats,
            coverage,
            time,
            remarks: remarks(property, &outcome, self.fair),
        })
    }

    fn search(
        &self,
        interpreter: &Interpreter<'_>,
        watched: &Watched,
        property: &Property,
        observer: &mut impl Observer,
    ) -> (Outcome, Coverage, &'static str) {
        match watched {
            Watched::States(invariants) => {
                let end_states = matches!(property.kind, PropertyKind::Safety);
                let mut system = System::new(interpreter.clone(), invariants.clone(), end_states);
                let outcome = match self.engine {
                    Engine::Dfs => dfs(&mut system, &self.budget, observer),
                    Engine::Bfs => bfs(&mut system, &self.budget, observer),
                };
                (outcome, system.coverage, self.engine.name())
            }
            Watched::Claim(claim) => {
                let mut product = Product::new(interpreter.clone(), *claim, self.fair);
                let outcome = nested_dfs(&mut product, &self.budget, observer);
                (outcome, product.coverage, "nested-dfs")
            }
        }
    }
}

/// What a model may do while a property is checked.
pub fn limits(model: &Model, property: &Property, message_loss: bool) -> Limits {
    let with_claim =
        matches!(property.kind, PropertyKind::Never(_) | PropertyKind::Ltl { .. } | PropertyKind::NonProgress);
    Limits { message_loss, with_claim, ..Limits::for_model(model) }
}

/// Adds the claim that a property needs to a model.
fn watch(model: &mut Model, property: &Property) -> Result<Watched, JobError> {
    Ok(match &property.kind {
        PropertyKind::Safety => Watched::States(Vec::new()),
        PropertyKind::Invariant(e) => Watched::States(vec![e.clone()]),
        PropertyKind::Never(id) => Watched::Claim(Claim::Process(*id)),
        PropertyKind::Acceptance => Watched::Claim(Claim::None),
        PropertyKind::NonProgress => Watched::Claim(Claim::Alone(claims::add_non_progress(model))),
        PropertyKind::Ltl { formula, atoms } => {
            let negated = lurcher_ltl::negate(formula);
            let automaton = lurcher_ltl::translate(&negated, &lurcher_ltl::Limits::default())
                .map_err(|e| JobError::Formula(property.name.clone(), e))?;
            let id = claims::add_automaton(model, &property.name, &automaton, atoms, property.span);
            Watched::Claim(Claim::Process(id))
        }
    })
}

impl Watched {
    /// What a trace is judged against.
    fn question(&self) -> Question {
        match self {
            Watched::States(invariants) => Question { invariant: invariants.first().cloned(), ..Question::default() },
            Watched::Claim(claim) => Question {
                claim: claim.process_type(),
                claim_alone: !claim.counts_system(),
                infinite: true,
                ..Question::default()
            },
        }
    }
}

/// A copy of the model with the claim that a property needs, and what a trace about it is judged against.
pub fn attach_claim(model: &Model, property: &Property) -> Result<(Model, Question), JobError> {
    let mut model = model.clone();
    let question = watch(&mut model, property)?.question();
    Ok((model, question))
}

fn remarks(property: &Property, outcome: &Outcome, fair: bool) -> Vec<String> {
    let mut remarks = Vec::new();
    if fair && !matches!(property.kind, PropertyKind::Safety | PropertyKind::Invariant(_)) {
        remarks.push("under weak fairness".to_owned());
    }
    let depth = match outcome.stop {
        StopReason::Depth => Some("states below the depth limit were not looked at"),
        _ => None,
    };
    remarks.extend(depth.map(str::to_owned));
    remarks
}

/// Replays what a search found, and makes sure that it shows what the search says.
fn confirm(
    interpreter: &Interpreter<'_>,
    sources: &SourceMap,
    property: &Property,
    watched: &Watched,
    found: &Found,
) -> Result<Counterexample, JobError> {
    let moves: Vec<Move> = found.path.iter().filter_map(|s| s.system).collect();
    let before = |n: usize| found.path[..n].iter().filter(|s: &&Step| s.system.is_some()).count();
    let cycle_start = found.cycle_start.map(before);
    let trail = Trail::of_moves(interpreter, &moves, cycle_start);
    let replayed = replay(interpreter, &trail).map_err(|e| JobError::Unconfirmed(e.to_string()))?;
    let question = watched.question();
    let claim = question.claim;
    let evidence = judge(interpreter, &replayed, &question);
    let expected = match (&found.kind, &evidence) {
        (FoundKind::Deadlock, Evidence::Deadlock)
        | (FoundKind::Invariant, Evidence::Invariant)
        | (FoundKind::ClaimEnd, Evidence::ClaimEnd)
        | (FoundKind::Cycle, Evidence::AcceptingCycle) => true,
        // A trace to one violation may pass another on its way.
        (FoundKind::Step(a), Evidence::Step(_)) => {
            claim.is_some() || replayed.steps.iter().any(|s| s.violation.as_ref() == Some(a)) || moves.is_empty()
        }
        (_, Evidence::Step(_)) => true,
        // The claim's own assertions are not part of the system's run.
        (FoundKind::Step(Violation::Assertion(_)), _) => claim.is_some(),
        _ => false,
    };
    if !expected {
        return Err(JobError::Unconfirmed(format!("found {:?}, replayed as {evidence:?}", found.kind)));
    }
    let (kind, message, place) = describe(sources, property, &found.kind);
    let shortest = found.shortest;
    Ok(Counterexample { kind, message, place, replayed, evidence, shortest, count: found.count })
}

fn describe(sources: &SourceMap, property: &Property, kind: &FoundKind) -> (&'static str, String, Option<Span>) {
    let stated = (property.span != Span::default()).then_some(property.span);
    match kind {
        FoundKind::Deadlock => ("deadlock", "invalid end state: no process can move".to_owned(), None),
        FoundKind::Step(Violation::Assertion(span)) => {
            ("assertion", format!("assertion violated: {}", one_line(sources.text(*span))), Some(*span))
        }
        FoundKind::Step(Violation::Fault { fault, span, .. }) => {
            let text = one_line(sources.text(*span));
            (fault.kind(), format!("{fault}: {text}"), Some(*span))
        }
        FoundKind::Invariant => ("invariant", "the invariant does not hold".to_owned(), stated),
        FoundKind::ClaimEnd => ("never", "the never claim comes to its end".to_owned(), stated),
        FoundKind::Cycle => {
            let name = kind_name(&property.kind);
            let message = match name {
                "ltl" => format!("a run that violates `{}`", property.name),
                "never" => format!("a cycle that `{}` accepts", property.name),
                "non-progress" => "a cycle without progress".to_owned(),
                _ => "a cycle through an accept label".to_owned(),
            };
            (name, message, stated)
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
