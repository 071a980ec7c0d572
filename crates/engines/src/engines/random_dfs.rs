//! Randomised depth-first search (Dwyer, Elbaum, Person and Purandare 2007).

use lurcher_ir::PropertyKind;

use super::each::check_each;
use crate::directed::{Algorithm, Directed, refuses};
use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::options::{DEPTH, EXEC, TRIAL_STATES, TRIALS};
use crate::system::{Model, Shape};

/// Randomised depth-first search (Dwyer, Elbaum, Person and Purandare 2007).
pub struct RandomDfs;

static INFO: Info = Info {
    name: "random-dfs",
    help: "Depth-first search in independent trials, with successors in random order",
    parameters: &[&[&DEPTH, &TRIALS, &TRIAL_STATES, &EXEC]],
    proves: false,
    random: true,
};

impl Engine for RandomDfs {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(shape, kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let search = Directed::blind(INFO.name, |_| Algorithm::RandomDepthFirst);
        check_each(INFO.name, run, search)
    }
}
