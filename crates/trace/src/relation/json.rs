//! Traces of relations as JSON: every state by the names of its variables.

use std::collections::BTreeMap;

use lurcher_ir::relation::{Relation, Variable, VariableId};
use lurcher_system::Path;
use serde::{Deserialize, Serialize};

use crate::header::{Header, STATES};

#[derive(Serialize, Deserialize)]
struct File {
    #[serde(flatten)]
    header: Header,
    cycle_start: Option<usize>,
    /// Values in the source language; inputs are those of the step out of the state.
    states: Vec<BTreeMap<String, String>>,
}

/// The path as JSON.
pub fn states_to_json(relation: &Relation, header: &Header, path: &Path<Vec<i64>>) -> String {
    let state = |values: &Vec<i64>| {
        let value = |(id, v): (VariableId, &Variable)| relation.show(&v.domain, values[id.0 as usize]);
        relation.variables().map(|v| (v.1.name.clone(), value(v))).collect()
    };
    let file = File {
        header: header.of(STATES),
        cycle_start: path.cycle_start,
        states: path.steps.iter().map(state).collect(),
    };
    serde_json::to_string_pretty(&file).expect("a path is made of strings and numbers")
}

/// Reads what [`states_to_json`] wrote: the path and the name of its property.
pub fn read_states_json(relation: &Relation, text: &str) -> Result<(Path<Vec<i64>>, String), String> {
    let file: File = serde_json::from_str(text).map_err(|e| e.to_string())?;
    file.header.expect(STATES)?;
    if file.cycle_start.is_some_and(|c| c >= file.states.len()) {
        return Err("the cycle starts behind the last state".to_owned());
    }
    let states = file.states.iter().enumerate().map(|(index, state)| {
        let unknown = state.keys().find(|name| relation.find(name).is_none());
        if let Some(name) = unknown {
            return Err(format!("state {index} has a value for `{name}`, which the model does not have"));
        }
        relation.variables.iter().map(|v| value(relation, v, index, state)).collect()
    });
    let steps: Vec<Vec<i64>> = states.collect::<Result<_, String>>()?;
    Ok((Path { steps, cycle_start: file.cycle_start }, file.header.property))
}

fn value(
    relation: &Relation,
    variable: &Variable,
    index: usize,
    state: &BTreeMap<String, String>,
) -> Result<i64, String> {
    let name = &variable.name;
    let text = state.get(name).ok_or_else(|| format!("state {index} has no value for `{name}`"))?;
    relation.read(&variable.domain, text).ok_or_else(|| format!("`{text}` in state {index} is no value of `{name}`"))
}
