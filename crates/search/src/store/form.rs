//! Forms: how the parts of a node are written into few words.
//!
//! A *shape* is what nodes that are cut in the same way have in common: where their parts end, and the columns these
//! belong to. A *form* is a shape together with as many bits for each part as its column needs now. When a column has
//! come to more values than its bits can tell apart, there is a new form of the shape; nodes that were written in an
//! older one stay as they are. In front of the parts stand the sum of their hashes, as many bits of it as tell nodes
//! apart, and the name of the form.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::StoreFull;
use super::cut::Ends;
use super::hash;
use super::parts::Column;
use super::sync::{AtomicU32, Ordering};
use super::words::Words;

/// How nodes are cut, and into what.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(super) ends: Ends,
    /// By part.
    pub(super) columns: Vec<Arc<Column>>,
    /// The bytes of each part.
    pub parts: Vec<std::ops::Range<usize>>,
    /// The part of each byte.
    pub part_of: Vec<u32>,
    /// The hash of the shape itself.
    pub hash: u64,
    /// Its newest form.
    newest: Mutex<Option<Arc<Form>>>,
}

/// Where the number of a part is written.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    mask: u32,
}

/// How nodes of a shape are written into words.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub number: u32,
    pub shape: Arc<Shape>,
    fields: Vec<Field>,
    /// Words of a node.
    pub words: usize,
}

/// The word that holds most of the sum of the hashes of all parts.
const SUM: usize = 0;
/// The word that begins with the rest of the sum, then the name of the form.
const NAME: usize = 1;
/// Bits of that rest.
const REST_BITS: u32 = 8;
/// The bits of a sum that are kept.
const SUM_MASK: u64 = (1 << (32 + REST_BITS)) - 1;
/// Bits of a name.
const NAME_BITS: u32 = 10;
/// Stands there when the next word names the form.
const LONG_NAME: u32 = (1 << NAME_BITS) - 1;

impl Form {
    fn new(number: u32, shape: Arc<Shape>, bits: impl Iterator<Item = u32>) -> Self {
        // The bits used of each word.
        let mut used = vec![32, REST_BITS + NAME_BITS];
        if number >= LONG_NAME {
            used.push(32);
        }
        let mut fields = Vec::new();
        for bits in bits {
            let word = used.iter().position(|used| used + bits <= 32).unwrap_or_else(|| {
                used.push(0);
                used.len() - 1
            });
            fields.push(Field { word: word as u32, shift: used[word], mask: ((1u64 << bits) - 1) as u32 });
            used[word] += bits;
        }
        Form { number, shape, words: used.len(), fields }
    }

    /// Writes the name and zeros for all parts.
    pub fn begin(&self, words: &mut Words) {
        words.reset(self.words);
        let words = words.get_mut();
        words[NAME] = self.number.min(LONG_NAME) << REST_BITS;
        if self.number >= LONG_NAME {
            words[NAME + 1] = self.number;
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

    /// The same where the words are those of a store.
    #[inline]
    pub fn get_from(&self, words: &[AtomicU32], part: usize) -> u32 {
        let Field { word, shift, mask } = self.fields[part];
        words[word as usize].load(Ordering::Relaxed) >> shift & mask
    }

    /// Writes the number of a part; false when there are not enough bits for it.
    #[inline]
    pub fn set(&self, words: &mut [u32], part: usize, number: u32) -> bool {
        let Field { word, shift, mask } = self.fields[part];
        let word = &mut words[word as usize];
        *word = *word & !(mask << shift) | (number & mask) << shift;
        number <= mask
    }
}

/// The number of the form that a node is written in.
#[inline]
pub(super) fn form_of(words: &[AtomicU32]) -> u32 {
    match words[NAME].load(Ordering::Relaxed) >> REST_BITS & LONG_NAME {
        LONG_NAME => words[NAME + 1].load(Ordering::Relaxed),
        name => name,
    }
}

/// The hashes of all parts of a node, added up, as far as that is kept.
#[inline]
pub(super) fn sum_of(words: &[AtomicU32]) -> u64 {
    sum_in(&[SUM, NAME].map(|at| words[at].load(Ordering::Relaxed)))
}

/// The same where the words are not those of a store.
#[inline]
pub(super) fn sum_in(words: &[u32]) -> u64 {
    (u64::from(words[SUM]) | u64::from(words[NAME]) << 32) & SUM_MASK
}

/// Writes that sum; gives what is kept of it.
#[inline]
pub(super) fn set_sum(words: &mut [u32], sum: u64) -> u64 {
    words[SUM] = sum as u32;
    words[NAME] = words[NAME] >> REST_BITS << REST_BITS | ((sum & SUM_MASK) >> 32) as u32;
    sum & SUM_MASK
}

/// The forms that one thread knows. They are its own: to count who uses a form, all threads would write the same word.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// By number.
    forms: Vec<Form>,
    /// For each, the number of the newest of its shape.
    newest: Vec<u32>,
}

impl Known {
    /// A form that is known.
    #[inline]
    pub fn form(&self, number: u32) -> &Form {
        &self.forms[number as usize]
    }

