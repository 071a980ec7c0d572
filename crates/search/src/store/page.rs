//! Pages of an index: buckets of one cache line.
//!
//! A bucket has twelve slots. Each holds a 32-bit entry and a tag, eight more bits of its hash, so that a look at one
//! cache line rules out nearly all entries that are not meant. A page is a row of buckets; an entry whose bucket is full
//! goes to the next one, around the end. Entries are written under the lock of their page and read without it: the entry
//! first and then its tag, so who sees a tag finds an entry, though perhaps not for long the one it belongs to. Readers
//! compare what the entry names with what they look for, which never changes; so what they find is right, and what they
//! do not find they look for again under the lock.

#![allow(unsafe_code)]

use super::row::Zeroed;
use super::sync::{AtomicU32, AtomicU64, Ordering};

/// Slots of a bucket.
const SLOTS: usize = 12;
/// Words that hold their tags, eight each.
const TAGS: usize = SLOTS.div_ceil(8);
/// Where the tag of the last slot begins in its word.
const LAST: u32 = 8 * ((SLOTS as u32 - 1) % 8);
/// Buckets of a page; few under tools for which anything else takes too long.
pub(super) const BUCKETS: usize = if cfg!(loom) {
    1
} else if cfg!(miri) {
    4
} else {
    256
};
/// Entries at which a page is split.
pub(super) const FULL: u32 = if cfg!(loom) { 3 } else { (BUCKETS * SLOTS * 7 / 8) as u32 };

/// A cache line of slots. The last four tags are not used.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Bucket {
    tags: [AtomicU64; TAGS],
    entries: [AtomicU32; SLOTS],
}

const _: () = assert!(TAGS == 2, "tags are compared two words at a time");

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
        std::array::from_fn(|i| self.tags[i].load(Ordering::Acquire))
    }

    fn entry(&self, slot: usize) -> u32 {
        self.entries[slot].load(Ordering::Acquire)
    }

    fn set(&self, slot: usize, tag: u8, entry: u32) {
        self.entries[slot].store(entry, Ordering::Release);
        let (word, shift) = (&self.tags[slot / 8], 8 * (slot % 8));
        let others = word.load(Ordering::Relaxed) & !(0xff << shift);
        word.store(others | u64::from(tag) << shift, Ordering::Release);
    }

    fn clear(&self) {
        self.tags.iter().for_each(|word| word.store(0, Ordering::Release));
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
        if tags[TAGS - 1] >> LAST == 0 {
            return None;
        }
        at = if at + 1 == page.len() { 0 } else { at + 1 };
    }
    None
}

/// Writes an entry into the first free slot from a bucket on. The page is locked and has room.
pub(super) fn put(page: &[Bucket], bucket: usize, tag: u8, entry: u32) {
    let mut at = bucket;
    loop {
        let used = page[at].tags().iter().map(|&tags| 8 - tags.leading_zeros() as usize / 8).sum::<usize>();
        if used < SLOTS {
            return page[at].set(used, tag, entry);
        }
        at = if at + 1 == page.len() { 0 } else { at + 1 };
    }
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

/// Removes all entries. The page is locked.
pub(super) fn clear(page: &[Bucket]) {
    page.iter().for_each(Bucket::clear);
}
