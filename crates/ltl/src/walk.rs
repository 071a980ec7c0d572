//! Walking a formula without recursion.

use std::vec::Drain;

use lurcher_ir::Formula;

/// Computes a value bottom-up. `combine` sees each subformula with the values of its operands, left to right.
pub(crate) fn fold<T>(formula: &Formula, mut combine: impl FnMut(&Formula, Drain<'_, T>) -> T) -> T {
    let mut values = Vec::new();
    for node in operands_first(formula) {
        let count = node.operands().count();
        let value = combine(node, values.drain(values.len() - count..));
        values.push(value);
    }
    values.pop().expect("a formula has a root")
}

/// A copy. `Formula::clone` recurses, and its stack frames are large.
pub(crate) fn copy(formula: &Formula) -> Formula {
    fold(formula, |node, mut operands: Drain<'_, Formula>| {
        let mut operand = || Box::new(operands.next().expect("an operator has its operands"));
        match node {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::Atom(atom) => Formula::Atom(*atom),
            Formula::Not(_) => Formula::Not(operand()),
            Formula::And(..) => Formula::And(operand(), operand()),
            Formula::Or(..) => Formula::Or(operand(), operand()),
            Formula::Implies(..) => Formula::Implies(operand(), operand()),
            Formula::Iff(..) => Formula::Iff(operand(), operand()),
            Formula::Next(_) => Formula::Next(operand()),
            Formula::Always(_) => Formula::Always(operand()),
            Formula::Eventually(_) => Formula::Eventually(operand()),
            Formula::Until(..) => Formula::Until(operand(), operand()),
            Formula::WeakUntil(..) => Formula::WeakUntil(operand(), operand()),
            Formula::Release(..) => Formula::Release(operand(), operand()),
            Formula::Previous(_) => Formula::Previous(operand()),
            Formula::WeakPrevious(_) => Formula::WeakPrevious(operand()),
            Formula::Historically(_) => Formula::Historically(operand()),
            Formula::Once(_) => Formula::Once(operand()),
            Formula::Since(..) => Formula::Since(operand(), operand()),
            Formula::Triggered(..) => Formula::Triggered(operand(), operand()),
        }
    })
}

/// All subformulas, each after its operands.
fn operands_first(formula: &Formula) -> Vec<&Formula> {
    let mut order = Vec::new();
    let mut pending = vec![formula];
    while let Some(node) = pending.pop() {
        order.push(node);
        pending.extend(node.operands());
    }
    order.reverse();
    order
}
