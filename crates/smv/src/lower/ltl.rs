//! LTL with past operators. Bounded operators are unfolded.

use lurcher_ir::relation::{Term, TermId, VariableId};
use lurcher_ir::{Atom, Formula, PropertyKind};
use lurcher_syntax::Span;

use super::constrain::Place;
use super::ctl::is_temporal;
use super::names::InstanceId;
use super::{Lowering, limits};
use crate::ast::{BinaryOp, Bounds, Expr, ExprKind, LtlOp, UnaryOp};

type Step = fn(Box<Formula>) -> Formula;
type Join = fn(Box<Formula>, Box<Formula>) -> Formula;

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

fn both(join: Join, a: Formula, b: Formula) -> Formula {
    join(Box::new(a), Box::new(b))
}

/// `a` at one or all of the steps from `low` to `high`, in the direction of `step`.
fn unfolded(step: Step, join: Join, low: i64, high: i64, a: Formula) -> Formula {
    let mut formula = a.clone();
    for _ in low..high {
        formula = both(join, a.clone(), step(Box::new(formula)));
    }
    for _ in 0..low {
        formula = step(Box::new(formula));
    }
    formula
}

fn atom(atoms: &mut Vec<Atom>, term: TermId) -> Formula {
    Formula::atom(atoms, Atom::Term(term))
}

impl Lowering<'_> {
    pub(super) fn ltl(&mut self, expr: &Expr, scope: InstanceId) -> Option<PropertyKind> {
        let mut atoms = Vec::new();
        let formula = self.linear(expr, scope, &mut atoms)?;
        Some(PropertyKind::Ltl { formula, atoms })
    }

    fn linear(&mut self, expr: &Expr, scope: InstanceId, atoms: &mut Vec<Atom>) -> Option<Formula> {
        match &expr.kind {
            _ if !is_temporal(expr) => self.ltl_atom(expr, scope, atoms),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(not(self.linear(inner, scope, atoms)?)),
            ExprKind::Implies(a, b) => {
                let (a, b) = (self.linear(a, scope, atoms), self.linear(b, scope, atoms));
                Some(both(Formula::Or, not(a?), b?))
            }
            ExprKind::Chain(first, operations) => {
                let mut left = self.linear(first, scope, atoms);
                for operation in operations {
                    let right = self.linear(&operation.operand, scope, atoms);
                    left = left.zip(right).map(|(a, b)| connect(operation.op, a, b));
                }
                left
            }
            ExprKind::Ltl(op, bounds, inner) => {
                let (bounds, inner) = added(*op, *bounds, inner);
                let inner = self.linear(inner, scope, atoms);
                match bounds {
                    Some(bounds) => self.bounded(*op, bounds, inner?, expr.span),
                    None => Some(simple(*op, inner?)),
                }
            }
            _ => self.refuse(expr.span, "a temporal operator cannot be used here"),
        }
    }

    /// A formula without temporal operators. Next values are expressed with `X`.
    fn ltl_atom(&mut self, expr: &Expr, scope: InstanceId, atoms: &mut Vec<Atom>) -> Option<Formula> {
        let term = self.boolean_expr(expr, scope, Place::Step, "LTL")?;
        let support = self.relation.terms.support(term);
        if support.next.is_empty() {
            return Some(atom(atoms, term));
        }
        self.by_next(term, expr.span, atoms)
    }

    /// A formula about a step: a disjunction over all combinations of next values.
    fn by_next(&mut self, term: TermId, span: Span, atoms: &mut Vec<Atom>) -> Option<Formula> {
        let support = self.relation.terms.support(term);
        if support.current.is_empty() {
            let now = self.unprimed(term);
            return Some(Formula::Next(Box::new(atom(atoms, now))));
        }
        let sizes = support.next.iter().map(|v| self.relation.variable(*v).domain.size());
        let all = sizes.fold(1u64, u64::saturating_mul);
        if all > limits::NEXT_VALUES {
            return self.refuse(span, "`next` over so many values is not supported in LTL; write `X` instead");
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
        let mut formula: Option<Formula> = None;
        for (now, after) in cases {
            if self.relation.terms.constant(now) == Some(0) {
                continue;
            }
            let after = Formula::Next(Box::new(atom(atoms, self.relation.terms.all(after))));
            let case = match self.relation.terms.constant(now) {
                Some(_) => after,
                None => both(Formula::And, atom(atoms, now), after),
            };
            formula = Some(match formula {
                Some(others) => both(Formula::Or, others, case),
                None => case,
            });
        }
        let never = self.relation.terms.truth(false);
        Some(formula.unwrap_or_else(|| atom(atoms, never)))
    }

    /// Replaces next values by current ones.
    fn unprimed(&mut self, term: TermId) -> TermId {
        self.relation.terms.rewrite(term, &mut |terms, part| match part {
            Term::Next(variable) => Some(terms.current(*variable)),
            _ => None,
        })
    }

    /// Replaces a next value by a constant.
    fn with_next(&mut self, term: TermId, variable: VariableId, value: i64) -> TermId {
        self.relation.terms.substitute(term, &Term::Next(variable), value)
    }

    fn bounded(&mut self, op: LtlOp, bounds: Bounds, inner: Formula, span: Span) -> Option<Formula> {
        let Bounds { lower, upper } = bounds;
        if lower > upper || upper > limits::LTL_BOUND {
            let message = match lower > upper {
                true => format!("[{lower}, {upper}] is not a range of steps"),
                false => format!("LTL operators with bounds beyond {} are not supported", limits::LTL_BOUND),
            };
            return self.refuse(span, message);
        }
        Some(match op {
            LtlOp::Finally => unfolded(Formula::Next, Formula::Or, lower, upper, inner),
            LtlOp::Globally => unfolded(Formula::Next, Formula::And, lower, upper, inner),
            LtlOp::Once => unfolded(Formula::Previous, Formula::Or, lower, upper, inner),
            // In NuSMV the states must exist: if the past is shorter than the bounds, `H` is false.
            LtlOp::Historically => unfolded(Formula::Previous, Formula::And, lower, upper, inner),
            other => simple(other, inner),
        })
    }
}

