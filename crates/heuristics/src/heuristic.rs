//! A heuristic of any kind.

use std::fmt::Debug;

use lurcher_ir::LocationId;
use lurcher_search::{Guidance, History, Scores};
use lurcher_system::{ProcessId, State};

#[cfg(feature = "symbolic")]
use crate::abstraction::Abstraction;
use crate::local_distance::LocalDistance;
use crate::pattern_database::PatternDatabase;
use crate::reduced_instance::ReducedInstance;

/// A heuristic that is called by dynamic dispatch, because evaluating it takes much longer than the call.
pub trait Estimate: Guidance + Send + Debug {
    /// Whether its value of a state never exceeds the number of steps to a violation.
    fn admissible(&self) -> bool {
        false
    }

    /// Whether it is the same for all kinds of violations.
    fn is_for_every_target(&self) -> bool {
        false
    }
}

/// A heuristic of any kind. Those that a walk evaluates in nanoseconds have static dispatch.
#[derive(Debug)]
pub enum Heuristic<'m> {
    /// Distances over the control flow of each process type.
    LocalDistance(Box<LocalDistance<'m>>),
    /// Distances in an abstraction of the model.
    PatternDatabase(Box<PatternDatabase<'m>>),
    /// The goal path of a smaller instance.
    ReducedInstance(Box<ReducedInstance>),
    /// The BDD rings of an abstraction.
    #[cfg(feature = "symbolic")]
    Abstraction(Box<Abstraction>),
    /// Any other.
    Estimate(Box<dyn Estimate + 'm>),
}

macro_rules! each {
    ($self:ident, $heuristic:ident => $result:expr) => {
        match $self {
            Heuristic::LocalDistance($heuristic) => $result,
            Heuristic::PatternDatabase($heuristic) => $result,
            Heuristic::ReducedInstance($heuristic) => $result,
            #[cfg(feature = "symbolic")]
            Heuristic::Abstraction($heuristic) => $result,
            Heuristic::Estimate($heuristic) => $result,
        }
    };
}

impl Heuristic<'_> {
    /// Whether its value of a state never exceeds the number of steps to a violation.
    pub fn admissible(&self) -> bool {
        match self {
            Heuristic::LocalDistance(heuristic) => heuristic.admissible(),
            Heuristic::PatternDatabase(_) => true,
            Heuristic::ReducedInstance(_) => false,
            #[cfg(feature = "symbolic")]
            Heuristic::Abstraction(heuristic) => heuristic.admissible(),
            Heuristic::Estimate(heuristic) => heuristic.admissible(),
        }
    }

    /// Whether it is the same for all kinds of violations.
    pub fn is_for_every_target(&self) -> bool {
        matches!(self, Heuristic::Estimate(heuristic) if heuristic.is_for_every_target())
    }
}

impl Guidance for Heuristic<'_> {
    fn scores(&self) -> Scores {
        each!(self, h => h.scores())
    }

    fn max(&self) -> u32 {
        each!(self, h => h.max())
    }

    fn of_state(&self, state: &State, claim: LocationId) -> u32 {
        each!(self, h => h.of_state(state, claim))
    }

    fn looks_back(&self) -> bool {
        each!(self, h => h.looks_back())
    }

    fn of_state_after(&self, state: &State, claim: LocationId, history: History) -> u32 {
        each!(self, h => h.of_state_after(state, claim, history))
    }

    fn of_step(&self, state: &State, claim: LocationId, process: ProcessId, branch: u16) -> u32 {
        each!(self, h => h.of_step(state, claim, process, branch))
    }
}
