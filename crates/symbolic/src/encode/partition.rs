//! The disjunctive partition of the transition relation.
//!
//! A partition constrains only the variables it *touches*: only their bits are quantified and renamed, and no frame
//! condition `x' = x` is ever built. Transitions that touch the same variables are merged while the BDD stays small.

use lurcher_ir::relation::{Transition, VariableId, VariableRole};
use oxidd::{Function, VarNo};

use super::Encoding;
use super::schedule::{CLUSTER, Schedule};
use crate::kernel::{Bdd, BddResult, Kernel, Renaming};

/// A disjunct of the transition relation, scheduled for images and preimages.
pub(crate) struct Partition {
    /// Variables that may change, sorted.
    pub touched: Vec<VariableId>,
    forward: Schedule,
    backward: Schedule,
    /// Backward without quantifying the inputs; `None` if there are no inputs.
    backward_with_inputs: Option<Schedule>,
    /// Renames next bits of touched variables to current bits.
    to_current: Renaming,
    /// Renames current bits of touched variables to next bits.
    to_next: Renaming,
}

/// A disjunct of the transition relation as conjuncts.
pub(super) struct Disjunct {
    pub touched: Vec<VariableId>,
    pub conjuncts: Vec<Bdd>,
}

impl Partition {
    pub(super) fn new(encoding: &Encoding<'_>, disjunct: &Disjunct) -> BddResult<Partition> {
        let (k, layout) = (&encoding.kernel, &encoding.layout);
        let now: Vec<VarNo> = disjunct.touched.iter().flat_map(|&v| layout.now(v)).copied().collect();
        let next: Vec<VarNo> = disjunct.touched.iter().flat_map(|&v| layout.next(v)).copied().collect();
        let with_inputs = |bits: &[VarNo]| -> Vec<VarNo> { bits.iter().chain(&encoding.input_bits).copied().collect() };
        let schedule = |quantified: &[VarNo]| Schedule::new(k, &disjunct.conjuncts, quantified);
        let has_inputs = !encoding.input_bits.is_empty();
        Ok(Partition {
            forward: schedule(&with_inputs(&now))?,
            backward: schedule(&with_inputs(&next))?,
            backward_with_inputs: has_inputs.then(|| schedule(&next)).transpose()?,
            to_current: k.renaming(next.iter().copied().zip(now.iter().copied())),
            to_next: k.renaming(now.into_iter().zip(next)),
            touched: disjunct.touched.clone(),
        })
    }

    /// The conjuncts of the relation.
    pub fn conjuncts(&self) -> impl Iterator<Item = &Bdd> {
        self.forward.conjuncts()
    }

    /// The successors of a set of states or state-input pairs.
    pub fn image(&self, encoding: &Encoding<'_>, set: &Bdd) -> BddResult<Bdd> {
        let k = &encoding.kernel;
        let product = self.forward.relational_product(k, set)?;
        if k.is_empty(&product) {
            return Ok(product);
        }
        let after = k.rename(&product, &self.to_current)?;
        k.and(&after, &encoding.invariant)
    }

    /// The predecessors of a set of states.
    pub fn preimage(&self, encoding: &Encoding<'_>, set: &Bdd) -> BddResult<Bdd> {
        let k = &encoding.kernel;
        k.and(&self.unrestricted_preimage(k, set)?, &encoding.valid)
    }

    /// The state-input pairs with a successor in a set of states.
    pub fn preimage_with_inputs(&self, encoding: &Encoding<'_>, set: &Bdd) -> BddResult<Bdd> {
        let k = &encoding.kernel;
        let schedule = self.backward_with_inputs.as_ref().unwrap_or(&self.backward);
        let before = schedule.relational_product(k, &k.rename(set, &self.to_next)?)?;
        k.and(&before, &encoding.valid_with_inputs)
    }

    /// The preimage of any function of the current bits, not restricted to states.
    pub fn unrestricted_preimage(&self, k: &Kernel, set: &Bdd) -> BddResult<Bdd> {
        self.backward.relational_product(k, &k.rename(set, &self.to_next)?)
    }

