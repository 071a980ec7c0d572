//! The states between which fair runs go round (Kesten, Pnueli and Raviv 1998).
//!
//! A greatest fixpoint. From a set, take away
//!
//! * for each demand of justice, what cannot reach it inside the set (Emerson and Lei 1986);
//! * for each demand of compassion, what meets its first part and cannot reach its second inside the set;
//! * what has no successor inside the set;
//!
//! until nothing goes. What is left contains every state that a fair run inside the set meets infinitely often. And
//! from every state that is left, a strongly connected component without a way out, inside what is left, can be
//! reached: there each demand that is reached can be met again and again, so a fair run stays in it. Hence something
//! is left if and only if there is a fair run. With justice alone, what is left is where fair runs inside the set begin;
//! with compassion there may be more such states, all of which lead there.

use super::Demands;
use crate::encode::Encoding;
use crate::kernel::{Bdd, Stoppable};

impl Encoding<'_> {
    /// The states, or moments where demands read inputs, between which fair runs inside a set go round.
    pub(crate) fn fair_core(&self, within: &Bdd, demands: &Demands) -> Stoppable<Bdd> {
        let k = self.kernel();
        let moments = demands.moments;
        let mut core = if moments { k.and(within, self.all_moments())? } else { within.clone() };
        loop {
            let start = core.clone();
            core = self.with_successors(core, moments)?;
            for justice in &demands.justice {
                core = self.until(&core, &k.and(&core, justice)?, moments)?;
            }
            for (first, second) in &demands.compassion {
                let redeemed = self.until(&core, &k.and(&core, second)?, moments)?;
                core = k.or(&k.minus(&core, first)?, &redeemed)?;
            }
            if core == start {
                return Ok(core);
            }
        }
    }

    /// What is left of a set when states without a successor in it go, again and again.
    fn with_successors(&self, mut set: Bdd, moments: bool) -> Stoppable<Bdd> {
        let k = self.kernel();
        loop {
            let left = k.and(&set, &self.before(&set, moments)?)?;
            if left == set {
                return Ok(set);
            }
            set = left;
        }
    }
}
