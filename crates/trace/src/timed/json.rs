//! Runs of timed models as JSON: values by name, events in their order.

use std::collections::BTreeMap;

use lurcher_ir::timed::{Domain, ImportedId, Model, Parameter, TransitionRef, VariableId};
use lurcher_system::timed::{Event, EventKind, Run};
use serde::{Deserialize, Serialize};

use super::moments::called;
use crate::header::{Header, TIMED};

#[derive(Serialize, Deserialize)]
struct File {
    #[serde(flatten)]
    header: Header,
    constants: BTreeMap<String, String>,
    initial: BTreeMap<String, String>,
    events: Vec<Happening>,
    /// The last instant.
    horizon: i64,
}

/// An event.
#[derive(Serialize, Deserialize)]
struct Happening {
    at: i64,
    event: Kind,
    /// The variable or the transition; of a start, the case.
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Change,
    ImportedEnd,
    Call,
    ImportedStart,
    Start,
}

/// The run as JSON.
pub fn run_to_json(model: &Model, header: &Header, run: &Run) -> String {
    let constants = model.constants.iter().zip(&run.constants);
    let initial = model.variables.iter().zip(&run.initial);
    let file = File {
        header: header.of(TIMED),
        constants: constants.map(|(c, value)| (c.name.clone(), c.domain.show(*value))).collect(),
        initial: initial.map(|(v, value)| (v.name.clone(), v.domain.show(*value))).collect(),
        events: run.events.iter().map(|event| happening(model, event)).collect(),
        horizon: run.horizon,
    };
    serde_json::to_string_pretty(&file).expect("a run is made of strings and numbers")
}

fn happening(model: &Model, event: &Event) -> Happening {
    let (kind, name, value, arguments) = match &event.kind {
        EventKind::Change { variable, value } => {
            let variable = model.variable(*variable);
            (Kind::Change, variable.name.clone(), Some(variable.domain.show(*value)), Vec::new())
        }
        EventKind::ImportedEnd { transition } => {
            (Kind::ImportedEnd, model.imported[transition.index()].name.clone(), None, Vec::new())
        }
        EventKind::Call { transition, arguments } => {
            let (name, parameters) = called(model, *transition);
            (Kind::Call, name.to_owned(), None, shown(parameters, arguments))
        }
        EventKind::ImportedStart { transition, arguments } => {
            let imported = &model.imported[transition.index()];
            (Kind::ImportedStart, imported.name.clone(), None, shown(&imported.parameters, arguments))
        }
        EventKind::Start { transition, case, arguments } => {
            let own = model.transition(*transition);
            (Kind::Start, own.cases[*case as usize].name.clone(), None, shown(&own.parameters, arguments))
        }
    };
    Happening { at: event.at, event: kind, name, value, arguments }
}

fn shown(parameters: &[Parameter], arguments: &[i64]) -> Vec<String> {
    parameters.iter().zip(arguments).map(|(parameter, value)| parameter.domain.show(*value)).collect()
}

/// Reads what [`run_to_json`] wrote. The run may be illegal.
///
/// # Errors
/// When it is no run of this model.
pub fn read_run_json(model: &Model, text: &str) -> Result<Run, String> {
    let file: File = serde_json::from_str(text).map_err(|e| e.to_string())?;
    file.header.expect(TIMED)?;
    let constants = model.constants.iter().map(|c| (c.name.as_str(), &c.domain));
    let variables = model.variables.iter().map(|v| (v.name.as_str(), &v.domain));
    Ok(Run {
        constants: values("constant", constants, &file.constants)?,
        initial: values("variable", variables, &file.initial)?,
        events: file.events.iter().map(|event| read_event(model, event)).collect::<Result<_, _>>()?,
        horizon: file.horizon,
    })
}

/// The values of all names of the model, and of no others.
fn values<'m>(
    what: &str,
    names: impl Iterator<Item = (&'m str, &'m Domain)>,
    given: &BTreeMap<String, String>,
) -> Result<Vec<i64>, String> {
    let mut known = 0;
    let values = names.map(|(name, domain)| {
        let text = given.get(name).ok_or_else(|| format!("the {what} `{name}` has no value"))?;
        known += 1;
        domain.read(text).ok_or_else(|| format!("`{text}` is no value of the {what} `{name}`"))
    });
    let values = values.collect::<Result<Vec<i64>, String>>()?;
    match known == given.len() {
        true => Ok(values),
        false => Err(format!("it has values of a {what} that the model does not have")),
    }
}

fn read_event(model: &Model, event: &Happening) -> Result<Event, String> {
    let Happening { at, event: kind, name, value, arguments } = event;
    let unknown = |what: &str| format!("at {at}: the model has no {what} `{name}`");
    let imported = || {
        let found = model.imported.iter().position(|t| t.name == *name);
        found.map(|index| ImportedId(index as u32)).ok_or_else(|| unknown("imported transition"))
    };
    let read = |parameters: &[Parameter]| read_arguments(parameters, arguments, *at, name);
    let kind = match kind {
        Kind::Change => {
            let found = model.variables.iter().position(|v| v.name == *name).ok_or_else(|| unknown("variable"))?;
            let text = value.as_deref().unwrap_or_default();
            let value = model.variables[found].domain.read(text);
            let value = value.ok_or_else(|| format!("at {at}: `{text}` is no value of `{name}`"))?;
            EventKind::Change { variable: VariableId(found as u32), value }
        }
        Kind::ImportedEnd => EventKind::ImportedEnd { transition: imported()? },
        Kind::ImportedStart => {
            let transition = imported()?;
            EventKind::ImportedStart { transition, arguments: read(&model.imported[transition.index()].parameters)? }
        }
        Kind::Call => {
            let own = model.transitions().find(|(_, t)| t.name == *name).map(|(id, _)| TransitionRef::Own(id));
            let transition = own.map_or_else(|| imported().map(TransitionRef::Imported), Ok)?;
            EventKind::Call { transition, arguments: read(called(model, transition).1)? }
        }
        Kind::Start => {
            let cases = model.transitions().flat_map(|(id, t)| (0u32..).zip(&t.cases).map(move |(i, c)| (id, i, c)));
            let (transition, case, _) =
                cases.into_iter().find(|(.., case)| case.name == *name).ok_or_else(|| unknown("transition"))?;
            EventKind::Start { transition, case, arguments: read(&model.transition(transition).parameters)? }
        }
    };
    Ok(Event { at: *at, kind })
}

fn read_arguments(parameters: &[Parameter], arguments: &[String], at: i64, name: &str) -> Result<Vec<i64>, String> {
    if parameters.len() != arguments.len() {
        return Err(format!("at {at}: `{name}` has {} arguments, not {}", arguments.len(), parameters.len()));
    }
    let values = parameters.iter().zip(arguments).map(|(parameter, text)| parameter.domain.read(text));
    values.collect::<Option<_>>().ok_or_else(|| format!("at {at}: an argument of `{name}` is no value of its type"))
}
