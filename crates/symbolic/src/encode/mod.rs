//! A relation as boolean functions.
//!
//! A **state set** is a function of the current bits of state and frozen variables that is true only of states; a set of
//! **moments** may read the bits of inputs as well: it says with which inputs a state is left.

mod layout;
mod schedule;
mod step;
mod terms;
mod valuation;
mod value;
mod vector;

#[cfg(test)]
mod tests;

use std::cell::RefCell;

use lurcher_ir::relation::{Block, Relation, TermId, VariableId, VariableRole};
use lurcher_search::Budget;
use oxidd::VarNo;

use crate::kernel::{Bdd, Kernel, Stoppable};
pub use layout::Layout;
pub(crate) use step::Step;
use terms::Encoder;

/// A relation as boolean functions.
pub struct Encoding<'r> {
    pub(crate) relation: &'r Relation,
    pub(crate) kernel: Kernel,
    pub(crate) layout: Layout,
    encoder: RefCell<Encoder<'r>>,
    /// Current bits of everything that is part of a state.
    pub(crate) state_bits: Vec<VarNo>,
    pub(crate) input_bits: Vec<VarNo>,
    input_cube: Bdd,
    /// What is true of every state, but for its values being in their domains.
    invariant: Bdd,
    /// All states.
    valid: Bdd,
    /// All states with inputs.
    valid_moments: Bdd,
    initial: Bdd,
    pub(crate) steps: Vec<Step>,
}

impl<'r> Encoding<'r> {
    /// Encodes a relation that the checker has passed.
    pub fn new(relation: &'r Relation, budget: &Budget) -> Stoppable<Encoding<'r>> {
        let layout = Layout::of(relation);
        let kernel = Kernel::new(layout.bits(), budget)?;
        let bits_of = |inputs: bool| -> Vec<VarNo> {
            let variables = relation.variables().filter(|(_, v)| (v.role == VariableRole::Input) == inputs);
            variables.flat_map(|(id, _)| layout.now(id)).copied().collect()
        };
        let (state_bits, input_bits) = (bits_of(false), bits_of(true));
        let all = kernel.constant(true);
        let mut encoding = Encoding {
            relation,
            encoder: RefCell::new(Encoder::new(relation)),
            input_cube: kernel.cube(input_bits.iter().copied())?,
            state_bits,
            input_bits,
            invariant: all.clone(),
            valid: all.clone(),
            valid_moments: all.clone(),
            initial: all,
            steps: Vec::new(),
            kernel,
            layout,
        };
        encoding.fill()?;
        Ok(encoding)
    }

    fn fill(&mut self) -> Stoppable<()> {
        let relation = self.relation;
        let domains = |inputs: bool| -> Stoppable<Bdd> {
            let mut all = self.kernel.constant(true);
            for (id, _) in relation.variables().filter(|(_, v)| (v.role == VariableRole::Input) == inputs) {
                all = self.kernel.and(&all, &self.domain(id, false)?)?;
            }
            Ok(all)
        };
        let (states, inputs) = (domains(false)?, domains(true)?);
        self.invariant = self.block(&relation.invariant)?;
        self.valid = self.kernel.and(&states, &self.invariant)?;
        self.valid_moments = self.kernel.and(&self.valid, &inputs)?;
        self.initial = self.kernel.and(&self.valid, &self.block(&relation.initial)?)?;
        let raws: Stoppable<Vec<_>> = relation.transitions.iter().map(|t| self.raw(t)).collect();
        let steps: Stoppable<Vec<Step>> = self.joined(raws?)?.iter().map(|raw| Step::new(self, raw)).collect();
        self.steps = steps?;
        self.encoder.borrow_mut().forget();
        self.kernel.settle();
        Ok(())
    }

    /// Codes of values of a variable: those below the size of its domain.
    fn domain(&self, variable: VariableId, next: bool) -> Stoppable<Bdd> {
        let k = &self.kernel;
        let bits = if next { self.layout.next(variable) } else { self.layout.now(variable) };
        let last = self.relation.variable(variable).domain.size() - 1;
        if bits.iter().enumerate().all(|(i, _)| last >> i & 1 != 0) {
            return Ok(k.constant(true));
        }
        // At most the last code: from the lowest bit up, smaller here or as small and smaller before.
        bits.iter().enumerate().try_fold(k.constant(true), |at_most, (i, &bit)| {
            let clear = k.literal(bit, false)?;
            if last >> i & 1 != 0 { k.or(&clear, &at_most) } else { k.and(&clear, &at_most) }
        })
    }

    /// What a block about one state says.
    fn block(&self, block: &Block) -> Stoppable<Bdd> {
        let (k, layout) = (&self.kernel, &self.layout);
        let mut encoder = self.encoder.borrow_mut();
        let mut all = k.constant(true);
        for assignment in &block.assignments {
            let function = encoder.assigned(k, layout, assignment.variable, false, assignment.value)?;
            all = k.and(&all, &function)?;
        }
        for constraint in &block.constraints {
            all = k.and(&all, &encoder.truth(k, layout, constraint.term)?)?;
        }
        Ok(all)
    }

    /// The relation that is encoded.
    pub fn relation(&self) -> &'r Relation {
        self.relation
    }

    /// What is true of every state, but for its values being in their domains.
    pub(crate) fn invariant(&self) -> &Bdd {
        &self.invariant
    }

    /// Where functions are made.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Where a term about a state, or about a state and its inputs, is true. States and values outside their domains
    /// are not excluded.
    pub fn truth(&self, term: TermId) -> Stoppable<Bdd> {
        self.encoder.borrow_mut().truth(&self.kernel, &self.layout, term)
    }

    /// The states where a term about a state is true.
    pub fn states(&self, term: TermId) -> Stoppable<Bdd> {
        self.kernel.and(&self.truth(term)?, &self.valid)
    }

    /// The moments where a term about a state and its inputs is true.
    pub fn moments(&self, term: TermId) -> Stoppable<Bdd> {
        self.kernel.and(&self.truth(term)?, &self.valid_moments)
    }

    /// All states, reachable or not.
    pub fn all_states(&self) -> &Bdd {
        &self.valid
    }

    /// All states with inputs, reachable or not.
    pub fn all_moments(&self) -> &Bdd {
        &self.valid_moments
    }

    /// The states that a run may begin with.
    pub fn initial(&self) -> &Bdd {
        &self.initial
    }

    /// The states of moments.
    pub fn without_inputs(&self, moments: &Bdd) -> Stoppable<Bdd> {
        if self.input_bits.is_empty() { Ok(moments.clone()) } else { self.kernel.exists(moments, &self.input_cube) }
    }

    /// States one step after a set of states or moments.
    pub fn image(&self, set: &Bdd) -> Stoppable<Bdd> {
        let k = &self.kernel;
        self.steps.iter().try_fold(k.constant(false), |all, step| k.or(&all, &step.image(self, set)?))
    }

    /// States one step before a set of states.
    pub fn preimage(&self, set: &Bdd) -> Stoppable<Bdd> {
        let k = &self.kernel;
        self.steps.iter().try_fold(k.constant(false), |all, step| k.or(&all, &step.preimage(self, set)?))
    }

    /// Moments one step before a set of states.
    pub fn preimage_moments(&self, set: &Bdd) -> Stoppable<Bdd> {
        let k = &self.kernel;
        self.steps.iter().try_fold(k.constant(false), |all, step| k.or(&all, &step.preimage_moments(self, set)?))
    }
}
