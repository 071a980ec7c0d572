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
        let below = match &expr.kind {
            ExprKind::Next(inner) => return self.next(expr.span, inner, class, in_next),
            ExprKind::Ctl(..) | ExprKind::CtlUntil(..) => return self.temporal(expr, ExprClass::Ctl, class),
            ExprKind::Ltl(..) => return self.temporal(expr, ExprClass::Ltl, class),
            ExprKind::Chain(_, operations) => match operations[0].op.level() {
                level::LTL_BINARY if class != ExprClass::Ltl => return self.temporal(expr, ExprClass::Ltl, class),
                level if level <= level::LTL_BINARY => class,
                _ => class.below_values(),
            },
            ExprKind::Unary(..) | ExprKind::Implies(..) => class,
            ExprKind::Select(base, selectors) => return self.selection(base, selectors, class.below_values(), in_next),
            _ => class.below_values(),
        };
        expr.operands().into_iter().for_each(|e| self.expr(e, below, in_next));
    }

    fn selection(&mut self, base: &Expr, selectors: &[Selector], values: ExprClass, in_next: bool) {
        self.expr(base, values, in_next);
        for selector in selectors {
            let class = if let Selector::Bits(..) = selector { ExprClass::Simple } else { values };
            selector.operands().into_iter().for_each(|e| self.expr(e, class, in_next));
        }
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

    fn temporal(&mut self, expr: &Expr, own: ExprClass, class: ExprClass) {
        if own == class {
            expr.operands().into_iter().for_each(|e| self.expr(e, class, false));
        } else {
            let what = if own == ExprClass::Ctl { "a CTL operator" } else { "an LTL operator" };
            self.found.push((expr.span, what, Some(own)));
        }
    }
}
