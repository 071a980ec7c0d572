//! The walk kernel and its host.
//!
//! A walk of the kernel takes the same steps as `lurcher_search`'s walker with try-a-child, no guide and no claim: the
//! random numbers of walk *i* of seed *s* and the rule that turns them into choices are the contract of
//! `search/walk/draws.rs`. The kernel keeps no path; to see it, walk the same walk again there.

use std::sync::Arc;

use lurcher_exec::{Interpreter, Limits, State, Violation};
use lurcher_ir::{Expr, Model};

use crate::boundary::{Entry, Origin, Session};
use crate::budget::{Budget, NotCompiled};
use crate::build::{Code, Function, stop};
use crate::compiled::{Size, origin, unit};

/// Walks through a model as native code.
pub struct Kernel<'m> {
    origin: Origin<'m>,
    walk: Entry,
    /// The code has the addresses of expressions in it.
    _watched: Arc<[Expr]>,
    actions: usize,
    code: Code,
}

/// What ended a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// A step violated an assertion or met a fault.
    Violation(Violation),
    /// An invariant does not hold.
    Invariant,
    /// No process can move, and not all may rest where they are.
    Deadlock,
    /// No process can move, and all may rest.
    Leaf,
    /// Its depth.
    Depth,
    /// It was told to stop.
    Stopped,
}

/// What a walk came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelWalk {
    /// What ended it.
    pub end: WalkEnd,
    /// Steps taken.
    pub steps: u64,
    /// Branches tested, possible or not.
    pub tries: u64,
    /// Length as a trace: a rendezvous counts twice.
    pub length: u32,
}

/// Steps between two questions whether to stop.
const FUEL: u32 = 4096;

impl<'m> Kernel<'m> {
    /// Compiles walks through a model; every state must satisfy the invariants.
    pub fn new(model: &'m Model, limits: Limits, invariants: Vec<Expr>) -> Result<Self, NotCompiled> {
        Kernel::within(model, limits, invariants, Budget::default())
    }

    /// The same, within a budget.
    pub fn within(
        model: &'m Model,
        limits: Limits,
        invariants: Vec<Expr>,
        budget: Budget,
    ) -> Result<Self, NotCompiled> {
        let interpreter = Interpreter::new(model, limits);
        let (mut unit, watched) = unit(&interpreter, invariants, budget)?;
        unit.coverage = true;
        unit.want(Function::Walk);
        let mut code = unit.compile()?;
        let actions = model.process_types.iter().map(|p| p.actions.len()).sum();
        let walk = code.entry(Function::Walk).expect("it was wanted");
        Ok(Kernel { origin: origin(interpreter, &mut code), walk, _watched: watched, actions, code })
    }

    /// The interpreter of the same model.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.origin.interpreter
    }

    /// What was compiled.
    pub fn size(&self) -> Size {
        Size::of(&self.code)
    }

    /// Somebody to walk from a state, which is the model's initial one.
    pub fn walker(&self, initial: &State) -> KernelWalker<'_, 'm> {
        let most = usize::from(self.origin.interpreter.limits().processes).max(initial.process_offsets().len());
        KernelWalker {
            kernel: self,
            initial: initial.clone(),
            state: initial.clone(),
            pool: (0..=most as u16).collect(),
            touched: vec![0; most + 1],
            coverage: vec![0; self.actions],
        }
    }
}

/// One walk after another, on one thread.
pub struct KernelWalker<'k, 'm> {
    kernel: &'k Kernel<'m>,
    initial: State,
    state: State,
    pool: Vec<u16>,
    touched: Vec<u16>,
    coverage: Vec<u8>,
}

impl KernelWalker<'_, '_> {
    /// Makes walk `index` of `seed`, of at most `depth` steps, until it ends or `stop` says so.
    pub fn run(&mut self, (seed, index): (u64, u64), depth: u32, stop: impl Fn() -> bool) -> KernelWalk {
        self.state.copy_from(&self.initial);
        let kernel = self.kernel;
        let mut session = Session::writing(&kernel.origin, &mut self.state);
        let run = session.run();
        (run.random_state, run.random_increment) = generator(seed, index);
        run.depth = depth;
        run.pool = self.pool.as_mut_ptr();
        run.touched = self.touched.as_mut_ptr();
        run.coverage = self.coverage.as_mut_ptr();
        let reason = loop {
            session.run().fuel = FUEL;
            match session.call(kernel.walk, 0, false, 0) {
                stop::FUEL if stop() => break stop::FUEL,
                stop::FUEL => {}
                reason => break reason,
            }
        };
        let violation = session.violation();
        let run = session.run();
        let (steps, tries, length) = (run.steps, run.tries, run.length);
        drop(session);
        let end = match reason {
            stop::INVARIANT => WalkEnd::Invariant,
            stop::DEPTH => WalkEnd::Depth,
            stop::FUEL => WalkEnd::Stopped,
            stop::VIOLATION => WalkEnd::Violation(violation.expect("compiled code has left one")),
            _ if self.state.process_count() > 0 && !kernel.origin.interpreter.is_valid_end(&self.state) => {
                WalkEnd::Deadlock
            }
            _ => WalkEnd::Leaf,
        };
        KernelWalk { end, steps, tries, length }
    }

    /// The state that the last walk has come to.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// By action, process type after process type: was it ever executed?
    pub fn executed(&self) -> impl Iterator<Item = bool> {
        self.coverage.iter().map(|&byte| byte != 0)
    }
}

/// State and increment of the generator of a walk.
fn generator(seed: u64, index: u64) -> (u64, u64) {
    const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
    let state = mix(seed ^ mix(index));
    let increment = mix(state ^ index) << 1 | 1;
    (state.wrapping_add(increment).wrapping_mul(MULTIPLIER).wrapping_add(increment), increment)
}

/// SplitMix64: one step of the sequence and its finaliser.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
