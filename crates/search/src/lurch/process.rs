//! The processes of a model as LURCH's machines: one of them moves in each step.

use lurcher_ir::{Expr, LocationId};
use lurcher_system::{Interpreter, Move, ProcessId, State};

use crate::outcome::FoundKind;
use crate::space::Step;
use crate::walk::{Draws, fingerprint};

use super::{Machines, Moved};

/// The processes of a model. Claims are not watched.
#[derive(Debug)]
pub struct ProcessMachines<'m, 'a> {
    interpreter: &'a Interpreter<'m>,
    initial: State,
    invariants: Vec<Expr>,
    end_states: bool,
    state: State,
    moves: Vec<Move>,
    processes: Vec<ProcessId>,
    branches: Vec<u16>,
    recording: bool,
    path: Vec<Step>,
}

impl<'m, 'a> ProcessMachines<'m, 'a> {
    /// The processes of a model from its initial state on. Invariants are reported under their positions.
    pub fn new(interpreter: &'a Interpreter<'m>, initial: State, invariants: Vec<Expr>, end_states: bool) -> Self {
        ProcessMachines {
            interpreter,
            state: initial.clone(),
            initial,
            invariants,
            end_states,
            moves: Vec::new(),
            processes: Vec::new(),
            branches: Vec::new(),
            recording: false,
            path: Vec::new(),
        }
    }

    /// Draws a process and one of its branches until one is possible, then one of the moves it offers.
    fn draw(&mut self, draws: &mut Draws) -> Option<Move> {
        for timeout in [false, true] {
            self.processes.clear();
            match self.state.exclusive {
                Some(holder) => self.processes.push(holder),
                None => self.processes.extend((0..self.state.process_count()).map(ProcessId)),
            }
            while let Some(process) = draws.take(&mut self.processes) {
                if !self.interpreter.may_run(&self.state, process, timeout) {
                    continue;
                }
                self.branches.clear();
                self.branches.extend(0..self.interpreter.branch_count(&self.state, process));
                while let Some(branch) = draws.take(&mut self.branches) {
                    self.interpreter.moves_by_branch(&self.state, process, branch, timeout, &mut self.moves);
                    if !self.moves.is_empty() {
                        let at = draws.below(self.moves.len() as u32) as usize;
                        return Some(self.moves[at]);
                    }
                }
            }
        }
        None
    }
}

impl Machines for ProcessMachines<'_, '_> {
    type Run = Vec<Step>;

    /// Assertions and faults are known when they are met.
    fn watched(&self) -> Option<usize> {
        None
    }

    fn start(&mut self, _: &mut Draws, record: bool) -> bool {
        self.recording = record;
        self.path.clear();
        self.state.copy_from(&self.initial);
        true
    }

    fn look(&mut self, violated: &mut Vec<FoundKind>) {
        if self.state.exclusive.is_some() {
            return;
        }
        for (index, invariant) in self.invariants.iter().enumerate() {
            if !self.interpreter.holds(&self.state, invariant).unwrap_or(false) {
                violated.push(FoundKind::Watched(index as u32));
            }
        }
    }

    fn fingerprint(&mut self) -> u64 {
        fingerprint(&self.state, LocationId(0), false)
    }

    fn step(&mut self, draws: &mut Draws, violated: &mut Vec<FoundKind>) -> Moved {
        let Some(taken) = self.draw(draws) else {
            let stuck = self.state.process_count() > 0 && !self.interpreter.is_valid_end(&self.state);
            violated.extend((self.end_states && stuck).then_some(FoundKind::Deadlock));
            return Moved::End;
        };
        if self.recording {
            self.path.push(Step { system: Some(taken), claim: None });
        }
        match self.interpreter.apply(&mut self.state, &taken) {
            None => Moved::On,
            Some(violation) => {
                let fatal = violation.is_fatal();
                violated.push(FoundKind::Step(violation));
                if fatal { Moved::End } else { Moved::On }
            }
        }
    }

    fn closes(&mut self, _: u32) -> bool {
        false
    }

    fn run(&mut self, _: Option<u32>) -> Vec<Step> {
        std::mem::take(&mut self.path)
    }
}
