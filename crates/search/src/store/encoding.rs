//! Row encodings: how the part numbers of a node are packed into few words.
//!
//! A *layout* is what nodes with the same part bounds have in common: the bounds and the columns of their parts. An *encoding*
//! is a layout with a bit width for each part, as its column needs it now. When a column outgrows its width, the layout gets
//! a new encoding; nodes in an older one stay as they are. In front of the parts stand the sum of their hashes, as many bits
//! of it as tell nodes apart, and the number of the encoding.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use super::part_table::{Column, PartTable};
use super::partition::PartBounds;
use super::sync::{AtomicU32, Ordering};
use super::words::Words;
use super::{StoreFull, hash};

/// The parts of nodes with the same bounds, and their columns.
#[derive(Debug)]
pub(crate) struct RowLayout {
    pub(super) bounds: PartBounds,
    /// By part.
    pub(super) columns: Vec<Arc<Column>>,
    /// The bytes of each part.
    pub parts: Vec<Range<usize>>,
    /// The part of each byte.
    pub part_of: Vec<u32>,
    /// The hash of the layout itself.
    pub hash: u64,
    /// The encoding that has the widest fields. Encodings own their layout, so the layout owns none.
    newest: Mutex<Weak<Encoding>>,
}

/// The bits of a part number in a row.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    mask: u32,
}

/// How nodes of a layout are packed into words.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    pub number: u32,
    pub layout: Arc<RowLayout>,
    fields: Vec<Field>,
    /// Words of a row.
    pub words: usize,
}

/// The word with the low bits of the sum of all hashes.
const SUM: usize = 0;
/// The word with the high bits of the sum, then the number of the encoding.
const NUMBER: usize = 1;
/// Bits of the sum in that word.
const HIGH_BITS: u32 = 8;
/// The bits of a sum that are kept.
const SUM_MASK: u64 = (1 << (32 + HIGH_BITS)) - 1;
/// Bits of an encoding number.
const NUMBER_BITS: u32 = 10;
/// Says that the encoding number is in the next word.
const LONG_NUMBER: u32 = (1 << NUMBER_BITS) - 1;

impl Encoding {
    fn new(number: u32, layout: Arc<RowLayout>, widths: impl Iterator<Item = u32>) -> Self {
        // The bits used of each word.
        let mut used = vec![32, HIGH_BITS + NUMBER_BITS];
        if number >= LONG_NUMBER {
            used.push(32);
        }
        let mut fields = Vec::new();
        for width in widths {
            let word = used.iter().position(|used| used + width <= 32).unwrap_or_else(|| {
                used.push(0);
                used.len() - 1
            });
            fields.push(Field { word: word as u32, shift: used[word], mask: ((1u64 << width) - 1) as u32 });
            used[word] += width;
        }
        Encoding { number, layout, words: used.len(), fields }
    }

    /// Writes the encoding number, and 0 for each part.
    pub fn begin(&self, words: &mut Words) {
        words.reset(self.words);
        let words = words.get_mut();
        words[NUMBER] = self.number.min(LONG_NUMBER) << HIGH_BITS;
        if self.number >= LONG_NUMBER {
            words[NUMBER + 1] = self.number;
        }
    }

    /// The number of a part.
    #[inline]
    pub fn get(&self, words: &[u32], part: usize) -> u32 {
        let Field { word, shift, mask } = self.fields[part];
        words[word as usize] >> shift & mask
    }

    /// The numbers of all parts.
    #[inline]
    pub fn read(&self, words: &[u32], numbers: &mut [u32]) {
        for (number, &Field { word, shift, mask }) in numbers.iter_mut().zip(&self.fields) {
            *number = words[word as usize] >> shift & mask;
        }
    }

    /// The number of a part in a stored row.
    #[inline]
    pub fn get_stored(&self, row: &[AtomicU32], part: usize) -> u32 {
        let Field { word, shift, mask } = self.fields[part];
        load(&row[word as usize]) >> shift & mask
    }

    /// Writes the number of a part; false if its field is too narrow.
    #[inline]
    pub fn set(&self, words: &mut [u32], part: usize, number: u32) -> bool {
        let Field { word, shift, mask } = self.fields[part];
        let word = &mut words[word as usize];
        *word = *word & !(mask << shift) | (number & mask) << shift;
        number <= mask
    }
}

/// Loads a word of a row.
#[inline]
pub(super) fn load(word: &AtomicU32) -> u32 {
    word.load(Ordering::Relaxed)
}

/// The encoding number of a stored row.
#[inline]
pub(super) fn encoding_of(row: &[AtomicU32]) -> u32 {
    match load(&row[NUMBER]) >> HIGH_BITS & LONG_NUMBER {
        LONG_NUMBER => load(&row[NUMBER + 1]),
        number => number,
    }
}

/// The sum of the hashes of all parts, as far as a stored row keeps it.
#[inline]
pub(super) fn stored_sum(row: &[AtomicU32]) -> u64 {
    sum_of(&[SUM, NUMBER].map(|at| load(&row[at])))
}

/// The same for a row that is not stored.
#[inline]
pub(super) fn sum_of(words: &[u32]) -> u64 {
    (u64::from(words[SUM]) | u64::from(words[NUMBER]) << 32) & SUM_MASK
}

/// Writes that sum; returns the bits that are kept.
#[inline]
pub(super) fn set_sum(words: &mut [u32], sum: u64) -> u64 {
    words[SUM] = sum as u32;
    words[NUMBER] = words[NUMBER] >> HIGH_BITS << HIGH_BITS | ((sum & SUM_MASK) >> 32) as u32;
    sum & SUM_MASK
}

