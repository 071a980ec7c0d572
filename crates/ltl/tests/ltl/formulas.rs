//! Generated formulas.

use lurcher_ir::{AtomId, Formula};

pub(crate) type Unary = fn(Box<Formula>) -> Formula;
pub(crate) type Binary = fn(Box<Formula>, Box<Formula>) -> Formula;

/// Future operators, then past operators.
pub(crate) const UNARY: [Unary; 8] = [
    Formula::Not,
    Formula::Next,
    Formula::Always,
    Formula::Eventually,
    Formula::Previous,
    Formula::WeakPrevious,
    Formula::Historically,
    Formula::Once,
];
pub(crate) const BINARY: [Binary; 9] = [
    Formula::And,
    Formula::Or,
    Formula::Implies,
    Formula::Iff,
    Formula::Until,
    Formula::WeakUntil,
    Formula::Release,
    Formula::Since,
    Formula::Triggered,
];
pub(crate) const FUTURE: (&[Unary], &[Binary]) =
    (UNARY.first_chunk::<4>().unwrap(), BINARY.first_chunk::<7>().unwrap());

/// Every formula with so many operators and leaves, by size: element `n` has those of size `n`.
pub(crate) fn all_up_to(size: usize, atoms: u32) -> Vec<Vec<Formula>> {
    let mut by_size = vec![Vec::new(), leaves(atoms)];
    for size in 2..=size {
        let mut formulas = Vec::new();
        for operator in FUTURE.0 {
            formulas.extend(by_size[size - 1].iter().map(|a| operator(Box::new(a.clone()))));
        }
        for operator in FUTURE.1 {
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

    /// A formula of exactly this size without past operators. Constants are rare, since they mostly vanish.
    pub(crate) fn formula(&mut self, size: usize, atoms: u32) -> Formula {
        self.formula_over(FUTURE, size, atoms)
    }

    /// A formula of exactly this size over some operators.
    pub(crate) fn formula_over(&mut self, operators: (&[Unary], &[Binary]), size: usize, atoms: u32) -> Formula {
        let part = |random: &mut Self, size| Box::new(random.formula_over(operators, size, atoms));
        let (unary, binary) = operators;
        match size {
            0 | 1 if self.below(20) == 0 => [Formula::True, Formula::False][self.below(2)].clone(),
            0 | 1 => Formula::Atom(AtomId(self.below(atoms as usize) as u32)),
            2 => unary[self.below(unary.len())](part(self, 1)),
            _ if self.below(3) == 0 => unary[self.below(unary.len())](part(self, size - 1)),
            _ => {
                let left = 1 + self.below(size - 2);
                let (a, b) = (part(self, left), part(self, size - 1 - left));
                binary[self.below(binary.len())](a, b)
            }
        }
    }
}

/// Connectives of the operands of fairness assumptions.
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

/// Smaller formulas to try if this one fails: each operand, and the formula with one operand made smaller.
pub(crate) fn smaller(formula: &Formula) -> Vec<Formula> {
    if let Formula::Atom(_) = formula {
        return vec![Formula::True, Formula::False];
    }
    let operands: Vec<Formula> = formula.operands().cloned().collect();
    let mut result = operands.clone();
    for (index, operand) in operands.iter().enumerate() {
        result.extend(smaller(operand).into_iter().map(|small| {
            let mut changed = operands.clone();
            changed[index] = small;
            formula.with_operands(changed)
        }));
    }
    result
}
