//! What walks go through, as a hunt sees it.

use std::sync::Arc;

use super::plan::WalkPlan;
use super::walker::{Keep, Walked};

/// What walks have executed.
pub trait Covers: Clone + Send + Sync {
    /// Adds what another one has executed; says how much of it is new.
    fn merge(&mut self, other: &Self) -> u64;
}

/// A model and what is watched in it: whatever makes walkers. A walk depends on its seed and number, its plan and its
/// guide, and on nothing else.
pub trait Terrain: Sync {
    /// What guides walks.
    type Guide: Send + Sync;
    /// A violation, with the way to it.
    type Found: Send;
    /// What was executed.
    type Coverage: Covers;
    /// Makes one walk after another on a thread of its own.
    type Walker<'t>
    where
        Self: 't;

    /// Nothing executed yet.
    fn coverage(&self) -> Self::Coverage;

    /// What looking at a state costs beside a step of such a walk, in bytes to be hashed; 0 where the walk looks at its
    /// states anyway, or where a step costs so much that it does not matter.
    fn cost_of_looking(&self, plan: &WalkPlan, guided: bool) -> u64;

    /// A walker for one batch.
    fn walker(&self) -> Self::Walker<'_>;

    /// Makes the walks of a unit: of this seed, with this number. A walker is given numbers upwards, and what its walks
    /// execute need not be told where it is known or was told before.
    fn walk(
        walker: &mut Self::Walker<'_>,
        plan: WalkPlan,
        guide: Option<Arc<Self::Guide>>,
        unit: (u64, u64),
        keep: Keep,
        known: &Self::Coverage,
        stop: &dyn Fn() -> bool,
    ) -> Walked<Self::Found, Self::Coverage>;
}
