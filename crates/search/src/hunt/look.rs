//! Which walks are looked at.
//!
//! A state is seen when its bytes are hashed, which takes longer than a step that changes three of them; in a large
//! model, much longer. So of walks that do nothing else with their states, only some are looked at: all, until looking has
//! cost as much as it may without anybody noticing, and then a share that is the smaller the larger the states are. What
//! is said about states seen is said about these walks. Which ones they are depends on their numbers alone.

use crate::walk::splitmix64;

/// Bytes that are hashed before a share is enough.
const FREELY: u64 = 1 << 26;
/// Bytes that are hashed for each step afterwards, at most and on average.
const PER_STEP: u64 = 16;

/// Decides for one member which of its units are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looking {
    /// Bytes hashed for each step that is looked at.
    cost: u64,
    spent: u64,
}

impl Looking {
    /// For walks that cost so many bytes a step to look at, when so many steps were looked at before.
    pub fn new(cost: u64, steps: u64) -> Looking {
        Looking { cost, spent: cost * steps }
    }

    /// Is the member's unit of this number looked at? It takes about so many steps.
    pub fn at(&mut self, number: u64, steps: u64) -> bool {
        let one_in = (self.cost / PER_STEP).next_power_of_two();
        let looks = self.spent < FREELY || splitmix64(number) & (one_in - 1) == 0;
        if looks {
            self.spent += self.cost * steps;
        }
        looks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_walks_are_looked_at_while_it_is_cheap_and_then_a_share() {
        let looked = |cost, units| {
            let mut looking = Looking::new(cost, 0);
            (0..units).filter(|&n| looking.at(n, 1000)).count()
        };
        assert_eq!(looked(0, 5000), 5000, "looking costs nothing");
        assert_eq!(looked(160, 400), 400);
        let later = looked(160, 100_420) - 420;
        assert!((5_750..=6_750).contains(&later), "one in sixteen of 100,000, not {later}");
        assert!(looked(8192, 1000) < 30);
    }

    #[test]
    fn steps_looked_at_before_count() {
        let mut looking = Looking::new(1000, 1_000_000);
        assert!((1..50).filter(|&n| looking.at(n, 10)).count() < 10);
    }
}
