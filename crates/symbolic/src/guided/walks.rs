//! SRMC and SGRMC: random walks and trails over diagrams (the thesis's figures 5.2 and 7.2).
//!
//! A walk begins with an initial state; each next state is drawn from all successors of the last, each as likely as
//! the other. A *trail* visits no state twice: what it has visited is taken away from the successors. A guided walk
//! first cuts the successors by the rings and draws a ring by weight, then a state inside it. Of *n* rings, ring *i*
//! weighs *n* − *i*; reversed, *i* + 1, away from the target. What is in no ring weighs 1 where rings were given up
//! early, and 0 where it is known not to reach the target: it is then drawn only if there is nothing else.
//!
//! Walk *i* of a seed draws from a generator of its own, so its states are the same whatever the other walks do.
//! Diagrams enter only as sets; which state is drawn depends on the order of the bits, and so on the version of this
//! program and on the budget, which decides when the order is changed. Walks themselves never change it.

use std::collections::BTreeMap;

use lurcher_search::{Draws, Observer, Progress, StopReason};
use oxidd::VarNo;
use rustc_hash::FxHashSet;

use super::successors::{Successor, Successors};
use super::{Guide, Rings};
use crate::encode::Encoding;
use crate::kernel::{Bdd, Stoppable};
use crate::sets::{Diagram, Sampler};
use crate::trace::Trace;

/// Which walks to make.
pub struct WalkPlan<'g> {
    /// What they are made from.
    pub seed: u64,
    /// The number of the first.
    pub first: u64,
    /// How many at most.
    pub walks: u64,
    /// Steps of a walk at most; nothing for as many as it takes.
    pub depth: Option<u64>,
    /// Visit no state twice.
    pub trail: bool,
    /// What guides them.
    pub guide: Option<(&'g Rings, GuideUse)>,
}

/// How rings are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GuideUse {
    /// Towards the target.
    #[default]
    Towards,
    /// Away from it.
    Reversed,
}

/// What walks found.
#[derive(Clone, Debug)]
pub struct Walks {
    /// The first walk that met the target, and its number.
    pub found: Option<(u64, Trace)>,
    /// Walks that were finished.
    pub walks: u64,
    /// Steps of all walks.
    pub steps: u64,
    /// What ended them.
    pub stop: StopReason,
}

/// Rings, and what they weigh.
struct Weighing<'g> {
    rings: &'g Rings,
    scores: Guide,
    way: GuideUse,
}

impl Weighing<'_> {
    fn weight(&self, ring: usize) -> u32 {
        let count = self.rings.len();
        let weight = match self.way {
            _ if ring == count => usize::from(!self.rings.is_complete() || self.way == GuideUse::Reversed),
            GuideUse::Towards => count - ring,
            GuideUse::Reversed => ring + 1,
        };
        weight as u32
    }
}

impl Weighing<'_> {
    /// One of some states: a ring by weight, then a state in it, each as likely as the other.
    fn drawn(&self, states: Vec<Successor>, draws: &mut Draws) -> Option<Successor> {
        let mut parts: BTreeMap<usize, Vec<Successor>> = BTreeMap::new();
        for next in states {
            parts.entry(self.scores.score(&next.state) as usize).or_default().push(next);
        }
        let weights: Vec<u32> = parts.keys().map(|&ring| self.weight(ring)).collect();
        let drawn = draws.by_weight(&weights);
        parts.into_values().nth(drawn).and_then(|mut part| draws.take(&mut part))
    }
}

/// What all walks use.
struct Ready<'g> {
    target: &'g Bdd,
    guide: Option<Weighing<'g>>,
    successors: Successors,
}

/// Where a walk has been.
struct Path {
    states: Vec<Vec<i64>>,
    /// States that it must not visit again.
    visited: FxHashSet<Vec<i64>>,
}

impl Path {
    /// Bytes in use, about.
    fn memory(&self) -> u64 {
        let state = self.states.first().map_or(0, |s| size_of_val(s.as_slice()) + size_of::<Vec<i64>>());
        ((self.states.len() + self.visited.len()) * state) as u64
    }
}

/// So many states are looked at one by one.
const FEW: usize = 256;

