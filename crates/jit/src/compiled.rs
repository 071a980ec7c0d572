//! A compiled model: the questions of [`Machine`], answered by native code.

use std::sync::Arc;

use lurcher_ir::{Expr, Model, ProcessRole, ProcessTypeId};
use lurcher_system::{Fault, Interpreter, Limits, Machine, Move, ProcessId, State, Violation};

use crate::boundary::{Entry, Origin, Session, pack, unpack};
use crate::budget::{Budget, NotCompiled};
use crate::build::{Code, Function, Unit};
use crate::facts::Facts;

/// A model as native code. It agrees with the [`Interpreter`] in everything: moves and their order, successors to the
/// byte, violations.
///
/// States must be those of this model: reachable from its initial state.
pub struct Compiled<'m> {
    origin: Origin<'m>,
    /// By process type.
    list: Vec<Option<Entry>>,
    apply: Vec<Option<Entry>>,
    hand_over: Option<Entry>,
    watched: Arc<[Expr]>,
    holds: Vec<Entry>,
    /// Some process type claims to be deterministic: the interpreter watches it.
    deterministic: bool,
    code: Code,
}

/// What was compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Functions.
    pub functions: usize,
    /// Instructions of Cranelift's intermediate form.
    pub instructions: usize,
    /// How long it took.
    pub time: std::time::Duration,
}

impl Size {
    pub(crate) fn of(code: &Code) -> Size {
        Size { functions: code.functions(), instructions: code.instructions, time: code.time }
    }
}

impl<'m> Compiled<'m> {
    /// Compiles a model, with the expressions of its properties.
    pub fn new(model: &'m Model, limits: Limits) -> Result<Self, NotCompiled> {
        let watched = model.properties.iter().flat_map(|property| property.kind.exprs()).collect();
        Compiled::watching(model, limits, watched, Budget::default())
    }

    /// Compiles a model and expressions that will be asked for in its states.
    pub fn watching(model: &'m Model, limits: Limits, watched: Vec<Expr>, budget: Budget) -> Result<Self, NotCompiled> {
        let interpreter = Interpreter::new(model, limits);
        let (mut unit, watched) = unit(&interpreter, watched, budget)?;
        let types: Vec<Option<ProcessTypeId>> = model
            .process_types
            .iter()
            .enumerate()
            .map(|(i, p)| (p.role == ProcessRole::System).then_some(ProcessTypeId(i as u16)))
            .collect();
        for ty in types.iter().copied().flatten() {
            unit.want(Function::List(ty));
            unit.want(Function::Apply(ty));
        }
        if model.channel_types.iter().any(|c| c.capacity == 0) {
            unit.want(Function::HandOver);
        }
        for i in 0..watched.len() {
            unit.want(Function::Holds(i as u32));
        }
        let mut code = unit.compile()?;
        let of = |f: fn(ProcessTypeId) -> Function| types.iter().map(|ty| code.entry(f((*ty)?))).collect();
        Ok(Compiled {
            list: of(Function::List),
            apply: of(Function::Apply),
            hand_over: code.entry(Function::HandOver),
            holds: (0..watched.len()).filter_map(|i| code.entry(Function::Holds(i as u32))).collect(),
            watched,
            deterministic: model.process_types.iter().any(|p| p.deterministic),
            origin: origin(interpreter, &mut code),
            code,
        })
    }

    /// What was compiled.
    pub fn size(&self) -> Size {
        Size::of(&self.code)
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

/// A unit that code of a model can be compiled in.
pub(crate) fn unit<'m>(
    interpreter: &Interpreter<'m>,
    watched: Vec<Expr>,
    budget: Budget,
) -> Result<(Unit<'m>, Arc<[Expr]>), NotCompiled> {
    if let Some(error) = lurcher_ir::check::check(interpreter.model()).into_iter().next() {
        return Err(NotCompiled::Malformed(error));
    }
    let mut unit = Unit::new(Facts::new(interpreter), budget)?;
    let watched: Arc<[Expr]> = watched.into();
    unit.watched = watched.clone();
    Ok((unit, watched))
}

/// What code was made from.
pub(crate) fn origin<'m>(interpreter: Interpreter<'m>, code: &mut Code) -> Origin<'m> {
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

impl Machine for Compiled<'_> {
    fn interpreter(&self) -> &Interpreter<'_> {
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
            Some(_) => (self.hand_over, pack(step)),
            None => (self.apply[ty.0 as usize], u64::from(step.branch)),
        };
        let mut session = Session::writing(&self.origin, state);
        session.call(entry.expect("a process that runs"), u32::from(step.process.0), step.timeout, rest);
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
