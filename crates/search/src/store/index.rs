//! An index: finds entries by their hash, and grows a page at a time.
//!
//! Extendible hashing (Fagin, Nievergelt, Pippenger and Strong 1979): a directory leads from the first bits of a hash to
//! a page; a page that is full gives half of its entries to a new one. So nothing stops for longer than a page takes, a
//! few hundred entries, and no page ever moves or goes away. The directory doubles now and then; it is four bytes for a
//! page of four thousand, and the old ones are kept, so readers need no protection from either.
//!
//! Many threads use an index at once. Reading takes no lock (see [`super::page`]); writing locks a bucket, splitting a page
//! all of its buckets. Who has locked a bucket looks first whether the page still serves the hash: it may have been split
//! while the thread waited.
//!
//! Were all pages equally likely, all would be full at the same time, and the memory would double at once. So the share
//! of the hashes that a page gets varies by a factor of two along the directory, and pages are split one after the other
//! (the idea of Martin's spiral storage, 1979).

#![allow(unsafe_code)]

use std::sync::{OnceLock, PoisonError};

use super::StoreFull;
use super::allowance::Allowance;
use super::page::{self, BUCKETS, Bucket, FULL};
use super::row::{Row, Zeroed};
use super::sync::{AtomicU32, AtomicU64, Mutex, Ordering, pause};

/// Bits of the largest directory.
const DEEPEST: u32 = 26;

/// What is known of a page beside its entries.
#[derive(Debug)]
struct Meta {
    /// Somebody splits the page.
    split: AtomicU32,
    /// How many of its buckets are full.
    full: AtomicU32,
    /// How many first bits of a position it serves, and which: `depth << 32 | bits`.
    serves: AtomicU64,
}

#[cfg(not(loom))]
// SAFETY: it is made of atomic integers.
unsafe impl Zeroed for Meta {}

#[cfg(loom)]
// SAFETY: `many` does not use zeroed memory here.
unsafe impl Zeroed for Meta {
    fn many(count: usize) -> Option<Box<[Self]>> {
        let new = |_| Meta { split: AtomicU32::new(0), full: AtomicU32::new(0), serves: AtomicU64::new(0) };
        Some((0..count).map(new).collect())
    }
}

/// Where a hash belongs. All but the tag comes from its first half.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    /// The place in the directory, its first bits.
    position: u32,
    bucket: usize,
    tag: u8,
}

impl Spot {
    /// The spot of a hash.
    #[inline]
    pub fn of(hash: u64) -> Spot {
        let high = hash >> 32;
        // Grows from 0 to 1 as the hash does, half as fast at the end as at the beginning.
        let bend = (high * ((1 << 32) - 1 - high)) >> 32;
        let position = high + ((bend * 0x5555_5555) >> 32);
        Spot { position: position as u32, bucket: high as usize % BUCKETS, tag: tag(hash) }
    }
}

/// The tag of a hash, never 0.
pub(super) fn tag(hash: u64) -> u8 {
    ((hash >> 8) as u8).max(1)
}

/// Finds 32-bit entries by their hash.
#[derive(Debug)]
pub(crate) struct Index {
    /// One directory for each number of bits.
    directories: [OnceLock<Box<[AtomicU32]>>; DEEPEST as usize + 1],
    depth: AtomicU32,
    metas: Row<Meta>,
    buckets: Row<Bucket>,
    /// How many pages there are; held while the directory changes.
    pages: Mutex<u32>,
}

impl Index {
    /// An empty index.
    pub fn new() -> Self {
        Index {
            directories: [const { OnceLock::new() }; DEEPEST as usize + 1],
            depth: AtomicU32::new(0),
            metas: Row::new(6),
            buckets: Row::new(BUCKETS.ilog2()),
            pages: Mutex::new(0),
        }
    }

