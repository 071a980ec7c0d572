//! Quantifiers: finite types are expanded, instants are kept.

use lurcher_ir::timed::{self, Term};
use lurcher_syntax::Span;

use super::value::Value;
use super::{Context, Lowering};
use crate::checked::{BoundId, Quantifier, TermId, Type};

/// What a quantifier is about.
type Body<'b> = &'b mut dyn FnMut(&mut Lowering<'_>) -> Option<timed::TermId>;

impl Lowering<'_> {
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        bound: &[BoundId],
        body: TermId,
        span: Span,
    ) -> Option<Value> {
        let formula = match quantifier {
            Quantifier::Forall => self.expanded(false, bound, span, &mut |l| l.formula(body)),
            Quantifier::Exists => self.expanded(true, bound, span, &mut |l| l.formula(body)),
            Quantifier::Unique => self.expanded(true, bound, span, &mut |l| l.only_here(bound, body, span)),
        };
        formula.map(Value::Formula)
    }

    /// The body holds for the current values, and for no others.
    fn only_here(&mut self, bound: &[BoundId], body: TermId, span: Span) -> Option<timed::TermId> {
        let here: Vec<Value> = bound.iter().map(|b| self.bound[b].clone()).collect();
        let holds = self.formula(body)?;
        let no_other = self.expanded(false, bound, span, &mut |l| {
            let other = l.formula(body)?;
            let mut same = Vec::new();
            for (b, here) in bound.iter().zip(&here) {
                let there = l.bound[b].clone();
                same.push(l.equal(here, &there, span)?);
            }
            let same = l.model.terms.all(same);
            let not = l.model.terms.not(other);
            Some(l.model.terms.any([not, same]))
        })?;
        Some(self.model.terms.all([holds, no_other]))
    }

    /// The disjunction or conjunction of a body over the values of bound variables.
    pub(super) fn expanded(
        &mut self,
        exists: bool,
        bound: &[BoundId],
        span: Span,
        body: Body<'_>,
    ) -> Option<timed::TermId> {
        let Some((&first, rest)) = bound.split_first() else { return body(self) };
        let ty = self.specification.bound[first.index()].ty;
        let outer = self.bound.get(&first).cloned();
        let formula = match self.specification.base(ty) {
            Type::Time => self.over_instants(exists, first, rest, span, body),
            _ => self.over_values(exists, first, rest, span, body),
        };
        match outer {
            Some(outer) => self.bound.insert(first, outer),
            None => self.bound.remove(&first),
        };
        formula
    }

    fn over_values(
        &mut self,
        exists: bool,
        first: BoundId,
        rest: &[BoundId],
        span: Span,
        body: Body<'_>,
    ) -> Option<timed::TermId> {
        let ty = self.specification.bound[first.index()].ty;
        let mut parts = Vec::new();
        let mut failed = false;
        for value in self.values_of(ty, span)? {
            self.expand(span)?;
            let literal = self.literal(value, ty);
            self.bound.insert(first, literal);
            match self.expanded(exists, rest, span, body) {
                Some(part) => parts.push(part),
                None => failed = true,
            }
        }
        let terms = &mut self.model.terms;
        let formula = if exists { terms.any(parts) } else { terms.all(parts) };
        (!failed).then_some(formula)
    }

    fn over_instants(
        &mut self,
        exists: bool,
        first: BoundId,
        rest: &[BoundId],
        span: Span,
        body: Body<'_>,
    ) -> Option<timed::TermId> {
        if self.context.timeless {
            return self.refuse(span, "axioms and types quantify over finite types only: they do not depend on time");
        }
        let level = self.context.level;
        let ty = self.specification.bound[first.index()].ty;
        let instant = self.model.terms.add(Term::Bound(level));
        let value = self.denoted(instant, ty);
        self.bound.insert(first, value.clone());
        let context = Context { level: level + 1, ..self.context };
        let inner = self.within(context, |l| l.expanded(exists, rest, span, body));
        // What the type says, except that instants are not negative.
        let mut conditions = self.conditions_of(ty, &value)?;
        let start = self.model.terms.linear(instant);
        let start = self.model.terms.not_negative(start);
        conditions.retain(|&c| c != start);
        let inner = inner?;
        let terms = &mut self.model.terms;
        let condition = terms.all(conditions);
        let inner = if exists {
            terms.all([condition, inner])
        } else {
            let not = terms.not(condition);
            terms.any([not, inner])
        };
        Some(terms.quantified(exists, level, inner))
    }
}
