//! The open list: generated nodes that wait to be expanded, the most promising first.
//!
//! Nodes lie in buckets of equal keys. Within a bucket the order of insertion decides, or a random secondary key (Rungta and
//! Mercer 2007, figure 2). A bounded list drops its last node for each one too many. Entries are never moved: a node
//! that gets a better key is inserted again, and the search passes over its old entry.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::store::StateId;
use crate::walk::Draws;

/// The key of a node: the smallest is expanded first. The second number breaks ties.
pub(super) type Key = (u64, u32);

/// Which of the nodes with equal keys is expanded first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The one that was generated first.
    #[default]
    Oldest,
    /// The one that was generated last.
    Newest,
    /// The one with the smallest random number.
    Random,
}

/// The open list.
#[derive(Debug)]
pub(super) struct OpenList {
    buckets: BTreeMap<Key, Bucket>,
    len: usize,
    ties: Ties,
    bound: usize,
    /// How many of the best nodes the next one is drawn from.
    choices: u32,
    dropped: u64,
}

#[derive(Debug)]
enum Bucket {
    Queue(VecDeque<StateId>),
    Shuffled(BTreeSet<(u32, StateId)>),
}

impl OpenList {
    /// An empty list that holds at most `bound` nodes, and gives one of the best `choices`.
    pub fn new(ties: Ties, bound: Option<usize>, choices: u32) -> Self {
        let bound = bound.unwrap_or(usize::MAX);
        OpenList { buckets: BTreeMap::new(), len: 0, ties, bound, choices, dropped: 0 }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many entries did not fit.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Bytes in use, about.
    pub fn memory(&self) -> u64 {
        let entry = if self.ties == Ties::Random { 16 } else { 4 };
        (self.len * entry + self.buckets.len() * 64) as u64
    }

    /// The smallest key.
    pub fn first_key(&self) -> Option<Key> {
        self.buckets.first_key_value().map(|(key, _)| *key)
    }

    /// Inserts a node.
    pub fn push(&mut self, key: Key, id: StateId, draws: &mut Draws) {
        let ties = self.ties;
        let bucket = self.buckets.entry(key).or_insert_with(|| match ties {
            Ties::Random => Bucket::Shuffled(BTreeSet::new()),
            Ties::Oldest | Ties::Newest => Bucket::Queue(VecDeque::new()),
        });
        match bucket {
            Bucket::Queue(queue) if ties == Ties::Newest => queue.push_front(id),
            Bucket::Queue(queue) => queue.push_back(id),
            Bucket::Shuffled(set) => _ = set.insert((draws.below(u32::MAX), id)),
        }
        self.len += 1;
        if self.len > self.bound {
            self.dropped += 1;
            self.pop_last();
        }
    }

    /// Takes the first node, or one of the first few.
    pub fn pop(&mut self, draws: &mut Draws) -> Option<(Key, StateId)> {
        let choices = self.choices.min(u32::try_from(self.len).unwrap_or(u32::MAX));
        let better: Vec<_> = (0..draws.below(choices)).filter_map(|_| self.pop_first()).collect();
        let taken = self.pop_first();
        better.into_iter().rev().for_each(|(key, entry)| self.put_back(key, entry));
        taken.map(|(key, (_, id))| (key, id))
    }

    fn pop_first(&mut self) -> Option<(Key, (u32, StateId))> {
        let mut bucket = self.buckets.first_entry()?;
        let key = *bucket.key();
        let (entry, empty) = match bucket.get_mut() {
            Bucket::Queue(queue) => (queue.pop_front().map(|id| (0, id)), queue.is_empty()),
            Bucket::Shuffled(set) => (set.pop_first(), set.is_empty()),
        };
        if empty {
            bucket.remove();
        }
        self.len -= 1;
        Some((key, entry.expect("buckets are not empty")))
    }

    fn put_back(&mut self, key: Key, (random, id): (u32, StateId)) {
        let ties = self.ties;
        let bucket = self.buckets.entry(key).or_insert_with(|| match ties {
            Ties::Random => Bucket::Shuffled(BTreeSet::new()),
            Ties::Oldest | Ties::Newest => Bucket::Queue(VecDeque::new()),
        });
        match bucket {
            Bucket::Queue(queue) => queue.push_front(id),
            Bucket::Shuffled(set) => _ = set.insert((random, id)),
        }
        self.len += 1;
    }

    fn pop_last(&mut self) {
        let Some(mut bucket) = self.buckets.last_entry() else { return };
        let empty = match bucket.get_mut() {
            Bucket::Queue(queue) => {
                queue.pop_back();
                queue.is_empty()
            }
            Bucket::Shuffled(set) => {
                set.pop_last();
                set.is_empty()
            }
        };
        if empty {
            bucket.remove();
        }
        self.len -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(ties: Ties, bound: Option<usize>, choices: u32, seed: u64) -> Vec<u32> {
        let mut draws = Draws::of(seed, 0);
        let mut open = OpenList::new(ties, bound, choices);
        for (id, key) in [5, 3, 5, 3, 4].into_iter().enumerate() {
            open.push((key, 0), StateId(id as u32), &mut draws);
        }
        std::iter::from_fn(|| open.pop(&mut draws).map(|(_, id)| id.0)).collect()
    }

    #[test]
    fn ties_are_broken_by_age() {
        assert_eq!(list(Ties::Oldest, None, 1, 1), [1, 3, 4, 0, 2]);
        assert_eq!(list(Ties::Newest, None, 1, 1), [3, 1, 4, 2, 0]);
    }

    #[test]
    fn random_ties_have_every_order_and_never_mix_keys() {
        let mut seen = BTreeSet::new();
        for seed in 0..200 {
            let order = list(Ties::Random, None, 1, seed);
            assert_eq!((order[0] + order[1], order[2], order[3] + order[4]), (4, 4, 2), "{order:?}");
            seen.insert(order);
        }
        assert_eq!(seen.len(), 4);
    }

    #[test]
    fn a_bounded_list_drops_the_worst_nodes() {
        assert_eq!(list(Ties::Oldest, Some(3), 1, 1), [1, 3, 4]);
        assert_eq!(list(Ties::Random, Some(2), 1, 1).len(), 2);
    }

    #[test]
    fn one_of_the_best_is_drawn_and_the_others_stay() {
        let mut first = BTreeSet::new();
        for seed in 0..200 {
            let order = list(Ties::Oldest, None, 3, seed);
            first.insert(order[0]);
            assert_eq!(order.iter().copied().collect::<BTreeSet<_>>().len(), 5);
        }
        assert_eq!(first, BTreeSet::from([1, 3, 4]));
    }
}
