//! Backward reachability inside a set, by chaining.

use crate::encode::{Encoding, Partition};
use crate::kernel::{Bdd, BddResult};

impl Encoding<'_> {
    /// The predecessors of a set, as states or state-input pairs.
    pub(super) fn predecessors(&self, set: &Bdd, with_inputs: bool) -> BddResult<Bdd> {
        if with_inputs { self.preimage_with_inputs(&self.without_inputs(set)?) } else { self.preimage(set) }
    }

    fn predecessors_by(&self, partition: &Partition, set: &Bdd, with_inputs: bool) -> BddResult<Bdd> {
        match with_inputs {
            true => partition.preimage_with_inputs(self, &self.without_inputs(set)?),
            false => partition.preimage(self, set),
        }
    }

    /// The states of `E[through U to]`, without regard to fairness.
    pub(crate) fn until(&self, through: &Bdd, to: &Bdd, with_inputs: bool) -> BddResult<Bdd> {
        let k = self.kernel();
        let mut partitions = self.partitions_from_the_top();
        partitions.reverse();
        let mut reached = to.clone();
        loop {
            let start = reached.clone();
            for partition in &partitions {
                let mut frontier = reached.clone();
                loop {
                    let before = k.and(&self.predecessors_by(partition, &frontier, with_inputs)?, through)?;
                    frontier = k.minus(&before, &reached)?;
                    if k.is_empty(&frontier) {
                        break;
                    }
                    reached = k.or(&reached, &frontier)?;
                    k.sift_when_grown(self.layout.groups())?;
                }
            }
            if reached == start || partitions.len() == 1 {
                return Ok(reached);
            }
        }
    }
}
