//! Goal paths of smaller instances.

use lurcher_ir::Property;
use lurcher_search::{Bias, Scores};

use super::{HeuristicError, Request};
use crate::goals::Target;
use crate::heuristic::Heuristic;
use crate::reduced_instance::{ReducedInstance, from_text};

/// The goal path of a smaller instance, for steps (h1).
pub struct Entry;

impl super::Entry for Entry {
    fn name(&self) -> &'static str {
        "reduced-instance"
    }

    fn help(&self) -> &'static str {
        "The way to a violation in a smaller instance, for steps (h1)"
    }

    fn scores(&self) -> Scores {
        Scores::Steps
    }

    fn is_costly(&self) -> bool {
        true
    }

    /// Scores of goal paths lie far apart: halving would leave no choice at all.
    fn bias(&self) -> Bias {
        Bias::Linear
    }

    fn for_processes<'m>(&self, request: &Request<'_, 'm>) -> Result<(Heuristic<'m>, Vec<String>), HeuristicError> {
        let Request { prepared, interpreter, target, settings, instances, .. } = request;
        if let Some(text) = &settings.text {
            let table = from_text(text).map_err(|e| e.to_string())?;
            let guide = ReducedInstance::new(interpreter.model(), table).map_err(|e| e.to_string())?;
            return Ok((Heuristic::ReducedInstance(Box::new(guide)), Vec::new()));
        }
        let Some(instances) = instances else {
            return Err("the source of the model is not known".to_owned().into());
        };
        // A safety property under the name of the target asks for that kind of violation.
        let property = match target {
            Target::Deadlock | Target::Assertion => {
                Property { name: target.name().to_owned(), ..prepared.property.clone() }
            }
            _ => prepared.property.clone(),
        };
        let (guide, notes) = instances.reduced(&property, target, settings.reduce.as_deref())?;
        Ok((Heuristic::ReducedInstance(Box::new(guide)), notes))
    }
}
