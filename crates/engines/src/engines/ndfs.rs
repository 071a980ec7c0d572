//! Nested depth-first search.

use lurcher_ir::PropertyKind;
use lurcher_search::Nesting;

use super::each::check_each;
use crate::cycles::{CycleAlgorithm, Cycles, refuses};
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::{ALL_ERRORS, DEPTH, EXEC, HASH_FUNCTIONS, REDUCTION, STORAGE};
use crate::system::{Model, Shape};

/// Classic nested depth-first search (Courcoubetis, Vardi, Wolper and Yannakakis 1992).
pub struct Ndfs;

static INFO: Info = Info {
    name: "ndfs",
    help: "Nested depth-first search for accepting cycles, from every accepting state",
    parameters: &[&[&EXEC, &DEPTH, &ALL_ERRORS, &REDUCTION, &STORAGE, &HASH_FUNCTIONS]],
    proves: true,
    random: false,
};

impl Engine for Ndfs {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(shape, kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let algorithm =
            |task: &Task<'_>| CycleAlgorithm::Nested { nesting: Nesting::Everywhere, storage: task.storage() };
        check_each(INFO.name, run, Cycles { name: INFO.name, algorithm })
    }
}
