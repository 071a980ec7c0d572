//! Expressions.

use lurcher_resources::checkpoint;
use lurcher_syntax::Span;

use super::Checker;
use super::place::Place;
use crate::ast::{Expr, ExprKind, UnaryOp};
use crate::checked::{Rational, TermId, TermKind, Type};

impl Checker {
    /// A formula; the error is reported.
    pub(super) fn formula(&mut self, expr: &Expr) -> Option<TermId> {
        let term = self.expr(expr)?;
        self.expect_type(term, Type::Boolean)
    }

    /// A number; the error is reported.
    pub(super) fn number(&mut self, expr: &Expr) -> Option<TermId> {
        let term = self.expr(expr)?;
        self.expect_number(term)
    }

    pub(super) fn add(&mut self, kind: TermKind, ty: Type, span: Span) -> Option<TermId> {
        Some(self.specification.terms.add(kind, ty, span))
    }

    /// The type of a term.
    pub(super) fn ty(&self, term: TermId) -> Type {
        self.specification.terms[term].ty
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Option<TermId> {
        checkpoint();
        let span = expr.span;
        match &expr.kind {
            ExprKind::Boolean(value) => self.add(TermKind::Boolean(*value), Type::Boolean, span),
            ExprKind::Integer(value) => self.add(TermKind::Number(Rational::integer(*value)), Type::Integer, span),
            ExprKind::Real(text) => match Rational::decimal(text) {
                Some(value) => self.add(TermKind::Number(value), Type::Real, span),
                None => self.refuse(span, "the number has too many digits"),
            },
            ExprKind::Empty | ExprKind::Set(_) | ExprKind::SetDef(..) => self.refuse(span, "sets are not supported"),
            ExprKind::Nil | ExprKind::ListDef(_) => self.refuse(span, "lists are not supported"),
            ExprKind::Now => self.add(TermKind::Now, Type::Time, span),
            ExprKind::SelfRef => self.self_id(span),
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Select(base, selectors) => self.select(base, selectors, span),
            ExprKind::Unary(op, inner) => self.unary(*op, inner, span),
            ExprKind::Chain(first, operations) => self.chain(first, operations),
            ExprKind::If(condition, then, otherwise) => self.conditional(condition, then, otherwise, span),
            ExprKind::Quantified(quantifier, bindings, body) => self.quantified(*quantifier, bindings, body, span),
            ExprKind::Event(event) => self.event(event, span),
            ExprKind::Change { of, nth, at } => self.change(of, *nth, at.as_deref(), span),
            ExprKind::Past(of, at) => self.past(of, at, span),
            ExprKind::NoChange(variables) => self.no_change(variables, span),
            ExprKind::IdType(_) => self.refuse(span, "`IDTYPE(…)` is only compared with the name of a process"),
        }
    }

    fn self_id(&mut self, span: Span) -> Option<TermId> {
        if self.process.is_none() {
            return self.refuse(span, "`Self` stands in process specifications only");
        }
        self.add(TermKind::SelfId, Type::Id, span)
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr, span: Span) -> Option<TermId> {
        match op {
            UnaryOp::Not => {
                let inner = self.negated(inner)?;
                self.add(TermKind::Not(inner), Type::Boolean, span)
            }
            UnaryOp::Minus => {
                let inner = self.number(inner)?;
                let ty =
                    if self.specification.base(self.ty(inner)) == Type::Integer { Type::Integer } else { Type::Real };
                self.add(TermKind::Minus(inner), ty, span)
            }
            UnaryOp::ListLen => self.refuse(span, "lists are not supported"),
            _ => self.refuse(span, "sets are not supported"),
        }
    }

    /// The operand of `~`, with a hint where `~x = y` was meant to be `~(x = y)`.
    fn negated(&mut self, inner: &Expr) -> Option<TermId> {
        let term = self.expr(inner)?;
        let (ty, span) = (self.ty(term), inner.span);
        if self.agree(ty, Type::Boolean) {
            return Some(term);
        }
        let message = format!("expected `BOOLEAN`, found {}", self.type_text(ty));
        let error = lurcher_syntax::Diagnostic::error(span, message);
        self.report(error.note("`~` binds tighter than relations: write `~(x = y)` or `x ~= y`"));
        None
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, span: Span) -> Option<TermId> {
        let condition = self.formula(condition);
        let then = self.expr(then);
        let otherwise = self.expr(otherwise);
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        let otherwise = self.expect_type(otherwise, self.ty(then))?;
        let ty = self.joined_type(then, otherwise);
        self.add(TermKind::If(condition, then, otherwise), ty, span)
    }

    /// The type of a value that is one of two.
    pub(super) fn joined_type(&self, a: TermId, b: TermId) -> Type {
        let (a, b) = (self.ty(a), self.ty(b));
        let (base_a, base_b) = (self.specification.base(a), self.specification.base(b));
        match base_a == base_b {
            _ if a == b => a,
            true => base_a,
            false => Type::Real,
        }
    }

    /// Reports what belongs in exit assertions only.
    pub(super) fn in_exit(&mut self, what: &str, span: Span) -> Option<()> {
        if self.place == Place::Exit {
            return Some(());
        }
        let message = format!("{what} belongs in exit assertions, not in {}", self.place.describe());
        self.refuse(span, message)
    }
}
