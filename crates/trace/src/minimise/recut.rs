//! Cutting a lasso elsewhere: any two moments of a run at which the state is the same make a lasso.
//!
//! The earliest second moment gives the shortest one. The claim need not be at the same location at both; whether the
//! cycle is accepted all the same, the survey says.

use lurcher_system::Move;
use rustc_hash::FxHashMap;

use crate::minimise::budget::Meter;
use crate::minimise::lasso::{Lasso, is_good, survey};
use crate::minimise::lassos::Chase;
use crate::minimise::quest::Position;

/// The most pairs of moments that are looked at.
const MOST_PAIRS: u32 = 256;

/// The shortest lasso that a run of this one contains.
pub(crate) fn recut(chase: &Chase<'_, '_>, lasso: Lasso, meter: &mut Meter<'_>) -> Lasso {
    let visits = moments(chase, &lasso.moves, meter);
    let mut first: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut pairs = 0;
    for (index, print) in visits {
        let earlier = first.entry(print).or_default();
        for &start in earlier.iter().rev() {
            pairs += 1;
            let whole = (start, index) == (lasso.cycle_start, lasso.moves.len());
            if whole || pairs > MOST_PAIRS || !meter.may_go_on() {
                return lasso;
            }
            let cut = Lasso { moves: lasso.moves[..index].to_vec(), cycle_start: start };
            if chase.accepts(&cut, meter) {
                return cut;
            }
        }
        earlier.push(index);
    }
    lasso
}

/// The moments at which no atomic chain is under way: moves before it, and what stands for the state.
fn moments(chase: &Chase<'_, '_>, moves: &[Move], meter: &mut Meter<'_>) -> Vec<(usize, u64)> {
    let mut all = Vec::new();
    chase.execute(moves, meter, |index, position: &Position| {
        if position.state.exclusive.is_none() {
            all.push((index, position.state_print()));
        }
    });
    all
}

impl Chase<'_, '_> {
    /// Is this lasso what is looked for?
    pub fn accepts(&self, lasso: &Lasso, meter: &mut Meter<'_>) -> bool {
        let Some(at) = self.execute(lasso.prefix(), meter, |_, _| {}) else { return false };
        if lasso.cycle().is_empty() {
            let mut moves = Vec::new();
            self.interpreter.moves(&at.state, &mut moves);
            return moves.is_empty() && crate::minimise::lasso::stays_accepted(self.interpreter, self.question, &at);
        }
        lasso.cycle().iter().for_each(|_| meter.step());
        let places = survey(self.interpreter, self.question, &at, lasso.cycle(), self.fair);
        places.is_some_and(|p| is_good(self.question, &at, |l| p[0].good.contains(&l)))
    }
}
