//! Breadth-first search.

use lurcher_ir::PropertyKind;
use lurcher_search::{Budget, Expander, Observer, Outcome, Space, bfs, bfs_on};

use super::each::{Explicit, check_each, refuses_ctl};
use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::options::{ALL_ERRORS, DEPTH, EXEC, REDUCTION};
use crate::system::{Model, Search, Shape};

/// Breadth-first search for bad states; cycles are found by a search of their own.
pub struct Bfs;

static INFO: Info = Info {
    name: "bfs",
    help: "Breadth-first search; without reduction, counterexamples are shortest",
    parameters: &[&[&EXEC, &DEPTH, &ALL_ERRORS, &REDUCTION]],
    proves: true,
    random: false,
};

impl Bfs {
    /// The search on so many threads.
    pub fn search(threads: usize) -> impl Search {
        BreadthFirst { threads }
    }
}

struct BreadthFirst {
    threads: usize,
}

impl Search for BreadthFirst {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn expands_batches(&self) -> bool {
        true
    }

    fn run<E: Expander<Space: Space<Step: Send>> + Send>(
        &mut self,
        spaces: &mut [E],
        budget: &Budget,
        mut observer: &mut dyn Observer,
    ) -> Outcome<<E::Space as Space>::Step> {
        bfs_on(spaces, budget, &mut observer)
    }

    fn run_alone<E: Expander<Space: Space<Step: Send>> + Send>(
        &mut self,
        space: &mut E,
        budget: &Budget,
        mut observer: &mut dyn Observer,
    ) -> Outcome<<E::Space as Space>::Step> {
        bfs(space, budget, &mut observer)
    }
}

impl Engine for Bfs {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, _: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses_ctl(kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        check_each(self.info().name, run, Explicit(|task| BreadthFirst { threads: task.jobs }))
    }
}