impl Encoding<'_> {
    /// Makes random walks until one meets the target.
    pub fn walks(&self, target: &Bdd, plan: &WalkPlan<'_>, observer: &mut dyn Observer) -> Walks {
        let mut made = Walks { found: None, walks: 0, steps: 0, stop: StopReason::Walks };
        let guide = plan.guide.map(|(rings, way)| Weighing { rings, scores: rings.guide(self), way });
        let ready = Ready { target, guide, successors: Successors::new(self) };
        for index in plan.first..plan.first.saturating_add(plan.walks) {
            match self.walk(plan, &ready, index, &mut made.steps) {
                Ok(None) => made.walks += 1,
                Ok(Some(trace)) => {
                    made.walks += 1;
                    made.found = Some((index, trace));
                    made.stop = StopReason::Violation;
                    break;
                }
                Err(stop) => {
                    made.stop = stop;
                    break;
                }
            }
            let memory = self.kernel().memory();
            observer.progress(&Progress {
                walks: Some(made.walks),
                transitions: made.steps,
                memory,
                ..Progress::default()
            });
        }
        made
    }

    /// One walk; its run, if it meets the target.
    fn walk(&self, plan: &WalkPlan<'_>, ready: &Ready<'_>, index: u64, steps: &mut u64) -> Stoppable<Option<Trace>> {
        let memory = self.kernel().budget().memory.unwrap_or(u64::MAX);
        let mut draws = Draws::of(plan.seed, index);
        let mut path = Path { states: Vec::new(), visited: FxHashSet::default() };
        let mut next = self.draw(self.initial(), &mut draws);
        while let Some(state) = next {
            let met = self.holds(ready.target, &state);
            path.visited.extend(plan.trail.then(|| state.clone()));
            path.states.push(state);
            if met {
                return Ok(Some(Trace { states: path.states, cycle_start: None }));
            }
            if plan.depth.is_some_and(|depth| path.states.len() as u64 > depth) {
                break;
            }
            self.kernel().check()?;
            if path.memory() + self.kernel().memory() > memory {
                return Err(StopReason::Memory);
            }
            next = self.step(&mut path, ready, &mut draws)?;
            *steps += u64::from(next.is_some());
        }
        Ok(None)
    }

    /// A state after the last of a path, not one that it must not visit again. Where there are few, they are looked at one
    /// by one; it comes to the same.
    fn step(&self, path: &mut Path, ready: &Ready<'_>, draws: &mut Draws) -> Stoppable<Option<Vec<i64>>> {
        let here = path.states.last_mut().expect("a path has a first state");
        if let Some(mut few) = ready.successors.of(self, here, FEW) {
            few.retain(|next| !path.visited.contains(&next.state));
            let next = match &ready.guide {
                Some(guide) => guide.drawn(few, draws),
                None => draws.take(&mut few),
            };
            return Ok(next.map(|next| {
                *here = ready.successors.moment(self, &next);
                next.state
            }));
        }
        let next = self.drawn_from_image(here, &path.visited, ready, draws)?;
        if let Some(next) = &next {
            *here = self.leaving(&self.state(here)?, next)?;
        }
        Ok(next)
    }

    /// The same with sets of states.
    fn drawn_from_image(
        &self,
        here: &[i64],
        visited: &FxHashSet<Vec<i64>>,
        ready: &Ready<'_>,
        draws: &mut Draws,
    ) -> Stoppable<Option<Vec<i64>>> {
        let k = self.kernel();
        let mut choice = self.image(&self.state(here)?)?;
        for state in visited {
            if self.holds(&choice, state) {
                choice = k.minus(&choice, &self.state(state)?)?;
            }
        }
        let Some(guide) = ready.guide.as_ref().filter(|_| !k.is_empty(&choice)) else {
            return Ok(self.draw(&choice, draws));
        };
        let mut parts = guide.rings.cut(self, &choice)?;
        let weights: Vec<u32> = parts.iter().map(|&(ring, _)| guide.weight(ring)).collect();
        Ok(self.draw(&parts.swap_remove(draws.by_weight(&weights)).1, draws))
    }

    /// A state of a set, each as likely as the other; nothing if the set is empty.
    pub fn draw(&self, set: &Bdd, draws: &mut Draws) -> Option<Vec<i64>> {
        let sampler = Sampler::new(Diagram::of(set, &self.state_bits))?;
        let mut bits: FxHashSet<VarNo> = FxHashSet::default();
        sampler.draw(draws, |bit| {
            bits.insert(bit);
        });
        Some(self.decode(|bit| bits.contains(&bit)))
    }
}
