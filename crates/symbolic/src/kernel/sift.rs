//! Group sifting (Rudell 1993): a current bit and its next bit move as one group, which keeps images cheap.
//!
//! Groups are sifted by size, largest first. Each moves through all positions and stays where the table was smallest; a
//! direction ends when the table has grown by a fifth. OxiDD aborts the process if the table fills up during a swap, and
//! one swap can double a level, so sifting starts only while seven eighths of the table are free.

use oxidd::{Manager, ManagerRef, VarNo};
use oxidd_reorder::set_var_order_seq;

use super::{BddResult, Kernel};

/// The smallest number of nodes for which reordering pays.
pub(super) const SIFT_FROM: usize = 100_000;
/// Sifting starts only while at most one in `USED` nodes of the table is in use.
const USED: usize = 8;
/// The most groups sifted at a time.
const GROUPS: usize = 64;

impl Kernel {
    /// Sets the sifting threshold relative to the current table: before a search starts, its functions are unknown, and
    /// reordering for the encoding alone does not pay.
    pub(crate) fn reset_sift_threshold(&self) {
        if self.nodes() >= SIFT_FROM {
            self.collect();
        }
        self.sift_at.set((4 * self.nodes()).max(SIFT_FROM));
    }

    /// Sifts if the table has grown past the threshold and has room.
    pub(crate) fn sift_when_grown(&self, groups: &[Vec<VarNo>]) -> BddResult<()> {
        if self.nodes() < self.sift_at.get() {
            return Ok(());
        }
        self.collect();
        if self.nodes() >= self.sift_at.get() {
            self.sift(groups)?;
        }
        self.sift_at.set((4 * self.nodes()).max(SIFT_FROM));
        Ok(())
    }

    /// Sifts groups of bits; each bit is in one group. Returns `false` without sifting if the table has too little room.
    pub fn sift(&self, groups: &[Vec<VarNo>]) -> BddResult<bool> {
        self.check()?;
        self.collect();
        if self.nodes() > self.capacity / USED {
            return Ok(false);
        }
        self.manager.with_manager_exclusive(|m| {
            m.reorder(|m| {
                let mut order: Vec<usize> = (0..groups.len()).collect();
                order.sort_by_key(|&g| m.var_to_level(groups[g][0]));
                let size = |m: &_, g: usize| -> usize { groups[g].iter().map(|&b| level_size(m, b)).sum() };
                let mut heavy = order.clone();
                heavy.sort_by_key(|&g| std::cmp::Reverse(size(m, g)));
                for &group in heavy.iter().take(GROUPS) {
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

/// Moves one group through all positions and leaves it at the best.
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

/// Swaps two adjacent groups.
fn swap<M: Manager>(m: &mut M, groups: &[Vec<VarNo>], order: &mut [usize], upper: usize)
where
    M::InnerNode: oxidd::HasLevel,
{
    order.swap(upper, upper + 1);
    let bits: Vec<VarNo> = [order[upper], order[upper + 1]].iter().flat_map(|&g| groups[g].iter().copied()).collect();
    set_var_order_seq(m, &bits);
}
