//! Runs of the relation as runs of the processes.
//!
//! A transition is one move of a process, so a run of the relation names the states that the processes go through. The
//! moves are found by trying: of those that are possible, the one that leads to the next state. Where none is, the
//! system has stopped and stays.

use lurcher_system::{Interpreter, Move};

use super::{ProcessRun, StateMap};
use crate::trace::Trace;

impl StateMap {
    /// What the processes do along a run; nothing when they cannot follow.
    pub(super) fn follow(&self, interpreter: &Interpreter<'_>, trace: &Trace, wrong: bool) -> Option<ProcessRun> {
        let layout = interpreter.layout();
        let mut state = interpreter.initial().ok()?;
        let mut run = ProcessRun { moves: Vec::new(), cycle_start: None, violation: None };
        let mut possible = Vec::new();
        let home = trace.cycle_start.map(|start| &trace.states[start]);
        for (number, valuation) in trace.states.iter().skip(1).chain(home).enumerate() {
            if trace.cycle_start == Some(number) {
                run.cycle_start = Some(run.moves.len());
            }
            interpreter.moves(&state, &mut possible);
            if possible.is_empty() && self.describes(layout, valuation, &state) {
                continue;
            }
            let (taken, violation, next) = possible.iter().find_map(|taken| {
                let mut next = state.clone();
                let violation = interpreter.apply(&mut next, taken);
                self.describes(layout, valuation, &next).then_some((*taken, violation, next))
            })?;
            run.moves.push(taken);
            if violation.is_some() {
                return Some(ProcessRun { violation, cycle_start: None, ..run });
            }
            state = next;
        }
        if wrong {
            interpreter.moves(&state, &mut possible);
            let wrong = |taken: &Move| Some((*taken, interpreter.apply(&mut state.clone(), taken)?));
            let (taken, violation) = possible.iter().find_map(wrong)?;
            run.moves.push(taken);
            run.violation = Some(violation);
        }
        Some(run)
    }
}
