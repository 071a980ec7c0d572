//! Nodes, written as a few words each, under numbers.
//!
//! Nodes are written one behind the other, each in as many words as the longest so far needs; when a longer one comes,
//! or a piece of memory ends, a new *stretch* begins. There are few stretches, and most nodes are in the last two. Each
//! thread has a *block* of places to itself, so that threads seldom meet here; what it leaves of it nobody else uses,
//! unless the block was the last one. So with one thread numbers have no gaps.

use std::sync::{Mutex, PoisonError};

use super::allowance::Allowance;
use super::row::Row;
use super::sync::{AtomicU32, AtomicU64, Ordering};
use super::{ROOT_LIMIT, StoreFull};

/// Stretches that there may be.
const STRETCHES: usize = 1 << 10;

/// Words that are prepared at a time: a page.
const AT_A_TIME: u64 = 1024;

/// The most places of a block.
const BLOCK: u64 = if cfg!(loom) { 1 } else { 64 };

/// Nodes that take the same number of words.
#[derive(Debug, Default)]
struct Stretch {
    /// The number of its first node.
    first: AtomicU64,
    /// The first word of that.
    start: AtomicU64,
    /// Words of each node.
    width: AtomicU32,
}

/// Where the next node goes.
#[derive(Debug, Default)]
struct Next {
    node: u64,
    word: u64,
    width: usize,
    /// The end of the piece of memory that the stretch lies in.
    end: u64,
    /// Words up to here have been prepared.
    prepared: u64,
}

/// Places for nodes that one thread may write.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The next node, and the first one that is not in the block.
    node: u64,
    end: u64,
    /// Where the next node goes.
    word: u64,
    width: usize,
}

/// What changes with every block, on cache lines of its own: all threads read what lies beside it.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Busy(Mutex<Next>);

/// Nodes under numbers.
#[derive(Debug)]
pub(super) struct Rows {
    words: Row<AtomicU32>,
    stretches: Box<[Stretch]>,
    /// How many stretches there are.
    count: AtomicU32,
    busy: Busy,
}

impl Rows {
    pub fn new() -> Self {
        Rows {
            words: Row::new(12),
            stretches: (0..STRETCHES).map(|_| Stretch::default()).collect(),
            count: AtomicU32::new(0),
            busy: Busy::default(),
        }
    }

    /// The words of a node, and perhaps some more.
    #[inline]
    pub fn get(&self, id: u32) -> &[AtomicU32] {
        let id = u64::from(id);
        let mut at = self.count.load(Ordering::Acquire) as usize;
        loop {
            at -= 1;
            let stretch = &self.stretches[at];
            let first = stretch.first.load(Ordering::Relaxed);
            if id >= first {
                let width = stretch.width.load(Ordering::Relaxed);
                let start = stretch.start.load(Ordering::Relaxed) + (id - first) * u64::from(width);
                return self.words.slice(start, width as usize);
            }
        }
    }

    /// Asks the processor to fetch a node.
    #[inline]
    pub fn prefetch(&self, id: u32) {
        super::index::prefetch(&self.get(id)[0]);
    }

    /// Adds a node.
    #[inline]
    pub fn push(&self, block: &mut Block, words: &[u32], allowance: &Allowance) -> Result<u32, StoreFull> {
        if block.node == block.end || words.len() > block.width {
            self.refill(block, words.len(), allowance)?;
        }
        for (to, &word) in self.words.slice(block.word, block.width).iter().zip(words) {
            to.store(word, Ordering::Relaxed);
        }
        block.word += block.width as u64;
        block.node += 1;
        Ok((block.node - 1) as u32)
    }

    /// Makes room for nodes of at least so many words.
    #[cold]
    fn refill(&self, block: &mut Block, width: usize, allowance: &Allowance) -> Result<(), StoreFull> {
        let mut next = self.busy.0.lock().unwrap_or_else(PoisonError::into_inner);
        if block.end == next.node && block.node < block.end {
            (next.node, next.word) = (block.node, block.word);
        }
        *block = Block::default();
        if next.node >= ROOT_LIMIT {
            return Err(StoreFull);
        }
        if width > next.width || next.word + next.width as u64 > next.end {
            self.begin(&mut next, width)?;
        }
        let nodes = BLOCK.min(ROOT_LIMIT - next.node).min((next.end - next.word) / next.width as u64);
        let behind = next.word + nodes * next.width as u64;
        if behind > next.prepared {
            // Some more than needed, so that this is seldom done.
            let more = (behind - next.prepared).max(AT_A_TIME).min(next.end - next.prepared);
            self.words.prepare(next.prepared, more, allowance)?;
            next.prepared += more;
        }
        *block = Block { node: next.node, end: next.node + nodes, word: next.word, width: next.width };
        (next.node, next.word) = (block.end, behind);
        Ok(())
    }

    /// Begins a stretch for nodes of at least so many words.
    fn begin(&self, next: &mut Next, width: usize) -> Result<(), StoreFull> {
        next.width = next.width.max(width);
        next.word = self.words.fitting(next.word, next.width as u64);
        next.end = self.words.piece_end(next.word);
        next.prepared = next.prepared.max(next.word);
        let count = self.count.load(Ordering::Relaxed) as usize;
        let stretch = self.stretches.get(count).ok_or(StoreFull)?;
        stretch.first.store(next.node, Ordering::Relaxed);
        stretch.start.store(next.word, Ordering::Relaxed);
        stretch.width.store(next.width as u32, Ordering::Relaxed);
        self.count.store(count as u32 + 1, Ordering::Release);
        Ok(())
    }
}
