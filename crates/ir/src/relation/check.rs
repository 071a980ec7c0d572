//! The checker of relations.
//!
//! A relation that passes guarantees:
//!
//! 1. every named term and variable exists, and the operands of a term have smaller ids than the term;
//! 2. every domain is nonempty; listed values are sorted and distinct;
//! 3. next values are read only in transitions and step invariants, and never of an input;
//! 4. inputs are read only in transitions, step invariants, fairness constraints and LTL;
//! 5. `Choice` and `When` occur only at the top of an assignment: below `Ite` (not in its condition), `Choice` and `When`
//!    (not in its condition);
//! 6. a block has at most one assignment for each variable; a variable that the invariant block assigns is assigned nowhere
//!    else; inputs are never assigned, frozen variables not by transitions;
//! 7. the assignments of a block have no cyclic dependencies;
//! 8. there is at least one transition.

use std::collections::{HashMap, HashSet};

use super::{Assignment, Block, Relation, Term, TermId, VariableId, VariableRole};
use crate::property::PropertyKind;
use crate::relation::Domain;

/// What a term may read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A state.
    State,
    /// A state and the inputs of the step that leaves it.
    Moment,
    /// A step.
    Step,
}

/// Returns the violations of these rules, each with its context.
pub fn check(relation: &Relation) -> Vec<String> {
    let mut checker = Checker { relation, at: String::new(), errors: Vec::new() };
    checker.relation();
    checker.errors
}

/// Sorts the assignments of a block topologically, such that each can be evaluated after those it depends on. `reads`
/// gives the variables whose assigned values a term reads. Assignments with cyclic dependencies are left out.
pub fn order(assignments: &[Assignment], mut reads: impl FnMut(TermId) -> Vec<VariableId>) -> Vec<Assignment> {
    let by_variable: HashMap<VariableId, usize> =
        assignments.iter().enumerate().map(|(i, a)| (a.variable, i)).collect();
    let needed: Vec<Vec<usize>> = assignments
        .iter()
        .map(|a| reads(a.value).into_iter().filter_map(|v| by_variable.get(&v).copied()).collect())
        .collect();
    let mut missing: Vec<usize> = needed.iter().map(Vec::len).collect();
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); assignments.len()];
    for (index, needed) in needed.iter().enumerate() {
        needed.iter().for_each(|&n| dependents[n].push(index));
    }
    let mut ready: Vec<usize> = (0..assignments.len()).rev().filter(|&i| missing[i] == 0).collect();
    let mut ordered = Vec::new();
    while let Some(index) = ready.pop() {
        ordered.push(assignments[index]);
        for &other in &dependents[index] {
            missing[other] -= 1;
            if missing[other] == 0 {
                ready.push(other);
            }
        }
    }
    ordered
}

struct Checker<'a> {
    relation: &'a Relation,
    at: String,
    errors: Vec<String>,
}

