//! The evaluator against the definition with its quantifiers.

use super::*;

/// Whether the suffix of a lasso from a position satisfies a formula. Positions continue through the cycle for ever;
/// with two past operators every operator is decided within four rounds.
fn satisfies(word: &[Letter], start: usize, position: usize, formula: &Formula) -> bool {
    use Formula::*;
    let at = |formula: &Formula, position| satisfies(word, start, position, formula);
    let later = position..position + 4 * word.len();
    let until = |a: &Formula, b: &Formula| later.clone().any(|j| at(b, j) && (position..j).all(|i| at(a, i)));
    let letter =
        if position < word.len() { &word[position] } else { &word[start + (position - start) % (word.len() - start)] };
    match formula {
        True => true,
        False => false,
        Atom(atom) => letter.has(*atom),
        Not(a) => !at(a, position),
        And(a, b) => at(a, position) && at(b, position),
        Or(a, b) => at(a, position) || at(b, position),
        Implies(a, b) => !at(a, position) || at(b, position),
        Iff(a, b) => at(a, position) == at(b, position),
        Next(a) => at(a, position + 1),
        Always(a) => later.clone().all(|i| at(a, i)),
        Eventually(a) => later.clone().any(|i| at(a, i)),
        Until(a, b) => until(a, b),
        WeakUntil(a, b) => until(a, b) || later.clone().all(|i| at(a, i)),
        Release(a, b) => later.clone().all(|j| at(b, j) || (position..j).any(|i| at(a, i))),
        Previous(a) => position > 0 && at(a, position - 1),
        WeakPrevious(a) => position == 0 || at(a, position - 1),
        Historically(a) => (0..=position).all(|i| at(a, i)),
        Once(a) => (0..=position).any(|i| at(a, i)),
        Since(a, b) => (0..=position).any(|j| at(b, j) && (j + 1..=position).all(|i| at(a, i))),
        Triggered(a, b) => (0..=position).all(|j| at(b, j) || (j + 1..=position).any(|i| at(a, i))),
    }
}

/// Every operator over formulas with at most one operator inside, and past operators under future ones.
fn formulas() -> Vec<Formula> {
    use Formula::*;
    let [p, q] = [0, 1].map(|atom| Atom(AtomId(atom)));
    let unary: [fn(Box<Formula>) -> Formula; 8] =
        [Not, Next, Always, Eventually, Previous, WeakPrevious, Historically, Once];
    type Binary = fn(Box<Formula>, Box<Formula>) -> Formula;
    let binary: [Binary; 9] = [And, Or, Implies, Iff, Until, WeakUntil, Release, Since, Triggered];
    let wrap = |f: &Formula| unary.map(|operator| operator(Box::new(f.clone())));
    let join = |a: &Formula, b: &Formula| binary.map(|operator| operator(Box::new(a.clone()), Box::new(b.clone())));
    let mut small = vec![p.clone(), q.clone(), True, False];
    small.extend(wrap(&p));
    small.extend(join(&p, &q));
    let mut all: Vec<Formula> = small.iter().flat_map(wrap).collect();
    all.extend(small.iter().flat_map(wrap).flat_map(|f| [Next, Always, Eventually].map(|op| op(Box::new(f.clone())))));
    all.extend(small.iter().flat_map(|a| small[..8].iter().flat_map(|b| join(a, b)).collect::<Vec<_>>()));
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
    let had = Formula::Next(Box::new(Formula::Previous(Box::new(Formula::Atom(AtomId(0))))));
    assert_eq!(lassos.satisfy(&had), [true, true, false]);
}

#[test]
#[should_panic(expected = "a lasso needs a cycle")]
fn a_finite_word_is_refused() {
    holds(&Formula::True, &[Letter::default()], &[]);
}
