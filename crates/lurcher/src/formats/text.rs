//! Text for people.

use lurcher_syntax::escape;
use lurcher_system::Interpreter;
use lurcher_trace::{Describer, Page, StepView, run_to_text, states_to_text, to_text};

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
        Ok(render(document, &Page::default()))
    }
}

pub(super) fn render(document: &Document<'_>, page: &Page) -> String {
    match &document.trace {
        TraceOf::Processes(trace, model, sources) => {
            let interpreter = Interpreter::new(model, trace.limits.clone());
            to_text(&Describer { interpreter: &interpreter, sources }, &trace.replayed, &trace.evidence, page)
        }
        TraceOf::Relation(path, evidence, relation) => states_to_text(relation, path, *evidence, page),
        TraceOf::Timed(trace, model) => run_to_text(model, &trace.run, &trace.ending(), page),
        TraceOf::Rust(trace) => {
            let mut out = String::new();
            let mut next = 0;
            for StepView { number, action, changes, .. } in document.steps(page.steps) {
                if number > next {
                    out.push_str(&format!("     … {} steps left out …\n", number - next));
                }
                next = number + 1;
                let action = if number == 0 { "initial state" } else { &action };
                let state = changes.into_iter().map(|change| change.pair().1).collect::<String>();
                out.push_str(&format!("{number:>3}  {}\n     → {}\n", escape(action), escape(&state)));
            }
            format!("{out}\n{}\n", trace.ending)
        }
    }
}
