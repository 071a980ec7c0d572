//! The graph of control states of all process types, and distances in it.

use lurcher_ir::{Action, ActionId, ActionKind, Expr, LocationId, Model, ProcessType, ProcessTypeId};
use lurcher_resources::checkpoint;
use rustc_hash::FxHashMap;

use super::control::{Control, SLOTS, Slots};
use crate::goals::{Goals, Target, can_fail};

/// The most nodes of a graph.
const NODES: usize = 20_000;

/// A process type in a control state.
pub(super) type Node = (ProcessTypeId, Control);

/// A statement from a node.
#[derive(Debug)]
struct Edge {
    from: u32,
    action: ActionId,
    /// The next node of the process, or the first one of a process that it creates; none if the process dies.
    target: Option<u32>,
    creates: bool,
}

/// The control states of all process types.
#[derive(Debug)]
pub(super) struct Graph<'m> {
    model: &'m Model,
    /// By process type.
    pub slots: Vec<Slots>,
    pub nodes: Vec<Node>,
    pub numbers: FxHashMap<Node, u32>,
    edges: Vec<Edge>,
}

impl<'m> Graph<'m> {
    /// Explores the control states from the initial processes on. If there are too many, the slots with the most values are
    /// not tracked. `number` asks for the numbers of processes.
    pub fn new(model: &'m Model, number: bool) -> Graph<'m> {
        let slots = model.process_types.iter().map(|p| Slots::of_type(p, number)).collect();
        let mut graph = Graph { model, slots, nodes: Vec::new(), numbers: FxHashMap::default(), edges: Vec::new() };
        while !graph.explore() {
            let (ty, slot) = graph.widest().expect("without data there is a node for each location");
            graph.slots[ty].remove(slot);
        }
        graph
    }

    /// Lists all nodes and edges; returns whether there are few enough.
    fn explore(&mut self) -> bool {
        self.nodes.clear();
        self.numbers.clear();
        self.edges.clear();
        for (number, &(ty, _)) in self.model.initial_processes.iter().enumerate() {
            let process_type = self.model.process_type(ty);
            let zeros = vec![Some(0); process_type.params.len()];
            let control = self.slots[usize::from(ty.0)].initial(process_type, Some(number as u16), &zeros);
            self.number((ty, control));
        }
        let mut next = 0;
        while next < self.nodes.len() {
            if self.nodes.len() > NODES && self.slots.iter().any(|slots| slots.iter().len() > 0) {
                return false;
            }
            checkpoint();
            self.expand(next as u32);
            next += 1;
        }
        true
    }

    /// The number of a node, new or known.
    fn number(&mut self, node: Node) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        })
    }

    fn expand(&mut self, from: u32) {
        let (ty, control) = self.nodes[from as usize];
        for (id, action, target) in self.branches((ty, control)).collect::<Vec<_>>() {
            let next = (!matches!(action.kind, ActionKind::End)).then(|| {
                let next = self.slots[usize::from(ty.0)].after(&control, &action.kind, target);
                self.number((ty, next))
            });
            self.edges.push(Edge { from, action: id, target: next, creates: false });
            for node in self.created((ty, control), &action.kind) {
                let target = Some(self.number(node));
                self.edges.push(Edge { from, action: id, target, creates: true });
            }
        }
    }

    /// The first nodes of the processes that a statement creates. Inside a deterministic sequence the arguments are unknown.
    fn created(&self, (ty, control): Node, kind: &ActionKind) -> Vec<Node> {
        let slots = &self.slots[usize::from(ty.0)];
        let control = if let ActionKind::DStep(_) = kind { control.without(u8::MAX) } else { control };
        let mut nodes = Vec::new();
        kind.exprs(&mut |expr| {
            expr.walk(&mut |part| {
                if let Expr::Run(created, args, _) = part {
                    let args: Vec<Option<i32>> = args.iter().map(|arg| slots.value(&control, arg)).collect();
                    let slots = &self.slots[usize::from(created.0)];
                    nodes.push((*created, slots.initial(self.model.process_type(*created), None, &args)));
                }
            });
        });
        nodes
    }

    /// The branches that can be taken in a node for all that is known: actions and targets.
    fn branches(&self, (ty, control): Node) -> impl Iterator<Item = (ActionId, &'m Action, LocationId)> + '_ {
        let process_type: &'m ProcessType = self.model.process_type(ty);
        let known = Known { slots: &self.slots[usize::from(ty.0)], control };
        let mut taken_before = false;
        process_type.location(control.location).branches.iter().filter_map(move |branch| {
            let action = process_type.action(branch.action);
            let possible = if action.kind.is_else() { !taken_before } else { known.may_be_enabled(&action.kind) };
            taken_before |= known.is_enabled(&action.kind, false);
            possible.then_some((branch.action, action, branch.target))
        })
    }

    /// The process type and the slot with the most values.
    fn widest(&self) -> Option<(usize, usize)> {
        let mut values = FxHashMap::default();
        for (ty, control) in &self.nodes {
            let slots = self.slots[usize::from(ty.0)].iter().len();
            for slot in 0..slots {
                let seen: &mut rustc_hash::FxHashSet<i32> = values.entry((usize::from(ty.0), slot)).or_default();
                seen.insert(control.values[slot]);
            }
        }
        values.into_iter().max_by_key(|(at, seen)| (seen.len(), *at)).map(|(at, _)| at)
    }

    /// The distance of every node from the goals of a target; none where no goal is reachable.
    pub fn distances(&self, target: &Target, goals: &Goals) -> Vec<Option<u32>> {
        let mut found = vec![None; self.nodes.len()];
        let follows = |edge: &&Edge| !(edge.creates && matches!(target, Target::Deadlock));
        let mut incoming = vec![Vec::new(); self.nodes.len()];
        for edge in self.edges.iter().filter(follows) {
            if let Some(target) = edge.target {
                incoming[target as usize].push(edge.from);
            }
        }
        let is_goal = |n: &u32| self.is_goal(self.nodes[*n as usize], target, goals);
        let mut layer: Vec<u32> = (0..self.nodes.len() as u32).filter(is_goal).collect();
        let executes = |edge: &&Edge| {
            let (ty, _) = self.nodes[edge.from as usize];
            goals.types[usize::from(ty.0)].actions.contains(&edge.action) || self.is_named_goal(edge, goals)
        };
        // Behind a goal statement nothing remains: its source has the distance 1.
        let mut next: Vec<u32> = self.edges.iter().filter(executes).map(|edge| edge.from).collect();
        for distance in 0.. {
            if layer.is_empty() && next.is_empty() {
                break;
            }
            checkpoint();
            for node in std::mem::take(&mut layer) {
                if found[node as usize].is_none() {
                    found[node as usize] = Some(distance);
                    next.extend(&incoming[node as usize]);
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        found
    }

    fn is_goal(&self, (ty, control): Node, target: &Target, goals: &Goals) -> bool {
        let known = Known { slots: &self.slots[usize::from(ty.0)], control };
        match target {
            Target::Deadlock => self.can_block((ty, control), known),
            Target::Assertion => self.branches((ty, control)).any(|(_, action, _)| known.may_fail(&action.kind)),
            Target::Invariant(_) | Target::Claim(_) => {
                let own = known.number().and_then(|number| goals.named.get(&number));
                own.into_iter()
                    .chain([&goals.types[usize::from(ty.0)]])
                    .any(|g| g.locations.contains(&control.location))
            }
        }
    }

    /// Whether a statement is a goal of the process that the property names.
    fn is_named_goal(&self, edge: &Edge, goals: &Goals) -> bool {
        let (ty, control) = self.nodes[edge.from as usize];
        let known = Known { slots: &self.slots[usize::from(ty.0)], control };
        let own = known.number().and_then(|number| goals.named.get(&number));
        own.is_some_and(|goals| goals.actions.contains(&edge.action))
    }

    /// Whether the process can be unable to move there although no other process can.
    fn can_block(&self, (ty, control): Node, known: Known<'_>) -> bool {
        let process_type = self.model.process_type(ty);
        let mut actions =
            process_type.location(control.location).branches.iter().map(|b| process_type.action(b.action));
        process_type.provided.is_some() || !actions.any(|action| known.is_enabled(&action.kind, true))
    }
}

/// What is known in a control state of a process type.
#[derive(Clone, Copy)]
struct Known<'g> {
    slots: &'g Slots,
    control: Control,
}

impl Known<'_> {
    /// The number of the process.
    fn number(self) -> Option<u16> {
        self.slots.value(&self.control, &Expr::Pid).and_then(|number| u16::try_from(number).ok())
    }

    fn may_be_enabled(self, kind: &ActionKind) -> bool {
        match kind {
            ActionKind::Guard(e) => self.slots.value(&self.control, e) != Some(0),
            ActionKind::DStep(sequence) => {
                sequence.guards.is_empty() || sequence.guards.iter().any(|guard| self.may_be_enabled(guard))
            }
            _ => true,
        }
    }

    /// Whether a statement is certainly enabled. `alone`: no other process can move, so `timeout` is true, and an `else` is
    /// enabled unless a branch before it is.
    fn is_enabled(self, kind: &ActionKind, alone: bool) -> bool {
        match kind {
            ActionKind::Guard(Expr::Timeout) | ActionKind::Else => alone,
            ActionKind::Guard(Expr::Run(..)) => true,
            ActionKind::Guard(e) => self.slots.value(&self.control, e).is_some_and(|value| value != 0),
            ActionKind::DStep(sequence) => {
                sequence.guards.is_empty() || sequence.guards.iter().any(|guard| self.is_enabled(guard, alone))
            }
            kind => !kind.can_wait(),
        }
    }

    /// Whether a statement contains an assertion that can fail.
    fn may_fail(self, kind: &ActionKind) -> bool {
        match kind {
            ActionKind::Assert(e) => self.slots.value(&self.control, e).is_none_or(|value| value == 0),
            kind => can_fail(kind),
        }
    }
}

/// The values of slots fit into a control state.
const _: () = assert!(SLOTS < 8);