/// Adds the bounds of operators of one kind that stand directly within one another: `G [0, 3] G [0, 3] p` is `G [0, 6] p`.
/// Unfolded one by one, they would grow exponentially.
fn added(op: LtlOp, bounds: Option<Bounds>, mut inner: &Expr) -> (Option<Bounds>, &Expr) {
    let is_range = |b: Bounds| b.lower <= b.upper && b.upper <= limits::LTL_BOUND;
    let Some(mut sum) = bounds.filter(|b| is_range(*b)) else { return (bounds, inner) };
    while let ExprKind::Ltl(other, Some(more), rest) = &inner.kind
        && *other == op
        && is_range(*more)
    {
        let next = Bounds { lower: sum.lower + more.lower, upper: sum.upper + more.upper };
        if !is_range(next) {
            break;
        }
        (sum, inner) = (next, rest);
    }
    (Some(sum), inner)
}

fn simple(op: LtlOp, inner: Formula) -> Formula {
    let inner = Box::new(inner);
    match op {
        LtlOp::Next => Formula::Next(inner),
        LtlOp::Finally => Formula::Eventually(inner),
        LtlOp::Globally => Formula::Always(inner),
        LtlOp::Previous => Formula::Previous(inner),
        LtlOp::NotPreviousNot => Formula::WeakPrevious(inner),
        LtlOp::Historically => Formula::Historically(inner),
        LtlOp::Once => Formula::Once(inner),
    }
}

fn connect(op: BinaryOp, a: Formula, b: Formula) -> Formula {
    match op {
        BinaryOp::And => both(Formula::And, a, b),
        BinaryOp::Or => both(Formula::Or, a, b),
        BinaryOp::Until => both(Formula::Until, a, b),
        BinaryOp::Since => both(Formula::Since, a, b),
        BinaryOp::Releases => both(Formula::Release, a, b),
        BinaryOp::Triggered => both(Formula::Triggered, a, b),
        BinaryOp::Xor => not(both(Formula::Iff, a, b)),
        _ => both(Formula::Iff, a, b),
    }
}
