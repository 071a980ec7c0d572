//! The walk kernel.

use std::sync::Arc;

use lurcher_ir::{Expr, Model};
use lurcher_system::{Course, Interpreter, KernelWalk, KernelWalker, Limits, State, WalkEnd, WalkKernel};

use crate::boundary::{Entry, Origin, Session};
use crate::budget::{Budget, NotCompiled};
use crate::build::{Function, UnitCode, stop};
use crate::compiled::{origin, unit};
use crate::compiler::Size;

/// Random walks through a model as native code.
pub struct Kernel<'m> {
    origin: Origin<'m>,
    walk: Entry,
    walk_all: Entry,
    /// The code contains the addresses of these expressions.
    _watched: Arc<[Expr]>,
    actions: usize,
    /// The most trace steps of one walk step: 2 with rendezvous, else 1.
    longest: u32,
    code: UnitCode,
}

/// Steps between two checks whether to stop.
const FUEL: u32 = 4096;

impl<'m> Kernel<'m> {
    /// Compiles the walks of a model. A state that violates an invariant ends a walk.
    pub fn new(model: &'m Model, limits: Limits, invariants: Vec<Expr>) -> Result<Self, NotCompiled> {
        Kernel::within(model, limits, invariants, Budget::default())
    }

    /// As [`Kernel::new`], within a budget.
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
        let longest = if model.has_rendezvous() { 2 } else { 1 };
        let actions = model.process_types.iter().map(|p| p.actions.len()).sum();
        let [walk, walk_all] = [Function::Walk, Function::WalkAll].map(|f| code.entry(f).expect("a wanted function"));
        Ok(Kernel { origin: origin(interpreter, &mut code), walk, walk_all, _watched: watched, actions, longest, code })
    }

    /// The interpreter of the same model.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.origin.interpreter
    }

    /// The amount of compiled code.
    pub fn size(&self) -> Size {
        self.code.code.size
    }
}

impl WalkKernel for Kernel<'_> {
    fn walker<'k>(&'k self, initial: &State) -> Box<dyn KernelWalker + 'k> {
        let most = usize::from(self.origin.interpreter.limits().processes).max(initial.process_offsets().len());
        Box::new(NativeWalker {
            kernel: self,
            initial: initial.clone(),
            state: initial.clone(),
            start: initial.clone(),
            pool: (0..=most as u16).collect(),
            touched: vec![0; most + 1],
            positions: vec![0; most + 1],
            coverage: vec![0; self.actions],
            seen: Vec::new(),
        })
    }
}

/// Performs walks one after another, on one thread.
struct NativeWalker<'k, 'm> {
    kernel: &'k Kernel<'m>,
    initial: State,
    state: State,
    /// The first state of the walk.
    start: State,
    pool: Vec<u16>,
    touched: Vec<u16>,
    positions: Vec<u32>,
    coverage: Vec<u8>,
    seen: Vec<u64>,
}

/// A segment of a walk unit: a walk, or the replayed prefix of one.
#[derive(Clone, Copy, Debug)]
struct Segment {
    depth: u32,
    /// The most walk steps.
    steps: u64,
    /// Records fingerprints with at least this many low zero bits.
    level: Option<u32>,
}

impl Segment {
    /// Steps until the next check; a segment must not exceed its depth.
    fn allowed(&self, steps: u64, length: u32, longest: u32) -> u32 {
        let room = self.depth.saturating_sub(length).div_ceil(longest);
        FUEL.min(room).min(u32::try_from(self.steps - steps).unwrap_or(u32::MAX))
    }
}

/// The result of a segment.
struct SegmentResult {
    end: WalkEnd,
    steps: u64,
    tries: u64,
    length: u32,
}

impl NativeWalker<'_, '_> {
    /// Continues the walk from the current state.
    fn segment(
        &mut self,
        generator: &mut Generator,
        segment: Segment,
        course: &Course,
        stop: &dyn Fn() -> bool,
    ) -> SegmentResult {
        let kernel = self.kernel;
        let entry = if course.all_children { kernel.walk_all } else { kernel.walk };
        let mut session = Session::writing(&kernel.origin, &mut self.state);
        session.observe(segment.level, std::mem::take(&mut self.seen));
        let run = session.run();
        (run.random_state, run.random_increment) = (generator.state, generator.increment);
        run.pool = self.pool.as_mut_ptr();
        run.touched = self.touched.as_mut_ptr();
        run.coverage = self.coverage.as_mut_ptr();
        run.positions = self.positions.as_mut_ptr();
        session.note_positions();
        let full = |session: &Session<'_, '_>| course.memory.is_some_and(|most| session.observed_memory() > most);
        let (mut steps, mut length) = (0, 0);
        let reason = loop {
            let allowed = segment.allowed(steps, length, kernel.longest);
            let (fuel, observed) = if segment.level.is_some() { (0, allowed) } else { (allowed, 0) };
            (session.run().fuel, session.run().observed) = (fuel, observed);
            let reason = session.call(entry, 0, false, 0);
            let run = session.run();
            steps += u64::from(allowed - run.fuel - run.observed);
            length = steps as u32 + run.rendezvous;
            match reason {
                stop::FUEL if segment.allowed(steps, length, kernel.longest) == 0 => break stop::DEPTH,
                stop::FUEL if stop() => break stop::FUEL,
                stop::FUEL if full(&session) => break stop::MEMORY,
                stop::FUEL => {}
                reason => break reason,
            }
        };
        if reason == stop::NO_MOVE {
            // The step that could not be completed.
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
            stop::VIOLATION => WalkEnd::Violation(violation.expect("compiled code reports a violation")),
            _ if self.state.process_count() > 0 && !kernel.origin.interpreter.is_valid_end(&self.state) => {
                WalkEnd::Deadlock
            }
            _ => WalkEnd::Leaf,
        };
        SegmentResult { end, steps, tries, length }
    }
}

impl KernelWalker for NativeWalker<'_, '_> {
    fn run(&mut self, course: &Course, stop: &dyn Fn() -> bool) -> KernelWalk {
        self.state.copy_from(&self.initial);
        self.seen.clear();
        let mut generator = Generator::of(course.seed, course.index);
        let mut sum = KernelWalk { end: WalkEnd::Stopped, walks: 0, steps: 0, tries: 0, length: 0 };
        let whole = Segment { depth: course.depth, steps: u64::MAX, level: course.level };
        loop {
            let before = generator;
            if course.chain > 1 {
                self.start.copy_from(&self.state);
            }
            let walk = self.segment(&mut generator, whole, course, stop);
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
            // Restarts at a random state of the walk by replaying its prefix.
            let back = generator.below(walk.steps as u32 + 1);
            self.state.copy_from(&self.start);
            if back > 0 {
                let again = Segment { depth: u32::MAX, steps: u64::from(back), level: None };
                let mut before = before;
                match self.segment(&mut before, again, course, stop).end {
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

/// The PCG32 generator of a walk unit; compiled code advances the same state (`build/draw.rs`).
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

    /// A number below `bound`; draws nothing if there is no choice.
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
