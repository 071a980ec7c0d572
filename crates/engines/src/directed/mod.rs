//! What directed and randomised searches share: how they are set up, and what they report.

mod direction;
mod search;

use lurcher_ir::PropertyKind;
use lurcher_search::{Observer, Phase, Stats};

use crate::engine::Task;
use crate::engines::each::{CheckOne, refuses_ctl, refuses_runs};
use crate::error::EngineError;
use crate::report::{Answer, TrialReport};
use crate::system::{Shape, System};

pub use direction::Direction;
pub(crate) use direction::direction;
pub(crate) use search::{Algorithm, DirectedSearch};

/// A directed search as an engine: its name, and its algorithm for a task.
pub(crate) struct Directed {
    name: &'static str,
    is_guided: bool,
    algorithm: fn(&Task<'_>) -> Algorithm,
}

impl Directed {
    /// A search that follows a heuristic.
    pub fn guided(name: &'static str, algorithm: fn(&Task<'_>) -> Algorithm) -> Self {
        Directed { name, is_guided: true, algorithm }
    }

    /// A search without a heuristic.
    pub fn blind(name: &'static str, algorithm: fn(&Task<'_>) -> Algorithm) -> Self {
        Directed { name, is_guided: false, algorithm }
    }
}

impl CheckOne for Directed {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        let refused = |why: &str| Err(EngineError::Refused(why.to_owned()));
        if !system.is_about_states() && !system.has_bad_prefixes() {
            return refused(
                "no finite prefix violates it, and this engine looks for bad states and prefixes; \
                 --engine astar-indfs, indfs, bfs or bdd look for runs",
            );
        }
        let property = &system.property().name;
        let direction = match self.is_guided {
            true => {
                observer.phase(&Phase { engine: self.name, property, activity: "building the heuristic" });
                match direction(system, task)? {
                    Ok(direction) => Some(direction),
                    Err(stop) => return Ok(Answer::stopped(system.property(), self.name, stop)),
                }
            }
            false => None,
        };
        observer.phase(&Phase { engine: self.name, property, activity: "searching states" });
        let is_admissible_for = |kind: &_| direction.as_ref().is_some_and(|d| d.is_admissible_for(system, kind));
        let mut search = DirectedSearch::new(self.name, (self.algorithm)(task), task, &is_admissible_for);
        let mut answer = system.explore(&mut search, direction.as_ref(), &task.search_budget(), observer)?;
        let report = &mut answer.report;
        if let Some(counts) = search.trials {
            report.trials = Some(TrialReport { made: counts.made, cut: counts.cut, decided_by: counts.decided_by });
        }
        if let Some(direction) = direction {
            (report.guide, report.times.guide) = (direction.name, direction.time);
        }
        if report.stats == Stats::default() {
            system.describe_walks(report);
        }
        Ok(answer)
    }
}

/// Why a directed search cannot check such a property. Claims of process models may have bad prefixes.
pub(crate) fn refuses(shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
    match shape {
        Shape::Processes => refuses_ctl(kind),
        Shape::Relation | Shape::Own | Shape::Timed => refuses_ctl(kind).or_else(|| refuses_runs(kind)),
    }
}
