//! A graph with a transition cache, while one node is expanded.

use lurcher_system::{Machine, ProcessId, State};

use super::cached_expansion::CachedSelection;
use super::{Cursor, decode_node, encode_node};
use crate::parallel::SuccessorBatch;
use crate::store::{DecodedState, PackedChange, PartChange, StoreFull};
use crate::transition_cache::{EdgeMetadata, TransitionCache};

/// A position in a graph and the transition cache of the graph.
#[derive(Debug)]
pub struct CachedGraph<'g, M, S> {
    pub(crate) cursor: &'g mut Cursor<M, S>,
    pub(crate) cache: &'g mut TransitionCache,
    /// Scratch space for an encoded node.
    pub(crate) node: &'g mut Vec<u8>,
    /// The tail of successors, if nodes have one.
    pub(crate) tail: Option<SuccessorTail>,
    /// The node of the batch is loaded.
    pub(crate) loaded: &'g mut bool,
}

/// The node whose moves are cached, and what else happens with its successors.
pub(super) enum Source<'d> {
    /// The node of a batch; its successors are added to the batch.
    NodePushing,
    /// The node of a batch.
    Node,
    /// A successor in a batch, and where it is decoded.
    Successor { decoded: &'d mut DecodedState, successor: usize, loaded: bool },
}

/// Bytes of the holder of exclusive control, at the beginning of a tail.
const HOLDER: usize = 2;
/// Bytes of a tail behind the holder.
pub(crate) const SUFFIX: usize = 4;

/// The tail of the successors of a node: a part of their own with the holder of exclusive control and what else is behind a
/// state. The rest is the same in all of them.
#[derive(Debug)]
pub(crate) struct SuccessorTail {
    /// Where there is no holder.
    bytes: [u8; HOLDER + SUFFIX],
    part: usize,
    /// The change from the tail of the node where there is no holder.
    without_holder: PackedChange,
}

impl SuccessorTail {
    /// The tail of successors with this suffix; the change leads there from the tail of the node.
    pub fn new(suffix: [u8; SUFFIX], without_holder: PackedChange) -> Self {
        let mut bytes = [0; HOLDER + SUFFIX];
        bytes[HOLDER..].copy_from_slice(&suffix);
        let part = PartChange::unpack(&without_holder).part as usize;
        SuccessorTail { bytes, part, without_holder }
    }

    /// The change to the tail of a successor with this holder of exclusive control.
    #[inline]
    pub fn change(&self, batch: &mut SuccessorBatch<'_>, holder: Option<ProcessId>) -> Result<PackedChange, StoreFull> {
        let Some(ProcessId(holder)) = holder else { return Ok(self.without_holder) };
        let mut bytes = self.bytes;
        bytes[..HOLDER].copy_from_slice(&(holder + 1).to_le_bytes());
        batch.change_of_part(self.part, &bytes)
    }

    /// The change from the tail with a holder to the one with another.
    pub fn change_between(
        &self,
        batch: &mut SuccessorBatch<'_>,
        from: Option<ProcessId>,
        to: Option<ProcessId>,
    ) -> Result<PackedChange, StoreFull> {
        let [from, to] = [from, to].map(|holder| self.change(batch, holder));
        let (from, mut to) = (PartChange::unpack(&from?), PartChange::unpack(&to?));
        to.hash = to.hash.wrapping_sub(from.hash);
        Ok(to.pack())
    }

    /// Whether no process holds exclusive control in a successor with the layout of the node.
    pub fn is_free(&self, batch: &mut SuccessorBatch<'_>, successor: usize) -> bool {
        let free = PartChange::unpack(&self.without_holder).number;
        batch.number_in(successor, self.part) == free
    }
}

impl<M: Machine, S: CachedSelection> CachedGraph<'_, M, S> {
    /// Starts the node of a batch. False if the cache has no room for its layout.
    pub(crate) fn start_node(&mut self, batch: &mut SuccessorBatch<'_>) -> bool {
        let Some(layout) = batch.node().layout() else { return false };
        if self.cache.start_node(layout) {
            return true;
        }
        let layout = layout.clone();
        self.load_source(batch, &mut Source::Node);
        self.cache.add_layout(&layout, &self.cursor.here)
    }

    /// Loads a node whose moves are to be cached.
    pub(super) fn load_source(&mut self, batch: &mut SuccessorBatch<'_>, source: &mut Source<'_>) {
        match source {
            Source::Node | Source::NodePushing => {
                if !std::mem::replace(self.loaded, true) {
                    self.load(batch.load());
                }
            }
            Source::Successor { decoded, successor, loaded } => {
                if !std::mem::replace(loaded, true) {
                    *self.loaded = false;
                    self.load(batch.decode(decoded, *successor));
                }
            }
        }
    }

    /// Loads a node.
    fn load(&mut self, node: &[u8]) {
        let node = self.without_suffix(node);
        self.cursor.load(decode_node(node));
    }

    /// The holder of exclusive control in a node.
    pub(super) fn holder_of(&self, node: &[u8]) -> Option<ProcessId> {
        decode_node(self.without_suffix(node)).1
    }

    fn without_suffix<'b>(&self, node: &'b [u8]) -> &'b [u8] {
        &node[..node.len() - if self.cache.has_tail { SUFFIX } else { 0 }]
    }

    /// Executes and caches all moves of a process in the loaded node. Returns the number of transitions; `None` if a move
    /// violates a property.
    pub(super) fn learn(
        &mut self,
        entry: usize,
        batch: &mut SuccessorBatch<'_>,
        source: &mut Source<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        let CachedGraph { cursor, cache, node, tail, .. } = self;
        cursor.list_moves_of(cache.process(entry));
        cache.start_moves();
        let merges_atomic = cursor.selection.merges_atomic();
        let (mut transitions, mut same_layout) = (0, true);
        for at in 0..cursor.moves.len() {
            let step = cursor.moves[at];
            let followed = if merges_atomic { cursor.follow_atomic(&step) } else { cursor.follow_single(&step) };
            let Some(chain) = followed else { return Ok(None) };
            encode(tail.as_ref(), &cursor.there, node);
            // An ample edge has the length of its first move.
            let length = step.length() + if S::LONG_CHAINS { 0 } else { chain };
            let partner = step.partner.map(|(receiver, _)| receiver);
            let edge = EdgeMetadata { length, partner, holder: cursor.there.exclusive };
            same_layout &= match source {
                Source::NodePushing => batch.push(node, edge)?,
                Source::Node => batch.compare(node)?,
                Source::Successor { decoded, .. } => batch.compare_with(decoded, node)?,
            };
            cache.add_move(source.decoded(batch), edge);
            transitions += 1 + u64::from(chain);
        }
        let facts = cursor.selection.facts(&cursor.here, cache.process(entry), &cursor.moves);
        let model = (cursor.machine.interpreter(), &cursor.here);
        cache.finish_moves(entry, model, source.decoded(batch).numbers(), same_layout, facts);
        Ok(Some(transitions))
    }
}

/// Encodes a successor.
pub(super) fn encode(tail: Option<&SuccessorTail>, state: &State, node: &mut Vec<u8>) {
    encode_node(state, node);
    if let Some(tail) = tail {
        node.extend_from_slice(&tail.bytes[HOLDER..]);
    }
}

impl Source<'_> {
    fn decoded<'s>(&'s self, batch: &'s SuccessorBatch<'_>) -> &'s DecodedState {
        match self {
            Source::Successor { decoded, .. } => decoded,
            _ => batch.node(),
        }
    }
}
