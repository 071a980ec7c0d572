//! Suspension of conjuncts `[]<>p` where `p` has no temporal operators.
//!
//! Fairness assumptions are often many, and each would double the edges of the generalised automaton. But such a conjunct
//! constrains no finite prefix, so it can be added at degeneralisation, where it costs one state (Babiak et al., SPIN 2013,
//! in its simplest case).

use crate::term::{Term, Terms, View};

/// Splits a term into the rest and the `p`s of such conjuncts. Rewriting has merged conjunctions under `[]`, so
/// `[](x && <>p)` is split too.
pub(crate) fn split(terms: &mut Terms, root: Term) -> (Term, Vec<Term>) {
    let mut rest = Term::TRUE;
    let mut fair = Vec::new();
    for conjunct in terms.conjuncts(root) {
        let conjunct = match terms.view(conjunct) {
            View::Release(Term::FALSE, always) => split_always(terms, always, &mut fair),
            _ => conjunct,
        };
        rest = terms.and(rest, conjunct);
    }
    (rest, fair)
}

fn split_always(terms: &mut Terms, always: Term, fair: &mut Vec<Term>) -> Term {
    let mut rest = Term::TRUE;
    for conjunct in terms.conjuncts(always) {
        match terms.view(conjunct) {
            View::Until(Term::TRUE, p) if !terms.is_temporal(p) => fair.push(p),
            _ => rest = terms.and(rest, conjunct),
        }
    }
    terms.release(Term::FALSE, rest)
}