    /// Makes the first page.
    pub fn prepare(&self, allowance: &Allowance) -> Result<(), StoreFull> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        self.add_page(&mut pages, allowance)?;
        let directory = AtomicU32::many(1).ok_or(StoreFull)?;
        self.directories[0].set(directory).expect("prepared once");
        Ok(())
    }

    /// Number of entries. Looks at all of them.
    pub fn len(&self) -> u64 {
        let pages = *self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        (0..pages).map(|page| page::len(self.page(page)) as u64).sum()
    }

    fn add_page(&self, pages: &mut u32, allowance: &Allowance) -> Result<u32, StoreFull> {
        let number = *pages;
        self.metas.prepare(u64::from(number), 1, allowance)?;
        self.buckets.prepare(u64::from(number) * BUCKETS as u64, BUCKETS as u64, allowance)?;
        *pages += 1;
        Ok(number)
    }

    #[inline]
    fn directory(&self, depth: u32) -> &[AtomicU32] {
        self.directories[depth as usize].get().expect("a directory of this depth")
    }

    #[inline]
    fn page_of(&self, spot: Spot) -> u32 {
        let depth = self.depth.load(Ordering::Acquire);
        self.directory(depth)[first_bits(spot.position, depth) as usize].load(Ordering::Acquire)
    }

    #[inline]
    fn meta(&self, number: u32) -> &Meta {
        self.metas.get(u64::from(number))
    }

    #[inline]
    fn page(&self, number: u32) -> &[Bucket] {
        self.buckets.slice(u64::from(number) * BUCKETS as u64, BUCKETS)
    }

    /// Asks the processor to fetch a spot; says on which page it is.
    #[inline]
    pub fn prefetch(&self, spot: Spot) -> u32 {
        let page = self.page_of(spot);
        prefetch(&self.page(page)[spot.bucket]);
        page
    }

    /// Some entry that has the tag of a spot, on the page where it was.
    #[inline]
    pub fn guess(&self, spot: Spot, page: u32) -> Option<u32> {
        page::find(self.page(page), spot.bucket, spot.tag, |_| true)
    }

    /// The entry of a spot that `is` accepts. May miss one that is being inserted.
    #[inline]
    pub fn find(&self, spot: Spot, is: impl FnMut(u32) -> bool) -> Option<u32> {
        page::find(self.page(self.page_of(spot)), spot.bucket, spot.tag, is)
    }

    /// The entry of a spot that `is` accepts, or else the one that `make` gives; and whether it is new. `hash_of` has
    /// to give the first halves of the hashes of entries.
    pub fn insert(
        &self,
        spot: Spot,
        allowance: &Allowance,
        mut is: impl FnMut(u32) -> bool,
        make: impl FnOnce() -> Result<u32, StoreFull>,
        hash_of: impl Fn(u32) -> u64,
    ) -> Result<(u32, bool), StoreFull> {
        let mut round = 0;
        loop {
            let number = self.page_of(spot);
            let page = self.page(number);
            let lock = page::Lock::take(&page[spot.bucket]);
            if self.page_of(spot) != number {
                continue;
            }
            if let Some(entry) = page::find(page, spot.bucket, spot.tag, &mut is) {
                return Ok((entry, false));
            }
            if let Some(room) = page::room(page, spot.bucket) {
                let entry = make()?;
                let filled = room.put(spot.tag, entry);
                drop(lock);
                if filled && self.meta(number).full.fetch_add(1, Ordering::Relaxed) + 1 >= FULL {
                    // Where there is no memory for another page, this one is filled to its end.
                    let _ = self.split(number, allowance, &hash_of);
                }
                return Ok((entry, true));
            }
            drop(lock);
            self.split(number, allowance, &hash_of)?;
            pause(round);
            round += 1;
        }
    }

    /// Gives half of the entries of a page to a new one, if it is full and nobody else has done so.
    #[cold]
    fn split(&self, number: u32, allowance: &Allowance, hash_of: &impl Fn(u32) -> u64) -> Result<(), StoreFull> {
        let (meta, page) = (self.meta(number), self.page(number));
        let _turn = Turn::take(&meta.split);
        if meta.full.load(Ordering::Relaxed) < FULL {
            return Ok(());
        }
        let _locks: Vec<page::Lock<'_>> = page.iter().map(page::Lock::take).collect();
        let serves = meta.serves.load(Ordering::Relaxed);
        let (depth, bits) = ((serves >> 32) as u32 + 1, (serves as u32) << 1);
        if depth > DEEPEST {
            return Err(StoreFull);
        }
        let spot = |(tag, entry): (u8, u32)| (Spot { tag, ..Spot::of(hash_of(entry)) }, entry);
        let spots: Vec<(Spot, u32)> = page::entries(page).into_iter().map(spot).collect();
        let (there, here): (Vec<_>, Vec<_>) =
            spots.into_iter().partition(|(spot, _)| first_bits(spot.position, depth) == bits | 1);
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if self.depth.load(Ordering::Relaxed) < depth {
            self.double(depth, allowance)?;
        }
        let new = self.add_page(&mut pages, allowance)?;
        let new_meta = self.meta(new);
        new_meta.serves.store(u64::from(depth) << 32 | u64::from(bits | 1), Ordering::Relaxed);
        fill(self.page(new), new_meta, &there);
        let directory = self.depth.load(Ordering::Relaxed);
        let first = ((bits | 1) << (directory - depth)) as usize;
        for entry in &self.directory(directory)[first..first + (1 << (directory - depth))] {
            entry.store(new, Ordering::Release);
        }
        drop(pages);
        meta.serves.store(u64::from(depth) << 32 | u64::from(bits), Ordering::Relaxed);
        page::clear(page);
        fill(page, meta, &here);
        Ok(())
    }

    /// Makes a directory of this depth from the one before.
    fn double(&self, depth: u32, allowance: &Allowance) -> Result<(), StoreFull> {
        allowance.take(4 << depth)?;
        let old = self.directory(depth - 1);
        let new = AtomicU32::many(2 * old.len()).ok_or(StoreFull)?;
        for (pair, page) in new.chunks(2).zip(old) {
            pair.iter().for_each(|entry| entry.store(page.load(Ordering::Relaxed), Ordering::Relaxed));
        }
        let _ = self.directories[depth as usize].set(new);
        self.depth.store(depth, Ordering::Release);
        Ok(())
    }
}

fn fill(page: &[Bucket], meta: &Meta, entries: &[(Spot, u32)]) {
    let entries = entries.iter().map(|&(spot, entry)| (spot.bucket, spot.tag, entry));
    meta.full.store(page::fill(page, entries), Ordering::Relaxed);
}

/// Asks the processor to fetch what lies here.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect that a program could see.
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

/// Somebody's turn to split a page.
struct Turn<'p>(&'p AtomicU32);

impl<'p> Turn<'p> {
    fn take(word: &'p AtomicU32) -> Turn<'p> {
        let mut round = 0;
        while word.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            pause(round);
            round += 1;
        }
        Turn(word)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}
