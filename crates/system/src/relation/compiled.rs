//! Compilation of a relation into plans.

use std::collections::BTreeSet;

use lurcher_ir::relation::{Block, Domain, Relation, TermId, Terms, Transition, Variable, VariableId, VariableRole};

use super::code::{Cells, Constants, Reading, Slot};
use super::plan::{Plan, schedules};
use super::schedule::{Demand, Schedule, Setting};
use super::tree::Tree;

/// The domain of a variable, prepared for fast tests.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
    /// All values, if some number in between is not in the domain.
    pub listed: Option<Vec<i64>>,
    pub(super) domain: Domain,
}

impl Bounds {
    fn new(domain: &Domain) -> Self {
        let (low, high, listed) = match domain {
            Domain::Boolean => (0, 1, None),
            Domain::Range(low, high) => (*low, *high, None),
            Domain::Values(values) => (values[0], values[values.len() - 1], Some(values.clone())),
            Domain::Word(shape) if shape.width == 64 => (i64::MIN, i64::MAX, None),
            Domain::Word(shape) if shape.signed => (-1 << (shape.width - 1), (1 << (shape.width - 1)) - 1, None),
            Domain::Word(shape) => (0, (1 << shape.width) - 1, None),
        };
        Bounds { low, high, listed, domain: domain.clone() }
    }

    /// Whether a value is in the domain.
    pub fn contains(&self, value: i64) -> bool {
        let listed = || self.listed.as_ref().is_none_or(|values| values.binary_search(&value).is_ok());
        self.low <= value && value <= self.high && listed()
    }
}

/// A compiled relation.
#[derive(Clone, Debug)]
pub(super) struct CompiledRelation {
    pub variables: usize,
    /// The domains, by variable.
    pub bounds: Vec<Bounds>,
    /// Inputs that a plan may leave unbound, with the first value of their domain.
    pub inputs: Vec<(Slot, i64)>,
    pub initial: Vec<Plan>,
    /// Plans by transition and case.
    pub transitions: Vec<Vec<Plan>>,
    pub constants: Constants,
    extra_slots: u32,
}

impl CompiledRelation {
    /// Compiles a relation. `fixed` inputs are bound before a step; `observed` inputs are bound even if no term reads
    /// them.
    pub fn new(relation: &Relation, fixed: &[VariableId], observed: &[VariableId]) -> Self {
        let cells = Cells::new(relation.variables.len());
        let mut compiler = Compiler { relation, cells, terms: relation.terms.clone(), fixed, observed };
        // Solved constraints use both boolean constants.
        compiler.terms.truth(false);
        compiler.terms.truth(true);
        let initial = compiler.initial();
        let transitions: Vec<_> = relation.transitions.iter().map(|t| compiler.transition(t)).collect();
        let constants = Constants::new(cells, &compiler.terms);
        let finish = |(setting, schedules): (Setting<'_>, Vec<_>)| -> Vec<Plan> {
            schedules.iter().map(|s| Plan::new(relation, &compiler.terms, &constants, &setting, s)).collect()
        };
        let mut initial = finish(initial);
        let mut transitions: Vec<Vec<Plan>> = transitions.into_iter().map(finish).collect();
        let every = initial.iter_mut().chain(transitions.iter_mut().flatten());
        every.enumerate().for_each(|(number, plan)| plan.number = number);
        let extra_slots = initial.iter().chain(transitions.iter().flatten()).map(|p| p.extra_slots).max().unwrap_or(0);
        let unbound = relation.inputs().filter(|(id, _)| !fixed.contains(id));
        CompiledRelation {
            variables: relation.variables.len(),
            bounds: relation.variables.iter().map(|v| Bounds::new(&v.domain)).collect(),
            inputs: unbound.map(|(id, v)| (cells.before(id), v.domain.value(0))).collect(),
            initial,
            transitions,
            constants,
            extra_slots,
        }
    }

