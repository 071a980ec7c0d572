//! Explicit walks and trails.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lurcher_search::{
    Advance, Budget, Hunt, HuntPlan, Kind, Member, Observer, RelationDomain, RelationGuidance, RelationObjective,
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
use crate::saved::SavedWalks;
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
    hunt: Hunt<RelationDomain<Rings>>,
    first: u64,
    /// The round whose portion is under way, or was the last.
    pub round: u32,
    /// Steps that were taken before it.
    before: u64,
    /// It was stopped, and goes on where it was.
    stopped: bool,
    /// Steps that a saved hunt had taken.
    resumed: u64,
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

/// The engine's name in reports.
pub(super) fn name(kind: Kind) -> &'static str {
    if kind == Kind::Trail { "trail" } else { "walk" }
}

/// Walks of one kind.
pub(super) fn one(plan: WalkPlan, guide: Option<MadeGuide>, hunter: &StateHunter) -> Result<Members, JobError> {
    let StateHunter::Walk(_) = hunter else { unreachable!("only walks are of one kind") };
    let name = name(plan.kind);
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
            Sought::False(term) => RelationObjective { invariants: vec![*term], ..RelationObjective::default() },
            Sought::Stuck => RelationObjective { deadlock: true, ..RelationObjective::default() },
            Sought::FairRun => RelationObjective { fair: true, ..RelationObjective::default() },
            Sought::Ctl(_) => RelationObjective::default(),
        };
        let mut terrain = RelationDomain::new(watched.relation.as_ref(), &subject);
        let remark = exec.speed_up(terrain.stepper());
        let Members { members, guide, preparing } = members;
        let hunt = Hunt::over(terrain, members, plan.clone());
        Walks {
            hunt,
            first: plan.first,
            round: 0,
            before: 0,
            stopped: false,
            resumed: 0,
            search: Duration::ZERO,
            guide,
            preparing,
            remark,
        }
    }

    /// Goes on where saved walks ended.
    pub fn resume(&mut self, saved: &SavedWalks) -> Result<(), JobError> {
        if saved.state.members.len() != self.hunt.members().len() {
            return Err(JobError::Resume("it was made by another version".to_owned()));
        }
        (self.round, self.before, self.stopped) = (saved.round, saved.before, true);
        self.resumed = saved.state.steps;
        self.hunt.state = saved.state.clone();
        Ok(())
    }

    /// What it takes to go on.
    pub fn save(self, name: &str) -> SavedWalks {
        SavedWalks { name: name.to_owned(), state: self.hunt.state, round: self.round, before: self.before }
    }

    /// Walks until something is found, so many steps were taken in this round, or the budget is used up.
    pub fn run(
        &mut self,
        watched: &Watched<'_>,
        (round, steps): (u32, u64),
        budget: &Budget,
        observer: &mut impl Observer,
    ) -> Chase {
        let started = Instant::now();
        if !self.stopped {
            (self.round, self.before) = (round, self.hunt.state.steps);
        }
        let until = self.before.saturating_add(steps);
        let mut winner = None;
        let mut run = None;
        self.stopped = false;
        let mut stop = StopReason::Walks;
        while self.hunt.state.steps < until {
            match self.hunt.advance(budget, observer) {
                Advance::Going => {}
                Advance::Stopped(reason) => {
                    self.stopped = true;
                    stop = reason;
                    break;
                }
                Advance::Found(unit, member, violation) => {
                    winner = Some((unit, member));
                    run = Some(found(watched, violation.path, violation.cycle_start, false));
                    stop = StopReason::Violation;
                    break;
                }
            }
        }
        self.search += started.elapsed();
        let state = &self.hunt.state;
        let rate = (state.steps - self.resumed) as f64 / self.search.as_secs_f64().max(1e-6);
        let stats = Stats {
            stored: state.seen.distinct(),
            transitions: state.steps,
            depth: u64::from(state.depth),
            memory: state.seen.memory(),
            ..Stats::default()
        };
        let engine = match winner {
            Some((_, member)) => name(self.hunt.members()[member].plan.kind),
            None if self.hunt.members().len() > 1 => "portfolio",
            None => name(self.hunt.members()[0].plan.kind),
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
