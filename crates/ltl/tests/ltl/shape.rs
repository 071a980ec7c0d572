//! What is promised of every automaton, and of the small functions beside the translation.

use lurcher_ir::{AtomId, Buchi, Formula};
use lurcher_ltl::{Lassos, Letter, is_stutter_sensitive, negate, print_automaton, print_formula};

use crate::formulas::{self, Random};
use crate::lassos::{self, Lasso};
use crate::parse::parse;
use crate::{automaton, name};

fn small_and_random_formulas() -> Vec<Formula> {
    let mut random = Random::new(5);
    let mut formulas: Vec<Formula> = formulas::all_up_to(4, 2).into_iter().flatten().collect();
    formulas.extend((0..200).map(|i| random.formula(5 + i % 15, 3)));
    formulas
}

/// The states that can be reached from one.
fn reachable(automaton: &Buchi, start: usize) -> Vec<bool> {
    let mut seen = vec![false; automaton.states.len()];
    let mut pending: Vec<usize> = automaton.states[start].edges.iter().map(|edge| edge.target).collect();
    while let Some(state) = pending.pop() {
        if !std::mem::replace(&mut seen[state], true) {
            pending.extend(automaton.states[state].edges.iter().map(|edge| edge.target));
        }
    }
    seen
}

#[test]
fn every_automaton_is_in_order() {
    for formula in small_and_random_formulas() {
        let automaton = automaton(&formula);
        let show = || format!("{}\n{}", print_formula(&formula, name), print_automaton(&automaton, name));
        let from_initial = reachable(&automaton, 0);
        let recurring = |s: usize| automaton.states[s].accepting && reachable(&automaton, s)[s];
        for (number, state) in automaton.states.iter().enumerate() {
            for edge in &state.edges {
                let increasing = edge.guard.windows(2).all(|pair| pair[0].atom < pair[1].atom);
                assert!(increasing, "a guard is not sorted, or names an atom twice: {}", show());
                assert!(edge.target < automaton.states.len(), "an edge leads nowhere: {}", show());
                let copies = state.edges.iter().filter(|other| *other == edge).count();
                assert_eq!(copies, 1, "an edge is there twice: {}", show());
            }
            assert!(number == 0 || from_initial[number], "state {number} cannot be reached: {}", show());
            let after = reachable(&automaton, number);
            let live = recurring(number) || (0..automaton.states.len()).any(|s| after[s] && recurring(s));
            let unsatisfiable = automaton.states.len() == 1 && state.edges.is_empty() && !state.accepting;
            assert!(live || unsatisfiable, "nothing is accepted from state {number}: {}", show());
        }
    }
}

#[test]
fn the_same_formula_gives_the_same_automaton() {
    for formula in small_and_random_formulas() {
        assert_eq!(automaton(&formula), automaton(&formula), "{}", print_formula(&formula, name));
    }
}

#[test]
fn an_unsatisfiable_formula_gives_one_state_without_edges() {
    for formula in ["false", "p && !p", "[]p && <>!p", "[]<>p && <>[]!p", "X p && X !p"] {
        let automaton = automaton(&parse(formula));
        assert!(automaton.states.len() == 1 && automaton.states[0].edges.is_empty(), "{formula}");
    }
}

#[test]
fn atoms_keep_their_ids_however_large() {
    let [first, last] = [AtomId(7), AtomId(u32::MAX)];
    let formula = Formula::Until(Box::new(Formula::Atom(last)), Box::new(Formula::Atom(first)));
    let automaton = automaton(&formula);
    let mut atoms: Vec<AtomId> =
        automaton.states.iter().flat_map(|s| &s.edges).flat_map(|e| &e.guard).map(|literal| literal.atom).collect();
    atoms.sort_unstable();
    atoms.dedup();
    assert_eq!(atoms, [first, last]);
}

#[test]
fn negation_is_not_doubled() {
    let p = parse("p");
    assert_eq!(negate(&p), parse("!p"));
    assert_eq!(negate(&negate(&p)), p);
    assert_eq!(negate(&Formula::True), Formula::False);
    for formula in formulas::all_up_to(3, 2).iter().flatten().filter(|formula| !matches!(formula, Formula::Not(_))) {
        assert_eq!(negate(&Formula::Not(Box::new(formula.clone()))), *formula);
    }
}

#[test]
fn next_is_harmless_where_it_simplifies_away() {
    for (formula, sensitive) in [
        ("X p", true),
        ("[](p -> X q)", true),
        ("[](p -> <>q)", false),
        ("X []<>p", false),
        ("<>X <>[]p -> []<>q", false),
        ("X p || !X p", false),
        ("true", false),
    ] {
        assert_eq!(is_stutter_sensitive(&parse(formula)), sensitive, "{formula}");
    }
}

#[test]
fn a_formula_that_is_not_stutter_sensitive_does_not_see_stuttering() {
    let lassos = lassos::all_up_to(3, 2);
    let stuttering: Vec<Lasso> = lassos.iter().map(stutter).collect();
    fn words(lassos: &[Lasso]) -> Lassos<'_> {
        Lassos::new(lassos.iter().map(|lasso| (&lasso.prefix[..], &lasso.cycle[..])))
    }
    let (words, stuttering) = (words(&lassos), words(&stuttering));
    for formula in small_and_random_formulas().iter().filter(|formula| !is_stutter_sensitive(formula)) {
        assert_eq!(words.satisfy(formula), stuttering.satisfy(formula), "{}", print_formula(formula, name));
    }
}

/// The word with its letters repeated twice, three times, twice …
fn stutter(lasso: &Lasso) -> Lasso {
    let repeat = |letters: &[Letter]| {
        letters.iter().enumerate().flat_map(|(i, letter)| vec![letter.clone(); 2 + i % 2]).collect()
    };
    Lasso { prefix: repeat(&lasso.prefix), cycle: repeat(&lasso.cycle) }
}
