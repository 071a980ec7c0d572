//! The exact state store: every node once, under a small number.
//!
//! A store is told how nodes are cut into parts ([`Cut`]). Nodes with parts are kept as rows of the numbers of their parts
//! (`columns.rs`), others as they are (`leaves.rs`). Both are found through an index that grows a page at a time
//! (`index.rs`, `page.rs`) and lie in rows that never move (`row.rs`). Comparing bytes decides, so no two nodes are ever
//! taken for the same. A store with a limit refuses a node rather than grow past it, so that a search can stop cleanly
//! with what it has.
//!
//! Many threads may use one [`SharedStore`], each with a [`Unfolded`] node of its own; a [`Store`] is one for a single
//! thread.

mod allowance;
mod batch;
mod columns;
mod cut;
mod form;
mod hash;
mod index;
mod leaves;
#[cfg(all(test, loom))]
mod loom_tests;
mod lossy;
mod page;
mod parts;
mod row;
mod rows;
mod sync;
mod unfolded;
mod words;

pub use batch::{Batch, TOGETHER};
pub use cut::Cut;
pub(crate) use cut::LONG;
pub use lossy::Storage;
pub use unfolded::Unfolded;

pub(crate) use allowance::Allowance;
pub(crate) use form::Shape;
pub(crate) use hash::{of_bytes as hash_of_bytes, of_pair as hash_of_pair};
pub(crate) use index::prefetch;
pub(crate) use lossy::LossySet;
pub(crate) use row::Row;
pub(crate) use sync::{AtomicU32, AtomicU64, Ordering};
pub(crate) use unfolded::{Change, Packed};

use columns::Columns;
use leaves::Leaves;

/// Names a stored node. Nodes are numbered from 0 in the order in which they were stored; where many threads store
/// nodes, a few numbers name none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// The store has reached its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreFull;

/// Where parts may begin, in words.
const PARTS_LIMIT: u64 = (1 << 31) - 1;
/// Numbers that nodes may have: the last one stands for none.
const ROOT_LIMIT: u64 = (1 << 32) - 1;

/// A set of nodes with stable numbers, for many threads.
#[derive(Debug)]
pub struct SharedStore {
    nodes: Nodes,
    allowance: Allowance,
    /// The limit was too small for the smallest store.
    unprepared: bool,
}

#[derive(Debug)]
enum Nodes {
    Whole(Box<Leaves>),
    Columns(Box<Columns>),
}

