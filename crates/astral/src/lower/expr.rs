//! Terms.

use lurcher_ir::timed::{Term, TermId, Terms};
use lurcher_resources::checkpoint;

use super::fraction::Fraction;
use super::value::Value;
use super::{Lowering, limits};
use crate::checked::{self, BinaryOp, TermKind, Type};

impl Lowering<'_> {
    /// A formula that stands alone.
    pub(super) fn clause(&mut self, term: checked::TermId) -> Option<TermId> {
        let formula = self.formula(term)?;
        self.nests(formula, term)
    }

    /// Reports a formula that nests too deeply to be evaluated.
    pub(super) fn nests(&mut self, formula: TermId, term: checked::TermId) -> Option<TermId> {
        if self.model.terms.nesting(formula) > Terms::MOST_NESTING {
            let span = self.specification.terms[term].span;
            return self.refuse(span, "the formula nests too deeply when its definitions are expanded");
        }
        Some(formula)
    }

    pub(super) fn formula(&mut self, term: checked::TermId) -> Option<TermId> {
        Some(self.term(term)?.formula())
    }

    pub(super) fn number(&mut self, term: checked::TermId) -> Option<Fraction> {
        Some(self.term(term)?.number())
    }

    /// Some terms; all are lowered, also after an error.
    pub(super) fn list(&mut self, terms: &[checked::TermId]) -> Option<Vec<Value>> {
        let values: Vec<_> = terms.iter().map(|&t| self.term(t)).collect();
        values.into_iter().collect()
    }

    pub(super) fn term(&mut self, id: checked::TermId) -> Option<Value> {
        checkpoint();
        if self.nesting >= limits::NESTING {
            const MESSAGE: &str = "definitions nest too deeply";
            if !self.diagnostics.iter().any(|d| d.message == MESSAGE) {
                self.error(self.specification.terms[id].span, MESSAGE);
            }
            return None;
        }
        self.nesting += 1;
        let value = self.unlimited(id);
        self.nesting -= 1;
        value
    }

    fn unlimited(&mut self, id: checked::TermId) -> Option<Value> {
        let specification = self.specification;
        let checked::Term { kind, ty, span } = &specification.terms[id];
        let (ty, span) = (*ty, *span);
        match kind {
            TermKind::Boolean(value) => Some(Value::Formula(self.model.terms.truth(*value))),
            TermKind::Number(value) => Some(Value::Number(Fraction::rational(*value))),
            TermKind::Enumerator(_, value) => Some(Value::Number(Fraction::integer(i64::from(*value)))),
            TermKind::Now => Some(Value::Number(self.now())),
            TermKind::SelfId => Some(Value::Number(Fraction::integer(i64::from(self.context.me)))),
            TermKind::Instance(id, index) => self.instance_term(*id, *index, span),
            TermKind::Bound(bound) => Some(self.bound[bound].clone()),
            TermKind::Constant(constant, arguments) => {
                let arguments = self.arguments(arguments, &specification.constants[constant.index()].parameters)?;
                self.select(&arguments, ty, span, &mut |l, element| l.constant(*constant, element, span))
            }
            TermKind::Variable { variable, owner, arguments, primed } => {
                self.variable_term(*variable, *owner, arguments, *primed, span)
            }
            TermKind::Define(define, arguments, primed) => self.define(*define, arguments, *primed),
            TermKind::Not(a) => {
                let a = self.formula(*a)?;
                Some(Value::Formula(self.model.terms.not(a)))
            }
            TermKind::Minus(a) => {
                let a = self.number(*a)?;
                let negated = Fraction::integer(0).plus(&a, -1, &self.model.terms);
                Some(Value::Number(self.fits(negated, span)?))
            }
            TermKind::Binary(..) => self.chain(id),
            TermKind::If(condition, a, b) => {
                let (condition, a, b) = (self.formula(*condition), self.term(*a), self.term(*b));
                self.choice(condition?, a?, b?, span)
            }
            TermKind::IsOf(of, process) => {
                let value = self.term(*of)?;
                let of = specification.terms[*of].ty;
                self.select(&[(value, of)], Type::Boolean, span, &mut |l, instance| {
                    let is_of = l.process_of(u32::try_from(instance[0]).ok()?) == *process;
                    Some(Value::Formula(l.model.terms.truth(is_of)))
                })
            }
            TermKind::Quantified(quantifier, bound, body) => self.quantified(*quantifier, bound, *body, span),
            TermKind::Event(event) => self.event(event, span),
            TermKind::Change { of, nth, at } => self.change(*of, *nth, *at, span),
            TermKind::Past(of, at) => self.past(*of, *at),
            TermKind::Becomes(target, value) => self.becomes(*target, *value, span).map(Value::Formula),
            TermKind::NoChange(list) => {
                let kept: Vec<_> = list.iter().map(|&v| self.unchanged(v)).collect();
                let kept: Option<Vec<TermId>> = kept.into_iter().collect();
                Some(Value::Formula(self.model.terms.all(kept?)))
            }
        }
    }

    pub(super) fn now(&mut self) -> Fraction {
        let now = self.model.terms.add(Term::Now);
        Fraction::term(now, &self.model.terms)
    }

    /// Binary operators. Chains are as long as the source, so that their left operands are followed without recursion.
    fn chain(&mut self, id: checked::TermId) -> Option<Value> {
        let mut operations = Vec::new();
        let mut first = id;
        while let TermKind::Binary(op, a, b) = self.specification.terms[first].kind {
            operations.push((op, b, first));
            first = a;
        }
        let mut left = self.term(first);
        let mut operations = operations.into_iter().rev().peekable();
        while let Some((op, operand, whole)) = operations.next() {
            let span = self.specification.terms[whole].span;
            let right = self.term(operand);
            if !matches!(op, BinaryOp::And | BinaryOp::Or) {
                left = match (left, right) {
                    (Some(a), Some(b)) => self.operation(op, a, b, span, self.specification.terms[operand].span),
                    _ => None,
                };
                continue;
            }
            let mut parts = vec![left, right];
            while let Some((_, operand, _)) = operations.next_if(|(next, ..)| *next == op) {
                parts.push(self.term(operand));
            }
            let parts: Option<Vec<TermId>> = parts.into_iter().map(|p| p.map(Value::formula)).collect();
            left = parts.map(|parts| {
                let terms = &mut self.model.terms;
                Value::Formula(if op == BinaryOp::And { terms.all(parts) } else { terms.any(parts) })
            });
        }
        left
    }
}
