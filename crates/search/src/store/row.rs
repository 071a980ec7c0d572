//! Rows that grow without moving: the memory under a store.
//!
//! A row is a sequence of chunks, each twice as large as the one before, so an element is found with one subtraction
//! and the position of a bit, and none ever moves. Chunks come zeroed from the system, which gives the pages when they
//! are touched; what counts as used is what has been.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::{OnceLock, PoisonError};

use super::StoreFull;
use super::allowance::Allowance;
use super::sync::{AtomicU32, AtomicU64, Mutex};

/// Chunks beyond this one would have more elements than can be named.
const CHUNKS: usize = 40;
/// What is taken of an allowance at a time.
const PAGE: u64 = 4096;

/// A type for which memory filled with zeros is a value.
///
/// # Safety
/// All bytes zero must be a valid value that owns nothing.
pub(crate) unsafe trait Zeroed: Sized {
    /// Many of them.
    fn many(count: usize) -> Option<Box<[Self]>> {
        let layout = Layout::array::<Self>(count).ok().filter(|l| l.size() > 0)?;
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) }.cast::<Self>();
        if start.is_null() {
            return None;
        }
        ask_for_large_pages(start.cast(), layout.size());
        // SAFETY: the memory was allocated for so many elements with the layout that a boxed slice of them has, and
        // zeros are valid elements.
        Some(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, count)) })
    }
}

/// Memory of this size is given in large pages where the system has such: a search goes everywhere in it, and the
/// processor knows the addresses of few pages by heart.
const LARGE: usize = 4 << 20;

/// Asks for large pages.
fn ask_for_large_pages(start: *mut u8, size: usize) {
    #[cfg(target_os = "linux")]
    if size >= LARGE {
        let first = start.align_offset(PAGE as usize);
        // SAFETY: these pages lie inside memory that was just allocated. What they hold does not change, and nothing
        // depends on whether the system follows the advice.
        unsafe { libc::madvise(start.add(first).cast(), size - first, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, size);
}

// SAFETY: an atomic integer is laid out as the integer is.
#[cfg(not(loom))]
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: the same.
#[cfg(not(loom))]
unsafe impl Zeroed for AtomicU64 {}

// SAFETY: `many` does not use zeroed memory here.
#[cfg(loom)]
unsafe impl Zeroed for AtomicU32 {
    fn many(count: usize) -> Option<Box<[Self]>> {
        Some((0..count).map(|_| AtomicU32::new(0)).collect())
    }
}
// SAFETY: `many` does not use zeroed memory here.
#[cfg(loom)]
unsafe impl Zeroed for AtomicU64 {
    fn many(count: usize) -> Option<Box<[Self]>> {
        Some((0..count).map(|_| AtomicU64::new(0)).collect())
    }
}

/// A row of elements, those that were prepared.
#[derive(Debug)]
pub(crate) struct Row<T> {
    chunks: [OnceLock<Box<[T]>>; CHUNKS],
    /// Elements of the first chunk, as a power of two.
    first: u32,
    growing: Mutex<()>,
}

impl<T: Zeroed> Row<T> {
    /// An empty row whose first chunk has 2 to the power of `first` elements.
    pub fn new(first: u32) -> Self {
        // Loom keeps a history of every element.
        let first = if cfg!(loom) { first.min(1) } else { first };
        Row { chunks: [const { OnceLock::new() }; CHUNKS], first, growing: Mutex::new(()) }
    }

    /// The chunk of an element and its place there.
    #[inline]
    fn place(&self, index: u64) -> (usize, usize) {
        let shifted = index + (1 << self.first);
        let high = 63 - shifted.leading_zeros();
        ((high - self.first) as usize, (shifted ^ (1 << high)) as usize)
    }

    /// An element.
    ///
    /// # Panics
    /// When it was not prepared.
    #[inline]
    pub fn get(&self, index: u64) -> &T {
        let (chunk, at) = self.place(index);
        &self.chunks[chunk].get().expect("an element that was prepared")[at]
    }

    /// Elements that lie in one chunk.
    #[inline]
    pub fn slice(&self, index: u64, len: usize) -> &[T] {
        let (chunk, at) = self.place(index);
        &self.chunks[chunk].get().expect("elements that were prepared")[at..at + len]
    }

    /// The first index from this one on behind which `len` elements lie in one chunk.
    pub fn fitting(&self, index: u64, len: u64) -> u64 {
        let mut index = index;
        loop {
            let (chunk, at) = self.place(index);
            let size = 1 << (chunk as u32 + self.first);
            if at as u64 + len <= size {
                return index;
            }
            index += size - at as u64;
        }
    }

    /// The first index behind the chunk of an element.
    pub fn chunk_end(&self, index: u64) -> u64 {
        let (chunk, at) = self.place(index);
        index - at as u64 + (1 << (chunk as u32 + self.first))
    }

    /// Prepares `len` elements of one chunk. Call it once for each element, in any order.
    pub fn prepare(&self, index: u64, len: u64, allowance: &Allowance) -> Result<(), StoreFull> {
        let (chunk, at) = self.place(index);
        if chunk >= CHUNKS {
            return Err(StoreFull);
        }
        let size = std::mem::size_of::<T>() as u64;
        let pages = |elements: u64| (elements * size).div_ceil(PAGE);
        let more = pages(at as u64 + len) - pages(at as u64);
        if more > 0 {
            allowance.take(more * PAGE)?;
        }
        self.chunk(chunk).map(drop)
    }

    /// An element that another thread may only be about to prepare.
    #[inline]
    pub fn reach(&self, index: u64) -> Result<&T, StoreFull> {
        let (chunk, at) = self.place(index);
        Ok(&self.chunk(chunk)?[at])
    }

    #[inline]
    fn chunk(&self, chunk: usize) -> Result<&[T], StoreFull> {
        match self.chunks[chunk].get() {
            Some(elements) => Ok(elements),
            None => self.grow(chunk),
        }
    }

    #[cold]
    fn grow(&self, chunk: usize) -> Result<&[T], StoreFull> {
        let _growing = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.chunks[chunk].get().is_none() {
            let new = T::many(1 << (chunk as u32 + self.first)).ok_or(StoreFull)?;
            let _ = self.chunks[chunk].set(new);
        }
        Ok(self.chunks[chunk].get().expect("just made"))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::sync::Ordering;
    use super::*;

    #[test]
    fn elements_keep_their_values_and_slices_do_not_cross_chunks() {
        let (row, allowance) = (Row::<AtomicU64>::new(3), Allowance::new(None));
        let mut at = 0;
        let mut starts = Vec::new();
        for len in (1..9).cycle().take(500) {
            let start = row.fitting(at, len);
            row.prepare(start, len, &allowance).unwrap();
            for (i, word) in row.slice(start, len as usize).iter().enumerate() {
                assert_eq!(word.load(Ordering::Relaxed), 0);
                word.store(start + i as u64, Ordering::Relaxed);
            }
            starts.push((start, len));
            at = start + len;
        }
        for (start, len) in starts {
            assert!((start..start + len).all(|i| row.get(i).load(Ordering::Relaxed) == i));
        }
        assert!(allowance.used() >= at * 8);
    }

    #[test]
    fn a_row_ends_where_its_allowance_does() {
        let (row, allowance) = (Row::<AtomicU64>::new(3), Allowance::new(Some(3 * PAGE)));
        let prepared = (0..).take_while(|&i| row.prepare(i, 1, &allowance).is_ok()).count();
        assert!((8..=3 * PAGE as usize / 8).contains(&prepared), "{prepared}");
        assert!(allowance.used() <= 3 * PAGE);
    }
}
