//! Binary operators.

use lurcher_ir::timed::TermId;
use lurcher_syntax::{Diagnostic, Span};

use super::Lowering;
use super::fraction::Fraction;
use super::value::Value;
use crate::checked::{BinaryOp, Rational};

impl Lowering<'_> {
    /// An operator other than `&` and `|`. `at` is the place of the right operand.
    pub(super) fn operation(&mut self, op: BinaryOp, a: Value, b: Value, span: Span, at: Span) -> Option<Value> {
        Some(match op {
            BinaryOp::Implies => {
                let (a, b) = (a.formula(), b.formula());
                let not = self.model.terms.not(a);
                Value::Formula(self.model.terms.any([not, b]))
            }
            BinaryOp::Iff => Value::Formula(self.model.terms.iff(a.formula(), b.formula())),
            BinaryOp::And => Value::Formula(self.model.terms.all([a.formula(), b.formula()])),
            BinaryOp::Or | BinaryOp::Alternative => Value::Formula(self.model.terms.any([a.formula(), b.formula()])),
            BinaryOp::Eq => Value::Formula(self.equal(&a, &b, span)?),
            BinaryOp::Lt => Value::Formula(self.at_most(&a.number(), &b.number(), 1, span)?),
            BinaryOp::Le => Value::Formula(self.at_most(&a.number(), &b.number(), 0, span)?),
            BinaryOp::Gt => Value::Formula(self.at_most(&b.number(), &a.number(), 1, span)?),
            BinaryOp::Ge => Value::Formula(self.at_most(&b.number(), &a.number(), 0, span)?),
            BinaryOp::Add => Value::Number(self.sum(&a.number(), &b.number(), 1, span)?),
            BinaryOp::Sub => Value::Number(self.sum(&a.number(), &b.number(), -1, span)?),
            BinaryOp::Mul => Value::Number(self.product(&a.number(), &b.number(), span)?),
            BinaryOp::Div => {
                let divisor = self.divisor(&b.number(), at)?;
                Value::Number(self.quotient(&a.number(), divisor, span)?)
            }
            BinaryOp::IntegerDiv => {
                let divisor = self.divisor(&b.number(), at)?;
                Value::Number(self.integer_quotient(&a.number(), divisor, span)?)
            }
            BinaryOp::Mod => {
                let (a, divisor) = (a.number(), self.divisor(&b.number(), at)?);
                let quotient = self.integer_quotient(&a, divisor, span)?;
                let multiple = quotient.times(divisor, &self.model.terms);
                let multiple = self.fits(multiple, span)?;
                Value::Number(self.sum(&a, &multiple, -1, span)?)
            }
            other => unreachable!("the analysis refuses `{}`", other.symbol()),
        })
    }

    /// `a + gap <= b`, after denominators are cleared.
    pub(super) fn at_most(&mut self, a: &Fraction, b: &Fraction, gap: i64, span: Span) -> Option<TermId> {
        let mut difference = self.sum(b, a, -1, span)?;
        let constant = difference.sum.constant.checked_sub(gap);
        difference.sum.constant = self.fits(constant, span)?;
        Some(self.model.terms.not_negative(difference.sum))
    }

    pub(super) fn sum(&mut self, a: &Fraction, b: &Fraction, factor: i64, span: Span) -> Option<Fraction> {
        let sum = a.plus(b, factor, &self.model.terms);
        self.fits(sum, span)
    }

    fn product(&mut self, a: &Fraction, b: &Fraction, span: Span) -> Option<Fraction> {
        let product = match (a.as_rational(), b.as_rational()) {
            (Some(factor), _) => b.times(factor, &self.model.terms),
            (_, Some(factor)) => a.times(factor, &self.model.terms),
            (None, None) => return self.unknown_factor(a, b, span),
        };
        self.fits(product, span)
    }

    fn unknown_factor<X>(&mut self, a: &Fraction, b: &Fraction, span: Span) -> Option<X> {
        let factor = [a, b].into_iter().find(|x| self.is_constant(x));
        match factor {
            Some(factor) => {
                let names = self.names_in(factor);
                self.needs_value(span, &names, "it is multiplied by something unknown")
            }
            None => self.refuse(span, "products of two unknowns are not supported"),
        }
    }

    /// Whether a number depends on constants only.
    fn is_constant(&self, number: &Fraction) -> bool {
        let roots = number.sum.terms.iter().map(|(t, _)| *t);
        let read = self.model.reads(roots);
        let timeless = read.now.variables.is_empty() && read.now.events.is_empty() && !read.now.instant;
        timeless && read.past.is_empty() && read.at_start.is_empty() && !read.constants.is_empty()
    }

    /// The value of a divisor.
    fn divisor(&mut self, number: &Fraction, span: Span) -> Option<Rational> {
        match number.as_rational() {
            Some(Rational { numerator: 0, .. }) => self.refuse(span, "division by zero"),
            Some(divisor) => Some(divisor),
            None if self.is_constant(number) => {
                let names = self.names_in(number);
                self.needs_value(span, &names, "something is divided by it")
            }
            None => {
                let error = Diagnostic::error(span, "division by an unknown is not supported");
                self.report(error.note("the divisor must be a number or a constant"));
                None
            }
        }
    }

    fn quotient(&mut self, a: &Fraction, divisor: Rational, span: Span) -> Option<Fraction> {
        let quotient = a.divided_by(divisor, &self.model.terms);
        self.fits(quotient, span)
    }

    /// The greatest integer that is not above the quotient.
    fn integer_quotient(&mut self, a: &Fraction, divisor: Rational, span: Span) -> Option<Fraction> {
        let Fraction { sum, over } = self.quotient(a, divisor, span)?;
        let terms = &mut self.model.terms;
        let dividend = terms.sum(sum);
        let floor = terms.floor(dividend, over);
        Some(Fraction::term(floor, terms))
    }
}
