//! The questions that every way of running a model answers.

use lurcher_ir::{ActionKind, Expr, Model, Place};
use lurcher_syntax::Span;

use crate::eval::Context;
use crate::fault::{Fault, Violation};
use crate::interpreter::{Interpreter, Move};
use crate::state::{Layout, ProcessId, State};

/// A way of running a model. The [`Interpreter`] is one, and the oracle of the others: from the same state all of them
/// give the same moves in the same order, the same successors and the same violations.
pub trait Machine {
    /// The interpreter of the same model, for questions that a machine has no answer of its own to.
    fn interpreter(&self) -> &Interpreter<'_>;

    /// The model.
    fn model(&self) -> &Model {
        self.interpreter().model()
    }

    /// Where things are in its states.
    fn layout(&self) -> &Layout {
        self.interpreter().layout()
    }

    /// The state in which every run starts.
    fn initial(&self) -> Result<State, Violation> {
        self.interpreter().initial()
    }

    /// Collects what can happen next.
    fn moves(&self, state: &State, moves: &mut Vec<Move>);

    /// Collects what one process can do next without a timeout, in a state where no other holds exclusive control.
    fn moves_of(&self, state: &State, id: ProcessId, moves: &mut Vec<Move>) {
        self.interpreter().moves_of(state, id, moves);
    }

    /// Collects the moves that one branch of a process offers. The process must be one that may run.
    fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        self.interpreter().moves_by_branch(state, id, branch, timeout, moves);
    }

    /// Takes a move. After a fatal violation the state is not to be used.
    fn apply(&self, state: &mut State, step: &Move) -> Option<Violation>;

    /// The value of a property's expression in a state.
    fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault>;

    /// The number under which a machine knows an expression that it was made ready for.
    fn watch(&self, expr: &Expr) -> Option<u32> {
        let _ = expr;
        None
    }

    /// The value of the expression of a number that [`Machine::watch`] gave.
    ///
    /// # Panics
    /// When it gave no such number.
    fn watched(&self, state: &State, number: u32) -> Result<bool, Fault> {
        let _ = state;
        panic!("no expression is known under the number {number}")
    }

    /// May every process rest where it stands for ever?
    fn is_valid_end(&self, state: &State) -> bool {
        self.interpreter().is_valid_end(state)
    }
}

impl Machine for Interpreter<'_> {
    fn interpreter(&self) -> &Interpreter<'_> {
        self
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        self.moves(state, moves);
    }

    fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        self.apply(state, step)
    }

    fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        self.holds(state, expr)
    }
}

impl<M: Machine> Machine for &M {
    fn interpreter(&self) -> &Interpreter<'_> {
        (**self).interpreter()
    }

    fn initial(&self) -> Result<State, Violation> {
        (**self).initial()
    }

    fn is_valid_end(&self, state: &State) -> bool {
        (**self).is_valid_end(state)
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        (**self).moves(state, moves);
    }

    fn moves_of(&self, state: &State, id: ProcessId, moves: &mut Vec<Move>) {
        (**self).moves_of(state, id, moves);
    }

    fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        (**self).moves_by_branch(state, id, branch, timeout, moves);
    }

    fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        (**self).apply(state, step)
    }

    fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        (**self).holds(state, expr)
    }

    fn watch(&self, expr: &Expr) -> Option<u32> {
        (**self).watch(expr)
    }

    fn watched(&self, state: &State, number: u32) -> Result<bool, Fault> {
        (**self).watched(state, number)
    }
}

/// Single parts of statements, for machines that hand what is rare back to the interpreter.
impl Interpreter<'_> {
    /// The value of an expression; without a process, as a property evaluates it.
    pub fn value(&self, state: &State, id: Option<ProcessId>, timeout: bool, expr: &Expr) -> Result<i32, Fault> {
        self.eval(state, Context { process: id, timeout, ..Context::default() }, expr)
    }

    /// Where a place is in the bytes of a state, for a process; none when an index is out of bounds.
    pub fn place(&self, state: &State, id: ProcessId, place: &Place) -> Option<usize> {
        self.address(state, Context::of(id, false), place).ok().flatten()
    }

    /// Executes a statement that is possible; the process stays at its location.
    pub fn perform(
        &self,
        state: &mut State,
        id: ProcessId,
        timeout: bool,
        kind: &ActionKind,
        span: Span,
    ) -> Option<Violation> {
        self.execute(state, Context::of(id, timeout), kind, span)
    }

    /// Collects the moves that a branch offers when nothing before it is possible.
    pub fn offers(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        moves.clear();
        let (_, action) = self.branch(state, id, branch);
        self.offer(state, Context::of(id, timeout), id, branch, &action.kind, false, moves);
    }

    /// Can who is asked to receive a rendezvous tell that the message is under way?
    pub fn sees_half_rendezvous(&self) -> bool {
        self.halves_seen
    }
}
