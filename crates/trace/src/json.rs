//! Traces as JSON: everything the text says, and enough to be replayed.

use serde::{Deserialize, Serialize};

use crate::describe::Describer;
use crate::entry::{Entry, Trail};
use crate::replay::{Replayed, Visit};

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    model: String,
    property: String,
    cycle_start: Option<usize>,
    steps: Vec<Line>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    process: u16,
    statement: u32,
    #[serde(default)]
    name: String,
    #[serde(default)]
    place: String,
    #[serde(default)]
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    printed: Option<String>,
    /// Behind the second half of a rendezvous, or behind any other step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    changes: Vec<(String, String)>,
}

/// What the format calls itself.
const FORMAT: &str = "lurcher-trace-1";

/// Writes a trace.
pub fn to_json(describer: &Describer<'_, '_>, model: &str, property: &str, replayed: &Replayed) -> String {
    let mut steps = Vec::new();
    let mut cycle_start = None;
    replayed.visit(describer.interpreter, |Visit { index, step, before, after }| {
        if replayed.cycle_start == Some(index) {
            cycle_start = Some(steps.len());
        }
        for (process, action) in describer.actions(before, &step.taken) {
            steps.push(Line {
                process: process.0,
                statement: action.origin,
                name: describer.process(before, process),
                place: describer.sources.place(action.span),
                text: action.text.clone(),
                printed: describer.printed(before, process, action),
                changes: Vec::new(),
            });
        }
        if let Some(last) = steps.last_mut() {
            let changes = describer.changes(before, after);
            last.changes = changes.into_iter().map(|c| (c.name, c.value)).collect();
        }
    });
    if replayed.cycle_start == Some(replayed.steps.len()) {
        cycle_start = Some(steps.len());
    }
    let file =
        File { format: FORMAT.to_owned(), model: model.to_owned(), property: property.to_owned(), cycle_start, steps };
    serde_json::to_string_pretty(&file).expect("a trace is made of strings and numbers")
}

/// Writes a trace without what a replay finds out by itself: who the processes are and what the steps change.
pub fn to_short_json(model: &str, property: &str, trail: &Trail) -> String {
    let line = |e: &Entry| format!("{{\"process\":{},\"statement\":{}}}", e.process, e.origin);
    let lines: Vec<String> = trail.entries.iter().map(line).collect();
    let text = |t: &str| serde_json::to_string(t).expect("a text can always be written");
    format!(
        "{{\"format\":\"{FORMAT}\",\"model\":{},\"property\":{},\"cycle_start\":{},\"steps\":[\n{}\n]}}\n",
        text(model),
        text(property),
        trail.cycle_start.map_or("null".to_owned(), |c| c.to_string()),
        lines.join(",\n")
    )
}

/// Reads a trace that [`to_json`] wrote: the steps, and the property it is about.
pub fn read_json(text: &str) -> Result<(Trail, String), String> {
    let file: File = serde_json::from_str(text).map_err(|e| e.to_string())?;
    if file.format != FORMAT {
        return Err(format!("its format is `{}`, not `{FORMAT}`", file.format));
    }
    let entries: Vec<Entry> = file.steps.iter().map(|l| Entry { process: l.process, origin: l.statement }).collect();
    if file.cycle_start.is_some_and(|c| c > entries.len()) {
        return Err("the cycle starts behind the last step".to_owned());
    }
    Ok((Trail { entries, cycle_start: file.cycle_start, ..Trail::default() }, file.property))
}
