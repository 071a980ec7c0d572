//! Transitions: one for each choice of their parameters of finite types.

use lurcher_ir::timed::{self, Case, ImportedTransition, TransitionRef};
use lurcher_syntax::Span;

use super::value::Value;
use super::{Context, Lowering, limits};
use crate::checked::{self, Duration, ProcessId, TransitionId, Type};

/// What the declaration of a transition expands to, for one instance.
#[derive(Clone, Debug)]
pub(super) struct Expansion {
    /// How each parameter is expanded.
    pub(super) parameters: Vec<Expanded>,
    /// The transitions, with the values of the expanded parameters at their positions.
    pub(super) transitions: Vec<(Vec<Option<i64>>, TransitionRef)>,
}

/// How a parameter is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expanded {
    /// There is a transition for each value.
    Finite,
    /// It is a number, the so-many-th one of the transition.
    Number(u32),
}

impl Lowering<'_> {
    /// The transitions of the process, in the order of the source, without their cases.
    pub(super) fn declare_transitions(&mut self, process: ProcessId) {
        for (index, transition) in self.specification.transitions.iter().enumerate() {
            if transition.process == process {
                self.expansion(self.own, TransitionId::new(index), transition.span);
            }
        }
    }

    /// The transitions of a declaration. Imported ones are entered when they are read first.
    pub(super) fn expansion(&mut self, instance: u32, id: TransitionId, span: Span) -> Option<Expansion> {
        if let Some(known) = self.transitions.get(&(instance, id)) {
            return Some(known.clone());
        }
        let declared = &self.specification.transitions[id.index()];
        let types: Vec<Type> = declared.parameters.iter().map(|p| self.specification.bound[p.index()].ty).collect();
        let (mut parameters, mut finite, mut numeric) = (Vec::new(), Vec::new(), Vec::new());
        for (bound, &ty) in declared.parameters.iter().zip(&types) {
            if self.has_known_values(ty) {
                parameters.push(Expanded::Finite);
                finite.push(ty);
            } else {
                let index = numeric.len() as u32;
                let bound = &self.specification.bound[bound.index()];
                parameters.push(Expanded::Number(index));
                let context = Context { primed: false, exit: false, level: 0, ..self.context };
                numeric.push(self.within(context, |l| l.parameter(&bound.name, ty, index, bound.span))?);
            }
        }
        let elements = self.elements_of(&finite, span)?;
        if elements.len() > limits::VALUES {
            let message = format!("`{}` expands to more than {} transitions", declared.name, limits::VALUES);
            return self.refuse(span, message);
        }
        let mut transitions = Vec::new();
        for element in elements {
            let name = self.element_name(&declared.name, &element, &finite);
            let transition = if instance == self.own {
                self.model.transitions.push(timed::Transition {
                    name,
                    declaration: id.index() as u32,
                    exported: declared.exported,
                    parameters: numeric.clone(),
                    cases: Vec::new(),
                    span: declared.span,
                });
                TransitionRef::Own(timed::TransitionId(self.model.transitions.len() as u32 - 1))
            } else {
                let name = format!("{}.{name}", self.name_of(instance));
                let parameters = numeric.clone();
                self.model.imported.push(ImportedTransition { name, instance, parameters, span: declared.span });
                TransitionRef::Imported(timed::ImportedId(self.model.imported.len() as u32 - 1))
            };
            let mut values = element.into_iter();
            let values = parameters.iter().map(|p| if *p == Expanded::Finite { values.next() } else { None }).collect();
            transitions.push((values, transition));
        }
        let expansion = Expansion { parameters, transitions };
        self.transitions.insert((instance, id), expansion.clone());
        Some(expansion)
    }

    /// The cases of all own transitions.
    pub(super) fn cases(&mut self, process: ProcessId) {
        for (index, declared) in self.specification.transitions.iter().enumerate() {
            if declared.process != process {
                continue;
            }
            let Some(expansion) = self.expansion(self.own, TransitionId::new(index), declared.span) else { continue };
            for (values, transition) in &expansion.transitions {
                let TransitionRef::Own(transition) = *transition else { continue };
                self.bind_parameters(declared, &expansion.parameters, values);
                for (number, case) in declared.cases.iter().enumerate() {
                    if let Some(case) = self.case(transition, number, case) {
                        self.model.transitions[transition.index()].cases.push(case);
                    }
                }
            }
            declared.parameters.iter().for_each(|p| {
                self.bound.remove(p);
            });
        }
    }

    fn bind_parameters(&mut self, declared: &checked::Transition, how: &[Expanded], values: &[Option<i64>]) {
        for (position, bound) in declared.parameters.iter().enumerate() {
            let ty = self.specification.bound[bound.index()].ty;
            let value = match (how[position], values[position]) {
                (Expanded::Number(index), _) => self.parameter_value(index),
                (Expanded::Finite, value) => self.literal(value.unwrap_or_default(), ty),
            };
            self.bound.insert(*bound, value);
        }
    }

    fn case(&mut self, transition: timed::TransitionId, number: usize, case: &checked::Case) -> Option<Case> {
        let entry = self.clause(case.entry);
        let exit = self.exit(case.exit);
        let duration = match case.duration {
            Duration::Instants(instants) => Some(self.model.terms.number(instants)),
            Duration::Constant(id) => {
                let span = self.specification.constants[id.index()].span;
                match self.constant(id, &[], span) {
                    Some(Value::Number(number)) => self.whole(number, span),
                    _ => None,
                }
            }
        };
        let name = &self.model.transition(transition).name;
        let name = if number == 0 { name.clone() } else { format!("{name} except {number}") };
        let span = self.specification.terms[case.entry].span;
        Some(Case { name, entry: entry?, exit: exit?, duration: duration?, span })
    }
}
