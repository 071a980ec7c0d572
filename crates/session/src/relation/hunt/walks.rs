//! Explicit walks and trails.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lurcher_search::{
    Advance, Budget, Hunt, HuntPlan, Kind, Member, Observer, RelationGuidance, RelationSubject, RelationTerrain,
    Selection, Stats, StopReason, WalkPlan,
};
use lurcher_symbolic::Guide;

use super::super::job::Answer;
use super::super::watch::{Sought, Watched};
use super::symbolic::MadeGuide;
use super::{Chase, StateHunter, found};
use crate::exec::Exec;
use crate::job::JobError;
use crate::portfolio::CHAIN;
use crate::walk_report::walk_report;

/// The rings of an abstraction as a guide of explicit walks.
#[derive(Debug)]
pub(super) struct Rings(pub Guide);

impl RelationGuidance for Rings {
    fn score(&self, valuation: &[i64]) -> u32 {
        self.0.score(valuation)
    }

    fn max(&self) -> u32 {
        self.0.worst()
    }
}

/// Walks that are made in portions.
pub(super) struct Walks {
    hunt: Hunt<RelationTerrain<Rings>>,
    first: u64,
    search: Duration,
    guide: Option<String>,
    preparing: Duration,
    remark: Option<String>,
}

/// Members of a hunt, and what making their guide took.
pub(super) struct Members {
    members: Vec<Member<Rings>>,
    guide: Option<String>,
    preparing: Duration,
}

/// Walks of one kind.
pub(super) fn one(plan: WalkPlan, guide: Option<MadeGuide>, hunter: &StateHunter) -> Result<Members, JobError> {
    let StateHunter::Walk(_) = hunter else { unreachable!("only walks are of one kind") };
    let name = if plan.kind == Kind::Trail { "trail" } else { "walk" };
    let preparing = guide.as_ref().map_or(Duration::ZERO, |g| g.time);
    let label = guide.as_ref().map(|g| g.name.clone());
    // A guide scores states, so all successors are looked at.
    let plan = if guide.is_some() { WalkPlan { selection: Selection::AllChildren, ..plan } } else { plan };
    let guide = guide.map(|g| (g.name, Arc::new(Rings(g.guide))));
    let members = vec![Member { name: name.to_owned(), plan, growing_from: None, guide }];
    Ok(Members { members, guide: label, preparing })
}

/// The kinds of walks when nobody says.
pub(super) fn portfolio() -> Members {
    let walk = WalkPlan::default();
    let plans = [
        ("walk", walk),
        ("trail", WalkPlan { kind: Kind::Trail, ..walk }),
        ("walk, restarting", WalkPlan { chain: CHAIN, ..walk }),
    ];
    let member =
        |(name, plan): (&str, WalkPlan)| Member { name: name.to_owned(), plan, growing_from: Some(64), guide: None };
    Members { members: plans.into_iter().map(member).collect(), guide: None, preparing: Duration::ZERO }
}

impl Walks {
    pub fn new(watched: &Watched<'_>, members: Members, plan: &HuntPlan, exec: Exec) -> Self {
        let subject = match &watched.sought {
            Sought::False(term) => RelationSubject { invariants: vec![*term], ..RelationSubject::default() },
            Sought::Stuck => RelationSubject { deadlock: true, ..RelationSubject::default() },
            Sought::FairRun => RelationSubject { fair: true, ..RelationSubject::default() },
            Sought::Ctl(_) => RelationSubject::default(),
        };
        let mut terrain = RelationTerrain::new(watched.relation.as_ref(), &subject);
        let remark = exec.speed_up(terrain.stepper());
        let Members { members, guide, preparing } = members;
        let hunt = Hunt::over(terrain, members, plan.clone());
        Walks { hunt, first: plan.first, search: Duration::ZERO, guide, preparing, remark }
    }

    /// Walks until something is found, so many steps were taken, or the budget is used up.
    pub fn run(&mut self, watched: &Watched<'_>, steps: u64, budget: &Budget, observer: &mut impl Observer) -> Chase {
        let started = Instant::now();
        let until = self.hunt.state.steps.saturating_add(steps);
        let mut winner = None;
        let mut run = None;
        let stop = loop {
            match self.hunt.advance(budget, observer) {
                Advance::Going if self.hunt.state.steps < until => {}
                Advance::Going => break StopReason::Walks,
                Advance::Stopped(reason) => break reason,
                Advance::Found(unit, member, violation) => {
                    winner = Some((unit, member));
                    run = Some(found(watched, violation.run.states, violation.run.cycle_start, false));
                    break StopReason::Violation;
                }
            }
        };
        self.search += started.elapsed();
        let state = &self.hunt.state;
        let rate = state.steps as f64 / self.search.as_secs_f64().max(1e-6);
        let stats = Stats {
            stored: state.seen.distinct(),
            transitions: state.steps,
            depth: u64::from(state.depth),
            memory: state.seen.memory(),
            ..Stats::default()
        };
        let engine = match winner {
            Some((_, member)) if self.hunt.members()[member].plan.kind == Kind::Trail => "trail",
            Some(_) => "walk",
            None if self.hunt.members().len() > 1 => "portfolio",
            None if self.hunt.members()[0].plan.kind == Kind::Trail => "trail",
            None => "walk",
        };
        Chase {
            answer: Answer {
                stop,
                stats,
                found: run,
                remarks: self.remark.clone().into_iter().collect(),
                ..Answer::new(engine)
            },
            guide: self.guide.clone(),
            preparing: self.preparing,
            walks: Some(walk_report(&self.hunt, winner, self.first, rate)),
        }
    }
}
