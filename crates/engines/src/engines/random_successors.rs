//! Greedy best-first search with shuffled successors (as in Java PathFinder), a baseline of randomised guided search.

use lurcher_ir::PropertyKind;
use lurcher_search::Ties;

use super::each::check_each;
use crate::directed::{Algorithm, Directed, refuses};
use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::options::{EXEC, FRONTIER, GUIDING, TRIAL_STATES, TRIALS};
use crate::system::{Model, Shape};

/// Greedy best-first search with shuffled successors (as in Java PathFinder), a baseline of randomised guided search.
pub struct RandomSuccessors;

static INFO: Info = Info {
    name: "random-successors",
    help: "Greedy best-first search in independent trials; only the successors of each state are shuffled (a baseline)",
    parameters: &[GUIDING, &[&FRONTIER, &TRIALS, &TRIAL_STATES, &EXEC]],
    proves: false,
    random: true,
};

impl Engine for RandomSuccessors {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(shape, kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let search = Directed::guided(INFO.name, |task| Algorithm::random_best_first(task, Ties::Oldest, 1, true));
        check_each(INFO.name, run, search)
    }
}
