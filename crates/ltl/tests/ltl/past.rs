//! Formulas with past operators: the product with a relation against the semantics, on random small lassos.
//!
//! A word becomes a relation with one run: a position counter, and atoms that test it. The product has a fair run exactly
//! if the word violates the formula, whether the formula has one automaton, one for each conjunct, or a tableau.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use lurcher_ir::Atom;
use lurcher_ir::graph::components;
use lurcher_ir::relation::{Assignment, Domain, Relation, TermId, Transition, Variable, VariableRole, check};
use lurcher_ltl::{Limits, holds, violations_within};
use lurcher_syntax::Span;
use lurcher_system::relation::Oracle;

use crate::formulas::{BINARY, Random, UNARY};
use crate::lassos::{self, Lasso};

/// The relation whose only run is a word over two atoms, and the terms of the atoms.
fn word(lasso: &Lasso) -> (Relation, [TermId; 2]) {
    let letters: Vec<_> = lasso.prefix.iter().chain(&lasso.cycle).collect();
    let mut relation = Relation::default();
    let variable = relation.add_variable(Variable {
        name: "position".to_owned(),
        role: VariableRole::State,
        domain: Domain::Range(0, letters.len() as i64 - 1),
        span: Span::default(),
    });
    let terms = &mut relation.terms;
    let position = terms.current(variable);
    let atoms = [0, 1].map(|atom| {
        let here = letters.iter().enumerate().filter(|(_, l)| l.atoms().iter().any(|a| a.0 == atom));
        let tests: Vec<TermId> = here.map(|(i, _)| terms.is(position, i as i64)).collect();
        terms.any(tests)
    });
    let mut next = terms.value(lasso.prefix.len() as i64);
    for i in (0..letters.len() - 1).rev() {
        let (here, after) = (terms.is(position, i as i64), terms.value(i as i64 + 1));
        next = terms.ite(here, after, next);
    }
    let assignment = |value| Assignment { variable, value, span: Span::default() };
    let mut step = Transition::default();
    step.block.assignments.push(assignment(next));
    relation.transitions.push(step);
    let first = relation.terms.value(0);
    relation.initial.assignments.push(assignment(first));
    (relation, atoms)
}

/// Every combination of one value from each set.
fn combinations(sets: &[BTreeSet<i64>]) -> Vec<Vec<i64>> {
    sets.iter().fold(vec![Vec::new()], |rows, set| {
        let longer = |row: Vec<i64>| set.iter().map(move |v| row.iter().copied().chain([*v]).collect::<Vec<_>>());
        rows.into_iter().flat_map(longer).collect()
    })
}

/// Whether the relation has a fair run. All its variables are assigned.
fn has_fair_run(relation: &Relation) -> bool {
    let oracle = Oracle::new(relation);
    let step = &relation.transitions[0].block;
    let none = vec![0; relation.variables.len()];
    let values = |assignments: &[Assignment], now: &[i64]| -> Vec<Vec<i64>> {
        let mut sets = vec![BTreeSet::new(); relation.variables.len()];
        for a in assignments {
            sets[a.variable.0 as usize] = oracle.values(a.value, now, now);
        }
        combinations(&sets)
    };
    let mut graph: IndexMap<Vec<i64>, Vec<Vec<i64>>> = IndexMap::new();
    let mut open = values(&relation.initial.assignments, &none);
    while let Some(state) = open.pop() {
        graph.entry(state).or_insert_with_key(|state| {
            let is_possible =
                |next: &Vec<i64>| step.constraints.iter().all(|c| oracle.values(c.term, state, next).contains(&1));
            let next: Vec<Vec<i64>> = values(&step.assignments, state).into_iter().filter(is_possible).collect();
            open.extend(next.iter().cloned());
            next
        });
    }
    let number = |state: &Vec<i64>| graph.get_index_of(state).expect("every state is in the graph");
    let successors: Vec<Vec<usize>> = graph.values().map(|next| next.iter().map(number).collect()).collect();
    let components = components(&successors);
    (0..components.count()).filter(|&c| components.cyclic[c]).any(|component| {
        let members = || graph.keys().enumerate().filter(|(n, _)| components.of[*n] == component);
        relation.justice.iter().all(|&justice| members().any(|(_, state)| oracle.holds(justice, state)))
    })
}

#[test]
fn a_relation_of_violations_has_a_fair_run_exactly_when_the_formula_is_false() {
    let mut random = Random::new(7);
    let mut verdicts = [0, 0];
    for _ in 0..3000 {
        let lasso = lassos::random(&mut random, 3, 4, 2);
        let (relation, atoms) = word(&lasso);
        assert_eq!(check::check(&relation), Vec::<String>::new());
        let size = 1 + random.below(6);
        let formula = random.formula_over((&UNARY, &BINARY), size, 2);
        let truth = holds(&formula, &lasso.prefix, &lasso.cycle);
        let (usual, none) = (Limits::default(), Limits { states: 0, edges: 0, steps: 0 });
        for (form, limits) in [("one", [&usual; 2]), ("apart", [&none, &usual]), ("tableau", [&none; 2])] {
            let product = violations_within(&relation, &formula, &atoms.map(Atom::Term), limits);
            assert_eq!(check::check(&product), Vec::<String>::new());
            assert_eq!(has_fair_run(&product), !truth, "{form}: {formula:?} on {lasso:?}");
        }
        verdicts[usize::from(truth)] += 1;
    }
    assert!(verdicts.iter().all(|&n| n > 500), "{verdicts:?}");
}
