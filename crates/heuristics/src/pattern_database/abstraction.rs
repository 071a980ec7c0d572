//! A model seen through a pattern: everything that the moves of abstract states need to know.
//!
//! Processes that are not kept are *ghosts*: whatever one of their actions does to something kept can happen at any
//! moment, whatever their locals. A ghost that exists from the start has a number, so that what it does to an array
//! element of its own is told apart; where that would make too many ghosts, the number is unknown.

use std::collections::{BTreeSet, HashSet};

use lurcher_ir::analysis::{Access, ChannelUse, ControlFlow, Owner, named_channels};
use lurcher_ir::{ActionKind, Expr, Model, ProcessTypeId, Scalar};
use lurcher_system::{Interpreter, State};

use super::facts::Facts;
use super::pattern::{Item, Pattern};
use super::value::Actor;
use crate::goals::{Target, can_fail};

/// More ghosts than this, and they lose their numbers.
const GHOSTS: usize = 256;

/// An action of a dropped process that matters to what is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ghost<'m> {
    pub actor: Actor,
    pub kind: &'m ActionKind,
}

/// Why a pattern cannot be explored as it is.
#[derive(Debug)]
pub(super) enum Obstacle {
    /// These would take too many values.
    Drop(Vec<Item>),
    /// A process of this type is created and not kept.
    Ghost(ProcessTypeId),
    /// There are too many abstract states.
    TooLarge,
}

/// A model seen through a pattern.
pub(super) struct Abstraction<'f, 'm> {
    pub model: &'m Model,
    pub pattern: Pattern,
    pub target: Target,
    pub ghosts: Vec<Ghost<'m>>,
    /// Types of processes that are created and not kept.
    pub created: BTreeSet<ProcessTypeId>,
    pub facts: &'f Facts,
    pub message_loss: bool,
    /// Every process is kept, so the number of the next one is known.
    pub exact: bool,
    initial: State,
    interpreter: Interpreter<'m>,
}

impl<'f, 'm> Abstraction<'f, 'm> {
    pub fn new(
        interpreter: &Interpreter<'m>,
        facts: &'f Facts,
        target: &Target,
        pattern: Pattern,
        created: BTreeSet<ProcessTypeId>,
        initial: State,
    ) -> Self {
        let model = interpreter.model();
        let contiguous = pattern.processes.iter().enumerate().all(|(i, p)| usize::from(p.0) == i);
        let exact = contiguous && pattern.processes.len() >= model.initial_processes.len();
        let mut abstraction = Abstraction {
            model,
            pattern,
            target: target.clone(),
            ghosts: Vec::new(),
            created,
            facts,
            message_loss: interpreter.limits().message_loss,
            exact,
            initial,
            interpreter: interpreter.clone(),
        };
        abstraction.find_ghosts();
        abstraction
    }

    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }

    pub fn initial_state(&self) -> &State {
        &self.initial
    }

    /// Types of the processes that are not kept.
    pub fn ghost_types(&self) -> impl Iterator<Item = ProcessTypeId> {
        let initial = self.model.initial_processes.iter().enumerate();
        let dropped = initial.filter(|(pid, _)| self.pattern.slot(*pid as u16).is_none()).map(|(_, p)| p.0);
        dropped.chain(self.created.iter().copied())
    }

    fn find_ghosts(&mut self) {
        let mut numbered = Vec::new();
        let mut shared = Vec::new();
        let mut seen = HashSet::new();
        let initial = self.model.initial_processes.iter().enumerate();
        let dropped = initial.filter(|(pid, _)| self.pattern.slot(*pid as u16).is_none());
        for (pid, ty) in dropped.map(|(pid, p)| (pid as u16, p.0)) {
            for (number, kind) in self.actions_of(ty, Some(pid)) {
                let reads_pid = mentions_pid(kind);
                if self.matters(kind, Some(pid)) && reads_pid {
                    numbered.push(Ghost { actor: ghost(ty, Some(pid)), kind });
                }
                if self.matters(kind, None) && seen.insert((ty, number)) {
                    shared.push((reads_pid, Ghost { actor: ghost(ty, None), kind }));
                }
            }
        }
        let lump = numbered.len() > GHOSTS;
        self.ghosts = if lump { Vec::new() } else { numbered };
        self.ghosts.extend(shared.into_iter().filter(|(reads_pid, _)| lump || !reads_pid).map(|(_, g)| g));
        for &ty in &self.created {
            for (_, kind) in self.actions_of(ty, None) {
                if self.matters(kind, None) {
                    self.ghosts.push(Ghost { actor: ghost(ty, None), kind });
                }
            }
        }
    }

    fn actions_of(&self, ty: ProcessTypeId, pid: Option<u16>) -> Vec<(u32, &'m ActionKind)> {
        let flow = ControlFlow::new(self.model.process_type(ty), pid);
        let depths = flow.depths();
        let reachable = flow.edges().iter().filter(|e| depths.of(e.from).is_some());
        let actions: BTreeSet<u32> = reachable.map(|e| e.action.0).collect();
        actions.into_iter().map(|a| (a, &flow.process_type().actions[a as usize].kind)).collect()
    }

    /// Does an action of a dropped process touch anything kept?
    fn matters(&self, kind: &ActionKind, pid: Option<u16>) -> bool {
        let access = Access::of_kind(kind, pid);
        let mut kept = false;
        for region in access.writes.iter().filter(|r| r.owner == Owner::Global) {
            region.offsets(&mut |o| kept |= self.pattern.global(o).is_some());
        }
        let messages = access.channels.iter().filter(|c| c.1 != ChannelUse::Look).any(|c| {
            match named_channels(&self.facts.channels, &self.facts.constant, c.0, pid) {
                None => true,
                Some(numbers) => numbers.iter().any(|&n| {
                    let capacity = self.model.channel_type(self.facts.channels[n as usize].0).capacity;
                    capacity == 0 || self.pattern.channel(n).is_some()
                }),
            }
        });
        let fails = matches!(self.target, Target::Assertion) && can_fail(kind);
        kept || messages || fails || !access.creates.is_empty()
    }

    /// The value of a global that nothing changes.
    pub fn constant_global(&self, offset: u32, scalar: Scalar) -> Option<i32> {
        let at = self.initial.globals_at(self.interpreter.layout()) + offset as usize;
        self.facts.constant.contains(&offset).then(|| self.initial.get(at, scalar))
    }

    /// The value of a local that nothing changes, in a process that exists from the start.
    pub fn constant_local(&self, pid: u16, ty: ProcessTypeId, offset: u32, scalar: Scalar) -> Option<i32> {
        let original = self.model.initial_processes.get(pid as usize).is_some_and(|p| p.0 == ty);
        if !original || self.facts.runs.contains(&ty) || self.facts.written.contains(&(ty, offset)) {
            return None;
        }
        let base = self.initial.locals_at(self.interpreter.layout(), lurcher_system::ProcessId(pid));
        Some(self.initial.get(base + offset as usize, scalar))
    }
}

fn ghost(ty: ProcessTypeId, pid: Option<u16>) -> Actor {
    Actor { slot: None, pid, ty: Some(ty), timeout: None, stutter: false }
}

fn mentions_pid(kind: &ActionKind) -> bool {
    let mut found = false;
    let mut look = |e: &Expr| found |= e.any(&|e| matches!(e, Expr::Pid));
    kind.exprs(&mut look);
    kind.places(&mut |p| p.walk(&mut look));
    found
}
