//! Choosing a step.
//!
//! Try-a-child draws a successor by the system's own rule and tests only what it draws; with a guide that scores steps, it
//! draws by weight, as GRANSPIN does (Bui 2009, chapter 6). All-children lists every successor first. A guide that scores
//! states needs the successors, so it always lists. A trail draws again until it meets a state that it has not visited.

use super::plan::{Kind, Selection};
use super::position::{Choice, Chosen, Position};
use super::walker::Walker;

impl<P: Position> Walker<P> {
    /// Chooses a step and takes it.
    pub(super) fn choose(&mut self) -> Chosen {
        let guide = self.guide.take();
        let chosen = match (guide.as_deref(), self.plan.selection) {
            (None, Selection::TryAChild) => self.with_choice(|position, choice| position.sample(choice)),
            (Some(guide), Selection::TryAChild) if P::scores_steps(guide) => {
                let (plan, mut best) = (self.plan, self.best);
                let chosen = self.with_choice(|p, choice| p.sample_by_weight(guide, &plan, choice, &mut best));
                self.best = best;
                chosen
            }
            (guide, _) => self.all_children(guide),
        };
        self.guide = guide;
        chosen
    }

    /// Calls `choose` with what it needs of the walk.
    pub(super) fn with_choice(&mut self, choose: impl FnOnce(&mut P, &mut Choice<'_>) -> Chosen) -> Chosen {
        let visited = (self.plan.kind == Kind::Trail).then_some(&self.visited);
        choose(&mut self.position, &mut Choice { draws: &mut self.draws, visited, tries: &mut self.tries })
    }

    fn all_children(&mut self, guide: Option<&P::Guide>) -> Chosen {
        let count = match self.position.list(&mut self.tries) {
            Ok(count) => count,
            Err(chosen) => return chosen,
        };
        self.weights.clear();
        if let Some(guide) = guide {
            for candidate in 0..count {
                let score = self.position.score(guide, candidate);
                self.best = Some(self.best.map_or(score, |b| b.min(score)));
                self.weights.push(score);
            }
            self.plan.bias.weigh(&mut self.weights, P::max_score(guide), self.plan.reverse);
        }
        let mut weights = std::mem::take(&mut self.weights);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        candidates.extend(0..count);
        let chosen = self.with_choice(|position, choice| draw(position, choice, &mut candidates, &mut weights));
        (self.weights, self.candidates) = (weights, candidates);
        chosen
    }
}

/// Draws candidates without replacement until one may be taken, by weight where there are weights.
pub(super) fn draw<P: Position>(
    position: &mut P,
    choice: &mut Choice<'_>,
    candidates: &mut Vec<u32>,
    weights: &mut Vec<u32>,
) -> Chosen {
    while !candidates.is_empty() {
        let at = match weights.is_empty() {
            true => choice.draws.below(candidates.len() as u32) as usize,
            false => choice.draws.by_weight(weights),
        };
        let candidate = candidates.swap_remove(at);
        if !weights.is_empty() {
            weights.swap_remove(at);
        }
        if let Some(chosen) = position.attempt(candidate, choice.visited) {
            return chosen;
        }
    }
    Chosen::Exhausted
}
