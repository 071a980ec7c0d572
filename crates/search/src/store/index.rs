//! A concurrent hash index that grows a page at a time.
//!
//! Extendible hashing (Fagin, Nievergelt, Pippenger and Strong 1979): a directory maps the first bits of a hash to a page;
//! a full page gives half of its entries to a new one. So no insertion takes longer than splitting a page, a few hundred
//! entries, and pages never move or go away. The directory doubles now and then. It has four bytes for a page of four
//! thousand, and old directories are kept, so readers need no protection from either.
//!
//! Reading takes no lock (see [`super::page`]); writing locks a bucket, splitting a page all of its buckets. A thread that has
//! locked a bucket first checks that the page still serves the hash: it may have been split meanwhile.
//!
//! If all pages were equally likely, all would fill up at the same time and the memory would double at once. So the share
//! of hashes that a page serves varies by a factor of two along the directory, and pages split one after the other (the
//! idea of Martin's spiral storage, 1979).

#![allow(unsafe_code)]

use std::sync::{Arc, OnceLock, PoisonError};

use super::StoreFull;
use super::memory_limit::MemoryLimit;
use super::page::{self, BUCKETS, Bucket, FULL};
use super::stable_array::{StableArray, Zeroed};
use super::sync::{AtomicU32, AtomicU64, Mutex, Ordering, back_off};

/// Bits of the largest directory.
const MAX_DEPTH: u32 = 26;

/// The header of a page.
#[derive(Debug)]
struct PageHeader {
    /// 1 while a thread splits the page.
    splitting: AtomicU32,
    /// Number of full buckets.
    full: AtomicU32,
    /// The number of first bits of a position that the page serves, and these bits: `depth << 32 | bits`.
    serves: AtomicU64,
}

// SAFETY: it consists of atomic integers.
unsafe impl Zeroed for PageHeader {
    #[cfg(loom)]
    fn zero() -> Self {
        PageHeader { splitting: AtomicU32::new(0), full: AtomicU32::new(0), serves: AtomicU64::new(0) }
    }
}

/// Where the lookup of a hash starts. All but the tag comes from the first half of the hash.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Probe {
    /// Its first bits are the position in the directory.
    position: u32,
    bucket: usize,
    tag: u8,
}

impl Probe {
    #[inline]
    pub fn of(hash: u64) -> Probe {
        let high = hash >> 32;
        // Grows from 0 to 1 as the hash does, half as fast at the end as at the beginning.
        let bend = (high * ((1 << 32) - 1 - high)) >> 32;
        let position = high + ((bend * 0x5555_5555) >> 32);
        Probe { position: position as u32, bucket: high as usize % BUCKETS, tag: tag(hash) }
    }
}

/// The tag of a hash, never 0.
pub(super) fn tag(hash: u64) -> u8 {
    ((hash >> 8) as u8).max(1)
}

/// Finds 32-bit entries by their hash.
#[derive(Debug)]
pub(crate) struct Index {
    /// One directory for each depth.
    directories: [OnceLock<Box<[AtomicU32]>>; MAX_DEPTH as usize + 1],
    depth: AtomicU32,
    headers: StableArray<PageHeader>,
    buckets: StableArray<Bucket>,
    /// Number of pages; locked while the directory changes.
    pages: Mutex<u32>,
}

impl Index {
    pub fn new(limit: &Arc<MemoryLimit>) -> Self {
        Index {
            directories: [const { OnceLock::new() }; MAX_DEPTH as usize + 1],
            depth: AtomicU32::new(0),
            headers: StableArray::new(6, limit),
            buckets: StableArray::new(BUCKETS.ilog2(), limit),
            pages: Mutex::new(0),
        }
    }

