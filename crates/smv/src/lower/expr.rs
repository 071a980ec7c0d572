//! Expressions.

use std::rc::Rc;

use lurcher_ir::relation::{BinaryTerm, TermId, UnaryTerm, VariableRole};
use lurcher_resources::checkpoint;
use lurcher_syntax::Span;

use super::Lowering;
use super::names::{Body, Entity, InstanceId, Progress, Referent};
use super::types::{BOOLEAN, INTEGER, Kind, SYMBOLIC, Type};
use super::value::{Failure, Faults, Shape, Value};
use crate::ast::{Branch, DefineBody, Expr, ExprKind, UnaryOp, WordConstant};

impl<'a> Lowering<'a> {
    /// Lowers an expression in the scope of an instance, about the current or the next state.
    pub(super) fn expr(&mut self, expr: &Expr, scope: InstanceId, next: bool) -> Value {
        checkpoint();
        match &expr.kind {
            ExprKind::Name(name) => {
                let referent = match (self.root(name, scope, expr.span), self.symbols.get(name)) {
                    (Referent::Entity(Entity::Instance(_)), Some(&value)) => Referent::Symbol(value),
                    (referent, _) => referent,
                };
                self.referent_value(referent, next, expr.span)
            }
            ExprKind::SelfRef => self.wrong(expr.span, "`self` is an instance, not a value"),
            ExprKind::Boolean(value) => Value::new(BOOLEAN, self.relation.terms.truth(*value)),
            ExprKind::Integer(value) => Value::new(INTEGER, self.relation.terms.value(*value)),
            ExprKind::Word(constant) => self.word_constant(*constant),
            ExprKind::Select(base, selectors) => self.select(base, selectors, scope, next, expr.span),
            ExprKind::Unary(op, inner) => {
                let value = self.expr(inner, scope, next);
                self.unary(*op, value, expr.span)
            }
            ExprKind::Chain(first, operations) => {
                let mut value = self.expr(first, scope, next);
                for operation in operations {
                    let right = self.expr(&operation.operand, scope, next);
                    let span = first.span.to(operation.operand.span);
                    let literal = matches!(operation.operand.kind, ExprKind::Integer(_) | ExprKind::Word(_));
                    value = match literal && self.shifts_too_far(operation.op, &value, &right, span) {
                        true => Value::unknown(),
                        false => self.binary(operation.op, value, right, span),
                    };
                }
                value
            }
            ExprKind::Implies(a, b) => {
                let (a, b) = (self.expr(a, scope, next), self.expr(b, scope, next));
                self.binary(crate::ast::BinaryOp::Implies, a, b, expr.span)
            }
            ExprKind::Conditional(condition, a, b) => {
                let condition = self.condition(condition, scope, next);
                let (a, b) = (self.expr(a, scope, next), self.expr(b, scope, next));
                self.conditional(condition, a, b, expr.span)
            }
            ExprKind::Case(branches) => self.case(branches, scope, next, expr.span),
            ExprKind::Set(elements) => {
                let values: Vec<Value> = elements.iter().map(|e| self.expr(e, scope, next)).collect();
                self.set(values, expr.span)
            }
            ExprKind::Range(bounds) => self.range_set(bounds.lower, bounds.upper, expr.span),
            ExprKind::Next(inner) => {
                if next {
                    return self.wrong(expr.span, "`next` inside `next`");
                }
                self.expr(inner, scope, true)
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, scope, next, expr.span),
            ExprKind::ConstArray(..) => self.wrong(expr.span, "arrays indexed by words are not supported"),
            ExprKind::Ctl(..) | ExprKind::CtlUntil(..) | ExprKind::Ltl(..) => {
                self.wrong(expr.span, "a temporal operator cannot be used here")
            }
        }
    }

    fn word_constant(&mut self, constant: WordConstant) -> Value {
        let ty = Type::word(constant.width, constant.signed);
        let Type::Word(shape) = ty else { return Value::unknown() };
        let term = self.relation.terms.value(shape.wrap(constant.bits as i64));
        Value::new(ty, term)
    }