    /// A form, if it is known.
    #[inline]
    pub fn get(&self, number: u32) -> Option<&Form> {
        self.forms.get(number as usize)
    }

    /// The newest form that has the shape of this one.
    #[inline]
    pub fn newest(&self, number: u32) -> &Form {
        self.form(self.newest[number as usize])
    }
}

/// All shapes and forms. They are few, so locks are hardly ever taken.
#[derive(Debug, Default)]
pub(super) struct Forms {
    shapes: Mutex<HashMap<Ends, Arc<Shape>>>,
    columns: Mutex<HashMap<(usize, usize), Arc<Column>>>,
    forms: RwLock<Vec<Arc<Form>>>,
    /// How many there are.
    count: AtomicU32,
}

impl Forms {
    /// The shape of nodes that are cut in this way.
    pub fn shape(&self, ends: &Ends) -> Arc<Shape> {
        let mut shapes = self.shapes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shape) = shapes.get(ends) {
            return shape.clone();
        }
        let mut all = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut columns, mut parts, mut part_of) = (Vec::new(), Vec::new(), Vec::new());
        let mut sum = ends.ends.len() as u64;
        let mut start = 0;
        for (place, &end) in ends.ends.iter().enumerate() {
            let (len, number) = ((end - start) as usize, all.len() as u32);
            let column = all.entry((place, len)).or_insert_with(|| Arc::new(Column::new(number, place, len)));
            columns.push(column.clone());
            parts.push(start as usize..end as usize);
            part_of.resize(end as usize, place as u32);
            sum = hash::of_pair(sum, u64::from(end));
            start = end;
        }
        let shape = Shape { ends: ends.clone(), columns, parts, part_of, hash: sum, newest: Mutex::new(None) };
        shapes.entry(ends.clone()).or_insert_with(|| Arc::new(shape)).clone()
    }

    /// The number of a form of a shape that has bits enough for these numbers.
    pub fn form(&self, shape: &Arc<Shape>, numbers: &[u32]) -> Result<u32, StoreFull> {
        let mut newest = shape.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |form: &Arc<Form>| numbers.iter().zip(&form.fields).all(|(&n, field)| n <= field.mask);
        if let Some(form) = newest.as_ref().filter(|f| fits(f)) {
            return Ok(form.number);
        }
        let mut forms = self.forms.write().unwrap_or_else(PoisonError::into_inner);
        let number = u32::try_from(forms.len()).map_err(|_| StoreFull)?;
        let bits = shape.columns.iter().zip(numbers).map(|(column, &n)| width(n.max(column.count())));
        let form = Arc::new(Form::new(number, shape.clone(), bits));
        forms.push(form.clone());
        self.count.store(forms.len() as u32, Ordering::Release);
        *newest = Some(form);
        Ok(number)
    }

    /// Adds the forms that have come since.
    #[inline]
    pub fn learn(&self, known: &mut Known) {
        if self.count.load(Ordering::Acquire) as usize != known.forms.len() {
            self.learn_more(known);
        }
    }

    #[cold]
    fn learn_more(&self, known: &mut Known) {
        let forms = self.forms.read().unwrap_or_else(PoisonError::into_inner);
        for form in &forms[known.forms.len()..] {
            let older = |other: &Form| Arc::ptr_eq(&other.shape, &form.shape);
            for (newest, _) in known.newest.iter_mut().zip(&known.forms).filter(|(_, other)| older(other)) {
                *newest = form.number;
            }
            known.newest.push(form.number);
            known.forms.push(Form::clone(form));
        }
    }

    /// A form by its number.
    pub fn get(&self, number: u32) -> Arc<Form> {
        self.forms.read().unwrap_or_else(PoisonError::into_inner)[number as usize].clone()
    }
}

/// Bits for numbers up to this one and some more, so that columns do not grow out of them one by one.
fn width(number: u32) -> u32 {
    let needed = 32 - number.leading_zeros();
    match needed {
        0..=2 => 2,
        3..=4 => 4,
        5..=6 => 6,
        7..=8 => 8,
        9..=31 => needed + (needed % 2),
        _ => 32,
    }
}
