//! Pages of an index: buckets of one cache line.
//!
//! A bucket has twelve slots. Each holds a 32-bit entry and a tag, eight more bits of its hash, so that one cache line rules
//! out nearly all other entries. A page is an array of buckets; an entry whose bucket is full goes to the next bucket, around
//! the end.
//!
//! Entries are written under locks and read without: the entry first and then its tag, so a reader that sees a tag finds an
//! entry, though a page split may soon replace it. Readers compare the immutable data that the entry names, so what they
//! find is right; what they do not find they look up again under the lock. The holder of a bucket's lock decides what
//! belongs to that bucket, and locks a second bucket to write there. The lock is a bit beside the tags, in the cache line
//! that an insertion writes anyway.

#![allow(unsafe_code)]

use super::stable_array::Zeroed;
use super::sync::{AtomicU32, AtomicU64, Ordering, back_off};

/// Slots of a bucket; few for loom, so that buckets fill up.
const SLOTS: usize = if cfg!(loom) { 3 } else { 12 };
/// Words of tags, eight tags each.
const TAGS: usize = 2;
const _: () = assert!(SLOTS <= 8 * TAGS - 4, "the lock needs room beside the last tags");
/// The tag of the last slot: its word, and its first bit there.
const LAST: (usize, u32) = ((SLOTS - 1) / 8, 8 * ((SLOTS as u32 - 1) % 8));
/// The lock bit, in the last word of tags.
const LOCKED: u64 = 1 << 63;
/// Buckets of a page; few under loom and Miri, which are slow.
pub(super) const BUCKETS: usize = if cfg!(loom) {
    1
} else if cfg!(miri) {
    4
} else {
    64
};
/// Full buckets at which a page is split: about 87 % of its slots are taken then. Counting slots instead would make
/// threads contend for the counter.
pub(super) const FULL: u32 = (BUCKETS * 137).div_ceil(256) as u32;

/// A cache line of slots. The last four tags are unused.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Bucket {
    tags: [AtomicU64; TAGS],
    entries: [AtomicU32; SLOTS],
}

// SAFETY: it consists of atomic integers.
unsafe impl Zeroed for Bucket {
    #[cfg(loom)]
    fn zero() -> Self {
        Bucket { tags: std::array::from_fn(|_| AtomicU64::new(0)), entries: std::array::from_fn(|_| AtomicU32::new(0)) }
    }
}

impl Bucket {
    #[inline]
    fn tags(&self) -> [u64; TAGS] {
        let mut tags: [u64; TAGS] = std::array::from_fn(|i| self.tags[i].load(Ordering::Acquire));
        tags[TAGS - 1] &= !LOCKED;
        tags
    }

    fn entry(&self, slot: usize) -> u32 {
        self.entries[slot].load(Ordering::Acquire)
    }

    /// Number of entries.
    fn used(&self) -> usize {
        self.tags().iter().map(|&tags| 8 - tags.leading_zeros() as usize / 8).sum()
    }

    /// Writes an entry behind `used` others; returns whether the bucket is full. The caller holds the lock.
    fn push(&self, used: usize, tag: u8, entry: u32) -> bool {
        self.entries[used].store(entry, Ordering::Release);
        let word = &self.tags[used / 8];
        word.store(word.load(Ordering::Relaxed) | u64::from(tag) << (8 * (used % 8)), Ordering::Release);
        used + 1 == SLOTS
    }

    /// Removes all entries. The caller holds the lock.
    fn clear(&self) {
        let (last, others) = self.tags.split_last().expect("a bucket has tags");
        others.iter().for_each(|word| word.store(0, Ordering::Release));
        last.store(LOCKED, Ordering::Release);
    }
}

/// The lock of a bucket.
pub(super) struct Lock<'p>(&'p Bucket);