    /// The value of a referent.
    pub(super) fn referent_value(&mut self, referent: Referent, next: bool, span: Span) -> Value {
        match referent {
            Referent::Symbol(value) => Value::new(SYMBOLIC, self.relation.terms.value(value)),
            Referent::Entity(Entity::Variable(index)) => {
                let role = self.declared[index].role;
                if next && role == VariableRole::Input {
                    return self.wrong(span, "an input has no value in the next state");
                }
                let next = next && role != VariableRole::Frozen;
                self.about_steps |= next || role == VariableRole::Input;
                self.declared_value(index, next)
            }
            Referent::Entity(Entity::Definition(index)) => self.defined_value(index, next, span),
            Referent::Entity(Entity::Instance(_)) => self.wrong(span, "this is an instance, not a value"),
            Referent::Entity(Entity::Running(process)) => {
                if next {
                    return self.wrong(span, "`running` has no value in the next state");
                }
                self.about_steps = true;
                self.running(process)
            }
            Referent::Open(relative, _) => {
                self.undefined(&relative, span);
                Value::unknown()
            }
            Referent::Wrong => Value::unknown(),
        }
    }

    /// The value of a definition, lowered on first use.
    pub(super) fn defined_value(&mut self, index: usize, next: bool, span: Span) -> Value {
        let moment = usize::from(next);
        match &self.definitions[index].progress[moment] {
            Progress::Done(value) => {
                self.about_steps |= self.definitions[index].about_steps[moment];
                return value.clone();
            }
            Progress::Running => {
                let message = format!("`{}` is recursively defined", self.definitions[index].name);
                return self.wrong(span, message);
            }
            Progress::Waiting => {}
        }
        for (needed, next) in self.needed(index, next) {
            if matches!(self.definitions[needed].progress[usize::from(next)], Progress::Waiting) {
                self.lower_definition(needed, next);
            }
        }
        match &self.definitions[index].progress[moment] {
            Progress::Done(value) => value.clone(),
            _ => Value::unknown(),
        }
    }

    fn lower_definition(&mut self, index: usize, next: bool) {
        let moment = usize::from(next);
        self.definitions[index].progress[moment] = Progress::Running;
        let definition = &self.definitions[index];
        let (body, scope, given, at) = (definition.body, definition.scope, definition.is_given, definition.span);
        let outer = (self.placed, self.in_definition);
        let before = std::mem::take(&mut self.about_steps);
        if given {
            self.placed = Some(at);
        }
        self.in_definition = !self.definitions[index].is_parameter;
        let value = match body {
            Body::Expr(expr) => self.expr(expr, scope, next),
            Body::Array(elements) => self.defined_array(elements, scope, next, at),
        };
        (self.placed, self.in_definition) = outer;
        self.definitions[index].about_steps[moment] = self.about_steps;
        self.about_steps |= before;
        self.definitions[index].progress[moment] = Progress::Done(value);
    }

    fn defined_array(&mut self, elements: &'a [DefineBody], scope: InstanceId, next: bool, span: Span) -> Value {
        let values: Vec<Value> = elements
            .iter()
            .map(|element| match element {
                DefineBody::Expr(expr) => self.expr(expr, scope, next),
                DefineBody::Array(inner) => self.defined_array(inner, scope, next, span),
            })
            .collect();
        let joined = values.iter().skip(1).try_fold(values[0].ty.clone(), |ty, v| ty.join(&v.ty));
        match joined {
            Some(Type::Unknown) => Value::unknown(),
            Some(Type::Set(_)) | None => self.wrong(span, "the elements of the array have no common type"),
            Some(element) => Value {
                ty: Type::Array(0, values.len() as i64 - 1, Rc::new(element)),
                shape: Shape::Elements(Rc::new(values)),
                faults: Faults::default(),
            },
        }
    }

    /// A boolean expression.
    pub(super) fn condition(&mut self, expr: &Expr, scope: InstanceId, next: bool) -> Value {
        let value = self.expr(expr, scope, next);
        if value.is_unknown() || value.ty == BOOLEAN {
            return value;
        }
        self.wrong(expr.span, format!("a condition must be boolean, but this is {}", value.ty))
    }

