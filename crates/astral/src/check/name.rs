//! Names in expressions, with primes and arguments.

use lurcher_syntax::{Diagnostic, Span};

use super::Checker;
use super::scope::Entity;
use crate::ast::{Applied, Expr};
use crate::checked::{Owner, TermId, TermKind, Type, VariableId};

impl Checker {
    /// A name that is not selected from an instance.
    pub(super) fn name(&mut self, it: &Applied, span: Span) -> Option<TermId> {
        let name = &it.name;
        if let Some(bound) = self.bound_named(&name.name, name.span) {
            self.no_prime(it, "a bound variable")?;
            self.no_arguments(it, "a bound variable")?;
            let ty = self.specification.bound[bound.index()].ty;
            return self.add(TermKind::Bound(bound), ty, span);
        }
        match self.lookup(&name.name, name.span)? {
            Entity::Enumerator(id, value) => {
                self.no_prime(it, "a value of an enumeration")?;
                self.no_arguments(it, "a value of an enumeration")?;
                self.add(TermKind::Enumerator(id, value), Type::Named(id), span)
            }
            Entity::Constant(id) => {
                self.no_prime(it, "a constant")?;
                let constant = &self.specification.constants[id.index()];
                let (ty, parameters) = (constant.ty, constant.parameters.clone());
                let arguments = self.arguments(it, &parameters, span)?;
                self.add(TermKind::Constant(id, arguments), ty, span)
            }
            Entity::Define(id) => {
                self.prime(it)?;
                let define = &self.specification.defines[id.index()];
                let ty = define.ty;
                let parameters: Vec<Type> =
                    define.parameters.iter().map(|p| self.specification.bound[p.index()].ty).collect();
                let arguments = self.arguments(it, &parameters, span)?;
                self.add(TermKind::Define(id, arguments, it.primed), ty, span)
            }
            Entity::Variable(id) => self.variable_term(id, Owner::Own, it, span),
            Entity::Instances(id) => {
                self.no_prime(it, "an instance")?;
                self.no_arguments(it, "an instance")?;
                if self.specification.instances[id.index()].array.is_some() {
                    return self.array_as_value(&name.name, span);
                }
                self.add(TermKind::Instance(id, None), Type::Id, span)
            }
            Entity::Transition(_) => {
                let error = Diagnostic::error(span, format!("`{}` is a transition, not a value", name.name));
                self.report(error.note(format!("`Start({0})`, `End({0})` and `Call({0})` speak of it", name.name)));
                None
            }
            other @ (Entity::Type(_) | Entity::Process(_)) => {
                self.refuse(span, format!("`{}` is {}, not a value", name.name, other.describe()))
            }
        }
    }

    pub(super) fn array_as_value(&mut self, name: &str, span: Span) -> Option<TermId> {
        let error = Diagnostic::error(span, format!("`{name}` is an array of instances"));
        self.report(error.note(format!("`{name}[1]` is one of them")));
        None
    }

    /// A variable of an instance.
    pub(super) fn variable_term(
        &mut self,
        variable: VariableId,
        owner: Owner,
        it: &Applied,
        span: Span,
    ) -> Option<TermId> {
        self.prime(it)?;
        let declared = &self.specification.variables[variable.index()];
        let (ty, parameters) = (declared.ty, declared.parameters.clone());
        let arguments = self.arguments(it, &parameters, span)?;
        self.add(TermKind::Variable { variable, owner, arguments, primed: it.primed }, ty, span)
    }

    /// Arguments, one for each parameter.
    fn arguments(&mut self, it: &Applied, parameters: &[Type], span: Span) -> Option<Vec<TermId>> {
        let (wanted, found) = (parameters.len(), it.arguments.len());
        if wanted != found {
            let plural = if wanted == 1 { "" } else { "s" };
            return self.refuse(span, format!("`{}` takes {wanted} argument{plural}, not {found}", it.name.name));
        }
        self.typed_arguments(&it.arguments, parameters)
    }

    /// Arguments of the first parameters.
    pub(super) fn typed_arguments(&mut self, arguments: &[Expr], parameters: &[Type]) -> Option<Vec<TermId>> {
        let typed = |c: &mut Self, (argument, &ty): (&Expr, &Type)| {
            let term = c.expr(argument)?;
            let term = c.expect_type(term, ty)?;
            c.expect_value(term, ty)
        };
        let checked: Vec<_> = arguments.iter().zip(parameters).map(|pair| typed(self, pair)).collect();
        checked.into_iter().collect()
    }

    fn no_arguments(&mut self, it: &Applied, what: &str) -> Option<()> {
        if it.arguments.is_empty() {
            return Some(());
        }
        self.refuse(it.name.span, format!("`{}` is {what} and takes no arguments", it.name.name))
    }

    fn no_prime(&mut self, it: &Applied, what: &str) -> Option<()> {
        if !it.primed {
            return Some(());
        }
        self.refuse(it.name.span, format!("`{}` is {what}: it never changes and has no prime", it.name.name))
    }

    /// Reports a prime where there is no start of a transition.
    fn prime(&mut self, it: &Applied) -> Option<()> {
        if !it.primed {
            return Some(());
        }
        if !self.place.has_start_and_end() {
            let message = format!("the primed name `{}'` stands in {}", it.name.name, self.place.describe());
            let error = Diagnostic::error(it.name.span, message);
            self.report(error.note("primes belong in exit assertions and in `CONSTRAINT`"));
            return None;
        }
        if self.in_history {
            let message = format!("the primed name `{}'` stands inside `past` or `Change`", it.name.name);
            return self.refuse(it.name.span, message);
        }
        Some(())
    }
}
