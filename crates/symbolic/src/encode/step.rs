//! Steps as relations over the bits they touch.
//!
//! A transition in which most variables keep their value says nothing about those: only the bits of variables that it
//! *touches* are quantified and renamed, and no relation ever says `x' = x`. Transitions that touch the same variables
//! are joined into one step while their relation stays small.

use lurcher_ir::relation::{TermId, Transition, VariableId, VariableRole};
use oxidd::{Function, VarNo};

use super::Encoding;
use super::schedule::{CLUSTER, Schedule};
use crate::kernel::{Bdd, Kernel, Renaming, Stoppable};

/// A kind of step.
pub(crate) struct Step {
    /// Variables that may change, sorted.
    pub touched: Vec<VariableId>,
    forward: Schedule,
    backward: Schedule,
    /// Backwards with the inputs of the step left in; missing where there are no inputs.
    backward_moments: Option<Schedule>,
    /// Next bits of touched variables become current ones.
    arrive: Renaming,
    /// Current bits of touched variables become next ones.
    depart: Renaming,
}

/// A transition as conjuncts.
pub(super) struct Raw {
    pub touched: Vec<VariableId>,
    pub conjuncts: Vec<Bdd>,
}

impl Step {
    pub(super) fn new(encoding: &Encoding<'_>, raw: &Raw) -> Stoppable<Step> {
        let (k, layout) = (&encoding.kernel, &encoding.layout);
        let now: Vec<VarNo> = raw.touched.iter().flat_map(|&v| layout.now(v)).copied().collect();
        let next: Vec<VarNo> = raw.touched.iter().flat_map(|&v| layout.next(v)).copied().collect();
        let with_inputs = |bits: &[VarNo]| -> Vec<VarNo> { bits.iter().chain(&encoding.input_bits).copied().collect() };
        let moments = !encoding.input_bits.is_empty();
        Ok(Step {
            forward: Schedule::new(k, &raw.conjuncts, &with_inputs(&now))?,
            backward: Schedule::new(k, &raw.conjuncts, &with_inputs(&next))?,
            backward_moments: moments.then(|| Schedule::new(k, &raw.conjuncts, &next)).transpose()?,
            arrive: k.renaming(next.iter().copied().zip(now.iter().copied())),
            depart: k.renaming(now.into_iter().zip(next)),
            touched: raw.touched.clone(),
        })
    }

    /// What is true of it, part by part.
    pub fn conjuncts(&self) -> impl Iterator<Item = &Bdd> {
        self.forward.conjuncts()
    }

    /// States after a step from a set of states, or of moments.
    pub fn image(&self, encoding: &Encoding<'_>, set: &Bdd) -> Stoppable<Bdd> {
        let k = &encoding.kernel;
        let product = self.forward.product(k, set)?;
        if k.is_empty(&product) {
            return Ok(product);
        }
        let after = k.rename(&product, &self.arrive)?;
        k.and(&after, &encoding.invariant)
    }

    /// States before a step into a set of states.
    pub fn preimage(&self, encoding: &Encoding<'_>, set: &Bdd) -> Stoppable<Bdd> {
        let k = &encoding.kernel;
        let before = self.backward.product(k, &k.rename(set, &self.depart)?)?;
        k.and(&before, &encoding.valid)
    }

    /// Moments before a step into a set of states: with the inputs of the step.
    pub fn preimage_moments(&self, encoding: &Encoding<'_>, set: &Bdd) -> Stoppable<Bdd> {
        let k = &encoding.kernel;
        let schedule = self.backward_moments.as_ref().unwrap_or(&self.backward);
        let before = schedule.product(k, &k.rename(set, &self.depart)?)?;
        k.and(&before, &encoding.valid_moments)
    }

    /// As `preimage`, of any function of the bits: what is before need not be a state.
    pub fn before(&self, k: &Kernel, set: &Bdd) -> Stoppable<Bdd> {
        self.backward.product(k, &k.rename(set, &self.depart)?)
    }

