//! The random numbers of a walk, and the rule that turns them into choices.
//!
//! Walk *i* of seed *s* draws from a PCG32 generator of its own (O'Neill 2014: XSH-RR, 64 bits of state), whose state
//! and stream are the SplitMix64 hash of *s* and *i*. This and the two rules below are a contract: they make walk *i* of
//! seed *s* the same walk on every machine, whatever the number of threads.
//!
//! * One of *n*: nothing is drawn when *n* is 1, else a 32-bit number *r* gives ⌊*r n* / 2³²⌋. The bias is below
//!   *n* / 2³².
//! * By weights of sum *w*: a 64-bit number *r* (the high word is drawn first) gives *x* = ⌊*r w* / 2⁶⁴⌋; the first
//!   candidate at which the running sum of weights exceeds *x* is taken. Nothing is drawn for a single candidate.

use rand_core::RngCore;
use rand_pcg::Pcg32;

/// The random numbers of one walk.
#[derive(Clone, Debug)]
pub struct Draws(Pcg32);

impl Draws {
    /// Those of walk `index` of `seed`.
    pub fn of(seed: u64, index: u64) -> Draws {
        let state = splitmix64(seed ^ splitmix64(index));
        Draws(Pcg32::new(state, splitmix64(state ^ index)))
    }

    /// A number below `n`, uniformly distributed.
    pub fn below(&mut self, n: u32) -> u32 {
        if n <= 1 {
            return 0;
        }
        ((u64::from(self.0.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// Puts elements into a random order, each with the same probability (Fisher and Yates).
    pub fn shuffle<T>(&mut self, elements: &mut [T]) {
        (1..elements.len()).rev().for_each(|i| elements.swap(i, self.below(i as u32 + 1) as usize));
    }

    /// Takes an element out at random; the last takes its place.
    pub fn take<T>(&mut self, pool: &mut Vec<T>) -> Option<T> {
        if pool.is_empty() {
            return None;
        }
        let at = self.below(pool.len() as u32) as usize;
        Some(pool.swap_remove(at))
    }

    /// The index of a weight, drawn in proportion; uniformly if all weights are 0.
    pub fn by_weight(&mut self, weights: &[u32]) -> usize {
        if weights.len() <= 1 {
            return 0;
        }
        let sum: u64 = weights.iter().map(|&w| u64::from(w)).sum();
        if sum == 0 {
            return self.below(weights.len() as u32) as usize;
        }
        let high = u64::from(self.0.next_u32());
        let r = high << 32 | u64::from(self.0.next_u32());
        let mut left = ((u128::from(r) * u128::from(sum)) >> 64) as u64;
        for (index, &weight) in weights.iter().enumerate() {
            if left < u64::from(weight) {
                return index;
            }
            left -= u64::from(weight);
        }
        unreachable!("the number drawn is below the sum of the weights")
    }
}

/// What a step of SplitMix64 adds to its state.
pub const SPLITMIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64 (Steele, Lea and Flood 2014): the number that follows a state.
pub fn splitmix64(state: u64) -> u64 {
    let mut z = state.wrapping_add(SPLITMIX_STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_walk_never_change() {
        let mut draws = Draws::of(1, 0);
        let first: Vec<u32> = (0..6).map(|_| draws.below(1000)).collect();
        let mut other = Draws::of(1, 1);
        let second: Vec<u32> = (0..6).map(|_| other.below(1000)).collect();
        // Computed by a second implementation of the contract.
        assert_eq!(first, [193, 292, 30, 454, 88, 698]);
        assert_eq!(second, [62, 607, 120, 634, 81, 598]);
    }

    #[test]
    fn weights_decide_how_often_an_index_is_drawn() {
        let mut draws = Draws::of(7, 7);
        let mut counts = [0u32; 4];
        for _ in 0..40_000 {
            counts[draws.by_weight(&[1, 0, 2, 5])] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, share) in [(counts[0], 5000.0), (counts[2], 10_000.0), (counts[3], 25_000.0)] {
            assert!((f64::from(count) - share).abs() < 500.0, "{counts:?}");
        }
        let mut uniform = [0u32; 3];
        (0..30_000).for_each(|_| uniform[draws.by_weight(&[0, 0, 0])] += 1);
        assert!(uniform.iter().all(|c| c.abs_diff(10_000) < 500), "{uniform:?}");
    }
}
