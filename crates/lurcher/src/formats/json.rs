//! lurcher's JSON traces, which `replay` reads.

use lurcher_system::Interpreter;
use lurcher_trace::{Describer, run_to_json, states_to_json, to_json};
use serde_json::json;

use super::{Document, Format, TraceOf};

pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn help(&self) -> &'static str {
        "Steps and changes as JSON; `replay` reads it"
    }

    fn render(&self, document: &Document<'_>) -> Result<String, String> {
        let Document { header, trace } = document;
        match trace {
            TraceOf::Processes(trace, model, sources) => {
                let interpreter = Interpreter::new(model, trace.limits.clone());
                let describer = Describer { interpreter: &interpreter, sources };
                Ok(to_json(&describer, header, &trace.replayed))
            }
            TraceOf::Relation(path, _, relation) => Ok(states_to_json(relation, header, path)),
            TraceOf::Timed(trace, model) => Ok(run_to_json(model, header, &trace.run)),
            TraceOf::Rust(trace) => {
                let states = trace.actions.iter().zip(&trace.states);
                let steps: Vec<_> = states.map(|(action, state)| json!({ "action": action, "state": state })).collect();
                let object = json!({
                    "model": header.model,
                    "property": header.property,
                    "cycle_start": trace.cycle_start,
                    "steps": steps,
                });
                serde_json::to_string_pretty(&object).map(|text| text + "\n").map_err(|e| e.to_string())
            }
        }
    }
}
