//! Abstraction by projection: the relation with some variables existentially quantified.
//!
//! Two abstract states are connected if any of their concrete states are, so abstract distances are lower bounds. If the
//! conjunction of a partition is large, its conjuncts are quantified separately, which only adds transitions.

use lurcher_ir::relation::{Relation, TermId, VariableId, VariableRole};
use oxidd::VarNo;

use super::walk_target::nearest;
use crate::encode::{Encoding, Partition};
use crate::kernel::{Bdd, BddResult};

/// A pattern: the variables that an abstraction keeps.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// The variables of the property and, layer by layer, those they depend on, as far as they fit.
    Auto {
        /// The most bits of the pattern.
        bits: u32,
    },
    /// All but these variables.
    Without(Vec<VariableId>),
}

impl Default for Pattern {
    fn default() -> Self {
        Pattern::Auto { bits: 16 }
    }
}

impl Pattern {
    /// The variables of the pattern for the terms of a property; sorted.
    pub fn variables(&self, encoding: &Encoding<'_>, property: &[TermId]) -> Vec<VariableId> {
        let relation = encoding.relation();
        let mut kept: Vec<VariableId> = match self {
            Pattern::Without(dropped) => {
                relation.state_variables().map(|(id, _)| id).filter(|id| !dropped.contains(id)).collect()
            }
            Pattern::Auto { bits } => nearest(encoding, &reads(relation, property), *bits),
        };
        kept.sort_unstable();
        kept
    }
}

/// The state variables that terms read.
pub(super) fn reads(relation: &Relation, property: &[TermId]) -> Vec<VariableId> {
    let support = property.iter().map(|&t| relation.terms.support(t));
    let mut reads: Vec<VariableId> = support
        .flat_map(|s| s.current.into_iter().chain(s.next))
        .filter(|v| relation.variable(*v).role != VariableRole::Input)
        .collect();
    reads.sort_unstable();
    reads.dedup();
    reads
}

/// The abstract relation.
pub(super) struct Abstraction {
    /// Cube of the current bits of dropped variables.
    dropped: Bdd,
    partitions: Vec<Partition>,
    /// The abstract states.
    states: Bdd,
}

impl Abstraction {
    pub fn new(encoding: &Encoding<'_>, kept: &[VariableId]) -> BddResult<Abstraction> {
        let k = encoding.kernel();
        let is_kept = |v: VariableId| kept.binary_search(&v).is_ok();
        let gone = encoding.relation().state_variables().map(|(id, _)| id).filter(|&id| !is_kept(id));
        let now: Vec<VarNo> = gone.flat_map(|id| encoding.layout.now(id).to_vec()).collect();
        let dropped = k.cube(now.iter().copied())?;
        let mut partitions = Vec::new();
        for partition in &encoding.partitions {
            let touched: Vec<VariableId> = partition.touched.iter().copied().filter(|&v| is_kept(v)).collect();
            if !touched.is_empty() {
                let gone = partition.touched.iter().copied().filter(|&v| !is_kept(v));
                let next = gone.flat_map(|v| encoding.layout.next(v).to_vec());
                let bits = now.iter().copied().chain(next).chain(encoding.input_bits.iter().copied());
                partitions.push(partition.abstracted(encoding, touched, &k.cube(bits)?)?);
            }
        }
        let states = k.exists(encoding.all_states(), &dropped)?;
        Ok(Abstraction { dropped, partitions, states })
    }

    /// The abstraction of a set.
    pub fn of_set(&self, encoding: &Encoding<'_>, set: &Bdd) -> BddResult<Bdd> {
        encoding.kernel().exists(set, &self.dropped)
    }

    /// The abstract predecessors of a set.
    pub fn preimage(&self, encoding: &Encoding<'_>, set: &Bdd) -> BddResult<Bdd> {
        let k = encoding.kernel();
        let mut all = k.constant(false);
        for partition in &self.partitions {
            all = k.or(&all, &partition.unrestricted_preimage(k, set)?)?;
        }
        k.and(&all, &self.states)
    }
}
