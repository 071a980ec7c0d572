//! Automata accept exactly what formulas mean.
//!
//! The formulas of a size and the lassos of a length are all there are, up to exchanging the two atoms. Debug builds
//! stop one size earlier.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use lurcher_ir::{Buchi, Formula};
use lurcher_ltl::{Lassos, Limits, accepts, holds, negate, print_automaton, print_formula, translate};

use crate::formulas::{self, Random};
use crate::lassos::{self, Lasso};
use crate::parse::parse;
use crate::{automaton, name};

/// Compares many formulas on the same lassos; what an automaton accepts is computed once for all formulas that have it.
struct Comparison {
    lassos: Vec<Lasso>,
    accepted: HashMap<String, Vec<bool>>,
    /// Formulas that were not translated because they are too large.
    too_large: usize,
}

impl Comparison {
    fn new(lassos: Vec<Lasso>) -> Self {
        Comparison { lassos, accepted: HashMap::new(), too_large: 0 }
    }

    fn check(&mut self, formula: &Formula) {
        let Ok(automaton) = translate(formula, &Limits::default()) else {
            self.too_large += 1;
            return;
        };
        let accepted = self.accepted.entry(format!("{automaton:?}")).or_insert_with(|| {
            self.lassos.iter().map(|lasso| accepts(&automaton, &lasso.prefix, &lasso.cycle)).collect()
        });
        let words = Lassos::new(self.lassos.iter().map(|lasso| (&lasso.prefix[..], &lasso.cycle[..])));
        if words.satisfy(formula) != *accepted {
            report(formula, &self.lassos);
        }
    }
}

/// Fails with a smallest formula that is translated wrongly and a lasso that shows it.
fn report(formula: &Formula, lassos: &[Lasso]) -> ! {
    let wrong = |formula: &Formula| {
        let automaton = automaton(formula);
        let differs = |lasso: &&Lasso| {
            accepts(&automaton, &lasso.prefix, &lasso.cycle) != holds(formula, &lasso.prefix, &lasso.cycle)
        };
        lassos.iter().find(differs).map(|lasso| (lasso.clone(), automaton.clone()))
    };
    let mut smallest = formula.clone();
    while let Some(smaller) = formulas::smaller(&smallest).into_iter().find(|smaller| wrong(smaller).is_some()) {
        smallest = smaller;
    }
    let (lasso, automaton): (Lasso, Buchi) = wrong(&smallest).expect("the formula that failed fails again");
    panic!(
        "wrong on {lasso}: {} is {}, and the automaton is\n{}(found with {})",
        print_formula(&smallest, name),
        holds(&smallest, &lasso.prefix, &lasso.cycle),
        print_automaton(&automaton, name),
        print_formula(formula, name),
    );
}

/// Checks every formula of the sizes on every lasso up to a length.
fn check_all(sizes: std::ops::RangeInclusive<usize>, length: usize) {
    let mut comparison = Comparison::new(lassos::all_up_to(length, 2));
    let formulas = formulas::all_up_to(*sizes.end(), 2);
    let formulas = formulas[sizes].iter().flatten().filter(|formula| formulas::first_atom(formula) != Some(1));
    formulas.for_each(|formula| comparison.check(formula));
    assert_eq!(comparison.too_large, 0);
}

const fn in_debug_builds(debug: usize, release: usize) -> usize {
    if cfg!(debug_assertions) { debug } else { release }
}

#[test]
fn every_formula_up_to_size_five_is_right_on_every_lasso_up_to_length_four() {
    check_all(1..=in_debug_builds(4, 5), 4);
}

#[test]
fn every_formula_of_size_six_is_right_on_every_lasso_up_to_length_three() {
    let size = in_debug_builds(5, 6);
    check_all(size..=size, 3);
}

#[test]
#[ignore = "takes minutes"]
fn every_formula_of_size_seven_is_right_on_every_lasso_up_to_length_three() {
    check_all(7..=7, 3);
}

#[test]
fn random_formulas_and_their_negations_are_right_on_every_small_lasso() {
    let mut random = Random::new(1);
    let mut comparison = Comparison::new(lassos::all_up_to(4, 2));
    for _ in 0..in_debug_builds(100, 1_500) {
        let size = 7 + random.below(12);
        let formula = random.formula(size, 2);
        comparison.check(&formula);
        comparison.check(&negate(&formula));
    }
    assert_eq!(comparison.too_large, 0);
}

#[test]
fn random_formulas_under_fairness_are_right_on_every_small_lasso() {
    let mut random = Random::new(3);
    let mut comparison = Comparison::new(lassos::all_up_to(4, 2));
    for _ in 0..in_debug_builds(50, 1_000) {
        let size = 1 + random.below(8);
        let formula = random.fair_formula(size, 2);
        comparison.check(&formula);
        comparison.check(&negate(&formula));
    }
    assert_eq!(comparison.too_large, 0);
}

#[test]
fn random_large_formulas_are_right_on_random_lassos() {
    let mut random = Random::new(2);
    let too_large: usize = (0..in_debug_builds(100, 2_000)).map(|_| check_large(&mut random)).sum();
    assert_eq!(too_large, 0);
}

/// Checks one formula; returns how many were too large.
fn check_large(random: &mut Random) -> usize {
    let (size, atoms) = (5 + random.below(18), 3 + random.below(2) as u32);
    let formula = random.formula(size, atoms);
    let lassos = (0..300).map(|_| lassos::random(random, 5, 6, atoms)).collect();
    let mut comparison = Comparison::new(lassos);
    comparison.check(&formula);
    comparison.too_large
}

/// `SEED=1 SECONDS=600 cargo test --release -p lurcher-ltl a_long_campaign -- --ignored --nocapture`
#[test]
#[ignore = "runs as long as it is told to"]
fn a_long_campaign_of_random_formulas_finds_nothing() {
    let variable = |name, default| std::env::var(name).map_or(default, |value| value.parse().expect("a number"));
    let mut random = Random::new(variable("SEED", 1));
    let end = Instant::now() + Duration::from_secs(variable("SECONDS", 60));
    let (mut formulas, mut too_large) = (0, 0);
    while Instant::now() < end {
        let mut comparison = Comparison::new(lassos::all_up_to(4, 2));
        for _ in 0..100 {
            let size = 5 + random.below(20);
            comparison.check(&random.formula(size, 2));
            comparison.check(&random.fair_formula(size / 2, 2));
            too_large += check_large(&mut random);
        }
        formulas += 300;
        too_large += comparison.too_large;
    }
    println!("{formulas} formulas, of which {too_large} were too large");
}

/// Mistakes there have been, each in its smallest form.
#[test]
fn what_was_wrong_once_is_right() {
    let mut comparison = Comparison::new(lassos::all_up_to(4, 2));
    // A state that is owed anyway was dropped from the set, and with it the memory that it had been left.
    comparison.check(&parse("[](<>X q U (q <-> <>[]!q))"));
    // A disjunction made on the way to a successor of X was numbered above the state that leads to it.
    comparison.check(&parse("X (p || q || []p)"));
    assert_eq!(comparison.too_large, 0);
}
