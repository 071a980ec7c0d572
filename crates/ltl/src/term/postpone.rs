//! Merging eventualities of a disjunction.
//!
//! `<>x || <>y` is `<>(x || y)`: one waiting state instead of two. Rewriting does this. It does not use that `[]<>p` equals
//! `<>[]<>p`, and `<>x && []<>p` equals `<>(x && []<>p)`. With these, `[]<>p -> []<>q`, which is `<>[]!p || []<>q`,
//! becomes `<>([]!p || []<>q)`, and conjunctions of strong fairness assumptions need one waiting state for all cases.
//!
//! This is no rewriting rule because its dual is harmful: `[]x && <>[]p` is better left in two parts. It is applied once,
//! bottom-up, when the signs of all subterms are known.

use std::collections::BTreeMap;

use super::{Term, Terms, View};

/// An equivalent term in which disjuncts that are eventualities share one `<>`.
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

/// An `x` such that the term is `<>x`, if there is a syntactic one; the term itself if it is eventual and universal.
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
