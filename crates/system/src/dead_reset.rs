//! Dead-variable reset.
//!
//! In the initial state and after every move, the dead values of the processes that moved or were created become 0, and so
//! do faint globals. States that differ only in such values become equal, and a search stores one of them.

use lurcher_ir::Expr;
use lurcher_ir::analysis::Dead;

use crate::fault::{Fault, Violation};
use crate::interpreter::{Interpreter, Move};
use crate::machine::Machine;
use crate::state::{ProcessId, State};

/// A machine that resets dead values.
#[derive(Clone, Copy, Debug)]
pub struct DeadVariableReset<'a, M> {
    machine: &'a M,
    /// None if there are no dead values.
    dead: Option<&'a Dead>,
}

impl<'a, M: Machine> DeadVariableReset<'a, M> {
    /// Wraps a machine.
    pub fn new(machine: &'a M, dead: &'a Dead) -> Self {
        DeadVariableReset { machine, dead: Some(dead).filter(|d| !d.is_empty()) }
    }

    fn reset(&self, dead: &Dead, state: &mut State, id: ProcessId) {
        // The process may have died.
        if id.0 >= state.process_count() {
            return;
        }
        let at = state.locals_at(self.layout(), id);
        for bytes in dead.at(state.process_type(id), state.location(id)) {
            state.clear(at + bytes.start as usize..at + bytes.end as usize);
        }
    }

    fn reset_globals(&self, dead: &Dead, state: &mut State) {
        let at = self.layout().globals_at();
        for bytes in dead.globals() {
            state.clear(at + bytes.start as usize..at + bytes.end as usize);
        }
    }
}

impl<M: Machine> Machine for DeadVariableReset<'_, M> {
    fn interpreter(&self) -> &Interpreter<'_> {
        self.machine.interpreter()
    }

    fn initial(&self) -> Result<State, Violation> {
        let mut state = self.machine.initial()?;
        if let Some(dead) = self.dead {
            (0..state.process_count()).for_each(|p| self.reset(dead, &mut state, ProcessId(p)));
            self.reset_globals(dead, &mut state);
        }
        Ok(state)
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        self.machine.moves(state, moves);
    }

    fn moves_of(&self, state: &State, id: ProcessId, moves: &mut Vec<Move>) {
        self.machine.moves_of(state, id, moves);
    }

    fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        self.machine.moves_by_branch(state, id, branch, timeout, moves);
    }

    fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        let before = state.process_count();
        let violation = self.machine.apply(state, step);
        let continues = violation.as_ref().is_none_or(|v| !v.is_fatal());
        if let Some(dead) = self.dead.filter(|_| continues) {
            self.reset(dead, state, step.process);
            if let Some((partner, _)) = step.partner {
                self.reset(dead, state, partner);
            }
            (before..state.process_count()).for_each(|created| self.reset(dead, state, ProcessId(created)));
            self.reset_globals(dead, state);
        }
        violation
    }

    fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        self.machine.holds(state, expr)
    }

    fn watch(&self, expr: &Expr) -> Option<u32> {
        self.machine.watch(expr)
    }

    fn watched(&self, state: &State, number: u32) -> Result<bool, Fault> {
        self.machine.watched(state, number)
    }

    fn is_valid_end(&self, state: &State) -> bool {
        self.machine.is_valid_end(state)
    }
}
