//! The default: a portfolio for hunts, and for proofs the search that suits the model.

use lurcher_search::Storage;

use super::{bfs::Bfs, dfs::Dfs, sets::Sets};
use crate::engine::{Checked, Engine, Goal, Info, Run};
use crate::error::EngineError;
use crate::options::{ALL_ERRORS, DEPTH, EXEC, GUIDING, HASH_FUNCTIONS, REDUCTION, SATURATION, STORAGE, WALKS};
use crate::portfolio::{Members, hunt};
use crate::system::{Model, Shape};
use crate::timed;

/// Chooses by itself.
pub struct Auto;

static INFO: Info = Info {
    name: "auto",
    help: "Hunts: walks of many kinds, bounded searches and BDDs in turn. Proofs: bfs for Promela models, bdd for SMV models, sets for ASTRAL",
    parameters: &[GUIDING, &[&DEPTH, &WALKS, &SATURATION, &EXEC, &ALL_ERRORS, &REDUCTION, &STORAGE, &HASH_FUNCTIONS]],
    proves: true,
    random: true,
};

impl Engine for Auto {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Processes, Shape::Relation, Shape::Own, Shape::Timed]
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        match (run.task.goal, run.model.shape()) {
            (Goal::Hunt, Shape::Timed) => timed::hunt(run),
            (Goal::Verify, Shape::Timed) => Sets.check(run),
            (Goal::Hunt, shape) => hunt(&Members::portfolio(shape, run.task), run),
            // Where values are multiplied, which makes BDDs large, the first states are explored one by one.
            (Goal::Verify, Shape::Relation) if cfg!(feature = "symbolic") => run.check_with_bdds(true),
            (Goal::Verify, _) if run.task.storage() != Storage::Exact => Dfs.check(run),
            (Goal::Verify, _) => Bfs.check(run),
        }
    }
}
