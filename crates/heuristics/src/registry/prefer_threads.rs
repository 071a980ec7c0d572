//! States that chosen processes lead to (prefer-threads; Groce and Visser's heuristic for Java PathFinder, table 1 of Rungta and
//! Mercer 2007): the user names the process types that are suspected of an error, and their moves come first.
//!
//! The value is 0 behind a move of such a process and 1 otherwise. The initiator of a rendezvous counts, and a process that has
//! died by its move counts as no preferred one.

use lurcher_ir::{LocationId, Model, ProcessTypeId};
use lurcher_search::{Bias, Guidance, History, Scores};
use lurcher_syntax::did_you_mean;
use lurcher_system::State;

use super::{Built, Entry, Request, refuse_text};
use crate::heuristic::{Estimate, Heuristic};

pub(super) const ENTRY: Entry = Entry {
    name: "prefer-threads",
    help: "States behind a move of the process types of --prefer are better (structural)",
    scores: Scores::States,
    costly: false,
    bias: Bias::Steep,
    for_processes,
    for_relation: None,
};

fn for_processes<'m>(request: &Request<'_, 'm>) -> Built<'m> {
    refuse_text(request.settings)?;
    let (model, names) = (request.interpreter.model(), &request.settings.prefer);
    if names.is_empty() {
        return Err("--prefer has to name the process types whose moves come first".to_owned().into());
    }
    let preferred = names.iter().map(|name| find(model, name)).collect::<Result<Vec<_>, _>>()?;
    Ok((Heuristic::Estimate(Box::new(PreferThreads { preferred })), Vec::new()))
}

/// The process type of a name.
fn find(model: &Model, name: &str) -> Result<ProcessTypeId, String> {
    let mut types = model.system_types();
    types.find(|(_, process_type)| process_type.name == name).map(|(id, _)| id).ok_or_else(|| {
        let near = did_you_mean(name, model.system_types().map(|(_, process_type)| process_type.name.as_str()));
        format!("there is no process type `{name}`{near}")
    })
}

#[derive(Debug)]
struct PreferThreads {
    preferred: Vec<ProcessTypeId>,
}

impl Guidance for PreferThreads {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        1
    }

    /// Without a history no process has moved.
    fn of_state(&self, _: &State, _: LocationId) -> u32 {
        1
    }

    fn looks_back(&self) -> bool {
        true
    }

    fn of_state_after(&self, state: &State, _: LocationId, history: History) -> u32 {
        let alive = |process: &lurcher_system::ProcessId| process.0 < state.process_count();
        let last = history.movers().next().filter(alive);
        u32::from(!last.is_some_and(|process| self.preferred.contains(&state.process_type(process))))
    }
}

/// It ranks schedules and estimates no distance.
impl Estimate for PreferThreads {
    fn is_for_every_target(&self) -> bool {
        true
    }
}
