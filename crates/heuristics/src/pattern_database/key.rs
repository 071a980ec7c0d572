//! Abstract states as single numbers, the keys of the database.
//!
//! Each position of an abstract state takes few different values, all known after exploration. Their ranks are the digits
//! of a number in mixed radix, so that a lookup hashes one number.

/// The values of one position.
#[derive(Clone, Debug)]
struct Digit {
    /// In ascending order.
    values: Vec<i32>,
    /// The rank of each value from the smallest on, `u16::MAX` for gaps; empty if the values lie far apart.
    ranks: Vec<u16>,
}

impl Digit {
    fn new(mut values: Vec<i32>) -> Digit {
        values.sort_unstable();
        values.dedup();
        let first = values.first().copied().unwrap_or(0);
        let span = values.last().map_or(0, |&l| i64::from(l) - i64::from(first) + 1);
        let mut ranks = Vec::new();
        if span <= 4096 {
            ranks = vec![u16::MAX; span as usize];
            for (rank, value) in values.iter().enumerate() {
                ranks[(value - first) as usize] = rank as u16;
            }
        }
        Digit { values, ranks }
    }

    fn rank(&self, value: i32) -> Option<u32> {
        if self.ranks.is_empty() {
            return self.values.binary_search(&value).ok().map(|r| r as u32);
        }
        let at = usize::try_from(i64::from(value) - i64::from(self.values[0])).ok()?;
        self.ranks.get(at).filter(|r| **r != u16::MAX).map(|&r| u32::from(r))
    }
}

/// The coding of abstract states.
#[derive(Clone, Debug)]
pub(super) struct Coder {
    digits: Vec<Digit>,
}

impl Coder {
    /// A coding from the values of each position; none if the keys would be too large.
    pub fn new(values: impl Iterator<Item = Vec<i32>>) -> Option<Coder> {
        let digits: Vec<Digit> = values.map(Digit::new).collect();
        digits.iter().try_fold(1u128, |product, d| product.checked_mul(d.values.len().max(1) as u128))?;
        Some(Coder { digits })
    }

    /// The values of each position.
    pub fn values(&self) -> impl Iterator<Item = &[i32]> {
        self.digits.iter().map(|d| d.values.as_slice())
    }

    /// Adds the digit of a position to a key, which starts as 0 and becomes none at an unknown value.
    pub fn push(&self, key: &mut Option<u128>, at: usize, value: i32) {
        let digit = &self.digits[at];
        let rank = digit.rank(value);
        *key = key.and_then(|k| rank.map(|r| k * digit.values.len() as u128 + u128::from(r)));
    }

    /// The key of an abstract state; none if it contains an unknown value.
    pub fn encode(&self, values: &[i32]) -> Option<u128> {
        let mut key = Some(0);
        values.iter().enumerate().for_each(|(at, v)| self.push(&mut key, at, *v));
        key
    }
}

#[cfg(test)]
mod tests {
    use super::Coder;

    #[test]
    fn different_states_have_different_keys_and_unknown_values_have_none() {
        let states = [[0, 5, -1], [1, 5, 70_000], [0, 7, 70_000], [1, 6, -1], [0, 5, 70_000]];
        let coder = Coder::new((0..3).map(|at| states.iter().map(|s| s[at]).collect())).expect("small");
        let mut keys: Vec<u128> = states.iter().map(|s| coder.encode(s).expect("known")).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), states.len());
        assert!(keys.iter().all(|k| *k < 2 * 3 * 2));
        assert_eq!(coder.encode(&[2, 5, -1]), None);
        assert_eq!(coder.encode(&[0, 5, 0]), None);
    }
}
