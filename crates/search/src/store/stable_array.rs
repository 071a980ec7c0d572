//! Arrays that grow without moving their elements: the memory of a store.
//!
//! An array begins in a large reserved range of addresses, if the system grants one: an element is found by an addition. Elements
//! beyond it lie in chunks, each twice as large as the one before: an element is found by a subtraction and the position of a
//! bit. All memory is zeroed. The system maps its pages when they are first touched, and only prepared elements count as
//! used.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::{Arc, OnceLock, PoisonError};

use super::StoreFull;
use super::memory_limit::MemoryLimit;
use super::sync::{AtomicU32, AtomicU64, Mutex, Ordering};

/// Chunks of an array. More would hold more elements than 64 bits can number.
const CHUNKS: usize = 40;
/// The unit of reservations of a memory limit.
const PAGE: u64 = 4096;

/// A type for which memory filled with zeros is a value.
///
/// # Safety
/// All bytes zero must be a valid value that owns nothing.
pub(crate) unsafe trait Zeroed: Sized {
    /// A zero; loom's atomics are not plain memory.
    #[cfg(loom)]
    fn zero() -> Self;

    /// A slice of zeros.
    #[cfg(loom)]
    fn zeros(count: usize) -> Option<Box<[Self]>> {
        Some((0..count).map(|_| Self::zero()).collect())
    }

    /// A slice of zeros.
    #[cfg(not(loom))]
    fn zeros(count: usize) -> Option<Box<[Self]>> {
        let layout = Layout::array::<Self>(count).ok().filter(|l| l.size() > 0)?;
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) }.cast::<Self>();
        if start.is_null() {
            return None;
        }
        advise_huge_pages(start.cast(), layout.size());
        // SAFETY: the memory was allocated for this many elements with the layout of a boxed slice of them, and zeros are
        // valid elements.
        Some(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, count)) })
    }
}

// SAFETY: an atomic integer is laid out as the integer is.
unsafe impl Zeroed for AtomicU32 {
    #[cfg(loom)]
    fn zero() -> Self {
        AtomicU32::new(0)
    }
}

// SAFETY: an atomic integer is laid out as the integer is.
unsafe impl Zeroed for AtomicU64 {
    #[cfg(loom)]
    fn zero() -> Self {
        AtomicU64::new(0)
    }
}

/// An array uses huge pages behind this many bytes. A search accesses it at random, and huge pages cause fewer TLB misses.
const HUGE_PAGES_FROM: usize = 32 << 20;

/// Asks the system for huge pages.
fn advise_huge_pages(start: *mut u8, size: usize) {
    #[cfg(target_os = "linux")]
    if size > HUGE_PAGES_FROM {
        let first = start.align_offset(PAGE as usize);
        // SAFETY: these pages lie inside memory that was just allocated. The advice does not change their contents.
        unsafe { libc::madvise(start.add(first).cast(), size - first, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, size);
}

/// Sizes of reserved ranges, in bytes; the first one that the system grants is used.
const RESERVED_SIZES: &[usize] = if cfg!(all(target_os = "linux", target_pointer_width = "64", not(loom), not(miri))) {
    &[1 << 36, 1 << 34, 1 << 32]
} else {
    &[]
};

/// Whether the address space of this process is limited (`ulimit -v`). Then reserved ranges would exhaust it.
#[cfg(target_os = "linux")]
fn address_space_is_limited() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the system writes into the structure that it is given.
    let status = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    status == 0 && limit.rlim_cur != libc::RLIM_INFINITY
}

/// A reserved range of addresses, filled with zeros; may be empty.
#[derive(Debug)]
struct ReservedRange<T> {
    start: *const T,
    /// Elements that fit.
    len: u64,
    /// Its bytes.
    size: usize,
}

// SAFETY: it owns its elements as a boxed slice does.
unsafe impl<T: Send> Send for ReservedRange<T> {}
// SAFETY: it lends its elements as a boxed slice does.
unsafe impl<T: Sync> Sync for ReservedRange<T> {}

impl<T: Zeroed> ReservedRange<T> {
    fn new() -> Self {
        #[cfg(target_os = "linux")]
        for &size in RESERVED_SIZES.iter().filter(|_| !address_space_is_limited()) {
            let (protection, flags) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
            // SAFETY: maps new addresses, wherever the system chooses.
            let start = unsafe { libc::mmap(std::ptr::null_mut(), size, protection, flags, -1, 0) };
            if start != libc::MAP_FAILED {
                advise_huge_pages(start.cast::<u8>().wrapping_add(HUGE_PAGES_FROM), size - HUGE_PAGES_FROM);
                return ReservedRange { start: start.cast(), len: (size / size_of::<T>()) as u64, size };
            }
        }
        ReservedRange::empty()
    }

    fn empty() -> Self {
        ReservedRange { start: std::ptr::null(), len: 0, size: 0 }
    }

    /// Elements, if they all lie in the range.
    #[inline]
    fn get(&self, index: u64, len: usize) -> Option<&[T]> {
        if index >= self.len || len as u64 > self.len - index {
            return None;
        }
        // SAFETY: this many elements lie there, zeros are valid elements, and they live as long as the range does.
        Some(unsafe { std::slice::from_raw_parts(self.start.add(index as usize), len) })
    }
}

impl<T> Drop for ReservedRange<T> {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if self.size > 0 {
            // SAFETY: the range was mapped for this array alone, and no element is borrowed any more.
            unsafe { libc::munmap(self.start.cast_mut().cast(), self.size) };
        }
    }
}

