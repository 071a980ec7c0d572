//! Reachability by chaining (Roig, Cortadella and Pastor 1995).
//!
//! Where a relation is a disjunction of steps, the successors by one step are added to what is reached before the next
//! step is applied: a round goes as deep as the steps can follow each other, and diagrams stay those of sets that
//! steps have closed, which are small. Steps are applied in the order of the variables they touch, and each until it
//! gives nothing new. With one kind of step only this is breadth-first search, and left to it.
//!
//! A trace is read off the history, the sets before each application with the step applied: a state that was new after
//! an application has a predecessor by that step in the set before. This asks about single states only and costs next
//! to nothing, where layers from the target back would cost more than the search; but the trace is as long as the
//! history makes it.

use lurcher_search::{Observer, Progress};

use super::Reached;
use crate::encode::{Encoding, Step};
use crate::kernel::{Bdd, Stoppable};
use crate::trace::Trace;

/// A set grows by applying steps to it.
struct Chain<'e, 'r> {
    encoding: &'e Encoding<'r>,
    target: &'e Bdd,
    reached: Bdd,
    /// The sets before each application that gave something new.
    history: Vec<(&'e Step, Bdd)>,
    /// States of the target that were reached.
    met: Bdd,
}

impl Encoding<'_> {
    /// All reachable states.
    pub fn reachable(&self, observer: &mut dyn Observer) -> Stoppable<Bdd> {
        let nowhere = self.kernel().constant(false);
        let reached = self.chained(&nowhere, observer)?;
        Ok(reached.reachable.expect("without a target everything is seen"))
    }

    pub(super) fn chained(&self, target: &Bdd, observer: &mut dyn Observer) -> Stoppable<Reached> {
        if self.steps.len() <= 1 {
            return self.forward(target, observer);
        }
        let k = self.kernel();
        let steps = self.steps_from_the_top();
        let met = k.and(self.initial(), target)?;
        let mut chain = Chain { encoding: self, target, reached: self.initial().clone(), history: Vec::new(), met };
        let mut rounds = 0;
        loop {
            let before = chain.reached.clone();
            for step in &steps {
                if !k.is_empty(&chain.met) {
                    let trace = chain.trace()?;
                    return Ok(Reached { shortest: trace.is_empty(), trace: Some(trace), reachable: None, rounds });
                }
                chain.close(step)?;
            }
            if chain.reached == before && k.is_empty(&chain.met) {
                return Ok(Reached { trace: None, shortest: true, reachable: Some(before), rounds });
            }
            rounds += 1;
            observer.progress(&Progress { depth: rounds, memory: k.memory(), ..Progress::default() });
        }
    }

    /// Steps, those first that touch the highest variables.
    pub(crate) fn steps_from_the_top(&self) -> Vec<&Step> {
        let mut steps: Vec<&Step> = self.steps.iter().collect();
        steps.sort_by_key(|step| step.touched.iter().flat_map(|&v| self.layout.now(v)).min().copied());
        steps
    }
}

impl<'e> Chain<'e, '_> {
    /// Applies a step until it gives nothing new, or meets the target.
    fn close(&mut self, step: &'e Step) -> Stoppable<()> {
        let k = self.encoding.kernel();
        let mut news = self.reached.clone();
        while k.is_empty(&self.met) {
            let after = step.image(self.encoding, &news)?;
            news = k.minus(&after, &self.reached)?;
            if k.is_empty(&news) {
                break;
            }
            let reached = k.or(&self.reached, &news)?;
            let before = std::mem::replace(&mut self.reached, reached);
            if !k.is_empty(self.target) {
                self.history.push((step, before));
                self.met = k.and(&news, self.target)?;
            }
            k.sift_when_grown(self.encoding.layout.groups())?;
        }
        Ok(())
    }

    /// A run to a state of the target that was met.
    fn trace(&self) -> Stoppable<Trace> {
        let e = self.encoding;
        let mut states = vec![e.pick(&self.met).expect("the target is met")];
        for (step, before) in self.history.iter().rev() {
            let last = states.last().expect("there is a last");
            if e.holds(before, last) {
                continue;
            }
            let leaves = e.kernel().and(&step.preimage_moments(e, &e.state(last)?)?, before)?;
            states.push(e.pick(&leaves).expect("it was new after this application"));
        }
        states.reverse();
        Ok(Trace { states, cycle_start: None })
    }
}
