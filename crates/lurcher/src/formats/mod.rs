//! Trace formats: the registry, and what a format renders.
//!
//! A format is one file here and one line in [`FORMATS`]. It may use [`Document::steps`], which is the same for all kinds of
//! models, or the trace itself.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use lurcher::formats::{Document, format};
//!
//! let text = "byte x; active proctype P() { x = 1; assert(x == 0) }";
//! let mut model = lurcher::Model::from_text("bug.pml", text, &Default::default())?;
//! let outcome = model.verify().run()?;
//! let document = Document::of(&model, "bug.pml", &outcome.reports[0]).ok_or("no trace")?;
//! let markdown = format("markdown").ok_or("no such format")?.render(&document)?;
//! assert!(markdown.contains("x == 0"), "{markdown}");
//! # Ok(())
//! # }
//! ```

mod json;
mod markdown;
mod spin_trail;
mod text;

use lurcher_engines::{OwnTrace, ProcessTrace, Report, TimedTrace, Trace};
use lurcher_ir::relation::Relation;
use lurcher_ir::timed;
use lurcher_syntax::SourceMap;
use lurcher_system::{Interpreter, Path};
pub use lurcher_trace::{Atomic, Change, Page, StepView, columns, fill};
use lurcher_trace::{Describer, Header, StateDescriber, StateEvidence, left_out, moments};

use crate::languages::Form;
use crate::load::Model;

/// A way to write traces.
pub trait Format: Sync {
    /// Its name, as in `--export NAME=FILE`.
    fn name(&self) -> &'static str;

    /// One line of help.
    fn help(&self) -> &'static str;

    /// Writes a trace.
    ///
    /// # Errors
    /// One sentence if it has no form for traces of this kind of model.
    fn render(&self, document: &Document<'_>) -> Result<String, String>;
}

/// All formats.
pub static FORMATS: &[&dyn Format] = &[&text::Text, &json::Json, &spin_trail::SpinTrail, &markdown::Markdown];

/// A format by its name.
pub fn format(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|f| f.name() == name)
}

/// A trace to be written.
pub struct Document<'t> {
    /// The model, the property and what is needed to find them again.
    pub header: Header,
    /// The trace.
    pub trace: TraceOf<'t>,
}

/// A trace, with the model that it belongs to.
pub enum TraceOf<'t> {
    /// Of a process model.
    Processes(&'t ProcessTrace, &'t lurcher_ir::Model, &'t SourceMap),
    /// Of a relation.
    Relation(&'t Path<Vec<i64>>, StateEvidence, &'t Relation),
    /// Of a model written in Rust.
    Rust(&'t OwnTrace),
    /// Of a process of a real-time specification.
    Timed(&'t TimedTrace, &'t timed::Model),
}

impl<'t> Document<'t> {
    /// The first counterexample of a report; none if there is no trace.
    pub fn of(model: &'t Model, name: &str, report: &'t Report) -> Option<Self> {
        Document::new(model, name, &report.name, &report.counterexamples.first()?.trace)
    }

    /// A trace of a model; none if there are no steps to write.
    pub fn new(model: &'t Model, name: &str, property: &str, trace: &'t Trace) -> Option<Self> {
        let trace = match (trace, model.form()) {
            (Trace::Processes(trace), Form::Processes(processes)) => {
                TraceOf::Processes(trace, processes, model.sources())
            }
            (Trace::States(Some((path, evidence))), Form::Relation(relation)) => {
                TraceOf::Relation(path, *evidence, relation)
            }
            (Trace::Own(trace), _) => TraceOf::Rust(trace),
            (Trace::Timed(trace), Form::Timed(specification)) => {
                TraceOf::Timed(trace, specification.property(trace.property).0)
            }
            _ => return None,
        };
        let mut header = model.header(name, property);
        if let TraceOf::Processes(trace, ..) = &trace {
            header.semantics = trace.semantics;
        }
        Some(Document { header, trace })
    }

    /// The trace as text.
    pub fn text(&self, page: &Page) -> String {
        text::render(self, page)
    }

    /// The steps of the trace, at most so many: those in the middle are left out. Those of relations and of models in Rust
    /// begin with the initial state.
    pub fn steps(&self, most: Option<usize>) -> Vec<StepView> {
        match &self.trace {
            TraceOf::Processes(trace, model, sources) => {
                let interpreter = Interpreter::new(model, trace.limits.clone());
                let without = left_out(trace.replayed.path.steps.len(), most);
                Describer { interpreter: &interpreter, sources }.steps(&trace.replayed, without)
            }
            TraceOf::Relation(path, _, relation) => relation_steps(path, relation, most),
            TraceOf::Rust(trace) => rust_steps(trace, most),
            TraceOf::Timed(trace, model) => {
                let mut steps = moments(model, &trace.run);
                steps.drain(left_out(steps.len(), most));
                steps
            }
        }
    }
}

/// The indices that are shown of so many steps.
fn shown(total: usize, most: Option<usize>) -> impl Iterator<Item = usize> {
    let without = left_out(total, most);
    (0..total).filter(move |index| !without.contains(index))
}

fn relation_steps(path: &Path<Vec<i64>>, relation: &Relation, most: Option<usize>) -> Vec<StepView> {
    let describer = StateDescriber::new(relation);
    let step = |index: usize| {
        let (before, state) = (index.checked_sub(1).map(|i| path.steps[i].as_slice()), &path.steps[index]);
        let changes = describer.changes(before, state).into_iter();
        StepView {
            number: index as u32,
            action: before.map_or(String::new(), |before| describer.step(before, state).join(", ")),
            changes: changes.map(|(name, value)| Change::Value(name, value)).collect(),
            in_cycle: path.cycle_start.is_some_and(|start| start <= index),
            ..StepView::default()
        }
    };
    shown(path.steps.len(), most).map(step).collect()
}

fn rust_steps(trace: &OwnTrace, most: Option<usize>) -> Vec<StepView> {
    let step = |index: usize| StepView {
        number: index as u32,
        action: trace.actions[index].clone(),
        changes: vec![Change::Value("state".to_owned(), trace.states[index].clone())],
        in_cycle: trace.cycle_start.is_some_and(|start| start < index),
        ..StepView::default()
    };
    shown(trace.actions.len().min(trace.states.len()), most).map(step).collect()
}
