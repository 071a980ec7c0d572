//! Breadth-first search, layer by layer.
//!
//! Layer *i* holds the states whose shortest distance is *i*. The successors of a layer are those of any set between
//! the layer and everything seen, and the smaller diagram of the two ends is taken. A trace is read off backwards: a
//! state of the target in the last layer, a predecessor of it in the layer before, and so on; it is a shortest one.

use lurcher_search::{Observer, Progress};
use oxidd::Function;

use super::Reached;
use crate::encode::Encoding;
use crate::kernel::{Bdd, Stoppable};
use crate::trace::Trace;

impl Encoding<'_> {
    pub(super) fn forward(&self, target: &Bdd, observer: &mut dyn Observer) -> Stoppable<Reached> {
        let k = self.kernel();
        let mut layers = vec![self.initial().clone()];
        let mut seen = self.initial().clone();
        loop {
            let last = layers.last().expect("there is a first layer");
            let rounds = layers.len() as u64 - 1;
            let met = k.and(last, target)?;
            if !k.is_empty(&met) {
                let trace = Some(self.back_through(&layers, &met)?);
                return Ok(Reached { trace, shortest: true, reachable: None, rounds });
            }
            let next = k.minus(&self.image(smaller(last, &seen))?, &seen)?;
            if k.is_empty(&next) {
                return Ok(Reached { trace: None, shortest: true, reachable: Some(seen), rounds });
            }
            seen = k.or(&seen, &next)?;
            layers.push(next);
            k.sift_when_grown(self.layout.groups())?;
            observer.progress(&Progress { depth: rounds + 1, memory: k.memory(), ..Progress::default() });
        }
    }

    pub(super) fn backward(&self, target: &Bdd, observer: &mut dyn Observer) -> Stoppable<Reached> {
        self.backward_within(target, self.all_states(), observer)
    }

    /// Breadth-first search from the target back to the initial states, inside a set.
    pub(crate) fn backward_within(
        &self,
        target: &Bdd,
        within: &Bdd,
        observer: &mut dyn Observer,
    ) -> Stoppable<Reached> {
        let k = self.kernel();
        let mut layers = vec![k.and(target, within)?];
        let mut seen = layers[0].clone();
        loop {
            let last = layers.last().expect("there is a first layer");
            let rounds = layers.len() as u64 - 1;
            let met = k.and(last, self.initial())?;
            if !k.is_empty(&met) {
                let first = self.pick(&met).expect("it is not empty");
                let states = self.forth_through(first, layers.iter().rev().skip(1))?;
                return Ok(Reached {
                    trace: Some(Trace { states, cycle_start: None }),
                    shortest: true,
                    reachable: None,
                    rounds,
                });
            }
            let before = k.and(&self.preimage(smaller(last, &seen))?, within)?;
            let next = k.minus(&before, &seen)?;
            if k.is_empty(&next) {
                return Ok(Reached { trace: None, shortest: true, reachable: None, rounds });
            }
            seen = k.or(&seen, &next)?;
            layers.push(next);
            k.sift_when_grown(self.layout.groups())?;
            observer.progress(&Progress { depth: rounds + 1, memory: k.memory(), ..Progress::default() });
        }
    }

    /// A run through layers to a state of the last.
    fn back_through(&self, layers: &[Bdd], met: &Bdd) -> Stoppable<Trace> {
        let k = self.kernel();
        let mut states = vec![self.pick(met).expect("the target is met")];
        for layer in layers.iter().rev().skip(1) {
            let after = self.state(states.last().expect("there is a last"))?;
            let before = k.and(&self.preimage_moments(&after)?, layer)?;
            states.push(self.pick(&before).expect("a state of a layer has a predecessor in the one before"));
        }
        states.reverse();
        Ok(Trace { states, cycle_start: None })
    }

    /// A run from a state through sets, each of which can be reached from the one before. Inputs are filled in.
    pub(crate) fn forth_through<'b>(
        &self,
        first: Vec<i64>,
        sets: impl Iterator<Item = &'b Bdd>,
    ) -> Stoppable<Vec<Vec<i64>>> {
        let k = self.kernel();
        let mut states = vec![first];
        for set in sets {
            let last = states.last_mut().expect("there is a last");
            let state = self.state(last)?;
            let after = k.and(&self.image(&state)?, set)?;
            let next = self.pick(&after).expect("a state of a layer has a successor in the next one");
            *last = self.leaving(&state, &next)?;
            states.push(next);
        }
        Ok(states)
    }

    /// A state of a set with inputs by which another state follows it.
    pub(crate) fn leaving(&self, set: &Bdd, next: &[i64]) -> Stoppable<Vec<i64>> {
        let before = self.preimage_moments(&self.state(next)?)?;
        Ok(self.pick(&self.kernel().and(&before, set)?).expect("the one follows the other"))
    }
}

/// The function with the smaller diagram.
fn smaller<'b>(a: &'b Bdd, b: &'b Bdd) -> &'b Bdd {
    if a.node_count() <= b.node_count() { a } else { b }
}
