//! Dead-variable reset.
//!
//! In the initial state and after every move, the dead values of the processes that moved or were created become 0, and so
//! do faint globals. States that differ only in such values become equal, and a search stores one of them.

use lurcher_ir::analysis::Dead;

use crate::fault::Violation;
use crate::interpreter::Move;
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
    type Base = M;

    fn base(&self) -> &M {
        self.machine
    }

    fn initial(&self) -> Result<State, Violation> {
        let mut state = self.machine.initial()?;
        if let Some(dead) = self.dead {
            (0..state.process_count()).for_each(|p| self.reset(dead, &mut state, ProcessId(p)));
            self.reset_globals(dead, &mut state);
        }
        Ok(state)
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
}