    /// The partition with some bits quantified, touching only the given variables.
    pub fn abstracted(&self, encoding: &Encoding<'_>, touched: Vec<VariableId>, bits: &Bdd) -> BddResult<Partition> {
        let k = &encoding.kernel;
        let all: Vec<Bdd> = self.forward.conjuncts().cloned().collect();
        let product = small_product(encoding, &all)?;
        let parts = product.map_or(all, |product| vec![product]);
        let conjuncts: BddResult<Vec<Bdd>> = parts.iter().map(|c| k.exists(c, bits)).collect();
        Partition::new(encoding, &Disjunct { touched, conjuncts: conjuncts? })
    }
}

impl Encoding<'_> {
    /// The conjuncts of a transition.
    pub(super) fn disjunct(&self, transition: &Transition) -> BddResult<Disjunct> {
        let (k, layout, relation) = (&self.kernel, &self.layout, self.relation);
        let mut encoder = self.encoder.borrow_mut();
        let assigned = |v: VariableId| transition.block.assignments.iter().any(|a| a.variable == v);
        let always = |v: VariableId| relation.invariant.assignments.iter().any(|a| a.variable == v);
        let state = relation.variables().filter(|(_, v)| v.role == VariableRole::State).map(|(id, _)| id);
        let touched: Vec<VariableId> = state.filter(|&v| !transition.keeps || assigned(v) || always(v)).collect();
        let keeps = |v: VariableId| touched.binary_search(&v).is_err();
        let mut conjuncts = Vec::new();
        for assignment in &transition.block.assignments {
            let value = encoder.with_current_values(assignment.value, keeps);
            let function = encoder.assigned(k, layout, assignment.variable, true, value)?;
            conjuncts.push(k.and(&function, &self.domain(assignment.variable, true)?)?);
        }
        for constraint in &transition.block.constraints {
            let term = encoder.with_current_values(constraint.term, keeps);
            conjuncts.push(encoder.truth(k, layout, term)?);
        }
        for &v in touched.iter().filter(|&&v| !assigned(v)) {
            conjuncts.push(self.domain(v, true)?);
        }
        for (input, _) in relation.inputs() {
            conjuncts.push(self.domain(input, false)?);
        }
        let truth = k.constant(true);
        conjuncts.retain(|c| *c != truth);
        Ok(Disjunct { touched, conjuncts })
    }

    /// Merges disjuncts that touch the same variables, while their relations stay small.
    pub(super) fn merged(&self, disjuncts: Vec<Disjunct>) -> BddResult<Vec<Disjunct>> {
        let k = &self.kernel;
        let mut merged: Vec<Disjunct> = Vec::new();
        for disjunct in disjuncts {
            let Some(product) = small_product(self, &disjunct.conjuncts)? else {
                merged.push(disjunct);
                continue;
            };
            if k.is_empty(&product) {
                continue;
            }
            let same = |o: &&mut Disjunct| o.touched == disjunct.touched && o.conjuncts.len() == 1;
            let other = merged.iter_mut().rev().find(same);
            if let Some(other) = other {
                let both = k.or(&other.conjuncts[0], &product)?;
                if both.node_count() <= CLUSTER {
                    other.conjuncts[0] = both;
                    continue;
                }
            }
            merged.push(Disjunct { touched: disjunct.touched, conjuncts: vec![product] });
        }
        Ok(merged)
    }
}

/// The conjunction, or `None` if it is large.
fn small_product(encoding: &Encoding<'_>, conjuncts: &[Bdd]) -> BddResult<Option<Bdd>> {
    let k = &encoding.kernel;
    let mut product = k.constant(true);
    for conjunct in conjuncts {
        product = k.and(&product, conjunct)?;
        if product.node_count() > CLUSTER {
            return Ok(None);
        }
    }
    Ok(Some(product))
}
