//! The evaluator against the definition with its quantifiers.

use super::*;

/// Whether the suffix of a lasso from a position satisfies a formula. Positions run on through the cycle for ever, but
/// no witness needs looking for beyond one whole round.
fn satisfies(word: &[Letter], start: usize, position: usize, formula: &Formula) -> bool {
    let at = |formula: &Formula, position| satisfies(word, start, position, formula);
    let later = position..position + 2 * word.len();
    let until = |a: &Formula, b: &Formula| later.clone().any(|j| at(b, j) && (position..j).all(|i| at(a, i)));
    let letter =
        if position < word.len() { &word[position] } else { &word[start + (position - start) % (word.len() - start)] };
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::Atom(atom) => letter.has(*atom),
        Formula::Not(a) => !at(a, position),
        Formula::And(a, b) => at(a, position) && at(b, position),
        Formula::Or(a, b) => at(a, position) || at(b, position),
        Formula::Implies(a, b) => !at(a, position) || at(b, position),
        Formula::Iff(a, b) => at(a, position) == at(b, position),
        Formula::Next(a) => at(a, position + 1),
        Formula::Always(a) => later.clone().all(|i| at(a, i)),
        Formula::Eventually(a) => later.clone().any(|i| at(a, i)),
        Formula::Until(a, b) => until(a, b),
        Formula::WeakUntil(a, b) => until(a, b) || later.clone().all(|i| at(a, i)),
        Formula::Release(a, b) => later.clone().all(|j| at(b, j) || (position..j).any(|i| at(a, i))),
        _ => panic!("a past operator: {formula:?}"),
    }
}

/// Every temporal operator over every pair of formulas with at most one operator inside.
fn formulas() -> Vec<Formula> {
    let [p, q] = [0, 1].map(|atom| Formula::Atom(AtomId(atom)));
    let wrap = |f: &Formula| {
        let f = || Box::new(f.clone());
        [Formula::Not(f()), Formula::Next(f()), Formula::Always(f()), Formula::Eventually(f())]
    };
    let mut small = vec![p.clone(), q.clone(), Formula::True, Formula::False];
    small.extend(wrap(&p));
    small.extend(wrap(&q));
    small.push(Formula::And(Box::new(p.clone()), Box::new(q.clone())));
    small.push(Formula::Until(Box::new(p), Box::new(q)));
    let mut all: Vec<Formula> = small.iter().flat_map(wrap).collect();
    for a in &small {
        for b in &small {
            let (a, b) = (|| Box::new(a.clone()), || Box::new(b.clone()));
            all.extend([Formula::Until(a(), b()), Formula::WeakUntil(a(), b()), Formula::Release(a(), b())]);
            all.extend([Formula::Or(a(), b()), Formula::Implies(a(), b()), Formula::Iff(a(), b())]);
        }
    }
    all
}

#[test]
fn every_operator_means_its_definition_on_every_small_lasso() {
    let letters: Vec<Letter> =
        (0..4).map(|bits: u32| (0..2).filter(|atom| bits >> atom & 1 == 1).map(AtomId).collect()).collect();
    for formula in formulas() {
        for code in 0..64 {
            let word: Vec<Letter> = [code % 4, code / 4 % 4, code / 16].map(|i: usize| letters[i].clone()).to_vec();
            for start in 0..word.len() {
                let (prefix, cycle) = word.split_at(start);
                let expected = satisfies(&word, start, 0, &formula);
                assert_eq!(holds(&formula, prefix, cycle), expected, "{formula:?} on {prefix:?} ({cycle:?})^ω");
            }
        }
    }
}

#[test]
fn many_words_at_once_are_judged_like_one_at_a_time() {
    let [none, p] = [Letter::default(), Letter::from_iter([AtomId(0)])];
    let words = [(vec![], vec![p.clone()]), (vec![p.clone()], vec![none.clone()]), (vec![none], vec![p])];
    let lassos = Lassos::new(words.iter().map(|(prefix, cycle)| (&prefix[..], &cycle[..])));
    let always = Formula::Always(Box::new(Formula::Atom(AtomId(0))));
    assert_eq!(lassos.satisfy(&always), [true, false, false]);
    assert_eq!(lassos.satisfy(&Formula::Eventually(Box::new(always))), [true, false, true]);
}

#[test]
#[should_panic(expected = "a lasso needs a cycle")]
fn a_finite_word_is_refused() {
    holds(&Formula::True, &[Letter::default()], &[]);
}
