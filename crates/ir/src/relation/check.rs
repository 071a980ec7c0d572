//! The checker of relations.
//!
//! A relation that passes guarantees, so that engines need not ask again:
//!
//! 1. every term and variable that is named exists, and the parts of a term have smaller ids than the term;
//! 2. every domain has at least one value; those that are listed are sorted, and no two alike;
//! 3. next values are read only in transitions and invariants about steps, and none of an input;
//! 4. inputs are read only in transitions, invariants about steps, fairness and LTL;
//! 5. a term chooses (`Choice`, `When`) only at the top of an assignment: below `Ite`, but not in its condition, and
//!    below `Choice` and `When`, but not in what `When` asks;
//! 6. a block has at most one assignment for each variable; a variable that is assigned in every state is assigned
//!    nowhere else; inputs are not assigned; frozen variables are not assigned by transitions;
//! 7. assignments do not wait for each other in a circle: `x := y` and `y := x` is no relation;
//! 8. there is at least one transition.

use std::collections::{HashMap, HashSet};

use super::{Assignment, Block, Relation, Term, TermId, VariableId, VariableRole};
use crate::property::PropertyKind;
use crate::relation::Domain;

/// Where a term stands: what it may read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// About a state.
    State,
    /// About a state and the inputs of the step out of it.
    Moment,
    /// About a step.
    Step,
}

/// Collects what is wrong with a relation, each with where it is.
pub fn check(relation: &Relation) -> Vec<String> {
    let mut checker = Checker { relation, at: String::new(), errors: Vec::new() };
    checker.relation();
    checker.errors
}

/// The assignments of a block in an order in which each can be evaluated: those that it waits for come before it.
/// `waits` gives the variables whose assigned values a term reads. Assignments that wait in a circle are left out.
pub fn order(assignments: &[Assignment], mut waits: impl FnMut(TermId) -> Vec<VariableId>) -> Vec<Assignment> {
    let by_variable: HashMap<VariableId, usize> =
        assignments.iter().enumerate().map(|(i, a)| (a.variable, i)).collect();
    let waits: Vec<Vec<usize>> = assignments
        .iter()
        .map(|a| waits(a.value).into_iter().filter_map(|v| by_variable.get(&v).copied()).collect())
        .collect();
    let mut missing: Vec<usize> = waits.iter().map(Vec::len).collect();
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); assignments.len()];
    for (index, needed) in waits.iter().enumerate() {
        needed.iter().for_each(|&n| waiting[n].push(index));
    }
    let mut ready: Vec<usize> = (0..assignments.len()).rev().filter(|&i| missing[i] == 0).collect();
    let mut ordered = Vec::new();
    while let Some(index) = ready.pop() {
        ordered.push(assignments[index]);
        for &other in &waiting[index] {
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
            self.choosing(assignment.value, place);
        }
        for constraint in &block.constraints {
            self.term(constraint.term, place);
        }
        let terms = &self.relation.terms;
        let waits = |t: TermId| {
            let support = terms.support(t);
            if place == Place::Step { support.next } else { support.current }
        };
        let ordered = order(&block.assignments, waits).len();
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

    /// A term at the top of an assignment.
    fn choosing(&mut self, id: TermId, place: Place) {
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

    /// A term that has one value.
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
