//! A hunt in a real-time specification: a small tree, then all reachable states as sets, then walks through growing trees.

use std::time::{Duration, Instant};

use lurcher_ir::Property;
use lurcher_search::{Observer, StopReason};

use crate::engine::{Checked, Engine, Run, Task};
use crate::engines::{Sets, Tree, TreeWalk};
use crate::error::EngineError;
use crate::options::{DEPTH, EVERY_INSTANT, LAST_LAYER, Options, PARTIAL_IMAGE, Parameter, WALKS, WINDOW};
use crate::report::{Report, Verdict, violation_first};
use crate::system::Model;

/// The most time for the first tree, and its layers.
const FIRST: (Duration, u32) = (Duration::from_secs(1), 6);
/// The layers of the trees of the first and of the last round of walks.
const LAYERS: (u32, u32) = (8, 40);

/// Hunts for violations of properties; stops at the first.
pub(crate) fn hunt<M: Model>(run: Run<'_, M>) -> Result<Checked, EngineError> {
    let Run { model, properties, task, observer } = run;
    let mut hunt = Hunt { model, task, open: properties.to_vec(), reports: Vec::new(), observer };
    let left = || task.budget.resources.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let share = |part: u32, most: Duration| left().map_or(most, |left| (left / part).min(most));
    let tree = |depth: u32| set(&DEPTH, &depth.to_string()).with(&LAST_LAYER, "").with(&EVERY_INSTANT, "");
    if hunt.look(&Tree, tree(FIRST.1), Some(share(10, FIRST.0)))? {
        return Ok(hunt.result());
    }
    if hunt.look(&Sets, Options::default(), left().map(|left| left / 2))? {
        return Ok(hunt.result());
    }
    for round in 0u64.. {
        let depth = (LAYERS.0 + 2 * u32::try_from(round).unwrap_or(LAYERS.1)).min(LAYERS.1);
        let walks = tree(depth).with(&WALKS, &(1 + round / 4).to_string()).with(&WINDOW, &(2 + round % 2).to_string());
        let walks = if round % 2 == 1 { walks.with(&PARTIAL_IMAGE, "") } else { walks };
        if hunt.look(&TreeWalk, walks, None)? || task.budget.stop_reason().is_some() {
            break;
        }
    }
    Ok(hunt.result())
}

/// Options with one value.
fn set(parameter: &'static Parameter, value: &str) -> Options {
    Options::default().with(parameter, value)
}

struct Hunt<'r, M> {
    model: &'r M,
    task: &'r Task<'r>,
    /// Properties that are not decided.
    open: Vec<Property>,
    /// The last report on each property.
    reports: Vec<Report>,
    observer: &'r mut dyn Observer,
}

impl<M: Model> Hunt<'_, M> {
    /// Checks what is open with an engine, for so long at most; true if the hunt is over.
    fn look(&mut self, engine: &impl Engine, options: Options, time: Option<Duration>) -> Result<bool, EngineError> {
        let budget = match time {
            Some(time) => self.task.budget.until(Instant::now() + time),
            None => self.task.budget.clone(),
        };
        let task = &Task { options, budget, ..self.task.clone() };
        let (model, properties) = (self.model, self.open.clone());
        let checked = engine.check(Run { model, properties: &properties, task, observer: &mut *self.observer })?;
        for report in checked.reports {
            if report.verdict != Verdict::Inconclusive {
                self.open.retain(|property| property.name != report.name);
            }
            match self.reports.iter_mut().find(|known| known.name == report.name) {
                Some(known) => *known = report,
                None => self.reports.push(report),
            }
        }
        let violated = self.reports.iter().any(|report| report.verdict == Verdict::Violated);
        let interrupted = self.reports.iter().any(|report| report.stop == StopReason::Interrupted);
        Ok(violated || interrupted || self.open.is_empty())
    }

    fn result(self) -> Checked {
        violation_first(self.reports).into()
    }
}
