//! Best-first search: the most promising open node is expanded next.
//!
//! A\* (Hart, Nilsson and Raphael 1968) is the best-first search that orders nodes by *g* + *w h* and opens a node again when a
//! shorter path to it is found; greedy search orders them by *h* alone and never does. *g* is the length of the path in
//! steps of a trace, *h* the heuristic value, *w* the weight. Both are in Edelkamp, Leue and Lluch-Lafuente (2003, section 3).
//!
//! A violation is found when a node is generated or expanded, which may be before a shorter way to one is known. A\* keeps it
//! until no open node has a smaller priority; then, with an admissible heuristic and *w* = 1, its path is a shortest one. A greedy search reports it
//! at once.
//!
//! Nodes are expanded by the transition cache where the expander has one. Only new nodes are decoded, for their heuristic value.

use lurcher_resources::checkpoint_now;
use lurcher_system::{Path, ProcessId};

use super::open_list::{Key, OpenList, Ties};
use crate::budget::{Budget, BudgetMeter, Observer, Progress, StopReason};
use crate::guidance::History;
use crate::outcome::{Found, FoundKind, Outcome, Stats};
use crate::parallel::{Parent, PendingEdge, PendingNodes, SuccessorBatch, shortest_edge};
use crate::space::{Edge, Expander, Space};
use crate::store::{DecodedState, SharedStore, StateId, StoreFull};
use crate::walk::Draws;

/// What the priority of a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// The heuristic value.
    Greedy,
    /// The length of the path, plus the heuristic value times so many hundredths.
    AStar {
        /// The weight of the heuristic value, in hundredths.
        weight: u32,
    },
}

/// A length of 1 in the priority of A\*.
const UNIT: u64 = 100;

impl Priority {
    pub(super) fn key(self, g: u32, h: u32) -> Key {
        match self {
            Priority::Greedy => (h.into(), 0),
            Priority::AStar { weight } => (u64::from(g) * UNIT + u64::from(h) * u64::from(weight), h),
        }
    }
}

/// A best-first search.
pub struct BestFirst<'s> {
    /// The order of nodes.
    pub priority: Priority,
    /// The order of nodes with the same priority.
    pub ties: Ties,
    /// The most open nodes.
    pub frontier: Option<usize>,
    /// How many of the best nodes the next one is drawn from.
    pub choices: u32,
    /// The successors of a node are put into a random order.
    pub shuffle: bool,
    /// The heuristic never exceeds the distance to a violation of such a kind.
    pub is_admissible_for: &'s (dyn Fn(&FoundKind) -> bool + Sync),
    /// Whether the result is not wanted any more.
    pub is_abandoned: &'s (dyn Fn() -> bool + Sync),
}

impl BestFirst<'_> {
    /// Searches; random choices are taken from `draws`.
    pub fn run<E: Expander>(
        &self,
        expander: &mut E,
        draws: Draws,
        budget: &Budget,
        observer: &mut impl Observer,
    ) -> Outcome<<E::Space as Space>::Step> {
        let _scope = budget.resources.enter();
        let mut search = Search::new(self, expander, draws, budget);
        let stop = search.explore(observer);
        search.finish(stop)
    }
}

/// What is known of a node.
#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    /// The length of the shortest known path.
    g: u32,
    h: u32,
    closed: bool,
}

/// The parent of the initial node.
const NO_PARENT: u32 = u32::MAX;

/// A violation, and the length of its path.
struct Violating<S> {
    kind: FoundKind,
    length: u32,
    node: StateId,
    last: Option<S>,
}

type StepOf<E> = <<E as Expander>::Space as Space>::Step;

