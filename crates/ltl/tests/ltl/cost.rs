//! Large and deep formulas end, with an automaton or an error.

use lurcher_ir::{AtomId, Formula};
use lurcher_ltl::{Letter, Limits, Resource, holds, is_stutter_sensitive, negate, print_formula, translate};

use crate::automaton;

fn atom(number: usize) -> Formula {
    Formula::Atom(AtomId(number as u32))
}

fn unary(operator: fn(Box<Formula>) -> Formula, a: Formula) -> Formula {
    operator(Box::new(a))
}

fn binary(operator: fn(Box<Formula>, Box<Formula>) -> Formula, a: Formula, b: Formula) -> Formula {
    operator(Box::new(a), Box::new(b))
}

fn recurs(a: Formula) -> Formula {
    unary(Formula::Always, unary(Formula::Eventually, a))
}

fn all(formulas: impl Iterator<Item = Formula>) -> Formula {
    formulas.reduce(|a, b| binary(Formula::And, a, b)).expect("there are some")
}

fn responds(request: usize, response: usize) -> Formula {
    let response = unary(Formula::Eventually, atom(response));
    unary(Formula::Always, binary(Formula::Implies, atom(request), response))
}

fn untils_to_the_left(depth: usize) -> Formula {
    (1..=depth).fold(atom(0), |left, right| binary(Formula::Until, left, atom(right)))
}

#[test]
fn ten_untils_nested_to_the_right_need_eleven_states() {
    let formula = (0..10).rev().fold(atom(10), |right, left| binary(Formula::Until, atom(left), right));
    assert_eq!(automaton(&formula).states.len(), 11);
    assert_eq!(automaton(&negate(&formula)).states.len(), 11);
}

#[test]
fn untils_nested_to_the_left_need_a_state_for_every_set_of_them() {
    assert_eq!(automaton(&untils_to_the_left(6)).states.len(), 1 << 6);
    assert_eq!(automaton(&negate(&untils_to_the_left(10))).states.len(), 11);
    if cfg!(not(debug_assertions)) {
        assert_eq!(automaton(&untils_to_the_left(10)).states.len(), 1 << 10);
    }
}

#[test]
fn an_assumption_of_fairness_costs_one_state() {
    for count in [1, 3, 10, 30] {
        let fair = || all((0..count).map(|i| recurs(atom(i))));
        assert_eq!(automaton(&fair()).states.len(), count + 1);
        let violation = negate(&binary(Formula::Implies, fair(), responds(100, 101)));
        assert_eq!(automaton(&violation).states.len(), count + 2);
    }
}

#[test]
fn weak_fairness_of_thirty_processes_is_no_more() {
    let weak = |i| {
        let enabled = unary(Formula::Eventually, unary(Formula::Always, atom(i)));
        binary(Formula::Implies, enabled, recurs(atom(50 + i)))
    };
    let violation = negate(&binary(Formula::Implies, all((0..30).map(weak)), responds(100, 101)));
    assert_eq!(automaton(&violation).states.len(), 32);
}

#[test]
fn strong_fairness_of_five_processes_ends_with_an_automaton() {
    let strong = |i| binary(Formula::Implies, recurs(atom(i)), recurs(atom(50 + i)));
    let count = if cfg!(debug_assertions) { 3 } else { 5 };
    automaton(&negate(&binary(Formula::Implies, all((0..count).map(strong)), responds(100, 101))));
}

/// Formulas nested two thousand deep, one for each shape.
fn deep_formulas() -> Vec<Formula> {
    const DEPTH: usize = 2_000;
    let unary = [Formula::Not, Formula::Next, Formula::Always, Formula::Eventually];
    let binary = [
        Formula::And,
        Formula::Or,
        Formula::Implies,
        Formula::Iff,
        Formula::Until,
        Formula::WeakUntil,
        Formula::Release,
    ];
    let mut formulas: Vec<Formula> = Vec::new();
    for operator in unary {
        formulas.push((0..DEPTH).fold(atom(0), |f, _| operator(Box::new(f))));
    }
    for operator in binary {
        for atoms in [2, DEPTH] {
            formulas.push((0..DEPTH).fold(atom(0), |f, i| operator(Box::new(f), Box::new(atom(i % atoms)))));
            formulas.push((0..DEPTH).fold(atom(0), |f, i| operator(Box::new(atom(i % atoms)), Box::new(f))));
        }
    }
    formulas
        .push((0..DEPTH).fold(atom(0), |f, i| binary[i % 7](Box::new(unary[i % 4](Box::new(f))), Box::new(atom(i)))));
    formulas
}

#[test]
fn formulas_two_thousand_deep_do_not_overflow_the_stack() {
    let limits = Limits::default().with_edges(20_000).with_steps(1_000_000).with_states(2_500);
    for formula in deep_formulas() {
        let _ = translate(&negate(&formula), &limits);
        let _ = print_formula(&formula, |_| 'p').to_string();
        let _ = holds(&formula, &[], &[Letter::default()]);
        if cfg!(not(debug_assertions)) {
            let _ = translate(&formula, &limits);
            let _ = is_stutter_sensitive(&formula);
        }
    }
}

#[test]
fn a_formula_that_is_too_large_says_what_ran_out() {
    let formula = untils_to_the_left(10);
    for (limits, resource, limit) in [
        (Limits::default().with_states(100), Resource::States, 100),
        (Limits::default().with_edges(1_000), Resource::Edges, 1_000),
        (Limits::default().with_steps(10_000), Resource::Steps, 10_000),
    ] {
        let error = translate(&formula, &limits).expect_err("the automaton has a thousand states");
        assert_eq!((error.resource, error.limit), (resource, limit));
        assert!(error.to_string().contains(&limit.to_string()), "{error}");
    }
}

#[test]
fn the_default_limits_stop_what_cannot_end() {
    if cfg!(not(debug_assertions)) {
        let formula = all((0..20).map(|i| responds(i, 50 + i)));
        assert!(translate(&formula, &Limits::default()).is_err());
    }
}