    /// All plans, by number.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.initial.iter().chain(self.transitions.iter().flatten())
    }

    /// The constructed state.
    pub fn new_state<'s>(&self, slots: &'s [i64]) -> &'s [i64] {
        &slots[self.variables..2 * self.variables]
    }

    /// The slots for running plans.
    pub fn slots(&self, relation_inputs: &[(Slot, i64)]) -> Vec<i64> {
        let mut slots = self.constants.slots(self.extra_slots);
        for &(cell, value) in relation_inputs {
            slots[self.variables + cell as usize] = value;
        }
        slots
    }
}

struct Compiler<'r> {
    relation: &'r Relation,
    cells: Cells,
    terms: Terms,
    fixed: &'r [VariableId],
    observed: &'r [VariableId],
}

impl<'r> Compiler<'r> {
    fn initial(&mut self) -> (Setting<'r>, Vec<Schedule>) {
        let mut demands = self.block(&self.relation.initial, Reading::NewState, &[]);
        demands.extend(self.block(&self.relation.invariant, Reading::NewState, &[]));
        let wanted = self.relation.state_variables().map(|(id, _)| self.cells.after(id)).collect();
        let setting = Setting { relation: self.relation, cells: self.cells, bound: BTreeSet::new(), wanted };
        let schedules = schedules(&setting, &mut self.terms, demands);
        (setting, schedules)
    }

    fn transition(&mut self, transition: &Transition) -> (Setting<'r>, Vec<Schedule>) {
        let relation = self.relation;
        let frozen = |v: &Variable| v.role == VariableRole::Frozen;
        let given: BTreeSet<VariableId> =
            relation.invariant.assignments.iter().chain(&transition.block.assignments).map(|a| a.variable).collect();
        let keeps = |id: VariableId| transition.keeps && !given.contains(&id);
        let kept: Vec<VariableId> =
            relation.state_variables().filter(|&(id, v)| frozen(v) || keeps(id)).map(|(id, _)| id).collect();
        let mut demands = Vec::new();
        for &id in &kept {
            let value = self.terms.current(id);
            demands.push(self.assign(id, value, Reading::Step));
        }
        demands.extend(self.block(&transition.block, Reading::Step, &kept));
        demands.extend(self.block(&relation.invariant, Reading::NewState, &kept));
        let cells = self.cells;
        let input = |id: VariableId| relation.variable(id).role == VariableRole::Input;
        let before = |(id, _): (VariableId, &_)| (!input(id) || self.fixed.contains(&id)).then(|| cells.before(id));
        let bound = relation.variables().filter_map(before).collect();
        let observed = self.observed.iter().filter(|id| input(**id) && !self.fixed.contains(id));
        let mut wanted: BTreeSet<Slot> = observed.map(|&id| cells.before(id)).collect();
        wanted.extend(relation.state_variables().map(|(id, _)| cells.after(id)));
        let setting = Setting { relation, cells, bound, wanted };
        let schedules = schedules(&setting, &mut self.terms, demands);
        (setting, schedules)
    }

    fn assign(&self, variable: VariableId, value: TermId, reading: Reading) -> Demand {
        let tree = Tree::of_assignment(&self.terms, value, &self.relation.variable(variable).domain);
        Demand::Assign(self.cells.after(variable), tree, value, reading)
    }

    /// The demands of a block. Assignments to `kept` variables become tests.
    fn block(&mut self, block: &Block, reading: Reading, kept: &[VariableId]) -> Vec<Demand> {
        let mut demands = Vec::new();
        for assignment in &block.assignments {
            if kept.contains(&assignment.variable) {
                demands.push(Demand::member(&mut self.terms, assignment.variable, assignment.value, reading));
            } else {
                demands.push(self.assign(assignment.variable, assignment.value, reading));
            }
        }
        demands.extend(block.constraints.iter().map(|c| Demand::Test(c.term, reading)));
        demands
    }
}
