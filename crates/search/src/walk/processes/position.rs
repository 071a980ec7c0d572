//! A place in the product of a process model and a claim.
//!
//! Try-a-child draws a process, then one of its branches, and tests only what it has drawn. Where a claim watches, a move
//! is paired with each step of the claim, and the pairs are the candidates.

use lurcher_ir::LocationId;
use lurcher_system::{ClaimStep, Course, KernelWalk, KernelWalker, Machine, Move, Path, ProcessId, State, WalkEnd};

use crate::coverage::Coverage;
use crate::guidance::{Guidance, History, Scores};
use crate::outcome::{Found, FoundKind};
use crate::space::Step;

use super::super::choose::draw;
use super::super::draws::Draws;
use super::super::plan::{Selection, WalkPlan};
use super::super::position::{Choice, Chosen, Position};
use super::super::visited::{Visited, fingerprint};
use super::super::walker::{End, Keep, Walked};
use super::fairness::FairnessTracker;
use super::objective::Objective;
use super::{Processes, is_plain};

/// A state of the product: the state of the system and the claim's location.
#[derive(Clone, Debug)]
struct Place {
    state: State,
    claim: LocationId,
    /// The last step was the claim's alone.
    stayed: bool,
    /// The processes that moved last.
    history: History,
}

/// A place in the product of a process model and a claim.
pub struct ProcessPosition<'a, M, G> {
    machine: &'a M,
    objective: &'a Objective,
    kernel: Option<Box<dyn KernelWalker + 'a>>,
    /// What the kernel's walks have executed, with what was known before. Units come in the order of their numbers, so
    /// none repeats what one before has reported.
    reported: Option<Coverage>,
    /// The claim refers to `np_`, so a state in which the system stayed is another state.
    reads_progress: bool,
    initial: State,
    here: Place,
    next: State,
    /// The fingerprint of the current state, if a trail computed it already.
    arrived: Option<u64>,
    fairness: FairnessTracker,
    last_accepting: Option<u32>,
    steps: u32,
    recording: bool,
    path: Vec<Step>,
    /// Where the current walk of a chain began, and after how many steps.
    origin: (Place, u32),
    coverage: Coverage,
    processes: Vec<ProcessId>,
    branches: Vec<u16>,
    pairs: Vec<(ProcessId, u16)>,
    /// Scores and weights of the pairs.
    scores: Vec<u32>,
    weights: Vec<u32>,
    moves: Vec<Move>,
    claim_steps: Option<Vec<ClaimStep>>,
    candidates: Vec<Step>,
    numbers: Vec<u32>,
    guide: std::marker::PhantomData<fn() -> G>,
}

impl<'a, M: Machine, G: Guidance + Send> ProcessPosition<'a, M, G> {
    /// A position in the initial state of a model.
    pub fn new(machine: &'a M, objective: &'a Objective, initial: &State) -> Self {
        let model = machine.model();
        let here =
            Place { state: initial.clone(), claim: objective.start(model), stayed: false, history: History::default() };
        ProcessPosition {
            machine,
            objective,
            kernel: None,
            reported: None,
            reads_progress: objective.claim.is_some_and(|c| c.reads_progress(model)),
            initial: initial.clone(),
            next: initial.clone(),
            origin: (here.clone(), 0),
            here,
            arrived: None,
            fairness: FairnessTracker::default(),
            last_accepting: None,
            steps: 0,
            recording: false,
            path: Vec::new(),
            coverage: Coverage::new(model),
            processes: Vec::new(),
            branches: Vec::new(),
            pairs: Vec::new(),
            scores: Vec::new(),
            weights: Vec::new(),
            moves: Vec::new(),
            claim_steps: None,
            candidates: Vec::new(),
            numbers: Vec::new(),
            guide: std::marker::PhantomData,
        }
    }

    /// The same with a kernel for the walks that it can make.
    pub(super) fn of(processes: &Processes<'a, M, G>) -> Self {
        let kernel = processes.kernel.map(|k| k.walker(&processes.initial));
        ProcessPosition { kernel, ..Self::new(processes.machine, processes.objective, &processes.initial) }
    }

    /// Lists the processes that may move.
    fn list_processes(&mut self) {
        self.processes.clear();
        match self.here.state.exclusive {
            Some(holder) => self.processes.push(holder),
            None => self.processes.extend((0..self.here.state.process_count()).map(ProcessId)),
        }
    }

    /// Finds the claim's steps here.
    #[inline]
    fn list_claim_steps(&mut self, timeout: bool) -> Result<(), FoundKind> {
        if self.objective.claim.is_none() {
            self.claim_steps = None;
            return Ok(());
        }
        let Place { state, claim, stayed, .. } = &self.here;
        self.claim_steps = self.objective.claim_steps(self.machine, state, *claim, timeout, *stayed)?;
        Ok(())
    }

