//! Models written in Rust.
//!
//! A [`StateMachine`] is a type of the user's own with `initial`, `actions` and `apply`. [`Own`] makes it a [`Model`]: walks, trails,
//! guided walks, breadth- and depth-first search, LTL, minimisation, parallel hunts, saving and replay work for it as they
//! do for Promela. States are interned, so a state machine needs no decoding; its encoding is by default what
//! `#[derive(Hash)]` feeds to a hasher.

mod confirm;
mod position;
mod space;

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use lurcher_heuristics::registry::{self, HeuristicError, Named, Settings};
use lurcher_ir::{Buchi, Formula, Property, PropertyKind};
use lurcher_ltl::{Limits, negate, translate};
use lurcher_search::{Bias, Budget, Found, Guided, History, NodeHeuristic, Observer, Outcome, StopReason, Storage};
use lurcher_system::Path;

use crate::cycles::CycleSearch;
use crate::directed::Direction;
use crate::engine::Task;
use crate::error::EngineError;
use crate::options::OWN_GUIDE;
use crate::recommend::Recommendation;
use crate::report::Answer;
use crate::system::{Confirmed, Minimise, Model, Search, Shape, System};

pub use confirm::{Executed, OwnTrace, replay};
pub use position::{NoCoverage, OwnDomain, OwnHeuristic};
use space::OwnSpace;

/// A model written in Rust: a state machine whose actions are chosen nondeterministically.
pub trait StateMachine: Sync {
    /// A state. Two states are the same if they are equal.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// A step out of a state.
    type Action: Clone + Debug + Send + Sync;

    /// The initial states.
    fn initial(&self) -> Vec<Self::State>;

    /// Appends the actions that are enabled in a state, always in the same order.
    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// Performs an enabled action.
    fn apply(&self, state: &mut Self::State, action: &Self::Action);

    /// What must hold in every state.
    fn invariant(&self, state: &Self::State) -> bool {
        let _ = state;
        true
    }

    /// Whether a state without actions is a valid end. By default it is not: such a state is a deadlock.
    fn is_end(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// The estimated number of steps from a state to a violation, at most [`HEURISTIC_MAX`]; `None` without a heuristic.
    fn heuristic(&self, state: &Self::State) -> Option<u32> {
        let _ = state;
        None
    }

    /// Appends bytes that are the same exactly for equal states. The default is what the state's `Hash` implementation feeds to a
    /// hasher, which is injective for derived implementations.
    fn encode(&self, state: &Self::State, bytes: &mut Vec<u8>) {
        state.hash(&mut Collector(bytes));
    }

    /// The names of propositions that LTL formulas may use.
    fn propositions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether the proposition of this index holds in a state.
    fn holds(&self, proposition: usize, state: &Self::State) -> bool {
        let _ = (proposition, state);
        false
    }
}

/// The greatest value of a state machine's heuristic.
pub const HEURISTIC_MAX: u32 = 1 << 20;

/// A hasher that keeps what it is fed.
struct Collector<'b>(&'b mut Vec<u8>);

impl Hasher for Collector<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("only the bytes are used")
    }
}

/// A state machine as a model.
#[derive(Debug)]
pub struct Own<M> {
    /// The state machine.
    pub machine: M,
}

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnStep {
    /// To the initial state of this index.
    Initial(u32),
    /// The action of this index among those that are enabled.
    Action(u32),
    /// No action is enabled, and an infinite run stays in the state.
    Stay,
}

/// A property made ready: safety, or the automaton of a formula's negation.
#[derive(Clone, Debug)]
pub struct PreparedOwn {
    property: Property,
    automaton: Option<(Formula, Buchi)>,
}

impl<M: StateMachine> Model for Own<M> {
    type Prepared<'m>
        = PreparedOwn
    where
        Self: 'm;
    type System<'p>
        = OwnSystem<'p, M>
    where
        Self: 'p;

    fn shape(&self) -> Shape {
        Shape::Own
    }

    /// The type's name and the encoded initial states.
    fn identity(&self) -> String {
        let mut bytes = Vec::new();
        self.machine.initial().iter().for_each(|state| self.machine.encode(state, &mut bytes));
        format!("{} {:016x}", std::any::type_name::<M>(), xxhash_rust::xxh3::xxh3_64(&bytes))
    }

    fn refuse(&self, task: &Task<'_>) -> Result<(), EngineError> {
        match task.semantics.chosen().next() {
            Some(setting) => Err(EngineError::Refused(format!("{} is for process models", setting.name))),
            None => Ok(()),
        }
    }

    fn prepare(&self, property: &Property, _: bool, _: &Task<'_>) -> Result<PreparedOwn, EngineError> {
        let automaton = match &property.kind {
            PropertyKind::Safety => None,
            PropertyKind::Ltl { formula, .. } => {
                let automaton = translate(&negate(formula), &Limits::default());
                Some((formula.clone(), automaton.map_err(|e| EngineError::Formula(property.name.clone(), e))?))
            }
            _ => return Err(EngineError::Refused("models written in Rust have safety and LTL".to_owned())),
        };
        Ok(PreparedOwn { property: property.clone(), automaton })
    }

