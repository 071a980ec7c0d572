//! Random trails: walks that never visit a state twice.

use lurcher_ir::PropertyKind;

use super::walk::{self, PARAMETERS};
use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::portfolio::{Members, hunt};
use crate::system::{Model, Shape};

/// Random trails of one kind.
pub struct Trail;

static INFO: Info = Info {
    name: "trail",
    help: "Random walks that never visit a state twice",
    parameters: PARAMETERS,
    proves: false,
    random: true,
};

impl Engine for Trail {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, _: Shape, kind: &PropertyKind) -> Option<&'static str> {
        walk::refuses(kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        hunt(&Members::one(INFO.name, &run.task.options)?, run)
    }
}
