//! Words that repeat, by the thousand.

use std::fmt;

use lurcher_ir::AtomId;
use lurcher_ltl::Letter;

use crate::formulas::Random;
use crate::name;

/// The word `prefix · cycle · cycle · …`.
#[derive(Clone, Debug)]
pub(crate) struct Lasso {
    pub(crate) prefix: Vec<Letter>,
    pub(crate) cycle: Vec<Letter>,
}

/// Every lasso with prefix and cycle no longer than this together.
pub(crate) fn all_up_to(length: usize, atoms: u32) -> Vec<Lasso> {
    let mut lassos = Vec::new();
    let mut words: Vec<Vec<Letter>> = vec![Vec::new()];
    for length in 1..=length {
        let longer = |word: &Vec<Letter>| {
            let word = word.clone();
            letters(atoms).into_iter().map(move |letter| word.iter().cloned().chain([letter]).collect())
        };
        words = words.iter().flat_map(longer).collect();
        for word in &words {
            lassos.extend((0..length).map(|start| split(word, start)));
        }
    }
    lassos
}

/// A lasso with a prefix and a cycle shorter than these bounds.
pub(crate) fn random(random: &mut Random, prefix: usize, cycle: usize, atoms: u32) -> Lasso {
    let (start, length) = (random.below(prefix), 1 + random.below(cycle - 1));
    let letters = letters(atoms);
    let word: Vec<Letter> = (0..start + length).map(|_| letters[random.below(letters.len())].clone()).collect();
    split(&word, start)
}

fn split(word: &[Letter], start: usize) -> Lasso {
    Lasso { prefix: word[..start].to_vec(), cycle: word[start..].to_vec() }
}

/// Every letter over so many atoms.
pub(crate) fn letters(atoms: u32) -> Vec<Letter> {
    let letter = |bits: u32| (0..atoms).filter(|atom| bits >> atom & 1 == 1).map(AtomId).collect();
    (0..1 << atoms).map(letter).collect()
}

impl fmt::Display for Lasso {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |letters: &[Letter]| {
            let letter =
                |letter: &Letter| format!("{{{}}}", letter.atoms().iter().map(|&a| name(a)).collect::<String>());
            letters.iter().map(letter).collect::<Vec<_>>().join(" ")
        };
        write!(f, "{} ({})^ω", word(&self.prefix), word(&self.cycle))
    }
}
