//! CTL, by the operators of the model form.

use lurcher_ir::{Ctl, TimeBounds};
use lurcher_syntax::Span;

use super::Lowering;
use super::constrain::Place;
use super::names::InstanceId;
use crate::ast::{BinaryOp, Bounds, Expr, ExprKind, PathOp, Quantifier, UnaryOp};

fn not(formula: Ctl) -> Ctl {
    match formula {
        Ctl::Not(inner) => *inner,
        other => Ctl::Not(Box::new(other)),
    }
}

fn and(a: Ctl, b: Ctl) -> Ctl {
    Ctl::And(Box::new(a), Box::new(b))
}

fn or(a: Ctl, b: Ctl) -> Ctl {
    Ctl::Or(Box::new(a), Box::new(b))
}

fn until(bounds: Option<TimeBounds>, a: Ctl, b: Ctl) -> Ctl {
    match bounds {
        None => Ctl::ExistsUntil(Box::new(a), Box::new(b)),
        Some(bounds) => Ctl::ExistsUntilWithin(bounds, Box::new(a), Box::new(b)),
    }
}

fn globally(bounds: Option<TimeBounds>, a: Ctl) -> Ctl {
    match bounds {
        None => Ctl::ExistsGlobally(Box::new(a)),
        Some(bounds) => Ctl::ExistsGloballyWithin(bounds, Box::new(a)),
    }
}

fn within(low: u32, high: u32) -> Option<TimeBounds> {
    Some(TimeBounds { low, high })
}

/// Whether a formula has a temporal operator.
pub(super) fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Ctl(..) | ExprKind::CtlUntil(..) | ExprKind::Ltl(..) => true,
        ExprKind::Unary(_, inner) => is_temporal(inner),
        ExprKind::Implies(a, b) => is_temporal(a) || is_temporal(b),
        ExprKind::Chain(first, operations) => {
            let op = operations[0].op;
            let own = matches!(op, BinaryOp::Until | BinaryOp::Since | BinaryOp::Releases | BinaryOp::Triggered);
            own || is_temporal(first) || operations.iter().any(|o| is_temporal(&o.operand))
        }
        _ => false,
    }
}

impl Lowering<'_> {
    pub(super) fn ctl(&mut self, expr: &Expr, scope: InstanceId) -> Option<Ctl> {
        if !is_temporal(expr) {
            return Some(Ctl::Atom(self.boolean_expr(expr, scope, Place::State, "CTL")?));
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => Some(not(self.ctl(inner, scope)?)),
            ExprKind::Implies(a, b) => {
                let (a, b) = (self.ctl(a, scope), self.ctl(b, scope));
                Some(or(not(a?), b?))
            }
            ExprKind::Chain(first, operations) => {
                let mut left = self.ctl(first, scope);
                for operation in operations {
                    let right = self.ctl(&operation.operand, scope);
                    left = left.zip(right).map(|(a, b)| connect(operation.op, a, b));
                }
                left
            }
            ExprKind::Ctl(quantifier, op, bounds, inner) => {
                let inner = self.ctl(inner, scope);
                let bounds = self.time_bounds(*bounds, expr.span)?;
                Some(self.path_formula(*quantifier, *op, bounds, inner?))
            }
            ExprKind::CtlUntil(quantifier, bounds, a, b) => {
                let (a, b) = (self.ctl(a, scope), self.ctl(b, scope));
                let bounds = self.time_bounds(*bounds, expr.span)?;
                Some(match quantifier {
                    Quantifier::Exists => until(bounds, a?, b?),
                    Quantifier::All => self.all_until(bounds, a?, b?),
                })
            }
            _ => self.refuse(expr.span, "a temporal operator cannot be used here"),
        }
    }

    /// The bounds of an operator, if any; `None` if they are wrong.
    fn time_bounds(&mut self, bounds: Option<Bounds>, span: Span) -> Option<Option<TimeBounds>> {
        let Some(Bounds { lower, upper }) = bounds else { return Some(None) };
        match (u32::try_from(lower), u32::try_from(upper)) {
            (Ok(low), Ok(high)) if low <= high => Some(within(low, high)),
            _ => self.refuse(span, format!("{lower}..{upper} is not a range of steps")),
        }
    }

    fn truth(&mut self) -> Ctl {
        Ctl::Atom(self.relation.terms.truth(true))
    }

    fn path_formula(&mut self, quantifier: Quantifier, op: PathOp, bounds: Option<TimeBounds>, inner: Ctl) -> Ctl {
        match (quantifier, op) {
            (Quantifier::Exists, PathOp::Next) => Ctl::ExistsNext(Box::new(inner)),
            (Quantifier::Exists, PathOp::Finally) => until(bounds, self.truth(), inner),
            (Quantifier::Exists, PathOp::Globally) => globally(bounds, inner),
            (Quantifier::All, PathOp::Next) => not(Ctl::ExistsNext(Box::new(not(inner)))),
            (Quantifier::All, PathOp::Finally) => not(globally(bounds, not(inner))),
            (Quantifier::All, PathOp::Globally) => not(until(bounds, self.truth(), not(inner))),
        }
    }

    /// `A [a U b]` fails on a run without `b`, and on one where `a` fails before `b`.
    fn all_until(&mut self, bounds: Option<TimeBounds>, a: Ctl, b: Ctl) -> Ctl {
        let (not_a, not_b) = (not(a), not(b));
        let neither = and(not_a.clone(), not_b.clone());
        let Some(TimeBounds { low, high }) = bounds else {
            let stuck = until(None, not_b.clone(), neither);
            return not(or(stuck, globally(None, not_b)));
        };
        let length = high - low;
        let mut wrong = globally(within(0, length), not_b.clone());
        if length > 0 {
            wrong = or(until(within(0, length - 1), not_b, neither), wrong);
        }
        if low > 0 {
            let later = until(within(low, low), self.truth(), wrong);
            wrong = or(until(within(0, low - 1), self.truth(), not_a), later);
        }
        not(wrong)
    }
}

/// A connective between formulas.
fn connect(op: BinaryOp, a: Ctl, b: Ctl) -> Ctl {
    match op {
        BinaryOp::And => and(a, b),
        BinaryOp::Or => or(a, b),
        BinaryOp::Xor => not(equal(a, b)),
        _ => equal(a, b),
    }
}

fn equal(a: Ctl, b: Ctl) -> Ctl {
    or(and(a.clone(), b.clone()), and(not(a), not(b)))
}
