//! Mapping a run of the relation to moves of the processes.
//!
//! A transition of the relation is one move of a process. Each step tries the enabled moves and takes the one that leads
//! to the next valuation; a system without enabled moves stutters.

use lurcher_system::{Interpreter, Move};

use super::{ProcessRun, Translation};
use crate::trace::Trace;

impl Translation {
    /// The moves of the processes along a run of the relation; `None` if they cannot follow it. With `violates`, one more
    /// move that violates something is appended.
    pub fn concretise(&self, interpreter: &Interpreter<'_>, trace: &Trace, violates: bool) -> Option<ProcessRun> {
        let layout = interpreter.layout();
        let mut state = interpreter.initial().ok()?;
        let mut run = ProcessRun { moves: Vec::new(), cycle_start: None, violation: None };
        let mut enabled = Vec::new();
        let home = trace.cycle_start.map(|start| &trace.states[start]);
        for (number, valuation) in trace.states.iter().skip(1).chain(home).enumerate() {
            if trace.cycle_start == Some(number) {
                run.cycle_start = Some(run.moves.len());
            }
            interpreter.moves(&state, &mut enabled);
            if enabled.is_empty() && self.map.matches(layout, valuation, &state) {
                continue;
            }
            let (taken, violation, next) = enabled.iter().find_map(|taken| {
                let mut next = state.clone();
                let violation = interpreter.apply(&mut next, taken);
                self.map.matches(layout, valuation, &next).then_some((*taken, violation, next))
            })?;
            run.moves.push(taken);
            if violation.is_some() {
                return Some(ProcessRun { violation, cycle_start: None, ..run });
            }
            state = next;
        }
        if violates {
            interpreter.moves(&state, &mut enabled);
            let violating = |taken: &Move| Some((*taken, interpreter.apply(&mut state.clone(), taken)?));
            let (taken, violation) = enabled.iter().find_map(violating)?;
            run.moves.push(taken);
            run.violation = Some(violation);
        }
        Some(run)
    }
}
