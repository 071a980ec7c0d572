//! A compiled model as a [`Machine`].

use std::sync::Arc;

use lurcher_ir::{Expr, Model, ProcessRole, ProcessTypeId};
use lurcher_system::{Fault, Interpreter, Limits, Machine, Move, ProcessId, State, Violation};

use crate::boundary::{Entry, Origin, Session, pack, unpack};
use crate::budget::{Budget, NotCompiled};
use crate::build::{Function, Unit, UnitCode};
use crate::compiler::Size;
use crate::facts::Facts;

/// A model as native code. It agrees with the [`Interpreter`] on moves and their order, successors and violations.
///
/// States must be reachable states of this model.
pub struct Compiled<'m> {
    origin: Origin<'m>,
    /// By process type.
    list: Vec<Option<Entry>>,
    apply: Vec<Option<Entry>>,
    rendezvous: Option<Entry>,
    watched: Arc<[Expr]>,
    holds: Vec<Entry>,
    /// Whether some process type is declared deterministic; the interpreter executes its steps.
    deterministic: bool,
    code: UnitCode,
}

impl<'m> Compiled<'m> {
    /// Compiles a model and the expressions of its properties.
    pub fn new(model: &'m Model, limits: Limits) -> Result<Self, NotCompiled> {
        let watched = model.properties.iter().flat_map(|property| property.kind.exprs()).collect();
        Compiled::watching(model, limits, watched, Budget::default())
    }

    /// Compiles a model and expressions to evaluate in its states.
    pub fn watching(model: &'m Model, limits: Limits, watched: Vec<Expr>, budget: Budget) -> Result<Self, NotCompiled> {
        let interpreter = Interpreter::new(model, limits);
        let (mut unit, watched) = unit(&interpreter, watched, budget)?;
        let types = model.process_types.iter().zip(0..);
        let types: Vec<Option<ProcessTypeId>> =
            types.map(|(p, i)| (p.role == ProcessRole::System).then_some(ProcessTypeId(i))).collect();
        for ty in types.iter().copied().flatten() {
            unit.want(Function::ListMoves(ty));
            unit.want(Function::Apply(ty));
        }
        if model.has_rendezvous() {
            unit.want(Function::Rendezvous);
        }
        for i in 0..watched.len() {
            unit.want(Function::Holds(i as u32));
        }
        let mut code = unit.compile()?;
        let of = |f: fn(ProcessTypeId) -> Function| types.iter().map(|ty| code.entry(f((*ty)?))).collect();
        Ok(Compiled {
            list: of(Function::ListMoves),
            apply: of(Function::Apply),
            rendezvous: code.entry(Function::Rendezvous),
            holds: (0..watched.len()).filter_map(|i| code.entry(Function::Holds(i as u32))).collect(),
            watched,
            deterministic: model.process_types.iter().any(|p| p.deterministic),
            origin: origin(interpreter, &mut code),
            code,
        })
    }

    /// The amount of compiled code.
    pub fn size(&self) -> Size {
        self.code.code.size
    }

    fn list(&self, session: &mut Session<'_, '_>, state: &State, process: u16, timeout: bool) {
        let ty = state.process_type(ProcessId(process));
        if let Some(list) = self.list[ty.0 as usize] {
            session.call(list, u32::from(process), timeout, 0);
        }
    }

    fn is_deterministic(&self, state: &State, step: &Move) -> bool {
        let of = |id| self.model().process_type(state.process_type(id)).deterministic;
        self.deterministic && (of(step.process) || step.partner.is_some_and(|(p, _)| of(p)))
    }
}

/// A new unit for a model.
pub(crate) fn unit<'m>(
    interpreter: &Interpreter<'m>,
    watched: Vec<Expr>,
    budget: Budget,
) -> Result<(Unit<'m>, Arc<[Expr]>), NotCompiled> {
    if let Some(error) = lurcher_ir::check::check(interpreter.model()).into_iter().next() {
        return Err(NotCompiled::Malformed(error));
    }
    let watched: Arc<[Expr]> = watched.into();
    Ok((Unit::new(Facts::new(interpreter), budget, watched.clone())?, watched))
}

/// The data of the host for a compiled unit.
pub(crate) fn origin<'m>(interpreter: Interpreter<'m>, code: &mut UnitCode) -> Origin<'m> {
    let model = interpreter.model();
    let passed = model.process_types.iter().map(|p| p.params.len());
    let sent = model.channel_types.iter().map(|c| c.fields.len());
    Origin {
        spans: std::mem::take(&mut code.spans),
        values: passed.chain(sent).max().unwrap_or(0),
        first_action: crate::facts::first_actions(model),
        type_bits: crate::facts::type_bits(model),
        interpreter,
    }
}

impl<'m> Machine for Compiled<'m> {
    type Base = Interpreter<'m>;

    fn base(&self) -> &Interpreter<'m> {
        &self.origin.interpreter
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        moves.clear();
        let mut session = Session::reading(&self.origin, state);
        let mut timeout = false;
        if let Some(holder) = state.exclusive {
            self.list(&mut session, state, holder.0, false);
        }
        for now in [false, true] {
            if session.found_moves().is_empty() {
                timeout = now;
                for process in (0..state.process_count()).rev() {
                    self.list(&mut session, state, process, now);
                }
            }
        }
        moves.extend(session.found_moves().iter().map(|packed| unpack(*packed, timeout)));
    }

    fn moves_of(&self, state: &State, id: ProcessId, moves: &mut Vec<Move>) {
        moves.clear();
        let mut session = Session::reading(&self.origin, state);
        self.list(&mut session, state, id.0, false);
        moves.extend(session.found_moves().iter().map(|packed| unpack(*packed, false)));
    }

    fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        moves.clear();
        let mut session = Session::reading(&self.origin, state);
        self.list(&mut session, state, id.0, timeout);
        let of_branch = |packed: &&u64| *packed >> 16 & 0xffff == u64::from(branch);
        moves.extend(session.found_moves().iter().filter(of_branch).map(|packed| unpack(*packed, timeout)));
    }

    fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        if self.is_deterministic(state, step) {
            return self.origin.interpreter.apply(state, step);
        }
        let ty = state.process_type(step.process);
        if let Some((partner, _)) = step.partner {
            assert!(partner.0 < state.process_count(), "a move of a process that does not exist");
        }
        let (entry, rest) = match step.partner {
            Some(_) => (self.rendezvous, pack(step)),
            None => (self.apply[ty.0 as usize], u64::from(step.branch)),
        };
        let mut session = Session::writing(&self.origin, state);
        session.call(entry.expect("a running process"), u32::from(step.process.0), step.timeout, rest);
        session.violation()
    }

    fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        match self.watch(expr) {
            Some(number) => self.watched(state, number),
            None => self.origin.interpreter.holds(state, expr),
        }
    }

    fn watch(&self, expr: &Expr) -> Option<u32> {
        self.watched.iter().position(|e| e == expr).map(|number| number as u32)
    }

    fn watched(&self, state: &State, number: u32) -> Result<bool, Fault> {
        let mut session = Session::reading(&self.origin, state);
        let holds = session.call(self.holds[number as usize], 0, false, 0) != 0;
        session.expression_fault().map_or(Ok(holds), Err)
    }
}
