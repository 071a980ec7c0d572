//! Replaying what was found.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lurcher_ir::Property;
use lurcher_search::{Budget, Found, FoundKind, Step};
use lurcher_syntax::{SourceMap, Span};
use lurcher_system::{Interpreter, Move, Path, Violation};
use lurcher_trace::minimise::{MinimiseBudget, minimise};
use lurcher_trace::{Evidence, Replayed, Trail, is_fair, judge, replay};

use crate::job::JobError;
use crate::quarry::Quarry;
use crate::verdict::{Counterexample, ProcessTrace, Trace};

/// How found traces are treated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Treatment<'b> {
    /// Only fair cycles count.
    pub fair: bool,
    /// Work that may be spent on making a trace shorter; none leaves it as it was found.
    pub expansions: Option<u64>,
    /// The budget of the search that found it.
    pub budget: &'b Budget,
}

/// A confirmed violation, and what minimising it took.
pub(crate) struct Confirmed {
    pub counterexample: Counterexample,
    pub minimise: Duration,
    pub expansions: u64,
    /// Minimising was stopped by the clock or the user.
    pub cut: bool,
}

/// The least time that minimising gets, however little the search has left.
pub(crate) const GRACE: Duration = Duration::from_secs(2);
/// The clock stops minimising after this long where no time limit was given.
pub(crate) const BRAKE: Duration = Duration::from_secs(60);

/// Makes what a search found short, replays it, and makes sure that it shows what the search says.
pub(crate) fn confirm(
    quarry: &Quarry,
    interpreter: &Interpreter<'_>,
    sources: &SourceMap,
    found: &Found,
    treatment: Treatment<'_>,
) -> Result<Confirmed, JobError> {
    let started = Instant::now();
    let before = |n: usize| found.path[..n].iter().filter(|s: &&Step| s.system.is_some()).count();
    let steps: Vec<Move> = found.path.iter().filter_map(|s| s.system).collect();
    let path = Path { steps, cycle_start: found.cycle_start.map(before) };
    let Some(expansions) = treatment.expansions.filter(|_| !found.shortest) else {
        let counterexample = replayed(quarry, interpreter, sources, found, &path, treatment.fair)?;
        return Ok(Confirmed { counterexample, minimise: Duration::ZERO, expansions: 0, cut: false });
    };
    let budget = MinimiseBudget {
        expansions,
        interrupt: treatment.budget.interrupt.clone(),
        deadline: Some(treatment.budget.deadline.map_or(started + BRAKE, |d| d.max(started + GRACE))),
        memory: treatment.budget.memory.unwrap_or(u64::MAX),
    };
    let short = minimise(interpreter, &quarry.question(), &found.kind, treatment.fair, &path, &budget);
    let minimise = started.elapsed();
    let counterexample = replayed(quarry, interpreter, sources, found, &short.path, treatment.fair)?;
    let counterexample = Counterexample { found_length: short.found_length, shortest: short.optimal, ..counterexample };
    Ok(Confirmed { counterexample, minimise, expansions: short.expansions, cut: !short.finished })
}

/// Replays moves that are said to show what was found.
fn replayed(
    quarry: &Quarry,
    interpreter: &Interpreter<'_>,
    sources: &SourceMap,
    found: &Found,
    path: &Path<Move>,
    fair: bool,
) -> Result<Counterexample, JobError> {
    let trail = Trail::of_path(interpreter, path);
    let replayed = replay(interpreter, &trail).map_err(|e| JobError::Unconfirmed(e.to_string()))?;
    let question = quarry.question();
    let claim = question.claim;
    let evidence = judge(interpreter, &replayed, &question);
    let expected = match (&found.kind, &evidence) {
        (FoundKind::Deadlock, Evidence::Deadlock)
        | (FoundKind::Invariant, Evidence::Invariant)
        | (FoundKind::ClaimEnd, Evidence::ClaimEnd)
        // Along the same cycle the claim may also come to its end.
        | (FoundKind::Cycle, Evidence::AcceptingCycle | Evidence::ClaimEnd) => true,
        // A trace to one violation may pass another on its way.
        (FoundKind::Step(a), Evidence::Step(_)) => {
            claim.is_some() || replayed.path.steps.iter().any(|s| s.violation.as_ref() == Some(a)) || path.steps.is_empty()
        }
        (_, Evidence::Step(_)) => true,
        // The claim's own assertions are not part of the system's run.
        (FoundKind::Step(Violation::Assertion(_)), _) => claim.is_some(),
        _ => false,
    };
    if !expected {
        return Err(JobError::Unconfirmed(format!("found {:?}, replayed as {evidence:?}", found.kind)));
    }
    if fair && found.kind == FoundKind::Cycle && !is_fair(interpreter, &replayed) {
        return Err(JobError::Unconfirmed("the cycle neglects a process".to_owned()));
    }
    let (kind, message, place) = describe(sources, &quarry.property, &found.kind);
    let found_length = replayed.length();
    let (shortest, count) = (found.shortest, found.count);
    let participants = participants(interpreter, &replayed);
    let trace = Trace::Processes(Box::new(ProcessTrace { replayed, evidence, participants }));
    Ok(Counterexample { kind, message, place, trace, shortest, found_length, count })
}

/// How many processes move in a trace, and how many there are at most.
fn participants(interpreter: &Interpreter<'_>, replayed: &Replayed) -> (usize, usize) {
    let mut moving = BTreeSet::new();
    let mut most = usize::from(replayed.initial.process_count());
    replayed.visit(interpreter, |v| {
        moving.insert(v.step.taken.process);
        moving.extend(v.step.taken.partner.map(|p| p.0));
        most = most.max(usize::from(v.after.process_count()));
    });
    (moving.len(), most)
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
        FoundKind::Invariant | FoundKind::Watched(_) => ("invariant", "the invariant does not hold".to_owned(), stated),
        FoundKind::ClaimEnd => ("never", "the never claim comes to its end".to_owned(), stated),
        FoundKind::Cycle => {
            let name = property.kind.name();
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
