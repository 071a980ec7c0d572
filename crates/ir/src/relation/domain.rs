//! Domains of variables.

use super::term::WordShape;

/// The first symbolic constant. Integers of a model stay far below it.
pub const SYMBOLS: i64 = 1 << 48;

/// The domain of a variable. Each value has a code below [`Domain::size`], which states store and BDDs encode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// 0 and 1.
    Boolean,
    /// The integers from the first to the second, inclusive.
    Range(i64, i64),
    /// Integers and symbolic constants, sorted and distinct.
    Values(Vec<i64>),
    /// The words of a shape.
    Word(WordShape),
}

impl Domain {
    /// The number of values; `u64::MAX` for a 64-bit word, which has one more.
    pub fn size(&self) -> u64 {
        match self {
            Domain::Boolean => 2,
            Domain::Range(low, high) => high.abs_diff(*low).saturating_add(1),
            Domain::Values(values) => values.len() as u64,
            Domain::Word(shape) => 1u64.checked_shl(shape.width).unwrap_or(u64::MAX),
        }
    }

    /// The number of bits of a code.
    pub fn bits(&self) -> u32 {
        match self {
            Domain::Word(shape) => shape.width,
            _ => u64::BITS - (self.size() - 1).leading_zeros(),
        }
    }

    /// The value of a code.
    pub fn value(&self, code: u64) -> i64 {
        match self {
            Domain::Boolean => code as i64,
            Domain::Range(low, _) => low.wrapping_add_unsigned(code),
            Domain::Values(values) => values[code as usize],
            Domain::Word(shape) => shape.wrap(code as i64),
        }
    }

    /// The code of a value; none if it is not in the domain.
    pub fn code(&self, value: i64) -> Option<u64> {
        match self {
            Domain::Boolean => (value == 0 || value == 1).then_some(value as u64),
            Domain::Range(low, high) => (*low <= value && value <= *high).then(|| value.abs_diff(*low)),
            Domain::Values(values) => values.binary_search(&value).ok().map(|i| i as u64),
            Domain::Word(shape) => (shape.wrap(value) == value).then(|| shape.bits_of(value)),
        }
    }

    /// Whether a value is in the domain.
    pub fn contains(&self, value: i64) -> bool {
        self.code(value).is_some()
    }

    /// The values in the order of their codes.
    pub fn values(&self) -> impl Iterator<Item = i64> + '_ {
        (0..self.size()).map(|code| self.value(code))
    }
}
