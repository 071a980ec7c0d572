//! Symbolic reachability as textbooks have it, for comparisons.

use lurcher_ir::PropertyKind;
use lurcher_search::Observer;

use super::each::{CheckOne, check_each};
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::report::Answer;
use crate::system::{Model, Shape, System};

/// Symbolic reachability over all variables, breadth first.
pub struct BddPlain;

static INFO: Info = Info {
    name: "bdd-plain",
    help: "Textbook symbolic reachability: all variables, breadth first (SMV models, for comparisons)",
    parameters: &[],
    proves: true,
    random: false,
};

impl Engine for BddPlain {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, _: &PropertyKind) -> Option<&'static str> {
        (shape != Shape::Relation).then_some("bdd-plain is for relations")
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        check_each(self.info().name, run, Textbook)
    }
}

struct Textbook;

impl CheckOne for Textbook {
    fn reduces(&self, _: &Task<'_>) -> bool {
        false
    }

    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        system.check_with_bdds(true, &task.budget, observer)
    }
}
