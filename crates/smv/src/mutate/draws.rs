//! The random numbers of the seeder: SplitMix64 (Steele, Lea and Flood 2014).
//!
//! A number below *n* is ⌊*r n* / 2⁶⁴⌋ for the next number *r*. This is a contract: a seed gives the same mutants everywhere.

/// A generator.
#[derive(Clone, Debug)]
pub(super) struct Draws(u64);

impl Draws {
    pub fn new(seed: u64) -> Draws {
        Draws(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        let mut draws = Draws::new(0);
        let first = [draws.next(), draws.next(), draws.next()];
        assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }

    #[test]
    fn choices_stay_below_their_bound() {
        let mut draws = Draws::new(7);
        let drawn: Vec<usize> = (0..200).map(|_| draws.below(5)).collect();
        assert!((0..5).all(|n| drawn.contains(&n)) && drawn.iter().all(|&n| n < 5));
    }
}
