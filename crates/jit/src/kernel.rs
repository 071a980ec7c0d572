//! The walk kernel and its host.

use std::sync::Arc;

use lurcher_exec::{Course, Interpreter, KernelWalk, KernelWalker, Limits, State, WalkEnd, WalkKernel};
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
}

impl WalkKernel for Kernel<'_> {
    fn walker<'k>(&'k self, initial: &State) -> Box<dyn KernelWalker + 'k> {
        let most = usize::from(self.origin.interpreter.limits().processes).max(initial.process_offsets().len());
        Box::new(Strider {
            kernel: self,
            initial: initial.clone(),
            state: initial.clone(),
            pool: (0..=most as u16).collect(),
            touched: vec![0; most + 1],
            coverage: vec![0; self.actions],
            seen: Vec::new(),
        })
    }
}

/// Makes one walk after another, on one thread.
struct Strider<'k, 'm> {
    kernel: &'k Kernel<'m>,
    initial: State,
    state: State,
    pool: Vec<u16>,
    touched: Vec<u16>,
    coverage: Vec<u8>,
    seen: Vec<u64>,
}

impl KernelWalker for Strider<'_, '_> {
    fn run(&mut self, course: &Course, stop: &dyn Fn() -> bool) -> KernelWalk {
        self.state.copy_from(&self.initial);
        self.seen.clear();
        let kernel = self.kernel;
        let mut session = Session::writing(&kernel.origin, &mut self.state);
        session.observe(course.level, std::mem::take(&mut self.seen));
        let run = session.run();
        (run.random_state, run.random_increment) = generator(course.seed, course.index);
        run.depth = course.depth;
        run.pool = self.pool.as_mut_ptr();
        run.touched = self.touched.as_mut_ptr();
        run.coverage = self.coverage.as_mut_ptr();
        let full = |session: &Session<'_, '_>| course.memory.is_some_and(|most| session.observed_memory() > most);
        let reason = loop {
            session.run().fuel = FUEL;
            match session.call(kernel.walk, 0, false, 0) {
                stop::FUEL if stop() => break stop::FUEL,
                stop::FUEL if full(&session) => break stop::MEMORY,
                stop::FUEL => {}
                reason => break reason,
            }
        };
        let violation = session.violation();
        let run = session.run();
        let (steps, tries, length) = (run.steps, run.tries, run.length);
        self.seen = session.into_observed();
        let end = match reason {
            stop::INVARIANT => WalkEnd::Invariant,
            stop::DEPTH => WalkEnd::Depth,
            stop::FUEL => WalkEnd::Stopped,
            stop::MEMORY => WalkEnd::Memory,
            stop::VIOLATION => WalkEnd::Violation(violation.expect("compiled code has left one")),
            _ if self.state.process_count() > 0 && !kernel.origin.interpreter.is_valid_end(&self.state) => {
                WalkEnd::Deadlock
            }
            _ => WalkEnd::Leaf,
        };
        KernelWalk { end, steps, tries, length }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn take_executed(&mut self, each: &mut dyn FnMut(usize)) {
        for (action, executed) in self.coverage.iter_mut().enumerate() {
            if std::mem::take(executed) != 0 {
                each(action);
            }
        }
    }

    fn seen(&self) -> &[u64] {
        &self.seen
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