/// An array that grows without moving its elements. Elements are prepared before they are used.
#[derive(Debug)]
pub(crate) struct StableArray<T> {
    reserved: ReservedRange<T>,
    chunks: [OnceLock<Box<[T]>>; CHUNKS],
    /// Binary logarithm of the length of the first chunk.
    first: u32,
    growing: Mutex<()>,
    limit: Arc<MemoryLimit>,
}

impl<T: Zeroed> StableArray<T> {
    /// An empty array whose first chunk has 2^`first` elements.
    pub fn new(first: u32, limit: &Arc<MemoryLimit>) -> Self {
        StableArray { reserved: ReservedRange::new(), ..StableArray::in_chunks(first, limit) }
    }

    /// The same without a reserved range, for arrays of which there are many.
    pub fn in_chunks(first: u32, limit: &Arc<MemoryLimit>) -> Self {
        StableArray {
            reserved: ReservedRange::empty(),
            chunks: [const { OnceLock::new() }; CHUNKS],
            // Loom keeps a history of every element.
            first: if cfg!(loom) { first.min(1) } else { first },
            growing: Mutex::new(()),
            limit: limit.clone(),
        }
    }

    /// The memory limit that the array counts against.
    pub fn limit(&self) -> &MemoryLimit {
        &self.limit
    }

    /// The chunk of an element behind the reserved range, and its index in the chunk.
    #[inline]
    fn position(&self, index: u64) -> (usize, usize) {
        let shifted = index - self.reserved.len + (1 << self.first);
        let high = 63 - shifted.leading_zeros();
        ((high - self.first) as usize, (shifted ^ (1 << high)) as usize)
    }

    /// A prepared element.
    ///
    /// # Panics
    /// If it was not prepared.
    #[inline]
    pub fn get(&self, index: u64) -> &T {
        &self.slice(index, 1)[0]
    }

    /// Prepared elements that are contiguous.
    #[inline]
    pub fn slice(&self, index: u64, len: usize) -> &[T] {
        match self.reserved.get(index, len) {
            Some(elements) => elements,
            None => self.slice_of_chunk(index, len),
        }
    }

    fn slice_of_chunk(&self, index: u64, len: usize) -> &[T] {
        let (chunk, at) = self.position(index);
        &self.chunks[chunk].get().expect("the elements were prepared")[at..at + len]
    }

    /// The first index from `index` on where `len` elements are contiguous.
    pub fn fitting(&self, mut index: u64, len: u64) -> u64 {
        loop {
            let end = self.contiguous_end(index);
            if index + len <= end {
                return index;
            }
            index = end;
        }
    }

    /// The first index behind the chunk or range of an element.
    pub fn contiguous_end(&self, index: u64) -> u64 {
        if index < self.reserved.len {
            return self.reserved.len;
        }
        let (chunk, at) = self.position(index);
        index - at as u64 + (1 << (chunk as u32 + self.first))
    }