/// A thread's copy of the encodings: with shared ones, all threads would write the same reference counts.
#[derive(Debug, Default)]
pub(super) struct KnownEncodings {
    /// By number.
    encodings: Vec<Encoding>,
    /// For each, the newest encoding of its layout.
    newest: Vec<u32>,
}

impl KnownEncodings {
    #[inline]
    pub fn get(&self, number: u32) -> &Encoding {
        &self.encodings[number as usize]
    }

    /// The newest encoding of the layout of another.
    #[inline]
    pub fn newest(&self, number: u32) -> &Encoding {
        self.get(self.newest[number as usize])
    }
}

/// All layouts and encodings. There are few, so the locks are hardly ever taken.
#[derive(Debug, Default)]
pub(super) struct Encodings {
    layouts: Mutex<HashMap<PartBounds, Arc<RowLayout>>>,
    columns: Mutex<HashMap<(usize, usize), Arc<Column>>>,
    encodings: RwLock<Vec<Arc<Encoding>>>,
    /// Number of encodings.
    count: AtomicU32,
}

impl Encodings {
    /// The layout of nodes with these part bounds.
    pub fn layout(&self, bounds: &PartBounds, table: &PartTable) -> Arc<RowLayout> {
        let mut layouts = self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(layout) = layouts.get(bounds) {
            return layout.clone();
        }
        let mut all = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut columns, mut parts, mut part_of) = (Vec::new(), Vec::new(), Vec::new());
        let mut sum = bounds.ends.len() as u64;
        let mut start = 0;
        for (position, &end) in bounds.ends.iter().enumerate() {
            let (len, number) = ((end - start) as usize, all.len() as u32);
            let column = all.entry((position, len)).or_insert_with(|| Arc::new(table.column(number, position, len)));
            columns.push(column.clone());
            parts.push(start as usize..end as usize);
            part_of.resize(end as usize, position as u32);
            sum = hash::of_pair(sum, u64::from(end));
            start = end;
        }
        let (bounds, newest) = (bounds.clone(), Mutex::new(Weak::new()));
        let layout = Arc::new(RowLayout { bounds: bounds.clone(), columns, parts, part_of, hash: sum, newest });
        layouts.insert(bounds, layout.clone());
        layout
    }

    /// The number of an encoding of a layout that has enough bits for these part numbers.
    pub fn encoding(&self, layout: &Arc<RowLayout>, numbers: &[u32]) -> Result<u32, StoreFull> {
        let mut newest = layout.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |encoding: &Arc<Encoding>| numbers.iter().zip(&encoding.fields).all(|(&n, field)| n <= field.mask);
        if let Some(encoding) = newest.upgrade().filter(fits) {
            return Ok(encoding.number);
        }
        let mut encodings = self.encodings.write().unwrap_or_else(PoisonError::into_inner);
        let number = u32::try_from(encodings.len()).map_err(|_| StoreFull)?;
        let widths = layout.columns.iter().zip(numbers).map(|(column, &n)| width(n.max(column.count())));
        let encoding = Arc::new(Encoding::new(number, layout.clone(), widths));
        encodings.push(encoding.clone());
        self.count.store(encodings.len() as u32, Ordering::Release);
        *newest = Arc::downgrade(&encoding);
        Ok(number)
    }

    /// Adds the encodings that a thread does not know yet.
    #[inline]
    pub fn update(&self, known: &mut KnownEncodings) {
        if self.count.load(Ordering::Acquire) as usize != known.encodings.len() {
            self.add_missing(known);
        }
    }

    #[cold]
    fn add_missing(&self, known: &mut KnownEncodings) {
        let encodings = self.encodings.read().unwrap_or_else(PoisonError::into_inner);
        for encoding in &encodings[known.encodings.len()..] {
            let older = |other: &Encoding| Arc::ptr_eq(&other.layout, &encoding.layout);
            for (newest, _) in known.newest.iter_mut().zip(&known.encodings).filter(|(_, other)| older(other)) {
                *newest = encoding.number;
            }
            known.newest.push(encoding.number);
            known.encodings.push(Encoding::clone(encoding));
        }
    }

    /// Calls a function with an encoding, which the thread probably knows.
    pub fn with<R>(&self, number: u32, known: &KnownEncodings, then: impl FnOnce(&Encoding) -> R) -> R {
        match known.encodings.get(number as usize) {
            Some(encoding) => then(encoding),
            None => then(&self.get(number)),
        }
    }

    pub fn get(&self, number: u32) -> Arc<Encoding> {
        self.encodings.read().unwrap_or_else(PoisonError::into_inner)[number as usize].clone()
    }
}

/// Bits for part numbers up to this one and some more, so that encodings last a while.
fn width(number: u32) -> u32 {
    let needed = 32 - number.leading_zeros();
    needed.next_multiple_of(2).clamp(2, 32)
}

#[cfg(test)]
mod tests {
    use super::super::MemoryLimit;
    use super::*;

    #[test]
    fn columns_are_freed_with_the_store() {
        let (encodings, table) = (Encodings::default(), PartTable::new(&MemoryLimit::new(None)));
        let layout =
            encodings.layout(&PartBounds { ends: vec![8, 12], type_mask: vec![0, 0], channels: Vec::new() }, &table);
        let wide = encodings.encoding(&layout, &[100, 3]).unwrap();
        assert_eq!(encodings.encoding(&layout, &[99, 2]).unwrap(), wide);
        assert_ne!(encodings.encoding(&layout, &[1000, 2]).unwrap(), wide);
        let column = Arc::downgrade(&layout.columns[0]);
        drop((encodings, layout));
        assert!(column.upgrade().is_none());
    }
}
