//! The abstract model of a pattern.
//!
//! Processes that are not kept become the environment: an action of theirs that affects something kept can happen at any
//! moment, with any locals. An environment process that exists initially keeps its number, so that its own array elements
//! are told apart; if there are too many such actions, the number is unknown.

use std::collections::{BTreeSet, HashSet};

use lurcher_ir::analysis::{Access, ChannelUse, ControlFlow, Owner, named_channels};
use lurcher_ir::{ActionKind, Expr, Location, Model, ProcessTypeId, Scalar};
use lurcher_system::ProcessId;

use super::facts::Facts;
use super::pattern::{Item, Pattern};
use super::value::Actor;
use crate::goals::{Target, can_fail};

/// The most environment actions with process numbers.
const NUMBERED_ACTIONS: usize = 256;

/// Why a pattern cannot be explored.
#[derive(Debug)]
pub(super) enum Obstacle {
    /// These items would take too many values.
    Drop(Vec<Item>),
    /// A process of this type is created and not kept, and belongs to the environment.
    Created(ProcessTypeId),
    /// There are too many abstract states.
    TooLarge,
}

/// A model seen through a pattern.
pub(super) struct AbstractModel<'f, 'm> {
    pub facts: &'f Facts<'m>,
    pub pattern: Pattern,
    pub target: &'f Target,
    /// Actions of the environment that affect something kept.
    pub environment: Vec<(Actor, &'m ActionKind)>,
    /// Types of the processes that are created and not kept.
    pub created: BTreeSet<ProcessTypeId>,
    /// All initial processes are kept, and those with the next numbers: the slot of a created process is known.
    pub exact: bool,
}

impl<'f, 'm> AbstractModel<'f, 'm> {
    pub fn new(facts: &'f Facts<'m>, target: &'f Target, pattern: Pattern, created: BTreeSet<ProcessTypeId>) -> Self {
        let contiguous = pattern.processes.iter().enumerate().all(|(i, p)| usize::from(p.0) == i);
        let exact = contiguous && pattern.processes.len() >= facts.model().initial_processes.len();
        let mut model = AbstractModel { facts, pattern, target, environment: Vec::new(), created, exact };
        model.environment = model.environment_actions();
        model
    }

    pub fn model(&self) -> &'m Model {
        self.facts.model()
    }

    /// Whether every process of a run is kept.
    pub fn all_kept(&self) -> bool {
        self.exact && self.created.is_empty()
    }

    pub fn message_loss(&self) -> bool {
        self.facts.interpreter.limits().message_loss
    }

    /// Number and type of the initial processes that are not kept.
    fn dropped(&self) -> impl Iterator<Item = (u16, ProcessTypeId)> {
        let initial = self.model().initial_processes.iter().enumerate().map(|(pid, p)| (pid as u16, p.0));
        initial.filter(|(pid, _)| self.pattern.slot(*pid).is_none())
    }

    /// Types of the environment processes.
    pub fn environment_types(&self) -> impl Iterator<Item = ProcessTypeId> {
        self.dropped().map(|(_, ty)| ty).chain(self.created.iter().copied())
    }