    /// Makes the first page.
    pub fn prepare(&self) -> Result<(), StoreFull> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        self.add_page(&mut pages)?;
        let directory = AtomicU32::zeros(1).ok_or(StoreFull)?;
        self.directories[0].set(directory).expect("the index is prepared once");
        Ok(())
    }

    fn add_page(&self, pages: &mut u32) -> Result<u32, StoreFull> {
        let number = *pages;
        self.headers.prepare(u64::from(number), 1)?;
        self.buckets.prepare(u64::from(number) * BUCKETS as u64, BUCKETS as u64)?;
        *pages += 1;
        Ok(number)
    }

    #[inline]
    fn directory(&self, depth: u32) -> &[AtomicU32] {
        self.directories[depth as usize].get().expect("a directory of this depth")
    }

    #[inline]
    fn page_of(&self, probe: Probe) -> u32 {
        let depth = self.depth.load(Ordering::Acquire);
        self.directory(depth)[first_bits(probe.position, depth) as usize].load(Ordering::Acquire)
    }

    #[inline]
    fn header(&self, number: u32) -> &PageHeader {
        self.headers.get(u64::from(number))
    }

    #[inline]
    fn page(&self, number: u32) -> &[Bucket] {
        self.buckets.slice(u64::from(number) * BUCKETS as u64, BUCKETS)
    }

    /// Prefetches the bucket of a probe; returns its page.
    #[inline]
    pub fn prefetch(&self, probe: Probe) -> u32 {
        let page = self.page_of(probe);
        prefetch(&self.page(page)[probe.bucket]);
        page
    }

    /// An entry with the tag of a probe, on the page that served it at the prefetch.
    #[inline]
    pub fn guess(&self, probe: Probe, page: u32) -> Option<u32> {
        page::find(self.page(page), probe.bucket, probe.tag, |_| true)
    }

    /// The entry of a probe that `is` accepts. May miss one that is being inserted.
    #[inline]
    pub fn find(&self, probe: Probe, is: impl FnMut(u32) -> bool) -> Option<u32> {
        page::find(self.page(self.page_of(probe)), probe.bucket, probe.tag, is)
    }

    /// The entry of a probe that `is` accepts, or else a new one that `make` makes; and whether it is new. `hash_of`
    /// returns the hash of an entry, of which only the first half counts.
    pub fn insert(
        &self,
        probe: Probe,
        mut is: impl FnMut(u32) -> bool,
        make: impl FnOnce() -> Result<u32, StoreFull>,
        hash_of: impl Fn(u32) -> u64,
    ) -> Result<(u32, bool), StoreFull> {
        let mut round = 0;
        loop {
            let number = self.page_of(probe);
            let page = self.page(number);
            let lock = page::Lock::take(&page[probe.bucket]);
            if self.page_of(probe) != number {
                continue;
            }
            if let Some(entry) = page::find(page, probe.bucket, probe.tag, &mut is) {
                return Ok((entry, false));
            }
            if let Some(slot) = page::free_slot(page, probe.bucket) {
                let entry = make()?;
                let filled = slot.fill(probe.tag, entry);
                drop(lock);
                if filled && self.header(number).full.fetch_add(1, Ordering::Relaxed) + 1 >= FULL {
                    // Without memory for another page, this one is filled to its end.
                    let _ = self.split(number, &hash_of);
                }
                return Ok((entry, true));
            }
            drop(lock);
            self.split(number, &hash_of)?;
            back_off(round);
            round += 1;
        }
    }

    /// Gives half of the entries of a full page to a new one, unless another thread has done so.
    #[cold]
    fn split(&self, number: u32, hash_of: &impl Fn(u32) -> u64) -> Result<(), StoreFull> {
        let (header, page) = (self.header(number), self.page(number));
        let _lock = SplitLock::take(&header.splitting);
        if header.full.load(Ordering::Relaxed) < FULL {
            return Ok(());
        }
        let _locks: Vec<page::Lock<'_>> = page.iter().map(page::Lock::take).collect();
        let serves = header.serves.load(Ordering::Relaxed);
        let (depth, bits) = ((serves >> 32) as u32 + 1, (serves as u32) << 1);
        if depth > MAX_DEPTH {
            return Err(StoreFull);
        }
        let probe = |(tag, entry): (u8, u32)| (Probe { tag, ..Probe::of(hash_of(entry)) }, entry);
        let probes: Vec<(Probe, u32)> = page::entries(page).into_iter().map(probe).collect();
        let (moved, kept): (Vec<_>, Vec<_>) =
            probes.into_iter().partition(|(probe, _)| first_bits(probe.position, depth) == bits | 1);
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if self.depth.load(Ordering::Relaxed) < depth {
            self.double(depth)?;
        }
        let new = self.add_page(&mut pages)?;
        fill(self.page(new), self.header(new), depth, bits | 1, &moved);
        let directory = self.depth.load(Ordering::Relaxed);
        let first = ((bits | 1) << (directory - depth)) as usize;
        for entry in &self.directory(directory)[first..first + (1 << (directory - depth))] {
            entry.store(new, Ordering::Release);
        }
        drop(pages);
        page::clear(page);
        fill(page, header, depth, bits, &kept);
        Ok(())
    }

    /// Makes a directory of this depth from the one before.
    fn double(&self, depth: u32) -> Result<(), StoreFull> {
        self.buckets.limit().reserve(4 << depth)?;
        let old = self.directory(depth - 1);
        let new = AtomicU32::zeros(2 * old.len()).ok_or(StoreFull)?;
        for (pair, page) in new.chunks(2).zip(old) {
            pair.iter().for_each(|entry| entry.store(page.load(Ordering::Relaxed), Ordering::Relaxed));
        }
        let _ = self.directories[depth as usize].set(new);
        self.depth.store(depth, Ordering::Release);
        Ok(())
    }
}

/// Fills an empty page that serves the positions with these first `depth` bits.
fn fill(page: &[Bucket], header: &PageHeader, depth: u32, bits: u32, entries: &[(Probe, u32)]) {
    header.serves.store(u64::from(depth) << 32 | u64::from(bits), Ordering::Relaxed);
    let entries = entries.iter().map(|&(probe, entry)| (probe.bucket, probe.tag, entry));
    header.full.store(page::fill(page, entries), Ordering::Relaxed);
}

/// Prefetches a cache line.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no visible effect.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

fn first_bits(position: u32, depth: u32) -> u32 {
    (u64::from(position) >> (32 - depth)) as u32
}

/// The lock that a thread holds while it splits a page.
struct SplitLock<'p>(&'p AtomicU32);

impl<'p> SplitLock<'p> {
    fn take(word: &'p AtomicU32) -> SplitLock<'p> {
        let mut round = 0;
        while word.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            back_off(round);
            round += 1;
        }
        SplitLock(word)
    }
}

impl Drop for SplitLock<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}