struct Search<'a, E: Expander> {
    settings: &'a BestFirst<'a>,
    expander: &'a mut E,
    draws: Draws,
    budget: &'a Budget,
    meter: BudgetMeter<'a>,
    store: SharedStore,
    /// The node that is expanded.
    decoded: DecodedState,
    /// A successor that is given a value.
    successor: DecodedState,
    nodes: Vec<Node>,
    /// The processes that moved last, where the heuristic looks back.
    histories: Vec<History>,
    looks_back: bool,
    open: OpenList,
    pending: PendingNodes,
    inserted: Vec<(StateId, bool)>,
    order: Vec<usize>,
    steps: Vec<StepOf<E>>,
    next: Vec<u8>,
    broken: Vec<u32>,
    violation: Option<Violating<StepOf<E>>>,
    best: Option<u32>,
    /// The greatest heuristic value so far.
    greatest: u32,
    stats: Stats,
}

impl<'a, E: Expander> Search<'a, E> {
    fn new(settings: &'a BestFirst<'a>, expander: &'a mut E, draws: Draws, budget: &'a Budget) -> Self {
        Search {
            store: SharedStore::new(expander.partition(), budget.resources.memory),
            looks_back: expander.looks_back(),
            open: OpenList::new(settings.ties, settings.frontier, settings.choices),
            settings,
            expander,
            draws,
            budget,
            meter: BudgetMeter::new(budget),
            decoded: DecodedState::default(),
            successor: DecodedState::default(),
            nodes: Vec::new(),
            histories: Vec::new(),
            pending: PendingNodes::default(),
            inserted: Vec::new(),
            order: Vec::new(),
            steps: Vec::new(),
            next: Vec::new(),
            broken: Vec::new(),
            violation: None,
            best: None,
            greatest: 0,
            stats: Stats::default(),
        }
    }

    fn memory(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.histories.capacity() * size_of::<History>();
        self.store.memory() + self.expander.memory() + self.open.memory() + nodes as u64
    }

    fn explore(&mut self, observer: &mut impl Observer) -> StopReason {
        let mut node = Vec::new();
        if let Err(violation) = self.expander.space().initial(&mut node) {
            let kind = FoundKind::Step(violation);
            self.violation = Some(Violating { kind, length: 0, node: StateId(NO_PARENT), last: None });
            return StopReason::Violation;
        }
        let root = Parent::NONE;
        if self.push(&node, root, 0, None).and_then(|()| self.insert_pending(root)).is_err() {
            return StopReason::Memory;
        }
        while let Some((key, id)) = self.open.pop(&mut self.draws) {
            let Node { g, h, closed, .. } = self.nodes[id.0 as usize];
            if closed || key != self.settings.priority.key(g, h) {
                continue;
            }
            if let Some(stop) = self.tick(u64::from(g), observer) {
                return stop;
            }
            if let Err(stop) = self.expand(id) {
                return stop;
            }
            if self.is_settled() {
                return StopReason::Violation;
            }
        }
        match self.open.dropped() {
            _ if self.violation.is_some() => StopReason::Violation,
            0 => StopReason::Complete,
            _ => StopReason::Frontier,
        }
    }

    /// Whether no open node promises a shorter path to a violation than the one that is known.
    fn is_settled(&self) -> bool {
        let Some(violation) = &self.violation else { return false };
        if self.settings.priority == Priority::Greedy {
            return true;
        }
        // Watched terms were checked in all open nodes, so that without a heuristic one more step is needed from them.
        let is_checked = matches!(violation.kind, FoundKind::Watched(_)) && self.greatest == 0;
        let ahead = if is_checked { UNIT } else { 0 };
        self.open.first_key().is_none_or(|(key, _)| u64::from(violation.length) * UNIT <= key + ahead)
    }

    /// Checks the budget now and then.
    fn tick(&mut self, depth: u64, observer: &mut impl Observer) -> Option<StopReason> {
        let Stats { stored, transitions, .. } = self.stats;
        if !self.meter.is_due(transitions) {
            return None;
        }
        if (self.settings.is_abandoned)() {
            return Some(StopReason::Interrupted);
        }
        let (memory, frontier) = (self.memory(), Some(self.open.len() as u64));
        let progress =
            Progress { stored, transitions, depth, memory, best: self.best, frontier, ..Progress::default() };
        self.meter.check(transitions, &progress, observer)
    }

