//! Assignments.

use std::collections::HashSet;

use lurcher_ir::relation::{Assignment, BinaryTerm, Domain, Term, TermId, Terms, VariableId, VariableRole};
use lurcher_syntax::{Diagnostic, Span};

use super::Lowering;
use super::constrain::Place;
use super::names::{Body, Definition, Entity, InstanceId};
use super::set::{elements, rebuild};
use super::types::Type;
use super::value::{Shape, Value};
use super::whole_domain::{Answer, WholeDomain};
use crate::ast::{self, Expr, ExprKind, Moment, Path, Selector};

/// A path as an expression.
pub(super) fn path_expr(path: &Path) -> Expr {
    let base = match &path.root {
        Some(root) => Expr { kind: ExprKind::Name(root.name.clone()), span: root.span },
        None => Expr { kind: ExprKind::SelfRef, span: path.span },
    };
    if path.selectors.is_empty() {
        return base;
    }
    Expr { kind: ExprKind::Select(Box::new(base), path.selectors.clone()), span: path.span }
}

impl Lowering<'_> {
    pub(super) fn assign(&mut self, assignment: &ast::Assignment, scope: InstanceId) {
        let target = path_expr(&assignment.target);
        let value = self.expr(&assignment.value, scope, false);
        if !self.may_be_assigned(&target, scope) {
            let span = assignment.target.span;
            return self.error(span, "a variable is expected on the left-hand side of an assignment");
        }
        let variable = self.expr(&target, scope, false);
        if variable.is_unknown() || value.is_unknown() {
            return;
        }
        let fits = match &variable.ty {
            Type::One(kind) => value.ty.to_set().is_some_and(|s| s.fits(&Type::Set(*kind))),
            _ => value.ty.fits(&variable.ty),
        };
        if !fits {
            let message = format!("illegal operand types of `:=`: {} and {}", variable.ty, value.ty);
            return self.error(assignment.span, message);
        }
        self.assign_value(assignment, &variable, &value, scope);
    }

    /// Whether a target is a variable, or a parameter for one.
    fn may_be_assigned(&mut self, target: &Expr, scope: InstanceId) -> bool {
        let mut whole = target.clone();
        if let ExprKind::Select(base, selectors) = &mut whole.kind {
            while matches!(selectors.last(), Some(Selector::Index(_))) {
                selectors.pop();
            }
            if selectors.is_empty() {
                whole = (**base).clone();
            }
        }
        let found = self.plain_reference(&whole, scope);
        if let Some(Entity::Definition(index)) = found
            && let Definition { is_parameter: true, body: Body::Expr(expr), scope, .. } = self.definitions[index]
        {
            return self.may_be_assigned(expr, scope);
        }
        match (found, &whole.kind) {
            (Some(Entity::Variable(_)), _) => true,
            (Some(Entity::Definition(_)), ExprKind::Select(..)) => true,
            (Some(_), _) => false,
            // Undeclared, or an element: lowering it reports a better error.
            (None, ExprKind::Name(name)) => {
                let full = super::names::join(&self.instances[scope.0].name, name);
                !self.symbols.contains_key(name) && !self.names.contains_key(&full)
            }
            (None, ExprKind::Select(..)) => true,
            _ => false,
        }
    }

    fn assign_value(&mut self, assignment: &ast::Assignment, variable: &Value, value: &Value, scope: InstanceId) {
        let target = assignment.target.span;
        match (&variable.shape, &value.shape) {
            (Shape::Elements(variables), Shape::Elements(values)) => {
                for (variable, value) in variables.iter().zip(values.iter()) {
                    self.assign_value(assignment, variable, value, scope);
                }
            }
            (Shape::Term(variable), Shape::Term(term)) => match self.relation.terms.get(*variable) {
                Term::Current(id) => {
                    let id = *id;
                    self.assign_one(assignment, id, *term, scope);
                    self.check_faults(&value.faults);
                }
                _ => self.error(target, "an index on the left-hand side of an assignment must be constant"),
            },
            _ => {}
        }
    }

    fn assign_one(&mut self, assignment: &ast::Assignment, variable: VariableId, value: TermId, scope: InstanceId) {
        let (target, span) = (assignment.target.span, assignment.span);
        let name = self.relation.variable(variable).name.clone();
        match (self.relation.variable(variable).role, assignment.moment) {
            (VariableRole::Input, _) => {
                return self.error(target, format!("input variable `{name}` cannot be assigned"));
            }
            (VariableRole::Frozen, Moment::Current | Moment::Next) => {
                let message = format!("frozen variable `{name}` cannot be assigned except by `init({name})`");
                return self.error(target, message);
            }
            _ => {}
        }
        let (place, what) = match assignment.moment {
            Moment::Current => (Place::State, format!("assignment of `{name}`")),
            Moment::Initial => (Place::State, format!("assignment of `init({name})`")),
            Moment::Next => (Place::Step, format!("assignment of `next({name})`")),
        };
        self.check_place(value, assignment.value.span, place, &what);
        if !self.assigned_before(assignment.moment, variable, scope, target) {
            return;
        }
        self.check_range(variable, value, span);
        let lowered = Assignment { variable, value, span };
        match assignment.moment {
            Moment::Current => self.relation.invariant.assignments.push(lowered),
            Moment::Initial => self.relation.initial.assignments.push(lowered),
            Moment::Next => self.assigned.steps.push((self.instances[scope.0].process, lowered)),
        }
    }

    /// Records an assignment, or reports an earlier one.
    fn assigned_before(&mut self, moment: Moment, variable: VariableId, scope: InstanceId, span: Span) -> bool {
        let process = self.instances[scope.0].process;
        let assigned = &mut self.assigned;
        let any_next = assigned.next_by_any.get(&variable).copied();
        let (first, always) = (assigned.first.get(&variable).copied(), assigned.always.get(&variable).copied());
        let (same, other) = match moment {
            Moment::Current => (always, first.or(any_next)),
            Moment::Initial => (first, always),
            Moment::Next => (assigned.next.get(&(process, variable)).copied(), always),
        };
        match moment {
            Moment::Current => assigned.always.entry(variable).or_insert(span),
            Moment::Initial => assigned.first.entry(variable).or_insert(span),
            Moment::Next => {
                assigned.next_by_any.entry(variable).or_insert(span);
                assigned.next.entry((process, variable)).or_insert(span)
            }
        };
        let name = &self.relation.variable(variable).name;
        let (before, message) = match (same, other) {
            (Some(before), _) => (before, format!("variable `{name}` is assigned more than once")),
            (None, Some(before)) => {
                (before, format!("variable `{name}` is assigned in every state and by `init` or `next`"))
            }
            (None, None) => return true,
        };
        self.report(Diagnostic::error(span, message).also(before, "assigned here as well"));
        false
    }

    /// Reports a value outside of the domain.
    fn check_range(&mut self, variable: VariableId, value: TermId, span: Span) {
        let domain = self.relation.variable(variable).domain.clone();
        if matches!(domain, Domain::Boolean | Domain::Word(_)) {
            return;
        }
        let inside: HashSet<TermId> = elements(&self.relation.terms, value)
            .into_iter()
            .filter(|&e| self.whole_domain.surely_inside(&self.relation, e, &domain))
            .collect();
        let bad = rebuild(&mut self.relation.terms, value, Terms::any, &mut |terms, element| {
            if inside.contains(&element) { terms.truth(false) } else { outside(terms, element, &domain) }
        });
        let name = self.relation.variable(variable).name.clone();
        match self.whole_domain.satisfiable(&self.relation, bad) {
            Answer::Never => {}
            Answer::Sometimes(witness) => {
                let values = WholeDomain::values(&self.relation, value, &witness);
                let wrong = values.into_iter().find(|v| !domain.contains(*v)).unwrap_or_default();
                let shown = self.relation.show(&domain, wrong);
                self.error(span, format!("cannot assign value {shown} to variable `{name}`"));
            }
            Answer::TooLarge => {
                let message = format!("whether `{name}` can have this value could not be checked: too many values");
                self.warning(span, message);
            }
        }
    }
}

/// Whether a value is outside of a domain.
fn outside(terms: &mut Terms, value: TermId, domain: &Domain) -> TermId {
    let inside = match domain {
        Domain::Range(low, high) => {
            let (low, high) = (terms.value(*low), terms.value(*high));
            let above = terms.binary(BinaryTerm::Le, low, value);
            let below = terms.binary(BinaryTerm::Le, value, high);
            terms.binary(BinaryTerm::And, above, below)
        }
        _ => {
            let each: Vec<TermId> = domain.values().map(|v| terms.is(value, v)).collect();
            terms.any(each)
        }
    };
    terms.not(inside)
}
