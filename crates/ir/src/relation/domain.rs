//! The values that a variable can have.

use super::term::WordShape;

/// The first symbolic constant. Integers of a model stay far below it.
pub const SYMBOLS: i64 = 1 << 48;

/// The values that a variable can have. Each has a code, from 0 up to one less than [`Domain::size`]: what is stored in
/// a state and encoded in a BDD.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// 0 and 1.
    Boolean,
    /// The integers from the first to the second.
    Range(i64, i64),
    /// These integers and symbolic constants: sorted, no two alike.
    Values(Vec<i64>),
    /// So many bits.
    Word(WordShape),
}

impl Domain {
    /// How many values there are; `u64::MAX` when there are more than that (a word of 64 bits has one more).
    pub fn size(&self) -> u64 {
        match self {
            Domain::Boolean => 2,
            Domain::Range(low, high) => high.abs_diff(*low).saturating_add(1),
            Domain::Values(values) => values.len() as u64,
            Domain::Word(shape) => 1u64.checked_shl(shape.width).unwrap_or(u64::MAX),
        }
    }

    /// Bits that its codes take.
    pub fn bits(&self) -> u32 {
        match self {
            Domain::Word(shape) => shape.width,
            _ => u64::BITS - (self.size() - 1).leading_zeros(),
        }
    }

    /// The value behind a code.
    pub fn value(&self, code: u64) -> i64 {
        match self {
            Domain::Boolean => code as i64,
            Domain::Range(low, _) => low.wrapping_add_unsigned(code),
            Domain::Values(values) => values[code as usize],
            Domain::Word(shape) => shape.wrap(code as i64),
        }
    }

    /// The code of a value; nothing if it is not one of the domain.
    pub fn code(&self, value: i64) -> Option<u64> {
        match self {
            Domain::Boolean => (value == 0 || value == 1).then_some(value as u64),
            Domain::Range(low, high) => (*low <= value && value <= *high).then(|| value.abs_diff(*low)),
            Domain::Values(values) => values.binary_search(&value).ok().map(|i| i as u64),
            Domain::Word(shape) => (shape.wrap(value) == value).then(|| shape.bits_of(value)),
        }
    }

    /// Is this value one of them?
    pub fn contains(&self, value: i64) -> bool {
        self.code(value).is_some()
    }

    /// The values in order of their codes.
    pub fn values(&self) -> impl Iterator<Item = i64> + '_ {
        (0..self.size()).map(|code| self.value(code))
    }
}
