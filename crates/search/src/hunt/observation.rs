//! The walks whose states are recorded.
//!
//! Recording a state hashes its bytes, which takes longer than a step that changes three of them; in a large model, much
//! longer. So where a walk needs no hashes otherwise, only a sample of the walks is observed: all until the cost reaches a fixed
//! amount, then a share that is smaller for larger states. Statements about states seen are about these walks. The
//! sample depends on the numbers of the walks alone.

use crate::walk::splitmix64;

/// Bytes that are hashed before a share of the walks is enough.
const UNLIMITED: u64 = 1 << 26;
/// The most bytes that are hashed per step afterwards, on average.
const PER_STEP: u64 = 16;

/// Selects the units of one member that are observed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observation {
    /// Bytes hashed per observed step.
    cost: u64,
    spent: u64,
}

impl Observation {
    /// For walks with this cost per step, after this many observed steps.
    pub fn new(cost: u64, steps: u64) -> Observation {
        Observation { cost, spent: cost * steps }
    }

    /// Whether the member's unit of this number is observed. The unit takes about this many steps.
    pub fn includes(&mut self, number: u64, steps: u64) -> bool {
        let one_in = (self.cost / PER_STEP).next_power_of_two();
        let included = self.spent < UNLIMITED || splitmix64(number) & (one_in - 1) == 0;
        if included {
            self.spent += self.cost * steps;
        }
        included
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_walks_are_observed_while_it_is_cheap_and_then_a_share() {
        let observed = |cost, units| {
            let mut observation = Observation::new(cost, 0);
            (0..units).filter(|&n| observation.includes(n, 1000)).count()
        };
        assert_eq!(observed(0, 5000), 5000, "observation costs nothing");
        assert_eq!(observed(160, 400), 400);
        let later = observed(160, 100_420) - 420;
        assert!((5_750..=6_750).contains(&later), "one in sixteen of 100,000, not {later}");
        assert!(observed(8192, 1000) < 30);
    }

    #[test]
    fn steps_observed_before_count() {
        let mut observation = Observation::new(1000, 1_000_000);
        assert!((1..50).filter(|&n| observation.includes(n, 10)).count() < 10);
    }
}
