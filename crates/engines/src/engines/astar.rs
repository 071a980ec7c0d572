//! A\*.

use lurcher_ir::PropertyKind;
use lurcher_search::Priority;

use super::each::check_each;
use crate::directed::{Algorithm, Directed, refuses};
use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::options::{EXEC, FRONTIER, GUIDING, REDUCTION, TIES, WEIGHT, ties};
use crate::system::{Model, Shape};

/// A\*: the state with the smallest sum of path length and weighted heuristic value is expanded next.
pub struct AStar;

static INFO: Info = Info {
    name: "astar",
    help: "A*: the smallest sum of path length and heuristic value first; with an admissible heuristic and without reduction, counterexamples are shortest",
    parameters: &[GUIDING, &[&WEIGHT, &TIES, &FRONTIER, &EXEC, &REDUCTION]],
    proves: true,
    random: false,
};

impl Engine for AStar {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(shape, kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let search = Directed::guided(INFO.name, |task| {
            let weight = task.options.hundredths(&WEIGHT).unwrap_or(100);
            Algorithm::best_first(task, Priority::AStar { weight }, ties(task))
        });
        check_each(INFO.name, run, search)
    }
}
