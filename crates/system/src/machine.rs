//! The interface of every execution of a process model.

use lurcher_ir::{ActionKind, Expr, Model, Place};
use lurcher_syntax::Span;

use crate::eval::Context;
use crate::fault::{Fault, Violation};
use crate::interpreter::{Interpreter, Move};
use crate::state::{Layout, ProcessId, State};

/// A way of running a process model. The [`Interpreter`] is the oracle: every machine gives the same moves in the same
/// order, the same successors and the same violations.
///
/// A machine is a layer over another: what it does not implement, its base does. The interpreter is its own base and
/// implements everything.
pub trait Machine {
    /// The machine below this one.
    type Base: Machine;

    /// The machine below this one.
    fn base(&self) -> &Self::Base;

    /// The interpreter of the model.
    fn interpreter(&self) -> &Interpreter<'_> {
        self.base().interpreter()
    }

    /// The model.
    fn model(&self) -> &Model {
        self.interpreter().model()
    }

    /// The layout of its states.
    fn layout(&self) -> &Layout {
        self.interpreter().layout()
    }

    /// The initial state.
    fn initial(&self) -> Result<State, Violation> {
        self.base().initial()
    }

    /// Collects the enabled moves.
    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        self.base().moves(state, moves);
    }

    /// Collects the enabled moves of one process, except timeouts, in a state where no other has exclusive control.
    fn moves_of(&self, state: &State, id: ProcessId, moves: &mut Vec<Move>) {
        self.base().moves_of(state, id, moves);
    }

    /// Collects the enabled moves by one branch of a process that may run.
    fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        self.base().moves_by_branch(state, id, branch, timeout, moves);
    }

    /// Executes a move. After a fatal violation the state is undefined.
    fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        self.base().apply(state, step)
    }

    /// The truth of an expression of a property.
    fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        self.base().holds(state, expr)
    }

    /// The number of an expression that the machine was compiled for.
    fn watch(&self, expr: &Expr) -> Option<u32> {
        self.base().watch(expr)
    }

    /// The truth of the expression of a number from [`Machine::watch`].
    ///
    /// # Panics
    /// If there is no such number.
    fn watched(&self, state: &State, number: u32) -> Result<bool, Fault> {
        self.base().watched(state, number)
    }

    /// Whether every process is at a valid end.
    fn is_valid_end(&self, state: &State) -> bool {
        self.interpreter().is_valid_end(state)
    }
}

impl Machine for Interpreter<'_> {
    type Base = Self;

    fn base(&self) -> &Self {
        self
    }

    fn interpreter(&self) -> &Interpreter<'_> {
        self
    }

    fn initial(&self) -> Result<State, Violation> {
        self.initial()
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        self.moves(state, moves);
    }

    fn moves_of(&self, state: &State, id: ProcessId, moves: &mut Vec<Move>) {
        self.moves_of(state, id, moves);
    }

    fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        self.moves_by_branch(state, id, branch, timeout, moves);
    }

    fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        self.apply(state, step)
    }

    fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        self.holds(state, expr)
    }

    fn watch(&self, _: &Expr) -> Option<u32> {
        None
    }

    fn watched(&self, _: &State, number: u32) -> Result<bool, Fault> {
        panic!("no expression is known under the number {number}")
    }
}

impl<M: Machine> Machine for &M {
    type Base = M;

    fn base(&self) -> &M {
        self
    }
}

/// Parts of statements, for machines that leave rare cases to the interpreter.
impl Interpreter<'_> {
    /// The value of an expression, evaluated by a process or by a property.
    pub fn value(&self, state: &State, id: Option<ProcessId>, timeout: bool, expr: &Expr) -> Result<i32, Fault> {
        self.eval(state, Context { process: id, timeout, ..Context::default() }, expr)
    }

    /// The offset of a place in the bytes of a state, for a process; none if an index is out of bounds.
    pub fn place(&self, state: &State, id: ProcessId, place: &Place) -> Option<usize> {
        self.address(state, Context::of(id, false), place).ok().flatten()
    }

    /// Executes an enabled statement; the process stays at its location.
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

    /// Collects the moves by a branch if no branch before it is enabled.
    pub fn offers(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        moves.clear();
        let (_, action) = self.branch(state, id, branch);
        self.add_moves(state, Context::of(id, timeout), id, branch, &action.kind, false, moves);
    }

    /// Whether a receiver of a rendezvous may observe the intermediate state.
    pub fn sees_half_rendezvous(&self) -> bool {
        self.observable_sends
    }
}
