//! SplitMix64 (Steele, Lea and Flood 2014): pseudo-random numbers from one 64-bit counter, the same on every machine.

/// The generator with its counter.
pub(crate) struct SplitMix(pub u64);

impl SplitMix {
    /// Draws a number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * bound as u128) >> 64) as usize
    }
}
