//! Sets: choices of values. A set is a term of `Choice` and `Ite` nodes; all other nodes are elements.

use std::collections::{HashMap, HashSet};

use lurcher_ir::relation::{BinaryTerm, Term, TermId, Terms};
use lurcher_syntax::Span;

use super::types::{BOOLEAN, Kind, Type};
use super::value::Value;
use super::{Lowering, limits};

/// The elements of a set.
pub(super) fn elements(terms: &Terms, set: TermId) -> Vec<TermId> {
    let nodes = terms.skeleton(set, |_| true).into_iter();
    nodes.filter(|&id| !matches!(terms.get(id), Term::Choice(_) | Term::Ite(..))).collect()
}

/// Rebuilds a set with its elements mapped by `element` and each `Choice` by `join`.
pub(super) fn rebuild(
    terms: &mut Terms,
    set: TermId,
    join: impl Fn(&mut Terms, Vec<TermId>) -> TermId,
    element: &mut dyn FnMut(&mut Terms, TermId) -> TermId,
) -> TermId {
    let mut now: HashMap<TermId, TermId> = HashMap::new();
    for id in terms.skeleton(set, |_| true) {
        let new = match terms.get(id).clone() {
            Term::Choice(parts) => join(terms, parts.iter().map(|p| now[p]).collect()),
            Term::Ite(c, a, b) => terms.ite(c, now[&a], now[&b]),
            _ => element(terms, id),
        };
        now.insert(id, new);
    }
    now[&set]
}

/// Whether a value is in a set.
fn member(terms: &mut Terms, value: TermId, set: TermId) -> TermId {
    rebuild(terms, set, Terms::any, &mut |terms, e| terms.binary(BinaryTerm::Eq, value, e))
}

impl Lowering<'_> {
    /// `{a, b, c}`.
    pub(super) fn set(&mut self, values: Vec<Value>, span: Span) -> Value {
        let mut values = values.into_iter();
        let Some(first) = values.next() else { return Value::unknown() };
        values.fold(first, |set, value| self.binary(crate::ast::BinaryOp::Union, set, value, span))
    }

    /// `1..3` as a set.
    pub(super) fn range_set(&mut self, low: i64, high: i64, span: Span) -> Value {
        if low > high {
            return self.wrong(span, format!("the range {low}..{high} is empty"));
        }
        if high - low >= limits::RANGE {
            return self.wrong(span, format!("a set cannot have more than {} elements", limits::RANGE));
        }
        let terms = &mut self.relation.terms;
        let parts = (low..=high).map(|v| terms.value(v)).collect();
        Value::new(Type::Set(Kind::Integer), terms.choice(parts))
    }

    /// `a union b`.
    pub(super) fn union(&mut self, a: &Value, b: &Value) -> Option<Value> {
        let ty = a.ty.to_set()?.join(&b.ty.to_set()?)?;
        let mut parts = Vec::new();
        for side in [a.term()?, b.term()?] {
            match self.relation.terms.get(side) {
                Term::Choice(list) => parts.extend(list),
                _ => parts.push(side),
            }
        }
        let mut seen = HashSet::new();
        parts.retain(|p| seen.insert(*p));
        let term = self.relation.terms.choice(parts);
        Some(self.combined(ty, term, a, b))
    }

    /// `a in b`: every value of `a` is in `b`.
    pub(super) fn inclusion(&mut self, a: &Value, b: &Value) -> Option<Value> {
        let (x, y) = (a.ty.to_set()?, b.ty.to_set()?);
        if !x.fits(&y) && !y.fits(&x) {
            return None;
        }
        let (left, right) = (a.term()?, b.term()?);
        let terms = &mut self.relation.terms;
        let term = match a.ty {
            Type::Set(_) => {
                let mut inside = |terms: &mut Terms, e| member(terms, e, right);
                rebuild(terms, left, Terms::all, &mut inside)
            }
            _ => member(terms, left, right),
        };
        Some(self.combined(BOOLEAN, term, a, b))
    }
}
