//! Conjuncts `[]<>p` with `p` about one letter.
//!
//! Assumptions of fairness come by the dozen, and each would double the edges of the generalised automaton. But such a
//! conjunct says nothing about any finite prefix; it can wait until acceptance is counted, where it costs one state
//! (the "suspension" of Babiak et al., SPIN 2013, in its simplest case).

use crate::term::{Term, Terms, View};

/// Splits a term into one without such conjuncts and their `p`s.
pub(crate) fn split(terms: &mut Terms, root: Term) -> (Term, Vec<Term>) {
    let mut rest = Term::TRUE;
    let mut fair = Vec::new();
    for conjunct in terms.conjuncts(root) {
        match recurring(terms, conjunct) {
            Some(p) => fair.push(p),
            None => rest = terms.and(rest, conjunct),
        }
    }
    (rest, fair)
}

fn recurring(terms: &Terms, term: Term) -> Option<Term> {
    let View::Release(Term::FALSE, eventually) = terms.view(term) else { return None };
    let View::Until(Term::TRUE, p) = terms.view(eventually) else { return None };
    (!terms.is_temporal(p)).then_some(p)
}
