//! Building terms.

use lurcher_ir::relation::{BinaryTerm, TermId, UnaryTerm, VariableId};

use super::{Builder, Case, StepError, Updates, Violation};

impl Builder<'_> {
    pub(super) fn value(&self, value: i64) -> TermId {
        self.terms.borrow_mut().value(value)
    }

    pub(super) fn truth(&self, value: bool) -> TermId {
        self.terms.borrow_mut().truth(value)
    }

    /// The current value of a variable.
    pub(super) fn current(&self, variable: VariableId) -> TermId {
        self.terms.borrow_mut().current(variable)
    }

    /// The value of a variable after updates.
    pub(super) fn updated(&self, updates: &Updates, variable: VariableId) -> TermId {
        updates.get(&variable).copied().unwrap_or_else(|| self.current(variable))
    }

    pub(super) fn is(&self, term: TermId, value: i64) -> TermId {
        self.terms.borrow_mut().is(term, value)
    }

    pub(super) fn not(&self, a: TermId) -> TermId {
        self.terms.borrow_mut().not(a)
    }

    pub(super) fn and(&self, a: TermId, b: TermId) -> TermId {
        self.terms.borrow_mut().all([a, b])
    }

    pub(super) fn or(&self, a: TermId, b: TermId) -> TermId {
        self.terms.borrow_mut().any([a, b])
    }

    pub(super) fn and_not(&self, a: TermId, b: TermId) -> TermId {
        self.and(a, self.not(b))
    }

    pub(super) fn all<const N: usize>(&self, parts: [TermId; N]) -> TermId {
        self.terms.borrow_mut().all(parts)
    }

    pub(super) fn any(&self, parts: Vec<TermId>) -> TermId {
        self.terms.borrow_mut().any(parts)
    }

    pub(super) fn ite(&self, condition: TermId, a: TermId, b: TermId) -> TermId {
        self.terms.borrow_mut().ite(condition, a, b)
    }

    pub(super) fn unary(&self, op: UnaryTerm, a: TermId) -> TermId {
        self.terms.borrow_mut().unary(op, a)
    }

    pub(super) fn binary(&self, op: BinaryTerm, a: TermId, b: TermId) -> TermId {
        self.terms.borrow_mut().binary(op, a, b)
    }

    /// The value of a constant term.
    pub(super) fn constant(&self, term: TermId) -> Option<i64> {
        self.terms.borrow().constant(term)
    }

    pub(super) fn is_false(&self, term: TermId) -> bool {
        self.constant(term) == Some(0)
    }

    /// Whether a process exists.
    pub(super) fn alive(&self, updates: &Updates, slot: usize) -> TermId {
        self.not(self.is(self.updated(updates, self.slots[slot].location), 0))
    }

    /// Records that a transition fails if it is taken under a condition.
    pub(super) fn add_violation(&mut self, kind: StepError, taken: TermId, condition: TermId) {
        let condition = self.and(taken, condition);
        if !self.is_false(condition) {
            self.violations.push(Violation { kind, span: self.span, condition });
        }
    }

    /// Records a fault and excludes it from the case.
    pub(super) fn add_fault(&mut self, case: &mut Case, fault: TermId) {
        self.add_violation(StepError::Fault, case.guard, fault);
        case.guard = self.and_not(case.guard, fault);
    }
}