impl Checker<'_> {
    fn expect(&mut self, holds: bool, what: &str) {
        if !holds {
            self.errors.push(format!("{}: {what}", self.at));
        }
    }

    fn relation(&mut self) {
        self.at = "terms".to_owned();
        self.terms();
        if !self.errors.is_empty() {
            return;
        }
        for variable in &self.relation.variables {
            self.at.clone_from(&variable.name);
            self.expect(variable.domain.size() > 0, "it has no values");
            if let Domain::Values(values) = &variable.domain {
                self.expect(values.windows(2).all(|w| w[0] < w[1]), "its values are not sorted");
            }
        }
        let relation = self.relation;
        self.at = "initial states".to_owned();
        self.block(&relation.initial, Place::State);
        self.at = "every state".to_owned();
        self.block(&relation.invariant, Place::State);
        self.at = "transitions".to_owned();
        self.expect(!relation.transitions.is_empty(), "there are none");
        for transition in &relation.transitions {
            self.at = format!("transition {}", transition.name);
            self.block(&transition.block, Place::Step);
        }
        self.assigned_once();
        self.at = "fairness".to_owned();
        relation.justice.iter().for_each(|&t| self.term(t, Place::Moment));
        for &(p, q) in &relation.compassion {
            self.term(p, Place::Moment);
            self.term(q, Place::Moment);
        }
        for property in &relation.properties {
            self.at.clone_from(&property.name);
            let place = match &property.kind {
                PropertyKind::StepInvariant(_) => Place::Step,
                PropertyKind::Ltl { .. } => Place::Moment,
                _ => Place::State,
            };
            property.kind.terms().into_iter().for_each(|term| self.term(term, place));
        }
    }

    fn terms(&mut self) {
        let terms = &self.relation.terms;
        for index in 0..terms.len() {
            let id = TermId(index as u32);
            let smaller = terms.parts(id).iter().all(|p| p.0 < id.0);
            self.expect(smaller, "a part has no smaller id than the whole");
            if let Term::Current(variable) | Term::Next(variable) = terms.get(id) {
                self.expect((variable.0 as usize) < self.relation.variables.len(), "there is no such variable");
            }
        }
    }

    fn block(&mut self, block: &Block, place: Place) {
        let mut assigned = HashSet::new();
        for assignment in &block.assignments {
            let variable = self.relation.variable(assignment.variable);
            self.expect(assigned.insert(assignment.variable), "a variable is assigned twice");
            self.expect(variable.role != VariableRole::Input, "an input is assigned");
            let frozen = variable.role == VariableRole::Frozen && place == Place::Step;
            self.expect(!frozen, "a step assigns a frozen variable");
            self.set_term(assignment.value, place);
        }
        for constraint in &block.constraints {
            self.term(constraint.term, place);
        }
        let terms = &self.relation.terms;
        let reads = |t: TermId| {
            let support = terms.support(t);
            if place == Place::Step { support.next } else { support.current }
        };
        let ordered = order(&block.assignments, reads).len();
        self.expect(ordered == block.assignments.len(), "assignments wait for each other");
    }

    fn assigned_once(&mut self) {
        let relation = self.relation;
        self.at = "every state".to_owned();
        let always: HashSet<VariableId> = relation.invariant.assignments.iter().map(|a| a.variable).collect();
        let steps = relation.transitions.iter().flat_map(|t| &t.block.assignments);
        let once = relation.initial.assignments.iter().chain(steps).all(|a| !always.contains(&a.variable));
        self.expect(once, "a variable that is assigned in every state is assigned elsewhere");
    }

    /// Checks a term at the top of an assignment, which may denote a set.
    fn set_term(&mut self, id: TermId, place: Place) {
        let terms = &self.relation.terms;
        let mut seen = HashSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match terms.get(id) {
                Term::Ite(condition, a, b) => {
                    self.term(*condition, place);
                    open.extend([*a, *b]);
                }
                Term::When(condition, a) => {
                    self.term(*condition, place);
                    open.push(*a);
                }
                Term::Choice(parts) => open.extend(parts),
                _ => self.term(id, place),
            }
        }
    }

    /// Checks a term with a single value.
    fn term(&mut self, id: TermId, place: Place) {
        let terms = &self.relation.terms;
        if id.0 as usize >= terms.len() {
            return self.expect(false, "there is no such term");
        }
        let (mut chooses, mut next, mut input, mut next_input) = (false, false, false, false);
        let is_input = |v: &VariableId| self.relation.variable(*v).role == VariableRole::Input;
        for part in terms.closure([id]) {
            match terms.get(part) {
                Term::Choice(_) | Term::When(..) => chooses = true,
                Term::Current(variable) => input |= is_input(variable),
                Term::Next(variable) => {
                    next = true;
                    next_input |= is_input(variable);
                }
                _ => {}
            }
        }
        self.expect(!chooses, "a choice inside a term");
        self.expect(!next || place == Place::Step, "a next value outside a step");
        self.expect(!next_input, "a next value of an input");
        self.expect(!input || place != Place::State, "an input is read in a state");
    }
}
