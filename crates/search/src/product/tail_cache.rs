//! A cache of the tails of nodes: most nodes have the tail of another one.

use lurcher_system::ProcessId;

use super::{Tail, split};
use crate::parallel::SuccessorBatch;
use crate::state_graph::{SUFFIX, decode_node};
use crate::store::{MAX_PART, PackedChange, StoreFull};

/// Slots of the cache.
const SLOTS: usize = 16;

/// What is known of the tail with a number.
#[derive(Clone, Copy, Debug)]
struct Slot {
    layout: usize,
    number: u32,
    holder: Option<ProcessId>,
    tail: Tail,
    /// The change to the tail with another suffix and without a holder.
    successor: Option<([u8; SUFFIX], PackedChange)>,
}

/// Tails by their numbers.
#[derive(Debug, Default)]
pub(super) struct TailCache {
    slots: [Option<Slot>; SLOTS],
}

impl TailCache {
    /// The holder of exclusive control in the node of a batch, and the rest of its tail.
    #[inline]
    pub fn of_node(&mut self, layout: usize, batch: &SuccessorBatch<'_>) -> (Option<ProcessId>, Tail) {
        let slot = self.slot(layout, batch);
        (slot.holder, slot.tail)
    }

    /// The change from the tail of the node of a batch to the one with this suffix and without a holder.
    #[inline]
    pub fn change_to(
        &mut self,
        layout: usize,
        suffix: [u8; SUFFIX],
        batch: &mut SuccessorBatch<'_>,
    ) -> Result<PackedChange, StoreFull> {
        let slot = self.slot(layout, batch);
        if let Some((_, change)) = slot.successor.filter(|(other, _)| *other == suffix) {
            return Ok(change);
        }
        let mut bytes = [0; 2 + SUFFIX];
        bytes[2..].copy_from_slice(&suffix);
        let change = batch.change_of_part(batch.node().numbers().len() - 1, &bytes)?;
        slot.successor = Some((suffix, change));
        Ok(change)
    }

    fn slot(&mut self, layout: usize, batch: &SuccessorBatch<'_>) -> &mut Slot {
        let part = batch.node().numbers().len() - 1;
        let number = batch.node().numbers()[part];
        let slot = &mut self.slots[number as usize % SLOTS];
        let known = slot.filter(|slot| (slot.layout, slot.number) == (layout, number));
        slot.insert(known.unwrap_or_else(|| {
            let mut bytes = [0; MAX_PART];
            let (holder, tail) = split(batch.read_part(part, &mut bytes));
            Slot { layout, number, holder: decode_node(holder).1, tail, successor: None }
        }))
    }
}
