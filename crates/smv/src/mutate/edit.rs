//! Faults of an expression.

use crate::ast::{BinaryOp, Branch, Expr, ExprKind, Operation, UnaryOp};
use crate::print_expr;

/// A fault of one expression. Names are indices of the names visible in its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Another name.
    Replace(usize),
    /// `& v` or `| v`, and whether `v` is negated.
    Insert(usize, BinaryOp, bool),
    /// An operand of a chain is missing.
    DropOperand(usize),
    /// `a -> b` became `b`.
    DropPremise,
    /// A branch of a `case` is missing.
    DropBranch(usize),
    /// The whole condition became `TRUE`.
    DropAll,
    /// The condition is negated.
    Negate,
}

impl Edit {
    /// The expression with the fault, and its description on one line.
    pub fn apply(self, expr: &Expr, names: &[Expr]) -> (Expr, String) {
        let with = |kind| Expr { kind, span: expr.span };
        let faulty = match (self, &expr.kind) {
            (Edit::Replace(name), _) => names[name].clone(),
            (Edit::Insert(name, op, negated), _) => {
                let name = if negated { negate(&names[name]) } else { names[name].clone() };
                with(insert(expr, op, name))
            }
            (Edit::DropOperand(at), ExprKind::Chain(first, operations)) => without_operand(first, operations, at),
            (Edit::DropPremise, ExprKind::Implies(_, conclusion)) => conclusion.as_ref().clone(),
            (Edit::DropBranch(at), ExprKind::Case(branches)) => {
                let mut left = branches.clone();
                let Branch { condition, value } = left.remove(at);
                let what = format!("branch `{} : {};` removed", print_expr(&condition), print_expr(&value));
                return (with(ExprKind::Case(left)), what);
            }
            (Edit::DropAll, _) => with(ExprKind::Boolean(true)),
            (Edit::Negate, _) => negate(expr),
            (edit, _) => unreachable!("{edit:?} is made for another kind of expression"),
        };
        let what = format!("`{}` became `{}`", print_expr(expr), print_expr(&faulty));
        (faulty, what)
    }
}

fn negate(expr: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => inner.as_ref().clone(),
        _ => Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(expr.clone())), span: expr.span },
    }
}

/// Appends an operand; a chain of the same operator stays flat.
fn insert(expr: &Expr, op: BinaryOp, operand: Expr) -> ExprKind {
    let added = Operation { op, operand };
    match &expr.kind {
        ExprKind::Chain(first, operations) if operations.iter().all(|o| o.op == op) => {
            let mut operations = operations.clone();
            operations.push(added);
            ExprKind::Chain(first.clone(), operations)
        }
        _ => ExprKind::Chain(Box::new(expr.clone()), vec![added]),
    }
}

fn without_operand(first: &Expr, operations: &[Operation], at: usize) -> Expr {
    let mut left = operations.to_vec();
    let first = match at {
        0 => left.remove(0).operand,
        _ => {
            left.remove(at - 1);
            first.clone()
        }
    };
    let span = first.span;
    if left.is_empty() { first } else { Expr { kind: ExprKind::Chain(Box::new(first), left), span } }
}
