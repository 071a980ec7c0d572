//! The instants of a run at which something happens, in words.

use std::collections::BTreeMap;

use lurcher_ir::timed::{ConstantId, Domain, Linear, Model, Parameter, Term, TermId, TransitionId, TransitionRef};
use lurcher_system::timed::{EventKind, Run};

use crate::steps::{Change, StepView};

/// The instants at which something happens as steps that are numbered by them, the first one with all values, the last one
/// even if nothing happens then.
pub fn moments(model: &Model, run: &Run) -> Vec<StepView> {
    let mut at: BTreeMap<i64, StepView> = BTreeMap::new();
    at.entry(0).or_default().changes = model
        .variables()
        .zip(&run.initial)
        .map(|((_, variable), value)| Change::Value(variable.name.clone(), variable.domain.show(*value)))
        .collect();
    at.entry(run.horizon).or_default();
    for event in &run.events {
        if let EventKind::Start { transition, case, .. } = event.kind
            && let Some(end) = end(model, run, event.at, transition, case).filter(|end| *end <= run.horizon)
        {
            let name = &model.transition(transition).cases[case as usize].name;
            say(at.entry(end).or_default(), format!("{name} ends"));
        }
    }
    for event in &run.events {
        let step = at.entry(event.at).or_default();
        match &event.kind {
            EventKind::Change { variable, value } => {
                let variable = model.variable(*variable);
                step.changes.push(Change::Value(variable.name.clone(), variable.domain.show(*value)));
            }
            EventKind::ImportedEnd { transition } => {
                say(step, format!("{} ends", model.imported[transition.index()].name));
            }
            EventKind::Call { transition, arguments } => {
                let (name, parameters) = called(model, *transition);
                say(step, format!("{} is called", with_arguments(name, parameters, arguments)));
            }
            EventKind::ImportedStart { transition, arguments } => {
                let imported = &model.imported[transition.index()];
                say(step, format!("{} starts", with_arguments(&imported.name, &imported.parameters, arguments)));
            }
            EventKind::Start { transition, case, arguments } => {
                let own = model.transition(*transition);
                let name = own.cases.get(*case as usize).map_or(&own.name, |case| &case.name);
                say(step, format!("{} starts", with_arguments(name, &own.parameters, arguments)));
            }
        }
    }
    let numbered = |(at, step): (i64, StepView)| StepView { number: u32::try_from(at).unwrap_or(u32::MAX), ..step };
    at.into_iter().map(numbered).collect()
}

fn say(step: &mut StepView, words: String) {
    if !step.action.is_empty() {
        step.action.push_str(", ");
    }
    step.action.push_str(&words);
}

/// The name and the parameters of a transition that can be called.
pub(super) fn called(model: &Model, transition: TransitionRef) -> (&str, &[Parameter]) {
    match transition {
        TransitionRef::Own(id) => (&model.transition(id).name, &model.transition(id).parameters),
        TransitionRef::Imported(id) => (&model.imported[id.index()].name, &model.imported[id.index()].parameters),
    }
}

fn with_arguments(name: &str, parameters: &[Parameter], arguments: &[i64]) -> String {
    if arguments.is_empty() {
        return name.to_owned();
    }
    let show = |(index, value): (usize, &i64)| {
        let domain = parameters.get(index).map_or(&Domain::INTEGERS, |parameter| &parameter.domain);
        let name = parameters.get(index).map(|parameter| format!("{} = ", parameter.name));
        name.unwrap_or_default() + &domain.show(*value)
    };
    let arguments: Vec<String> = arguments.iter().enumerate().map(show).collect();
    format!("{name}({})", arguments.join(", "))
}

/// When a case that starts at an instant ends; none for a case that the model does not have, and for a duration that is none.
fn end(model: &Model, run: &Run, start: i64, transition: TransitionId, case: u32) -> Option<i64> {
    let case = model.transitions.get(transition.index())?.cases.get(case as usize)?;
    start.checked_add(value(model, run, case.duration)?)
}

/// The value of a term over constants.
fn value(model: &Model, run: &Run, term: TermId) -> Option<i64> {
    let constant = |id: &ConstantId| run.constants.get(id.index()).copied();
    match model.terms.get(term) {
        Term::Constant(id) => constant(id),
        Term::Sum(Linear { terms, constant: sum }) => terms
            .iter()
            .try_fold(*sum, |sum, (part, factor)| sum.checked_add(value(model, run, *part)?.checked_mul(*factor)?)),
        _ => None,
    }
}