    /// The step with some bits quantified, touching only what is left of its variables.
    pub fn without(&self, encoding: &Encoding<'_>, touched: Vec<VariableId>, bits: &Bdd) -> Stoppable<Step> {
        let k = &encoding.kernel;
        let all: Vec<Bdd> = self.forward.conjuncts().cloned().collect();
        let product = small_product(encoding, &all)?;
        let parts = product.map_or(all, |product| vec![product]);
        let conjuncts: Stoppable<Vec<Bdd>> = parts.iter().map(|c| k.exists(c, bits)).collect();
        Step::new(encoding, &Raw { touched, conjuncts: conjuncts? })
    }

    /// Moments that a step leaves of which a function of current and next bits is true.
    pub fn leaving(&self, encoding: &Encoding<'_>, steps: &Bdd) -> Stoppable<Bdd> {
        let k = &encoding.kernel;
        let into_states = k.and(steps, &k.rename(&encoding.valid, &self.depart)?)?;
        let schedule = self.backward_moments.as_ref().unwrap_or(&self.backward);
        k.and(&schedule.product(k, &into_states)?, &encoding.valid_moments)
    }
}

impl Encoding<'_> {
    /// The conjuncts of a transition.
    pub(super) fn raw(&self, transition: &Transition) -> Stoppable<Raw> {
        let (k, layout, relation) = (&self.kernel, &self.layout, self.relation);
        let mut encoder = self.encoder.borrow_mut();
        let assigned = |v: VariableId| transition.block.assignments.iter().any(|a| a.variable == v);
        let always = |v: VariableId| relation.invariant.assignments.iter().any(|a| a.variable == v);
        let state = relation.variables().filter(|(_, v)| v.role == VariableRole::State).map(|(id, _)| id);
        let touched: Vec<VariableId> = state.filter(|&v| !transition.keeps || assigned(v) || always(v)).collect();
        let keeps = |v: VariableId| touched.binary_search(&v).is_err();
        let mut conjuncts = Vec::new();
        for assignment in &transition.block.assignments {
            let value = encoder.settled(assignment.value, keeps);
            let function = encoder.assigned(k, layout, assignment.variable, true, value)?;
            conjuncts.push(k.and(&function, &self.domain(assignment.variable, true)?)?);
        }
        for constraint in &transition.block.constraints {
            let term = encoder.settled(constraint.term, keeps);
            conjuncts.push(encoder.truth(k, layout, term)?);
        }
        for &v in touched.iter().filter(|&&v| !assigned(v)) {
            conjuncts.push(self.domain(v, true)?);
        }
        for (input, _) in relation.variables().filter(|(_, v)| v.role == VariableRole::Input) {
            conjuncts.push(self.domain(input, false)?);
        }
        let truth = k.constant(true);
        conjuncts.retain(|c| *c != truth);
        Ok(Raw { touched, conjuncts })
    }

    /// For each kind of step, where a term about current and next values is false.
    pub(crate) fn steps_where_false(&self, term: TermId) -> Stoppable<Vec<Bdd>> {
        let k = &self.kernel;
        let mut encoder = self.encoder.borrow_mut();
        let mut where_false = |step: &Step| {
            let settled = encoder.settled(term, |v| step.touched.binary_search(&v).is_err());
            k.not(&encoder.truth(k, &self.layout, settled)?)
        };
        self.steps.iter().map(&mut where_false).collect()
    }

    /// Joins transitions that touch the same variables, while their relations stay small.
    pub(super) fn joined(&self, raws: Vec<Raw>) -> Stoppable<Vec<Raw>> {
        let k = &self.kernel;
        let mut joined: Vec<Raw> = Vec::new();
        for raw in raws {
            let product = match small_product(self, &raw.conjuncts)? {
                Some(product) => product,
                None => {
                    joined.push(raw);
                    continue;
                }
            };
            if k.is_empty(&product) {
                continue;
            }
            let other = joined.iter_mut().rev().find(|o| o.touched == raw.touched && o.conjuncts.len() == 1);
            if let Some(other) = other {
                let both = k.or(&other.conjuncts[0], &product)?;
                if both.node_count() <= CLUSTER {
                    other.conjuncts[0] = both;
                    continue;
                }
            }
            joined.push(Raw { touched: raw.touched, conjuncts: vec![product] });
        }
        Ok(joined)
    }
}

/// The product of conjuncts, unless it is large.
fn small_product(encoding: &Encoding<'_>, conjuncts: &[Bdd]) -> Stoppable<Option<Bdd>> {
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
