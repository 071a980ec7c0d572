//! Disjunctive partitioning of the transition relation by a scheduler variable.
//!
//! Many models have a scheduler: a variable that each process compares with its own number. As one transition, the
//! relation is large and every variable may change. Split by the value of the scheduler, it becomes many small
//! transitions in which most variables keep their values, which symbolic engines process much faster. The steps are the
//! same.

use lurcher_resources::checkpoint;

use super::{
    Assignment, BinaryTerm, Block, Constraint, Relation, Term, TermId, Transition, Variable, VariableId, VariableRole,
};
use lurcher_syntax::Span;

/// The largest domain of a scheduler.
const VALUES: u64 = 128;
/// The largest domain of an unassigned variable.
const FREE: u64 = 1024;

impl Relation {
    /// The relation with its only transition split by a scheduler, if most variables keep their values then.
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
            // A split pays off only if most assignments disappear.
            if 2 * kept > all && best.as_ref().is_none_or(|b| kept > b.0) {
                best = Some((kept, relation));
            }
        }
        best.map(|(_, relation)| relation)
    }

    /// Whether the domains of unassigned variables can be enumerated.
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

    /// Whether at least two assignments compare a variable with a constant.
    fn is_compared(&self, step: &Transition, variable: VariableId) -> bool {
        let is = |t: &TermId| *self.terms.get(*t) == Term::Current(variable);
        let constant = |t: &TermId| self.terms.constant(*t).is_some();
        let compares = |t: TermId| match self.terms.get(t) {
            Term::Binary(BinaryTerm::Eq, a, b) => (is(a) && constant(b)) || (is(b) && constant(a)),
            _ => false,
        };
        let tested = |a: &&Assignment| {
            checkpoint();
            self.terms.closure([a.value]).into_iter().any(compares)
        };
        step.block.assignments.iter().filter(tested).take(2).count() == 2
    }

    /// The relation with a transition for each value of the scheduler, and the number of assignments that disappeared.
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
                    let value = relation.terms.substitute(assignment.value, &Term::Current(scheduler), value);
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
                    let term = relation.terms.substitute(constraint.term, &Term::Current(scheduler), value);
                    block.constraints.push(Constraint { term, ..*constraint });
                }
                Transition { name: step.name.clone(), block, keeps: true }
            })
            .collect();
        (relation, kept)
    }
}
