//! Pair sifting (Rudell 1993, with the pairs of a bit and its next value kept together).
//!
//! One after the other, the pairs with most nodes first, each pair is moved through all places, down and up, and left
//! where the table was smallest. A direction is given up when the table has grown by a fifth. Only pairs move, because
//! the image of a set is cheap only while a bit's next value stands right below it.
//!
//! OxiDD ends the process when the table is full during a swap, and one swap can double a level. So sifting starts only
//! while seven eighths of the table are free.

use oxidd::{Manager, ManagerRef, VarNo};
use oxidd_reorder::set_var_order_seq;

use super::{Kernel, Stoppable};

/// Below so many nodes no order is worth the search for a better one.
pub(super) const SIFT_FROM: usize = 100_000;
/// The part of the table that may be in use when sifting starts.
const USED: usize = 8;
/// At most so many pairs are moved at a time.
const PAIRS: usize = 64;

impl Kernel {
    /// Takes what there is now as given: an order is looked for when there is much more. Before a search nobody knows which
    /// functions it will make, so an order that suits what it begins with is not worth what it takes.
    pub fn settle(&self) {
        if self.nodes() >= SIFT_FROM {
            self.collect();
        }
        self.sift_at.set((4 * self.nodes()).max(SIFT_FROM));
    }

    /// Looks for a better order if the table has grown enough since the last time and there is room.
    pub fn sift_when_grown(&self, groups: &[Vec<VarNo>]) -> Stoppable<bool> {
        if self.nodes() < self.sift_at.get() {
            return Ok(false);
        }
        self.collect();
        let sifted = self.nodes() >= self.sift_at.get() && self.sift(groups)?;
        self.sift_at.set((4 * self.nodes()).max(SIFT_FROM));
        Ok(sifted)
    }

    /// Looks for a better order of groups of bits that stay together; each bit is in one group. Does nothing, and says
    /// so, where there is too little room.
    pub fn sift(&self, groups: &[Vec<VarNo>]) -> Stoppable<bool> {
        self.check()?;
        self.collect();
        if self.nodes() > self.capacity / USED {
            return Ok(false);
        }
        self.diagrams.with_manager_exclusive(|m| {
            m.reorder(|m| {
                let mut order: Vec<usize> = (0..groups.len()).collect();
                order.sort_by_key(|&g| m.var_to_level(groups[g][0]));
                let size = |m: &_, g: usize| -> usize { groups[g].iter().map(|&b| level_size(m, b)).sum() };
                let mut heavy = order.clone();
                heavy.sort_by_key(|&g| std::cmp::Reverse(size(m, g)));
                for &group in heavy.iter().take(PAIRS) {
                    if self.check().is_err() {
                        break;
                    }
                    sift_group(m, groups, &mut order, group);
                }
            });
        });
        Ok(true)
    }
}

fn level_size<M: Manager>(m: &M, bit: VarNo) -> usize {
    oxidd_core::LevelView::len(&m.level(m.var_to_level(bit)))
}

/// Moves one group through all places and leaves it at the best.
fn sift_group<M: Manager>(m: &mut M, groups: &[Vec<VarNo>], order: &mut [usize], group: usize)
where
    M::InnerNode: oxidd::HasLevel,
{
    let start = order.iter().position(|&g| g == group).expect("the group has a place");
    let limit = m.num_inner_nodes() / 5 * 6 + 1000;
    let mut best = (m.num_inner_nodes(), start);
    let mut place = start;
    let downwards = order.len() - 1 - start < start;
    for down in [downwards, !downwards] {
        while if down { place + 1 < order.len() } else { place > 0 } {
            let to = if down { place + 1 } else { place - 1 };
            swap(m, groups, order, place.min(to));
            place = to;
            let now = m.num_inner_nodes();
            if now < best.0 {
                best = (now, place);
            }
            if now > limit {
                break;
            }
        }
    }
    while place != best.1 {
        let to = if place < best.1 { place + 1 } else { place - 1 };
        swap(m, groups, order, place.min(to));
        place = to;
    }
}

/// Exchanges two neighbouring groups.
fn swap<M: Manager>(m: &mut M, groups: &[Vec<VarNo>], order: &mut [usize], upper: usize)
where
    M::InnerNode: oxidd::HasLevel,
{
    order.swap(upper, upper + 1);
    let bits: Vec<VarNo> = [order[upper], order[upper + 1]].iter().flat_map(|&g| groups[g].iter().copied()).collect();
    set_var_order_seq(m, &bits);
}
