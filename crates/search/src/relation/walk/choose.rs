//! Choosing a successor.
//!
//! Without a guide, try-a-child draws one step as the plans of the stepper allow. All-children, and every guide, list
//! the distinct successors first and draw one of them, by weight where there is a guide. A trail goes on drawing until
//! it meets a state that it has not visited.

use std::ops::ControlFlow;

use crate::walk::{FingerprintMap, Kind, Selection};

use super::walker::{RelationWalker, fingerprint};
use super::{RelationGuidance, RelationTerrain};

/// What choosing came to.
pub(super) enum Chosen {
    /// The walk has moved.
    Moved,
    /// A step back into the walk closes a fair cycle; it was taken.
    Closed(u32),
    /// There is no successor.
    Stopped,
    /// Nothing that this walk may do is left.
    Exhausted,
    /// There are more successors than can be listed.
    Halted,
}

/// Successors that were listed, filled anew at every step.
#[derive(Debug, Default)]
pub(super) struct Listed {
    known: FingerprintMap<()>,
    /// Transition and number of each; the number leads to its bytes.
    candidates: Vec<(u32, u32)>,
    weights: Vec<u32>,
    /// States before the step, with inputs.
    before: Vec<u8>,
    /// States after.
    after: Vec<u8>,
}

impl<G: RelationGuidance + Send> RelationWalker<'_, G> {
    pub(super) fn choose(&mut self) -> Chosen {
        match (&self.guide, self.plan.selection) {
            (None, Selection::TryAChild) => self.try_a_child(),
            _ => self.all_children(),
        }
    }

    fn try_a_child(&mut self) -> Chosen {
        let terrain: &RelationTerrain<G> = self.terrain;
        let trail = self.plan.kind == Kind::Trail;
        let (mut tried, mut closed) = (0, None);
        let RelationWalker { stepper, state, next, draws, bytes, visited, fairness, .. } = self;
        let sampled = stepper.sample_successor(
            state,
            |n| draws.below(n),
            |step| {
                tried += 1;
                if !trail {
                    return true;
                }
                terrain.packing.pack(step.next, bytes);
                let Some(first) = visited.first(fingerprint(bytes)) else { return true };
                let closes = fairness.as_mut().is_some_and(|f| f.closes(step.now, first));
                closed = closes.then_some(first);
                closes
            },
        );
        let taken = match sampled {
            Ok(Some(step)) => {
                state.copy_from_slice(step.now);
                next.copy_from_slice(step.next);
                Some(step.transition)
            }
            Ok(None) => None,
            Err(_) => return Chosen::Halted,
        };
        self.tries += tried;
        match taken {
            Some(transition) => {
                self.arrive(transition);
                closed.map_or(Chosen::Moved, Chosen::Closed)
            }
            None if tried == 0 => Chosen::Stopped,
            None => Chosen::Exhausted,
        }
    }

    fn all_children(&mut self) -> Chosen {
        if !self.list() {
            return Chosen::Halted;
        }
        if self.listed.candidates.is_empty() {
            return Chosen::Stopped;
        }
        self.tries += self.listed.candidates.len() as u64;
        let scores = self.listed.weights.iter().copied().min();
        if let (Some(guide), Some(best)) = (&self.guide, scores) {
            self.plan.bias.weigh(&mut self.listed.weights, guide.max(), self.plan.reverse);
            self.best = Some(self.best.map_or(best, |b| b.min(best)));
        }
        self.draw()
    }

    /// Lists the distinct successors, with scores where there is a guide; says whether all were listed.
    fn list(&mut self) -> bool {
        let terrain: &RelationTerrain<G> = self.terrain;
        let RelationWalker { stepper, state, bytes, listed, guide, fairness, .. } = self;
        listed.known.clear();
        listed.candidates.clear();
        listed.weights.clear();
        listed.before.clear();
        listed.after.clear();
        let done = stepper.successors(state, |step| {
            // Where fairness reads inputs, the same state by other inputs is another step.
            terrain.moments.pack(step.now, bytes);
            let by = if fairness.is_some() { fingerprint(bytes).rotate_left(1) } else { 0 };
            let (before, after) = (listed.before.len(), listed.after.len());
            listed.before.extend_from_slice(bytes);
            terrain.packing.pack(step.next, bytes);
            if listed.known.insert(fingerprint(bytes) ^ by, ()).is_some() {
                listed.before.truncate(before);
                return ControlFlow::Continue(());
            }
            let number = after / terrain.packing.len().max(1);
            listed.after.extend_from_slice(bytes);
            listed.candidates.push((step.transition as u32, number as u32));
            if let Some(guide) = guide {
                listed.weights.push(guide.score(step.next));
            }
            ControlFlow::Continue(())
        });
        done.is_ok()
    }

    /// Draws candidates until the walk may take one.
    fn draw(&mut self) -> Chosen {
        loop {
            let count = self.listed.candidates.len();
            if count == 0 {
                return Chosen::Exhausted;
            }
            let at = match self.listed.weights.is_empty() {
                true => self.draws.below(count as u32) as usize,
                false => self.draws.by_weight(&self.listed.weights),
            };
            let (transition, number) = self.listed.candidates.swap_remove(at);
            if !self.listed.weights.is_empty() {
                self.listed.weights.swap_remove(at);
            }
            if let Some(chosen) = self.attempt(transition as usize, number as usize) {
                return chosen;
            }
        }
    }

    /// Takes a step, unless this is a trail and it leads to a state visited before.
    fn attempt(&mut self, transition: usize, number: usize) -> Option<Chosen> {
        let terrain: &RelationTerrain<G> = self.terrain;
        let (before, after) = (terrain.moments.len(), terrain.packing.len());
        let after = &self.listed.after[number * after..(number + 1) * after];
        terrain.moments.unpack(&self.listed.before[number * before..(number + 1) * before], &mut self.state);
        terrain.packing.unpack(after, &mut self.next);
        let mut closed = None;
        if self.plan.kind == Kind::Trail
            && let Some(first) = self.visited.first(fingerprint(after))
        {
            let closes = self.fairness.as_mut().is_some_and(|f| f.closes(&self.state, first));
            closed = closes.then_some(first);
            closed?;
        }
        self.arrive(transition);
        Some(closed.map_or(Chosen::Moved, Chosen::Closed))
    }
}
