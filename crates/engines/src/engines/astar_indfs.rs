//! A\* and improved nested depth-first search.

use lurcher_ir::PropertyKind;

use super::each::check_each;
use crate::cycles::{CycleAlgorithm, Cycles, refuses};
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::{EXEC, GUIDING, REDUCTION, TIES, WEIGHT, ties};
use crate::system::{Model, Shape};

/// A\* to components of the claim with accepting cycles, and improved nested depth-first search there (Edelkamp, Leue and
/// Lluch-Lafuente 2003, section 7.3).
pub struct AStarIndfs;

static INFO: Info = Info {
    name: "astar-indfs",
    help: "A* to components of the claim with accepting cycles, and there a nested search that a heuristic leads back",
    parameters: &[GUIDING, &[&WEIGHT, &TIES, &EXEC, &REDUCTION]],
    proves: true,
    random: false,
};

impl Engine for AStarIndfs {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(shape, kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let algorithm = |task: &Task<'_>| {
            let weight = task.options.hundredths(&WEIGHT).unwrap_or(100);
            CycleAlgorithm::AStar { weight, ties: ties(task) }
        };
        check_each(INFO.name, run, Cycles { name: INFO.name, algorithm })
    }
}
