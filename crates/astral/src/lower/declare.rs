//! Constants and variables, and the elements of those with parameters.

use lurcher_ir::timed::{self, Clause, Domain, Moment, Owner, Term};
use lurcher_syntax::Span;

use super::fraction::Fraction;
use super::types::Typed;
use super::value::Value;
use super::{Context, Lowering};
use crate::checked::{ConstantId, Duration, ProcessId, Type, VariableId};

impl Lowering<'_> {
    /// The constants without parameters that the process knows, in the order of the source.
    pub(super) fn declare_constants(&mut self, process: ProcessId) {
        for (index, constant) in self.specification.constants.iter().enumerate() {
            let known = constant.process.is_none_or(|p| p == process);
            if known && constant.parameters.is_empty() {
                self.constant(ConstantId::new(index), &[], constant.span);
            }
        }
    }

    /// The own variables, in the order of the source.
    pub(super) fn declare_variables(&mut self, process: ProcessId) {
        for (index, variable) in self.specification.variables.iter().enumerate() {
            if variable.process == process {
                let id = VariableId::new(index);
                for element in self.elements_of(&variable.parameters, variable.span).unwrap_or_default() {
                    self.variable(self.own, id, &element, variable.span);
                }
            }
        }
    }

    /// All choices of values of some finite types, the last ones changing fastest.
    pub(super) fn elements_of(&mut self, parameters: &[Type], span: Span) -> Option<Vec<Vec<i64>>> {
        let mut elements = vec![Vec::new()];
        for &ty in parameters {
            let values = self.values_of(ty, span)?;
            let mut longer = Vec::new();
            for element in elements {
                for &value in &values {
                    self.expand(span)?;
                    longer.push(element.iter().copied().chain([value]).collect::<Vec<i64>>());
                }
            }
            elements = longer;
        }
        Some(elements)
    }

    /// `name(a, b)`.
    pub(super) fn element_name(&self, name: &str, element: &[i64], parameters: &[Type]) -> String {
        if element.is_empty() {
            return name.to_owned();
        }
        let values: Vec<String> = element.iter().zip(parameters).map(|(&v, &ty)| self.text_of(v, ty)).collect();
        format!("{name}({})", values.join(", "))
    }

    pub(super) fn constant_name(&self, id: ConstantId, element: &[i64]) -> String {
        let constant = &self.specification.constants[id.index()];
        let name = self.element_name(&constant.name, element, &constant.parameters);
        match constant.process {
            Some(process) if process != self.process_of(self.own) => {
                format!("{}.{name}", self.specification.processes[process.index()].name)
            }
            _ => name,
        }
    }

    /// The value of a constant: the given one or an unknown.
    pub(super) fn constant(&mut self, id: ConstantId, element: &[i64], span: Span) -> Option<Value> {
        let ty = self.specification.constants[id.index()].ty;
        let known = self.constants.get(&(id, element.to_vec())).copied();
        let constant = match known {
            Some(known) => known,
            None => self.new_constant(id, element, span)?,
        };
        if let Some(value) = self.model.constant(constant).value {
            return Some(self.literal(value, ty));
        }
        let term = self.model.terms.add(Term::Constant(constant));
        Some(self.denoted(term, ty))
    }

    fn new_constant(&mut self, id: ConstantId, element: &[i64], span: Span) -> Option<timed::ConstantId> {
        let declared = &self.specification.constants[id.index()];
        let name = self.constant_name(id, element);
        let new = timed::ConstantId(u32::try_from(self.model.constants.len()).ok()?);
        let entry = timed::Constant { name: name.clone(), domain: Domain::INTEGERS, value: None, span: declared.span };
        self.model.constants.push(entry);
        self.constants.insert((id, element.to_vec()), new);
        let term = self.model.terms.add(Term::Constant(new));
        let context = Context { timeless: true, primed: false, exit: false, level: 0, ..self.context };
        let Typed { mut domain, conditions } = self.within(context, |l| l.typed(declared.ty, term, span))?;
        let type_name = self.specification.type_name(declared.ty);
        let value = self.given_value(&name, &domain, type_name, declared.span);
        if self.is_duration(id)
            && let Domain::Integer { lower, upper } = &mut domain
        {
            *lower = Some(lower.unwrap_or(1).max(1));
            if upper.is_some_and(|u| u < 1) {
                return self.refuse(declared.span, format!("the duration `{name}` has no positive value"));
            }
            if let Some(value) = value.filter(|v| *v < 1) {
                return self.refuse(declared.span, format!("`--define {name}={value}`: a duration is positive"));
            }
        }
        self.model.constants[new.index()].domain = domain;
        self.model.constants[new.index()].value = value;
        let conditions = match value {
            None => conditions,
            // The conditions are read again, with the value.
            Some(value) => {
                let literal = self.literal(value, declared.ty);
                self.within(context, |l| l.conditions_of(declared.ty, &literal))?
            }
        };
        for term in conditions {
            if self.model.terms.as_truth(term) == Some(false) {
                let value = value.map_or(String::new(), |v| self.text_of(v, declared.ty));
                let message = format!("`--define {name}={value}`: {value} is not a value of `{type_name}`");
                return self.refuse(declared.span, message);
            }
            if self.model.terms.as_truth(term).is_none() {
                let name = format!("{name}.type");
                self.model.axioms.push(Clause { name, term, span: declared.span });
            }
        }
        Some(new)
    }

    fn is_duration(&self, id: ConstantId) -> bool {
        let mut cases = self.specification.transitions.iter().flat_map(|t| &t.cases);
        cases.any(|case| case.duration == Duration::Constant(id))
    }

    /// A variable of an instance. Imported ones are entered when they are read first.
    pub(super) fn variable(&mut self, instance: u32, id: VariableId, element: &[i64], span: Span) -> Option<Value> {
        let declared = &self.specification.variables[id.index()];
        let key = (instance, id, element.to_vec());
        let known = self.variables.get(&key).copied();
        let own = instance == self.own;
        let variable = match known {
            Some(known) => known,
            None => {
                let name = self.element_name(&declared.name, element, &declared.parameters);
                let owner = if own { Owner::Own } else { Owner::Imported(instance) };
                let name = if own { name } else { format!("{}.{name}", self.name_of(instance)) };
                let new = timed::VariableId(u32::try_from(self.model.variables.len()).ok()?);
                let entry = timed::Variable {
                    name,
                    owner,
                    domain: Domain::INTEGERS,
                    conditions: Vec::new(),
                    span: declared.span,
                };
                self.model.variables.push(entry);
                self.variables.insert(key, new);
                let term = self.model.terms.add(Term::Variable(new, Moment::Now));
                let context = Context { level: 0, ..self.context };
                let Typed { domain, conditions } = self.within(context, |l| l.typed(declared.ty, term, span))?;
                self.model.variables[new.index()].domain = domain;
                self.model.variables[new.index()].conditions = conditions;
                new
            }
        };
        let moment = if self.context.primed { Moment::Start } else { Moment::Now };
        let term = self.model.terms.add(Term::Variable(variable, moment));
        Some(self.denoted(term, declared.ty))
    }

    pub(super) fn name_of(&self, instance: u32) -> String {
        self.instance_name(self.instances[instance as usize])
    }

    /// A parameter of a transition whose type is not finite.
    pub(super) fn parameter(&mut self, name: &str, ty: Type, index: u32, span: Span) -> Option<timed::Parameter> {
        let term = self.model.terms.add(Term::Parameter(index));
        let Typed { domain, conditions } = self.typed(ty, term, span)?;
        Some(timed::Parameter { name: name.to_owned(), domain, conditions })
    }

    /// The value of a parameter.
    pub(super) fn parameter_value(&mut self, index: u32) -> Value {
        let term = self.model.terms.add(Term::Parameter(index));
        Value::Number(Fraction::term(term, &self.model.terms))
    }
}
