//! All interleavings of two threads at an index, and at a store of whole nodes, as loom makes them:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom LOOM_MAX_PREEMPTIONS=3 \
//!     cargo test --release -p lurcher-search --lib loom
//! ```
//!
//! With loom, a page has one bucket and is split at three entries, so that a few insertions meet all there is: readers
//! without a lock, a page that is split under them, a directory that doubles.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;

use super::hash::of_pair;
use super::index::{Index, Probe};
use super::memory_limit::MemoryLimit;
use super::{DecodedState, Partition, SharedStore, StateId, StoreFull};

/// An index of a few values, and the data that each entry names. As in a store, the data is written before the entry can be
/// found, with relaxed ordering.
struct TestIndex {
    index: Index,
    named: Vec<AtomicU32>,
}

fn hash(value: u32) -> u64 {
    of_pair(u64::from(value) + 7, 12)
}

impl TestIndex {
    fn new(known: &[u32]) -> Arc<TestIndex> {
        let index = Index::new(&MemoryLimit::new(None));
        index.prepare().unwrap();
        let tested = TestIndex { index, named: (0..8).map(|_| AtomicU32::new(0)).collect() };
        known.iter().for_each(|&value| assert!(tested.insert(value)));
        Arc::new(tested)
    }

    fn is(&self, entry: u32, value: u32) -> bool {
        let named = self.named[entry as usize].load(Ordering::Relaxed);
        assert_eq!(named, entry + 1, "the data of a found entry is visible");
        named == value + 1
    }

    fn find(&self, value: u32) -> bool {
        self.index.find(Probe::of(hash(value)), |entry| self.is(entry, value)).is_some()
    }

    /// Inserts as stores do: a lookup without a lock, then one with a lock.
    fn insert(&self, value: u32) -> bool {
        if self.find(value) {
            return false;
        }
        let make = || -> Result<u32, StoreFull> {
            self.named[value as usize].store(value + 1, Ordering::Relaxed);
            Ok(value)
        };
        let is = |entry: u32| self.is(entry, value);
        let (entry, new) = self.index.insert(Probe::of(hash(value)), is, make, hash).unwrap();
        assert_eq!(entry, value);
        new
    }
}

/// Two threads insert values; each is new to exactly one of them, and found by both.
fn insert_both(known: &'static [u32], first: &'static [u32], second: &'static [u32]) {
    loom::model(move || {
        let tested = TestIndex::new(known);
        let other = {
            let tested = tested.clone();
            thread::spawn(move || second.iter().map(|&v| tested.insert(v)).collect::<Vec<bool>>())
        };
        let mine: Vec<bool> = first.iter().map(|&v| tested.insert(v)).collect();
        let theirs = other.join().unwrap();
        for value in 0..8 {
            let news =
                |values: &[u32], new: &[bool]| values.iter().zip(new).filter(|(v, n)| **v == value && **n).count();
            let count = news(first, &mine) + news(second, &theirs) + usize::from(known.contains(&value));
            let inserted = known.contains(&value) || first.contains(&value) || second.contains(&value);
            assert_eq!(count, usize::from(inserted), "value {value}");
            assert_eq!(tested.find(value), inserted, "value {value}");
        }
    });
}

#[test]
fn a_value_is_new_to_one_of_two_threads() {
    insert_both(&[], &[1], &[1]);
    insert_both(&[0], &[1, 2], &[2, 1]);
}

#[test]
fn entries_are_found_while_their_page_is_split() {
    insert_both(&[0, 1], &[2, 3], &[0, 1]);
}

#[test]
fn pages_that_two_threads_split_at_once_keep_their_entries() {
    insert_both(&[0, 1, 2], &[3], &[4]);
    insert_both(&[0, 1, 2], &[3], &[3]);
}

#[test]
fn two_threads_agree_on_the_numbers_of_nodes() {
    loom::model(|| {
        let store = Arc::new(SharedStore::new(Partition::Whole, None));
        let run = |nodes: [&'static [u8]; 2]| {
            let store = store.clone();
            move || nodes.map(|node| store.insert(&mut DecodedState::default(), node).unwrap())
        };
        let other = thread::spawn(run([b"first node", b"second"]));
        let mine = run([b"second", b"first node"])();
        let theirs = other.join().unwrap();
        assert_eq!((mine[0].0, mine[1].0), (theirs[1].0, theirs[0].0));
        assert!(mine[0].1 != theirs[1].1 && mine[1].1 != theirs[0].1);
        let mut bytes = Vec::new();
        for (id, node) in [(mine[0].0, &b"second"[..]), (mine[1].0, b"first node")] {
            assert!(id == StateId(0) || id == StateId(1));
            store.read(id, &mut bytes);
            assert_eq!(bytes, node);
        }
    });
}
