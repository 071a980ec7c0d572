//! Symbolic searches that an abstraction guides, and symbolic random walks.

use std::time::{Duration, Instant};

use lurcher_ir::relation::TermId;
use lurcher_search::{Budget, Observer, Stats, StopReason};
use lurcher_symbolic::{Bdd, Encoding, Guide, GuideUse, Keep, Rings, Stoppable, WalkPlan, deep};

use super::super::job::Answer;
use super::super::watch::{Sought, Watched};
use super::{Chase, StateGuide, StateHunt, StateHunter, found, named};
use crate::job::JobError;
use crate::verdict::WalkReport;

/// A guide for explicit walks.
pub(super) struct MadeGuide {
    pub name: String,
    pub guide: Guide,
    pub time: Duration,
}

/// States that are looked for, and the terms that say which.
fn target(encoding: &Encoding<'_>, sought: &Sought) -> Stoppable<(Bdd, Vec<TermId>)> {
    match sought {
        Sought::False(term) => {
            let bad = encoding.kernel().minus(encoding.all_states(), &encoding.truth(*term)?)?;
            Ok((bad, vec![*term]))
        }
        Sought::Stuck => Ok((encoding.deadlocks()?, Vec::new())),
        Sought::FairRun | Sought::Ctl(_) => Ok((encoding.kernel().constant(false), Vec::new())),
    }
}

/// Guided and random symbolic searches look for states.
fn suited(sought: &Sought) -> Result<(), JobError> {
    match sought {
        Sought::False(_) | Sought::Stuck => Ok(()),
        Sought::FairRun | Sought::Ctl(_) => Err(JobError::Unsuited(
            "this engine looks for states: for invariants and deadlocks, not for temporal formulas".to_owned(),
        )),
    }
}

/// Which variables the abstraction keeps.
fn keep(watched: &Watched<'_>, guide: &StateGuide) -> Result<Keep, JobError> {
    match guide.drop.as_slice() {
        [] => Ok(Keep::default()),
        names => Ok(Keep::Without(named(watched, names)?)),
    }
}

fn label(guide: &StateGuide) -> String {
    let kind = if guide.drop.is_empty() { "auto" } else { "manu" };
    format!("abstraction ({kind}{})", if guide.reverse { ", reversed" } else { "" })
}

/// Makes the guide of explicit walks.
pub(super) fn guide(watched: &Watched<'_>, wanted: &StateGuide, budget: &Budget) -> Result<MadeGuide, JobError> {
    suited(&watched.sought)?;
    let keep = keep(watched, wanted)?;
    let started = Instant::now();
    let made = deep(|| {
        let split = watched.relation.split();
        let encoding = Encoding::new(split.as_ref().unwrap_or(watched.relation.as_ref()), budget)?;
        let (target, property) = target(&encoding, &watched.sought)?;
        let rings = Rings::for_walks(&encoding, &target, &property, &keep)?;
        Ok(rings.guide(&encoding))
    });
    let failed = |stop: StopReason| JobError::Guide("abstraction", format!("stopped by {}", stop.name()));
    Ok(MadeGuide { name: label(wanted), guide: made.map_err(failed)?, time: started.elapsed() })
}

/// SGMC, SRMC and SGRMC. Runs on a thread with a deep stack.
pub(super) fn guided(hunt: &StateHunt, watched: &Watched<'_>, observer: &mut impl Observer) -> Result<Chase, JobError> {
    suited(&watched.sought)?;
    let keep = keep(watched, &hunt.guide)?;
    let engine = match &hunt.hunter {
        StateHunter::SymbolicWalk { .. } if hunt.guide.on => "sgrmc",
        StateHunter::SymbolicWalk { .. } => "srmc",
        _ => "sgmc",
    };
    let mut chase = Chase::from(Answer::new(engine));
    if let Err(stop) = search(hunt, watched, &keep, &mut chase, observer) {
        chase.answer.stop = stop;
    }
    Ok(chase)
}

fn search(
    hunt: &StateHunt,
    watched: &Watched<'_>,
    keep: &Keep,
    chase: &mut Chase,
    observer: &mut impl Observer,
) -> Stoppable<()> {
    let split = watched.relation.split();
    let encoding = Encoding::new(split.as_ref().unwrap_or(watched.relation.as_ref()), &hunt.budget)?;
    let (target, property) = target(&encoding, &watched.sought)?;
    let started = Instant::now();
    let needs_guide = hunt.guide.on || matches!(hunt.hunter, StateHunter::Sgmc);
    let make = match hunt.hunter {
        StateHunter::Sgmc => Rings::new,
        _ => Rings::for_walks,
    };
    let rings = needs_guide.then(|| make(&encoding, &target, &property, keep)).transpose()?;
    if rings.is_some() {
        chase.preparing = started.elapsed();
        chase.guide = Some(label(&hunt.guide));
    }
    match (&hunt.hunter, &rings) {
        (StateHunter::SymbolicWalk { trail, depth }, _) => {
            let way = if hunt.guide.reverse { GuideUse::Reversed } else { GuideUse::Towards };
            let plan = WalkPlan {
                seed: hunt.plan.seed,
                first: hunt.plan.first,
                walks: hunt.plan.last.map_or(u64::MAX, |last| last - hunt.plan.first),
                depth: *depth,
                trail: *trail,
                guide: rings.as_ref().map(|r| (r, way)),
            };
            let started = Instant::now();
            let walked = encoding.walks(&target, &plan, observer);
            let rate = walked.steps as f64 / started.elapsed().as_secs_f64().max(1e-6);
            chase.answer.stop = walked.stop;
            chase.answer.stats = Stats { transitions: walked.steps, ..Stats::default() };
            let unit = walked.found.as_ref().map(|(unit, _)| *unit);
            chase.walks = Some(walks(chase.answer.engine, *trail, unit, walked.walks, walked.steps, rate));
            chase.answer.found = walked.found.map(|(_, t)| found(watched, t.states, t.cycle_start, false));
        }
        (_, Some(rings)) => {
            let searched = encoding.sgmc(&target, rings, observer)?;
            chase.answer.stats = Stats { transitions: searched.expansions, ..Stats::default() };
            chase.answer.found = searched.trace.map(|t| found(watched, t.states, t.cycle_start, true));
            chase.answer.stop = match chase.answer.found {
                Some(_) => StopReason::Violation,
                None => StopReason::Complete,
            };
        }
        (_, None) => unreachable!("SGMC has a guide"),
    }
    chase.answer.stats.memory = encoding.kernel().memory();
    Ok(())
}

fn walks(engine: &str, trail: bool, unit: Option<u64>, walks: u64, steps: u64, rate: f64) -> WalkReport {
    let name = format!("{engine} {}", if trail { "trail" } else { "walk" });
    WalkReport {
        winner: unit.map(|_| name),
        unit,
        units: walks,
        walks,
        steps,
        rate,
        tries: 0,
        depth: 0,
        looked_walks: walks,
        distinct: 0,
        exact: false,
        members: Vec::new(),
        bounds: Vec::new(),
        new_states_per_walk: None,
    }
}
