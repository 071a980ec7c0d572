//! Sets of small numbers.

/// A set of numbers as a bit vector. Sets of numbers below 64, the common case, need no allocation. The last word of
/// `high` is not 0, so that equal sets are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bits {
    low: u64,
    high: Vec<u64>,
}

impl Bits {
    /// The numbers below `end`.
    pub(crate) fn below(end: usize) -> Self {
        let word = |start: usize| match end.saturating_sub(start) {
            64.. => u64::MAX,
            count => (1 << count) - 1,
        };
        Bits { low: word(0), high: (64..end).step_by(64).map(word).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.low == 0 && self.high.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        let word = if number < 64 { self.low } else { self.high.get(number / 64 - 1).copied().unwrap_or(0) };
        word >> (number % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, number: usize) {
        let bit = 1 << (number % 64);
        if number < 64 {
            self.low |= bit;
        } else {
            let index = number / 64 - 1;
            self.high.resize(self.high.len().max(index + 1), 0);
            self.high[index] |= bit;
        }
    }

    pub(crate) fn remove(&mut self, number: usize) {
        let bit = 1 << (number % 64);
        if number < 64 {
            self.low &= !bit;
        } else if let Some(word) = self.high.get_mut(number / 64 - 1) {
            *word &= !bit;
            self.trim();
        }
    }

    pub(crate) fn is_subset(&self, other: &Bits) -> bool {
        self.low & !other.low == 0
            && self.high.len() <= other.high.len()
            && self.high.iter().zip(&other.high).all(|(a, b)| a & !b == 0)
    }

    pub(crate) fn meets(&self, other: &Bits) -> bool {
        self.low & other.low != 0 || self.high.iter().zip(&other.high).any(|(a, b)| a & b != 0)
    }

    pub(crate) fn union(&self, other: &Bits) -> Bits {
        let (long, short) = if self.high.len() < other.high.len() { (other, self) } else { (self, other) };
        let mut high = long.high.clone();
        high.iter_mut().zip(&short.high).for_each(|(a, b)| *a |= b);
        Bits { low: self.low | other.low, high }
    }

    pub(crate) fn intersection(&self, other: &Bits) -> Bits {
        let high = self.high.iter().zip(&other.high).map(|(a, b)| a & b).collect();
        let mut result = Bits { low: self.low & other.low, high };
        result.trim();
        result
    }

    pub(crate) fn difference(&self, other: &Bits) -> Bits {
        let mut result = self.clone();
        result.low &= !other.low;
        result.high.iter_mut().zip(&other.high).for_each(|(a, b)| *a &= !b);
        result.trim();
        result
    }

    /// The members in increasing order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.words().enumerate().flat_map(|(index, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let lowest = (rest != 0).then(|| index * 64 + rest.trailing_zeros() as usize);
                rest &= rest.wrapping_sub(1);
                lowest
            })
        })
    }

    fn words(&self) -> impl Iterator<Item = u64> {
        std::iter::once(self.low).chain(self.high.iter().copied())
    }

    fn trim(&mut self) {
        while self.high.last() == Some(&0) {
            self.high.pop();
        }
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut bits = Bits::default();
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_across_word_borders_behave_like_sets() {
        let numbers = [0, 1, 63, 64, 127, 128, 200];
        let bits = Bits::from_iter(numbers);
        assert_eq!(bits.iter().collect::<Vec<_>>(), numbers);
        assert_eq!(bits.len(), numbers.len());
        assert!(numbers.iter().all(|&n| bits.contains(n)));
        assert!(![2, 62, 65, 199, 201, 1000].iter().any(|&n| bits.contains(n)));
        assert_eq!(Bits::below(130).intersection(&bits), Bits::from_iter([0, 1, 63, 64, 127, 128]));
        assert_eq!(bits.difference(&Bits::below(130)), Bits::from_iter([200]));
        assert_eq!(bits.union(&Bits::below(128)).len(), 130);
    }

    #[test]
    fn equal_sets_are_equal_however_they_came_about() {
        let mut shrunk = Bits::from_iter([3, 300]);
        shrunk.remove(300);
        assert_eq!(shrunk, Bits::from_iter([3]));
        assert_eq!(shrunk.difference(&shrunk), Bits::default());
        for end in [0, 1, 63, 64, 65, 128, 129] {
            assert_eq!(Bits::below(end), Bits::from_iter(0..end));
        }
    }

    #[test]
    fn subsets_and_meetings() {
        let small = Bits::from_iter([1]);
        let large = Bits::from_iter([1, 100]);
        assert!(small.is_subset(&large) && !large.is_subset(&small));
        assert!(small.meets(&large) && !small.meets(&Bits::from_iter([100])));
        assert!(Bits::default().is_subset(&small) && Bits::default().is_empty());
    }
}
