//! Checking models made of processes with sets of states.
//!
//! The model becomes a relation ([`lurcher_symbolic::processes`]), and what is found in it is followed by the interpreter
//! again, so a trace is one like any other. What cannot be translated is refused in one sentence.

use lurcher_exec::{Interpreter, Violation};
use lurcher_ir::{Expr, PropertyKind};
use lurcher_search::{Budget, Found, FoundKind, Observer, Stats, Step, StopReason};
use lurcher_symbolic::processes::{Translation, translate};
use lurcher_symbolic::{Bdd, Encoding, Stoppable, Strategy, Trace, deep};

use crate::job::JobError;
use crate::quarry::Quarry;
use crate::relation::Sets;

/// What a search with diagrams came to.
pub(crate) struct Diagrams {
    pub stop: StopReason,
    pub found: Vec<Found>,
    pub stats: Stats,
    pub sets: Option<Sets>,
}

/// What was met, and how the run to it ends.
enum Met {
    Stuck,
    Broken,
    Wrong,
}

/// Looks for violations of a property about states.
pub(crate) fn search(
    quarry: &Quarry,
    interpreter: &Interpreter<'_>,
    budget: &Budget,
    observer: &mut (impl Observer + Send),
) -> Result<Diagrams, JobError> {
    let unsuited = |why: &str| JobError::Unsuited(why.to_owned());
    if interpreter.limits().message_loss {
        return Err(unsuited("--engine bdd knows no message loss"));
    }
    let invariants: Vec<Expr> = match &quarry.property.kind {
        PropertyKind::Safety => Vec::new(),
        PropertyKind::Invariant(e) => vec![e.clone()],
        _ => {
            return Err(unsuited(
                "--engine bdd checks Promela models for bad states only; use bfs or dfs for temporal properties",
            ));
        }
    };
    let translation = translate(&quarry.model, &invariants)
        .map_err(|refusal| JobError::Unsuited(format!("--engine bdd cannot be used: {refusal}")))?;
    let searched = deep(|| explore(&translation, quarry.end_states(), budget, observer));
    let stopped = |stop| Diagrams { stop, found: Vec::new(), stats: Stats::default(), sets: None };
    let (met, stats, sets) = match searched {
        Ok(Explored::Beyond) => {
            return Err(unsuited("--engine bdd cannot be used: processes are created beyond what was foreseen"));
        }
        Ok(Explored::All { met, stats, sets }) => (met, stats, sets),
        Err(stop) => return Ok(stopped(stop)),
    };
    let mut found = Vec::new();
    if let Some((met, trace)) = met {
        let moves = translation.moves(interpreter, &trace, matches!(met, Met::Wrong));
        let lost = || JobError::Unconfirmed("the processes cannot follow the run that diagrams found".to_owned());
        let moves = moves.ok_or_else(lost)?;
        let kind = match met {
            Met::Stuck => FoundKind::Deadlock,
            Met::Broken => FoundKind::Invariant,
            Met::Wrong => FoundKind::Step(last_violation(interpreter, &moves).ok_or_else(lost)?),
        };
        let path = moves.into_iter().map(|m| Step { system: Some(m), claim: None }).collect();
        found.push(Found { kind, path, cycle_start: None, count: 1, shortest: false });
    }
    let stop = if found.is_empty() { StopReason::Complete } else { StopReason::Violation };
    Ok(Diagrams { stop, found, stats, sets: Some(sets) })
}

enum Explored {
    /// The translation left something out that matters.
    Beyond,
    All {
        met: Option<(Met, Trace)>,
        stats: Stats,
        sets: Sets,
    },
}

fn explore(
    translation: &Translation,
    end_states: bool,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Stoppable<Explored> {
    let encoding = Encoding::new(&translation.relation, budget)?;
    let kernel = encoding.kernel();
    let mut targets: Vec<(Met, Bdd)> = Vec::new();
    for &broken in &translation.broken {
        targets.push((Met::Broken, encoding.truth(broken)?));
    }
    if end_states {
        targets.push((Met::Stuck, encoding.truth(translation.stuck)?));
    }
    for violation in &translation.violations {
        targets.push((Met::Wrong, encoding.truth(violation.condition)?));
    }
    let reachable = encoding.reachable(observer)?;
    if !kernel.disjoint(&reachable, &encoding.truth(translation.beyond)?)? {
        return Ok(Explored::Beyond);
    }
    let stored = encoding.count(&kernel.and(&reachable, &encoding.truth(translation.stored)?)?);
    let mut met = None;
    for (kind, target) in targets {
        if met.is_none() && !kernel.disjoint(&reachable, &target)? {
            let trace = encoding.reach(&target, Strategy::Chaining, observer)?.trace;
            met = trace.map(|trace| (kind, trace));
        }
    }
    let count = stored.exact().map_or(u64::MAX, |n| u64::try_from(n).unwrap_or(u64::MAX));
    let stats = Stats { stored: count, memory: kernel.memory(), ..Stats::default() };
    let sets = Sets { reachable: Some(stored), nodes: kernel.nodes() as u64 };
    Ok(Explored::All { met, stats, sets })
}

/// What the last of some moves violates.
fn last_violation(interpreter: &Interpreter<'_>, moves: &[lurcher_exec::Move]) -> Option<Violation> {
    let mut state = interpreter.initial().ok()?;
    let mut violation = None;
    for taken in moves {
        violation = interpreter.apply(&mut state, taken);
    }
    violation
}
