//! Traversal of formulas without recursion.

use std::vec::Drain;

use lurcher_ir::Formula;

/// Computes a value bottom-up: `combine` gets each subformula with the values of its operands, left to right.
pub(crate) fn fold<T>(formula: &Formula, mut combine: impl FnMut(&Formula, Drain<'_, T>) -> T) -> T {
    let mut order = Vec::new();
    let mut pending = vec![formula];
    while let Some(node) = pending.pop() {
        order.push(node);
        pending.extend(node.operands());
    }
    let mut values = Vec::new();
    for node in order.into_iter().rev() {
        let count = node.operands().count();
        let value = combine(node, values.drain(values.len() - count..));
        values.push(value);
    }
    values.pop().expect("a formula has a root")
}

/// A copy. `Formula::clone` recurses, and its stack frames are large.
pub(crate) fn copy(formula: &Formula) -> Formula {
    fold(formula, |node, operands| node.with_operands(operands))
}
