//! Greedy best-first search that draws from the n best states (Jones and Mercer 2004), a baseline of randomised guided search.

use lurcher_ir::PropertyKind;
use lurcher_search::Ties;

use super::each::check_each;
use crate::directed::{Algorithm, Directed, refuses};
use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::options::{CHOICES, EXEC, FRONTIER, GUIDING, TRIAL_STATES, TRIALS};
use crate::system::{Model, Shape};

/// Greedy best-first search that draws from the n best states (Jones and Mercer 2004), a baseline of randomised guided search.
pub struct RandomNBest;

static INFO: Info = Info {
    name: "random-n-best",
    help: "Greedy best-first search in independent trials; the next state is drawn from the best --choices (a baseline)",
    parameters: &[&[&CHOICES], GUIDING, &[&FRONTIER, &TRIALS, &TRIAL_STATES, &EXEC]],
    proves: false,
    random: true,
};

/// How many of the best states the next one is drawn from by default.
const DEFAULT_CHOICES: u64 = 5;

impl Engine for RandomNBest {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        refuses(shape, kind)
    }

    fn check<M: Model>(&self, run: Run<'_, M>) -> Result<Checked, EngineError> {
        let search = Directed::guided(INFO.name, |task| {
            let choices = task.options.number(&CHOICES).unwrap_or(DEFAULT_CHOICES) as u32;
            Algorithm::random_best_first(task, Ties::Oldest, choices, false)
        });
        check_each(INFO.name, run, search)
    }
}
