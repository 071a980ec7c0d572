//! Random walks through the tree of all paths of a real-time process (Dang and Kemmerer 2000, figure 3).

use lurcher_search::{Observer, StopReason};
use lurcher_timed::TreeSettings;

use super::each::{CheckOne, check_each};
use super::tree::{TREE, settings};
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::WALKS;
use crate::report::{Answer, Polyhedra, TrialReport};
use crate::system::{Model, Shape, System};
use crate::timed::SetSearch;

/// Searches of the tree that leave out children at random, those in deep layers more often.
pub struct TreeWalk;

static INFO: Info = Info {
    name: "tree-walk",
    help: "Real-time specifications: searches of the tree that leave out children at random",
    parameters: &[TREE, &[&WALKS]],
    proves: false,
    random: true,
};

impl Engine for TreeWalk {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Timed]
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let settings = settings(run.task, true)?;
        check_each(INFO.name, run, Walks { settings })
    }
}

struct Walks {
    settings: TreeSettings,
}

impl CheckOne for Walks {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        let most = task.options.number(&WALKS).unwrap_or(u64::MAX);
        let mut all: Option<Answer<S::Step>> = None;
        for walk in 0..most {
            let search = SetSearch::Tree { engine: INFO.name, settings: self.settings.clone(), seed: task.seed, walk };
            let mut answer = system.check_with_sets(search, &task.budget, observer)?;
            if let (Some(now), Some(before)) =
                (&mut answer.report.polyhedra, all.as_ref().and_then(|all| all.report.polyhedra))
            {
                *now = Polyhedra { nodes: now.nodes + before.nodes, most: now.most.max(before.most), ..*now };
            }
            let decided_by = (!answer.found.is_empty()).then_some(walk);
            answer.report.trials = Some(TrialReport { made: walk + 1, cut: 0, decided_by });
            let stop = answer.report.stop;
            let over =
                !answer.found.is_empty() || !matches!(stop, StopReason::Depth | StopReason::Walks | StopReason::Window);
            if over {
                return Ok(answer);
            }
            if walk + 1 == most {
                answer.report.stop = StopReason::Walks;
            }
            if let Some(stop) = task.budget.stop_reason() {
                answer.report.stop = stop;
                return Ok(answer);
            }
            all = Some(answer);
        }
        all.ok_or_else(|| EngineError::Refused("--walks 0 makes no walks".to_owned()))
    }
}
