//! Transitions: one for the whole model, or one for each process.
//!
//! In NuSMV, an input selects the process that moves. Only `next` assignments depend on it: a process executes its own, and
//! variables that only others assign keep their values. Variables without assignments are free, and constraints hold for
//! every process.

use std::collections::{HashMap, HashSet};

use lurcher_ir::relation::{Assignment, Block, Constraint, Term, Transition, VariableId, VariableRole};
use lurcher_syntax::Span;

use super::Lowering;
use super::types::BOOLEAN;
use super::value::Value;

/// A process; number 0 is `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ProcessId(pub(super) usize);

/// A process.
#[derive(Debug)]
pub(super) struct Process {
    /// The full name of its instance.
    pub(super) name: String,
    pub(super) span: Span,
    /// The value of the selector when it moves.
    pub(super) value: i64,
}

impl Process {
    pub(super) fn new(name: String, span: Span) -> Process {
        Process { name, span, value: 0 }
    }
}

/// The assignments and constraints of steps.
#[derive(Debug, Default)]
pub(super) struct Assigned {
    /// The positions of assignments: of current values, initial values, and next values by process.
    pub(super) always: HashMap<VariableId, Span>,
    pub(super) first: HashMap<VariableId, Span>,
    pub(super) next: HashMap<(ProcessId, VariableId), Span>,
    /// The positions of assignments of next values by any process.
    pub(super) next_by_any: HashMap<VariableId, Span>,
    /// Assignments of next values in source order.
    pub(super) steps: Vec<(ProcessId, Assignment)>,
    /// `TRANS`.
    pub(super) constraints: Vec<Constraint>,
}

impl Lowering<'_> {
    /// `running` of a process.
    pub(super) fn running(&mut self, process: ProcessId) -> Value {
        let Some(selector) = self.selector else { return Value::unknown() };
        let value = self.processes[process.0].value;
        let terms = &mut self.relation.terms;
        let now = terms.current(selector);
        Value::new(BOOLEAN, terms.is(now, value))
    }

    /// Builds the transitions.
    pub(super) fn transitions(&mut self) {
        self.report_cycles();
        let assigned = std::mem::take(&mut self.assigned);
        let Some(selector) = self.selector else {
            let assignments = assigned.steps.iter().map(|(_, a)| *a).collect();
            let block = Block { assignments, constraints: assigned.constraints };
            self.relation.transitions.push(Transition { name: String::new(), block, keeps: false });
            return;
        };
        let moving: HashSet<VariableId> = assigned.steps.iter().map(|(_, a)| a.variable).collect();
        let all_move = self
            .relation
            .variables()
            .all(|(id, v)| v.role != VariableRole::State || moving.contains(&id) || assigned.always.contains_key(&id));
        let mut in_order: Vec<VariableId> = moving.into_iter().collect();
        in_order.sort_unstable();
        for index in 0..self.processes.len() {
            let own = assigned.steps.iter().filter(|(p, _)| p.0 == index).map(|(_, a)| *a);
            let mut block = Block { assignments: own.collect(), constraints: assigned.constraints.clone() };
            if !all_move {
                self.keep_others(&mut block, &in_order);
            }
            self.take_turn(&mut block, selector, index);
            let name = self.processes[index].name.clone();
            self.relation.transitions.push(Transition { name, block, keeps: all_move });
        }
    }

    /// Variables that other processes assign keep their values.
    fn keep_others(&mut self, block: &mut Block, moving: &[VariableId]) {
        let own: HashSet<VariableId> = block.assignments.iter().map(|a| a.variable).collect();
        for &variable in moving.iter().filter(|v| !own.contains(v)) {
            let value = self.relation.terms.current(variable);
            let span = self.relation.variable(variable).span;
            block.assignments.push(Assignment { variable, value, span });
        }
    }

    /// Restricts a block to one process, and simplifies it.
    fn take_turn(&mut self, block: &mut Block, selector: VariableId, index: usize) {
        let Process { value, span, .. } = self.processes[index];
        let terms = &mut self.relation.terms;
        let mut fix = |term| terms.substitute(term, &Term::Current(selector), value);
        block.assignments.iter_mut().for_each(|a| a.value = fix(a.value));
        block.constraints.iter_mut().for_each(|c| c.term = fix(c.term));
        let now = terms.current(selector);
        let term = terms.is(now, value);
        block.constraints.retain(|c| terms.constant(c.term) != Some(1));
        block.constraints.insert(0, Constraint { term, span });
    }
}