impl<'p> Lock<'p> {
    /// Locks a bucket. The caller holds no other lock of a bucket, unless it locks a whole page.
    pub fn take(bucket: &'p Bucket) -> Lock<'p> {
        let mut round = 0;
        loop {
            if let Some(lock) = Lock::try_take(bucket) {
                return lock;
            }
            back_off(round);
            round += 1;
        }
    }

    fn try_take(bucket: &'p Bucket) -> Option<Lock<'p>> {
        let word = &bucket.tags[TAGS - 1];
        let tags = word.load(Ordering::Relaxed);
        let free = tags & LOCKED == 0;
        let taken = free && word.compare_exchange(tags, tags | LOCKED, Ordering::Acquire, Ordering::Relaxed).is_ok();
        taken.then(|| Lock(bucket))
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        let word = &self.0.tags[TAGS - 1];
        word.store(word.load(Ordering::Relaxed) & !LOCKED, Ordering::Release);
    }
}

/// The slots that have a tag, as bits.
#[cfg(target_arch = "x86_64")]
#[inline]
fn slots_with(tags: [u64; TAGS], tag: u8) -> u32 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
    // SAFETY: every x86-64 processor has these instructions.
    unsafe {
        let tags = _mm_set_epi64x(tags[1] as i64, tags[0] as i64);
        _mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8(tag as i8))) as u32
    }
}

/// The slots that have a tag, as bits.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn slots_with(tags: [u64; TAGS], tag: u8) -> u32 {
    let tags = tags.into_iter().flat_map(u64::to_le_bytes).enumerate();
    tags.fold(0, |slots, (slot, other)| slots | u32::from(other == tag) << slot)
}

/// Searches a page, from a bucket on, for an entry with this tag that `is` accepts.
#[inline]
pub(super) fn find(page: &[Bucket], bucket: usize, tag: u8, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
    let mut at = bucket;
    for _ in 0..page.len() {
        let bucket = &page[at];
        let tags = bucket.tags();
        let mut slots = slots_with(tags, tag);
        while slots != 0 {
            let entry = bucket.entry(slots.trailing_zeros() as usize);
            if is(entry) {
                return Some(entry);
            }
            slots &= slots - 1;
        }
        // Slots are filled in order, so the last one is free if any is.
        if tags[LAST.0] >> LAST.1 == 0 {
            return None;
        }
        at = next(page, at);
    }
    None
}

/// A free slot in a locked bucket.
pub(super) struct FreeSlot<'p> {
    bucket: &'p Bucket,
    used: usize,
    /// None if the caller holds the lock.
    _lock: Option<Lock<'p>>,
}

/// The first free slot from a bucket on, which the caller has locked; none if another thread holds the lock of a bucket
/// behind it. The page has a free slot.
pub(super) fn free_slot(page: &[Bucket], bucket: usize) -> Option<FreeSlot<'_>> {
    let (mut at, mut lock) = (bucket, None);
    loop {
        let (bucket, used) = (&page[at], page[at].used());
        if used < SLOTS {
            return Some(FreeSlot { bucket, used, _lock: lock });
        }
        at = next(page, at);
        lock = Some(Lock::try_take(&page[at])?);
    }
}

impl FreeSlot<'_> {
    /// Writes an entry; returns whether the bucket is full.
    pub fn fill(self, tag: u8, entry: u32) -> bool {
        self.bucket.push(self.used, tag, entry)
    }
}

/// The bucket behind another, around the end.
#[inline]
fn next(page: &[Bucket], at: usize) -> usize {
    if at + 1 == page.len() { 0 } else { at + 1 }
}

/// Writes entries into an empty page that no other thread writes; returns the number of full buckets.
pub(super) fn fill(page: &[Bucket], entries: impl Iterator<Item = (usize, u8, u32)>) -> u32 {
    // A first write maps the memory. A first read would map it twice, and every thread would be notified.
    page[0].entries[0].store(0, Ordering::Relaxed);
    let mut full = 0;
    for (bucket, tag, entry) in entries {
        let mut at = bucket;
        while page[at].used() == SLOTS {
            at = next(page, at);
        }
        full += u32::from(page[at].push(page[at].used(), tag, entry));
    }
    full
}

/// All entries of a locked page with their tags.
pub(super) fn entries(page: &[Bucket]) -> Vec<(u8, u32)> {
    let slots = page.iter().flat_map(|bucket| (0..SLOTS).map(move |slot| (bucket, slot)));
    let read = |(bucket, slot): (&Bucket, usize)| {
        let tag = (bucket.tags[slot / 8].load(Ordering::Acquire) >> (8 * (slot % 8))) as u8;
        (tag != 0).then(|| (tag, bucket.entry(slot)))
    };
    slots.filter_map(read).collect()
}

/// Removes all entries of a locked page.
pub(super) fn clear(page: &[Bucket]) {
    page.iter().for_each(Bucket::clear);
}
