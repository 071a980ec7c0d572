//! Symbolic searches that an abstraction guides, and symbolic random walks.

use std::time::{Duration, Instant};

use lurcher_search::{Budget, Observer};
use lurcher_symbolic::{BddResult, Encoding, Pattern, RingHeuristic, Rings, with_deep_stack};

use super::super::job::Answer;
use super::super::watch::{Sought, Watched};
use super::{Chase, StateGuide, StateHunt, found};
use crate::guided::{GuidedSearch, Prey, SymbolicHunter};
use crate::job::JobError;

/// A guide for explicit walks.
pub(super) struct MadeGuide {
    pub name: String,
    pub guide: RingHeuristic,
    pub time: Duration,
}

/// States that are looked for, and the terms that say which.
fn prey(encoding: &Encoding<'_>, sought: &Sought) -> BddResult<Prey> {
    let (states, terms) = match sought {
        Sought::False(term) => {
            let bad = encoding.kernel().minus(encoding.all_states(), &encoding.truth(*term)?)?;
            (bad, vec![*term])
        }
        Sought::Stuck => (encoding.deadlocks()?, Vec::new()),
        Sought::FairRun | Sought::Ctl(_) => (encoding.kernel().constant(false), Vec::new()),
    };
    Ok(Prey { aim: states.clone(), states, terms })
}

/// Guided and random symbolic searches look for states.
fn suited(watched: &Watched<'_>) -> Result<(), JobError> {
    let unsuited = "this engine looks for states: for invariants and deadlocks, not for temporal formulas";
    if watched.is_about_states() { Ok(()) } else { Err(JobError::Unsuited(unsuited.to_owned())) }
}

/// Which variables the abstraction keeps.
fn keep(watched: &Watched<'_>, guide: &StateGuide) -> Result<Pattern, JobError> {
    guide.keep(&watched.relation, |name| watched.knows(name))
}

/// Makes the guide of explicit walks, or says what stopped it.
pub(super) fn guide(
    watched: &Watched<'_>,
    wanted: &StateGuide,
    budget: &Budget,
) -> Result<BddResult<MadeGuide>, JobError> {
    suited(watched)?;
    let keep = keep(watched, wanted)?;
    let started = Instant::now();
    let made = with_deep_stack(|| {
        let split = watched.relation.split();
        let encoding = Encoding::new(split.as_ref().unwrap_or(watched.relation.as_ref()), budget)?;
        let Prey { aim, terms, .. } = prey(&encoding, &watched.sought)?;
        let rings = Rings::for_walks(&encoding, &aim, &terms, &keep)?;
        Ok(rings.heuristic(&encoding))
    });
    Ok(made.map(|guide| MadeGuide { name: wanted.label(), guide, time: started.elapsed() }))
}

/// SGMC, SRMC and SGRMC. Runs on a thread with a deep stack.
pub(super) fn guided(
    hunt: &StateHunt,
    hunter: SymbolicHunter,
    watched: &Watched<'_>,
    observer: &mut impl Observer,
) -> Result<Chase, JobError> {
    suited(watched)?;
    let keep = keep(watched, &hunt.guide)?;
    let mut chase = Chase::from(Answer::new(hunter.name(&hunt.guide)));
    let split = watched.relation.split();
    let encoding = match Encoding::new(split.as_ref().unwrap_or(watched.relation.as_ref()), &hunt.budget) {
        Ok(encoding) => encoding,
        Err(stop) => {
            chase.answer.stop = stop;
            return Ok(chase);
        }
    };
    let search = GuidedSearch { hunter, guide: &hunt.guide, keep, plan: &hunt.plan };
    let outcome = search.search(|| prey(&encoding, &watched.sought), &encoding, observer);
    chase.answer.stop = outcome.stop;
    chase.answer.stats = outcome.stats;
    chase.answer.found = outcome.trace.map(|t| found(watched, t.states, t.cycle_start, outcome.shortest));
    chase.guide = outcome.guide;
    chase.preparing = outcome.preparing;
    chase.walks = outcome.walks;
    Ok(chase)
}
