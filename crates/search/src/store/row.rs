//! Rows that grow without moving: the memory under a store.
//!
//! A row begins in a wide stretch of addresses that is set aside for it, where the system grants that: its elements are
//! found by adding. What does not fit there goes into chunks, each twice as large as the one before, so an element is
//! found with one subtraction and the position of a bit. None ever moves. The memory is zeroed, and the system gives its
//! pages when they are touched; what counts as used is what has been.

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

/// Memory behind this many bytes of a row is given in large pages where the system has such: a search goes everywhere in
/// it, and the processor knows the addresses of few pages by heart.
const LARGE: usize = 32 << 20;

/// Asks for large pages.
fn ask_for_large_pages(start: *mut u8, size: usize) {
    #[cfg(target_os = "linux")]
    if size > LARGE {
        let first = start.align_offset(PAGE as usize);
        // SAFETY: these pages lie inside memory that was just allocated. What they hold does not change, and nothing
        // depends on whether the system follows the advice.
        unsafe { libc::madvise(start.add(first).cast(), size - first, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, size);
}

/// Addresses that are set aside for a row, in bytes; fewer where the system does not grant so many.
const WIDE: &[usize] = if cfg!(all(target_os = "linux", target_pointer_width = "64", not(loom), not(miri))) {
    &[1 << 36, 1 << 34, 1 << 32]
} else {
    &[]
};

/// Has somebody limited the addresses of this process (`ulimit -v`)? Then those that are set aside are missing elsewhere.
#[cfg(target_os = "linux")]
fn addresses_are_scarce() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the system writes into what is lent to it.
    let asked = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    asked == 0 && limit.rlim_cur != libc::RLIM_INFINITY
}

/// A stretch of addresses that was set aside, all zeros; or nothing.
#[derive(Debug)]
struct Wide<T> {
    start: *const T,
    /// Elements that fit.
    len: u64,
    /// Its bytes.
    size: usize,
}

// SAFETY: it owns its elements as a boxed slice does.
unsafe impl<T: Send> Send for Wide<T> {}
// SAFETY: it lends its elements as a boxed slice does.
unsafe impl<T: Sync> Sync for Wide<T> {}

impl<T: Zeroed> Wide<T> {
    fn new() -> Self {
        #[cfg(target_os = "linux")]
        for &size in WIDE.iter().filter(|_| !addresses_are_scarce()) {
            let (protection, flags) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
            // SAFETY: asks for new addresses, wherever there are some.
            let start = unsafe { libc::mmap(std::ptr::null_mut(), size, protection, flags, -1, 0) };
            if start != libc::MAP_FAILED {
                ask_for_large_pages(start.cast::<u8>().wrapping_add(LARGE), size - LARGE);
                return Wide { start: start.cast(), len: (size / size_of::<T>()) as u64, size };
            }
        }
        Wide::nothing()
    }

    fn nothing() -> Self {
        Wide { start: std::ptr::null(), len: 0, size: 0 }
    }

    /// Elements, if they all lie here.
    #[inline]
    fn get(&self, index: u64, len: usize) -> Option<&[T]> {
        if index >= self.len || len as u64 > self.len - index {
            return None;
        }
        // SAFETY: so many elements lie there, zeros are valid elements, and they live as long as this does.
        Some(unsafe { std::slice::from_raw_parts(self.start.add(index as usize), len) })
    }
}

impl<T> Drop for Wide<T> {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if self.size > 0 {
            // SAFETY: these addresses were set aside for this row alone, and nobody holds an element any more.
            unsafe { libc::munmap(self.start.cast_mut().cast(), self.size) };
        }
    }
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
    wide: Wide<T>,
    chunks: [OnceLock<Box<[T]>>; CHUNKS],
    /// Elements of the first chunk, as a power of two.
    first: u32,
    growing: Mutex<()>,
}

