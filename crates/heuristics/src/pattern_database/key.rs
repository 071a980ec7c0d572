//! Abstract states as single numbers.
//!
//! Each position of an abstract state takes few different values, all known once the states have been listed. Their
//! ranks are the digits of a number in mixed radix, so that a state is looked up by one number and nothing is hashed
//! that is longer.

/// The values of one position.
#[derive(Clone, Debug)]
struct Digits {
    /// In ascending order.
    values: Vec<i32>,
    /// The rank of each value from the smallest on, `u16::MAX` where there is none; empty when they lie far apart.
    dense: Vec<u16>,
}

impl Digits {
    fn new(mut values: Vec<i32>) -> Digits {
        values.sort_unstable();
        values.dedup();
        let first = values.first().copied().unwrap_or(0);
        let span = values.last().map_or(0, |&l| i64::from(l) - i64::from(first) + 1);
        let mut dense = Vec::new();
        if span <= 4096 {
            dense = vec![u16::MAX; span as usize];
            for (rank, value) in values.iter().enumerate() {
                dense[(value - first) as usize] = rank as u16;
            }
        }
        Digits { values, dense }
    }

    fn rank(&self, value: i32) -> Option<u32> {
        if self.dense.is_empty() {
            return self.values.binary_search(&value).ok().map(|r| r as u32);
        }
        let at = usize::try_from(i64::from(value) - i64::from(self.values[0])).ok()?;
        self.dense.get(at).filter(|r| **r != u16::MAX).map(|&r| u32::from(r))
    }
}

/// How abstract states become numbers.
#[derive(Clone, Debug)]
pub(super) struct Coder {
    digits: Vec<Digits>,
}

/// A number while its digits come in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key(Option<u128>);

impl Coder {
    /// A code for these states; none when the numbers would be too large.
    pub fn new(states: &[Vec<i32>], width: usize) -> Option<Coder> {
        let values = (0..width).map(|at| states.iter().map(|s| s[at]).collect()).collect();
        Coder::of_values(values)
    }

    /// A code from the values of each position.
    pub fn of_values(values: Vec<Vec<i32>>) -> Option<Coder> {
        let digits: Vec<Digits> = values.into_iter().map(Digits::new).collect();
        let mut product: u128 = 1;
        for digit in &digits {
            product = product.checked_mul(digit.values.len().max(1) as u128)?;
        }
        Some(Coder { digits })
    }

    pub fn values(&self) -> impl Iterator<Item = &[i32]> {
        self.digits.iter().map(|d| d.values.as_slice())
    }

    pub fn start(&self) -> Key {
        Key(Some(0))
    }

    pub fn push(&self, key: &mut Key, at: usize, value: i32) {
        let digit = &self.digits[at];
        let rank = digit.rank(value);
        key.0 = key.0.and_then(|k| rank.map(|r| k * digit.values.len() as u128 + u128::from(r)));
    }

    pub fn encode(&self, values: &[i32]) -> Option<u128> {
        let mut key = self.start();
        values.iter().enumerate().for_each(|(at, v)| self.push(&mut key, at, *v));
        key.done()
    }
}

impl Key {
    /// The number; none when a value was never met.
    pub fn done(self) -> Option<u128> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Coder;

    #[test]
    fn states_get_different_numbers_and_unknown_values_none() {
        let states: Vec<Vec<i32>> =
            vec![vec![0, 5, -1], vec![1, 5, 70_000], vec![0, 7, 70_000], vec![1, 6, -1], vec![0, 5, 70_000]];
        let coder = Coder::new(&states, 3).expect("small");
        let mut keys: Vec<u128> = states.iter().map(|s| coder.encode(s).expect("known")).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), states.len());
        assert!(keys.iter().all(|k| *k < 2 * 3 * 2));
        assert_eq!(coder.encode(&[2, 5, -1]), None);
        assert_eq!(coder.encode(&[0, 5, 0]), None);
    }
}
