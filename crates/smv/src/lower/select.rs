//! Selections: components of instances, elements of arrays, bits of words.

use lurcher_ir::relation::{BinaryTerm, TermId};
use lurcher_syntax::Span;

use super::Lowering;
use super::names::{Entity, InstanceId, Referent};
use super::types::{Kind, Type};
use super::value::{Failure, Shape, Value};
use crate::ast::{Expr, ExprKind, Selector};

/// The selection so far.
enum Selection {
    Name(Referent),
    Value(Value),
}

impl Lowering<'_> {
    pub(super) fn select(
        &mut self,
        base: &Expr,
        selectors: &[Selector],
        scope: InstanceId,
        next: bool,
        span: Span,
    ) -> Value {
        let mut selection = match &base.kind {
            ExprKind::Name(name) => Selection::Name(self.root(name, scope, base.span)),
            ExprKind::SelfRef => Selection::Name(Referent::Entity(Entity::Instance(scope))),
            _ => Selection::Value(self.expr(base, scope, next)),
        };
        for selector in selectors {
            selection = match (selection, selector) {
                (Selection::Name(name), Selector::Field(field)) => Selection::Name(self.field(name, &field.name, span)),
                (Selection::Name(name), Selector::Number(number, _)) => {
                    Selection::Name(self.field(name, &number.to_string(), span))
                }
                (Selection::Name(name @ Referent::Open(..)), Selector::Index(index)) => {
                    Selection::Name(self.declared_element(name, index, span))
                }
                (Selection::Name(name), selector) => {
                    let value = self.referent_value(name, next, span);
                    self.part(value, selector, scope, next)
                }
                (Selection::Value(value), selector) => self.part(value, selector, scope, next),
            };
        }
        match selection {
            Selection::Name(name) => self.referent_value(name, next, span),
            Selection::Value(value) => value,
        }
    }

    fn part(&mut self, value: Value, selector: &Selector, scope: InstanceId, next: bool) -> Selection {
        Selection::Value(match selector {
            Selector::Index(index) => {
                let at = self.expr(index, scope, next);
                self.element(value, at, index.span)
            }
            Selector::Bits(high, low) => {
                let span = high.span.to(low.span);
                match (self.constant(high, scope), self.constant(low, scope)) {
                    (Some(high), Some(low)) => self.bit_range(value, high, low, span),
                    _ => Value::unknown(),
                }
            }
            Selector::Field(field) => {
                self.wrong(field.span, format!("`.{}` selects from instances only, not from values", field.name))
            }
            Selector::Number(_, span) => self.wrong(*span, "`.` selects from instances only, not from values"),
        })
    }

    /// `array[index]`. A variable index becomes a choice between all elements.
    fn element(&mut self, array: Value, index: Value, span: Span) -> Value {
        if array.is_unknown() || index.is_unknown() {
            return Value::unknown();
        }
        let (Type::Array(low, high, of), Shape::Elements(elements)) = (&array.ty, &array.shape) else {
            return self.wrong(span, format!("elements are selected from arrays, but this is {}", array.ty));
        };
        let indexing = matches!(index.ty, Type::One(Kind::Integer) | Type::Word(_));
        let Some(at) = index.term().filter(|_| indexing) else {
            return self.wrong(span, format!("an array cannot be indexed by {}", index.ty));
        };
        if let Some(constant) = self.relation.terms.constant(at) {
            if constant < *low || constant > *high {
                return self.wrong(span, format!("array index {constant} is outside of {low}..{high}"));
            }
            let element = elements[(constant - low) as usize].clone();
            return Value { ty: (**of).clone(), ..element }.failing(array.faults, &mut self.relation.terms);
        }
        let Some(last) = elements.last() else { return self.wrong(span, "this array has no elements") };
        let mut result = last.clone();
        for (i, element) in elements.iter().enumerate().rev().skip(1) {
            let test = self.relation.terms.is(at, low + i as i64);
            let test = Value::new(super::types::BOOLEAN, test);
            result = self.conditional(test, element.clone(), result, span);
        }
        let outside = self.outside(at, *low, *high);
        let fault = self.fault(Failure::IndexOutOfBounds, span, outside);
        let terms = &mut self.relation.terms;
        let faults = fault.or(index.faults, terms).or(array.faults, terms);
        Value { ty: (**of).clone(), ..result }.failing(faults, terms)
    }

    /// Whether a number is outside of a range.
    fn outside(&mut self, term: TermId, low: i64, high: i64) -> TermId {
        let terms = &mut self.relation.terms;
        let (first, last) = (terms.value(low), terms.value(high));
        let below = terms.binary(BinaryTerm::Lt, term, first);
        let above = terms.binary(BinaryTerm::Lt, last, term);
        terms.binary(BinaryTerm::Or, below, above)
    }
}
