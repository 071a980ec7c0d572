//! Text for people.

use lurcher_system::Interpreter;
use lurcher_trace::{Describer, states_to_text, to_text};

use super::{Document, Format, TraceOf};

pub(super) struct Text;

impl Format for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn help(&self) -> &'static str {
        "Steps with the values that they change, as reports show them"
    }

    fn render(&self, document: &Document<'_>) -> Result<String, String> {
        Ok(render(document))
    }
}

pub(super) fn render(document: &Document<'_>) -> String {
    match &document.trace {
        TraceOf::Processes(trace, model, sources) => {
            let interpreter = Interpreter::new(model, trace.limits.clone());
            to_text(&Describer { interpreter: &interpreter, sources }, &trace.replayed, &trace.evidence)
        }
        TraceOf::Relation(path, evidence, relation) => states_to_text(relation, path, *evidence),
        TraceOf::Rust(trace) => {
            let mut out = String::new();
            for (index, step) in document.steps().iter().enumerate() {
                let action = if index == 0 { "initial state" } else { &step.action };
                out.push_str(&format!("{index:>3}  {action}\n     → {}\n", step.changes[0].1));
            }
            format!("{out}\n{}\n", trace.ending)
        }
    }
}
