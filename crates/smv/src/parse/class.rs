//! Where operators are allowed.
//!
//! NuSMV has one grammar for all expressions and checks afterwards which operators occur. Operands of value operators
//! (`+`, `=`, `case`, `?:`, calls) have no temporal operators, and `next` is not nested.

use lurcher_syntax::{Diagnostic, Span};

use super::cursor::Parser;
use crate::ast::{Expr, ExprKind, Selector, level};

/// The operators that an expression may contain besides those on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExprClass {
    /// None: the expression is about one state.
    Simple,
    /// `next`: the expression is about one transition.
    Next,
    /// CTL operators.
    Ctl,
    /// LTL operators and `next`.
    Ltl,
}

impl ExprClass {
    /// The class of the operands of a value operator.
    fn below_values(self) -> ExprClass {
        match self {
            ExprClass::Simple | ExprClass::Ctl => ExprClass::Simple,
            ExprClass::Next | ExprClass::Ltl => ExprClass::Next,
        }
    }
}

impl Parser<'_> {
    /// Reports every operator in `expr` that its class excludes; `place` is part of the message.
    pub(super) fn check_class(&mut self, expr: &Expr, class: ExprClass, place: &str) {
        let mut check = Check { found: Vec::new() };
        check.expr(expr, class, false);
        for (span, what, allowed_in) in check.found {
            let message = match allowed_in == Some(class) {
                true => format!("{what} cannot be an operand of arithmetic, comparisons, sets, `?:` or `case`"),
                false => format!("{what} cannot be used {place}"),
            };
            self.report(Diagnostic::error(span, message));
        }
    }
}

struct Check {
    /// Misplaced operators, with their class.
    found: Vec<(Span, &'static str, Option<ExprClass>)>,
}

impl Check {
    fn expr(&mut self, expr: &Expr, class: ExprClass, in_next: bool) {
        let values = class.below_values();
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::SelfRef | ExprKind::Boolean(_) | ExprKind::Integer(_) => {}
            ExprKind::Word(_) | ExprKind::Range(_) => {}
            ExprKind::Select(base, selectors) => self.selection(base, selectors, values, in_next),
            ExprKind::Unary(_, inner) => self.expr(inner, class, in_next),
            ExprKind::Chain(..) => self.chain(expr, class, in_next),
            ExprKind::Implies(a, b) => self.all([a, b], class, in_next),
            ExprKind::Conditional(c, a, b) => self.all([c, a, b], values, in_next),
            ExprKind::Case(branches) => {
                let both = branches.iter().flat_map(|b| [&b.condition, &b.value]);
                both.for_each(|e| self.expr(e, values, in_next));
            }
            ExprKind::Set(list) | ExprKind::Call(_, list) => list.iter().for_each(|e| self.expr(e, values, in_next)),
            ExprKind::ConstArray(_, value) => self.expr(value, values, in_next),
            ExprKind::Next(inner) => self.next(expr.span, inner, class, in_next),
            ExprKind::Ctl(.., inner) => self.temporal(expr.span, &[inner], ExprClass::Ctl, class),
            ExprKind::CtlUntil(.., a, b) => self.temporal(expr.span, &[a, b], ExprClass::Ctl, class),
            ExprKind::Ltl(.., inner) => self.temporal(expr.span, &[inner], ExprClass::Ltl, class),
        }
    }

    fn all<'e>(&mut self, list: impl IntoIterator<Item = &'e Box<Expr>>, class: ExprClass, in_next: bool) {
        list.into_iter().for_each(|e| self.expr(e, class, in_next));
    }

    fn selection(&mut self, base: &Expr, selectors: &[Selector], values: ExprClass, in_next: bool) {
        self.expr(base, values, in_next);
        for selector in selectors {
            match selector {
                Selector::Field(_) | Selector::Number(..) => {}
                Selector::Index(index) => self.expr(index, values, in_next),
                Selector::Bits(high, low) => self.all([high, low], ExprClass::Simple, in_next),
            }
        }
    }

    fn chain(&mut self, expr: &Expr, class: ExprClass, in_next: bool) {
        let ExprKind::Chain(first, operations) = &expr.kind else { return };
        let below = match operations[0].op.level() {
            level::LTL_BINARY if class != ExprClass::Ltl => {
                self.found.push((expr.span, "an LTL operator", Some(ExprClass::Ltl)));
                return;
            }
            level if level <= level::LTL_BINARY => class,
            _ => class.below_values(),
        };
        self.expr(first, below, in_next);
        operations.iter().for_each(|o| self.expr(&o.operand, below, in_next));
    }

    fn next(&mut self, span: Span, inner: &Expr, class: ExprClass, in_next: bool) {
        if in_next {
            self.found.push((span, "`next` inside `next`", None));
        } else if matches!(class, ExprClass::Simple | ExprClass::Ctl) {
            self.found.push((span, "`next`", None));
        } else {
            self.expr(inner, ExprClass::Next, true);
        }
    }

    fn temporal(&mut self, span: Span, operands: &[&Expr], own: ExprClass, class: ExprClass) {
        if own == class {
            operands.iter().for_each(|e| self.expr(e, class, false));
        } else if own == ExprClass::Ctl {
            self.found.push((span, "a CTL operator", Some(own)));
        } else {
            self.found.push((span, "an LTL operator", Some(own)));
        }
    }
}
