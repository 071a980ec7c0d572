//! Pages of an index: buckets of one cache line.
//!
//! A bucket has twelve slots. Each holds a 32-bit entry and a tag, eight more bits of its hash, so that a look at one
//! cache line rules out nearly all entries that are not meant. A page is a row of buckets; an entry whose bucket is full
//! goes to the next one, around the end.
//!
//! Entries are written under locks and read without: the entry first and then its tag, so who sees a tag finds an entry,
//! though perhaps not for long the one it belongs to. Readers compare what the entry names with what they look for, which
//! never changes; so what they find is right, and what they do not find they look for again under a lock. Who holds the
//! lock of a bucket decides what belongs there, and to write into another he takes that one's as well. The lock is a bit
//! beside the tags: the cache line that an insertion writes anyway is the only one that threads contend for.

#![allow(unsafe_code)]

use super::row::Zeroed;
use super::sync::{AtomicU32, AtomicU64, Ordering, pause};

/// Slots of a bucket; few for loom, so that buckets fill up.
const SLOTS: usize = if cfg!(loom) { 3 } else { 12 };
/// Words that hold their tags, eight each.
const TAGS: usize = 2;
const _: () = assert!(SLOTS <= 8 * TAGS - 4, "beside the last tags is room for the lock");
/// Where the tag of the last slot is: its word, and its first bit there.
const LAST: (usize, u32) = ((SLOTS - 1) / 8, 8 * ((SLOTS as u32 - 1) % 8));
/// Says in the last word of tags that the bucket is locked.
const LOCKED: u64 = 1 << 63;
/// Buckets of a page; few under tools for which anything else takes too long.
pub(super) const BUCKETS: usize = if cfg!(loom) {
    1
} else if cfg!(miri) {
    4
} else {
    64
};
/// Full buckets at which a page is split. Then 87 % of its slots are taken, give or take one: to count them all,
/// threads would contend for the number with every insertion.
pub(super) const FULL: u32 = (BUCKETS * 137).div_ceil(256) as u32;

/// A cache line of slots. The last four tags are not used.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Bucket {
    tags: [AtomicU64; TAGS],
    entries: [AtomicU32; SLOTS],
}

#[cfg(not(loom))]
// SAFETY: it is made of atomic integers.
unsafe impl Zeroed for Bucket {}

#[cfg(loom)]
// SAFETY: `many` does not use zeroed memory here.
unsafe impl Zeroed for Bucket {
    fn many(count: usize) -> Option<Box<[Self]>> {
        let bucket = |_| Bucket {
            tags: std::array::from_fn(|_| AtomicU64::new(0)),
            entries: std::array::from_fn(|_| AtomicU32::new(0)),
        };
        Some((0..count).map(bucket).collect())
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

    /// Writes an entry behind the others, which are so many; says whether the bucket is full then. It is locked.
    fn push(&self, used: usize, tag: u8, entry: u32) -> bool {
        self.entries[used].store(entry, Ordering::Release);
        let word = &self.tags[used / 8];
        word.store(word.load(Ordering::Relaxed) | u64::from(tag) << (8 * (used % 8)), Ordering::Release);
        used + 1 == SLOTS
    }

    /// Removes all entries. The bucket is locked.
    fn clear(&self) {
        let (last, others) = self.tags.split_last().expect("a word");
        others.iter().for_each(|word| word.store(0, Ordering::Release));
        last.store(LOCKED, Ordering::Release);
    }
}

/// A bucket that is locked.
pub(super) struct Lock<'p>(&'p Bucket);

impl<'p> Lock<'p> {
    /// Locks a bucket. Who waits here holds no other lock of a bucket, unless he locks all of a page.
    pub fn take(bucket: &'p Bucket) -> Lock<'p> {
        let mut round = 0;
        loop {
            if let Some(lock) = Lock::try_take(bucket) {
                return lock;
            }
            pause(round);
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

/// The slots that have a tag, a bit for each.
#[cfg(target_arch = "x86_64")]
#[inline]
fn slots_with(tags: [u64; TAGS], tag: u8) -> u32 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
    // SAFETY: every processor of this kind has these instructions.
    unsafe {
        let tags = _mm_set_epi64x(tags[1] as i64, tags[0] as i64);
        _mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8(tag as i8))) as u32
    }
}

/// The slots that have a tag, a bit for each.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn slots_with(tags: [u64; TAGS], tag: u8) -> u32 {
    let tags = tags.into_iter().flat_map(u64::to_le_bytes).enumerate();
    tags.fold(0, |slots, (slot, other)| slots | u32::from(other == tag) << slot)
}

/// Looks through a page for an entry with this tag that `is` accepts, from a bucket on.
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
        // Slots are filled in order, so a bucket that has room has it at its end.
        if tags[LAST.0] >> LAST.1 == 0 {
            return None;
        }
        at = next(page, at);
    }
    None
}

/// A free slot that nobody else can take.
pub(super) struct Room<'p> {
    bucket: &'p Bucket,
    used: usize,
    /// Unless it is in the bucket that was locked already.
    _lock: Option<Lock<'p>>,
}

/// The first free slot from a bucket on, which is locked; none when somebody else is at work in one behind. The page has
/// room.
pub(super) fn room(page: &[Bucket], bucket: usize) -> Option<Room<'_>> {
    let (mut at, mut lock) = (bucket, None);
    loop {
        let (bucket, used) = (&page[at], page[at].used());
        if used < SLOTS {
            return Some(Room { bucket, used, _lock: lock });
        }
        at = next(page, at);
        lock = Some(Lock::try_take(&page[at])?);
    }
}

impl Room<'_> {
    /// Writes an entry there; says whether a bucket has become full.
    pub fn put(self, tag: u8, entry: u32) -> bool {
        self.bucket.push(self.used, tag, entry)
    }
}

/// The bucket behind another, around the end.
#[inline]
fn next(page: &[Bucket], at: usize) -> usize {
    if at + 1 == page.len() { 0 } else { at + 1 }
}

/// Writes entries into an empty page to which nobody else writes; says how many buckets are full then.
pub(super) fn fill(page: &[Bucket], entries: impl Iterator<Item = (usize, u8, u32)>) -> u32 {
    // The system gives memory when it is first used. To read it first means to be given it twice, and that all threads
    // have to be told.
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

/// All entries of a page with their tags. The page is locked.
pub(super) fn entries(page: &[Bucket]) -> Vec<(u8, u32)> {
    let slots = page.iter().flat_map(|bucket| (0..SLOTS).map(move |slot| (bucket, slot)));
    let read = |(bucket, slot): (&Bucket, usize)| {
        let tag = (bucket.tags[slot / 8].load(Ordering::Acquire) >> (8 * (slot % 8))) as u8;
        (tag != 0).then(|| (tag, bucket.entry(slot)))
    };
    slots.filter_map(read).collect()
}

/// Number of entries of a page.
pub(super) fn len(page: &[Bucket]) -> usize {
    page.iter().map(Bucket::used).sum()
}

/// Removes all entries. The page is locked.
pub(super) fn clear(page: &[Bucket]) {
    page.iter().for_each(Bucket::clear);
}
