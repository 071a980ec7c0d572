//! Searches for accepting cycles: how they are set up, and what they report.

use lurcher_ir::PropertyKind;
use lurcher_search::{
    AStarNested, Budget, Expander, Nesting, Observer, Outcome, Phase, Space, Storage, Ties, lossy_dfs, nested_dfs_on,
};

use crate::directed::direction;
use crate::engine::Task;
use crate::engines::each::{CheckOne, refuses_ctl};
use crate::error::EngineError;
use crate::report::Answer;
use crate::system::{Search, Shape, System};

/// How a search for accepting cycles goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CycleAlgorithm {
    /// Nested depth-first search. Lossy storage nests everywhere.
    Nested { nesting: Nesting, storage: Storage },
    /// A\* and improved nested depth-first search.
    AStar { weight: u32, ties: Ties },
}

/// A search for accepting cycles.
pub(crate) struct CycleSearch {
    name: &'static str,
    algorithm: CycleAlgorithm,
    jobs: usize,
    omission: Option<f64>,
}

impl CycleSearch {
    /// The search that searches for bad states use for cycles. If all violations are wanted, it nests everywhere, because
    /// then each accepting state on a cycle is one.
    pub fn default_for(storage: Storage, budget: &Budget, jobs: usize) -> Self {
        let nesting = if budget.all_errors { Nesting::Everywhere } else { Nesting::PartialComponents };
        let algorithm = CycleAlgorithm::Nested { nesting, storage };
        CycleSearch { name: "nested-dfs", algorithm, jobs, omission: None }
    }
}

impl Search for CycleSearch {
    fn name(&self) -> &'static str {
        self.name
    }

    fn finds_cycles(&self) -> bool {
        true
    }

    fn threads(&self) -> usize {
        match self.algorithm {
            CycleAlgorithm::Nested { storage: Storage::Exact, .. } => self.jobs,
            _ => 1,
        }
    }

    fn expands_batches(&self) -> bool {
        matches!(self.algorithm, CycleAlgorithm::Nested { storage: Storage::Exact, .. })
    }

    fn storage(&self) -> Storage {
        match self.algorithm {
            CycleAlgorithm::Nested { storage, .. } => storage,
            CycleAlgorithm::AStar { .. } => Storage::Exact,
        }
    }

    fn run<E: Expander<Space: Space<Step: Send>> + Send>(
        &mut self,
        spaces: &mut [E],
        budget: &Budget,
        mut observer: &mut dyn Observer,
    ) -> Outcome<<E::Space as Space>::Step> {
        match self.algorithm {
            CycleAlgorithm::Nested { nesting, storage: Storage::Exact } => {
                nested_dfs_on(spaces, nesting, budget, &mut observer)
            }
            CycleAlgorithm::Nested { storage, .. } => {
                let (outcome, omission) = lossy_dfs(spaces[0].space(), storage, true, budget, &mut observer);
                self.omission = Some(omission);
                outcome
            }
            CycleAlgorithm::AStar { weight, ties } => {
                AStarNested { weight, ties }.run(&mut spaces[0], budget, &mut observer)
            }
        }
    }

    fn omission(&self) -> Option<f64> {
        self.omission
    }
}

/// A search for accepting cycles as an engine: its name, and its algorithm for a task.
pub(crate) struct Cycles {
    pub name: &'static str,
    pub algorithm: fn(&Task<'_>) -> CycleAlgorithm,
}

impl CheckOne for Cycles {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        let (name, property) = (self.name, &system.property().name);
        let algorithm = (self.algorithm)(task);
        let direction = match algorithm {
            CycleAlgorithm::Nested { .. } => None,
            CycleAlgorithm::AStar { .. } => {
                observer.phase(&Phase { engine: name, property, activity: "building the heuristic" });
                match direction(system, task)? {
                    Ok(direction) => Some(direction),
                    Err(stop) => return Ok(Answer::stopped(system.property(), name, stop)),
                }
            }
        };
        observer.phase(&Phase { engine: name, property, activity: "searching cycles" });
        let mut search = CycleSearch { name, algorithm, jobs: task.jobs, omission: None };
        let mut answer = system.explore(&mut search, direction.as_ref(), &task.search_budget(), observer)?;
        if let Some(direction) = direction {
            (answer.report.guide, answer.report.times.guide) = (direction.name, direction.time);
        }
        Ok(answer)
    }
}

/// Why a search for accepting cycles cannot check such a property.
pub(crate) fn refuses(shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
    match kind {
        _ if shape == Shape::Relation => Some(
            "nested searches are for process models and models in Rust; --engine dfs, bfs and bdd look for fair runs of relations",
        ),
        PropertyKind::Safety | PropertyKind::Deadlock | PropertyKind::Invariant(_) | PropertyKind::StepInvariant(_) => {
            Some(
                "this engine looks for accepting cycles, not for bad states; --engine bfs, dfs and astar look for those",
            )
        }
        _ => refuses_ctl(kind),
    }
}
