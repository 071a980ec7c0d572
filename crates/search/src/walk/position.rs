//! Systems as walks see them.
//!
//! A [`WalkDomain`] is a system together with an objective, shared by all threads. A [`Position`] is one place in it, owned by
//! one thread: the current state, the path to it and whatever decides whether a cycle through it is a violation. Process
//! models, relations and models written in Rust implement both; walks, trails, hunts and LURCH are written once over
//! them. A position can draw a successor without listing all of them ([`Position::sample`]): that is what makes walks through
//! models with many successors fast, and the reason why walks do not use [`Space`](crate::Space).

use crate::outcome::FoundKind;

use super::draws::Draws;
use super::plan::WalkPlan;
use super::visited::Visited;
use super::walker::{Keep, Walked};

/// What walks have executed.
pub trait Covers: Clone + Send + Sync {
    /// Adds what another one has executed; returns how much of it is new.
    fn merge(&mut self, other: &Self) -> u64;
}

/// The result of choosing a step.
#[derive(Debug)]
pub enum Chosen {
    /// The position has moved: the length of the step in a trace, and the violation that the step is.
    Moved(u32, Option<FoundKind>),
    /// A violation of the current state, found when its steps were listed.
    Found(FoundKind),
    /// A step back to the state that was first visited after this many steps closes a cycle that is a violation.
    Closed(u32),
    /// The state has no successor.
    Stopped,
    /// Every successor was visited before, and this is a trail.
    Exhausted,
    /// The successors are too many to list.
    Halted,
}

/// What choosing a step needs of the walk.
pub struct Choice<'w> {
    /// The random numbers of the walk.
    pub draws: &'w mut Draws,
    /// For a trail: the states visited so far.
    pub visited: Option<&'w Visited>,
    /// Counts the candidates that were tested.
    pub tries: &'w mut u64,
}

/// One place in a system, moved by walks on one thread.
pub trait Position {
    /// A step as a path records it.
    type Step: Clone + Send;
    /// A heuristic for this kind of system.
    type Guide: Send + Sync;
    /// What was executed.
    type Coverage: Covers;

    /// Goes to an initial state, drawn where there are several. False if there is none, `None` if that is unknown.
    fn start(&mut self, draws: &mut Draws) -> Option<bool>;

    /// Clears what was noted about cycles: a walk of a chain begins here.
    fn begin(&mut self);

    /// With `record`, the path is kept from now on.
    fn record(&mut self, record: bool);

    /// Steps taken since the initial state.
    fn steps(&self) -> u32;

    /// Goes back to the state after this many steps of the recorded path, at or after the start of the last walk.
    fn rewind(&mut self, steps: u32);

    /// The recorded path. With `closed`, its last step leads back into it.
    fn path(&mut self, closed: bool) -> Vec<Self::Step>;

    /// Bytes that the path uses.
    fn memory(&self) -> u64;

    /// Steps between two checks of the budget.
    fn check_interval(&self) -> u64 {
        256
    }

    /// Appends the violations of the current state itself.
    fn violations(&mut self, found: &mut Vec<FoundKind>);

    /// The violation of a current state without successors.
    fn deadlock(&mut self) -> Option<FoundKind>;

    /// Notes the current state for coverage.
    fn visit(&mut self) {}

    /// Whether the current state counts as one: false inside an atomic sequence.
    fn is_settled(&self) -> bool {
        true
    }

    /// A hash of the current state.
    fn fingerprint(&mut self) -> u64;

    /// Whether cycles can be violations.
    fn tracks_cycles(&self) -> bool;

    /// Notes labels of the current state that decide about cycles.
    fn note_labels(&mut self) {}

    /// Whether the cycle from the state after this many steps to the current one, which is the same, is a violation.
    fn closes_since(&self, first: u32) -> bool;

    /// Draws successors, each by the system's own rule, until one may be taken; takes it.
    fn sample(&mut self, choice: &mut Choice<'_>) -> Chosen;

    /// The same, where the guide scores steps before they are tested: drawn by weight. Updates the best score.
    fn sample_by_weight(
        &mut self,
        guide: &Self::Guide,
        plan: &WalkPlan,
        choice: &mut Choice<'_>,
        best: &mut Option<u32>,
    ) -> Chosen {
        let _ = (guide, plan, best);
        self.sample(choice)
    }

    /// Lists the successors as candidates and returns their number; counts the tests.
    fn list(&mut self, tries: &mut u64) -> Result<u32, Chosen>;

    /// The score of a listed candidate.
    fn score(&mut self, guide: &Self::Guide, candidate: u32) -> u32;

    /// Takes a listed candidate; none if a trail may not.
    fn attempt(&mut self, candidate: u32, visited: Option<&Visited>) -> Option<Chosen>;

    /// Continues in a state without successors that is no violation, if infinite runs matter.
    fn stutter(&mut self, choice: &mut Choice<'_>) -> Chosen {
        let _ = choice;
        Chosen::Exhausted
    }

    /// The greatest score of a guide.
    fn max_score(guide: &Self::Guide) -> u32;

    /// Whether a guide scores steps instead of states.
    fn scores_steps(guide: &Self::Guide) -> bool {
        let _ = guide;
        false
    }

    /// What was executed since the last call.
    fn take_coverage(&mut self) -> Self::Coverage;

    /// Makes the walks of an unguided unit as native code, if possible; `known` is what earlier batches have executed.
    fn run_natively(
        &mut self,
        plan: &WalkPlan,
        unit: (u64, u64),
        keep: Keep,
        known: &Self::Coverage,
        stop: &dyn Fn() -> bool,
    ) -> Option<Walked<Self::Step, Self::Coverage>> {
        let _ = (plan, unit, keep, known, stop);
        None
    }
}

/// A system and an objective, as walks use them. A walk depends on its seed and number, its plan and its guide, and on
/// nothing else.
pub trait WalkDomain: Sync {
    /// A step as a path records it.
    type Step: Clone + Send;
    /// A heuristic for this kind of system.
    type Guide: Send + Sync;
    /// What was executed.
    type Coverage: Covers;
    /// One place in the system.
    type Position<'t>: Position<Step = Self::Step, Guide = Self::Guide, Coverage = Self::Coverage>
    where
        Self: 't;

    /// A position for one thread.
    fn position(&self) -> Self::Position<'_>;

    /// Nothing executed yet.
    fn coverage(&self) -> Self::Coverage;

    /// The cost of recording a visited state, in bytes to be hashed; 0 if the walk computes fingerprints anyway, or if a step
    /// costs much more.
    fn observation_cost(&self, plan: &WalkPlan, guided: bool) -> u64 {
        let _ = (plan, guided);
        0
    }
}
