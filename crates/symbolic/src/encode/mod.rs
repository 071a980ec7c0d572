//! A relation as boolean functions.
//!
//! A **state set** is a function of the current bits of state and frozen variables that is true only of states. A set of
//! **state-input pairs** also depends on input bits: the inputs with which a state is left.

mod layout;
mod partition;
mod schedule;
mod terms;
mod valuation;
mod value;
mod vector;

#[cfg(test)]
mod tests;

use std::cell::RefCell;

use lurcher_ir::relation::{Block, Relation, TermId, Variable, VariableId};
use lurcher_search::Budget;
use oxidd::VarNo;

use crate::kernel::{Bdd, BddResult, Kernel};
pub(crate) use layout::Layout;
pub(crate) use partition::Partition;
use terms::Encoder;

/// A relation as boolean functions.
pub struct Encoding<'r> {
    pub(crate) relation: &'r Relation,
    pub(crate) kernel: Kernel,
    pub(crate) layout: Layout,
    encoder: RefCell<Encoder<'r>>,
    /// Current bits of state and frozen variables.
    pub(crate) state_bits: Vec<VarNo>,
    pub(crate) input_bits: Vec<VarNo>,
    input_cube: Bdd,
    /// The invariant block of the relation; domains are not included.
    invariant: Bdd,
    /// All states.
    valid: Bdd,
    /// All state-input pairs.
    valid_with_inputs: Bdd,
    initial: Bdd,
    /// The disjuncts of the transition relation.
    pub(crate) partitions: Vec<Partition>,
}

impl<'r> Encoding<'r> {
    /// Encodes a relation that the checker has passed.
    pub fn new(relation: &'r Relation, budget: &Budget) -> BddResult<Encoding<'r>> {
        let layout = Layout::of(relation);
        let kernel = Kernel::new(layout.bits(), budget)?;
        let state_bits: Vec<VarNo> = relation.state_variables().flat_map(|(id, _)| layout.now(id)).copied().collect();
        let input_bits: Vec<VarNo> = relation.inputs().flat_map(|(id, _)| layout.now(id)).copied().collect();
        let all = kernel.constant(true);
        let mut encoding = Encoding {
            relation,
            encoder: RefCell::new(Encoder::new(relation)),
            input_cube: kernel.cube(input_bits.iter().copied())?,
            state_bits,
            input_bits,
            invariant: all.clone(),
            valid: all.clone(),
            valid_with_inputs: all.clone(),
            initial: all,
            partitions: Vec::new(),
            kernel,
            layout,
        };
        encoding.fill()?;
        Ok(encoding)
    }

    fn fill(&mut self) -> BddResult<()> {
        let relation = self.relation;
        let in_domain = |all: Bdd, (id, _): (VariableId, &Variable)| self.kernel.and(&all, &self.domain(id, false)?);
        let states = relation.state_variables().try_fold(self.kernel.constant(true), in_domain)?;
        let inputs = relation.inputs().try_fold(self.kernel.constant(true), in_domain)?;
        self.invariant = self.block(&relation.invariant)?;
        self.valid = self.kernel.and(&states, &self.invariant)?;
        self.valid_with_inputs = self.kernel.and(&self.valid, &inputs)?;
        self.initial = self.kernel.and(&self.valid, &self.block(&relation.initial)?)?;
        let disjuncts: BddResult<Vec<_>> = relation.transitions.iter().map(|t| self.disjunct(t)).collect();
        let merged = self.merged(disjuncts?)?;
        self.partitions = merged.iter().map(|disjunct| Partition::new(self, disjunct)).collect::<BddResult<_>>()?;
        self.encoder.borrow_mut().clear_cache();
        self.kernel.reset_sift_threshold();
        Ok(())
    }

    /// The valid codes of a variable: those below the size of its domain.
    fn domain(&self, variable: VariableId, next: bool) -> BddResult<Bdd> {
        let k = &self.kernel;
        let bits = if next { self.layout.next(variable) } else { self.layout.now(variable) };
        let last = self.relation.variable(variable).domain.size() - 1;
        if bits.iter().enumerate().all(|(i, _)| last >> i & 1 != 0) {
            return Ok(k.constant(true));
        }
        // Comparison with the last code, from the lowest bit up.
        bits.iter().enumerate().try_fold(k.constant(true), |at_most, (i, &bit)| {
            let clear = k.literal(bit, false)?;
            if last >> i & 1 != 0 { k.or(&clear, &at_most) } else { k.and(&clear, &at_most) }
        })
    }

    /// The conjunction of a block about one state.
    fn block(&self, block: &Block) -> BddResult<Bdd> {
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

    /// The invariant block of the relation; domains are not included.
    pub(crate) fn invariant(&self) -> &Bdd {
        &self.invariant
    }

    /// The BDD manager.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The truth of a term about a state and its inputs, for all bit patterns: neither the invariant nor domains are
    /// conjoined.
    pub fn truth(&self, term: TermId) -> BddResult<Bdd> {
        self.encoder.borrow_mut().truth(&self.kernel, &self.layout, term)
    }

    /// The states where a term without inputs is true.
    pub fn states(&self, term: TermId) -> BddResult<Bdd> {
        self.kernel.and(&self.truth(term)?, &self.valid)
    }

    /// All states, reachable or not.
    pub fn all_states(&self) -> &Bdd {
        &self.valid
    }

    /// All state-input pairs, reachable or not.
    pub fn all_with_inputs(&self) -> &Bdd {
        &self.valid_with_inputs
    }

    /// The initial states.
    pub fn initial(&self) -> &Bdd {
        &self.initial
    }

    /// The states of state-input pairs.
    pub fn without_inputs(&self, pairs: &Bdd) -> BddResult<Bdd> {
        if self.input_bits.is_empty() { Ok(pairs.clone()) } else { self.kernel.exists(pairs, &self.input_cube) }
    }

    fn over_partitions(&self, each: impl Fn(&Partition) -> BddResult<Bdd>) -> BddResult<Bdd> {
        let k = &self.kernel;
        self.partitions.iter().try_fold(k.constant(false), |union, partition| k.or(&union, &each(partition)?))
    }

    /// The successors of a set of states or state-input pairs.
    pub fn image(&self, set: &Bdd) -> BddResult<Bdd> {
        self.over_partitions(|partition| partition.image(self, set))
    }

    /// The predecessors of a set of states.
    pub fn preimage(&self, set: &Bdd) -> BddResult<Bdd> {
        self.over_partitions(|partition| partition.preimage(self, set))
    }

    /// The state-input pairs with a successor in a set of states.
    pub fn preimage_with_inputs(&self, set: &Bdd) -> BddResult<Bdd> {
        self.over_partitions(|partition| partition.preimage_with_inputs(self, set))
    }
}
