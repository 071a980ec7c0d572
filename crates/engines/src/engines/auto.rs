//! The default: a portfolio for hunts, and for proofs the search that suits the model.

use lurcher_ir::Property;
use lurcher_search::{Observer, Storage};

use super::{bfs::Bfs, dfs::Dfs};
use crate::engine::{Checked, Engine, Goal, Info, Task};
use crate::error::EngineError;
use crate::options::{
    ALL_ERRORS, DEPTH, DROP, EXEC, GUIDE, HASH_FUNCTIONS, LOAD_GUIDE, REDUCE, REDUCTION, SATURATION, STORAGE, WALKS,
};
use crate::portfolio::{Members, hunt};
use crate::system::{Model, Shape};

/// Chooses by itself.
pub struct Auto;

static INFO: Info = Info {
    name: "auto",
    help: "Hunts: walks of many kinds, bounded searches and BDDs in turn. Proofs: bfs for Promela models, bdd for SMV models",
    parameters: &[
        &GUIDE,
        &DROP,
        &REDUCE,
        &LOAD_GUIDE,
        &DEPTH,
        &WALKS,
        &SATURATION,
        &EXEC,
        &ALL_ERRORS,
        &REDUCTION,
        &STORAGE,
        &HASH_FUNCTIONS,
    ],
    proves: true,
    random: true,
};

impl Engine for Auto {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn check<M: Model>(
        &self,
        model: &M,
        properties: &[Property],
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Checked, EngineError> {
        match (task.goal, model.shape()) {
            (Goal::Hunt, shape) => hunt(model, properties, task, &Members::portfolio(shape, task), observer),
            // Where values are multiplied, which makes BDDs large, the first states are explored one by one.
            (Goal::Verify, Shape::Relation) => Ok(model.check_with_bdds(properties, true, task, observer)?.into()),
            (Goal::Verify, _) if task.storage() != Storage::Exact => Dfs.check(model, properties, task, observer),
            (Goal::Verify, _) => Bfs.check(model, properties, task, observer),
        }
    }
}
