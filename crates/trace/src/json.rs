//! Traces as JSON: the contents of the text form, and enough to be replayed.

use lurcher_system::Path;
use serde::{Deserialize, Serialize};

use crate::describe::Describer;
use crate::header::{Header, MOVES};
use crate::replay::{Replayed, Visit};
use crate::steps::Change;
use crate::trail::{Entry, Trail};

#[derive(Serialize, Deserialize)]
struct File {
    #[serde(flatten)]
    header: Header,
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
    /// For a rendezvous, on its second half.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    changes: Vec<(String, String)>,
}

/// The trace as JSON.
pub fn to_json(describer: &Describer<'_, '_>, header: &Header, replayed: &Replayed) -> String {
    let mut steps = Vec::new();
    replayed.visit(describer.interpreter, |Visit { step, before, after, .. }| {
        for (process, action) in describer.actions(before, &step.taken) {
            steps.push(Line {
                process: process.0,
                statement: action.origin,
                name: describer.process(before, process),
                place: describer.sources.place(action.span),
                text: describer.statement(before, process, action),
                printed: describer.printed(before, process, action),
                changes: Vec::new(),
            });
        }
        if let Some(last) = steps.last_mut() {
            last.changes = describer.changes(before, after).into_iter().map(Change::pair).collect();
        }
    });
    let path = &replayed.path;
    let cycle_start = path.cycle_start.map(|_| path.prefix().iter().map(|s| s.taken.length() as usize).sum());
    let file = File { header: header.of(MOVES), cycle_start, steps };
    serde_json::to_string_pretty(&file).expect("a trace is made of strings and numbers")
}

/// The trace as JSON without what a replay recomputes: names, places and changes.
pub fn to_short_json(model: &str, property: &str, trail: &Trail) -> String {
    let line = |e: &Entry| format!("{{\"process\":{},\"statement\":{}}}", e.process, e.origin);
    let lines: Vec<String> = trail.path.steps.iter().map(line).collect();
    let text = |t: &str| serde_json::to_string(t).expect("a text can always be written");
    format!(
        "{{\"format\":\"{MOVES}\",\"model\":{},\"property\":{},\"cycle_start\":{},\"steps\":[\n{}\n]}}\n",
        text(model),
        text(property),
        trail.path.cycle_start.map_or("null".to_owned(), |c| c.to_string()),
        lines.join(",\n")
    )
}

/// Reads a trace that [`to_json`] wrote: the trail and the name of its property.
pub fn read_json(text: &str) -> Result<(Trail, String), String> {
    let file: File = serde_json::from_str(text).map_err(|e| e.to_string())?;
    file.header.expect(MOVES)?;
    let steps: Vec<Entry> = file.steps.iter().map(|l| Entry { process: l.process, origin: l.statement }).collect();
    if file.cycle_start.is_some_and(|c| c > steps.len()) {
        return Err("the cycle starts behind the last step".to_owned());
    }
    Ok((Trail { path: Path { steps, cycle_start: file.cycle_start }, ..Trail::default() }, file.header.property))
}
