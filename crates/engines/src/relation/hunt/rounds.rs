//! The mix of engines of a hunt that is left to itself.
//!
//! It first looks around breadth first. Then it works in rounds: in each, the engine that
//! [`recommend`](super::super::recommend) names goes first and the other kind second, explicit walks for so many steps,
//! diagrams within so much memory, and both may use four times as much in the next round. All of that is counted, so what
//! is found depends on the machine only when the time is up. A hunt that is resumed does the rounds again in which walks
//! were stopped, without the walks that were made in them.

use std::time::Instant;

use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_search::{Budget, Observer, StopReason};

use super::super::explicit;
use super::super::job::{Answer, StateEngine};
use super::super::recommend::recommend;
use super::super::watch::{Sought, Watched};
use super::walks::{Walks, portfolio};
use super::{Chase, StateHunt};
use crate::job::JobError;
use crate::recommend::{Recommendation, Recommended};
use crate::saved::SavedWalks;
use crate::verdict::{Report, Verdict};

/// States of the first look around.
const LOOK: u64 = 4096;
/// Steps of walks in the first round.
const STEPS: u64 = 200_000;
/// Memory of diagrams in the first round.
const MEMORY: u64 = 32 << 20;
/// How much more each round may use.
const WIDER: u64 = 4;

/// A property that is hunted with several engines.
struct Quarry<'r> {
    property: &'r Property,
    watched: Watched<'r>,
    advice: Recommendation,
    walks: Option<Walks>,
    best: Option<Chase>,
    started: Instant,
}

impl StateHunt {
    /// Looks with several engines, for all properties in turn.
    pub(super) fn mixed(
        &self,
        saved: &[SavedWalks],
        relation: &Relation,
        properties: &[Property],
        observer: &mut (impl Observer + Send),
    ) -> Result<(Vec<Report>, Vec<SavedWalks>), JobError> {
        let mut quarries = Vec::new();
        for property in properties {
            let watched = Watched::part(relation, property)?;
            let advice = recommend(relation, property, &watched);
            let known = saved.iter().find(|s| s.name == property.name);
            let walks = known.map(|known| self.walks(&watched, portfolio(), Some(known))).transpose()?;
            quarries.push(Quarry { property, watched, advice, walks, best: None, started: Instant::now() });
        }
        let mut decided: Vec<Report> = Vec::new();
        let (mut steps, mut memory) = (STEPS, MEMORY);
        let mut round = 0;
        while !quarries.is_empty() {
            let mut open = Vec::new();
            for mut quarry in quarries {
                let mut chase = match round {
                    0 => self.look_around(&quarry.watched, observer)?,
                    _ if quarry.walks.as_ref().is_some_and(|w| w.round > round) => {
                        open.push(quarry);
                        continue;
                    }
                    _ => self.round(&mut quarry, (round, steps), memory, observer)?,
                };
                chase.answer.reduction = quarry.watched.reduction();
                let stop = chase.answer.stop;
                if chase.answer.found.is_some() || stop == StopReason::Complete {
                    let mut report = self.report(relation, quarry.property, chase, quarry.started.elapsed())?;
                    if round > 0 {
                        report.remarks.push(format!("recommended: {}", quarry.advice));
                    }
                    if report.verdict == Verdict::Violated {
                        decided.insert(0, report);
                        return Ok((decided, Vec::new()));
                    }
                    decided.push(report);
                } else {
                    quarry.best = Some(chase);
                    open.push(quarry);
                }
            }
            let over = |q: &Quarry<'_>| {
                let stop = q.best.as_ref().map(|c| c.answer.stop);
                matches!(stop, Some(StopReason::Time | StopReason::Interrupted))
            };
            if open.iter().any(over) || self.exhausted(round, memory) {
                let mut saving = Vec::new();
                for Quarry { property, walks, best, started, .. } in open {
                    let chase = best.expect("looking around leaves one");
                    decided.push(self.report(relation, property, chase, started.elapsed())?);
                    saving.extend(walks.map(|w| w.save(&property.name)));
                }
                return Ok((decided, saving));
            }
            quarries = open;
            if round > 0 {
                steps = steps.saturating_mul(WIDER);
                memory = memory.saturating_mul(WIDER);
            }
            round += 1;
        }
        Ok((decided, Vec::new()))
    }

    /// Without a time limit a hunt ends when diagrams have had all the memory there is.
    fn exhausted(&self, round: u32, memory: u64) -> bool {
        round > 0 && self.budget.deadline.is_none() && self.budget.memory.is_none_or(|limit| memory >= limit)
    }

    fn look_around(&self, watched: &Watched<'_>, observer: &mut impl Observer) -> Result<Chase, JobError> {
        if matches!(watched.sought, Sought::Ctl(_)) {
            return Ok(Answer { stop: StopReason::States, ..Answer::new("bfs") }.into());
        }
        let budget = Budget { states: Some(LOOK), ..self.budget.clone() };
        explicit::answer(watched, StateEngine::Bfs, &budget, observer).map(Chase::from)
    }

    /// Walks and diagrams once each, what is recommended first.
    fn round(
        &self,
        quarry: &mut Quarry<'_>,
        portion: (u32, u64),
        memory: u64,
        observer: &mut (impl Observer + Send),
    ) -> Result<Chase, JobError> {
        let order = match quarry.advice.engine {
            Recommended::Trail | Recommended::Auto => [true, false],
            Recommended::Bdd => [false, true],
        };
        let mut last: Option<Chase> = None;
        for walk in order {
            if walk && matches!(quarry.watched.sought, Sought::Ctl(_)) {
                continue;
            }
            let chase = if walk {
                let begin = || Walks::new(&quarry.watched, portfolio(), &self.plan, self.exec);
                let walks = quarry.walks.get_or_insert_with(begin);
                walks.run(&quarry.watched, portion, &self.budget, observer)
            } else {
                let memory = Some(self.budget.memory.map_or(memory, |limit| limit.min(memory)));
                let budget = Budget { memory, ..self.budget.clone() };
                self.diagrams(&quarry.watched, &budget, self.manner(), observer)
            };
            let answer = &chase.answer;
            let over = matches!(answer.stop, StopReason::Complete | StopReason::Time | StopReason::Interrupted);
            if answer.found.is_some() || over {
                let walks = chase.walks.or_else(|| last.and_then(|l| l.walks));
                return Ok(Chase { walks, ..chase });
            }
            // What walks came to is worth telling when nothing is found.
            last = Some(match last {
                Some(before) if before.walks.is_some() => before,
                _ => chase,
            });
        }
        Ok(last.expect("one of two was tried"))
    }
}
