//! What the condition of a type says: limits of numbers, and instances.

use std::collections::HashMap;

use super::Checker;
use crate::checked::{BinaryOp, BoundId, InstancesId, Limit, Range, TermId, TermKind, Type, TypeId, TypeKind};

impl Checker {
    /// The limits of a bound variable in the conjuncts of a condition.
    pub(super) fn limits_of(&self, condition: TermId, variable: BoundId) -> Range {
        let mut range = Range::default();
        for conjunct in self.specification.terms.conjuncts(condition) {
            let TermKind::Binary(op, a, b) = self.specification.terms[conjunct].kind else { continue };
            let is_variable = |term| self.specification.terms[term].kind == TermKind::Bound(variable);
            let (op, limit) = match (is_variable(a), is_variable(b)) {
                (true, false) => (op, b),
                (false, true) => (mirrored(op), a),
                _ => continue,
            };
            if self.mentions(limit, variable) {
                continue;
            }
            let at = |strict| Some(Limit { term: limit, strict });
            match op {
                BinaryOp::Ge => range.lower = range.lower.or(at(false)),
                BinaryOp::Gt => range.lower = range.lower.or(at(true)),
                BinaryOp::Le => range.upper = range.upper.or(at(false)),
                BinaryOp::Lt => range.upper = range.upper.or(at(true)),
                _ => {}
            }
        }
        range
    }

    fn mentions(&self, term: TermId, variable: BoundId) -> bool {
        let terms = &self.specification.terms;
        terms.within(term).into_iter().any(|part| terms[part].kind == TermKind::Bound(variable))
    }

    /// Whether the limits of a type, or of one that it restricts, say that its values are positive.
    pub(super) fn is_evidently_positive(&self, ty: Type) -> bool {
        let positive = |limit: Limit| match &self.specification.terms[limit.term].kind {
            TermKind::Number(n) => n.numerator > 0 || n.numerator == 0 && limit.strict,
            _ => false,
        };
        self.specification.declarations(ty).into_iter().any(|id| match &self.specification.types[id.index()].kind {
            TypeKind::Restriction { range, .. } => range.lower.is_some_and(positive),
            _ => false,
        })
    }

    /// Reports an argument that evidently does not belong to the type of its parameter: an instance of another process, or a
    /// number beyond a limit.
    pub(super) fn expect_value(&mut self, term: TermId, ty: Type) -> Option<TermId> {
        if self.specification.base(ty) == Type::Id {
            return self.expect_instance(term, ty);
        }
        let Some(value) = self.literal(term) else { return Some(term) };
        for id in self.specification.declarations(ty) {
            let TypeKind::Restriction { range, .. } = &self.specification.types[id.index()].kind else { continue };
            let limit = |limit: Option<Limit>| limit.and_then(|l| Some((self.literal(l.term)?, l.strict)));
            let below = limit(range.lower).is_some_and(|(l, strict)| value < l || strict && value == l);
            let above = limit(range.upper).is_some_and(|(l, strict)| value > l || strict && value == l);
            if below || above {
                let message = format!("{value} does not belong to {}", self.type_text(Type::Named(id)));
                return self.refuse(self.specification.terms[term].span, message);
            }
        }
        Some(term)
    }

    /// The instances of a type over `ID`. Reports a condition that is not decided by `IDTYPE` and names.
    pub(super) fn instances_of_type(&mut self, id: TypeId) {
        let definition = &self.specification.types[id.index()];
        let TypeKind::Restriction { base, condition, variable, .. } = definition.kind else { return };
        if self.specification.base(base) != Type::Id {
            return;
        }
        let span = definition.span;
        let all = (0..self.specification.instances.len()).map(InstancesId::new);
        let found: Option<Vec<_>> = all.map(|i| Some((i, self.satisfies(condition, variable, i)?))).collect();
        let Some(found) = found else {
            self.broken_types.insert(id);
            return self.error(span, "the condition of a type over `ID` names processes by `IDTYPE` and instances");
        };
        if let TypeKind::Restriction { instances, .. } = &mut self.specification.types[id.index()].kind {
            *instances = found.into_iter().filter(|(_, belongs)| *belongs).map(|(i, _)| i).collect();
        }
    }

    /// Whether instances satisfy the condition of a type; `None` if that depends on more than their process and name.
    fn satisfies(&self, condition: TermId, variable: BoundId, id: InstancesId) -> Option<bool> {
        let mut parts = self.specification.terms.within(condition);
        // Operands stand before the terms that contain them.
        parts.sort_unstable();
        let mut values = HashMap::new();
        for part in parts {
            let value = self.part_satisfies(part, variable, id, &values);
            values.insert(part, value);
        }
        values[&condition]
    }

    fn part_satisfies(
        &self,
        part: TermId,
        variable: BoundId,
        id: InstancesId,
        values: &HashMap<TermId, Option<bool>>,
    ) -> Option<bool> {
        let terms = &self.specification.terms;
        match &terms[part].kind {
            TermKind::Boolean(value) => Some(*value),
            TermKind::IsOf(of, process) if terms[*of].kind == TermKind::Bound(variable) => {
                Some(self.specification.instances[id.index()].process == *process)
            }
            TermKind::Not(a) => values[a].map(|a| !a),
            TermKind::Binary(BinaryOp::And, a, b) => Some(values[a]? & values[b]?),
            TermKind::Binary(BinaryOp::Or, a, b) => Some(values[a]? | values[b]?),
            TermKind::Binary(BinaryOp::Eq, a, b) => match (&terms[*a].kind, &terms[*b].kind) {
                (TermKind::Bound(x), TermKind::Instance(other, None)) if *x == variable => Some(*other == id),
                (TermKind::Instance(other, None), TermKind::Bound(x)) if *x == variable => Some(*other == id),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The relation with its sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}
