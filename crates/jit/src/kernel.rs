//! The walk kernel and its host.

use std::sync::Arc;

use lurcher_ir::{Expr, Model};
use lurcher_system::{Course, Interpreter, KernelWalk, KernelWalker, Limits, State, WalkEnd, WalkKernel};

use crate::boundary::{Entry, Origin, Session};
use crate::budget::{Budget, NotCompiled};
use crate::build::{Code, Function, stop};
use crate::compiled::{Size, origin, unit};

/// Walks through a model as native code.
pub struct Kernel<'m> {
    origin: Origin<'m>,
    walk: Entry,
    walk_all: Entry,
    /// The code has the addresses of expressions in it.
    _watched: Arc<[Expr]>,
    actions: usize,
    /// The most steps of a trace that a step of a walk is.
    longest: u32,
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
        unit.want(Function::WalkAll);
        let mut code = unit.compile()?;
        let longest = if model.channel_types.iter().any(|c| c.capacity == 0) { 2 } else { 1 };
        let actions = model.process_types.iter().map(|p| p.actions.len()).sum();
        let [walk, walk_all] = [Function::Walk, Function::WalkAll].map(|f| code.entry(f).expect("it was wanted"));
        Ok(Kernel { origin: origin(interpreter, &mut code), walk, walk_all, _watched: watched, actions, longest, code })
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
            start: initial.clone(),
            pool: (0..=most as u16).collect(),
            touched: vec![0; most + 1],
            standing: vec![0; most + 1],
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
    /// Where the walk began.
    start: State,
    pool: Vec<u16>,
    touched: Vec<u16>,
    standing: Vec<u32>,
    coverage: Vec<u8>,
    seen: Vec<u64>,
}

/// A part of a unit: a walk, or the beginning of one once more.
#[derive(Clone, Copy, Debug)]
struct Leg {
    depth: u32,
    /// Steps after which it stops wherever it is.
    steps: u64,
    level: Option<u32>,
}

impl Leg {
    /// Steps until the next question, where a step is at most so long: a leg must not pass its depth.
    fn allowed(&self, steps: u64, length: u32, longest: u32) -> u32 {
        let room = self.depth.saturating_sub(length).div_ceil(longest);
        FUEL.min(room).min(u32::try_from(self.steps - steps).unwrap_or(u32::MAX))
    }
}

/// What a leg came to.
struct Covered {
    end: WalkEnd,
    steps: u64,
    tries: u64,
    length: u32,
}

impl Strider<'_, '_> {
    /// Walks on from the state that the last leg has come to.
    fn leg(&mut self, generator: &mut Generator, leg: Leg, course: &Course, stop: &dyn Fn() -> bool) -> Covered {
        let kernel = self.kernel;
        let entry = if course.all_children { kernel.walk_all } else { kernel.walk };
        let mut session = Session::writing(&kernel.origin, &mut self.state);
        session.observe(leg.level, std::mem::take(&mut self.seen));
        let run = session.run();
        (run.random_state, run.random_increment) = (generator.state, generator.increment);
        run.pool = self.pool.as_mut_ptr();
        run.touched = self.touched.as_mut_ptr();
        run.coverage = self.coverage.as_mut_ptr();
        run.standing = self.standing.as_mut_ptr();
        session.note_standing();
        let full = |session: &Session<'_, '_>| course.memory.is_some_and(|most| session.observed_memory() > most);
        let (mut steps, mut length) = (0, 0);
        let reason = loop {
            let allowed = leg.allowed(steps, length, kernel.longest);
            let (fuel, looks) = if leg.level.is_some() { (0, allowed) } else { (allowed, 0) };
            (session.run().fuel, session.run().looks) = (fuel, looks);
            let reason = session.call(entry, 0, false, 0);
            let run = session.run();
            steps += u64::from(allowed - run.fuel - run.looks);
            length = steps as u32 + run.meetings;
            match reason {
                stop::FUEL if leg.allowed(steps, length, kernel.longest) == 0 => break stop::DEPTH,
                stop::FUEL if stop() => break stop::FUEL,
                stop::FUEL if full(&session) => break stop::MEMORY,
                stop::FUEL => {}
                reason => break reason,
            }
        };
        if reason == stop::STUCK {
            // The step that was begun.
            (steps, length) = (steps - 1, length - 1);
        }
        let violation = session.violation();
        let run = session.run();
        generator.state = run.random_state;
        let tries = run.tries;
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
        Covered { end, steps, tries, length }
    }
}

impl KernelWalker for Strider<'_, '_> {
    fn run(&mut self, course: &Course, stop: &dyn Fn() -> bool) -> KernelWalk {
        self.state.copy_from(&self.initial);
        self.seen.clear();
        let mut generator = Generator::of(course.seed, course.index);
        let mut sum = KernelWalk { end: WalkEnd::Stopped, walks: 0, steps: 0, tries: 0, length: 0 };
        let whole = Leg { depth: course.depth, steps: u64::MAX, level: course.level };
        loop {
            let before = generator;
            if course.chain > 1 {
                self.start.copy_from(&self.state);
            }
            let walk = self.leg(&mut generator, whole, course, stop);
            sum.walks += 1;
            sum.steps += walk.steps;
            sum.tries += walk.tries;
            sum.length = sum.length.max(walk.length);
            let over = !matches!(walk.end, WalkEnd::Leaf | WalkEnd::Depth | WalkEnd::Deadlock);
            let found = walk.end == WalkEnd::Deadlock && course.deadlock;
            sum.end = walk.end;
            if over || found || sum.walks >= course.chain {
                return sum;
            }
            // Back to a random state of the walk: its first steps once more.
            let back = generator.below(walk.steps as u32 + 1);
            self.state.copy_from(&self.start);
            if back > 0 {
                let again = Leg { depth: u32::MAX, steps: u64::from(back), level: None };
                let mut before = before;
                match self.leg(&mut before, again, course, stop).end {
                    WalkEnd::Depth => {}
                    end => return KernelWalk { end, ..sum },
                }
            }
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn executed(&mut self) -> &mut [u8] {
        &mut self.coverage
    }

    fn seen(&self) -> &[u64] {
        &self.seen
    }
}

/// The random numbers of a unit, as compiled code draws them too (`build/draw.rs`).
#[derive(Clone, Copy, Debug)]
struct Generator {
    state: u64,
    increment: u64,
}

/// The multiplier of PCG32.
pub(crate) const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

impl Generator {
    fn of(seed: u64, index: u64) -> Generator {
        let state = mix(seed ^ mix(index));
        let increment = mix(state ^ index) << 1 | 1;
        let mut generator = Generator { state: state.wrapping_add(increment), increment };
        generator.advance();
        generator
    }

    fn advance(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    /// A number below another one. Nothing is drawn when there is no choice.
    fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        let state = self.state;
        self.advance();
        let mixed = (((state >> 18) ^ state) >> 27) as u32;
        let drawn = mixed.rotate_right((state >> 59) as u32);
        ((u64::from(drawn) * u64::from(bound)) >> 32) as u32
    }
}

/// SplitMix64: one step of the sequence and its finaliser.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
