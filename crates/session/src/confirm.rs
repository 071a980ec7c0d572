//! Replaying what was found.

use lurcher_exec::{Interpreter, Move, Violation};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Found, FoundKind, Step};
use lurcher_syntax::{SourceMap, Span};
use lurcher_trace::{Evidence, Trail, is_fair, judge, replay};

use crate::job::JobError;
use crate::quarry::Quarry;
use crate::verdict::Counterexample;

/// The name of a kind of property in reports.
pub(crate) fn kind_name(kind: &PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Safety => "safety",
        PropertyKind::Ltl { .. } => "ltl",
        PropertyKind::Never(_) => "never",
        PropertyKind::NonProgress => "non-progress",
        PropertyKind::Acceptance => "acceptance",
        PropertyKind::Invariant(_) => "invariant",
    }
}

/// Replays what a search found, and makes sure that it shows what the search says.
pub(crate) fn confirm(
    quarry: &Quarry,
    interpreter: &Interpreter<'_>,
    sources: &SourceMap,
    found: &Found,
    fair: bool,
) -> Result<Counterexample, JobError> {
    let moves: Vec<Move> = found.path.iter().filter_map(|s| s.system).collect();
    let before = |n: usize| found.path[..n].iter().filter(|s: &&Step| s.system.is_some()).count();
    let cycle_start = found.cycle_start.map(before);
    confirm_moves(quarry, interpreter, sources, found, &moves, cycle_start, fair)
}

/// As [`confirm`], for other moves that are said to show the same.
pub(crate) fn confirm_moves(
    quarry: &Quarry,
    interpreter: &Interpreter<'_>,
    sources: &SourceMap,
    found: &Found,
    moves: &[Move],
    cycle_start: Option<usize>,
    fair: bool,
) -> Result<Counterexample, JobError> {
    let trail = Trail::of_moves(interpreter, moves, cycle_start);
    let replayed = replay(interpreter, &trail).map_err(|e| JobError::Unconfirmed(e.to_string()))?;
    let question = quarry.question();
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
    if fair && found.kind == FoundKind::Cycle && !is_fair(interpreter, &replayed) {
        return Err(JobError::Unconfirmed("the cycle neglects a process".to_owned()));
    }
    let (kind, message, place) = describe(sources, &quarry.property, &found.kind);
    let found_length = replayed.length();
    let (shortest, count) = (found.shortest, found.count);
    Ok(Counterexample { kind, message, place, replayed, evidence, shortest, found_length, count })
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
