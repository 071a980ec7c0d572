//! Depth-first search.

use lurcher_ir::PropertyKind;
use lurcher_search::{Budget, Expander, Observer, Outcome, Space, Storage, dfs, lossy_dfs};

use super::each::{Explicit, check_each, refuses_ctl};
use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::options::{ALL_ERRORS, DEPTH, EXEC, HASH_FUNCTIONS, REDUCTION, STORAGE};
use crate::system::{Model, Search, Shape};

/// Depth-first search for bad states; cycles are found by a search of their own.
pub struct Dfs;

static INFO: Info = Info {
    name: "dfs",
    help: "Depth-first search, with exact, hash-compact or bitstate storage",
    parameters: &[&[&EXEC, &DEPTH, &ALL_ERRORS, &REDUCTION, &STORAGE, &HASH_FUNCTIONS]],
    proves: true,
    random: false,
};

struct DepthFirst {
    storage: Storage,
    omission: Option<f64>,
}

impl Search for DepthFirst {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn storage(&self) -> Storage {
        self.storage
    }

    fn run<E: Expander<Space: Space<Step: Send>> + Send>(
        &mut self,
        spaces: &mut [E],
        budget: &Budget,
        mut observer: &mut dyn Observer,
    ) -> Outcome<<E::Space as Space>::Step> {
        let space = spaces[0].space();
        if self.storage == Storage::Exact {
            return dfs(space, budget, &mut observer);
        }
        let (outcome, omission) = lossy_dfs(space, self.storage, false, budget, &mut observer);
        self.omission = Some(omission);
        outcome
    }

    fn omission(&self) -> Option<f64> {
        self.omission
    }
}

impl Engine for Dfs {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, _: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses_ctl(kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        check_each(self.info().name, run, Explicit(|task| DepthFirst { storage: task.storage(), omission: None }))
    }
}
