//! Search of the tree of all paths of a real-time process (Dang and Kemmerer 2000, figure 2).

use lurcher_search::Observer;
use lurcher_timed::TreeSettings;

use super::each::{CheckOne, check_each};
use crate::engine::{Checked, Engine, Info, Run, Task};
use crate::error::EngineError;
use crate::options::{DEPTH, EVERY_INSTANT, LAST_LAYER, PARTIAL_IMAGE, Parameter, WINDOW};
use crate::report::Answer;
use crate::system::{Model, Shape, System};
use crate::timed::SetSearch;

/// Depth-first search of the tree of all paths.
pub struct Tree;

static INFO: Info = Info {
    name: "tree",
    help: "Real-time specifications: depth-first search of all paths of transitions and idle instants, with sets of integers",
    parameters: &[TREE],
    proves: false,
    random: true,
};

/// The parameters of searches of the tree.
pub(super) static TREE: &[&Parameter] = &[&DEPTH, &WINDOW, &LAST_LAYER, &EVERY_INSTANT, &PARTIAL_IMAGE];

/// The layers of nodes by default, as published.
const LAYERS: u32 = 10;

/// How a task wants the tree to be searched.
pub(super) fn settings(task: &Task<'_>, toss: bool) -> Result<TreeSettings, EngineError> {
    let options = &task.options;
    let depth = options.steps(&DEPTH).unwrap_or(LAYERS);
    if depth == lurcher_search::UNBOUNDED {
        return Err(EngineError::Refused(
            "--depth none: the tree has no last layer; --engine sets has no depth".to_owned(),
        ));
    }
    let usual = TreeSettings::default();
    Ok(TreeSettings {
        depth,
        window: options.number(&WINDOW).map_or(usual.window, |window| window as usize),
        last_layer: options.has(&LAST_LAYER),
        every_instant: options.has(&EVERY_INSTANT),
        partial_image: options.has(&PARTIAL_IMAGE),
        toss,
    })
}

impl Engine for Tree {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Timed]
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let settings = settings(run.task, false)?;
        check_each(INFO.name, run, Once { settings })
    }
}

struct Once {
    settings: TreeSettings,
}

impl CheckOne for Once {
    fn answer<S: System>(
        &mut self,
        system: &S,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer<S::Step>, EngineError> {
        let settings = self.settings.clone();
        let search = SetSearch::Tree { engine: INFO.name, settings, seed: task.seed, walk: 0 };
        system.check_with_sets(search, &task.budget, observer)
    }
}