    /// Expands an open node, by the transition cache if possible.
    fn expand(&mut self, id: StateId) -> Result<(), StopReason> {
        self.nodes[id.0 as usize].closed = true;
        let g = self.nodes[id.0 as usize].g;
        self.stats.depth = self.stats.depth.max(g.into());
        self.stats.expanded += 1;
        self.store.open(&mut self.decoded, id);
        let from = Parent::new(id, self.store.hash_of_decoded(&self.decoded));
        let batch = SuccessorBatch::new(&self.store, &mut self.decoded, &mut self.pending, from);
        let expanded = batch.map_or(Ok(None), |mut batch| self.expander.expand_into(&mut batch))?;
        match expanded {
            Some(transitions) => self.stats.transitions += transitions,
            None => {
                self.pending.truncate(0);
                self.expand_step_by_step(from, g)?;
            }
        }
        Ok(self.insert_pending(from)?)
    }

    /// Expands a node edge by edge, which reports violations.
    fn expand_step_by_step(&mut self, from: Parent, g: u32) -> Result<(), StopReason> {
        let id = from.id();
        let info = self.expander.space().steps(self.store.load(&mut self.decoded, id), &mut self.steps);
        let halted = info.halted;
        for kind in info.kinds() {
            self.note(Violating { kind, length: g, node: id, last: None });
        }
        if let Some(stop) = halted {
            return Err(stop);
        }
        let steps = std::mem::take(&mut self.steps);
        let mut next = std::mem::take(&mut self.next);
        for step in &steps {
            let space = self.expander.space();
            let violation = space.follow(self.store.load(&mut self.decoded, id), step, &mut next);
            let chain = space.chain_length();
            self.stats.transitions += 1 + u64::from(chain);
            if let Some(violation) = violation {
                let length = if chain == 0 { step.length_with(&violation) } else { step.length() + chain };
                let fatal = violation.is_fatal();
                let kind = FoundKind::Step(violation);
                self.note(Violating { kind, length: g + length, node: id, last: Some(*step) });
                if fatal {
                    continue;
                }
            }
            self.push(&next, from, step.length() + chain, step.process())?;
        }
        (self.steps, self.next) = (steps, next);
        Ok(())
    }

    /// Adds a successor to the pending nodes.
    fn push(&mut self, node: &[u8], from: Parent, length: u32, mover: Option<ProcessId>) -> Result<(), StoreFull> {
        let counts = self.expander.space().counts(node);
        self.store.add(&mut self.decoded, node, &mut self.pending.batch)?;
        self.pending.edges.push(PendingEdge { from, length, counts, mover, partner: None });
        Ok(())
    }

