//! A guide of any kind, for searches that are given one.

use lurcher_ir::LocationId;
use lurcher_search::{Guidance, Scores};
use lurcher_system::{ProcessId, State};

use crate::abstraction::Abstraction;
use crate::local_distance::LocalDistance;
use crate::pattern_database::PatternDatabase;
use crate::reduced_instance::ReducedInstance;

/// A guide of any kind.
#[derive(Debug)]
pub enum Guide<'m> {
    /// Distances over the control flow of each process type.
    LocalDistance(Box<LocalDistance<'m>>),
    /// Distances in an abstraction of the model.
    PatternDatabase(Box<PatternDatabase<'m>>),
    /// The goal path of a smaller instance.
    ReducedInstance(Box<ReducedInstance>),
    /// The rings of an abstraction, as for sets of states.
    Abstraction(Box<Abstraction>),
}

impl Guide<'_> {
    /// Is its value of a state never larger than the number of steps to a violation?
    pub fn admissible(&self) -> bool {
        match self {
            Guide::LocalDistance(guide) => guide.admissible(),
            Guide::PatternDatabase(guide) => guide.admissible(),
            Guide::ReducedInstance(_) => false,
            Guide::Abstraction(guide) => guide.admissible(),
        }
    }
}

impl Guidance for Guide<'_> {
    fn scores(&self) -> Scores {
        match self {
            Guide::LocalDistance(guide) => guide.scores(),
            Guide::PatternDatabase(guide) => guide.scores(),
            Guide::ReducedInstance(guide) => guide.scores(),
            Guide::Abstraction(guide) => guide.scores(),
        }
    }

    fn max(&self) -> u32 {
        match self {
            Guide::LocalDistance(guide) => guide.max(),
            Guide::PatternDatabase(guide) => guide.max(),
            Guide::ReducedInstance(guide) => guide.max(),
            Guide::Abstraction(guide) => guide.max(),
        }
    }

    fn of_state(&self, state: &State, claim: LocationId) -> u32 {
        match self {
            Guide::LocalDistance(guide) => guide.of_state(state, claim),
            Guide::PatternDatabase(guide) => guide.of_state(state, claim),
            Guide::ReducedInstance(guide) => guide.of_state(state, claim),
            Guide::Abstraction(guide) => guide.of_state(state, claim),
        }
    }

    fn of_step(&self, state: &State, claim: LocationId, process: ProcessId, branch: u16) -> u32 {
        match self {
            Guide::LocalDistance(guide) => guide.of_step(state, claim, process, branch),
            Guide::PatternDatabase(guide) => guide.of_step(state, claim, process, branch),
            Guide::ReducedInstance(guide) => guide.of_step(state, claim, process, branch),
            Guide::Abstraction(guide) => guide.of_step(state, claim, process, branch),
        }
    }
}
