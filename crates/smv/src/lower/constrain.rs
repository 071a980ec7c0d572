//! Constraints on states, steps and runs.

use lurcher_ir::relation::{BinaryTerm, Constraint, Term, TermId, VariableRole};
use lurcher_syntax::Span;

use super::Lowering;
use super::names::InstanceId;
use super::types::{BOOLEAN, Type};
use super::value::{Faults, Value};
use super::whole_domain::Answer;
use crate::ast::{BinaryOp, ConstraintKind, Expr, ExprKind, SectionKind};

/// What an expression may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// One state.
    State,
    /// A state and inputs.
    StateInput,
    /// A step.
    Step,
}

/// The conjuncts of an expression.
fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Chain(first, operations) if operations.iter().all(|o| o.op == BinaryOp::And) => {
                open.extend(operations.iter().rev().map(|o| &o.operand));
                open.push(first);
            }
            _ => found.push(expr),
        }
    }
    found
}

impl Lowering<'_> {
    /// Lowers all definitions: NuSMV also checks the types of unused ones.
    pub(super) fn definitions(&mut self) {
        let mut named = Vec::new();
        for index in 0..self.definitions.len() {
            let definition = &self.definitions[index];
            if definition.is_parameter {
                continue;
            }
            let (name, span) = (definition.name.clone(), definition.span);
            let value = self.defined_value(index, false, span);
            if let (Type::One(_) | Type::Word(_), Some(term)) = (&value.ty, value.term()) {
                named.push((name, term));
            }
        }
        let about_steps = self.about_steps();
        named.retain(|(_, term)| !about_steps[term.0 as usize]);
        self.relation.definitions = named;
    }

    /// For each term, whether it reads a next value.
    fn about_steps(&self) -> Vec<bool> {
        let terms = &self.relation.terms;
        let mut about_steps: Vec<bool> = Vec::with_capacity(terms.len());
        for index in 0..terms.len() {
            let id = TermId(index as u32);
            let own = matches!(terms.get(id), Term::Next(_));
            about_steps.push(own || terms.parts(id).iter().any(|p| about_steps[p.0 as usize]));
        }
        about_steps
    }

    /// Lowers everything but specifications.
    pub(super) fn constraints(&mut self) {
        for index in 0..self.instances.len() {
            let scope = InstanceId(index);
            for section in self.instances[index].sections.clone() {
                match &section.kind {
                    SectionKind::Constraint(kind, expr) => self.constraint(*kind, expr, scope),
                    SectionKind::Assign(list) => list.iter().for_each(|a| self.assign(a, scope)),
                    SectionKind::Justice(expr) => {
                        if let Some(term) = self.boolean_expr(expr, scope, Place::StateInput, "FAIRNESS") {
                            self.relation.justice.push(term);
                        }
                    }
                    SectionKind::Compassion(often, then) => {
                        let often = self.boolean_expr(often, scope, Place::StateInput, "COMPASSION");
                        let then = self.boolean_expr(then, scope, Place::StateInput, "COMPASSION");
                        self.relation.compassion.extend(often.zip(then));
                    }
                    _ => {}
                }
            }
        }
    }

    fn constraint(&mut self, kind: ConstraintKind, expr: &Expr, scope: InstanceId) {
        let (place, what, parts) = match kind {
            ConstraintKind::Init => (Place::State, "INIT", vec![expr]),
            ConstraintKind::Invar => (Place::State, "INVAR", vec![expr]),
            // NuSMV checks each conjunct of TRANS separately: a false conjunct does not hide faults of others.
            ConstraintKind::Trans => (Place::Step, "TRANS", conjuncts(expr)),
        };
        for part in parts {
            let all = self.boolean_expr(part, scope, place, what);
            let constraints = self.split(all, part.span);
            let list = match kind {
                ConstraintKind::Init => &mut self.relation.initial.constraints,
                ConstraintKind::Invar => &mut self.relation.invariant.constraints,
                ConstraintKind::Trans => &mut self.assigned.constraints,
            };
            list.extend(constraints);
        }
    }

    /// The conjuncts of a term as constraints.
    fn split(&mut self, term: Option<TermId>, span: Span) -> Vec<Constraint> {
        let mut found = Vec::new();
        let mut open: Vec<TermId> = term.into_iter().collect();
        while let Some(term) = open.pop() {
            match self.relation.terms.get(term) {
                Term::Binary(BinaryTerm::And, a, b) => open.extend([*b, *a]),
                Term::Const(1) => {}
                _ => found.push(Constraint { term, span }),
            }
        }
        found
    }

    /// A boolean expression with the reads that its place allows, and without faults.
    pub(super) fn boolean_expr(&mut self, expr: &Expr, scope: InstanceId, place: Place, what: &str) -> Option<TermId> {
        let value = self.expr(expr, scope, false);
        let term = self.boolean(&value, expr.span, what)?;
        self.check_place(term, expr.span, place, what);
        self.check_faults(&value.faults);
        Some(term)
    }

    /// The term of a boolean value.
    pub(super) fn boolean(&mut self, value: &Value, span: Span, what: &str) -> Option<TermId> {
        if value.is_unknown() {
            return None;
        }
        if value.ty != BOOLEAN {
            return self.refuse(span, format!("illegal type of {what} expression: {}", value.ty));
        }
        value.term()
    }

    /// Reports reads that a place does not allow.
    pub(super) fn check_place(&mut self, term: TermId, span: Span, place: Place, what: &str) {
        let support = self.relation.terms.support(term);
        if place != Place::Step && !support.next.is_empty() {
            self.error(span, format!("`next` cannot be used in {what}"));
        }
        let is_input = |v| self.relation.variable(v).role == VariableRole::Input;
        if place == Place::State && support.current.iter().any(|v| is_input(*v)) {
            self.error(span, format!("{what} contains input variables"));
        }
    }

    /// Reports faults that are possible for some values of the variables.
    pub(super) fn check_faults(&mut self, faults: &Faults) {
        for (site, condition) in faults.iter() {
            let (failure, span) = self.sites[site];
            match self.whole_domain.satisfiable(&self.relation, condition) {
                Answer::Never => {}
                Answer::Sometimes(_) => self.error(span, failure.message()),
                Answer::TooLarge => {
                    self.warning(span, format!("could not be checked for {}: too many values", failure.noun()));
                }
            }
        }
    }
}