    /// Inserts the successors of a node into the store, and opens those that are new or nearer than before.
    fn insert_pending(&mut self, from: Parent) -> Result<(), StoreFull> {
        let (mut pending, mut inserted) = (std::mem::take(&mut self.pending), std::mem::take(&mut self.inserted));
        self.store.insert_all(&mut self.decoded, &mut pending.batch, &mut inserted, |_| ())?;
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..inserted.len());
        if self.settings.shuffle {
            self.draws.shuffle(&mut order);
        }
        // Ids are in the order of insertion, and so are the nodes.
        let known = self.nodes.len();
        let count = inserted.iter().map(|(id, _)| id.0 as usize + 1).max().unwrap_or(0);
        self.nodes.resize(known.max(count), Node { parent: NO_PARENT, g: u32::MAX, h: 0, closed: false });
        for &at in &order {
            self.reach(&mut pending, at, inserted[at], from);
        }
        pending.truncate(0);
        (self.pending, self.inserted, self.order) = (pending, inserted, order);
        Ok(())
    }

    /// Opens a successor if it is new, or if A\* has found a shorter path to it.
    fn reach(&mut self, pending: &mut PendingNodes, at: usize, (id, _): (StateId, bool), from: Parent) {
        let PendingEdge { length, counts, mover, .. } = pending.edges[at];
        let parent = from.id().0;
        let before = self.nodes.get(parent as usize).filter(|_| parent != NO_PARENT);
        let g = before.map_or(0, |node| node.g) + length;
        let known = self.nodes[id.0 as usize];
        let is_new = known.g == u32::MAX;
        match is_new {
            true => self.stats.stored += u64::from(counts),
            false => self.stats.matched += u64::from(counts),
        }
        if !is_new && (g >= known.g || self.settings.priority == Priority::Greedy) {
            return;
        }
        let history = self.history(mover, parent, id);
        let h = match is_new || self.looks_back {
            true => self.expander.estimate(pending.bytes(&self.store, &mut self.successor, at), history),
            false => known.h,
        };
        self.nodes[id.0 as usize] = Node { parent, g, h, closed: false };
        self.best = Some(self.best.map_or(h, |best| best.min(h)));
        self.greatest = self.greatest.max(h);
        if is_new {
            let node = pending.bytes(&self.store, &mut self.successor, at);
            self.expander.space().check_node(node, &mut self.broken);
            self.note_broken(id, g);
        }
        self.open.push(self.settings.priority.key(g, h), id, &mut self.draws);
    }

    /// The processes that moved last before a successor, where the heuristic looks back.
    fn history(&mut self, mover: Option<ProcessId>, parent: u32, id: StateId) -> History {
        if !self.looks_back {
            return History::default();
        }
        let before = self.histories.get(parent as usize).copied().unwrap_or_default();
        let history = mover.map_or(before, |process| before.after(process));
        self.histories.resize(self.nodes.len(), History::default());
        self.histories[id.0 as usize] = history;
        history
    }

    /// Notes the watched terms that are false in a new node.
    fn note_broken(&mut self, id: StateId, length: u32) {
        for number in std::mem::take(&mut self.broken) {
            self.note(Violating { kind: FoundKind::Watched(number), length, node: id, last: None });
        }
    }

    /// Keeps the violation with the shortest path.
    fn note(&mut self, violation: Violating<StepOf<E>>) {
        if self.violation.as_ref().is_none_or(|known| violation.length < known.length) {
            self.violation = Some(violation);
        }
    }

    fn finish(mut self, stop: StopReason) -> Outcome<StepOf<E>> {
        self.stats.memory = self.memory();
        let Some(Violating { kind, node, last, .. }) = self.violation.take() else {
            return Outcome::new(stop, self.stats);
        };
        let is_optimal = stop == StopReason::Violation
            && self.open.dropped() == 0
            && self.settings.priority == Priority::AStar { weight: UNIT as u32 }
            && (self.settings.is_admissible_for)(&kind);
        let path = self.budget.resources.with_grace().bound(|| self.path(node, last));
        match path {
            Err(limit) => Outcome { pathless: true, ..Outcome::new(limit.into(), self.stats) },
            Ok(steps) => {
                let found = Found { shortest: is_optimal, ..Found::new(kind, Path::finite(steps)) };
                Outcome { found: vec![found], ..Outcome::new(StopReason::Violation, self.stats) }
            }
        }
    }

    /// The steps to a node, and a last one.
    fn path(&mut self, node: StateId, last: Option<StepOf<E>>) -> Vec<StepOf<E>> {
        let mut path: Vec<StepOf<E>> = last.into_iter().collect();
        let mut to = node;
        while let Some(from) = self.nodes.get(to.0 as usize).map(|n| n.parent).filter(|&p| p != NO_PARENT) {
            checkpoint_now();
            let from = StateId(from);
            path.push(shortest_edge(self.expander.space(), &self.store, &mut self.decoded, from, to));
            to = from;
        }
        path.reverse();
        path
    }
}
