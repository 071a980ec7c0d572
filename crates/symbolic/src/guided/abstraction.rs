//! The system without some of its variables.
//!
//! A step of the abstract system is what is left of a step when the dropped variables are quantified: there is a step
//! between two abstract states if there is one between any two states that look like them. So no abstract distance is
//! longer than a true one. Where the product of a step's conjuncts is large, each conjunct is quantified alone, which
//! allows more steps and keeps that promise.

use lurcher_ir::relation::{Relation, TermId, VariableId, VariableRole};
use oxidd::VarNo;

use super::aim::nearest;
use crate::encode::{Encoding, Step};
use crate::kernel::{Bdd, Stoppable};

/// Which variables an abstraction keeps.
#[derive(Clone, Debug)]
pub enum Keep {
    /// What the property reads and, as far as it fits into these bits, what that depends on, layer by layer.
    Auto {
        /// Bits of all variables that are kept.
        bits: u32,
    },
    /// All but these.
    Without(Vec<VariableId>),
}

impl Default for Keep {
    fn default() -> Self {
        Keep::Auto { bits: 16 }
    }
}

impl Keep {
    /// The variables that are kept for a property that reads these terms; sorted.
    pub fn variables(&self, encoding: &Encoding<'_>, property: &[TermId]) -> Vec<VariableId> {
        let relation = encoding.relation();
        let mut kept: Vec<VariableId> = match self {
            Keep::Without(dropped) => {
                relation.state_variables().map(|(id, _)| id).filter(|id| !dropped.contains(id)).collect()
            }
            Keep::Auto { bits } => nearest(encoding, &reads(relation, property), *bits),
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

/// The abstract system.
pub(super) struct Abstraction {
    /// Bits of dropped variables.
    dropped: Bdd,
    steps: Vec<Step>,
    /// What is left of the states.
    states: Bdd,
}

impl Abstraction {
    pub fn new(encoding: &Encoding<'_>, kept: &[VariableId]) -> Stoppable<Abstraction> {
        let k = encoding.kernel();
        let is_kept = |v: VariableId| kept.binary_search(&v).is_ok();
        let gone = encoding.relation().state_variables().map(|(id, _)| id).filter(|&id| !is_kept(id));
        let now: Vec<VarNo> = gone.flat_map(|id| encoding.layout.now(id).to_vec()).collect();
        let dropped = k.cube(now.iter().copied())?;
        let mut steps = Vec::new();
        for step in &encoding.steps {
            let touched: Vec<VariableId> = step.touched.iter().copied().filter(|&v| is_kept(v)).collect();
            if !touched.is_empty() {
                let gone = step.touched.iter().copied().filter(|&v| !is_kept(v));
                let next = gone.flat_map(|v| encoding.layout.next(v).to_vec());
                let bits = now.iter().copied().chain(next).chain(encoding.input_bits.iter().copied());
                steps.push(step.without(encoding, touched, &k.cube(bits)?)?);
            }
        }
        let states = k.exists(encoding.all_states(), &dropped)?;
        Ok(Abstraction { dropped, steps, states })
    }

    /// What is left of a set.
    pub fn of(&self, encoding: &Encoding<'_>, set: &Bdd) -> Stoppable<Bdd> {
        encoding.kernel().exists(set, &self.dropped)
    }

    /// Abstract states one step before abstract states.
    pub fn before(&self, encoding: &Encoding<'_>, set: &Bdd) -> Stoppable<Bdd> {
        let k = encoding.kernel();
        let mut all = k.constant(false);
        for step in &self.steps {
            all = k.or(&all, &step.before(k, set)?)?;
        }
        k.and(&all, &self.states)
    }
}