impl SharedStore {
    /// An empty store that takes at most so many bytes.
    pub fn new(cut: Cut, limit: Option<u64>) -> Self {
        let allowance = Allowance::new(limit);
        let nodes = match cut {
            Cut::Whole => Nodes::Whole(Box::new(Leaves::new())),
            Cut::Frames(..) => Nodes::Columns(Box::new(Columns::new(cut))),
        };
        let prepared = match &nodes {
            Nodes::Whole(leaves) => leaves.prepare(&allowance),
            Nodes::Columns(columns) => columns.prepare(&allowance),
        };
        SharedStore { nodes, allowance, unprepared: prepared.is_err() }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        let len = match &self.nodes {
            Nodes::Whole(leaves) => leaves.len(),
            Nodes::Columns(columns) => columns.len(),
        };
        len as usize
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a node unless it is there; says which it is and whether it is new. The more it has in common with the
    /// unfolded one, the faster. Going to it afterwards takes little.
    pub fn insert(&self, here: &mut Unfolded, node: &[u8]) -> Result<(StateId, bool), StoreFull> {
        if self.unprepared {
            return Err(StoreFull);
        }
        match &self.nodes {
            Nodes::Columns(columns) => columns.insert(here, node, &self.allowance),
            Nodes::Whole(leaves) => {
                leaves.insert(node, hash::of_bytes(node), &self.allowance).map(|(id, new)| (StateId(id), new))
            }
        }
    }

    /// Puts a node to others that are to be stored together. The more it has in common with the unfolded one, which was
    /// loaded, the faster. Says whether it differs from that in parts that are known then.
    pub fn add(&self, here: &mut Unfolded, node: &[u8], batch: &mut Batch) -> Result<bool, StoreFull> {
        let mut alike = false;
        if let Nodes::Columns(columns) = &self.nodes {
            if self.unprepared {
                return Err(StoreFull);
            }
            alike = columns.write(here, node, batch.next(), &self.allowance)?;
        }
        batch.push(node);
        Ok(alike)
    }

    /// The same for a node that differs from the unfolded one in these parts; instead of its hash, each has what it adds to
    /// that of the part before. The batch does not know the bytes of the node.
    ///
    /// # Panics
    /// Where nodes have no parts.
    #[inline]
    pub(crate) fn add_known(
        &self,
        here: &mut Unfolded,
        changes: &[Packed],
        batch: &mut Batch,
    ) -> Result<(), StoreFull> {
        self.columns().write_known(here, changes, batch.next())?;
        batch.push_unknown();
        Ok(())
    }

    /// Finds the parts in which a node differs from the unfolded one, which was loaded. Says whether both are cut in the same
    /// way.
    ///
    /// # Panics
    /// Where nodes have no parts.
    pub(crate) fn compare(&self, here: &mut Unfolded, node: &[u8]) -> Result<bool, StoreFull> {
        let mut next = std::mem::take(&mut here.next);
        let alike = self.columns().write(here, node, &mut next, &self.allowance);
        here.next = next;
        alike
    }

    /// Changes a node of a batch, by what the changes add to the hash. False when it has to be written otherwise; then it
    /// is not to be used any more.
    ///
    /// # Panics
    /// Where nodes have no parts.
    #[inline]
    pub(crate) fn alter(&self, here: &Unfolded, batch: &mut Batch, number: usize, changes: &[Packed]) -> bool {
        self.columns().alter(here, &mut batch.written()[number], changes)
    }

    /// Asks for the place of a node of a batch.
    ///
    /// # Panics
    /// Where nodes have no parts.
    pub(crate) fn prefetch(&self, batch: &mut Batch, number: usize) {
        self.columns().prefetch(&mut batch.written()[number]);
    }

    /// Writes a node of a batch once more, which differs from the unfolded one in these parts.
    ///
    /// # Panics
    /// Where nodes have no parts.
    pub(crate) fn rewrite_known(
        &self,
        here: &mut Unfolded,
        changes: &[Packed],
        batch: &mut Batch,
        number: usize,
    ) -> Result<(), StoreFull> {
        self.columns().write_known(here, changes, &mut batch.written()[number])
    }

    /// Makes a node of a batch the unfolded one, and lends its bytes.
    ///
    /// # Panics
    /// Where nodes have no parts.
    pub(crate) fn load_written<'h>(&self, here: &'h mut Unfolded, batch: &mut Batch, number: usize) -> &'h [u8] {
        self.columns().open_written(here, &batch.written()[number]);
        &here.bytes
    }

    fn columns(&self) -> &Columns {
        let Nodes::Columns(columns) = &self.nodes else { panic!("nodes have no parts") };
        columns
    }

    /// Is a node of a batch in the store? Another thread may just be storing it.
    ///
    /// # Panics
    /// Where nodes have no parts.
    pub(crate) fn has(&self, here: &Unfolded, batch: &mut Batch, number: usize) -> bool {
        self.columns().has(here, &mut batch.written()[number])
    }

    /// Puts another node in the place of one of a batch, which does not know its bytes.
    ///
    /// # Panics
    /// Where nodes have no parts.
    pub(crate) fn rewrite(
        &self,
        here: &mut Unfolded,
        node: &[u8],
        batch: &mut Batch,
        number: usize,
    ) -> Result<(), StoreFull> {
        self.columns().write(here, node, &mut batch.written()[number], &self.allowance).map(drop)
    }

    /// Adds nodes unless they are there; says of each which it is and whether it is new. `expected` is told of those that
    /// are probably there.
    pub fn insert_all(
        &self,
        here: &mut Unfolded,
        batch: &mut Batch,
        found: &mut Vec<(StateId, bool)>,
        expected: impl Fn(StateId),
    ) -> Result<(), StoreFull> {
        found.clear();
        if let Nodes::Columns(columns) = &self.nodes {
            return columns.insert_all(here, batch.written(), found, &self.allowance, expected);
        }
        for node in batch.iter() {
            found.push(self.insert(here, node)?);
        }
        Ok(())
    }

    /// Makes a node the unfolded one and lends its bytes.
    pub fn load<'h>(&self, here: &'h mut Unfolded, id: StateId) -> &'h [u8] {
        self.open(here, id);
        if let Nodes::Columns(columns) = &self.nodes {
            columns.unfold(here);
        }
        &here.bytes
    }

    /// Makes a node the unfolded one. Its bytes may be missing until it is loaded.
    pub(crate) fn open(&self, here: &mut Unfolded, id: StateId) {
        if here.id == Some(id) {
            return;
        }
        match &self.nodes {
            Nodes::Columns(_) if here.next_id == Some(id) => here.follow(),
            Nodes::Columns(columns) => columns.open(here, id),
            Nodes::Whole(leaves) => {
                here.bytes.clear();
                leaves.read(id.0, &mut here.bytes);
                here.id = Some(id);
            }
        }
    }

    /// Asks the processor to fetch a node.
    pub(crate) fn prefetch_node(&self, id: StateId) {
        if let Nodes::Columns(columns) = &self.nodes {
            columns.prefetch_node(id);
        }
    }

    /// The bytes of a node.
    pub fn read(&self, id: StateId, bytes: &mut Vec<u8>) {
        match &self.nodes {
            Nodes::Columns(columns) => columns.read(id, bytes),
            Nodes::Whole(leaves) => {
                bytes.clear();
                leaves.read(id.0, bytes);
            }
        }
    }

    /// A hash of a node's bytes, the same in every store that cuts nodes in this way.
    pub fn hash(&self, id: StateId) -> u64 {
        match &self.nodes {
            Nodes::Columns(columns) => columns.hash(id.0),
            Nodes::Whole(leaves) => leaves.hash(id.0),
        }
    }

    /// The same for the unfolded node.
    ///
    /// # Panics
    /// When no node is unfolded.
    pub fn hash_here(&self, here: &Unfolded) -> u64 {
        match &self.nodes {
            Nodes::Columns(_) => here.hash(),
            Nodes::Whole(leaves) => leaves.hash(here.id.expect("a node that was loaded").0),
        }
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> u64 {
        self.allowance.used()
    }
}

