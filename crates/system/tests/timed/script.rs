//! Runs written by hand.

use lurcher_ir::timed::{ImportedId, Model, TransitionId, TransitionRef};
use lurcher_system::timed::{Event, EventKind, Run};

/// A run from text: `constants` are `name=value`, `initial` gives values of variables other than 0 in the same form. Events
/// are `3 name=value`, `3 call T 1 2`, `3 start T 1 2`, `3 start T!1` (its first exception), `3 begin T` and `3 end T` (for
/// imported transitions), in any order, on lines or between semicolons.
pub fn script(model: &Model, constants: &str, initial: &str, events: &str, horizon: i64) -> Run {
    let mut run = Run {
        constants: model.constants.iter().map(|c| c.value.unwrap_or(1)).collect(),
        initial: model.variables.iter().map(|v| v.domain.values().map_or(0, |values| values[0])).collect(),
        events: Vec::new(),
        horizon,
    };
    for (name, value) in constants.split_whitespace().map(pair) {
        let index = model.constants.iter().position(|c| c.name == name).unwrap_or_else(|| panic!("no {name}"));
        run.constants[index] = value.parse().expect("a constant has a number");
    }
    for (name, value) in initial.split_whitespace().map(pair) {
        let (index, value) = valued(model, name, value);
        run.initial[index as usize] = value;
    }
    for line in events.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty()) {
        let (at, what) = line.split_once(' ').expect("an event has an instant");
        run.events.push(Event { at: at.parse().expect("an instant is a number"), kind: kind(model, what.trim()) });
    }
    run.events.sort();
    run
}

fn pair(text: &str) -> (&str, &str) {
    text.split_once('=').unwrap_or_else(|| panic!("{text} is no value"))
}

fn valued(model: &Model, name: &str, value: &str) -> (u32, i64) {
    let index = model.variables.iter().position(|v| v.name == name).unwrap_or_else(|| panic!("no {name}"));
    let value = model.variables[index].domain.read(value).or_else(|| value.parse().ok()).expect("a value");
    (index as u32, value)
}

fn kind(model: &Model, text: &str) -> EventKind {
    let mut words = text.split_whitespace();
    let first = words.next().expect("an event says something");
    let Some(name) = words.next() else {
        let (name, value) = pair(first);
        let (variable, value) = valued(model, name, value);
        return EventKind::Change { variable: lurcher_ir::timed::VariableId(variable), value };
    };
    let arguments = words.map(|w| w.parse().expect("an argument is a number")).collect();
    let (name, case) = name.split_once('!').map_or((name, 0), |(name, case)| (name, case.parse().expect("a case")));
    let own = model.transitions.iter().position(|t| t.name == name).map(|i| TransitionId(i as u32));
    let imported = model.imported.iter().position(|t| t.name == name).map(|i| ImportedId(i as u32));
    match (first, own, imported) {
        ("call", Some(id), _) => EventKind::Call { transition: TransitionRef::Own(id), arguments },
        ("call", _, Some(id)) => EventKind::Call { transition: TransitionRef::Imported(id), arguments },
        ("start", Some(transition), _) => EventKind::Start { transition, case, arguments },
        ("begin", _, Some(transition)) => EventKind::ImportedStart { transition, arguments },
        ("end", _, Some(transition)) => EventKind::ImportedEnd { transition },
        _ => panic!("no event: {text}"),
    }
}
