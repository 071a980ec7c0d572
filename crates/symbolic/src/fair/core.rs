//! The fair core of a set: where fair runs inside the set cycle (Kesten, Pnueli and Raviv 1998).
//!
//! A greatest fixpoint. Repeatedly remove from the set
//!
//! * for each justice constraint, the states that cannot reach it inside the set (Emerson and Lei 1986);
//! * for each compassion constraint, states of its first part that cannot reach its second inside the set;
//! * states without a successor inside the set.
//!
//! The core contains every state that a fair run inside the set visits infinitely often. From each of its states a
//! terminal strongly connected component of the core is reachable, and a run can satisfy all constraints in it. Hence the
//! core is empty if and only if there is no fair run. Without compassion, the core is exactly where fair runs start; with
//! compassion, fair runs may also start in states that lead to it.

use super::Fairness;
use crate::encode::Encoding;
use crate::kernel::{Bdd, BddResult};

impl Encoding<'_> {
    /// The fair core of a set: states, or state-input pairs if the constraints depend on inputs.
    pub(crate) fn fair_core(&self, within: &Bdd, fairness: &Fairness) -> BddResult<Bdd> {
        let k = self.kernel();
        let with_inputs = fairness.with_inputs;
        let mut core = if with_inputs { k.and(within, self.all_with_inputs())? } else { within.clone() };
        loop {
            let start = core.clone();
            core = self.with_successors(core, with_inputs)?;
            for justice in &fairness.justice {
                core = self.until(&core, &k.and(&core, justice)?, with_inputs)?;
            }
            for (first, second) in &fairness.compassion {
                let redeemed = self.until(&core, &k.and(&core, second)?, with_inputs)?;
                core = k.or(&k.minus(&core, first)?, &redeemed)?;
            }
            if core == start {
                return Ok(core);
            }
        }
    }

    /// The largest subset in which every state has a successor.
    fn with_successors(&self, mut set: Bdd, with_inputs: bool) -> BddResult<Bdd> {
        let k = self.kernel();
        loop {
            let left = k.and(&set, &self.predecessors(&set, with_inputs)?)?;
            if left == set {
                return Ok(set);
            }
            set = left;
        }
    }
}
