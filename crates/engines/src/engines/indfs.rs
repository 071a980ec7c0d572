//! Improved nested depth-first search.

use lurcher_ir::PropertyKind;
use lurcher_search::{Nesting, Storage};

use super::each::check_each;
use crate::cycles::{CycleAlgorithm, Cycles, refuses};
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::{ALL_ERRORS, DEPTH, EXEC, REDUCTION};
use crate::system::{Model, Shape};

/// Nested depth-first search that uses the classes of the claim's components (Edelkamp, Leue and Lluch-Lafuente 2003, figure
/// 15).
pub struct Indfs;

static INFO: Info = Info {
    name: "indfs",
    help: "Nested depth-first search that nests only in partially accepting components of the claim",
    parameters: &[&[&EXEC, &DEPTH, &ALL_ERRORS, &REDUCTION]],
    proves: true,
    random: false,
};

impl Engine for Indfs {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(shape, kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let algorithm =
            |_: &Task<'_>| CycleAlgorithm::Nested { nesting: Nesting::PartialComponents, storage: Storage::Exact };
        check_each(INFO.name, run, Cycles { name: INFO.name, algorithm })
    }
}
