//! Automata accept exactly what formulas mean.

use std::collections::HashMap;

use lurcher_ir::ltl::{Buchi, Formula};
use lurcher_ltl::{Lassos, accepts, holds, negate, print_automaton, print_formula};

use crate::formulas::{self, Random};
use crate::lassos::{self, Lasso};
use crate::{automaton, name};

/// Compares many formulas on the same lassos; what an automaton accepts is computed once for all formulas that have it.
struct Comparison {
    lassos: Vec<Lasso>,
    accepted: HashMap<String, Vec<bool>>,
}

impl Comparison {
    fn new(lassos: Vec<Lasso>) -> Self {
        Comparison { lassos, accepted: HashMap::new() }
    }

    fn check(&mut self, formula: &Formula) {
        let automaton = automaton(formula);
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

#[test]
fn every_formula_of_size_five_is_right_on_every_lasso_of_length_four() {
    let mut comparison = Comparison::new(lassos::all_up_to(4, 2));
    for formula in formulas::all_up_to(5, 2).iter().flatten() {
        comparison.check(formula);
    }
}

#[test]
fn every_formula_of_size_six_is_right_on_every_lasso_of_length_three() {
    let mut comparison = Comparison::new(lassos::all_up_to(3, 2));
    for formula in &formulas::all_up_to(6, 2)[6] {
        comparison.check(formula);
    }
}

#[test]
fn random_formulas_and_their_negations_are_right_on_every_small_lasso() {
    let mut random = Random::new(1);
    let mut comparison = Comparison::new(lassos::all_up_to(4, 2));
    for _ in 0..2_000 {
        let size = 7 + random.below(10);
        let formula = random.formula(size, 2);
        comparison.check(&formula);
        comparison.check(&negate(&formula));
    }
}

#[test]
fn random_large_formulas_are_right_on_random_lassos() {
    let mut random = Random::new(2);
    for _ in 0..2_000 {
        let size = 5 + random.below(16);
        let formula = random.formula(size, 4);
        let lassos = (0..300).map(|_| lassos::random(&mut random, 4, 6, 4)).collect();
        Comparison::new(lassos).check(&formula);
    }
}

#[test]
#[ignore]
fn campaign() {
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    let mut random = Random::new(seed);
    let start = std::time::Instant::now();
    let mut n = 0;
    let mut two = Comparison::new(lassos::all_up_to(4, 2));
    while start.elapsed().as_secs() < 240 {
        n += 1;
        let size = 5 + random.below(20);
        let f = random.formula(size, 2);
        two.check(&f);
        if two.accepted.len() > 5000 {
            two.accepted.clear();
        }
        let size = 5 + random.below(20);
        let atoms = 3 + random.below(2) as u32;
        let f = random.formula(size, atoms);
        let lassos = (0..300).map(|_| lassos::random(&mut random, 5, 6, atoms)).collect();
        Comparison::new(lassos).check(&f);
    }
    println!("{n} rounds");
}
