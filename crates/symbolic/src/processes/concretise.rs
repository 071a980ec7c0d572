//! Mapping a run of the relation to moves of the processes.
//!
//! A transition of the relation is one move of a process. Each step tries the enabled moves and takes the one that leads
//! to the next valuation; a system without enabled moves stutters.

use lurcher_system::{Interpreter, Move, Path, Violation};

use super::Translation;

impl Translation {
    /// The moves of the processes along a run of the relation, and the violation of the last move; `None` if they cannot
    /// follow it. The moves end at the first violation. With `violates`, one more move that violates something is appended.
    pub fn concretise(
        &self,
        interpreter: &Interpreter<'_>,
        run: &Path<Vec<i64>>,
        violates: bool,
    ) -> Option<(Path<Move>, Option<Violation>)> {
        let layout = interpreter.layout();
        let mut state = interpreter.initial().ok()?;
        let mut path = Path::default();
        let mut enabled = Vec::new();
        let home = run.cycle_start.map(|start| &run.steps[start]);
        for (number, valuation) in run.steps.iter().skip(1).chain(home).enumerate() {
            if run.cycle_start == Some(number) {
                path.cycle_start = Some(path.steps.len());
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
            path.steps.push(taken);
            if violation.is_some() {
                return Some((Path::finite(path.steps), violation));
            }
            state = next;
        }
        if violates {
            interpreter.moves(&state, &mut enabled);
            let violating = |taken: &Move| Some((*taken, interpreter.apply(&mut state.clone(), taken)?));
            let (taken, violation) = enabled.iter().find_map(violating)?;
            path.steps.push(taken);
            return Some((path, Some(violation)));
        }
        Some((path, None))
    }
}
