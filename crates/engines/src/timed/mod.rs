//! Real-time specifications: processes that are checked one by one with sets of integers.

mod blocked;
mod confirm;
mod hunt;
mod no_walks;
mod sets;

use lurcher_heuristics::registry::{self, HeuristicError, Named, Settings};
use lurcher_ir::timed::{self, PropertyRef};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Budget, Found, Observer, Storage};
use lurcher_system::timed::Run;

use crate::directed::Direction;
use crate::engine::Task;
use crate::error::EngineError;
use crate::own::NoCoverage;
use crate::recommend::Recommendation;
use crate::report::{Answer, Trace};
use crate::system::{Confirmed, Minimise, Model, Search, Shape, System};

pub use confirm::TimedTrace;
pub(crate) use hunt::hunt;
use no_walks::{NoGuide, NoWalks};
pub use sets::SetSearch;

/// A property of a process, made ready.
#[derive(Clone, Debug)]
pub struct PreparedTimed {
    property: Property,
    at: PropertyRef,
}

impl Model for timed::Specification {
    type Prepared<'m> = PreparedTimed;
    type System<'p> = TimedSystem<'p>;

    fn shape(&self) -> Shape {
        Shape::Timed
    }

    fn identity(&self) -> String {
        let text: String = self.processes.iter().map(ToString::to_string).collect();
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
    }

    fn refuse(&self, task: &Task<'_>) -> Result<(), EngineError> {
        match task.semantics.chosen().next() {
            Some(setting) => Err(EngineError::Refused(format!("{} is for process models", setting.name))),
            None => Ok(()),
        }
    }

    fn prepare(&self, property: &Property, _: bool, _: &Task<'_>) -> Result<PreparedTimed, EngineError> {
        match property.kind {
            PropertyKind::Timed(at) => Ok(PreparedTimed { property: property.clone(), at }),
            _ => Err(EngineError::Refused("real-time specifications have properties of their own".to_owned())),
        }
    }

    fn system<'p, 'm: 'p>(&'p self, prepared: &'p PreparedTimed, _: &'p Task<'_>) -> TimedSystem<'p>
    where
        Self: 'm,
    {
        TimedSystem { model: self.property(prepared.at).0, prepared }
    }
}

/// A process with one of its properties.
#[derive(Clone, Copy, Debug)]
pub struct TimedSystem<'p> {
    model: &'p timed::Model,
    prepared: &'p PreparedTimed,
}

impl TimedSystem<'_> {
    /// The property as an index into those of the process.
    fn index(&self) -> usize {
        self.prepared.at.index as usize
    }
}

/// A path is a single step: the run.
impl System for TimedSystem<'_> {
    type Step = Run;
    type Guide = NoGuide;
    type Coverage = NoCoverage;
    type Domain<'s>
        = NoWalks
    where
        Self: 's;

    fn property(&self) -> &Property {
        &self.prepared.property
    }

    fn is_about_states(&self) -> bool {
        true
    }

    fn explore<A: Search>(
        &self,
        search: &mut A,
        _: Option<&Direction<NoGuide>>,
        _: &Budget,
        _: &mut dyn Observer,
    ) -> Result<Answer<Run>, EngineError> {
        Err(EngineError::Refused(format!("--engine {} does not know of time", search.name())))
    }

    fn find_cycle(&self, _: Storage, _: &Budget, _: &mut dyn Observer) -> Result<Answer<Run>, EngineError> {
        Err(EngineError::Refused("properties of real-time specifications are about instants".to_owned()))
    }

    fn domain(&self) -> NoWalks {
        unreachable!("engines that walk refuse real-time specifications")
    }

    fn heuristics(
        &self,
        _: &registry::Entry,
        _: &Settings,
        _: &Budget,
        _: bool,
    ) -> Vec<Result<Named<NoGuide>, HeuristicError>> {
        vec![Err(HeuristicError::None("there is no heuristic for real-time specifications".to_owned()))]
    }

    fn recommendation(&self) -> Recommendation {
        let reason = "sets of integers cover all times and all constants at once";
        Recommendation { command: "verify", engine: "auto", reason: reason.to_owned(), bits: None, bdds: false }
    }

    fn check_with_sets(
        &self,
        search: SetSearch,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<Run>, EngineError> {
        sets::check(self.model, &self.prepared.property, self.index(), &search, budget, observer)
    }

    fn can_walk(&self) -> bool {
        false
    }

    fn found_in(&self, trace: &Trace) -> Option<Found<Run>> {
        match trace {
            Trace::Timed(trace) if trace.is_violation() => Some(sets::found(trace.run.clone())),
            _ => None,
        }
    }

    fn confirm(&self, found: &Found<Run>, _: Minimise<'_>) -> Result<Confirmed, EngineError> {
        confirm::confirm(self.model, self.prepared, found)
    }
}
