//! Encoded nodes under their ids.
//!
//! A node is a row of words. Rows lie one behind the other, each as wide as the widest row so far; a wider row, or the end of
//! contiguous memory, begins a new *segment*. There are few segments, and most nodes are in the last two. Each thread fills a
//! *block* of rows of its own, so threads seldom contend here. The rows that a thread leaves in its block stay unused, unless
//! the block is the last one; so with one thread ids have no gaps.

use std::sync::{Arc, Mutex, PoisonError};

use super::index::prefetch;
use super::memory_limit::MemoryLimit;
use super::stable_array::StableArray;
use super::sync::{AtomicU32, AtomicU64, Ordering};
use super::{NODE_LIMIT, StoreFull};

/// Number of segments.
const SEGMENTS: usize = 1 << 10;

/// Words that are prepared at a time: a page.
const PREPARED_WORDS: u64 = 1024;

/// The most rows of a block.
const BLOCK: u64 = if cfg!(loom) { 1 } else { 64 };

/// Rows of the same width.
#[derive(Debug, Default)]
struct Segment {
    /// The id of its first node.
    first: AtomicU64,
    /// The first word of that node.
    start: AtomicU64,
    /// Words of each row.
    width: AtomicU32,
}

/// The end of the last segment.
#[derive(Debug, Default)]
struct Tail {
    /// The next id.
    node: u64,
    /// The first word of the next row.
    word: u64,
    width: usize,
    /// The end of the contiguous memory of the segment.
    end: u64,
    /// The end of the prepared words.
    prepared: u64,
}

/// Rows that one thread may write.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The next id, and the first one behind the block.
    node: u64,
    end: u64,
    /// The first word of the next row.
    word: u64,
    width: usize,
}

/// The tail, which every new block changes, on its own cache lines: all threads read the fields beside it.
#[derive(Debug, Default)]
#[repr(align(128))]
struct AlignedTail(Mutex<Tail>);

/// Encoded nodes under their ids.
#[derive(Debug)]
pub(super) struct RowTable {
    words: StableArray<AtomicU32>,
    segments: Box<[Segment]>,
    /// Number of segments in use.
    count: AtomicU32,
    tail: AlignedTail,
}

impl RowTable {
    pub fn new(limit: &Arc<MemoryLimit>) -> Self {
        RowTable {
            words: StableArray::new(12, limit),
            segments: (0..SEGMENTS).map(|_| Segment::default()).collect(),
            count: AtomicU32::new(0),
            tail: AlignedTail::default(),
        }
    }

    /// The row of a node, which may be wider than the node.
    #[inline]
    pub fn get(&self, id: u32) -> &[AtomicU32] {
        let id = u64::from(id);
        let mut at = self.count.load(Ordering::Acquire) as usize;
        loop {
            at -= 1;
            let segment = &self.segments[at];
            let first = segment.first.load(Ordering::Relaxed);
            if id >= first {
                let width = segment.width.load(Ordering::Relaxed);
                let start = segment.start.load(Ordering::Relaxed) + (id - first) * u64::from(width);
                return self.words.slice(start, width as usize);
            }
        }
    }

    /// Prefetches the row of a node.
    #[inline]
    pub fn prefetch(&self, id: u32) {
        prefetch(&self.get(id)[0]);
    }

    /// Appends a node; returns its id.
    #[inline]
    pub fn push(&self, block: &mut Block, words: &[u32]) -> Result<u32, StoreFull> {
        if block.node == block.end || words.len() > block.width {
            self.refill(block, words.len())?;
        }
        for (to, &word) in self.words.slice(block.word, block.width).iter().zip(words) {
            to.store(word, Ordering::Relaxed);
        }
        block.word += block.width as u64;
        block.node += 1;
        Ok((block.node - 1) as u32)
    }

    /// Gives a thread a new block of rows with at least `width` words.
    #[cold]
    fn refill(&self, block: &mut Block, width: usize) -> Result<(), StoreFull> {
        let mut tail = self.tail.0.lock().unwrap_or_else(PoisonError::into_inner);
        if block.end == tail.node && block.node < block.end {
            (tail.node, tail.word) = (block.node, block.word);
        }
        *block = Block::default();
        if tail.node >= NODE_LIMIT {
            return Err(StoreFull);
        }
        if width > tail.width || tail.word + tail.width as u64 > tail.end {
            self.begin_segment(&mut tail, width)?;
        }
        let nodes = BLOCK.min(NODE_LIMIT - tail.node).min((tail.end - tail.word) / tail.width as u64);
        let end = tail.word + nodes * tail.width as u64;
        if end > tail.prepared {
            let more = (end - tail.prepared).max(PREPARED_WORDS).min(tail.end - tail.prepared);
            self.words.prepare(tail.prepared, more)?;
            tail.prepared += more;
        }
        *block = Block { node: tail.node, end: tail.node + nodes, word: tail.word, width: tail.width };
        (tail.node, tail.word) = (block.end, end);
        Ok(())
    }

    /// Begins a segment of rows with at least `width` words.
    fn begin_segment(&self, tail: &mut Tail, width: usize) -> Result<(), StoreFull> {
        tail.width = tail.width.max(width);
        tail.word = self.words.fitting(tail.word, tail.width as u64);
        tail.end = self.words.contiguous_end(tail.word);
        tail.prepared = tail.prepared.max(tail.word);
        let count = self.count.load(Ordering::Relaxed) as usize;
        let segment = self.segments.get(count).ok_or(StoreFull)?;
        segment.first.store(tail.node, Ordering::Relaxed);
        segment.start.store(tail.word, Ordering::Relaxed);
        segment.width.store(tail.width as u32, Ordering::Relaxed);
        self.count.store(count as u32 + 1, Ordering::Release);
        Ok(())
    }
}
