//! Complete searches: all that is reachable, then what of it is bad, then the runs that a claim accepts.

use lurcher_search::{Budget, Found, Observer, Stats, StopReason};
use lurcher_symbolic::{BddResult, Encoding, Strategy, Trace, with_deep_stack};
use lurcher_system::Interpreter;

use super::{Met, Subject, refused};
use crate::job::{Engine, JobError};
use crate::quarry::{Quarry, Watched};
use crate::relation::Sets;

/// What a search with diagrams came to.
pub(crate) struct Diagrams {
    pub stop: StopReason,
    pub found: Vec<Found>,
    pub stats: Stats,
    pub sets: Option<Sets>,
}

/// Looks for violations of a property.
pub(crate) fn search(
    quarry: &Quarry,
    interpreter: &Interpreter<'_>,
    fair: bool,
    budget: &Budget,
    observer: &mut (impl Observer + Send),
) -> Result<Diagrams, JobError> {
    if fair && matches!(quarry.watched, Watched::Claim(_)) {
        return Err(refused(Engine::Bdd.name(), "it knows no weak fairness; use bfs or dfs"));
    }
    let subject = Subject::new(quarry, interpreter, Engine::Bdd.name())?;
    let Explored { met, stats, sets } = match with_deep_stack(|| explore(&subject, budget, observer)) {
        Ok(explored) => explored,
        Err(stop) => return Ok(Diagrams { stop, found: Vec::new(), stats: Stats::default(), sets: None }),
    };
    let found = met.map(|(met, trace)| subject.found(interpreter, met, &trace, false)).transpose()?;
    let stop = if found.is_none() { StopReason::Complete } else { StopReason::Violation };
    Ok(Diagrams { stop, found: found.into_iter().collect(), stats, sets: Some(sets) })
}

struct Explored {
    met: Option<(Met, Trace)>,
    stats: Stats,
    sets: Sets,
}

fn explore(subject: &Subject<'_>, budget: &Budget, observer: &mut impl Observer) -> BddResult<Explored> {
    let encoding = Encoding::new(&subject.translation.relation, budget)?;
    let kernel = encoding.kernel();
    let targets = subject.targets(&encoding)?;
    let reachable = encoding.reachable(observer)?;
    let stored = encoding.count(&kernel.and(&reachable, &encoding.truth(subject.translation.stored)?)?);
    let mut met = None;
    for (kind, target) in targets {
        if met.is_none() && !kernel.disjoint(&reachable, &target)? {
            let trace = encoding.reach(&target, Strategy::Chaining, observer)?.trace;
            met = trace.map(|trace| (kind, trace));
        }
    }
    if met.is_none() && matches!(subject.quarry.watched, Watched::Claim(_)) {
        met = encoding.fair_run_in(&reachable)?.map(|trace| (Met::Cycle, trace));
    }
    let count = stored.exact().map_or(u64::MAX, |n| u64::try_from(n).unwrap_or(u64::MAX));
    let stats = Stats { stored: count, memory: kernel.memory(), ..Stats::default() };
    let sets = Sets { reachable: Some(stored), nodes: kernel.nodes() as u64 };
    Ok(Explored { met, stats, sets })
}
