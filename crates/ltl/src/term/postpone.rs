//! Waiting in one place.
//!
//! `<>x || <>y` is `<>(x || y)`: one state that waits, not two. Rewriting sees that. It does not see that `[]<>p` can
//! wait too, being the same as `<>[]<>p`, nor that `<>x && []<>p` is `<>(x && []<>p)`. So `[]<>p -> []<>q`, which is
//! `<>[]!p || []<>q`, becomes `<>([]!p || []<>q)`, and conjunctions of such assumptions of strong fairness need one
//! waiting state for all their cases.
//!
//! This is not among the rewriting rules because its dual would do harm: `[]x && <>[]p` is better left in two parts.
//! It is done once, bottom-up, after the signs of all subterms are known.

use std::collections::BTreeMap;

use super::{Term, Terms, View};

/// The same term with disjuncts that can wait put under one `<>`.
pub(crate) fn postponed(terms: &mut Terms, root: Term) -> Term {
    let mut result: BTreeMap<Term, Term> = BTreeMap::new();
    for term in terms.subterms(root) {
        let new = match terms.view(term) {
            View::True | View::False | View::Literal(..) => term,
            View::And(children) => children.iter().fold(Term::TRUE, |all, child| terms.and(all, result[child])),
            View::Or(children) => {
                let children: Vec<Term> = children.iter().map(|child| result[child]).collect();
                disjunction(terms, &children)
            }
            View::Next(a) => terms.next(result[&a]),
            View::Until(a, b) => terms.until(result[&a], result[&b]),
            View::Release(a, b) => terms.release(result[&a], result[&b]),
        };
        result.insert(term, new);
    }
    result[&root]
}

fn disjunction(terms: &mut Terms, children: &[Term]) -> Term {
    let waiting: Vec<Option<Term>> = children.iter().map(|&child| under_eventually(terms, child)).collect();
    let gains = |(&child, waiting): (&Term, &Option<Term>)| waiting.is_some_and(|waiting| waiting != child);
    let worthwhile = waiting.iter().flatten().count() > 1 && children.iter().zip(&waiting).any(gains);
    let (mut now, mut later) = (Term::FALSE, Term::FALSE);
    for (&child, waiting) in children.iter().zip(waiting) {
        match waiting {
            Some(waiting) if worthwhile => later = terms.or(later, waiting),
            _ => now = terms.or(now, child),
        }
    }
    let later = terms.until(Term::TRUE, later);
    terms.or(now, later)
}

/// An `x` such that the term is `<>x`, if that shows; the term itself if it is both eventual and universal.
fn under_eventually(terms: &mut Terms, term: Term) -> Option<Term> {
    let mut eventualities = 0;
    let mut inner = Term::TRUE;
    for conjunct in terms.conjuncts(term) {
        let part = match terms.view(conjunct) {
            View::Until(Term::TRUE, x) => {
                eventualities += 1;
                x
            }
            _ if terms.is_eventual(conjunct) && terms.is_universal(conjunct) => conjunct,
            _ => return None,
        };
        inner = terms.and(inner, part);
    }
    (eventualities <= 1).then_some(inner)
}
