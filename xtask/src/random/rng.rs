//! SplitMix64 (Steele, Lea and Flood, 2014): one 64-bit counter and a mixing function.
//!
//! Small, pinned, and good enough to draw programs from; the same seed gives the same programs for ever.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The stream of program `index` under `seed`; programs are independent of one another.
    pub fn of_program(seed: u64, index: u64) -> Rng {
        let mut outer = Rng(seed);
        let base = outer.next();
        Rng(base ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is small: the bias of the remainder does not matter here.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of the items that fit, if any does.
    pub fn pick_where<'a, T>(&mut self, items: &'a [T], fits: impl Fn(&T) -> bool) -> Option<&'a T> {
        let fitting: Vec<&T> = items.iter().filter(|item| fits(item)).collect();
        (!fitting.is_empty()).then(|| *self.pick(&fitting))
    }

    /// One of the items, each as likely as its weight.
    pub fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> T {
        let total: usize = items.iter().map(|(weight, _)| weight).sum();
        let mut draw = self.below(total);
        for (weight, item) in items {
            if draw < *weight {
                return *item;
            }
            draw -= weight;
        }
        unreachable!("the draw is below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut rng = Rng(1234567);
        assert_eq!(rng.next(), 6457827717110365317);
        assert_eq!(rng.next(), 3203168211198807973);
    }

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut rng = Rng::of_program(1, 1);
        assert!((0..1000).all(|_| rng.weighted(&[(0, 'a'), (3, 'b'), (0, 'c')]) == 'b'));
    }
}
