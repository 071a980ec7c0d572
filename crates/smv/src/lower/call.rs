//! Functions of the language.

use lurcher_ir::relation::{BinaryTerm, TermId, UnaryTerm, WordShape};
use lurcher_syntax::Span;

use super::Lowering;
use super::names::InstanceId;
use super::types::{BOOLEAN, INTEGER, Kind, Type};
use super::value::{Shape, Value};
use crate::ast::{BinaryOp, Expr, Function};

impl Lowering<'_> {
    pub(super) fn call(
        &mut self,
        function: Function,
        arguments: &[Expr],
        scope: InstanceId,
        next: bool,
        span: Span,
    ) -> Value {
        match function {
            Function::UwConst | Function::SwConst => return self.constant_word(function, arguments, scope),
            Function::Read | Function::Write => {
                return self.wrong(span, "arrays indexed by words are not supported");
            }
            _ => {}
        }
        let values: Vec<Value> = arguments.iter().map(|a| self.expr(a, scope, next)).collect();
        if values.iter().any(Value::is_unknown) || function.arity().is_some_and(|n| n != values.len()) {
            return Value::unknown();
        }
        match function {
            Function::Count => self.count(&values, span),
            Function::Min | Function::Max => self.extreme(function, &values[0], &values[1], span),
            Function::Abs => self.absolute(&values[0], span),
            Function::Extend | Function::Resize => {
                self.change_width(function, values[0].clone(), &arguments[1], scope, span)
            }
            _ => self.conversion(function, values[0].clone(), span),
        }
    }

    fn wrong_operand(&mut self, function: Function, value: &Value, span: Span) -> Value {
        self.wrong(span, format!("illegal operand type of `{}`: {}", function.name(), value.ty))
    }

    fn conversion(&mut self, function: Function, value: Value, span: Span) -> Value {
        let Some(term) = value.term() else { return self.wrong_operand(function, &value, span) };
        let terms = &mut self.relation.terms;
        let (ty, term) = match (function, &value.ty) {
            // NuSMV drops this cast before type checking, but not in definitions and specifications.
            (Function::Bool, Type::One(Kind::Boolean)) if !self.in_specification && !self.in_definition => {
                (BOOLEAN, term)
            }
            (Function::Bool, Type::One(Kind::Integer) | Type::Word(WordShape { width: 1, signed: false })) => {
                let zero = terms.is(term, 0);
                (BOOLEAN, terms.not(zero))
            }
            (Function::Word1, Type::One(Kind::Boolean)) => (Type::word(1, false), term),
            (Function::ToInt, Type::One(Kind::Boolean | Kind::Integer)) => (INTEGER, term),
            (Function::ToInt, Type::Word(shape)) => {
                if shape.width > if shape.signed { 32 } else { 31 } {
                    let message = "`toint` takes unsigned words of up to 31 bits and signed ones of up to 32";
                    return self.wrong(span, message);
                }
                (INTEGER, term)
            }
            (Function::Signed, Type::Word(shape)) if !shape.signed => self.reread(*shape, term),
            (Function::Unsigned, Type::Word(shape)) if shape.signed => self.reread(*shape, term),
            (Function::SizeOf, Type::Word(shape)) => (INTEGER, terms.value(i64::from(shape.width))),
            _ => return self.wrong_operand(function, &value, span),
        };
        Value { ty, shape: Shape::Term(term), faults: value.faults }
    }

    /// The same bits with the other sign.
    fn reread(&mut self, shape: WordShape, term: TermId) -> (Type, TermId) {
        let other = WordShape { signed: !shape.signed, ..shape };
        (Type::Word(other), self.wrap(other, term))
    }

    fn count(&mut self, values: &[Value], span: Span) -> Value {
        if let Some(wrong) = values.iter().find(|v| v.ty != BOOLEAN) {
            return self.wrong_operand(Function::Count, wrong, span);
        }
        let mut numbers = values.iter().map(|v| Value { ty: INTEGER, ..v.clone() });
        let Some(first) = numbers.next() else { return Value::unknown() };
        numbers.fold(first, |sum, number| self.binary(BinaryOp::Add, sum, number, span))
    }

    fn extreme(&mut self, function: Function, a: &Value, b: &Value, span: Span) -> Value {
        let op = if function == Function::Min { BinaryOp::Lt } else { BinaryOp::Gt };
        let test = self.binary(op, a.clone(), b.clone(), span);
        self.conditional(test, a.clone(), b.clone(), span)
    }

    fn absolute(&mut self, value: &Value, span: Span) -> Value {
        let (Type::One(Kind::Integer), Some(term)) = (&value.ty, value.term()) else {
            return self.wrong_operand(Function::Abs, value, span);
        };
        let terms = &mut self.relation.terms;
        let zero = terms.value(0);
        let negative = terms.binary(BinaryTerm::Lt, term, zero);
        let minus = terms.unary(UnaryTerm::Minus, term);
        let term = terms.ite(negative, minus, term);
        Value { shape: Shape::Term(term), ..value.clone() }
    }

    fn change_width(&mut self, function: Function, value: Value, by: &Expr, scope: InstanceId, span: Span) -> Value {
        let (Type::Word(shape), Some(term)) = (&value.ty, value.term()) else {
            return self.wrong_operand(function, &value, span);
        };
        let Some(amount) = self.constant(by, scope) else { return Value::unknown() };
        let width = if function == Function::Extend { i64::from(shape.width) + amount.max(-1) } else { amount };
        let short = function == Function::Extend && amount < 0;
        let width = match u32::try_from(width) {
            Ok(width @ 1..=64) if !short => width,
            _ => {
                return self.wrong(by.span, format!("a word cannot get {amount} bits here: words have 1 to 64"));
            }
        };
        let term = self.resized(*shape, width, term);
        let ty = Type::word(width, shape.signed);
        Value { ty, shape: Shape::Term(term), faults: value.faults }
    }

    /// `uwconst(value, width)` and `swconst(value, width)`.
    fn constant_word(&mut self, function: Function, arguments: &[Expr], scope: InstanceId) -> Value {
        let [value, width] = arguments else { return Value::unknown() };
        let (number, bits) = (self.constant(value, scope), self.width(width, scope));
        let (Some(number), Some(bits)) = (number, bits) else { return Value::unknown() };
        let shape = WordShape { width: bits, signed: function == Function::SwConst };
        // NuSMV accepts a negative number for an unsigned word if it fits into a signed one.
        let signed = WordShape { signed: true, ..shape };
        let fits = shape.wrap(number) == number || (number < 0 && signed.wrap(number) == number);
        if !fits {
            return self.wrong(value.span, format!("{number} does not fit into {bits} bits"));
        }
        Value::new(Type::Word(shape), self.relation.terms.value(shape.wrap(number)))
    }
}