    /// Pairs every listed move, or standing still, with every step of the claim.
    #[inline]
    fn pair(&mut self, stutter: bool) {
        self.candidates.clear();
        let moves = self.moves.iter().map(|&m| Some(m)).chain(stutter.then_some(None));
        for system in moves {
            match &self.claim_steps {
                None => self.candidates.push(Step { system, claim: None }),
                Some(steps) => {
                    self.candidates.extend((0..steps.len()).map(|c| Step { system, claim: Some(c as u16) }));
                }
            }
        }
    }

    /// Tests a branch; if it is enabled, takes one of the steps it offers.
    fn test(
        &mut self,
        (process, branch): (ProcessId, u16),
        timeout: bool,
        any: &mut bool,
        choice: &mut Choice<'_>,
    ) -> Option<Chosen> {
        *choice.tries += 1;
        self.machine.moves_by_branch(&self.here.state, process, branch, timeout, &mut self.moves);
        if self.moves.is_empty() {
            return None;
        }
        *any = true;
        if let Err(found) = self.list_claim_steps(timeout) {
            return Some(Chosen::Found(found));
        }
        self.pair(false);
        match self.draw(choice) {
            Chosen::Exhausted => None,
            chosen => Some(chosen),
        }
    }

    /// Draws one of the candidates, all alike.
    #[inline]
    fn draw(&mut self, choice: &mut Choice<'_>) -> Chosen {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        numbers.extend(0..self.candidates.len() as u32);
        let chosen = draw(self, choice, &mut numbers, &mut Vec::new());
        self.numbers = numbers;
        chosen
    }

    /// The claim's location after a step.
    fn claim_after(&self, step: &Step) -> LocationId {
        match (step.claim, &self.claim_steps) {
            (Some(number), Some(steps)) => steps[usize::from(number)].target,
            _ => self.here.claim,
        }
    }

    /// Whether this step would close an accepting cycle.
    fn would_close(&self, first: u32, step: &Step) -> bool {
        let accepting = self.last_accepting.is_some_and(|at| at >= first);
        if !accepting || !self.objective.fair {
            return accepting;
        }
        let mut fairness = self.fairness.clone();
        if let Some(taken) = &step.system {
            fairness.note_move(taken, self.steps);
        }
        fairness.all_since(first)
    }

    /// Notes a step that was taken; returns its length.
    fn arrive(&mut self, step: &Step, claim: LocationId) -> u32 {
        if let Some(taken) = &step.system {
            self.fairness.note_move(taken, self.steps);
        }
        self.here.claim = claim;
        self.here.stayed = step.system.is_none();
        self.here.history = self.here.history.after_step(step);
        self.steps += 1;
        if self.recording {
            self.path.push(*step);
        }
        step.length()
    }

    fn note_coverage(&mut self, step: &Step) {
        if let Some(taken) = &step.system {
            self.coverage.note(self.machine.interpreter(), &self.here.state, taken);
        }
    }
}

