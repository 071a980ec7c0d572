//! The analyses on small Promela models.

mod control_flow;
mod dependency;
mod footprint;
mod independence;

use lurcher_ir::{LocationId, Model, ProcessType};
use lurcher_promela::parse::{self, DiskReader, Options};
use lurcher_syntax::SourceMap;

/// Reads a model from text.
fn model(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let main = sources.add("model", text.to_owned());
    let parsed = parse::parse(&mut sources, main, &Options::default(), &DiskReader);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let (lowered, diagnostics) = lurcher_promela::lower(&sources, &parsed.program);
    lowered.unwrap_or_else(|| panic!("{diagnostics:?}")).model
}

/// A process type by name.
fn process<'m>(model: &'m Model, name: &str) -> &'m ProcessType {
    model.process_type(model.find_process_type(name).expect("a process type of this name"))
}

/// A location by its label.
fn label(process_type: &ProcessType, name: &str) -> LocationId {
    let found = process_type.locations.iter().position(|l| l.labels.iter().any(|x| x == name));
    LocationId(found.expect("a label of this name") as u16)
}