    /// The locations of the kept processes.
    fn kept_locations(&self, values: &[i32]) -> impl Iterator<Item = &'m Location> {
        let located = self.pattern.processes.iter().zip(values).filter(|(_, at)| **at > 0);
        located.map(|((_, ty), at)| &self.model().process_type(*ty).locations[*at as usize])
    }

    /// Whether a process is at a location with a property; none if an environment process may be.
    pub fn any_at(&self, values: &[i32], test: impl Fn(&Location) -> bool) -> Option<bool> {
        let mut types = self.environment_types().map(|ty| self.model().process_type(ty));
        match self.kept_locations(values).any(&test) {
            true => Some(true),
            false if types.any(|p| p.locations.iter().any(&test)) => None,
            false => Some(false),
        }
    }

    fn environment_actions(&self) -> Vec<(Actor, &'m ActionKind)> {
        let mut numbered = Vec::new();
        let mut shared = Vec::new();
        let mut seen = HashSet::new();
        for (pid, ty) in self.dropped() {
            for (number, kind) in self.actions_of(ty, Some(pid)) {
                let reads_pid = mentions_pid(kind);
                if reads_pid && self.matters(kind, Some(pid)) {
                    numbered.push((Actor::environment(ty, Some(pid)), kind));
                }
                if self.matters(kind, None) && seen.insert((ty, number)) {
                    shared.push((reads_pid, (Actor::environment(ty, None), kind)));
                }
            }
        }
        let lump = numbered.len() > NUMBERED_ACTIONS;
        let mut actions = if lump { Vec::new() } else { numbered };
        actions.extend(shared.into_iter().filter(|(reads_pid, _)| lump || !reads_pid).map(|(_, a)| a));
        for &ty in &self.created {
            let mattering = self.actions_of(ty, None).into_iter().filter(|(_, kind)| self.matters(kind, None));
            actions.extend(mattering.map(|(_, kind)| (Actor::environment(ty, None), kind)));
        }
        actions
    }

    /// The reachable actions of a process.
    fn actions_of(&self, ty: ProcessTypeId, pid: Option<u16>) -> Vec<(u32, &'m ActionKind)> {
        let flow = ControlFlow::new(self.model().process_type(ty), pid);
        let depths = flow.depths();
        let reachable = flow.edges().iter().filter(|e| depths.of(e.from).is_some());
        let actions: BTreeSet<u32> = reachable.map(|e| e.action.0).collect();
        actions.into_iter().map(|a| (a, &flow.process_type().actions[a as usize].kind)).collect()
    }

    /// Whether an environment action affects anything kept.
    fn matters(&self, kind: &ActionKind, pid: Option<u16>) -> bool {
        let access = Access::of_kind(kind, pid);
        let globals = access.writes.iter().filter(|r| r.owner == Owner::Global).flat_map(|r| r.offsets());
        let kept = globals.into_iter().any(|o| self.pattern.position(Item::Global(o)).is_some());
        let messages = access.channels.iter().filter(|c| c.1 != ChannelUse::Look).any(|c| {
            let numbers = named_channels(&self.facts.channels, &self.facts.constant, c.0, pid);
            numbers.is_none_or(|numbers| {
                numbers.iter().any(|&n| {
                    let (ty, _) = self.facts.channels[n as usize];
                    self.model().channel_type(ty).capacity == 0 || self.pattern.channel(n).is_some()
                })
            })
        });
        let fails = matches!(self.target, Target::Assertion) && can_fail(kind);
        kept || messages || fails || !access.creates.is_empty()
    }

    /// The value of a global that is never written.
    pub fn constant_global(&self, offset: u32, scalar: Scalar) -> Option<i32> {
        let initial = &self.facts.initial;
        let at = initial.globals_at(self.facts.interpreter.layout()) + offset as usize;
        self.facts.constant.contains(offset).then(|| initial.get(at, scalar))
    }

    /// The value of a local that is never written, in an initial process.
    pub fn constant_local(&self, pid: u16, ty: ProcessTypeId, offset: u32, scalar: Scalar) -> Option<i32> {
        let original = self.model().initial_processes.get(pid as usize).is_some_and(|p| p.0 == ty);
        if !original || self.facts.runs.contains(&ty) || self.facts.written.contains(&(ty, offset)) {
            return None;
        }
        let initial = &self.facts.initial;
        let base = initial.locals_at(self.facts.interpreter.layout(), ProcessId(pid));
        Some(initial.get(base + offset as usize, scalar))
    }
}

fn mentions_pid(kind: &ActionKind) -> bool {
    let mut found = false;
    kind.walk(&mut |e| found |= matches!(e, Expr::Pid));
    found
}
