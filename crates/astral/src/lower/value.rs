//! What terms denote.

use lurcher_ir::timed::{Domain, TermId};
use lurcher_syntax::Span;

use super::Lowering;
use super::fraction::Fraction;
use crate::checked::Type;

/// What a term denotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Formula(TermId),
    Number(Fraction),
}

/// An argument with the type of its parameter.
pub(super) type Argument = (Value, Type);

impl Value {
    /// The formula.
    ///
    /// # Panics
    ///
    /// If it is a number: types were checked.
    pub(super) fn formula(self) -> TermId {
        match self {
            Value::Formula(term) => term,
            Value::Number(number) => panic!("{number:?} stands where a formula belongs"),
        }
    }

    /// The number.
    ///
    /// # Panics
    ///
    /// If it is a formula: types were checked.
    pub(super) fn number(self) -> Fraction {
        match self {
            Value::Number(number) => number,
            Value::Formula(term) => panic!("{term:?} stands where a number belongs"),
        }
    }
}

impl Lowering<'_> {
    /// A value of a finite type.
    pub(super) fn literal(&mut self, value: i64, ty: Type) -> Value {
        match self.specification.base(ty) {
            Type::Boolean => Value::Formula(self.model.terms.truth(value != 0)),
            _ => Value::Number(Fraction::integer(value)),
        }
    }

    /// The value of a term that is a formula or a number.
    pub(super) fn denoted(&self, term: TermId, ty: Type) -> Value {
        match self.specification.base(ty) {
            Type::Boolean => Value::Formula(term),
            _ => Value::Number(Fraction::term(term, &self.model.terms)),
        }
    }

    /// No value, of a type.
    pub(super) fn undefined(&mut self, ty: Type) -> Value {
        match self.specification.base(ty) {
            Type::Boolean => Value::Formula(self.model.terms.no_truth()),
            _ => {
                let term = self.model.terms.add(lurcher_ir::timed::Term::NoNumber);
                Value::Number(Fraction::term(term, &self.model.terms))
            }
        }
    }

    /// The value as a number, if it is known.
    pub(super) fn known(&self, value: &Value) -> Option<i64> {
        match value {
            Value::Formula(term) => self.model.terms.as_truth(*term).map(i64::from),
            Value::Number(number) => number.as_integer(),
        }
    }

    /// Reports a number that does not fit.
    pub(super) fn fits<X>(&mut self, result: Option<X>, span: Span) -> Option<X> {
        if result.is_none() {
            self.error(span, "a number is too large");
        }
        result
    }

    /// Whether two values of one type are equal.
    pub(super) fn equal(&mut self, a: &Value, b: &Value, span: Span) -> Option<TermId> {
        match (a, b) {
            (Value::Formula(a), Value::Formula(b)) => Some(self.model.terms.iff(*a, *b)),
            (Value::Number(a), Value::Number(b)) => {
                let difference = a.plus(b, -1, &self.model.terms);
                let difference = self.fits(difference, span)?;
                Some(self.model.terms.zero(difference.sum))
            }
            _ => panic!("a formula is compared with a number: {a:?}, {b:?}"),
        }
    }

    /// If, then, else.
    pub(super) fn choice(&mut self, condition: TermId, a: Value, b: Value, span: Span) -> Option<Value> {
        match (self.model.terms.as_truth(condition), a, b) {
            (Some(true), value, _) | (Some(false), _, value) => Some(value),
            (None, Value::Formula(a), Value::Formula(b)) => Some(Value::Formula(self.model.terms.ite(condition, a, b))),
            (None, Value::Number(a), Value::Number(b)) => {
                let same = (a.over_common(&b), b.over_common(&a));
                let (a, b) = (self.fits(same.0, span)?, self.fits(same.1, span)?);
                let terms = &mut self.model.terms;
                let (left, right) = (terms.sum(a.sum), terms.sum(b.sum));
                let chosen = terms.ite(condition, left, right);
                Some(Value::Number(Fraction { sum: terms.linear(chosen), over: a.over }))
            }
            (None, a, b) => panic!("a formula stands beside a number: {a:?}, {b:?}"),
        }
    }

    /// The term of a number that is whole.
    pub(super) fn whole(&mut self, number: Fraction, span: Span) -> Option<TermId> {
        if number.over != 1 {
            return self.refuse(span, "a quotient cannot stand here: the value must be a whole number");
        }
        Some(self.model.terms.sum(number.sum))
    }

    /// The value of something with parameters of finite types, for arguments that are perhaps unknown: a case for each of
    /// their values. No value of a type, no value at all.
    pub(super) fn select(
        &mut self,
        arguments: &[Argument],
        result: Type,
        span: Span,
        element: &mut dyn FnMut(&mut Self, &[i64]) -> Option<Value>,
    ) -> Option<Value> {
        self.select_rest(arguments, &mut Vec::new(), result, span, element)
    }

    fn select_rest(
        &mut self,
        arguments: &[Argument],
        chosen: &mut Vec<i64>,
        result: Type,
        span: Span,
        element: &mut dyn FnMut(&mut Self, &[i64]) -> Option<Value>,
    ) -> Option<Value> {
        let Some(((argument, ty), rest)) = arguments.split_first() else { return element(self, chosen) };
        let values = self.values_of(*ty, span)?;
        if let Some(known) = self.known(argument) {
            if !values.contains(&known) {
                return Some(self.undefined(result));
            }
            chosen.push(known);
            let value = self.select_rest(rest, chosen, result, span, element);
            chosen.pop();
            return value;
        }
        let mut cases = Vec::new();
        for candidate in values.iter().copied() {
            self.expand(span)?;
            chosen.push(candidate);
            let here = self.select_rest(rest, chosen, result, span, element);
            chosen.pop();
            cases.push((candidate, here?));
        }
        // An argument that is always one of the values needs no test for the last one.
        let last = if self.stays_within(argument, &values) { cases.pop().map(|(_, value)| value) } else { None };
        let mut value = last.unwrap_or_else(|| self.undefined(result));
        for (candidate, here) in cases.into_iter().rev() {
            let candidate = self.literal(candidate, *ty);
            let test = self.equal(argument, &candidate, span)?;
            value = self.choice(test, here, value, span)?;
        }
        Some(value)
    }

    /// Whether a value is that of a constant or variable whose domain lies within some values.
    fn stays_within(&self, value: &Value, values: &[i64]) -> bool {
        let domain = match value {
            Value::Formula(term) => self.model.domain_of(*term),
            Value::Number(Fraction { sum, over: 1 }) => match sum.terms[..] {
                [(term, 1)] if sum.constant == 0 && self.model.terms.is_total(term) => self.model.domain_of(term),
                _ => None,
            },
            Value::Number(_) => None,
        };
        match domain {
            Some(Domain::Boolean) => values == [0, 1],
            Some(Domain::Integer { lower: Some(lower), upper: Some(upper) }) => {
                let size = upper.abs_diff(*lower).saturating_add(1);
                size <= values.len() as u64 && (*lower..=*upper).all(|v| values.contains(&v))
            }
            Some(domain @ Domain::Named(_)) => {
                domain.values().is_some_and(|all| all.iter().all(|v| values.contains(v)))
            }
            Some(Domain::Integer { .. }) | None => false,
        }
    }
}
