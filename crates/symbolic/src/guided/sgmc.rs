//! SGMC: A* over sets of states (Qian and Nymeyer 2003, as in the thesis's figure 5.1).
//!
//! The open set holds sets of states with the steps to them, *g*, and the number of their ring, *h*. The set with the
//! least *f* = *g* + *h* is taken, of several the one with the greatest *g*; its successors are cut by the rings.
//! States of complete rings' outside are thrown away: they cannot reach the target.
//!
//! The rings never say too much, and say at most one less after a step, so a state is first taken with the least *g*
//! it has, and the trace is a shortest one. The thesis looks states up in all that was visited; here each set keeps
//! its *g*, and a trace goes back through sets whose *g* falls by one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use lurcher_search::{Observer, Progress};

use super::Rings;
use crate::encode::Encoding;
use crate::kernel::{Bdd, Stoppable};
use crate::trace::Trace;

/// What SGMC found.
#[derive(Clone, Debug)]
pub struct Sgmc {
    /// A shortest run to the target; nothing if the target is not reached.
    pub trace: Option<Trace>,
    /// Sets that were taken.
    pub expansions: u64,
}

impl Encoding<'_> {
    /// Looks for a shortest run to a target, guided by rings around it.
    pub fn sgmc(&self, target: &Bdd, rings: &Rings, observer: &mut dyn Observer) -> Stoppable<Sgmc> {
        let k = self.kernel();
        let mut open: BTreeMap<(usize, Reverse<usize>), Bdd> = BTreeMap::new();
        let mut taken: Vec<(usize, Bdd)> = Vec::new();
        let mut closed = k.constant(false);
        let mut expansions = 0;
        self.spread(&mut open, 0, self.initial(), rings)?;
        while let Some(((_, Reverse(g)), set)) = open.pop_first() {
            let set = k.minus(&set, &closed)?;
            if k.is_empty(&set) {
                continue;
            }
            let met = k.and(&set, target)?;
            if !k.is_empty(&met) {
                return Ok(Sgmc { trace: Some(self.back(&taken, g, &met)?), expansions });
            }
            expansions += 1;
            closed = k.or(&closed, &set)?;
            let after = k.minus(&self.image(&set)?, &closed)?;
            self.spread(&mut open, g + 1, &after, rings)?;
            taken.push((g, set));
            k.sift_when_grown(self.layout.groups())?;
            observer.progress(&Progress { depth: g as u64, memory: k.memory(), ..Progress::default() });
        }
        Ok(Sgmc { trace: None, expansions })
    }

    /// Adds states to the open set.
    fn spread(
        &self,
        open: &mut BTreeMap<(usize, Reverse<usize>), Bdd>,
        g: usize,
        set: &Bdd,
        rings: &Rings,
    ) -> Stoppable<()> {
        for (h, part) in rings.cut(self, set)? {
            if h == rings.len() && rings.is_complete() {
                continue;
            }
            let at = (g + h, Reverse(g));
            let joined = match open.get(&at) {
                Some(waiting) => self.kernel().or(waiting, &part)?,
                None => part,
            };
            open.insert(at, joined);
        }
        Ok(())
    }

    /// A run to a state of a set that is `g` steps away, through sets that were taken.
    fn back(&self, taken: &[(usize, Bdd)], g: usize, met: &Bdd) -> Stoppable<Trace> {
        let k = self.kernel();
        let mut states = vec![self.pick(met).expect("the target is met")];
        for g in (0..g).rev() {
            let before = self.preimage_moments(&self.state(states.last().expect("there is a last"))?)?;
            for (_, set) in taken.iter().filter(|(at, _)| *at == g) {
                if let Some(state) = self.pick(&k.and(&before, set)?) {
                    states.push(state);
                    break;
                }
            }
        }
        states.reverse();
        debug_assert_eq!(states.len(), g + 1, "every state has a predecessor one step nearer");
        Ok(Trace { states, cycle_start: None })
    }
}
