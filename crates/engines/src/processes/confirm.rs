//! Replaying, judging and minimising traces of process models.

use std::time::{Duration, Instant};

use lurcher_ir::Property;
use lurcher_search::{Found, FoundKind, Step};
use lurcher_syntax::{SourceMap, Span};
use lurcher_system::{Move, Path, Violation};
use lurcher_trace::minimise::minimise as shorten;
use lurcher_trace::{Evidence, Question, Trail, is_fair, judge, replay};

use super::ProcessSystem;
use crate::error::EngineError;
use crate::report::{Counterexample, ProcessTrace, Trace};
use crate::system::{Confirmed, Minimise};

/// Minimises what a search found, replays it, and makes sure that it shows what the search says.
pub(super) fn confirm(
    system: &ProcessSystem<'_>,
    found: &Found,
    minimise: Minimise<'_>,
) -> Result<Confirmed, EngineError> {
    let started = Instant::now();
    let steps: Vec<Move> = found.path.steps.iter().filter_map(|s| s.system).collect();
    let before = |n: usize| found.path.steps[..n].iter().filter(|s: &&Step| s.system.is_some()).count();
    let path = Path { steps, cycle_start: found.path.cycle_start.map(before) };
    // Whatever happens to the minimiser, this is the result.
    let counterexample = replayed(system, found, &path)?;
    let Some(expansions) = minimise.expansions.filter(|_| !found.shortest) else {
        return Ok(Confirmed { counterexample, time: Duration::ZERO, expansions: 0, cut: false });
    };
    let fair = system.prepared.objective.fair;
    let question = Question::of(system.prepared);
    let budget = minimise.budget(expansions);
    let shortened = budget.resources.bound(|| {
        let short = shorten(&system.interpreter, &question, &found.kind, fair, &path, &budget);
        (replayed(system, found, &short.path), short)
    });
    let time = started.elapsed();
    let Ok((replayed, short)) = shortened else {
        return Ok(Confirmed { counterexample, time, expansions, cut: true });
    };
    let counterexample = Counterexample { found_length: short.found_length, shortest: short.optimal, ..replayed? };
    Ok(Confirmed { counterexample, time, expansions: short.expansions, cut: !short.finished })
}

/// What a trace shows.
pub(super) fn found_in(trace: &Trace) -> Option<Found> {
    let Trace::Processes(trace) = trace else { return None };
    let ProcessTrace { replayed, evidence, .. } = &**trace;
    let kind = match evidence {
        Evidence::Deadlock => FoundKind::Deadlock,
        Evidence::Step(violation) => FoundKind::Step(violation.clone()),
        Evidence::Invariant => FoundKind::Invariant,
        Evidence::ClaimEnd | Evidence::BadPrefix => FoundKind::ClaimEnd,
        Evidence::AcceptingCycle => FoundKind::Cycle,
        Evidence::None => return None,
    };
    let steps = replayed.path.steps.iter().map(|step| Step::of(step.taken)).collect();
    Some(Found::new(kind, Path { steps, cycle_start: replayed.path.cycle_start }))
}

/// Replays moves that should show what was found.
fn replayed(system: &ProcessSystem<'_>, found: &Found, path: &Path<Move>) -> Result<Counterexample, EngineError> {
    let (interpreter, prepared) = (&system.interpreter, system.prepared);
    let trail = Trail::of_path(interpreter, path);
    let replayed = replay(interpreter, &trail).map_err(|e| EngineError::Unconfirmed(e.to_string()))?;
    let question = Question::of(prepared);
    let claim = question.claim;
    let evidence = judge(interpreter, &replayed, &question);
    // A shorter trace may have another number in the same fault.
    let shown = match &found.kind {
        FoundKind::Step(wanted) => {
            let violations = || replayed.path.steps.iter().filter_map(|step| step.violation.as_ref());
            let same = violations().find(|violation| *violation == wanted);
            same.or_else(|| violations().find(|violation| wanted.is_like(violation))).cloned().map(FoundKind::Step)
        }
        _ => None,
    };
    let expected = match (&found.kind, &evidence) {
        (FoundKind::Deadlock, Evidence::Deadlock)
        | (FoundKind::Invariant, Evidence::Invariant)
        | (FoundKind::ClaimEnd, Evidence::ClaimEnd | Evidence::BadPrefix)
        // Along the same cycle the claim may also come to its end.
        | (FoundKind::Cycle, Evidence::AcceptingCycle | Evidence::ClaimEnd | Evidence::BadPrefix) => true,
        // A trace to one violation may pass another on its way.
        (FoundKind::Step(_), Evidence::Step(_)) => claim.is_some() || shown.is_some() || path.steps.is_empty(),
        (_, Evidence::Step(_)) => true,
        // The claim's own assertions are not part of the system's run.
        (FoundKind::Step(Violation::Assertion(_)), _) => claim.is_some(),
        _ => false,
    };
    if !expected {
        return Err(EngineError::Unconfirmed(format!("found {:?}, replayed as {evidence:?}", found.kind)));
    }
    if prepared.objective.fair && found.kind == FoundKind::Cycle && !is_fair(interpreter, &replayed) {
        return Err(EngineError::Unconfirmed("the cycle neglects a process".to_owned()));
    }
    let (kind, message, place) =
        describe(system.task.sources, &prepared.property, shown.as_ref().unwrap_or(&found.kind));
    let found_length = replayed.length();
    let (shortest, count) = (found.shortest, found.count);
    let trace = ProcessTrace::new(interpreter, replayed, evidence, prepared.semantics);
    let trace = Trace::Processes(Box::new(trace));
    Ok(Counterexample { kind, message, place, trace, shortest, found_length, count })
}

fn describe(
    sources: Option<&SourceMap>,
    property: &Property,
    kind: &FoundKind,
) -> (&'static str, String, Option<Span>) {
    let quoted = |span: Span| sources.map_or(String::new(), |s| one_line(s.text(span)));
    let stated = (property.span != Span::default()).then_some(property.span);
    match kind {
        FoundKind::Deadlock => ("deadlock", "invalid end state: no process can move".to_owned(), None),
        FoundKind::Step(Violation::Assertion(span)) => {
            ("assertion", format!("assertion violated: {}", quoted(*span)), Some(*span))
        }
        FoundKind::Step(Violation::Fault { fault, span, .. }) => {
            (fault.kind(), format!("{fault}: {}", quoted(*span)), Some(*span))
        }
        FoundKind::Invariant | FoundKind::Watched(_) => ("invariant", "the invariant does not hold".to_owned(), stated),
        FoundKind::ClaimEnd if property.kind.name() == "ltl" => {
            ("ltl", format!("a run that violates `{}`", property.name), stated)
        }
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
