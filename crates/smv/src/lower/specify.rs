//! Specifications.

use lurcher_ir::{Atom, Property, PropertyKind};
use lurcher_syntax::{Diagnostic, Span};

use super::Lowering;
use super::assign::path_expr;
use super::constrain::Place;
use super::names::{Entity, InstanceId, join};
use crate::ast::{SectionKind, Spec, SpecBody};
use crate::print::{print_expr, print_path};

impl Lowering<'_> {
    /// Lowers the specifications of all instances, with unique names.
    pub(super) fn specifications(&mut self) {
        let mut number = 0;
        for index in 0..self.instances.len() {
            for section in self.instances[index].sections.clone() {
                if let SectionKind::Spec(spec) = &section.kind {
                    number += 1;
                    self.specification(spec, InstanceId(index), number, section.span);
                }
            }
        }
    }

    fn specification(&mut self, spec: &Spec, instance: InstanceId, number: usize, span: Span) {
        let name = match (&spec.name, &spec.body) {
            (Some(path), _) => join(&self.instances[instance.0].name, &print_path(path)),
            (None, SpecBody::Invariant(_)) => format!("invar_{number}"),
            (None, SpecBody::Ctl(_)) => format!("ctl_{number}"),
            (None, SpecBody::Ltl(_)) => format!("ltl_{number}"),
            (None, _) => format!("compute_{number}"),
        };
        let scope = match &spec.context {
            Some(path) => match self.plain_reference(&path_expr(path), instance) {
                Some(Entity::Instance(id)) => id,
                _ => return self.error(path.span, "this is not an instance"),
            },
            None => instance,
        };
        let Some(specification) = self.specification_of(name, &spec.body, scope, span) else { return };
        let clash = self.relation.properties.iter().find(|s| s.name == specification.name).map(|s| s.span);
        if let Some(first) = clash {
            let error = Diagnostic::error(span, format!("there are two properties `{}`", specification.name));
            return self.report(error.also(first, "the first one"));
        }
        self.relation.properties.push(specification);
    }

    /// Lowers a specification in the scope of an instance; `None` if it is wrong or not supported.
    pub(super) fn specification_of(
        &mut self,
        name: String,
        body: &SpecBody,
        scope: InstanceId,
        span: Span,
    ) -> Option<Property> {
        self.in_specification = true;
        let lowered = self.formula(&name, body, scope, span);
        self.in_specification = false;
        let (kind, mut text) = lowered?;
        // As NuSMV prints it.
        if scope != InstanceId::MAIN {
            text = format!("{text} IN {}", self.instances[scope.0].name);
        }
        Some(Property { name, kind, text, span })
    }

    fn formula(
        &mut self,
        name: &str,
        body: &SpecBody,
        scope: InstanceId,
        span: Span,
    ) -> Option<(PropertyKind, String)> {
        Some(match body {
            SpecBody::Invariant(expr) => {
                self.about_steps = false;
                let term = self.boolean_expr(expr, scope, Place::Step, "INVARSPEC")?;
                // As in NuSMV, the text decides: `next(x) | TRUE` is about steps.
                let kind = if self.about_steps { PropertyKind::StepInvariant } else { PropertyKind::Invariant };
                (kind(Atom::Term(term)), print_expr(expr))
            }
            SpecBody::Ctl(expr) => (PropertyKind::Ctl(self.ctl(expr, scope)?), print_expr(expr)),
            SpecBody::Ltl(expr) => (self.ltl(expr, scope)?, print_expr(expr)),
            SpecBody::ShortestDistance(..) | SpecBody::LongestDistance(..) => {
                self.warning(span, format!("`{name}` is not checked: COMPUTE is not supported"));
                return None;
            }
        })
    }
}
