//! Formulas by the thousand.

use lurcher_ir::{AtomId, Formula};

type Unary = fn(Box<Formula>) -> Formula;
type Binary = fn(Box<Formula>, Box<Formula>) -> Formula;

const UNARY: [Unary; 4] = [Formula::Not, Formula::Next, Formula::Always, Formula::Eventually];
const BINARY: [Binary; 7] =
    [Formula::And, Formula::Or, Formula::Implies, Formula::Iff, Formula::Until, Formula::WeakUntil, Formula::Release];

/// Every formula with so many operators and leaves, by size: element `n` has those of size `n`.
pub(crate) fn all_up_to(size: usize, atoms: u32) -> Vec<Vec<Formula>> {
    let mut by_size = vec![Vec::new(), leaves(atoms)];
    for size in 2..=size {
        let mut formulas = Vec::new();
        for operator in UNARY {
            formulas.extend(by_size[size - 1].iter().map(|a| operator(Box::new(a.clone()))));
        }
        for operator in BINARY {
            for left in 1..size - 1 {
                for a in &by_size[left] {
                    let with = |b: &Formula| operator(Box::new(a.clone()), Box::new(b.clone()));
                    formulas.extend(by_size[size - 1 - left].iter().map(with));
                }
            }
        }
        by_size.push(formulas);
    }
    by_size
}

fn leaves(atoms: u32) -> Vec<Formula> {
    let mut leaves = vec![Formula::True, Formula::False];
    leaves.extend((0..atoms).map(|atom| Formula::Atom(AtomId(atom))));
    leaves
}

/// The leftmost atom.
pub(crate) fn first_atom(formula: &Formula) -> Option<u32> {
    match formula {
        Formula::Atom(atom) => Some(atom.0),
        _ => formula.operands().find_map(first_atom),
    }
}

/// Numbers that look random and are the same on every run (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// A formula of exactly this size. Constants are rare, since they mostly vanish.
    pub(crate) fn formula(&mut self, size: usize, atoms: u32) -> Formula {
        match size {
            0 | 1 if self.below(20) == 0 => [Formula::True, Formula::False][self.below(2)].clone(),
            0 | 1 => Formula::Atom(AtomId(self.below(atoms as usize) as u32)),
            2 => UNARY[self.below(UNARY.len())](Box::new(self.formula(1, atoms))),
            _ if self.below(3) == 0 => UNARY[self.below(UNARY.len())](Box::new(self.formula(size - 1, atoms))),
            _ => {
                let left = 1 + self.below(size - 2);
                let (a, b) = (self.formula(left, atoms), self.formula(size - 1 - left, atoms));
                BINARY[self.below(BINARY.len())](Box::new(a), Box::new(b))
            }
        }
    }
}

/// What fairness is assumed of: formulas about one letter.
const ABOUT_ONE_LETTER: [Binary; 4] = [Formula::And, Formula::Or, Formula::Implies, Formula::Iff];

impl Random {
    /// A formula with up to four conjuncts `[]<>` of something about one letter.
    pub(crate) fn fair_formula(&mut self, size: usize, atoms: u32) -> Formula {
        let mut formula = self.formula(size, atoms);
        for _ in 0..self.below(5) {
            let operator = ABOUT_ONE_LETTER[self.below(ABOUT_ONE_LETTER.len())];
            let letter = operator(Box::new(self.formula(1, atoms)), Box::new(self.formula(1, atoms)));
            let recurs = Formula::Always(Box::new(Formula::Eventually(Box::new(letter))));
            formula = Formula::And(Box::new(formula), Box::new(recurs));
        }
        formula
    }
}

/// Smaller formulas to try when this one fails: each operand, and the formula with one operand made smaller.
pub(crate) fn smaller(formula: &Formula) -> Vec<Formula> {
    use Formula::*;
    let unary = |operator: Unary, a: &Formula| {
        let mut result = vec![a.clone()];
        result.extend(smaller(a).into_iter().map(|a| operator(Box::new(a))));
        result
    };
    let binary = |operator: Binary, a: &Formula, b: &Formula| {
        let mut result = vec![a.clone(), b.clone()];
        result.extend(smaller(a).into_iter().map(|a| operator(Box::new(a), Box::new(b.clone()))));
        result.extend(smaller(b).into_iter().map(|b| operator(Box::new(a.clone()), Box::new(b))));
        result
    };
    match formula {
        True | False => Vec::new(),
        Atom(_) => vec![True, False],
        Not(a) => unary(Not, a),
        Next(a) => unary(Next, a),
        Always(a) => unary(Always, a),
        Eventually(a) => unary(Eventually, a),
        And(a, b) => binary(And, a, b),
        Or(a, b) => binary(Or, a, b),
        Implies(a, b) => binary(Implies, a, b),
        Iff(a, b) => binary(Iff, a, b),
        Until(a, b) => binary(Until, a, b),
        WeakUntil(a, b) => binary(WeakUntil, a, b),
        Release(a, b) => binary(Release, a, b),
        _ => panic!("a past operator: {formula:?}"),
    }
}
