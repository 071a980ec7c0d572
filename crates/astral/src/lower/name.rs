//! Variables, instances and definitions.

use std::collections::HashMap;

use lurcher_syntax::Span;

use super::value::{Argument, Value};
use super::{Context, Lowering};
use crate::checked::{DefineId, InstancesId, Owner, TermId, Type, VariableId};

impl Lowering<'_> {
    /// Arguments with the types of parameters.
    pub(super) fn arguments(&mut self, arguments: &[TermId], parameters: &[Type]) -> Option<Vec<Argument>> {
        let values = self.list(arguments)?;
        Some(values.into_iter().zip(parameters.iter().copied()).collect())
    }

    /// An instance, or an element of an array of instances.
    pub(super) fn instance_term(&mut self, id: InstancesId, index: Option<TermId>, span: Span) -> Option<Value> {
        let elements = self.elements(id)?;
        let Some(index) = index else {
            let value = i64::from(self.instance((id, None)));
            return Some(self.literal(value, Type::Id));
        };
        let index = self.term(index)?;
        if let Some(known) = self.known(&index) {
            if !elements.contains(&Some(known)) {
                let name = &self.specification.instances[id.index()].name;
                return self.refuse(span, format!("`{name}` has no instance {known}"));
            }
            let value = i64::from(self.instance((id, Some(known))));
            return Some(self.literal(value, Type::Id));
        }
        let mut value = self.undefined(Type::Id);
        for element in elements.into_iter().rev() {
            self.expand(span)?;
            let here = i64::from(self.instance((id, element)));
            let here = self.literal(here, Type::Id);
            let element = self.literal(element.unwrap_or_default(), Type::Integer);
            let test = self.equal(&index, &element, span)?;
            value = self.choice(test, here, value, span)?;
        }
        Some(value)
    }

    /// A variable. One that is selected from an instance is read as an imported one, also where the instance is the process
    /// itself.
    pub(super) fn variable_term(
        &mut self,
        variable: VariableId,
        owner: Owner,
        arguments: &[TermId],
        primed: bool,
        span: Span,
    ) -> Option<Value> {
        let declared = &self.specification.variables[variable.index()];
        let (ty, process) = (declared.ty, declared.process);
        let arguments = self.arguments(arguments, &declared.parameters);
        let at_start = self.context.primed || primed;
        let Owner::Instance(owner) = owner else {
            let (me, context) = (self.context.me, Context { primed: at_start, ..self.context });
            return self.select(&arguments?, ty, span, &mut |l, element| {
                l.within(context, |l| l.variable(me, variable, element, span))
            });
        };
        let instance = self.term(owner);
        let context = Context { primed: at_start || self.context.exit, ..self.context };
        let instance = (instance?, self.specification.terms[owner].ty);
        let all: Vec<Argument> = std::iter::once(instance).chain(arguments?).collect();
        self.select(&all, ty, span, &mut |l, chosen| {
            let instance = u32::try_from(chosen[0]).ok()?;
            if l.process_of(instance) != process {
                return Some(l.undefined(ty));
            }
            l.within(context, |l| l.variable(instance, variable, &chosen[1..], span))
        })
    }

    /// A definition: its body with the values of its arguments.
    pub(super) fn define(&mut self, id: DefineId, arguments: &[TermId], primed: bool) -> Option<Value> {
        let define = &self.specification.defines[id.index()];
        let arguments = self.list(arguments)?;
        let context = Context { primed: self.context.primed || primed, ..self.context };
        let key = (id, arguments, context);
        if let Some(known) = self.defines.get(&key) {
            return known.clone();
        }
        let inner: HashMap<_, _> = define.parameters.iter().copied().zip(key.1.iter().cloned()).collect();
        let outer = std::mem::replace(&mut self.bound, inner);
        let value = self.within(context, |l| l.term(define.body));
        self.bound = outer;
        self.defines.insert(key, value.clone());
        value
    }
}
