//! The direction of a search: a heuristic for each target of the property.
//!
//! A safety property has several targets (a failed assertion, a deadlock). The value of a state is the smallest that a
//! heuristic gives it, so it is a lower bound of the distance to a violation of a target if the heuristic of that target is
//! admissible.

use std::sync::Arc;
use std::time::Duration;

use lurcher_heuristics::registry::{self, Entry, HEURISTICS, HeuristicError, Named};
use lurcher_search::{FoundKind, Scores, StopReason};

use crate::engine::Task;
use crate::error::EngineError;
use crate::options::{GUIDE, OWN_GUIDE};
use crate::system::System;

/// The heuristics that a search follows; none for a blind search.
pub struct Direction<G> {
    /// The heuristics, each with the number of its target.
    guides: Vec<(usize, Arc<G>)>,
    /// The name in reports.
    pub name: Option<String>,
    /// How long building took.
    pub time: Duration,
}

impl<G> Direction<G> {
    /// No heuristic: every value is 0.
    fn blind() -> Self {
        Direction { guides: Vec::new(), name: None, time: Duration::ZERO }
    }

    /// The heuristics.
    pub fn guides(&self) -> impl Iterator<Item = &G> {
        self.guides.iter().map(|(_, guide)| &**guide)
    }

    /// Whether there is no heuristic.
    pub fn is_blind(&self) -> bool {
        self.guides.is_empty()
    }

    /// Whether values never exceed the distance to a violation of a kind.
    pub fn is_admissible_for<S: System<Guide = G>>(&self, system: &S, kind: &FoundKind) -> bool {
        let target = system.target_of(kind);
        self.is_blind() || self.guides.iter().any(|(t, guide)| Some(*t) == target && S::is_admissible(guide))
    }
}

/// The direction that options name; otherwise the model's own heuristic, or the first for states that can be built; or the
/// limit that was reached.
pub(crate) fn direction<S: System>(
    system: &S,
    task: &Task<'_>,
) -> Result<Result<Direction<S::Guide>, StopReason>, EngineError> {
    match task.options.text(&GUIDE) {
        Some("none") => return Ok(Ok(Direction::blind())),
        Some(name) if name != OWN_GUIDE => {
            let entry = registry::heuristic(name).expect("the options were checked");
            return named(system, task, entry);
        }
        _ => {}
    }
    if let Some(own) = system.own_heuristic() {
        return Ok(Ok(Direction { guides: vec![(0, own.guide)], name: Some(own.name), time: own.time }));
    }
    for entry in HEURISTICS.iter().filter(|entry| entry.scores == Scores::States) {
        match build(system, task, entry) {
            Ok(direction) => return Ok(Ok(direction)),
            Err(HeuristicError::Stopped(stop)) => return Ok(Err(stop)),
            Err(_) => {}
        }
    }
    let none = "no heuristic for states can be built for this property; --guide none searches without one";
    Err(EngineError::Refused(none.to_owned()))
}

fn named<S: System>(
    system: &S,
    task: &Task<'_>,
    entry: &'static Entry,
) -> Result<Result<Direction<S::Guide>, StopReason>, EngineError> {
    if entry.scores == Scores::Steps {
        let states = HEURISTICS.iter().filter(|h| h.scores == Scores::States).map(|h| h.name);
        return Err(EngineError::Refused(format!(
            "{} scores steps, and this search orders states: it can be guided by {}",
            entry.name,
            states.collect::<Vec<_>>().join(", ")
        )));
    }
    match build(system, task, entry) {
        Ok(direction) => Ok(Ok(direction)),
        Err(HeuristicError::Stopped(stop)) => Ok(Err(stop)),
        Err(error) => Err(EngineError::Heuristic(entry.name, error.to_string())),
    }
}

/// Builds the heuristic for every target that it can be built for.
fn build<S: System>(system: &S, task: &Task<'_>, entry: &Entry) -> Result<Direction<S::Guide>, HeuristicError> {
    let settings = task.heuristic_settings();
    let mut direction = Direction { name: Some(entry.name.to_owned()), ..Direction::blind() };
    let mut refused = HeuristicError::None("the property has no goal for it".to_owned());
    for (target, built) in system.heuristics(entry, &settings, &task.budget, false).into_iter().enumerate() {
        match built {
            Ok(Named { guide, time, .. }) => {
                direction.guides.push((target, guide));
                direction.time += time;
            }
            Err(HeuristicError::Stopped(stop)) => return Err(HeuristicError::Stopped(stop)),
            Err(why) if direction.is_blind() => refused = why,
            Err(_) => {}
        }
    }
    if direction.is_blind() { Err(refused) } else { Ok(direction) }
}
