//! Goal paths of smaller instances.

use lurcher_ir::Property;
use lurcher_search::{Bias, Scores};

use super::{Built, Entry, Request};
use crate::goals::Target;
use crate::heuristic::Heuristic;
use crate::reduced_instance::{ReducedInstance, from_text};

pub(super) const ENTRY: Entry = Entry {
    name: "reduced-instance",
    help: "The way to a violation in a smaller instance, for steps (h1)",
    scores: Scores::Steps,
    costly: true,
    // Scores of goal paths lie far apart: halving would leave no choice at all.
    bias: Bias::Linear,
    for_processes,
    for_relation: None,
};

fn for_processes<'m>(request: &Request<'_, 'm>) -> Built<'m> {
    let Request { prepared, interpreter, target, settings, instances, .. } = request;
    if let Some(text) = &settings.text {
        let table = from_text(text).map_err(|e| e.to_string())?;
        let guide = ReducedInstance::new(interpreter.model(), table).map_err(|e| e.to_string())?;
        return Ok((Heuristic::ReducedInstance(Box::new(guide)), Vec::new()));
    }
    let instances = instances.ok_or_else(|| "the source of the model is not known".to_owned())?;
    let mut property = Property::clone(&prepared.property);
    if let Target::Deadlock | Target::Assertion = target {
        // A safety property under the name of the target asks for that kind of violation.
        property.name = target.name().to_owned();
    }
    let (guide, notes) = instances.reduced(&property, target, settings.reduce.as_deref())?;
    Ok((Heuristic::ReducedInstance(Box::new(guide)), notes))
}