    fn unary(&mut self, op: UnaryOp, value: Value, span: Span) -> Value {
        if value.is_unknown() {
            return Value::unknown();
        }
        let terms = &mut self.relation.terms;
        let result = match (op, &value.ty, value.term()) {
            (UnaryOp::Not, Type::One(Kind::Boolean), Some(term)) => terms.not(term),
            (UnaryOp::Not, Type::Word(shape), Some(term)) => {
                let ones = terms.value(-1);
                let flipped = terms.binary(BinaryTerm::BitXor, term, ones);
                terms.unary(UnaryTerm::Wrap(*shape), flipped)
            }
            (UnaryOp::Minus, Type::One(Kind::Integer), Some(term)) => terms.unary(UnaryTerm::Minus, term),
            (UnaryOp::Minus, Type::Word(shape), Some(term)) => {
                let negative = terms.unary(UnaryTerm::Minus, term);
                terms.unary(UnaryTerm::Wrap(*shape), negative)
            }
            _ => return self.wrong(span, format!("illegal operand type of `{}`: {}", op.symbol(), value.ty)),
        };
        Value { shape: Shape::Term(result), ..value }
    }

    /// `c ? a : b`.
    pub(super) fn conditional(&mut self, condition: Value, a: Value, b: Value, span: Span) -> Value {
        let Some(test) = condition.term() else { return Value::unknown() };
        if a.is_unknown() || b.is_unknown() {
            return Value::unknown();
        }
        let Some(ty) = a.ty.join(&b.ty) else {
            return self.wrong(span, format!("illegal types of `then` and `else` expressions: {} and {}", a.ty, b.ty));
        };
        let faults = self.branch_faults(&condition.faults, test, a.faults.clone(), b.faults.clone());
        let shape = self.choose(test, &a, &b);
        Value { ty, shape, faults }
    }

    fn branch_faults(&mut self, of_test: &Faults, test: TermId, a: Faults, b: Faults) -> Faults {
        if of_test.is_empty() && a.is_empty() && b.is_empty() {
            return Faults::default();
        }
        let terms = &mut self.relation.terms;
        let otherwise = terms.not(test);
        let a = a.under(test, terms);
        let b = b.under(otherwise, terms);
        of_test.clone().or(a, terms).or(b, terms)
    }

    /// Conditional choice; for arrays, element by element.
    pub(super) fn choose(&mut self, test: TermId, a: &Value, b: &Value) -> Shape {
        match (&a.shape, &b.shape) {
            (Shape::Term(a), Shape::Term(b)) => Shape::Term(self.relation.terms.ite(test, *a, *b)),
            (Shape::Elements(x), Shape::Elements(y)) => {
                let elements = x.iter().zip(y.iter()).map(|(x, y)| {
                    let faults = self.branch_faults(&Faults::default(), test, x.faults.clone(), y.faults.clone());
                    let ty = x.ty.join(&y.ty).unwrap_or(Type::Unknown);
                    Value { ty, shape: self.choose(test, x, y), faults }
                });
                let elements = elements.collect();
                Shape::Elements(Rc::new(elements))
            }
            _ => Shape::Nothing,
        }
    }

    fn case(&mut self, branches: &[Branch], scope: InstanceId, next: bool, span: Span) -> Value {
        let lowered: Vec<(Value, Value)> = branches
            .iter()
            .map(|b| (self.condition(&b.condition, scope, next), self.expr(&b.value, scope, next)))
            .collect();
        let Some((last_condition, last)) = lowered.last() else { return Value::unknown() };
        let mut ty = lowered[0].1.ty.clone();
        for ((_, value), branch) in lowered.iter().zip(branches).skip(1) {
            match ty.join(&value.ty) {
                Some(joined) => ty = joined,
                None => {
                    let message = format!("illegal types of `case` list elements: {ty} and {}", value.ty);
                    return self.wrong(branch.value.span, message);
                }
            }
        }
        if lowered.iter().any(|(c, v)| c.is_unknown() || v.is_unknown()) {
            return Value::unknown();
        }
        let mut result = Value { ty: ty.clone(), ..last.clone() };
        if let Some(condition) = last_condition.term() {
            let open = self.relation.terms.not(condition);
            let missing = self.fault(Failure::CaseNotExhaustive, span, open);
            let terms = &mut self.relation.terms;
            let inside = last.faults.clone().under(condition, terms);
            result.faults = last_condition.faults.clone().or(inside, terms).or(missing, terms);
        }
        for (condition, value) in lowered.iter().rev().skip(1) {
            let Some(test) = condition.term() else { return Value::unknown() };
            let shape = self.choose(test, value, &result);
            let faults = self.branch_faults(&condition.faults, test, value.faults.clone(), result.faults);
            result = Value { ty: ty.clone(), shape, faults };
        }
        result
    }
}
