//! Going on while one step suffices.
//!
//! A state in which a single step suffices, seen by nobody and cutting no cycle, need not be stored: whoever comes by
//! goes on to the next. So an edge of the reduced graph is a step and all that follow it by themselves, as Spin's
//! merged statements are, but over all processes. No such chain goes round, because every cycle is cut; the limit
//! only keeps one edge from taking long.
//!
//! Inside `atomic`, where nobody else may move, a single step is all there is. A search that only looks at states
//! outside may go on there as well, whoever sees the step; only the limit ends a chain that goes round there.

use lurcher_system::{Machine, Move, State, Violation};

use crate::outcome::Found;
use crate::space::Step;

use super::Reduction;

/// The most steps that follow by themselves.
pub(crate) const LONGEST: usize = 10_000;

impl Reduction {
    /// Follows single steps that suffice. Afterwards `moves` are those that suffice in the state where it ends, unless a
    /// step was a violation. `taken` is told of each step before it is taken.
    pub fn go_on<M: Machine>(
        &mut self,
        machine: &M,
        state: &mut State,
        moves: &mut Vec<Move>,
        mut taken: impl FnMut(&State, &Move),
    ) -> Option<Violation> {
        for _ in 0..LONGEST {
            let only = self.single(machine, state, moves)?;
            taken(state, &only);
            if let Some(violation) = machine.apply(state, &only) {
                return Some(violation);
            }
        }
        self.list(machine, state, moves);
        None
    }

    /// The step that follows by itself in a state, if one does; lists the moves that suffice there.
    pub fn single<M: Machine>(&mut self, machine: &M, state: &State, moves: &mut Vec<Move>) -> Option<Move> {
        self.list(machine, state, moves);
        let &[only] = moves.as_slice() else { return None };
        let held = self.through_atomic && state.exclusive == Some(only.process) && only.partner.is_none();
        (held || self.leaves_alone(state, &only)).then_some(only)
    }

    /// Goes on inside `atomic` as well, whoever sees the step.
    pub fn go_through_atomic(&mut self) {
        self.through_atomic = true;
    }

    /// Lists the moves that suffice in a state.
    pub fn list<M: Machine>(&mut self, machine: &M, state: &State, moves: &mut Vec<Move>) {
        machine.moves(state, moves);
        if state.exclusive.is_none() {
            self.keep_sufficient(state, moves);
        }
    }

    /// Writes out the steps that followed by themselves on the way to something that was found.
    pub fn write_out<M: Machine>(&mut self, machine: &M, found: &mut Found) {
        let Ok(mut state) = machine.initial() else { return };
        let mut moves = Vec::new();
        let mut path = Vec::new();
        let mut cycle_start = found.cycle_start;
        for (number, step) in found.path.iter().enumerate() {
            if found.cycle_start == Some(number) {
                cycle_start = Some(path.len());
            }
            path.push(*step);
            let Some(taken) = &step.system else { continue };
            let mut follow = |_: &State, m: &Move| path.push(Step { system: Some(*m), claim: None });
            let violation = machine.apply(&mut state, taken);
            if violation.or_else(|| self.go_on(machine, &mut state, &mut moves, &mut follow)).is_some() {
                break;
            }
        }
        (found.path, found.cycle_start) = (path, cycle_start);
    }
}