impl<M: Machine, G: Guidance + Send> Position for ProcessPosition<'_, M, G> {
    type Step = Step;
    type Guide = G;
    type Coverage = Coverage;

    fn start(&mut self, _: &mut Draws) -> Option<bool> {
        self.here.state.copy_from(&self.initial);
        self.here.claim = self.objective.start(self.machine.model());
        (self.here.stayed, self.here.history) = (false, History::default());
        self.path.clear();
        self.steps = 0;
        if self.recording {
            self.origin = (self.here.clone(), 0);
        }
        Some(true)
    }

    fn begin(&mut self) {
        self.fairness.clear();
        (self.last_accepting, self.arrived) = (None, None);
    }

    fn record(&mut self, record: bool) {
        self.recording = record;
    }

    fn steps(&self) -> u32 {
        self.steps
    }

    fn rewind(&mut self, steps: u32) {
        let (Place { state, claim, stayed, history }, first) = &mut self.origin;
        for step in &self.path[*first as usize..steps as usize] {
            let timeout = step.system.is_none_or(|m| m.timeout);
            let claim_steps = self.objective.claim_steps(self.machine, state, *claim, timeout, *stayed);
            if let (Some(number), Ok(Some(claim_steps))) = (step.claim, claim_steps) {
                *claim = claim_steps[usize::from(number)].target;
            }
            if let Some(taken) = &step.system {
                self.machine.apply(state, taken);
            }
            *stayed = step.system.is_none();
            *history = history.after_step(step);
        }
        *first = steps;
        self.path.truncate(steps as usize);
        self.steps = steps;
        self.here.state.copy_from(state);
        (self.here.claim, self.here.stayed, self.here.history) = (*claim, *stayed, *history);
    }

    fn path(&mut self, _: bool) -> Vec<Step> {
        std::mem::take(&mut self.path)
    }

    fn memory(&self) -> u64 {
        (self.path.capacity() * std::mem::size_of::<Step>()) as u64
    }

    /// Large states are copied and hashed at every step.
    fn check_interval(&self) -> u64 {
        256 / (1 + self.here.state.bytes().len() as u64 / 4096).min(256)
    }

    fn violations(&mut self, found: &mut Vec<FoundKind>) {
        let state = &self.here.state;
        let broken = |e| !self.machine.holds(state, e).unwrap_or(false);
        if state.exclusive.is_none() && self.objective.invariants.iter().any(broken) {
            found.push(FoundKind::Invariant);
        }
    }

    fn deadlock(&mut self) -> Option<FoundKind> {
        let state = &self.here.state;
        let dead = self.objective.end_states && state.process_count() > 0 && !self.machine.is_valid_end(state);
        dead.then_some(FoundKind::Deadlock)
    }

    fn is_settled(&self) -> bool {
        self.here.state.exclusive.is_none()
    }

    fn fingerprint(&mut self) -> u64 {
        let Place { state, claim, stayed, .. } = &self.here;
        self.arrived.take().unwrap_or_else(|| fingerprint(state, *claim, self.reads_progress && *stayed))
    }

    fn tracks_cycles(&self) -> bool {
        self.objective.claim.is_some()
    }

    fn note_labels(&mut self) {
        if self.objective.fair {
            self.fairness.note_blocked(self.machine, &self.here.state, self.steps);
        }
        if self.objective.accepts(self.machine, &self.here.state, self.here.claim) {
            self.last_accepting = Some(self.steps);
        }
    }

    fn closes_since(&self, first: u32) -> bool {
        let fair = || !self.objective.fair || self.fairness.all_since(first);
        self.last_accepting.is_some_and(|at| at >= first) && fair()
    }

    fn sample(&mut self, choice: &mut Choice<'_>) -> Chosen {
        for timeout in [false, true] {
            let mut any = false;
            self.list_processes();
            while let Some(process) = choice.draws.take(&mut self.processes) {
                if !self.machine.interpreter().may_run(&self.here.state, process, timeout) {
                    continue;
                }
                self.branches.clear();
                self.branches.extend(0..self.machine.interpreter().branch_count(&self.here.state, process));
                while let Some(branch) = choice.draws.take(&mut self.branches) {
                    if let Some(chosen) = self.test((process, branch), timeout, &mut any, choice) {
                        return chosen;
                    }
                }
            }
            if any {
                return Chosen::Exhausted;
            }
        }
        Chosen::Stopped
    }

    fn sample_by_weight(
        &mut self,
        guide: &G,
        plan: &WalkPlan,
        choice: &mut Choice<'_>,
        best: &mut Option<u32>,
    ) -> Chosen {
        for timeout in [false, true] {
            let mut any = false;
            self.list_processes();
            let Place { state, claim, .. } = &self.here;
            self.pairs.clear();
            self.scores.clear();
            for &process in &self.processes {
                if !self.machine.interpreter().may_run(state, process, timeout) {
                    continue;
                }
                for branch in 0..self.machine.interpreter().branch_count(state, process) {
                    self.pairs.push((process, branch));
                    self.scores.push(guide.of_step(state, *claim, process, branch));
                }
            }
            self.weights.clone_from(&self.scores);
            plan.bias.weigh(&mut self.weights, guide.max(), plan.reverse);
            while !self.pairs.is_empty() {
                let at = choice.draws.by_weight(&self.weights);
                let pair = self.pairs.swap_remove(at);
                let score = self.scores.swap_remove(at);
                self.weights.swap_remove(at);
                if let Some(chosen) = self.test(pair, timeout, &mut any, choice) {
                    *best = Some(best.map_or(score, |b| b.min(score)));
                    return chosen;
                }
            }
            if any {
                return Chosen::Exhausted;
            }
        }
        Chosen::Stopped
    }

    fn list(&mut self, tries: &mut u64) -> Result<u32, Chosen> {
        self.machine.moves(&self.here.state, &mut self.moves);
        *tries += self.moves.len() as u64;
        let Some(first) = self.moves.first() else { return Err(Chosen::Stopped) };
        self.list_claim_steps(first.timeout).map_err(Chosen::Found)?;
        self.pair(false);
        Ok(self.candidates.len() as u32)
    }

    fn score(&mut self, guide: &G, candidate: u32) -> u32 {
        let step = self.candidates[candidate as usize];
        let taken = step.system.expect("the system moves");
        let Place { state, claim, history, .. } = &self.here;
        match guide.scores() {
            Scores::Steps => {
                let own = guide.of_step(state, *claim, taken.process, taken.branch);
                let partner = taken.partner.map(|(p, b)| guide.of_step(state, *claim, p, b));
                // The worse half of a rendezvous counts: it is the one that leads away.
                partner.map_or(own, |p| own.max(p))
            }
            Scores::States => {
                self.next.copy_from(state);
                match self.machine.apply(&mut self.next, &taken) {
                    // A violation scores best.
                    Some(_) => 0,
                    None => guide.of_state_after(&self.next, self.claim_after(&step), history.after_step(&step)),
                }
            }
        }
    }

    fn attempt(&mut self, candidate: u32, visited: Option<&Visited>) -> Option<Chosen> {
        let step = self.candidates[candidate as usize];
        let claim = self.claim_after(&step);
        let Some(visited) = visited else {
            self.note_coverage(&step);
            let violation = step.system.and_then(|m| self.machine.apply(&mut self.here.state, &m));
            return Some(Chosen::Moved(self.arrive(&step, claim), violation.map(FoundKind::Step)));
        };
        self.next.copy_from(&self.here.state);
        let violation = step.system.and_then(|m| self.machine.apply(&mut self.next, &m));
        if violation.is_none() {
            let arrived = fingerprint(&self.next, claim, self.reads_progress && step.system.is_none());
            if let Some(first) = visited.first(arrived) {
                if !self.would_close(first, &step) {
                    return None;
                }
                if self.recording {
                    self.path.push(step);
                }
                return Some(Chosen::Closed(first));
            }
            self.arrived = Some(arrived);
        }
        self.note_coverage(&step);
        std::mem::swap(&mut self.here.state, &mut self.next);
        Some(Chosen::Moved(self.arrive(&step, claim), violation.map(FoundKind::Step)))
    }

    /// The system stands still and the claim moves alone (Spin's stutter extension).
    fn stutter(&mut self, choice: &mut Choice<'_>) -> Chosen {
        if self.objective.claim.is_none() {
            return Chosen::Exhausted;
        }
        if let Err(found) = self.list_claim_steps(true) {
            return Chosen::Found(found);
        }
        self.moves.clear();
        self.pair(true);
        self.draw(choice)
    }

    fn max_score(guide: &G) -> u32 {
        guide.max()
    }

    fn scores_steps(guide: &G) -> bool {
        guide.scores() == Scores::Steps
    }

    fn take_coverage(&mut self) -> Coverage {
        std::mem::replace(&mut self.coverage, Coverage::new(self.machine.model()))
    }

    fn run_natively(
        &mut self,
        plan: &WalkPlan,
        (seed, index): (u64, u64),
        keep: Keep,
        known: &Coverage,
        stop: &dyn Fn() -> bool,
    ) -> Option<Walked> {
        let kernel = self.kernel.as_mut().filter(|_| !keep.path && is_plain(plan))?;
        let course = Course {
            seed,
            index,
            depth: plan.depth,
            chain: plan.chain,
            all_children: plan.selection == Selection::AllChildren,
            deadlock: self.objective.end_states,
            level: (!keep.blind).then_some(keep.level),
            memory: keep.memory,
        };
        let walk = kernel.run(&course, stop);
        let coverage = self.reported.as_ref().unwrap_or(known).with(kernel.executed());
        self.reported = coverage.clone().or(self.reported.take());
        Some(walked(walk, kernel.seen(), coverage, self.objective))
    }
}

/// The result of a kernel's unit, as a [`Walker`](super::super::Walker) would return it.
fn walked(walk: KernelWalk, seen: &[u64], coverage: Option<Coverage>, objective: &Objective) -> Walked {
    let (end, kind) = match walk.end {
        WalkEnd::Violation(violation) => (End::Violation, Some(FoundKind::Step(violation))),
        WalkEnd::Invariant => (End::Violation, Some(FoundKind::Invariant)),
        WalkEnd::Deadlock if objective.end_states => (End::Violation, Some(FoundKind::Deadlock)),
        WalkEnd::Deadlock | WalkEnd::Leaf => (End::Leaf, None),
        WalkEnd::Depth => (End::Depth, None),
        WalkEnd::Stopped => (End::Stopped, None),
        WalkEnd::Memory => (End::Memory, None),
    };
    let found = kind.map(|kind| Found::new(kind, Path::default()));
    let mut seen = seen.to_vec();
    seen.sort_unstable();
    seen.dedup();
    Walked {
        end,
        found,
        walks: walk.walks,
        steps: walk.steps,
        tries: walk.tries,
        depth: walk.length,
        best: None,
        seen,
        coverage,
        tries_by_step: Vec::new(),
    }
}
