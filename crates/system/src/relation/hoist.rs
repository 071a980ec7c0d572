//! Hoisting of terms out of choices.
//!
//! The code of a term runs at its first use. If there is a choice between the last cell that the term reads and its first
//! use, the term would be recomputed for every alternative; so it is computed just before the choice. Not earlier: the
//! tests before the choice may fail.

use std::collections::{BTreeMap, HashMap};

use lurcher_ir::relation::{Term, TermId, Terms};

use super::code::{Cells, Reading, Slot};
use super::schedule::Action;

/// By action: the terms to compute before it, bottom-up.
pub(super) fn hoisted(terms: &Terms, cells: Cells, actions: &[Action]) -> Vec<Vec<(TermId, Reading)>> {
    let mut choices = Vec::new();
    // The number of actions after which a cell is bound.
    let mut bound: HashMap<Slot, usize> = HashMap::new();
    let mut first_use: BTreeMap<(TermId, Reading), usize> = BTreeMap::new();
    for (index, action) in actions.iter().enumerate() {
        let (roots, reading) = match action {
            Action::Test(term, reading) => (vec![*term], *reading),
            Action::Set(cell, term, reading) => {
                bound.insert(*cell, index + 1);
                (vec![*term], *reading)
            }
            Action::Choose(cell, tree, reading) => {
                bound.insert(*cell, index + 1);
                choices.push(index);
                (tree.terms(), *reading)
            }
        };
        for part in terms.closure(roots) {
            first_use.entry((part, reading)).or_insert(index);
        }
    }
    let mut done: HashMap<(TermId, Reading), usize> = HashMap::new();
    let mut hoisted = vec![Vec::new(); actions.len()];
    for (&(term, reading), &used) in &first_use {
        let own = cells.read(terms.get(term), reading).and_then(|cell| bound.get(&cell).copied());
        let parts = terms.parts(term);
        let needs = parts.iter().map(|p| done[&(*p, reading)]).chain(own).max().unwrap_or(0);
        done.insert((term, reading), needs);
        let choice = choices[choices.partition_point(|&c| c < needs)..].first();
        let leaf = matches!(terms.get(term), Term::Const(_) | Term::Current(_) | Term::Next(_));
        if let Some(&choice) = choice.filter(|c| **c < used && !leaf) {
            hoisted[choice].push((term, reading));
        }
    }
    hoisted
}
