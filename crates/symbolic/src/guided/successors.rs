//! Enumerating the successors of one state from the BDDs of the transition relation.
//!
//! A walk needs the image of a single state at every step. Instead of a relational product, each conjunct of a partition
//! is followed from its root: current bits are given by the state, and both values are tried for next bits and inputs.
//! The conjuncts are copied, so the variable order must not change afterwards.

use std::collections::BTreeMap;

use oxidd::VarNo;
use rustc_hash::FxHashMap;

use crate::encode::{Encoding, Partition};
use crate::sets::ArrayBdd;

/// The most bit values tried for one state; larger images are computed as sets.
const MOST_TRIES: usize = 20_000;

/// A copy of the transition relation for enumeration.
pub(super) struct Successors {
    partitions: Vec<PartitionCopy>,
    invariant: ArrayBdd,
    /// The level of each bit.
    levels: FxHashMap<VarNo, u32>,
}

/// A successor of a state.
pub(super) struct Successor {
    pub state: Vec<i64>,
    /// The source with inputs that lead to this successor; bits by level.
    source: Vec<bool>,
}

struct PartitionCopy {
    conjuncts: Vec<ArrayBdd>,
    /// The relevant levels from the top.
    levels: Vec<(u32, Role)>,
}

#[derive(Clone, Copy)]
enum Role {
    Current,
    /// A next bit, with the level of its current bit.
    Next(u32),
    Input,
}

/// Enumeration of the successors by one partition.
struct Search<'s> {
    partition: &'s PartitionCopy,
    /// Current bits and tried inputs, by level.
    now: Vec<bool>,
    after: Vec<bool>,
    /// The successors, each with one source.
    found: &'s mut BTreeMap<Vec<bool>, Vec<bool>>,
    tries: usize,
}

impl Successors {
    pub fn new(encoding: &Encoding<'_>) -> Successors {
        let bits: Vec<VarNo> = (0..encoding.layout.bits() as VarNo).collect();
        let invariant = ArrayBdd::of(encoding.invariant(), &bits);
        let levels: FxHashMap<VarNo, u32> = invariant.order().iter().copied().zip(0..).collect();
        let copy = |partition: &Partition| {
            let conjuncts: Vec<ArrayBdd> = partition.conjuncts().map(|c| ArrayBdd::of(c, &bits)).collect();
            let tested = conjuncts.iter().flat_map(ArrayBdd::levels);
            let mut roles: BTreeMap<u32, Role> = tested.map(|level| (level, Role::Current)).collect();
            for bit in &encoding.input_bits {
                roles.entry(levels[bit]).and_modify(|role| *role = Role::Input);
            }
            for &v in &partition.touched {
                let pairs = encoding.layout.next(v).iter().zip(encoding.layout.now(v));
                roles.extend(pairs.map(|(next, now)| (levels[next], Role::Next(levels[now]))));
            }
            PartitionCopy { conjuncts, levels: roles.into_iter().collect() }
        };
        Successors { partitions: encoding.partitions.iter().map(copy).collect(), levels, invariant }
    }

    /// The successors of a state in a fixed order; `None` if there are more than `most`, or too many values to try.
    pub fn of(&self, encoding: &Encoding<'_>, state: &[i64], most: usize) -> Option<Vec<Successor>> {
        let mut now = vec![false; self.levels.len()];
        for (bit, set) in encoding.bits_of(state, false) {
            now[self.levels[&bit] as usize] = set;
        }
        let mut found = BTreeMap::new();
        let mut tries = 0;
        for partition in &self.partitions {
            let roots: Vec<u32> = partition.conjuncts.iter().map(ArrayBdd::root).collect();
            let mut search = Search { partition, now: now.clone(), after: now.clone(), found: &mut found, tries };
            search.descend(0, &roots);
            tries = search.tries;
            if tries > MOST_TRIES || found.len() > most {
                return None;
            }
        }
        found.retain(|after, _| self.invariant.eval(after));
        let successor =
            |(after, source): (Vec<bool>, Vec<bool>)| Successor { state: self.decode(encoding, &after), source };
        Some(found.into_iter().map(successor).collect())
    }

    /// The source of a successor, with inputs that lead to it.
    pub fn source(&self, encoding: &Encoding<'_>, successor: &Successor) -> Vec<i64> {
        self.decode(encoding, &successor.source)
    }

    fn decode(&self, encoding: &Encoding<'_>, bits: &[bool]) -> Vec<i64> {
        encoding.decode(|bit| bits[self.levels[&bit] as usize])
    }
}

impl Search<'_> {
    /// Enumerates the satisfying values from a level on; `nodes` holds the current node of each conjunct.
    fn descend(&mut self, from: usize, nodes: &[u32]) {
        let mut nodes = nodes.to_vec();
        for (index, &(level, role)) in self.partition.levels.iter().enumerate().skip(from) {
            if nodes.contains(&0) || self.tries > MOST_TRIES {
                return;
            }
            let tested = || self.partition.conjuncts.iter().zip(&nodes).any(|(c, &node)| c.tests(node, level));
            match role {
                Role::Current => self.assign(&mut nodes, level, self.now[level as usize]),
                Role::Input if !tested() => {}
                Role::Input | Role::Next(_) => {
                    self.tries += 1;
                    for value in [false, true] {
                        let mut other = nodes.clone();
                        self.assign(&mut other, level, value);
                        match role {
                            Role::Next(now) => self.after[now as usize] = value,
                            _ => self.now[level as usize] = value,
                        }
                        self.descend(index + 1, &other);
                    }
                    return;
                }
            }
        }
        if nodes.iter().all(|&node| node == 1) {
            self.found.entry(self.after.clone()).or_insert_with(|| self.now.clone());
        }
    }

    /// Moves each conjunct to its child for a value of the bit at a level.
    fn assign(&self, nodes: &mut [u32], level: u32, value: bool) {
        for (conjunct, node) in self.partition.conjuncts.iter().zip(nodes) {
            *node = conjunct.child(*node, level, value);
        }
    }
}
