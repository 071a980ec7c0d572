//! Words: bits, shifts and widths.

use lurcher_ir::relation::{BinaryTerm, TermId, UnaryTerm, WordShape};
use lurcher_syntax::Span;

use super::Lowering;
use super::types::{Kind, Type};
use super::value::{Failure, Value};
use crate::ast::BinaryOp;

impl Lowering<'_> {
    /// A number wrapped to a word.
    pub(super) fn wrap(&mut self, shape: WordShape, term: TermId) -> TermId {
        self.relation.terms.unary(UnaryTerm::Wrap(shape), term)
    }

    /// The bits of a word as an unsigned number.
    fn bits(&mut self, shape: WordShape, term: TermId) -> TermId {
        match shape.signed {
            true => self.wrap(WordShape { signed: false, ..shape }, term),
            false => term,
        }
    }

    /// A bitwise operator.
    pub(super) fn bitwise(&mut self, op: BinaryOp, x: TermId, y: TermId, shape: WordShape) -> TermId {
        let terms = &mut self.relation.terms;
        let ones = terms.value(-1);
        let term = match op {
            BinaryOp::And => terms.binary(BinaryTerm::BitAnd, x, y),
            BinaryOp::Or => terms.binary(BinaryTerm::BitOr, x, y),
            BinaryOp::Xor => terms.binary(BinaryTerm::BitXor, x, y),
            BinaryOp::Implies => {
                let not = terms.binary(BinaryTerm::BitXor, x, ones);
                terms.binary(BinaryTerm::BitOr, not, y)
            }
            _ => {
                let differ = terms.binary(BinaryTerm::BitXor, x, y);
                terms.binary(BinaryTerm::BitXor, differ, ones)
            }
        };
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => term,
            _ => self.wrap(shape, term),
        }
    }

    /// Reports a shift by a literal that is too large. NuSMV treats it as a type error, so guards do not help.
    pub(super) fn shifts_too_far(&mut self, op: BinaryOp, a: &Value, literal: &Value, span: Span) -> bool {
        let (BinaryOp::Shl | BinaryOp::Shr, Type::Word(shape)) = (op, &a.ty) else { return false };
        let amount = literal.term().and_then(|term| self.relation.terms.constant(term));
        let too_far = amount.is_some_and(|amount| amount as u64 > u64::from(shape.width));
        if too_far {
            self.error(span, Failure::ShiftOutOfRange.message());
        }
        too_far
    }

    /// `a << b` and `a >> b`, by 0 up to the width.
    pub(super) fn shift(&mut self, op: BinaryOp, a: &Value, b: &Value, span: Span) -> Option<Value> {
        let (x, y) = (a.term()?, b.term()?);
        let Type::Word(shape) = a.ty else { return None };
        match &b.ty {
            Type::One(Kind::Integer) => {}
            Type::Word(amount) if !amount.signed => {}
            _ => return None,
        }
        let terms = &mut self.relation.terms;
        let width = terms.value(i64::from(shape.width));
        // Negative amounts are large as unsigned numbers.
        let beyond = terms.binary(BinaryTerm::UnsignedLt, width, y);
        let fault = self.fault(Failure::ShiftOutOfRange, span, beyond);
        let terms = &mut self.relation.terms;
        let term = match (op, shape.signed) {
            (BinaryOp::Shl, _) => {
                let shifted = terms.binary(BinaryTerm::Shl, x, y);
                self.wrap(shape, shifted)
            }
            (_, true) => terms.binary(BinaryTerm::Shr, x, y),
            (_, false) => terms.binary(BinaryTerm::UnsignedShr, x, y),
        };
        let value = self.combined(a.ty.clone(), term, a, b);
        Some(value.failing(fault, &mut self.relation.terms))
    }

    /// `a :: b`.
    pub(super) fn concat(&mut self, a: &Value, b: &Value, span: Span) -> Option<Value> {
        let (Type::Word(high), Type::Word(low)) = (&a.ty, &b.ty) else { return None };
        let width = high.width + low.width;
        if width > 64 {
            return Some(self.wrong(span, format!("words have 1 to 64 bits, not {width}")));
        }
        let (x, y) = (self.bits(*high, a.term()?), self.bits(*low, b.term()?));
        let terms = &mut self.relation.terms;
        let amount = terms.value(i64::from(low.width));
        let moved = terms.binary(BinaryTerm::Shl, x, amount);
        let term = terms.binary(BinaryTerm::BitOr, moved, y);
        Some(self.combined(Type::word(width, false), term, a, b))
    }

    /// `a[high:low]`.
    pub(super) fn bit_range(&mut self, a: Value, high: i64, low: i64, span: Span) -> Value {
        let (Type::Word(shape), Some(term)) = (&a.ty, a.term()) else {
            return match a.is_unknown() {
                true => Value::unknown(),
                false => self.wrong(span, format!("bits are selected from words, but this is {}", a.ty)),
            };
        };
        if !(0 <= low && low <= high && high < i64::from(shape.width)) {
            return self
                .wrong(span, format!("bits {high} down to {low} are not all in a word of {} bits", shape.width));
        }
        let bits = self.bits(*shape, term);
        let terms = &mut self.relation.terms;
        let amount = terms.value(low);
        let moved = if low == 0 { bits } else { terms.binary(BinaryTerm::UnsignedShr, bits, amount) };
        let selected = WordShape { width: (high - low + 1) as u32, signed: false };
        let term = if high + 1 == i64::from(shape.width) { moved } else { self.wrap(selected, moved) };
        Value { ty: Type::Word(selected), shape: super::value::Shape::Term(term), faults: a.faults }
    }

    /// A word with another width. A signed one keeps its sign.
    pub(super) fn resized(&mut self, shape: WordShape, width: u32, term: TermId) -> TermId {
        if width >= shape.width {
            return term;
        }
        let to = WordShape { width, ..shape };
        if !shape.signed {
            return self.wrap(to, term);
        }
        let terms = &mut self.relation.terms;
        let below_sign = terms.value((1 << (width - 1)) - 1);
        let sign = terms.value(-1 << (width - 1));
        let zero = terms.value(0);
        let kept = terms.binary(BinaryTerm::BitAnd, term, below_sign);
        let negative = terms.binary(BinaryTerm::Lt, term, zero);
        let with_sign = terms.binary(BinaryTerm::BitOr, kept, sign);
        terms.ite(negative, with_sign, kept)
    }
}
