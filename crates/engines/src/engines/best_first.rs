//! Greedy best-first search.

use lurcher_ir::PropertyKind;
use lurcher_search::Priority;

use super::each::check_each;
use crate::directed::{Algorithm, Directed, refuses};
use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::options::{EXEC, FRONTIER, GUIDING, REDUCTION, TIES, ties};
use crate::system::{Model, Shape};

/// Greedy best-first search: the state with the best value is expanded next.
pub struct BestFirst;

static INFO: Info = Info {
    name: "best-first",
    help: "Greedy best-first search for bad states: the best value of the heuristic first",
    parameters: &[GUIDING, &[&TIES, &FRONTIER, &EXEC, &REDUCTION]],
    proves: true,
    random: false,
};

impl Engine for BestFirst {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(shape, kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let search = Directed::guided(INFO.name, |task| Algorithm::best_first(task, Priority::Greedy, ties(task)));
        check_each(INFO.name, run, search)
    }
}
