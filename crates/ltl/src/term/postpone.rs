//! Waiting in one place.

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
                disjunction(terms, children)
            }
            View::Next(a) => terms.next(result[&a]),
            View::Until(a, b) => terms.until(result[&a], result[&b]),
            View::Release(a, b) => terms.release(result[&a], result[&b]),
        };
        result.insert(term, new);
    }
    result[&root]
}

fn disjunction(terms: &mut Terms, children: Vec<Term>) -> Term {
    let mut now = Term::FALSE;
    let mut later = Term::FALSE;
    let waits: Vec<Option<Term>> = children.iter().map(|&child| waiting(terms, child)).collect();
    let useful = waits.iter().flatten().count() > 1
        && children.iter().zip(&waits).any(|(&child, wait)| wait.is_some_and(|wait| wait != child));
    for (child, wait) in children.into_iter().zip(waits) {
        match wait {
            Some(wait) if useful => later = terms.or(later, wait),
            _ => now = terms.or(now, child),
        }
    }
    if !useful {
        return now;
    }
    let later = terms.until(Term::TRUE, later);
    terms.or(now, later)
}

/// `x` if the term is `<>x`.
fn waiting(terms: &mut Terms, term: Term) -> Option<Term> {
    let pure = |terms: &Terms, t| terms.is_eventual(t) && terms.is_universal(t);
    if pure(terms, term) && !matches!(terms.view(term), View::Until(Term::TRUE, _)) {
        return Some(term);
    }
    match terms.view(term) {
        View::Until(Term::TRUE, x) => Some(x),
        View::And(children) => {
            let mut inner = Term::TRUE;
            let mut eventualities = 0;
            for child in children {
                match terms.view(child) {
                    View::Until(Term::TRUE, x) => {
                        eventualities += 1;
                        inner = terms.and(inner, x);
                    }
                    _ if pure(terms, child) => inner = terms.and(inner, child),
                    _ => return None,
                }
            }
            (eventualities == 1).then_some(inner)
        }
        _ => None,
    }
}
