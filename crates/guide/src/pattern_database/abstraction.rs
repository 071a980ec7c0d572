//! A model seen through a pattern: everything that the moves of abstract states need to know.
//!
//! Processes that are not kept are *ghosts*: whatever one of their actions does to something kept can happen at any
//! moment, whatever their locals. A ghost that exists from the start has a number, so that what it does to an array
//! element of its own is told apart; where that would make too many ghosts, the number is unknown.

use std::collections::{BTreeSet, HashSet};

use lurcher_exec::{Interpreter, State};
use lurcher_ir::analysis::{Access, ChannelUse, ControlFlow, Owner, constant_globals, global_channels, named_channels};
use lurcher_ir::{ActionKind, ChannelTypeId, Expr, Frame, Model, ProcessTypeId, Scalar};

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
pub(super) struct Abstraction<'m> {
    pub model: &'m Model,
    pub pattern: Pattern,
    pub target: Target,
    pub ghosts: Vec<Ghost<'m>>,
    /// Types of processes that are created and not kept.
    pub created: BTreeSet<ProcessTypeId>,
    pub channels: Vec<(ChannelTypeId, u32)>,
    pub message_loss: bool,
    /// Channels that can be known under other names: their numbers are passed around.
    pub escaping: HashSet<u16>,
    /// Every process is kept, so the number of the next one is known.
    pub exact: bool,
    /// Offsets of globals that nothing changes.
    pub constant: HashSet<u32>,
    /// Process types that are created while the model runs.
    runs: BTreeSet<ProcessTypeId>,
    initial: State,
    interpreter: Interpreter<'m>,
}

impl<'m> Abstraction<'m> {
    pub fn new(
        interpreter: &Interpreter<'m>,
        target: &Target,
        pattern: Pattern,
        created: BTreeSet<ProcessTypeId>,
        initial: State,
    ) -> Self {
        let model = interpreter.model();
        let actions = model.process_types.iter().flat_map(|p| &p.actions);
        let runs = actions.flat_map(|a| Access::of_action(a, None).creates).collect();
        let contiguous = pattern.processes.iter().enumerate().all(|(i, p)| usize::from(p.0) == i);
        let exact = contiguous && pattern.processes.len() >= model.initial_processes.len();
        let mut abstraction = Abstraction {
            model,
            pattern,
            target: target.clone(),
            ghosts: Vec::new(),
            created,
            channels: global_channels(model),
            message_loss: interpreter.limits().message_loss,
            escaping: escaping(model),
            exact,
            constant: constant_globals(model),
            runs,
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
            match named_channels(&self.channels, &self.constant, c.0, pid) {
                None => true,
                Some(numbers) => numbers.iter().any(|&n| {
                    let capacity = self.model.channel_type(self.channels[n as usize].0).capacity;
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
        self.constant.contains(&offset).then(|| self.initial.get(at, scalar))
    }

    /// The value of a local that nothing changes, in a process that exists from the start.
    pub fn constant_local(&self, pid: u16, ty: ProcessTypeId, offset: u32, scalar: Scalar) -> Option<i32> {
        let original = self.model.initial_processes.get(pid as usize).is_some_and(|p| p.0 == ty);
        if !original || self.runs.contains(&ty) || is_written(self.model, ty, offset) {
            return None;
        }
        let base = self.initial.locals_at(self.interpreter.layout(), lurcher_exec::ProcessId(pid));
        Some(self.initial.get(base + offset as usize, scalar))
    }
}

/// Does an action of the type write the local at this offset?
pub(super) fn is_written(model: &Model, ty: ProcessTypeId, offset: u32) -> bool {
    let mut written = false;
    for action in &model.process_type(ty).actions {
        for region in Access::of_action(action, None).writes.iter().filter(|r| r.owner == Owner::Own) {
            region.offsets(&mut |o| written |= o == offset);
        }
    }
    written
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

/// The global channels whose numbers are read other than to send, receive or look.
fn escaping(model: &Model) -> HashSet<u16> {
    let channels = global_channels(model);
    let mut found = HashSet::new();
    let mut operands = HashSet::new();
    for process_type in &model.process_types {
        for action in &process_type.actions {
            let access = Access::of_action(action, None);
            operands.extend(access.channels.iter().map(|c| std::ptr::from_ref::<Expr>(c.0)));
            let mut look = |e: &Expr| {
                if let Expr::Read(place) = e
                    && place.frame == Frame::Global
                    && place.scalar == Scalar::Channel
                    && !operands.contains(&std::ptr::from_ref(e))
                {
                    let region = lurcher_ir::analysis::Region::of(place, None);
                    region.offsets(&mut |o| {
                        found.extend(channels.iter().position(|c| c.1 == o).map(|n| n as u16));
                    });
                }
            };
            action.kind.exprs(&mut |e| e.walk(&mut look));
            action.kind.places(&mut |p| p.walk(&mut look));
        }
    }
    found
}
