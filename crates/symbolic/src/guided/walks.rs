//! SRMC and SGRMC: symbolic random walks and trails (the thesis's figures 5.2 and 7.2).
//!
//! A walk starts in an initial state and draws each successor uniformly. A *trail* visits no state twice. A guided walk
//! splits the successors by ring and draws first a ring by weight, then a state in it. Of *n* rings, ring *i* has the
//! weight *n* − *i*, or *i* + 1 if reversed. States in no ring have the weight 1, or 0 if they cannot reach the target;
//! then they are drawn only if there is no other successor.
//!
//! Each walk has a generator of its own. Which state is drawn depends on the variable order, and so on the version of this
//! program and on the budget, which decides when variables are reordered. Walks never reorder.

use std::collections::BTreeMap;

use lurcher_search::{Draws, Observer, Progress, StopReason};
use lurcher_system::Path;
use oxidd::VarNo;
use rustc_hash::FxHashSet;

use super::successors::{Successor, Successors};
use super::{RingHeuristic, Rings};
use crate::encode::Encoding;
use crate::kernel::{Bdd, BddResult};
use crate::sets::{ArrayBdd, Sampler};

/// Which walks to make.
pub struct WalkPlan<'g> {
    /// The random seed.
    pub seed: u64,
    /// The number of the first walk.
    pub first: u64,
    /// The most walks.
    pub walks: u64,
    /// The most steps of a walk.
    pub depth: Option<u64>,
    /// Whether a walk visits no state twice.
    pub trail: bool,
    /// The rings that guide the walks.
    pub guide: Option<&'g Rings>,
    /// Whether the rings guide away from the target.
    pub reversed: bool,
}

/// The result of walks.
#[derive(Clone, Debug)]
pub struct Walks {
    /// The number and run of the walk that reached the target.
    pub found: Option<(u64, Path<Vec<i64>>)>,
    /// Finished walks.
    pub walks: u64,
    /// Steps of all walks.
    pub steps: u64,
    /// Steps of the longest walk.
    pub longest: u64,
    /// Why the walks ended.
    pub stop: StopReason,
}

/// Weighted choice by ring.
struct RingWeights<'g> {
    rings: &'g Rings,
    heuristic: RingHeuristic,
    reversed: bool,
}

impl RingWeights<'_> {
    fn weight(&self, ring: usize) -> u32 {
        let count = self.rings.len();
        let weight = match self.reversed {
            _ if ring == count => usize::from(!self.rings.is_complete() || self.reversed),
            false => count - ring,
            true => ring + 1,
        };
        weight as u32
    }

    /// Draws a ring by weight, then a state in it.
    fn draw(&self, states: Vec<Successor>, draws: &mut Draws) -> Option<Successor> {
        let mut parts: BTreeMap<usize, Vec<Successor>> = BTreeMap::new();
        for next in states {
            parts.entry(self.heuristic.score(&next.state) as usize).or_default().push(next);
        }
        let weights: Vec<u32> = parts.keys().map(|&ring| self.weight(ring)).collect();
        let drawn = draws.by_weight(&weights);
        parts.into_values().nth(drawn).and_then(|mut part| draws.take(&mut part))
    }
}

/// What all walks share.
struct Context<'g> {
    target: &'g Bdd,
    weights: Option<RingWeights<'g>>,
    successors: Successors,
}

/// The most successors to enumerate; larger images are sets.
const FEW: usize = 256;

