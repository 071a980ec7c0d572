//! The states that a walk has visited.
//!
//! Only fingerprints are kept. Two states with the same fingerprint are taken for one, which at worst ends a walk early
//! or makes the replay of a lasso fail: no verdict rests on it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use lurcher_ir::LocationId;
use lurcher_system::State;

/// The fingerprint of a state, the claim's location, and whether the system stuttered.
pub fn fingerprint(state: &State, claim: LocationId, stayed: bool) -> u64 {
    let holder = state.exclusive.map_or(0, |p| u64::from(p.0) + 1);
    state.fingerprint(u64::from(claim.0) | holder << 16 | u64::from(stayed) << 40)
}

/// The hasher of fingerprints, which are hashes already.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity(u64);

impl Hasher for Identity {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only fingerprints are hashed");
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map with fingerprints as keys.
pub type FingerprintMap<V> = HashMap<u64, V, BuildHasherDefault<Identity>>;

/// The states that a walk has visited, each with the position of the first visit.
#[derive(Debug, Default)]
pub struct Visited {
    first: FingerprintMap<u32>,
}

/// A larger table is freed before the next walk.
const KEPT: usize = 1 << 14;

impl Visited {
    /// Removes all states.
    pub fn clear(&mut self) {
        if self.first.capacity() > KEPT {
            self.first = FingerprintMap::default();
        } else {
            self.first.clear();
        }
    }

    /// Notes a visit; returns the position of the first one if the state was visited before.
    pub fn note(&mut self, fingerprint: u64, position: u32) -> Option<u32> {
        match self.first.entry(fingerprint) {
            std::collections::hash_map::Entry::Occupied(entry) => Some(*entry.get()),
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(position);
                None
            }
        }
    }

    /// The position of the first visit.
    pub fn first(&self, fingerprint: u64) -> Option<u32> {
        self.first.get(&fingerprint).copied()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.first.capacity() as u64 * 17
    }
}
