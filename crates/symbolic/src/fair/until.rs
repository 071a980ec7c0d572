//! Least fixpoints backwards: all from where a target is reached inside a set.
//!
//! By chaining, as forwards: predecessors by one kind of step are added before the next is applied.

use crate::encode::{Encoding, Step};
use crate::kernel::{Bdd, Stoppable};

impl Encoding<'_> {
    /// Predecessors of a set: states, or moments where inputs count.
    pub(crate) fn before(&self, set: &Bdd, moments: bool) -> Stoppable<Bdd> {
        if moments { self.preimage_moments(&self.without_inputs(set)?) } else { self.preimage(set) }
    }

    fn before_by(&self, step: &Step, set: &Bdd, moments: bool) -> Stoppable<Bdd> {
        if moments { step.preimage_moments(self, &self.without_inputs(set)?) } else { step.preimage(self, set) }
    }

    /// Where a run through the first set leads to the second: `E[through U to]`.
    pub(crate) fn until(&self, through: &Bdd, to: &Bdd, moments: bool) -> Stoppable<Bdd> {
        let k = self.kernel();
        let mut steps = self.steps_from_the_top();
        steps.reverse();
        let mut reached = to.clone();
        loop {
            let start = reached.clone();
            for step in &steps {
                let mut news = reached.clone();
                loop {
                    let before = k.and(&self.before_by(step, &news, moments)?, through)?;
                    news = k.minus(&before, &reached)?;
                    if k.is_empty(&news) {
                        break;
                    }
                    reached = k.or(&reached, &news)?;
                    k.sift_when_grown(self.layout.groups())?;
                }
            }
            if reached == start || steps.len() == 1 {
                return Ok(reached);
            }
        }
    }
}