    fn system<'p, 'm: 'p>(&'p self, prepared: &'p PreparedOwn, task: &'p Task<'_>) -> OwnSystem<'p, M>
    where
        Self: 'm,
    {
        let _ = task;
        OwnSystem { machine: &self.machine, prepared }
    }
}

/// A state machine with a property made ready.
pub struct OwnSystem<'p, M> {
    machine: &'p M,
    prepared: &'p PreparedOwn,
}

impl<M: StateMachine> OwnSystem<'_, M> {
    fn automaton(&self) -> Option<&Buchi> {
        self.prepared.automaton.as_ref().map(|(_, automaton)| automaton)
    }

    fn answer(&self, engine: &str, outcome: Outcome<space::OwnEdge>) -> Answer<OwnStep> {
        let mut answer = Answer::new(&self.prepared.property, engine);
        let path = |found: Found<space::OwnEdge>| {
            let steps = found.path.steps.iter().map(|edge| edge.step).collect();
            // The first edge leads to an initial state and is no step.
            let cycle_start = found.path.cycle_start.map(|start| start.saturating_sub(1));
            let Found { kind, count, shortest, .. } = found;
            Found { kind, path: Path { steps, cycle_start }, count, shortest }
        };
        answer.found = outcome.found.into_iter().map(path).collect();
        (answer.report.stop, answer.report.stats) = (outcome.stop, outcome.stats);
        if outcome.stop == StopReason::Complete && outcome.stats.stored == 0 {
            answer.report.remarks.push("the model has no initial state: everything is true of it".to_owned());
        }
        answer
    }
}

impl<M: StateMachine> NodeHeuristic<OwnSpace<'_, M>> for OwnHeuristic {
    fn estimate(&mut self, space: &mut OwnSpace<'_, M>, node: &[u8], _: History) -> u32 {
        space.heuristic(node)
    }
}

impl<M: StateMachine> System for OwnSystem<'_, M> {
    type Step = OwnStep;
    type Guide = OwnHeuristic;
    type Coverage = NoCoverage;
    type Domain<'s>
        = OwnDomain<'s, M>
    where
        Self: 's;

    fn property(&self) -> &Property {
        &self.prepared.property
    }

    fn is_about_states(&self) -> bool {
        self.prepared.automaton.is_none()
    }

    fn explore<A: Search>(
        &self,
        search: &mut A,
        direction: Option<&Direction<OwnHeuristic>>,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<OwnStep>, EngineError> {
        let guide = direction.filter(|d| !d.is_blind()).map(|_| OwnHeuristic);
        let automaton = self.automaton().filter(|_| search.finds_cycles());
        let mut space = Guided::new(OwnSpace::new(self.machine, automaton), guide);
        let outcome = search.run_alone(&mut space, budget, observer);
        let mut answer = self.answer(search.name(), outcome);
        answer.report.guide_range = space.range();
        (answer.report.storage, answer.report.omission) = (search.storage(), search.omission());
        Ok(answer)
    }

    fn find_cycle(
        &self,
        storage: Storage,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer<OwnStep>, EngineError> {
        self.explore(&mut CycleSearch::default_for(storage, budget, 1), None, budget, observer)
    }

    fn domain(&self) -> OwnDomain<'_, M> {
        OwnDomain::new(self.machine, self.automaton())
    }

    /// The machine's own heuristic, whatever the entry.
    fn heuristics(
        &self,
        _: &registry::Entry,
        _: &Settings,
        _: &Budget,
        _: bool,
    ) -> Vec<Result<Named<OwnHeuristic>, HeuristicError>> {
        let guide = self.own_heuristic();
        vec![guide.ok_or_else(|| HeuristicError::None("the state machine has no heuristic".to_owned()))]
    }

    fn own_heuristic(&self) -> Option<Named<OwnHeuristic>> {
        let initial = self.machine.initial();
        self.machine.heuristic(initial.first()?)?;
        let (name, guide) = (OWN_GUIDE.to_owned(), OwnHeuristic.into());
        Some(Named { name, guide, bias: Bias::Steep, notes: Vec::new(), time: Default::default() })
    }

    fn recommendation(&self) -> Recommendation {
        let reason = "walks look only at what they meet, and BDDs cannot help: the model has no symbolic encoding";
        Recommendation { command: "hunt", engine: "auto", reason: reason.to_owned(), bits: None, bdds: false }
    }

    fn confirm(&self, found: &Found<OwnStep>, minimise: Minimise<'_>) -> Result<Confirmed, EngineError> {
        confirm::confirm(self.machine, self.prepared, found, minimise)
    }
}
