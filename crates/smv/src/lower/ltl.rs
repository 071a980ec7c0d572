//! LTL with past operators. Bounded ones are written out.

use lurcher_ir::relation::{Temporal, TermId};
use lurcher_syntax::Span;

use super::constrain::Place;
use super::ctl::is_temporal;
use super::names::InstanceId;
use super::{Lowering, limits};
use crate::ast::{BinaryOp, Bounds, Expr, ExprKind, LtlOp, UnaryOp};

type Step = fn(Box<Temporal>) -> Temporal;
type Join = fn(Box<Temporal>, Box<Temporal>) -> Temporal;

fn not(formula: Temporal) -> Temporal {
    Temporal::Not(Box::new(formula))
}

fn both(join: Join, a: Temporal, b: Temporal) -> Temporal {
    join(Box::new(a), Box::new(b))
}

/// `a` at one or all of the steps from `low` to `high`, as `step` goes.
fn unfolded(step: Step, join: Join, low: i64, high: i64, a: Temporal) -> Temporal {
    let mut formula = a.clone();
    for _ in low..high {
        formula = both(join, a.clone(), step(Box::new(formula)));
    }
    for _ in 0..low {
        formula = step(Box::new(formula));
    }
    formula
}

impl Lowering<'_> {
    pub(super) fn ltl(&mut self, expr: &Expr, scope: InstanceId) -> Option<Temporal> {
        match &expr.kind {
            _ if !is_temporal(expr) => self.ltl_atom(expr, scope),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(not(self.ltl(inner, scope)?)),
            ExprKind::Implies(a, b) => {
                let (a, b) = (self.ltl(a, scope), self.ltl(b, scope));
                Some(both(Temporal::Or, not(a?), b?))
            }
            ExprKind::Chain(first, operations) => {
                let mut left = self.ltl(first, scope);
                for operation in operations {
                    let right = self.ltl(&operation.operand, scope);
                    left = left.zip(right).map(|(a, b)| connect(operation.op, a, b));
                }
                left
            }
            ExprKind::Ltl(op, bounds, inner) => {
                let inner = self.ltl(inner, scope);
                match bounds {
                    Some(bounds) => self.bounded(*op, *bounds, inner?, expr.span),
                    None => Some(simple(*op, inner?)),
                }
            }
            _ => {
                self.error(expr.span, "a temporal operator cannot be used here");
                None
            }
        }
    }

    /// A formula without temporal operators. Where it speaks of the next state, that is said by `X`.
    fn ltl_atom(&mut self, expr: &Expr, scope: InstanceId) -> Option<Temporal> {
        let term = self.claim(expr, scope, Place::Step, "LTL")?;
        let support = self.relation.terms.support(term);
        if support.next.is_empty() {
            return Some(Temporal::Atom(term));
        }
        self.by_next(term, expr.span)
    }

    /// A formula about a step: for each way the next state can be, what must be true now.
    fn by_next(&mut self, term: TermId, span: Span) -> Option<Temporal> {
        let support = self.relation.terms.support(term);
        if support.current.is_empty() {
            let now = self.unprimed(term);
            return Some(Temporal::Next(Box::new(Temporal::Atom(now))));
        }
        let sizes = support.next.iter().map(|v| self.relation.variable(*v).domain.size());
        let all = sizes.fold(1u64, u64::saturating_mul);
        if all > limits::NEXT_VALUES {
            self.error(span, "`next` over so many values is not supported in LTL; write `X` instead");
            return None;
        }
        let mut cases = vec![(term, Vec::new())];
        for &variable in &support.next {
            let values: Vec<i64> = self.relation.variable(variable).domain.values().collect();
            let mut more = Vec::new();
            for (term, fixed) in cases {
                for &value in &values {
                    let term = self.with_next(term, variable, value);
                    let mut fixed: Vec<TermId> = Clone::clone(&fixed);
                    let terms = &mut self.relation.terms;
                    let now = terms.current(variable);
                    fixed.push(terms.is(now, value));
                    more.push((term, fixed));
                }
            }
            cases = more;
        }
        let mut formula: Option<Temporal> = None;
        for (now, after) in cases {
            if self.relation.terms.constant(now) == Some(0) {
                continue;
            }
            let after = Temporal::Next(Box::new(Temporal::Atom(self.relation.terms.all(after))));
            let case = match self.relation.terms.constant(now) {
                Some(_) => after,
                None => both(Temporal::And, Temporal::Atom(now), after),
            };
            formula = Some(match formula {
                Some(others) => both(Temporal::Or, others, case),
                None => case,
            });
        }
        let never = Temporal::Atom(self.relation.terms.truth(false));
        Some(formula.unwrap_or(never))
    }

    /// Every next value as a current one.
    fn unprimed(&mut self, term: TermId) -> TermId {
        use lurcher_ir::relation::Term;
        self.relation.terms.rewrite(term, &mut |terms, part| match part {
            Term::Next(variable) => Some(terms.current(*variable)),
            _ => None,
        })
    }

    /// A value put in for a next value.
    fn with_next(&mut self, term: TermId, variable: lurcher_ir::relation::VariableId, value: i64) -> TermId {
        use lurcher_ir::relation::Term;
        self.relation.terms.rewrite(term, &mut |terms, part| match part {
            Term::Next(v) if *v == variable => Some(terms.value(value)),
            _ => None,
        })
    }

    fn bounded(&mut self, op: LtlOp, bounds: Bounds, inner: Temporal, span: Span) -> Option<Temporal> {
        let Bounds { lower, upper } = bounds;
        if lower > upper || upper > limits::LTL_BOUND {
            let message = match lower > upper {
                true => format!("[{lower}, {upper}] is not a range of steps"),
                false => format!("LTL operators with bounds beyond {} are not supported", limits::LTL_BOUND),
            };
            self.error(span, message);
            return None;
        }
        Some(match op {
            LtlOp::Finally => unfolded(Temporal::Next, Temporal::Or, lower, upper, inner),
            LtlOp::Globally => unfolded(Temporal::Next, Temporal::And, lower, upper, inner),
            LtlOp::Once => unfolded(Temporal::Previous, Temporal::Or, lower, upper, inner),
            // NuSMV wants the states to exist: where time is too short for the bounds, `H` is false.
            LtlOp::Historically => unfolded(Temporal::Previous, Temporal::And, lower, upper, inner),
            other => simple(other, inner),
        })
    }
}

fn simple(op: LtlOp, inner: Temporal) -> Temporal {
    let inner = Box::new(inner);
    match op {
        LtlOp::Next => Temporal::Next(inner),
        LtlOp::Finally => Temporal::Finally(inner),
        LtlOp::Globally => Temporal::Globally(inner),
        LtlOp::Previous => Temporal::Previous(inner),
        LtlOp::NotPreviousNot => Temporal::WeakPrevious(inner),
        LtlOp::Historically => Temporal::Historically(inner),
        LtlOp::Once => Temporal::Once(inner),
    }
}

fn connect(op: BinaryOp, a: Temporal, b: Temporal) -> Temporal {
    match op {
        BinaryOp::And => both(Temporal::And, a, b),
        BinaryOp::Or => both(Temporal::Or, a, b),
        BinaryOp::Until => both(Temporal::Until, a, b),
        BinaryOp::Since => both(Temporal::Since, a, b),
        BinaryOp::Releases => both(Temporal::Releases, a, b),
        BinaryOp::Triggered => both(Temporal::Triggered, a, b),
        BinaryOp::Xor => not(both(Temporal::Iff, a, b)),
        _ => both(Temporal::Iff, a, b),
    }
}
