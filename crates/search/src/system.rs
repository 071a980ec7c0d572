//! The states of a model as a space.
//!
//! A node is the bytes of a state and two more: which process holds exclusive control, plus one. Nodes with a holder
//! lie between two stored states; keeping them in the store as well is what makes loops inside `atomic` end.

use lurcher_exec::{Interpreter, ProcessId, State, Violation};
use lurcher_ir::Expr;

use crate::coverage::Coverage;
use crate::reduction::Reduction;
use crate::space::{NodeInfo, Space, Step};

/// The states of a model.
#[derive(Debug)]
pub struct System<'m> {
    interpreter: Interpreter<'m>,
    state: State,
    moves: Vec<lurcher_exec::Move>,
    /// Holds in every state, or the state is a violation.
    invariants: Vec<Expr>,
    /// Look for invalid end states.
    end_states: bool,
    /// Chooses steps that suffice; none lists all.
    reduction: Option<Reduction>,
    /// What was executed.
    pub coverage: Coverage,
}

impl<'m> System<'m> {
    /// The states of a model; with `end_states`, a state where nothing can move must be a valid end state.
    pub fn new(interpreter: Interpreter<'m>, invariants: Vec<Expr>, end_states: bool) -> Self {
        let state = State::empty(interpreter.layout());
        let coverage = Coverage::new(interpreter.model());
        System { interpreter, state, moves: Vec::new(), invariants, end_states, reduction: None, coverage }
    }

    /// Lists only steps that suffice.
    pub fn reduced(self, reduction: Option<Reduction>) -> Self {
        System { reduction, ..self }
    }
}

/// Appends who holds exclusive control.
pub(crate) fn push_holder(node: &mut Vec<u8>, state: &State) {
    node.extend_from_slice(&state.exclusive.map_or(0, |p| p.0 + 1).to_le_bytes());
}

/// Splits a node into the state's bytes and the holder of exclusive control.
pub(crate) fn split_holder(node: &[u8]) -> (&[u8], Option<ProcessId>) {
    let (bytes, holder) = node.split_at(node.len() - 2);
    let holder = u16::from_le_bytes([holder[0], holder[1]]);
    (bytes, holder.checked_sub(1).map(ProcessId))
}

impl Space for System<'_> {
    type Step = Step;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        self.state = self.interpreter.initial()?;
        node.clear();
        node.extend_from_slice(self.state.bytes());
        push_holder(node, &self.state);
        Ok(())
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<Step>) -> NodeInfo {
        let (bytes, holder) = split_holder(node);
        self.state.load(self.interpreter.layout(), bytes, holder);
        self.interpreter.moves(&self.state, &mut self.moves);
        let stuck = self.moves.is_empty() && self.state.process_count() > 0;
        if let Some(reduction) = self.reduction.as_mut().filter(|_| holder.is_none()) {
            reduction.keep_sufficient(&self.state, &mut self.moves);
        }
        steps.clear();
        steps.extend(self.moves.iter().map(|&m| Step { system: Some(m), claim: None }));
        let mut info = NodeInfo::default();
        if holder.is_none() {
            info.deadlock = self.end_states && stuck && !self.interpreter.is_valid_end(&self.state);
            for invariant in &self.invariants {
                info.invariant_broken |= !self.interpreter.holds(&self.state, invariant).unwrap_or(false);
            }
        }
        info
    }

    fn take(&mut self, node: &[u8], step: &Step, next: &mut Vec<u8>) -> Option<Violation> {
        let (bytes, holder) = split_holder(node);
        self.state.load(self.interpreter.layout(), bytes, holder);
        let taken = step.system.expect("a system always moves");
        self.coverage.note(&self.interpreter, &self.state, &taken);
        let violation = self.interpreter.apply(&mut self.state, &taken);
        next.clear();
        next.extend_from_slice(self.state.bytes());
        push_holder(next, &self.state);
        violation
    }

    fn counts(&self, node: &[u8]) -> bool {
        split_holder(node).1.is_none()
    }

    fn is_accepting(&mut self, _: &[u8]) -> bool {
        false
    }
}
