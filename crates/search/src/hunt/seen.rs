//! The distinct states that many walks have seen, in bounded memory.
//!
//! Distinct sampling (Gibbons 2001): only states whose fingerprint has enough low zero bits are kept, and the required
//! number of bits grows when the table is full. The kept states are a uniform sample of the distinct states that depends
//! on the set of states alone, not on their order; so counts are the same on any number of threads. Each state has a mark
//! whether exactly one of the unguided, independent walks has seen it, for the Good–Turing estimate.

use serde::{Deserialize, Serialize};

use crate::walk::FingerprintMap;

/// The most states that are kept.
const CAPACITY: usize = 1 << 16;

/// Which of the unguided, independent walks have seen a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Sightings {
    None,
    One,
    More,
}

/// The distinct states that walks have seen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct Seen {
    level: u32,
    states: FingerprintMap<Sightings>,
}

impl Seen {
    /// Low zero bits that a fingerprint needs to be kept.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Adds the states of one unit, each once; returns the estimated number of new ones.
    pub fn add(&mut self, states: &[u64], counts: bool) -> u64 {
        let level = self.level;
        let mut new = 0;
        for &state in states.iter().filter(|s| s.trailing_zeros() >= level) {
            let known = self.states.entry(state);
            new += u64::from(matches!(known, std::collections::hash_map::Entry::Vacant(_)));
            let sightings = known.or_insert(Sightings::None);
            if counts {
                *sightings = if *sightings == Sightings::None { Sightings::One } else { Sightings::More };
            }
        }
        while self.states.len() > CAPACITY {
            self.level += 1;
            let level = self.level;
            self.states.retain(|s, _| s.trailing_zeros() >= level);
        }
        new << level
    }

    /// The number of distinct states: exact as long as all are kept, an estimate afterwards.
    pub fn distinct(&self) -> u64 {
        (self.states.len() as u64) << self.level
    }

    /// Whether all states are kept.
    pub fn is_exact(&self) -> bool {
        self.level == 0
    }

    /// The number of states that exactly one of the unguided, independent walks has seen.
    pub fn singles(&self) -> u64 {
        (self.states.values().filter(|&&s| s == Sightings::One).count() as u64) << self.level
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.states.capacity() as u64 * 17
    }
}

/// The form in which the table is saved: sorted, so that equal tables make equal files.
#[derive(Serialize, Deserialize)]
struct Saved {
    level: u32,
    none: Vec<u64>,
    one: Vec<u64>,
    more: Vec<u64>,
}

impl From<Seen> for Saved {
    fn from(seen: Seen) -> Saved {
        let sorted = |wanted: Sightings| {
            let mut list: Vec<u64> = seen.states.iter().filter(|(_, s)| **s == wanted).map(|(f, _)| *f).collect();
            list.sort_unstable();
            list
        };
        Saved {
            level: seen.level,
            none: sorted(Sightings::None),
            one: sorted(Sightings::One),
            more: sorted(Sightings::More),
        }
    }
}

impl From<Saved> for Seen {
    fn from(saved: Saved) -> Seen {
        let mut states = FingerprintMap::default();
        let lists = [(saved.none, Sightings::None), (saved.one, Sightings::One), (saved.more, Sightings::More)];
        for (list, sightings) in lists {
            states.extend(list.into_iter().map(|s| (s, sightings)));
        }
        Seen { level: saved.level, states }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::Draws;

    fn numbers(from: u64, count: u64) -> Vec<u64> {
        (from..from + count)
            .map(|i| {
                let mut draws = Draws::of(99, i);
                u64::from(draws.below(u32::MAX)) << 32 | u64::from(draws.below(u32::MAX))
            })
            .collect()
    }

    #[test]
    fn large_sets_are_estimated_within_a_few_per_cent_and_in_any_order() {
        let all = numbers(0, 600_000);
        let (mut one, mut other) = (Seen::default(), Seen::default());
        all.chunks(1000).for_each(|c| _ = one.add(c, true));
        all.rchunks(777).for_each(|c| _ = other.add(c, true));
        assert_eq!((one.distinct(), one.singles()), (other.distinct(), other.singles()));
        assert!(one.distinct().abs_diff(600_000) < 20_000, "{}", one.distinct());
        assert!(!one.is_exact());
    }

    #[test]
    fn a_state_is_single_until_a_second_walk_sees_it() {
        let mut seen = Seen::default();
        assert_eq!(seen.add(&[1, 2, 3], true), 3);
        assert_eq!(seen.add(&[3, 4], false), 1);
        assert_eq!((seen.distinct(), seen.singles()), (4, 3));
        seen.add(&[1, 4], true);
        assert_eq!(seen.singles(), 3);
        let saved: Seen = Saved::from(seen.clone()).into();
        assert_eq!((saved.distinct(), saved.singles()), (4, 3));
    }
}
