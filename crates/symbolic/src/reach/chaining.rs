//! Reachability by chaining (Roig, Cortadella and Pastor 1995).
//!
//! The successors by one partition are added to the reached set before the next partition is applied, and each partition
//! is applied to a fixpoint, in variable order. A round goes deep, and the intermediate BDDs, closed under partitions, stay
//! small. With a single partition this is breadth-first search.
//!
//! A trace is read from the history: a state that was new after an application has a predecessor by that partition in the
//! set before it. This needs preimages of single states only, but the trace is as long as the history makes it.

use lurcher_search::{Observer, Progress};
use lurcher_system::Path;

use super::Reached;
use crate::encode::{Encoding, Partition};
use crate::kernel::{Bdd, BddResult};

/// The state of a chaining search.
struct Chain<'e, 'r> {
    encoding: &'e Encoding<'r>,
    target: &'e Bdd,
    reached: Bdd,
    /// Productive applications: the partition and the reached set before it.
    history: Vec<(&'e Partition, Bdd)>,
    /// Target states reached.
    hit: Bdd,
}

impl Encoding<'_> {
    /// All reachable states.
    pub fn reachable(&self, observer: &mut dyn Observer) -> BddResult<Bdd> {
        let reached = self.chained(&self.kernel().constant(false), observer)?;
        Ok(reached.reachable.expect("a search without a target is exhaustive"))
    }

    pub(super) fn chained(&self, target: &Bdd, observer: &mut dyn Observer) -> BddResult<Reached> {
        if self.partitions.len() <= 1 {
            return self.forward(target, observer);
        }
        let k = self.kernel();
        let partitions = self.partitions_from_the_top();
        let hit = k.and(self.initial(), target)?;
        let mut chain = Chain { encoding: self, target, reached: self.initial().clone(), history: Vec::new(), hit };
        let mut rounds = 0;
        loop {
            let before = chain.reached.clone();
            for partition in &partitions {
                if !k.is_empty(&chain.hit) {
                    let trace = chain.trace()?;
                    return Ok(Reached { shortest: trace.length() == 0, trace: Some(trace), reachable: None, rounds });
                }
                chain.close(partition)?;
            }
            if chain.reached == before && k.is_empty(&chain.hit) {
                return Ok(Reached { trace: None, shortest: true, reachable: Some(before), rounds });
            }
            rounds += 1;
            observer.progress(&Progress { depth: rounds, memory: k.memory(), ..Progress::default() });
        }
    }

    /// The partitions, those first that touch the topmost variables.
    pub(crate) fn partitions_from_the_top(&self) -> Vec<&Partition> {
        let mut partitions: Vec<&Partition> = self.partitions.iter().collect();
        partitions.sort_by_key(|p| p.touched.iter().flat_map(|&v| self.layout.now(v)).min().copied());
        partitions
    }
}

impl<'e> Chain<'e, '_> {
    /// Applies a partition to a fixpoint, or until a target state is reached.
    fn close(&mut self, partition: &'e Partition) -> BddResult<()> {
        let k = self.encoding.kernel();
        let mut frontier = self.reached.clone();
        while k.is_empty(&self.hit) {
            let after = partition.image(self.encoding, &frontier)?;
            frontier = k.minus(&after, &self.reached)?;
            if k.is_empty(&frontier) {
                break;
            }
            let reached = k.or(&self.reached, &frontier)?;
            let before = std::mem::replace(&mut self.reached, reached);
            if !k.is_empty(self.target) {
                self.history.push((partition, before));
                self.hit = k.and(&frontier, self.target)?;
            }
            k.sift_when_grown(self.encoding.layout.groups())?;
        }
        Ok(())
    }

    /// A run to a reached target state.
    fn trace(&self) -> BddResult<Path<Vec<i64>>> {
        let e = self.encoding;
        let mut states = vec![e.pick(&self.hit).expect("a target state is reached")];
        for (partition, before) in self.history.iter().rev() {
            let last = states.last().expect("a path has a last state");
            if e.holds(before, last) {
                continue;
            }
            let sources = e.kernel().and(&partition.preimage_with_inputs(e, &e.state(last)?)?, before)?;
            states.push(e.pick(&sources).expect("the state was new after this application"));
        }
        states.reverse();
        Ok(Path::finite(states))
    }
}