impl<T: Zeroed> Row<T> {
    /// An empty row whose first chunk has 2 to the power of `first` elements.
    pub fn new(first: u32) -> Self {
        Row { wide: Wide::new(), ..Row::narrow(first) }
    }

    /// The same for a row of which there are many: nothing is set aside for it.
    pub fn narrow(first: u32) -> Self {
        // Loom keeps a history of every element.
        let first = if cfg!(loom) { first.min(1) } else { first };
        Row { wide: Wide::nothing(), chunks: [const { OnceLock::new() }; CHUNKS], first, growing: Mutex::new(()) }
    }

    /// The chunk of an element that does not lie in the wide stretch, and its place there.
    #[inline]
    fn place(&self, index: u64) -> (usize, usize) {
        let shifted = index - self.wide.len + (1 << self.first);
        let high = 63 - shifted.leading_zeros();
        ((high - self.first) as usize, (shifted ^ (1 << high)) as usize)
    }

    /// An element.
    ///
    /// # Panics
    /// When it was not prepared.
    #[inline]
    pub fn get(&self, index: u64) -> &T {
        &self.slice(index, 1)[0]
    }

    /// Elements that lie in one piece.
    #[inline]
    pub fn slice(&self, index: u64, len: usize) -> &[T] {
        match self.wide.get(index, len) {
            Some(elements) => elements,
            None => self.in_chunk(index, len),
        }
    }

    fn in_chunk(&self, index: u64, len: usize) -> &[T] {
        let (chunk, at) = self.place(index);
        &self.chunks[chunk].get().expect("elements that were prepared")[at..at + len]
    }

    /// The first index from this one on behind which `len` elements lie in one piece.
    pub fn fitting(&self, index: u64, len: u64) -> u64 {
        let mut index = index;
        loop {
            let end = self.piece_end(index);
            if index + len <= end {
                return index;
            }
            index = end;
        }
    }

    /// The first index behind the piece of an element.
    pub fn piece_end(&self, index: u64) -> u64 {
        if index < self.wide.len {
            return self.wide.len;
        }
        let (chunk, at) = self.place(index);
        index - at as u64 + (1 << (chunk as u32 + self.first))
    }

    /// Prepares `len` elements of one piece. Call it once for each element, in any order.
    #[inline]
    pub fn prepare(&self, index: u64, len: u64, allowance: &Allowance) -> Result<(), StoreFull> {
        let wide = index < self.wide.len;
        let (chunk, at) = if wide { (0, index) } else { self.chunk_to_prepare(index)? };
        let size = size_of::<T>() as u64;
        let pages = |elements: u64| (elements * size).div_ceil(PAGE);
        let more = pages(at + len) - pages(at);
        if more > 0 {
            allowance.take(more * PAGE)?;
        }
        if wide { Ok(()) } else { self.chunk(chunk).map(drop) }
    }

    fn chunk_to_prepare(&self, index: u64) -> Result<(usize, u64), StoreFull> {
        let (chunk, at) = self.place(index);
        if chunk < CHUNKS { Ok((chunk, at as u64)) } else { Err(StoreFull) }
    }

    /// An element that another thread may only be about to prepare.
    #[inline]
    pub fn reach(&self, index: u64) -> Result<&T, StoreFull> {
        if let Some(elements) = self.wide.get(index, 1) {
            return Ok(&elements[0]);
        }
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
        for row in [Row::<AtomicU64>::new(3), Row::narrow(3)] {
            keeps_values(&row);
        }
    }

    fn keeps_values(row: &Row<AtomicU64>) {
        let allowance = Allowance::new(None);
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
        for row in [Row::<AtomicU64>::new(3), Row::narrow(3)] {
            let allowance = Allowance::new(Some(3 * PAGE));
            let prepared = (0..).take_while(|&i| row.prepare(i, 1, &allowance).is_ok()).count();
            assert!((8..=3 * PAGE as usize / 8).contains(&prepared), "{prepared}");
            assert!(allowance.used() <= 3 * PAGE);
        }
    }
}
