//! Binary operators: operand types and meaning.

use lurcher_ir::relation::{BinaryTerm, TermId};
use lurcher_syntax::Span;

use super::Lowering;
use super::types::{BOOLEAN, Kind, Type};
use super::value::{Failure, Faults, Shape, Value};
use crate::ast::BinaryOp;

impl Lowering<'_> {
    /// `a op b`.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Value {
        if a.is_unknown() || b.is_unknown() {
            return Value::unknown();
        }
        let result = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Xnor | BinaryOp::Implies | BinaryOp::Iff => {
                self.logic(op, &a, &b)
            }
            BinaryOp::Eq | BinaryOp::Ne => self.equality(op, &a, &b),
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => self.order_of(op, &a, &b),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.arithmetic(op, &a, &b),
            BinaryOp::Div | BinaryOp::Mod => self.division(op, &a, &b, span),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, &a, &b, span),
            BinaryOp::Concat => self.concat(&a, &b, span),
            BinaryOp::Union => self.union(&a, &b),
            BinaryOp::In => self.inclusion(&a, &b),
            BinaryOp::Until | BinaryOp::Since | BinaryOp::Releases | BinaryOp::Triggered => None,
        };
        result.unwrap_or_else(|| {
            self.wrong(span, format!("illegal operand types of `{}`: {} and {}", op.symbol(), a.ty, b.ty))
        })
    }

    /// A value with the faults of two others.
    pub(super) fn combined(&mut self, ty: Type, term: TermId, a: &Value, b: &Value) -> Value {
        let faults = a.faults.clone().or(b.faults.clone(), &mut self.relation.terms);
        Value { ty, shape: Shape::Term(term), faults }
    }

    fn logic(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
        let (x, y) = (a.term()?, b.term()?);
        match (&a.ty, &b.ty) {
            (Type::One(Kind::Boolean), Type::One(Kind::Boolean)) => {
                let term = self.logic_term(op, x, y);
                let faults = self.logic_faults(op, a, b, x, y);
                Some(Value { ty: BOOLEAN, shape: Shape::Term(term), faults })
            }
            (Type::Word(shape), Type::Word(other)) if shape == other => {
                let term = self.bitwise(op, x, y, *shape);
                Some(self.combined(a.ty.clone(), term, a, b))
            }
            _ => None,
        }
    }

    fn logic_term(&mut self, op: BinaryOp, x: TermId, y: TermId) -> TermId {
        let terms = &mut self.relation.terms;
        match op {
            BinaryOp::And => terms.binary(BinaryTerm::And, x, y),
            BinaryOp::Or => terms.binary(BinaryTerm::Or, x, y),
            BinaryOp::Xor => terms.binary(BinaryTerm::BitXor, x, y),
            BinaryOp::Implies => {
                let not = terms.not(x);
                terms.binary(BinaryTerm::Or, not, y)
            }
            _ => terms.binary(BinaryTerm::Eq, x, y),
        }
    }

    /// The faults of a connective: an operand that decides the result hides faults of the other, on either side.
    fn logic_faults(&mut self, op: BinaryOp, a: &Value, b: &Value, x: TermId, y: TermId) -> Faults {
        if a.faults.is_empty() && b.faults.is_empty() {
            return Faults::default();
        }
        let terms = &mut self.relation.terms;
        let (not_x, not_y) = (terms.not(x), terms.not(y));
        let (a_counts, b_counts) = match op {
            BinaryOp::And => (y, x),
            BinaryOp::Or => (not_y, not_x),
            BinaryOp::Implies => (not_y, x),
            _ => return a.faults.clone().or(b.faults.clone(), terms),
        };
        let (a_fails, b_fails) = (a.faults.any(terms), b.faults.any(terms));
        let a_counts = terms.binary(BinaryTerm::Or, a_counts, b_fails);
        let b_counts = terms.binary(BinaryTerm::Or, b_counts, a_fails);
        let of_a = a.faults.clone().under(a_counts, terms);
        let of_b = b.faults.clone().under(b_counts, terms);
        of_a.or(of_b, terms)
    }

    fn equality(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
        let comparable = a.ty.fits(&b.ty) || b.ty.fits(&a.ty);
        if !comparable || matches!(a.ty, Type::Set(_)) {
            return None;
        }
        // NuSMV compares arrays by element in the model, but refuses them in a specification.
        if self.in_specification && matches!(a.ty, Type::Array(..)) {
            return None;
        }
        let mut value = Value::new(BOOLEAN, self.relation.terms.truth(true));
        let mut open = vec![(a.clone(), b.clone())];
        while let Some((a, b)) = open.pop() {
            let terms = &mut self.relation.terms;
            value.faults = value.faults.or(a.faults.clone(), terms).or(b.faults.clone(), terms);
            match (&a.shape, &b.shape) {
                (Shape::Term(x), Shape::Term(y)) => {
                    let equal = terms.binary(BinaryTerm::Eq, *x, *y);
                    let both = terms.binary(BinaryTerm::And, value.term()?, equal);
                    value.shape = Shape::Term(both);
                }
                (Shape::Elements(x), Shape::Elements(y)) => open.extend(x.iter().cloned().zip(y.iter().cloned())),
                _ => return None,
            }
        }
        if op == BinaryOp::Ne {
            value.shape = Shape::Term(self.relation.terms.not(value.term()?));
        }
        Some(value)
    }

    fn order_of(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
        let (x, y) = (a.term()?, b.term()?);
        let unsigned = match (&a.ty, &b.ty) {
            (Type::One(Kind::Integer), Type::One(Kind::Integer)) => false,
            (Type::Word(shape), Type::Word(other)) if shape == other => !shape.signed,
            _ => return None,
        };
        let (less, at_most) = match unsigned {
            true => (BinaryTerm::UnsignedLt, BinaryTerm::UnsignedLe),
            false => (BinaryTerm::Lt, BinaryTerm::Le),
        };
        let terms = &mut self.relation.terms;
        let term = match op {
            BinaryOp::Lt => terms.binary(less, x, y),
            BinaryOp::Gt => terms.binary(less, y, x),
            BinaryOp::Le => terms.binary(at_most, x, y),
            _ => terms.binary(at_most, y, x),
        };
        Some(self.combined(BOOLEAN, term, a, b))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
        let (x, y) = (a.term()?, b.term()?);
        let operator = match op {
            BinaryOp::Add => BinaryTerm::Add,
            BinaryOp::Sub => BinaryTerm::Sub,
            _ => BinaryTerm::Mul,
        };
        let term = self.relation.terms.binary(operator, x, y);
        let term = match (&a.ty, &b.ty) {
            (Type::One(Kind::Integer), Type::One(Kind::Integer)) => term,
            (Type::Word(shape), Type::Word(other)) if shape == other => self.wrap(*shape, term),
            _ => return None,
        };
        Some(self.combined(a.ty.clone(), term, a, b))
    }

    fn division(&mut self, op: BinaryOp, a: &Value, b: &Value, span: Span) -> Option<Value> {
        let (x, y) = (a.term()?, b.term()?);
        let (quotient, remainder) = (BinaryTerm::Div, BinaryTerm::Mod);
        let (quotient, remainder, shape) = match (&a.ty, &b.ty) {
            (Type::One(Kind::Integer), Type::One(Kind::Integer)) => (quotient, remainder, None),
            (Type::Word(shape), Type::Word(other)) if shape == other => match shape.signed {
                true => (quotient, remainder, Some(*shape)),
                false => (BinaryTerm::UnsignedDiv, BinaryTerm::UnsignedMod, Some(*shape)),
            },
            _ => return None,
        };
        let terms = &mut self.relation.terms;
        let mut term = terms.binary(if op == BinaryOp::Div { quotient } else { remainder }, x, y);
        let by_zero = terms.is(y, 0);
        let fault = self.fault(Failure::DivisionByZero, span, by_zero);
        if let Some(shape) = shape {
            term = self.wrap(shape, term);
        }
        let value = self.combined(a.ty.clone(), term, a, b);
        Some(value.failing(fault, &mut self.relation.terms))
    }
}
