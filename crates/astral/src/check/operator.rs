//! Binary operators.

use lurcher_syntax::{Diagnostic, Span};

use super::Checker;
use crate::ast::{BinaryOp, Expr, ExprKind, Operation, level};
use crate::checked::{Owner, ProcessId, TermId, TermKind, Type};

/// The kind of value that an operator of lists or sets works on.
fn collection(op: BinaryOp) -> Option<&'static str> {
    match op.level() {
        level::CONCAT => Some("lists"),
        level::MEMBER | level::INCLUSION | level::UNION | level::INTERSECTION => Some("sets"),
        _ => None,
    }
}

impl Checker {
    /// Operators of one level, from left to right. All operands are checked, also after an error.
    pub(super) fn chain(&mut self, first: &Expr, operations: &[Operation]) -> Option<TermId> {
        if let [Operation { op: BinaryOp::Eq, negated, operand, .. }] = operations
            && (is_id_type(first) || is_id_type(operand))
        {
            return self.id_type(first, operand, *negated);
        }
        if let Some(kind) = collection(operations[0].op) {
            return self.refuse(operations[0].span, format!("{kind} are not supported"));
        }
        if let [Operation { op: BinaryOp::Becomes, operand, span, .. }] = operations {
            return self.becomes(first, operand, *span);
        }
        let mut left = self.expr(first);
        for Operation { op, negated, operand, span } in operations {
            let right = self.expr(operand);
            left = match (left, right) {
                (Some(a), Some(b)) => self.operation(*op, *negated, a, b, *span),
                _ => None,
            };
        }
        left
    }

    fn operation(&mut self, op: BinaryOp, negated: bool, a: TermId, b: TermId, at: Span) -> Option<TermId> {
        let ty = match op.level() {
            level::ALT => {
                self.in_exit("`ALT`", at)?;
                self.booleans(a, b)
            }
            level::IFF | level::IMPLIES | level::OR | level::AND => self.booleans(a, b),
            level::RELATION => self.relation(op, a, b, at),
            _ => self.arithmetic(op, a, b),
        }?;
        let terms = &self.specification.terms;
        let span = terms[a].span.to(terms[b].span);
        let term = self.add(TermKind::Binary(op, a, b), ty, span)?;
        if negated { self.add(TermKind::Not(term), Type::Boolean, span) } else { Some(term) }
    }

    fn booleans(&mut self, a: TermId, b: TermId) -> Option<Type> {
        let (a, b) = (self.expect_type(a, Type::Boolean), self.expect_type(b, Type::Boolean));
        a.and(b).and(Some(Type::Boolean))
    }

    fn relation(&mut self, op: BinaryOp, a: TermId, b: TermId, at: Span) -> Option<Type> {
        if op != BinaryOp::Eq {
            let (a, b) = (self.expect_number(a), self.expect_number(b));
            return a.and(b).and(Some(Type::Boolean));
        }
        let (left, right) = (self.ty(a), self.ty(b));
        if self.agree(left, right) {
            return Some(Type::Boolean);
        }
        let (left, right) = (self.type_text(left), self.type_text(right));
        let error = Diagnostic::error(at, format!("values of {left} and {right} cannot be compared"));
        let negation = matches!(self.specification.terms[a].kind, TermKind::Not(_));
        let note = "`~` binds tighter than relations: write `~(x = y)` or `x ~= y`";
        self.report(if negation { error.note(note) } else { error });
        None
    }

    fn arithmetic(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<Type> {
        let (a, b) = (self.expect_number(a), self.expect_number(b));
        let (a, b) = (a?, b?);
        let bases = [a, b].map(|term| self.specification.base(self.ty(term)));
        let whole = matches!(op, BinaryOp::IntegerDiv | BinaryOp::Mod);
        for (term, base) in [a, b].into_iter().zip(bases) {
            if whole && base == Type::Real {
                let (span, ty) = (self.specification.terms[term].span, self.ty(term));
                return self.wrong_type(span, &format!("an operand of `{}` of type `INTEGER`", op.symbol()), ty);
            }
        }
        let integers = bases == [Type::Integer; 2] && op != BinaryOp::Div;
        Some(if whole || integers { Type::Integer } else { Type::Real })
    }

    /// `IDTYPE(a) = process`.
    fn id_type(&mut self, left: &Expr, right: &Expr, negated: bool) -> Option<TermId> {
        let span = left.span.to(right.span);
        let (inner, name) = match (&left.kind, &right.kind) {
            (ExprKind::IdType(_), ExprKind::IdType(_)) => {
                return self.refuse(span, "`IDTYPE(…)` is only compared with the name of a process");
            }
            (ExprKind::IdType(inner), _) => (inner, right),
            (_, ExprKind::IdType(inner)) => (inner, left),
            _ => unreachable!("one side is `IDTYPE(…)`"),
        };
        let inner = self.expr(inner);
        let process = self.process_name(name);
        let (inner, process) = (self.expect_type(inner?, Type::Id)?, process?);
        let term = self.add(TermKind::IsOf(inner, process), Type::Boolean, span)?;
        if negated { self.add(TermKind::Not(term), Type::Boolean, span) } else { Some(term) }
    }

    fn process_name(&mut self, name: &Expr) -> Option<ProcessId> {
        let process = match &name.kind {
            ExprKind::Name(applied) if !applied.primed && applied.arguments.is_empty() => Some(&applied.name),
            _ => None,
        };
        let Some(ident) = process else {
            return self.refuse(name.span, "`IDTYPE(…)` is only compared with the name of a process");
        };
        self.process_type(ident)
    }

    /// `variable BECOMES value`.
    fn becomes(&mut self, variable: &Expr, value: &Expr, at: Span) -> Option<TermId> {
        let inside = self.in_exit("`BECOMES`", at);
        let target = self.own_variable(variable, "`BECOMES`");
        let value = self.expr(value);
        let (target, value) = (inside.and(target)?, value?);
        let value = self.expect_type(value, self.ty(target))?;
        let span = variable.span.to(self.specification.terms[value].span);
        self.add(TermKind::Becomes(target, value), Type::Boolean, span)
    }

    /// `NOCHANGE(variables)`.
    pub(super) fn no_change(&mut self, variables: &[Expr], span: Span) -> Option<TermId> {
        self.in_exit("`NOCHANGE`", span)?;
        let checked: Vec<_> = variables.iter().map(|v| self.own_variable(v, "`NOCHANGE`")).collect();
        let checked: Option<Vec<TermId>> = checked.into_iter().collect();
        self.add(TermKind::NoChange(checked?), Type::Boolean, span)
    }

    /// A variable of the process itself, without a prime.
    fn own_variable(&mut self, expr: &Expr, what: &str) -> Option<TermId> {
        let term = self.expr(expr)?;
        match self.specification.terms[term].kind {
            TermKind::Variable { owner: Owner::Own, primed: false, .. } => Some(term),
            TermKind::Variable { owner: Owner::Own, primed: true, .. } => {
                self.refuse(expr.span, format!("{what} names a variable without a prime"))
            }
            TermKind::Variable { .. } => {
                self.refuse(expr.span, format!("{what} names a variable of the process itself, not of another one"))
            }
            _ => self.refuse(expr.span, format!("{what} names a variable")),
        }
    }
}

fn is_id_type(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::IdType(_))
}
