//! Shortening a trace that stems from elsewhere: another engine, an earlier run, or Spin.
//!
//! HSF-SPIN calls this trail-directed search (Edelkamp, Leue and Lluch-Lafuente 2003): the trail is the result of a fast search, and
//! a directed search towards its last state improves it. The minimiser of `trace` does this for every trace that an engine finds.

use lurcher_ir::Property;

use crate::engine::Task;
use crate::error::EngineError;
use crate::report::Trace;
use crate::system::{Confirmed, Minimise, Model, System};

/// Shortens a trace that violates a property, with the task's budget for minimising; none if it violates nothing.
///
/// # Errors
/// When the property cannot be prepared, or the trace is none of the model.
pub fn shorten<M: Model>(
    model: &M,
    property: &Property,
    trace: &Trace,
    task: &Task<'_>,
) -> Result<Option<Confirmed>, EngineError> {
    let prepared = model.prepare(property, false, task)?;
    let system = model.system(&prepared, task);
    let minimise = Minimise { expansions: task.minimise, budget: &task.budget };
    system.found_in(trace).map(|found| system.confirm(&found, minimise)).transpose()
}