impl Encoding<'_> {
    /// Performs random walks until one reaches the target.
    pub fn walks(&self, target: &Bdd, plan: &WalkPlan<'_>, observer: &mut dyn Observer) -> Walks {
        let mut result = Walks { found: None, walks: 0, steps: 0, longest: 0, stop: StopReason::Walks };
        if self.kernel().is_empty(self.initial()) {
            return Walks { stop: StopReason::Complete, ..result };
        }
        let reversed = plan.reversed;
        let weights = plan.guide.map(|rings| RingWeights { rings, heuristic: rings.heuristic(self), reversed });
        let context = Context { target, weights, successors: Successors::new(self) };
        for index in plan.first..plan.first.saturating_add(plan.walks) {
            let before = result.steps;
            let walked = self.walk(plan, &context, index, &mut result.steps);
            result.longest = result.longest.max(result.steps - before);
            match walked {
                Ok(None) => result.walks += 1,
                Ok(Some(trace)) => {
                    result.walks += 1;
                    result.found = Some((index, trace));
                    result.stop = StopReason::Violation;
                    break;
                }
                Err(stop) => {
                    result.stop = stop;
                    break;
                }
            }
            let (walks, transitions, memory) = (Some(result.walks), result.steps, self.kernel().memory());
            observer.progress(&Progress { walks, transitions, memory, ..Progress::default() });
        }
        result
    }

    /// One walk; returns its run if it reaches the target.
    fn walk(
        &self,
        plan: &WalkPlan<'_>,
        context: &Context<'_>,
        index: u64,
        steps: &mut u64,
    ) -> BddResult<Option<Path<Vec<i64>>>> {
        let memory = self.kernel().budget().resources.memory.unwrap_or(u64::MAX);
        let mut draws = Draws::of(plan.seed, index);
        let mut states: Vec<Vec<i64>> = Vec::new();
        // States of a trail.
        let mut visited: FxHashSet<Vec<i64>> = FxHashSet::default();
        let mut next = self.draw(self.initial(), &mut draws);
        // Walks may have no steps.
        self.kernel().check()?;
        while let Some(state) = next {
            let hit = self.holds(context.target, &state);
            visited.extend(plan.trail.then(|| state.clone()));
            states.push(state);
            if hit {
                return Ok(Some(Path::finite(states)));
            }
            if plan.depth.is_some_and(|depth| states.len() as u64 > depth) {
                break;
            }
            self.kernel().check()?;
            let each = size_of_val(states[0].as_slice()) + size_of::<Vec<i64>>();
            if ((states.len() + visited.len()) * each) as u64 + self.kernel().memory() > memory {
                return Err(StopReason::Memory);
            }
            let here = states.last_mut().expect("a state was pushed");
            next = self.step(here, &visited, context, &mut draws)?;
            *steps += u64::from(next.is_some());
        }
        Ok(None)
    }

    /// Draws a successor that a trail has not visited, and sets the inputs of `here` that lead to it. A small image is
    /// enumerated, with the same distribution.
    fn step(
        &self,
        here: &mut Vec<i64>,
        visited: &FxHashSet<Vec<i64>>,
        context: &Context<'_>,
        draws: &mut Draws,
    ) -> BddResult<Option<Vec<i64>>> {
        if let Some(mut few) = context.successors.of(self, here, FEW) {
            few.retain(|next| !visited.contains(&next.state));
            let next = match &context.weights {
                Some(weights) => weights.draw(few, draws),
                None => draws.take(&mut few),
            };
            return Ok(next.map(|next| {
                *here = context.successors.source(self, &next);
                next.state
            }));
        }
        let next = self.draw_from_image(here, visited, context, draws)?;
        if let Some(next) = &next {
            *here = self.with_inputs_to(&self.state(here)?, next)?;
        }
        Ok(next)
    }

    /// As `step`, with the image as a set.
    fn draw_from_image(
        &self,
        here: &[i64],
        visited: &FxHashSet<Vec<i64>>,
        context: &Context<'_>,
        draws: &mut Draws,
    ) -> BddResult<Option<Vec<i64>>> {
        let k = self.kernel();
        let mut choice = self.image(&self.state(here)?)?;
        for state in visited {
            if self.holds(&choice, state) {
                choice = k.minus(&choice, &self.state(state)?)?;
            }
        }
        let Some(weights) = context.weights.as_ref().filter(|_| !k.is_empty(&choice)) else {
            return Ok(self.draw(&choice, draws));
        };
        let mut parts = weights.rings.split(self, &choice)?;
        let weights: Vec<u32> = parts.iter().map(|&(ring, _)| weights.weight(ring)).collect();
        Ok(self.draw(&parts.swap_remove(draws.by_weight(&weights)).1, draws))
    }

    /// Draws a state of a set uniformly; `None` if the set is empty.
    fn draw(&self, set: &Bdd, draws: &mut Draws) -> Option<Vec<i64>> {
        let sampler = Sampler::new(ArrayBdd::of(set, &self.state_bits))?;
        let mut bits: FxHashSet<VarNo> = FxHashSet::default();
        sampler.draw(draws, |bit| {
            bits.insert(bit);
        });
        Some(self.decode(|bit| bits.contains(&bit)))
    }
}
