//! Constraints that determine variables are solved without enumeration.

use std::ops::ControlFlow;

use lurcher_ir::relation::{
    BinaryTerm, Constraint, Domain, Relation, TermId, Transition, Variable, VariableId, VariableRole,
};
use lurcher_syntax::Span;
use lurcher_system::relation::{Halt, Stepper};

/// Variables from 0 to a million, and no steps yet.
fn large(count: usize) -> (Relation, Vec<VariableId>) {
    let mut relation = Relation::default();
    let add = |index| {
        let (name, role) = (format!("v{index}"), VariableRole::State);
        relation.add_variable(Variable { name, role, domain: Domain::Range(0, 1_000_000), span: Span::default() })
    };
    let variables = (0..count).map(add).collect();
    (relation, variables)
}

fn constrain(relation: &mut Relation, terms: impl IntoIterator<Item = TermId>) {
    let span = Span::default();
    let constraints = terms.into_iter().map(|term| Constraint { term, span }).collect();
    let mut transition = Transition::default();
    transition.block.constraints = constraints;
    relation.transitions.push(transition);
}

/// The successors of a state, found with little effort.
fn successors(relation: &Relation, now: &[i64]) -> Vec<Vec<i64>> {
    let mut stepper = Stepper::new(relation);
    stepper.set_effort(100);
    let mut all = Vec::new();
    stepper
        .successors(now, |step| {
            all.push(step.next.to_vec());
            ControlFlow::Continue(())
        })
        .expect("little effort is enough");
    all.sort();
    all.dedup();
    all
}

#[test]
fn equations_give_values_whatever_their_order() {
    let (mut relation, v) = large(3);
    let terms = &mut relation.terms;
    let next: Vec<TermId> = v.iter().map(|&v| terms.next(v)).collect();
    let (now, one) = (terms.current(v[0]), terms.value(1));
    let more = terms.binary(BinaryTerm::Add, now, one);
    let doubled = terms.binary(BinaryTerm::Add, next[0], next[1]);
    let equations = [(next[2], doubled), (next[0], next[1]), (more, next[1])];
    let all: Vec<TermId> = equations.iter().map(|&(a, b)| terms.binary(BinaryTerm::Eq, a, b)).collect();
    let conjunction = terms.all(all);
    constrain(&mut relation, [conjunction]);
    assert_eq!(successors(&relation, &[6, 0, 0]), [[7, 7, 14]]);
}

#[test]
fn sets_and_implications_give_values() {
    let (mut relation, v) = large(2);
    let terms = &mut relation.terms;
    let (x, y, now) = (terms.next(v[0]), terms.next(v[1]), terms.current(v[0]));
    let (five, six) = (terms.is(x, 5), terms.is(x, 6));
    let set = terms.any([five, six]);
    let small = terms.is(now, 0);
    let large = terms.not(small);
    let (same, nine) = (terms.binary(BinaryTerm::Eq, y, x), terms.is(y, 9));
    let if_small = terms.any([large, same]);
    let if_large = terms.any([small, nine]);
    constrain(&mut relation, [if_small, if_large, set]);
    assert_eq!(successors(&relation, &[0, 0]), [[5, 5], [6, 6]]);
    assert_eq!(successors(&relation, &[3, 0]), [[5, 9], [6, 9]]);
}

#[test]
fn rules_are_taken_one_by_one() {
    let (mut relation, v) = large(3);
    let terms = &mut relation.terms;
    let mut rules = Vec::new();
    for &moving in &v {
        let mut parts = Vec::new();
        for &variable in &v {
            let (next, now, one) = (terms.next(variable), terms.current(variable), terms.value(1));
            let more = terms.binary(BinaryTerm::Add, now, one);
            parts.push(terms.binary(BinaryTerm::Eq, next, if variable == moving { more } else { now }));
        }
        rules.push(terms.all(parts));
    }
    let any = terms.any(rules);
    constrain(&mut relation, [any]);
    assert_eq!(successors(&relation, &[1, 2, 3]), [[1, 2, 4], [1, 3, 3], [2, 2, 3]]);
}

#[test]
fn all_calls_together_may_take_so_much() {
    let (relation, _) = {
        let (mut relation, v) = large(1);
        let (next, limit) = (relation.terms.next(v[0]), relation.terms.value(9));
        let below = relation.terms.binary(BinaryTerm::Le, next, limit);
        constrain(&mut relation, [below]);
        (relation, v)
    };
    let mut stepper = Stepper::new(&relation);
    let mut list = |total| {
        stepper.set_total_effort(total);
        (0..)
            .map(|_| stepper.successors(&[0], |_| ControlFlow::Continue(())))
            .take_while(Result::is_ok)
            .take(50)
            .count()
    };
    let (once, often) = (list(1_500_000), list(15_000_000));
    assert!((1..50).contains(&often) && often > 5 * once, "{once} and {often} calls");
    stepper.set_total_effort(10);
    assert_eq!(stepper.successors(&[0], |_| ControlFlow::Continue(())), Err(Halt::Effort));
}
