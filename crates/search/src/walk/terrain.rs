//! What walks go through, as a hunt sees it.

use std::marker::PhantomData;
use std::sync::Arc;

use lurcher_exec::{Interpreter, State};

use crate::coverage::Coverage;
use crate::guidance::Guidance;
use crate::outcome::Found;

use super::plan::WalkPlan;
use super::subject::Subject;
use super::walker::{Keep, Walked, Walker};

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

    /// A walker.
    fn walker(&self) -> Self::Walker<'_>;

    /// Makes the walks of a unit: of this seed, with this number.
    fn walk(
        walker: &mut Self::Walker<'_>,
        plan: WalkPlan,
        guide: Option<Arc<Self::Guide>>,
        unit: (u64, u64),
        keep: Keep,
        stop: &dyn Fn() -> bool,
    ) -> Walked<Self::Found, Self::Coverage>;
}

/// The processes of a model.
#[derive(Debug)]
pub struct Processes<'m, 'a, G> {
    interpreter: &'a Interpreter<'m>,
    subject: &'a Subject,
    initial: State,
    guide: PhantomData<fn() -> G>,
}

impl<'m, 'a, G> Processes<'m, 'a, G> {
    /// The processes of a model, from its initial state on.
    pub fn new(interpreter: &'a Interpreter<'m>, subject: &'a Subject, initial: State) -> Self {
        Processes { interpreter, subject, initial, guide: PhantomData }
    }
}

impl Covers for Coverage {
    fn merge(&mut self, other: &Self) -> u64 {
        Coverage::merge(self, other)
    }
}

impl<'m, 'a, G: Guidance + Send> Terrain for Processes<'m, 'a, G> {
    type Guide = G;
    type Found = Found;
    type Coverage = Coverage;
    type Walker<'t>
        = Walker<'m, 'a, G>
    where
        Self: 't;

    fn coverage(&self) -> Coverage {
        Coverage::new(self.interpreter.model())
    }

    fn walker(&self) -> Walker<'m, 'a, G> {
        Walker::new(self.interpreter, self.subject, &self.initial)
    }

    fn walk(
        walker: &mut Walker<'m, 'a, G>,
        plan: WalkPlan,
        guide: Option<Arc<G>>,
        unit: (u64, u64),
        keep: Keep,
        stop: &dyn Fn() -> bool,
    ) -> Walked {
        walker.run(plan, guide, unit, keep, stop)
    }
}
