//! The state store: every node once, under an id.
//!
//! A store knows how nodes split into parts ([`Partition`]). Nodes with parts are kept as rows of part numbers
//! (`collapse.rs`), others as byte strings (`string_table.rs`). Both are found through an index that grows a page at a time
//! (`index.rs`, `page.rs`) and lie in arrays that never move (`stable_array.rs`). Nodes are compared byte by byte or part by
//! part, so the store is exact; `lossy.rs` holds the sets that are not. A store with a memory limit refuses a node rather
//! than exceed it, so that a search can stop cleanly.
//!
//! Threads share one [`SharedStore`], each with its own [`DecodedState`]; a [`Store`] is for a single thread.

mod batch;
mod collapse;
mod decoded_state;
mod encoding;
mod hash;
mod index;
#[cfg(all(test, loom))]
mod loom_tests;
mod lossy;
mod memory_limit;
mod page;
mod part_table;
mod partition;
mod row_table;
mod single_parts;
mod stable_array;
mod string_table;
mod sync;
#[cfg(all(test, not(loom)))]
mod tests;
mod words;

pub use lossy::Storage;
pub use partition::Partition;

pub(crate) use batch::{BATCH_SIZE, Batch};
pub(crate) use collapse::CollapseTable;
pub(crate) use decoded_state::{DecodedState, EncodedNode, PackedChange, PartChange};
pub(crate) use encoding::RowLayout;
pub(crate) use hash::{of_bytes as hash_of_bytes, of_pair as hash_of_pair};
pub(crate) use index::prefetch;
pub(crate) use lossy::LossySet;
pub(crate) use memory_limit::MemoryLimit;
pub(crate) use partition::MAX_PART;
pub(crate) use stable_array::StableArray;
pub(crate) use sync::{AtomicU32, AtomicU64, Ordering};

use std::sync::Arc;

use string_table::StringTable;

/// The id of a stored node. Ids count from 0 in the order of insertion; with several threads, some ids name no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// The store has reached its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreFull;

/// Ids are below this number: the last one is not used.
const NODE_LIMIT: u64 = (1 << 32) - 1;

/// A set of nodes with stable ids, for several threads.
#[derive(Debug)]
pub(crate) struct SharedStore {
    nodes: Nodes,
    limit: Arc<MemoryLimit>,
    /// The memory limit is too small for an empty store.
    unprepared: bool,
}

#[derive(Debug)]
enum Nodes {
    Whole(Box<StringTable>),
    Parts(Box<CollapseTable>),
}

impl SharedStore {
    /// An empty store with a memory limit in bytes.
    pub fn new(partition: Partition, limit: Option<u64>) -> Self {
        let limit = MemoryLimit::new(limit);
        let (nodes, prepared) = match partition {
            Partition::Whole => {
                let table = Box::new(StringTable::new(&limit));
                let prepared = table.prepare();
                (Nodes::Whole(table), prepared)
            }
            Partition::Frames { .. } => {
                let table = Box::new(CollapseTable::new(partition, &limit));
                let prepared = table.prepare();
                (Nodes::Parts(table), prepared)
            }
        };
        SharedStore { nodes, limit, unprepared: prepared.is_err() }
    }

    /// The table of nodes with parts, if nodes have parts.
    pub fn collapsed(&self) -> Option<&CollapseTable> {
        match &self.nodes {
            Nodes::Whole(_) => None,
            Nodes::Parts(table) => Some(table),
        }
    }

    /// Adds a node unless it is known; returns its id and whether it is new. Fast if the node has much in common with the
    /// decoded one. A new node can be loaded quickly afterwards.
    pub fn insert(&self, decoded: &mut DecodedState, node: &[u8]) -> Result<(StateId, bool), StoreFull> {
        match &self.nodes {
            _ if self.unprepared => Err(StoreFull),
            Nodes::Parts(table) => table.insert(decoded, node),
            Nodes::Whole(table) => table.insert(node),
        }
    }

    /// Adds a node to a batch. Fast if the node has much in common with the decoded one, which was loaded.
    pub fn add(&self, decoded: &mut DecodedState, node: &[u8], batch: &mut Batch) -> Result<(), StoreFull> {
        match &self.nodes {
            _ if self.unprepared => Err(StoreFull),
            Nodes::Parts(table) => table.add(decoded, node, batch).map(drop),
            Nodes::Whole(_) => {
                batch.push(node);
                Ok(())
            }
        }
    }

