//! IDA\*.

use lurcher_ir::PropertyKind;

use super::each::check_each;
use crate::directed::{Algorithm, Directed, refuses};
use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::options::{EXEC, GUIDING, HASH_FUNCTIONS, REDUCTION, RESTARTS, STORAGE};
use crate::system::{Model, Shape};

/// IDA\*: depth-first searches below a growing sum of path length and heuristic value.
pub struct IdaStar;

static INFO: Info = Info {
    name: "idastar",
    help: "IDA*: depth-first searches below a growing sum of path length and heuristic value, with a transposition table; with --storage bitstate, partial IDA*",
    parameters: &[GUIDING, &[&STORAGE, &HASH_FUNCTIONS, &RESTARTS, &EXEC, &REDUCTION]],
    proves: true,
    random: false,
};

/// Further searches with other hash functions by default.
const DEFAULT_RESTARTS: u64 = 3;

impl Engine for IdaStar {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(shape, kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let search = Directed::guided(INFO.name, |task| {
            let restarts = task.options.number(&RESTARTS).unwrap_or(DEFAULT_RESTARTS) as u32;
            Algorithm::IterativeDeepening { storage: task.storage(), restarts }
        });
        check_each(INFO.name, run, search)
    }
}
