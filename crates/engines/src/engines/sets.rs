//! All reachable states of a real-time process, as sets of integers.

use lurcher_search::Observer;

use super::each::{CheckOne, check_each};
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::report::Answer;
use crate::system::{Model, Shape, System};
use crate::timed::SetSearch;

/// All reachable states, for all constants at once: a fixpoint over ages and waits of any length.
pub struct Sets;

static INFO: Info = Info {
    name: "sets",
    help: "Real-time specifications: all reachable states for all constants at once, as sets of integers",
    parameters: &[],
    proves: true,
    random: false,
};

impl Engine for Sets {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Timed]
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        check_each(INFO.name, run, Fixpoint)
    }
}

struct Fixpoint;

impl CheckOne for Fixpoint {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        system.check_with_sets(SetSearch::Fixpoint, &task.budget, observer)
    }
}
