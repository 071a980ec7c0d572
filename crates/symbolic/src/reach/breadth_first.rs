//! Breadth-first search, layer by layer.
//!
//! Layer *i* holds the states at distance *i*. The frontier may be any set between the last layer and all states seen; the
//! one with the smaller BDD is expanded. A shortest trace is read backwards through the layers.

use lurcher_search::{Observer, Progress};
use lurcher_system::Path;
use oxidd::Function;

use super::Reached;
use crate::encode::Encoding;
use crate::kernel::{Bdd, BddResult};

impl Encoding<'_> {
    pub(super) fn forward(&self, target: &Bdd, observer: &mut dyn Observer) -> BddResult<Reached> {
        let k = self.kernel();
        let mut layers = vec![self.initial().clone()];
        let mut seen = self.initial().clone();
        loop {
            let last = layers.last().expect("there is a first layer");
            let rounds = layers.len() as u64 - 1;
            let hit = k.and(last, target)?;
            if !k.is_empty(&hit) {
                let trace = Some(Path::finite(self.path_back(&layers, &hit)?));
                return Ok(Reached { trace, shortest: true, reachable: None, rounds });
            }
            let frontier = if last.node_count() <= seen.node_count() { last } else { &seen };
            let next = k.minus(&self.image(frontier)?, &seen)?;
            if k.is_empty(&next) {
                return Ok(Reached { trace: None, shortest: true, reachable: Some(seen), rounds });
            }
            seen = k.or(&seen, &next)?;
            layers.push(next);
            k.sift_when_grown(self.layout.groups())?;
            observer.progress(&Progress { depth: rounds + 1, memory: k.memory(), ..Progress::default() });
        }
    }

    /// A path through consecutive layers to a state of `end`, a subset of the last layer.
    pub(crate) fn path_back(&self, layers: &[Bdd], end: &Bdd) -> BddResult<Vec<Vec<i64>>> {
        let k = self.kernel();
        let mut states = vec![self.pick(end).expect("the end is not empty")];
        for layer in layers.iter().rev().skip(1) {
            let after = self.state(states.last().expect("a path has a last state"))?;
            let before = k.and(&self.preimage_with_inputs(&after)?, layer)?;
            states.push(self.pick(&before).expect("a state of a layer has a predecessor in the one before"));
        }
        states.reverse();
        Ok(states)
    }

    /// A path from a state through sets, each of which has predecessors in the one before.
    pub(crate) fn path_through<'b>(
        &self,
        first: Vec<i64>,
        sets: impl IntoIterator<Item = &'b Bdd>,
    ) -> BddResult<Vec<Vec<i64>>> {
        let k = self.kernel();
        let mut states = vec![first];
        for set in sets {
            let last = states.last_mut().expect("a path has a last state");
            let state = self.state(last)?;
            let after = k.and(&self.image(&state)?, set)?;
            let next = self.pick(&after).expect("a state of a layer has a successor in the next one");
            *last = self.with_inputs_to(&state, &next)?;
            states.push(next);
        }
        Ok(states)
    }

    /// A state of a set, with inputs under which `next` is a successor.
    pub(crate) fn with_inputs_to(&self, set: &Bdd, next: &[i64]) -> BddResult<Vec<i64>> {
        let before = self.preimage_with_inputs(&self.state(next)?)?;
        Ok(self.pick(&self.kernel().and(&before, set)?).expect("`next` has a predecessor in the set"))
    }
}
