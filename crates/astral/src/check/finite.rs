//! Which types must be finite, and are.

use lurcher_syntax::{Diagnostic, Span};

use super::Checker;
use crate::checked::{ConstantId, Reason, Required, Type};

/// A type that must be finite.
#[derive(Clone, Copy)]
pub(super) struct FiniteUse {
    ty: Type,
    span: Span,
    message: &'static str,
    /// Whether the instants will do as well.
    or_time: bool,
}

impl Checker {
    /// Remembers a type that must be finite. It is checked when all types are known.
    pub(super) fn must_be_finite(&mut self, ty: Type, span: Span, message: &'static str, or_time: bool) {
        self.finite_uses.push(FiniteUse { ty, span, message, or_time });
    }

    pub(super) fn finite_types(&mut self) {
        for it in std::mem::take(&mut self.finite_uses) {
            let base = self.specification.base(it.ty);
            if it.or_time && base == Type::Time {
                continue;
            }
            if !self.is_finite(it.ty) {
                let message = format!("{}, not over {}", it.message, self.type_text(it.ty));
                let message =
                    if it.or_time { message } else { format!("{}, unlike {}", it.message, self.type_text(it.ty)) };
                let error = Diagnostic::error(it.span, message);
                let number = self.is_number(it.ty);
                self.report(match number {
                    true => error.note("a `TYPEDEF` with a lower and an upper limit is finite: `1 <= i & i <= n`"),
                    false => error,
                });
            } else if self.is_number(it.ty) {
                self.require_limits(it);
            }
        }
    }

    /// Whether a type has finitely many values once its limits have values.
    pub(super) fn is_finite(&self, ty: Type) -> bool {
        match self.specification.base(ty) {
            Type::Boolean | Type::Id => true,
            Type::Named(id) => {
                matches!(self.specification.types[id.index()].kind, crate::checked::TypeKind::Enumeration(_))
            }
            Type::Integer | Type::Real | Type::Time => {
                let range = self.specification.range(ty);
                range.upper.is_some() && (range.lower.is_some() || self.specification.base(ty) == Type::Time)
            }
        }
    }

    /// The limits of a finite type need values.
    fn require_limits(&mut self, it: FiniteUse) {
        let range = self.specification.range(it.ty);
        let limits = range.lower.into_iter().chain(range.upper);
        let constants: Vec<ConstantId> = limits.flat_map(|l| self.constants_of(l.term)).collect();
        self.require(vec![constants], Reason::FiniteType, it.span);
    }

    /// Remembers that one of some lists of constants must have values, unless one of the lists is empty.
    pub(super) fn require(&mut self, mut any_of: Vec<Vec<ConstantId>>, reason: Reason, span: Span) {
        for list in &mut any_of {
            list.sort_unstable();
            list.dedup();
        }
        let known = any_of.iter().any(Vec::is_empty);
        let same = |r: &Required| r.any_of == any_of && r.reason == reason;
        if !known && !self.specification.required.iter().any(same) {
            self.specification.required.push(Required { any_of, reason, span });
        }
    }
}
