//! Sets of small numbers.

/// A set of numbers, one bit each. The words end with a non-zero one, so that equal sets are equal vectors and the
/// empty set needs no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// The numbers below `end`.
    pub(crate) fn below(end: usize) -> Self {
        let mut words = vec![u64::MAX; end / 64];
        if !end.is_multiple_of(64) {
            words.push((1 << (end % 64)) - 1);
        }
        Bits(words)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub(crate) fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(crate) fn remove(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
            self.trim();
        }
    }

    pub(crate) fn is_subset(&self, other: &Bits) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub(crate) fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub(crate) fn union(&self, other: &Bits) -> Bits {
        let (mut long, short) =
            if self.0.len() < other.0.len() { (other.clone(), self) } else { (self.clone(), other) };
        for (a, b) in long.0.iter_mut().zip(&short.0) {
            *a |= b;
        }
        long
    }

    pub(crate) fn intersection(&self, other: &Bits) -> Bits {
        let mut result = Bits(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect());
        result.trim();
        result
    }

    pub(crate) fn difference(&self, other: &Bits) -> Bits {
        let mut result = self.clone();
        for (a, b) in result.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
        result.trim();
        result
    }

    /// The members in increasing order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let lowest = (rest != 0).then(|| index * 64 + rest.trailing_zeros() as usize);
                rest &= rest.wrapping_sub(1);
                lowest
            })
        })
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
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
        assert_eq!(Bits::below(64), Bits::from_iter(0..64));
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