/// A set of nodes with stable numbers, for one thread.
///
/// ```
/// use lurcher_search::{Cut, Store};
///
/// let mut store = Store::new(Cut::Whole, Some(1 << 20));
/// let (id, new) = store.insert(b"node")?;
/// assert!(new);
/// assert_eq!(store.insert(b"node")?, (id, false));
/// assert_eq!(store.load(id), b"node");
/// # Ok::<(), lurcher_search::StoreFull>(())
/// ```
#[derive(Debug)]
pub struct Store {
    shared: SharedStore,
    here: Unfolded,
    len: usize,
}

impl Store {
    /// An empty store that takes at most so many bytes.
    pub fn new(cut: Cut, limit: Option<u64>) -> Self {
        Store { shared: SharedStore::new(cut, limit), here: Unfolded::default(), len: 0 }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a node unless it is there; says which it is and whether it is new. The more it has in common with the node
    /// that was loaded last, the faster.
    pub fn insert(&mut self, node: &[u8]) -> Result<(StateId, bool), StoreFull> {
        let (id, new) = self.shared.insert(&mut self.here, node)?;
        self.len += usize::from(new);
        Ok((id, new))
    }

    /// Lends the bytes of a node. Takes little when it is the node that was loaded last, or was inserted last and new;
    /// otherwise the less the more the node has in common with the one that was loaded last.
    pub fn load(&mut self, id: StateId) -> &[u8] {
        self.shared.load(&mut self.here, id)
    }

    /// Reads the bytes of a node, without making it the one that others are compared with.
    pub fn read(&self, id: StateId, bytes: &mut Vec<u8>) {
        self.shared.read(id, bytes);
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> u64 {
        self.shared.memory()
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
