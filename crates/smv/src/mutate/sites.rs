//! Fault sites.

use lurcher_syntax::Span;

use super::FaultKind;
use super::edit::Edit;
use super::scope::{Scopes, Sort};
use super::tree::{Node, Role, visit};
use crate::ast::{BinaryOp, Expr, ExprKind, File};

/// An expression with possible faults of one kind.
#[derive(Clone, Debug)]
pub struct Site {
    /// The kind.
    pub kind: FaultKind,
    /// The expression.
    pub span: Span,
    /// The number of the expression.
    pub(super) node: usize,
    /// The number of the module.
    pub(super) module: usize,
    /// The possible faults; never empty.
    pub(super) edits: Vec<Edit>,
}

impl Site {
    /// Number of possible faults.
    pub fn count(&self) -> usize {
        self.edits.len()
    }
}

/// All sites of a file, in source order.
pub fn sites(file: &File) -> Vec<Site> {
    let scopes = Scopes(file);
    let names: Vec<Vec<(Expr, Sort)>> = file.modules.iter().map(|m| scopes.visible(m)).collect();
    let mut found = Vec::new();
    visit(&mut file.clone(), &mut |node, expr| {
        let module = &file.modules[node.module];
        let sort = scopes.sort(module, expr);
        for (kind, edits) in edits(node, expr, sort.as_ref(), &names[node.module]) {
            if !edits.is_empty() {
                found.push(Site { kind, span: expr.span, node: node.number, module: node.module, edits });
            }
        }
    });
    found
}

/// The possible faults of an expression, by kind.
fn edits(node: Node, expr: &Expr, sort: Option<&Sort>, names: &[(Expr, Sort)]) -> Vec<(FaultKind, Vec<Edit>)> {
    let mut all = Vec::new();
    if matches!(expr.kind, ExprKind::Name(_) | ExprKind::Select(..))
        && let Some(sort) = sort
    {
        let other = |(_, (name, s)): &(usize, &(Expr, Sort))| s == sort && !same(name, expr);
        let edits = names.iter().enumerate().filter(other).map(|(i, _)| Edit::Replace(i)).collect();
        all.push((FaultKind::VariableReplacement, edits));
    }
    let constrains = matches!(node.role, Role::Constraint(_));
    let truth = constrains || node.role == Role::Condition || sort == Some(&Sort::Boolean);
    // The conditions of a `case` are separate sites.
    let is_choice = matches!(expr.kind, ExprKind::Boolean(_) | ExprKind::Case(_) | ExprKind::Conditional(..));
    if truth && !is_choice {
        let stands_alone = constrains || matches!(node.role, Role::Value | Role::Condition);
        if stands_alone {
            all.push((FaultKind::ConditionInsertion, insertions(names)));
        }
        if stands_alone || node.role == Role::Operand {
            all.push((FaultKind::ConditionNegation, vec![Edit::Negate]));
        }
    }
    all.extend(removals(expr, constrains));
    all
}

fn insertions(names: &[(Expr, Sort)]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (name, _) in names.iter().enumerate().filter(|(_, (_, sort))| *sort == Sort::Boolean) {
        for op in [BinaryOp::And, BinaryOp::Or] {
            edits.extend([false, true].map(|negated| Edit::Insert(name, op, negated)));
        }
    }
    edits
}

fn removals(expr: &Expr, constrains: bool) -> Vec<(FaultKind, Vec<Edit>)> {
    let operands = |op: BinaryOp| match &expr.kind {
        ExprKind::Chain(_, operations) if operations.iter().all(|o| o.op == op) => {
            Some((0..=operations.len()).map(Edit::DropOperand).collect::<Vec<_>>())
        }
        _ => None,
    };
    let conjuncts = operands(BinaryOp::And);
    let removed = match &expr.kind {
        ExprKind::Chain(..) if constrains && conjuncts.is_some() => Vec::new(),
        ExprKind::Chain(..) => conjuncts.clone().or_else(|| operands(BinaryOp::Or)).unwrap_or_default(),
        ExprKind::Implies(..) => vec![Edit::DropPremise],
        ExprKind::Case(branches) if branches.len() > 1 => (0..branches.len()).map(Edit::DropBranch).collect(),
        _ => Vec::new(),
    };
    let dropped = match conjuncts {
        _ if !constrains => Vec::new(),
        Some(conjuncts) => conjuncts,
        None if matches!(expr.kind, ExprKind::Boolean(_)) => Vec::new(),
        None => vec![Edit::DropAll],
    };
    vec![(FaultKind::ConditionRemoval, removed), (FaultKind::DroppedConjunct, dropped)]
}

/// Whether two expressions are equal, positions aside.
fn same(a: &Expr, b: &Expr) -> bool {
    crate::print_expr(a) == crate::print_expr(b)
}
