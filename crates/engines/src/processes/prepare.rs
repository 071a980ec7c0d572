//! Preparing properties of process models.

use lurcher_ir::{Model, Property, PropertyKind};
use lurcher_search::{Prepared, Semantics, TooLarge};

/// A property of a process model, prepared for search. Of safety, the property `deadlock` is the part about end states, and
/// `assertion` the part about assertions. Faults end every run and belong to both.
///
/// # Errors
/// When the automaton of a formula is too large.
pub fn prepare(model: &Model, property: &Property, semantics: Semantics) -> Result<Prepared, TooLarge> {
    let is = |part: &str| matches!(property.kind, PropertyKind::Safety) && property.name == part;
    let no_assertions = semantics.no_assertions || is("deadlock");
    let mut prepared = Prepared::new(model, property, Semantics { no_assertions, ..semantics })?;
    prepared.objective.end_states &= !is("assertion");
    Ok(prepared)
}