    /// Prepares `len` contiguous elements. To be called once for each element, in any order.
    #[inline]
    pub fn prepare(&self, index: u64, len: u64) -> Result<(), StoreFull> {
        let reserved = index < self.reserved.len;
        let (chunk, at) = if reserved { (0, index) } else { self.position_to_prepare(index)? };
        let pages = |elements: u64| (elements * size_of::<T>() as u64).div_ceil(PAGE);
        let more = pages(at + len) - pages(at);
        if more > 0 {
            self.limit.reserve(more * PAGE)?;
        }
        if reserved { Ok(()) } else { self.chunk(chunk).map(drop) }
    }

    fn position_to_prepare(&self, index: u64) -> Result<(usize, u64), StoreFull> {
        let (chunk, at) = self.position(index);
        if chunk < CHUNKS { Ok((chunk, at as u64)) } else { Err(StoreFull) }
    }

    /// An element that another thread may be about to prepare.
    #[inline]
    pub fn reach(&self, index: u64) -> Result<&T, StoreFull> {
        if let Some(elements) = self.reserved.get(index, 1) {
            return Ok(&elements[0]);
        }
        let (chunk, at) = self.position(index);
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
            let new = T::zeros(1 << (chunk as u32 + self.first)).ok_or(StoreFull)?;
            let _ = self.chunks[chunk].set(new);
        }
        Ok(self.chunks[chunk].get().expect("the chunk was allocated"))
    }
}

/// An append-only array of words from which threads allocate slices.
#[derive(Debug)]
pub(super) struct WordArena {
    words: StableArray<AtomicU64>,
    /// Words allocated.
    end: AtomicU64,
}

impl WordArena {
    pub fn new(limit: &Arc<MemoryLimit>) -> Self {
        WordArena { words: StableArray::new(9, limit), end: AtomicU64::new(0) }
    }

    /// The words of a slice that begins here.
    #[inline]
    pub fn slice(&self, start: u64, len: usize) -> &[AtomicU64] {
        self.words.slice(start, len)
    }

    /// Allocates a slice that begins below `max_start`; returns its first index.
    pub fn allocate(&self, len: u64, max_start: u64) -> Result<u64, StoreFull> {
        let mut end = self.end.load(Ordering::Relaxed);
        let start = loop {
            let start = self.words.fitting(end, len);
            match self.end.compare_exchange_weak(end, start + len, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break start,
                Err(now) => end = now,
            }
        };
        if start >= max_start {
            return Err(StoreFull);
        }
        self.words.prepare(start, len).map(|()| start)
    }
}

/// Loads a word.
#[inline]
pub(super) fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn arrays(limit: Option<u64>) -> [StableArray<AtomicU64>; 2] {
        let limits = [MemoryLimit::new(limit), MemoryLimit::new(limit)];
        [StableArray::new(3, &limits[0]), StableArray::in_chunks(3, &limits[1])]
    }

    #[test]
    fn elements_keep_their_values_and_slices_do_not_cross_chunks() {
        for array in arrays(None) {
            let mut at = 0;
            let mut starts = Vec::new();
            for len in (1..9).cycle().take(500) {
                let start = array.fitting(at, len);
                array.prepare(start, len).unwrap();
                for (i, word) in array.slice(start, len as usize).iter().enumerate() {
                    assert_eq!(load(word), 0);
                    word.store(start + i as u64, Ordering::Relaxed);
                }
                starts.push((start, len));
                at = start + len;
            }
            for (start, len) in starts {
                assert!((start..start + len).all(|i| load(array.get(i)) == i));
            }
            assert!(array.limit().used() >= at * 8);
        }
    }

    #[test]
    fn an_array_ends_at_its_memory_limit() {
        for array in arrays(Some(3 * PAGE)) {
            let prepared = (0..).take_while(|&i| array.prepare(i, 1).is_ok()).count();
            assert!((8..=3 * PAGE as usize / 8).contains(&prepared), "{prepared}");
            assert!(array.limit().used() <= 3 * PAGE);
        }
    }
}
