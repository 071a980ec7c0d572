//! Violations of real-time specifications, judged by the oracle.

use std::time::Duration;

use lurcher_ir::timed::{Model, PropertyRef};
use lurcher_search::Found;
use lurcher_system::timed::{Judgement, Oracle, Run};

use super::PreparedTimed;
use crate::error::EngineError;
use crate::report::{Counterexample, Trace};
use crate::system::Confirmed;

/// A run of a process, judged.
#[derive(Clone, Debug)]
pub struct TimedTrace {
    /// The property that it was judged by.
    pub property: PropertyRef,
    /// The run.
    pub run: Run,
    /// What the oracle says of it.
    pub judgement: Judgement,
}

impl TimedTrace {
    /// Lets the oracle judge a run.
    pub fn judged(model: &Model, property: PropertyRef, run: Run) -> TimedTrace {
        let judgement = Oracle::new(model).judge(&run, property.index as usize);
        TimedTrace { property, run, judgement }
    }

    /// Whether the run shows that the property is false or has no value.
    pub fn is_violation(&self) -> bool {
        matches!(self.judgement, Judgement::Violates { .. } | Judgement::Undefined { .. })
    }

    /// The number of its events.
    pub fn length(&self) -> u32 {
        u32::try_from(self.run.events.len()).unwrap_or(u32::MAX)
    }

    /// What it shows, as one sentence.
    pub fn ending(&self) -> String {
        match &self.judgement {
            Judgement::Violates { at } => format!("at {at} the {} does not hold", self.property.kind.name()),
            Judgement::Undefined { clause, at } => format!("at {at} {clause} has no value"),
            other => other.to_string(),
        }
    }
}

/// Lets the oracle judge what a search found.
pub(super) fn confirm(model: &Model, prepared: &PreparedTimed, found: &Found<Run>) -> Result<Confirmed, EngineError> {
    let unconfirmed = |why: String| EngineError::Unconfirmed(format!("{}: {why}", prepared.property.name));
    let run = found.path.steps.first().ok_or_else(|| unconfirmed("there is no run".to_owned()))?;
    let trace = TimedTrace::judged(model, prepared.at, run.clone());
    if !trace.is_violation() {
        return Err(unconfirmed(trace.judgement.to_string()));
    }
    let kind = match trace.judgement {
        Judgement::Undefined { .. } => "undefined",
        _ => prepared.property.kind.name(),
    };
    let counterexample = Counterexample {
        kind,
        message: trace.ending(),
        place: Some(prepared.property.span),
        found_length: trace.length(),
        shortest: false,
        count: found.count,
        trace: Trace::Timed(Box::new(trace)),
    };
    Ok(Confirmed { counterexample, time: Duration::ZERO, expansions: 0, cut: false })
}
