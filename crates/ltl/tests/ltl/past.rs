//! Formulas with past operators: the relation of their violations against their meaning, on random small lassos.
//!
//! A word becomes a relation with one run: a position that goes on by itself, and atoms that are tests of it. Then the
//! extended relation has a fair run exactly when the word violates the formula.

use std::collections::{BTreeSet, HashMap};

use lurcher_ir::relation::{Assignment, Domain, Relation, TermId, Transition, Variable, VariableRole, check};
use lurcher_ir::{Atom, AtomId, Formula};
use lurcher_ltl::{Limits, holds, holds_along, violations};
use lurcher_syntax::Span;
use lurcher_system::relation::Oracle;

use crate::formulas::Random;
use crate::lassos::{self, Lasso};

type Unary = fn(Box<Formula>) -> Formula;
type Binary = fn(Box<Formula>, Box<Formula>) -> Formula;

const UNARY: [Unary; 8] = [
    Formula::Not,
    Formula::Next,
    Formula::Always,
    Formula::Eventually,
    Formula::Previous,
    Formula::WeakPrevious,
    Formula::Historically,
    Formula::Once,
];
const BINARY: [Binary; 7] =
    [Formula::And, Formula::Or, Formula::Iff, Formula::Until, Formula::Release, Formula::Since, Formula::Triggered];

fn random_formula(random: &mut Random, size: usize) -> Formula {
    match size {
        1 => Formula::Atom(AtomId(random.below(2) as u32)),
        2 => UNARY[random.below(UNARY.len())](Box::new(random_formula(random, 1))),
        _ if random.below(2) == 0 => UNARY[random.below(UNARY.len())](Box::new(random_formula(random, size - 1))),
        _ => {
            let left = 1 + random.below(size - 2);
            let a = random_formula(random, left);
            let b = random_formula(random, size - 1 - left);
            BINARY[random.below(BINARY.len())](Box::new(a), Box::new(b))
        }
    }
}

/// The relation whose only run is a word over two atoms, and the terms that say where the atoms are true.
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

/// Has the relation a fair run? All its variables are assigned, and only the last justice matters.
fn has_fair_run(relation: &Relation) -> bool {
    let oracle = Oracle::new(relation);
    let none = vec![0; relation.variables.len()];
    let values = |assignments: &[Assignment], now: &[i64]| -> Vec<Vec<i64>> {
        let mut sets = vec![BTreeSet::new(); relation.variables.len()];
        for a in assignments {
            sets[a.variable.0 as usize] = oracle.values(a.value, now, now);
        }
        combinations(&sets)
    };
    let mut graph: HashMap<Vec<i64>, Vec<Vec<i64>>> = HashMap::new();
    let mut open = values(&relation.initial.assignments, &none);
    while let Some(state) = open.pop() {
        graph.entry(state).or_insert_with_key(|state| {
            let next = values(&relation.transitions[0].block.assignments, state);
            open.extend(next.iter().cloned());
            next
        });
    }
    let accepting = *relation.justice.last().expect("the automaton has one");
    graph.keys().filter(|s| oracle.holds(accepting, s)).any(|seed| {
        let mut seen: BTreeSet<&Vec<i64>> = BTreeSet::new();
        let mut open: Vec<&Vec<i64>> = graph[seed].iter().collect();
        while let Some(state) = open.pop() {
            if seen.insert(state) {
                open.extend(&graph[state]);
            }
        }
        seen.contains(seed)
    })
}

/// Whether the formula has no past operators.
fn is_future(formula: &Formula) -> bool {
    !formula.is_past() && formula.operands().all(is_future)
}

#[test]
fn a_relation_of_violations_has_a_fair_run_exactly_when_the_formula_is_false() {
    let mut random = Random::new(7);
    let mut verdicts = [0, 0];
    let mut without_past = 0;
    for _ in 0..3000 {
        let lasso = lassos::random(&mut random, 3, 4, 2);
        let (relation, atoms) = word(&lasso);
        assert_eq!(check::check(&relation), Vec::<String>::new());
        let size = 1 + random.below(6);
        let formula = random_formula(&mut random, size);
        let watched =
            violations(&relation, &formula, &atoms.map(Atom::Term), &Limits::default()).expect("a small formula");
        assert_eq!(check::check(&watched.relation), Vec::<String>::new());
        let oracle = Oracle::new(&relation);
        let length = lasso.prefix.len() + lasso.cycle.len();
        let truth = holds_along(&formula, length, lasso.prefix.len(), &|atom, i| {
            oracle.holds(atoms[atom.0 as usize], &[i as i64])
        });
        assert_eq!(has_fair_run(&watched.relation), !truth, "{formula:?} on {lasso:?}");
        verdicts[usize::from(truth)] += 1;
        if is_future(&formula) {
            assert_eq!(holds(&formula, &lasso.prefix, &lasso.cycle), truth);
            without_past += 1;
        }
    }
    assert!(verdicts.iter().all(|&n| n > 500) && without_past > 500, "{verdicts:?}, {without_past}");
}

#[test]
fn past_operators_settle_after_as_many_rounds_as_there_are_operators() {
    // `Y p` on a word that starts with p and never has it again: true at the second position only.
    let p = AtomId(0);
    let said = |formula: &Formula| holds_along(formula, 2, 1, &|_, position| position == 0);
    let before = |a: Formula| Formula::Previous(Box::new(a));
    let later = |a: Formula| Formula::Next(Box::new(a));
    assert!(said(&later(before(Formula::Atom(p)))));
    assert!(!said(&later(later(before(Formula::Atom(p))))));
    assert!(said(&later(later(later(before(before(before(Formula::Atom(p)))))))));
    assert!(!said(&later(later(later(later(before(before(before(Formula::Atom(p))))))))));
}