    /// Adds the nodes of a batch unless they are known; lists the id of each and whether it is new. `expect` is called with
    /// the ids of those that are probably known.
    pub fn insert_all(
        &self,
        decoded: &mut DecodedState,
        batch: &mut Batch,
        inserted: &mut Vec<(StateId, bool)>,
        expect: impl Fn(StateId),
    ) -> Result<(), StoreFull> {
        inserted.clear();
        match &self.nodes {
            Nodes::Parts(table) => table.insert_all(decoded, batch, inserted, expect),
            Nodes::Whole(table) => {
                for index in 0..batch.len() {
                    inserted.push(table.insert(batch.get(index))?);
                }
                Ok(())
            }
        }
    }

    /// Makes a node the decoded one and lends its bytes.
    pub fn load<'d>(&self, decoded: &'d mut DecodedState, id: StateId) -> &'d [u8] {
        self.open(decoded, id);
        match &self.nodes {
            Nodes::Parts(table) => table.decode_bytes(decoded),
            Nodes::Whole(_) => &decoded.bytes,
        }
    }

    /// Makes a node the decoded one. Its bytes may be out of date until it is loaded.
    pub fn open(&self, decoded: &mut DecodedState, id: StateId) {
        if decoded.id == Some(id) {
            return;
        }
        match &self.nodes {
            Nodes::Parts(_) if decoded.next_id == Some(id) => decoded.advance(),
            Nodes::Parts(table) => table.open(decoded, id),
            Nodes::Whole(table) => {
                table.read(id, &mut decoded.bytes);
                decoded.id = Some(id);
            }
        }
    }

    /// Prefetches a node.
    pub fn prefetch_node(&self, id: StateId) {
        if let Nodes::Parts(table) = &self.nodes {
            table.prefetch_node(id);
        }
    }

    /// Reads a node.
    pub fn read(&self, id: StateId, bytes: &mut Vec<u8>) {
        match &self.nodes {
            Nodes::Parts(table) => table.read(id, bytes),
            Nodes::Whole(table) => table.read(id, bytes),
        }
    }

    /// The hash of a node, the same in every store with the same partition.
    pub fn hash(&self, id: StateId) -> u64 {
        match &self.nodes {
            Nodes::Parts(table) => table.hash(id),
            Nodes::Whole(table) => table.hash(id),
        }
    }

    /// The hash of the decoded node.
    ///
    /// # Panics
    /// If no node is decoded.
    pub fn hash_of_decoded(&self, decoded: &DecodedState) -> u64 {
        match &self.nodes {
            Nodes::Parts(_) => decoded.encoded.hash(),
            Nodes::Whole(table) => table.hash(decoded.id.expect("a node is decoded")),
        }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.limit.used()
    }
}

/// A set of nodes with stable ids, for one thread.
///
/// ```
/// use lurcher_search::{Partition, Store};
///
/// let mut store = Store::new(Partition::Whole, Some(1 << 20));
/// let (id, new) = store.insert(b"node")?;
/// assert!(new);
/// assert_eq!(store.insert(b"node")?, (id, false));
/// assert_eq!(store.load(id), b"node");
/// # Ok::<(), lurcher_search::StoreFull>(())
/// ```
#[derive(Debug)]
pub struct Store {
    shared: SharedStore,
    decoded: DecodedState,
    len: usize,
}

impl Store {
    /// An empty store with a memory limit in bytes.
    pub fn new(partition: Partition, limit: Option<u64>) -> Self {
        Store { shared: SharedStore::new(partition, limit), decoded: DecodedState::default(), len: 0 }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no nodes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a node unless it is known; returns its id and whether it is new. Fast if the node has much in common with the one
    /// that was loaded last.
    pub fn insert(&mut self, node: &[u8]) -> Result<(StateId, bool), StoreFull> {
        let (id, new) = self.shared.insert(&mut self.decoded, node)?;
        self.len += usize::from(new);
        Ok((id, new))
    }

    /// Lends the bytes of a node. Fast if it was loaded last, or was inserted last and is new, or has much in common with
    /// the node that was loaded last.
    pub fn load(&mut self, id: StateId) -> &[u8] {
        self.shared.load(&mut self.decoded, id)
    }

    /// The shared store and the decoded node of this one, for insertions that [`Store::note_new`] is told of.
    pub(crate) fn parts(&mut self) -> (&SharedStore, &mut DecodedState) {
        (&self.shared, &mut self.decoded)
    }

    /// Counts nodes that were inserted into the shared store.
    pub(crate) fn note_new(&mut self, nodes: usize) {
        self.len += nodes;
    }

    /// Reads a node without loading it.
    pub fn read(&self, id: StateId, bytes: &mut Vec<u8>) {
        self.shared.read(id, bytes);
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.shared.memory()
    }
}
