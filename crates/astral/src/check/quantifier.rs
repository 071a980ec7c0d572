//! Quantifiers.

use lurcher_syntax::Span;

use super::Checker;
use crate::ast::{Binding, Expr, Quantifier};
use crate::checked::{TermId, TermKind, Type};

impl Checker {
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        bindings: &[Binding],
        body: &Expr,
        span: Span,
    ) -> Option<TermId> {
        let bound = self.parameters(bindings);
        let mut first = 0;
        for binding in bindings {
            let ty = self.specification.bound[bound[first].index()].ty;
            self.must_be_finite(ty, binding.ty.span, "a quantifier ranges over a finite type or over `TIME`", true);
            first += binding.names.len();
        }
        let body = self.with_bound(&bound, |c| c.formula(body))?;
        self.add(TermKind::Quantified(quantifier, bound, body), Type::Boolean, span)
    }
}
