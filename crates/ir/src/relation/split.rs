//! One kind of step taken apart by the value of a variable that says who moves.
//!
//! Many models have a scheduler: an input or a variable that each process compares with its own number, and that leaves
//! all others as they are. Written as one kind of step, that is a large relation in which everything may change; taken
//! apart by the scheduler's value, it is many small ones in which most variables keep their value. Engines that work with
//! sets of states are far faster on the latter. The steps are the same.

use super::{
    Assignment, BinaryTerm, Block, Constraint, Relation, Term, TermId, Transition, Variable, VariableId, VariableRole,
};
use lurcher_syntax::Span;

/// Values of a scheduler at most.
const VALUES: u64 = 128;
/// Values of a variable that is free to change.
const FREE: u64 = 1024;

impl Relation {
    /// The same relation with its only kind of step taken apart, if there is a scheduler that leaves most variables alone.
    pub fn split(&self) -> Option<Relation> {
        let [step] = self.transitions.as_slice() else { return None };
        if step.keeps || !self.free_are_small(step) {
            return None;
        }
        let mut best: Option<(usize, Relation)> = None;
        for (scheduler, variable) in self.variables() {
            if !(3..=VALUES).contains(&variable.domain.size()) || !self.is_compared(step, scheduler) {
                continue;
            }
            let (relation, kept) = self.split_by(step, scheduler, variable);
            let all = step.block.assignments.len() * relation.transitions.len();
            // Most must stay as they are, or nothing is gained.
            if 2 * kept > all && best.as_ref().is_none_or(|b| kept > b.0) {
                best = Some((kept, relation));
            }
        }
        best.map(|(_, relation)| relation)
    }

    /// Variables that the step does not assign can be listed.
    fn free_are_small(&self, step: &Transition) -> bool {
        self.unassigned(step).iter().all(|v| self.variable(*v).domain.size() <= FREE)
    }

    fn unassigned(&self, step: &Transition) -> Vec<VariableId> {
        let assigned = |id: VariableId| {
            let blocks = [&step.block, &self.invariant];
            blocks.iter().any(|b| b.assignments.iter().any(|a| a.variable == id))
        };
        let free = self.variables().filter(|(id, v)| v.role == VariableRole::State && !assigned(*id));
        free.map(|(id, _)| id).collect()
    }

    /// Is a variable compared with a constant in at least two assignments?
    fn is_compared(&self, step: &Transition, variable: VariableId) -> bool {
        let is = |t: &TermId| *self.terms.get(*t) == Term::Current(variable);
        let constant = |t: &TermId| self.terms.constant(*t).is_some();
        let compares = |t: TermId| match self.terms.get(t) {
            Term::Binary(BinaryTerm::Eq, a, b) => (is(a) && constant(b)) || (is(b) && constant(a)),
            _ => false,
        };
        let tested = |a: &&Assignment| self.terms.closure([a.value]).into_iter().any(compares);
        step.block.assignments.iter().filter(tested).take(2).count() == 2
    }

    /// The relation with a step for each value of the scheduler, and how many assignments went away.
    fn split_by(&self, step: &Transition, scheduler: VariableId, variable: &Variable) -> (Relation, usize) {
        let mut relation = self.clone();
        let mut kept = 0;
        let free = self.unassigned(step);
        let span = Span::default();
        relation.transitions = variable
            .domain
            .values()
            .map(|value| {
                let mut block = Block::default();
                for assignment in &step.block.assignments {
                    let value = relation.with_value(assignment.value, scheduler, value);
                    if *relation.terms.get(value) == Term::Current(assignment.variable) {
                        kept += 1;
                    } else {
                        block.assignments.push(Assignment { value, ..*assignment });
                    }
                }
                for &variable in &free {
                    let all = self.variable(variable).domain.values();
                    let all = all.map(|v| relation.terms.value(v)).collect();
                    block.assignments.push(Assignment { variable, value: relation.terms.choice(all), span });
                }
                let here = relation.terms.current(scheduler);
                let here = relation.terms.is(here, value);
                block.constraints.push(Constraint { term: here, span });
                for constraint in &step.block.constraints {
                    let term = relation.with_value(constraint.term, scheduler, value);
                    block.constraints.push(Constraint { term, ..*constraint });
                }
                Transition { name: step.name.clone(), block, keeps: true }
            })
            .collect();
        (relation, kept)
    }

    /// A term where a variable has a known value now.
    fn with_value(&mut self, term: TermId, variable: VariableId, value: i64) -> TermId {
        self.terms.rewrite(term, &mut |terms, part| match part {
            Term::Current(v) if *v == variable => Some(terms.value(value)),
            _ => None,
        })
    }
}
