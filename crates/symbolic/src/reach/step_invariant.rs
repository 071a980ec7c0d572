//! Invariants about steps: is a term about current and next values true of every step out of a reachable state?
//!
//! For each kind of step, a function of current and next bits says which steps are bad; its product with the step's
//! relation gives the moments that a bad step leaves. One of them is looked for like any state, and the trace goes one
//! step further.

use lurcher_ir::relation::TermId;
use lurcher_search::Observer;

use super::{Reached, Strategy};
use crate::encode::Encoding;
use crate::kernel::Stoppable;

impl Encoding<'_> {
    /// Looks for a step out of a reachable state of which a term is false. The trace ends with that step.
    pub fn violates_step(&self, term: TermId, strategy: Strategy, observer: &mut dyn Observer) -> Stoppable<Reached> {
        let k = self.kernel();
        let bad = self.steps_where_false(term)?;
        let mut moments = k.constant(false);
        for (step, function) in self.steps.iter().zip(&bad) {
            moments = k.or(&moments, &step.leaving(self, function)?)?;
        }
        let mut reached = self.reach(&self.without_inputs(&moments)?, strategy, observer)?;
        if let Some(trace) = &mut reached.trace {
            let last = trace.states.pop().expect("a trace has a last state");
            let moment = self.pick(&k.and(&self.state(&last)?, &moments)?).expect("a bad step leaves it");
            let here = self.moment(&moment)?;
            let mut after = k.constant(false);
            for (step, function) in self.steps.iter().zip(&bad) {
                after = k.or(&after, &step.image(self, &k.and(&here, function)?)?)?;
            }
            trace.states.extend([moment, self.pick(&after).expect("the step leads somewhere")]);
        }
        Ok(reached)
    }
}
