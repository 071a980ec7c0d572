//! Symbolic reachability: sets of states as binary decision diagrams.

use lurcher_search::Observer;

use super::each::{CheckOne, check_each};
use crate::engine::{Checked, Engine, Goal, Info, Run, Task};
use crate::error::EngineError;
use crate::options::REDUCTION;
use crate::report::Answer;
use crate::system::{Model, System};

/// Symbolic reachability over the cone of influence, chained; fair runs and CTL.
pub struct Bdd;

static INFO: Info = Info {
    name: "bdd",
    help: "Sets of states as binary decision diagrams",
    parameters: &[&[&REDUCTION]],
    proves: true,
    random: false,
};

impl Engine for Bdd {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        match run.task.goal {
            Goal::Verify => run.check_with_bdds(false),
            Goal::Hunt => check_each(self.info().name, run, Reachability),
        }
    }
}

struct Reachability;

impl CheckOne for Reachability {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        system.check_with_bdds(false, &task.budget, observer)
    }
}
