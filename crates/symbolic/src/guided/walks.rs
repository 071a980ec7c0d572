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

use lurcher_search::{Draws, Observer, Progress, StopReason};
use oxidd::VarNo;
use rustc_hash::FxHashSet;

use super::Rings;
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

impl Encoding<'_> {
    /// Makes random walks until one meets the target.
    pub fn walks(&self, target: &Bdd, plan: &WalkPlan<'_>, observer: &mut dyn Observer) -> Walks {
        let mut made = Walks { found: None, walks: 0, steps: 0, stop: StopReason::Walks };
        for index in plan.first..plan.first.saturating_add(plan.walks) {
            match self.walk(target, plan, index, &mut made.steps) {
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
    fn walk(&self, target: &Bdd, plan: &WalkPlan<'_>, index: u64, steps: &mut u64) -> Stoppable<Option<Trace>> {
        let k = self.kernel();
        let mut draws = Draws::of(plan.seed, index);
        let mut visited = k.constant(false);
        let mut path = Vec::new();
        let mut choice = self.initial().clone();
        while let Some(state) = self.draw(&choice, &mut draws) {
            let here = self.state(&state)?;
            let met = self.holds(target, &state);
            path.push(state);
            if met {
                return self.with_inputs(path).map(Some);
            }
            if plan.depth.is_some_and(|depth| path.len() as u64 > depth) {
                break;
            }
            choice = self.image(&here)?;
            if plan.trail {
                visited = k.or(&visited, &here)?;
                choice = k.minus(&choice, &visited)?;
            }
            if let Some((rings, way)) = plan.guide {
                choice = self.drawn_part(&choice, rings, way, &mut draws)?;
            }
            *steps += u64::from(!k.is_empty(&choice));
        }
        Ok(None)
    }

    /// The part of a set in a ring that is drawn by weight.
    fn drawn_part(&self, set: &Bdd, rings: &Rings, way: GuideUse, draws: &mut Draws) -> Stoppable<Bdd> {
        let count = rings.len();
        let weight = |ring: usize| match way {
            _ if ring == count => usize::from(!rings.is_complete() || way == GuideUse::Reversed),
            GuideUse::Towards => count - ring,
            GuideUse::Reversed => ring + 1,
        };
        let mut parts = rings.cut(self, set)?;
        if parts.len() <= 1 {
            return Ok(parts.pop().map_or_else(|| self.kernel().constant(false), |(_, part)| part));
        }
        let weights: Vec<u32> = parts.iter().map(|&(ring, _)| weight(ring) as u32).collect();
        Ok(parts.swap_remove(draws.by_weight(&weights)).1)
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

    /// A run with inputs by which each state follows the one before.
    fn with_inputs(&self, mut states: Vec<Vec<i64>>) -> Stoppable<Trace> {
        if !self.input_bits.is_empty() {
            for index in 0..states.len() - 1 {
                let here = self.state(&states[index])?;
                states[index] = self.leaving(&here, &states[index + 1])?;
            }
        }
        Ok(Trace { states, cycle_start: None })
    }
}
