//! Breadth-first search for bad states: the first violation found has a shortest path.
//!
//! Distance counts steps as traces do. A rendezvous is two steps, and an edge may merge a chain of them, so the frontier is
//! an array of layers rather than a queue. A node that was first reached over a long edge may be reached over a shorter one
//! while it is open; then it moves to the nearer layer, and its old entry is skipped. A violating step is held back until no
//! shorter path to a violation can come.
//!
//! Threads share a layer and wait for each other at its end. To make the result independent of timing, a layer is always
//! finished, also when the limit on states is reached in it; if a layer goes far beyond the limit, the search stops there and
//! reports nothing that it found in this layer. Of several parents at the same distance the one with the smallest hash is kept (`parent_table.rs`), of several
//! violations that of the smallest node. A node keeps only its parent; the steps of a path are found by expanding the nodes on
//! it once more.

use std::cmp::Ordering;

use lurcher_resources::checkpoint_now;
use lurcher_system::Violation;

use super::control::SearchControl;
use super::layer_shares::LayerShares;
use super::parent_table::{Parent, ParentTable, by_bytes};
use super::path_edge::shortest_edge;
use super::reorder::group_by_process;
use super::successor_batch::{PendingEdge, PendingNodes, SuccessorBatch};
use crate::budget::{Budget, BudgetMeter, Observer, StopReason};
use crate::outcome::{Collector, FoundKind, Outcome, Stats};
use crate::space::{Edge, Expander, MAX_CHAIN, Space};
use crate::store::{BATCH_SIZE, DecodedState, SharedStore, StateId, StoreFull};

/// How many nodes ahead nodes are prefetched: their cache lines are often in another core.
const PREFETCH_DISTANCE: usize = 4;
/// The length of the longest edge.
pub(super) const MAX_EDGE: usize = MAX_CHAIN as usize + 2;
/// Open nodes by their distance from the current layer.
type Layers = [Vec<StateId>; MAX_EDGE + 1];
/// How many times the states that it may store a search may store to finish a layer.
const LAYER_OVERRUN: u64 = 4;
/// Nodes of a layer for which it is worth waking another thread.
const NODES_PER_THREAD: usize = 256;
/// The edges of an expander's space.
type StepOf<E> = <<E as Expander>::Space as Space>::Step;

/// Searches breadth first, on one thread. Of paths of the same length the first one in the order of edges is kept, and of
/// nodes at the same distance the last one found is expanded first: then searches in models of different sizes are alike,
/// which makes them useful for heuristics.
pub fn bfs<E: Expander + Send>(expander: &mut E, budget: &Budget, observer: &mut impl Observer) -> Outcome<StepOf<E>>
where
    StepOf<E>: Send,
{
    search(std::slice::from_mut(expander), true, budget, observer)
}

/// Searches breadth first, on a thread for each expander. The result does not depend on their number.
///
/// # Panics
/// Without an expander.
pub fn bfs_on<E: Expander + Send>(
    expanders: &mut [E],
    budget: &Budget,
    observer: &mut impl Observer,
) -> Outcome<StepOf<E>>
where
    StepOf<E>: Send,
{
    search(expanders, false, budget, observer)
}

fn search<E: Expander + Send>(
    expanders: &mut [E],
    keep_first: bool,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Outcome<StepOf<E>>
where
    StepOf<E>: Send,
{
    let single_thread = expanders.len() == 1;
    let overrun = if keep_first { 1 } else { LAYER_OVERRUN };
    let within_layer = Budget { states: budget.states.map(|states| states.saturating_mul(overrun)), ..budget.clone() };
    let shared = Shared {
        store: SharedStore::new(expanders[0].partition(), budget.resources.memory),
        parents: ParentTable::new(single_thread, keep_first),
        single_thread,
        keep_first,
        control: SearchControl::default(),
        budget,
        within_layer: &within_layer,
    };
    let mut workers: Vec<Worker<'_, E>> = expanders.iter_mut().map(|e| Worker::new(e, &shared)).collect();
    let mut collector = Collector::new();
    let _scope = budget.resources.enter();
    let stop = run(&shared, &mut workers, &mut collector, observer);
    let mut stats = Stats { memory: shared.memory(), ..Stats::default() };
    workers.iter().for_each(|worker| stats.merge(&Stats { memory: worker.memory(), ..worker.stats }));
    Outcome { found: collector.found, pathless: collector.pathless, ..Outcome::new(stop, stats) }
}

/// What all threads share.
struct Shared<'b> {
    store: SharedStore,
    parents: ParentTable,
    single_thread: bool,
    /// Of paths of the same length the first one is kept.
    keep_first: bool,
    control: SearchControl,
    budget: &'b Budget,
    /// The same, with the states that may be stored before a layer is finished.
    within_layer: &'b Budget,
}

impl Shared<'_> {
    fn memory(&self) -> u64 {
        self.store.memory() + self.parents.memory()
    }
}

/// Violations of one kind that a thread found: the nearest one, of the smallest node among those as near.
struct PendingViolation<S> {
    kind: FoundKind,
    /// The length of its path.
    distance: u32,
    /// The node before the last step, or the node itself.
    node: StateId,
    /// The last step, and its position among the edges of the node.
    last: Option<(usize, S)>,
    count: u64,
}

impl<S> PendingViolation<S> {
    fn order(&self, shared: &Shared<'_>, other: &Self) -> Ordering {
        if shared.keep_first {
            return self.distance.cmp(&other.distance);
        }
        let position = |v: &Self| v.last.as_ref().map_or(0, |l| l.0 + 1);
        let nodes = || by_bytes(&shared.store, self.node, other.node);
        self.distance.cmp(&other.distance).then_with(nodes).then_with(|| position(self).cmp(&position(other)))
    }
}

/// One thread.
struct Worker<'a, E: Expander> {
    expander: &'a mut E,
    shared: &'a Shared<'a>,
    meter: BudgetMeter<'a>,
    decoded: DecodedState,
    steps: Vec<StepOf<E>>,
    next: Vec<u8>,
    pending: PendingNodes,
    inserted: Vec<(StateId, bool)>,
    layers: Layers,
    violations: Vec<PendingViolation<StepOf<E>>>,
    broken: Vec<u32>,
    stats: Stats,
    /// The depth limit hides a part of the graph.
    cut: bool,
}

/// Explores the graph layer by layer.
fn run<E: Expander + Send>(
    shared: &Shared<'_>,
    workers: &mut [Worker<'_, E>],
    collector: &mut Collector<StepOf<E>>,
    observer: &mut impl Observer,
) -> StopReason
where
    StepOf<E>: Send,
{
    if let Err(violation) = workers[0].start() {
        collector.note(FoundKind::Step(violation), true, Vec::new);
        return StopReason::Violation;
    }
    let mut layers = Layers::default();
    let mut distance = 0;
    loop {
        gather(&mut layers, workers);
        if layers.iter().all(Vec::is_empty) && workers.iter().all(|w| w.violations.is_empty()) {
            break;
        }
        report(shared, workers, collector, distance, distance);
        if is_done(shared, collector) {
            return StopReason::Violation;
        }
        while !layers[0].is_empty() && !shared.control.is_stopped() {
            let layer = match shared.keep_first {
                true => layers[0].pop().into_iter().collect(),
                false => std::mem::take(&mut layers[0]),
            };
            expand_layer(workers, &layer, distance, observer);
            gather(&mut layers, workers);
            if !shared.keep_first && shared.control.exceeds(shared.budget) {
                shared.control.stop(StopReason::States);
            }
        }
        if let Some(stop) = shared.control.reason() {
            let is_cut =
                stop == StopReason::States && !shared.keep_first && shared.control.exceeds(shared.within_layer);
            report(shared, workers, collector, distance, if is_cut { distance } else { u32::MAX });
            return if is_done(shared, collector) { StopReason::Violation } else { stop };
        }
        layers.rotate_left(1);
        distance += 1;
    }
    // The store may refuse even the initial node.
    let complete = if workers.iter().any(|w| w.cut) { StopReason::Depth } else { StopReason::Complete };
    shared.control.reason().unwrap_or(complete)
}

/// Whether a violation was found and one is enough.
fn is_done<S>(shared: &Shared<'_>, collector: &Collector<S>) -> bool {
    !shared.budget.all_errors && !collector.found.is_empty()
}

/// Moves the open nodes of all threads to the common layers.
fn gather<E: Expander>(layers: &mut Layers, workers: &mut [Worker<'_, E>]) {
    for worker in workers {
        for (layer, new) in layers.iter_mut().zip(&mut worker.layers) {
            layer.append(new);
        }
    }
}

/// Expands all nodes of a layer.
fn expand_layer<E: Expander + Send>(
    workers: &mut [Worker<'_, E>],
    layer: &[StateId],
    distance: u32,
    observer: &mut impl Observer,
) where
    StepOf<E>: Send,
{
    let threads = (layer.len() / NODES_PER_THREAD).clamp(1, workers.len());
    let shares = LayerShares::new(layer, threads);
    let (first, others) = workers.split_first_mut().expect("a space");
    if threads == 1 {
        return first.work(&shares, 0, distance, observer);
    }
    std::thread::scope(|scope| {
        for (number, worker) in (1..).zip(&mut others[..threads - 1]) {
            let shares = &shares;
            scope.spawn(move || worker.work(shares, number, distance, &mut ()));
        }
        first.work(&shares, 0, distance, observer);
    });
}

/// Reports the violations at distances up to `last`, in an order that does not depend on the threads. Those at distances up to
/// `distance` have shortest paths.
fn report<E: Expander>(
    shared: &Shared<'_>,
    workers: &mut [Worker<'_, E>],
    collector: &mut Collector<StepOf<E>>,
    distance: u32,
    last: u32,
) {
    let mut due = Vec::new();
    for worker in workers.iter_mut() {
        for violation in worker.violations.extract_if(.., |v| v.distance <= last) {
            merge(shared, &mut due, violation);
        }
    }
    due.sort_by(|a, b| a.order(shared, b));
    if !shared.budget.all_errors {
        due.truncate(1);
    }
    for PendingViolation { kind, node, last, count, distance: end } in due {
        if collector.count(&kind, count) {
            continue;
        }
        // Watched terms were checked in all nodes up to the next distance, as far as they are known.
        let checked = distance + u32::from(matches!(kind, FoundKind::Watched(_)));
        // The nodes of a long path are decoded and expanded once more.
        let path = shared.budget.resources.with_grace().bound(|| workers[0].path(node, last.map(|l| l.1)));
        match path {
            Err(limit) => {
                shared.control.stop(limit.into());
                collector.pathless = true;
            }
            Ok(path) => {
                collector.note(kind, end <= checked, || path);
                collector.found.last_mut().expect("a violation was noted").count = count;
            }
        }
    }
}

/// Adds a violation to those of its kind.
fn merge<S>(shared: &Shared<'_>, all: &mut Vec<PendingViolation<S>>, new: PendingViolation<S>) {
    match all.iter_mut().find(|v| v.kind == new.kind) {
        None => all.push(new),
        Some(known) => {
            let count = known.count + new.count;
            if new.order(shared, known).is_lt() {
                *known = new;
            }
            known.count = count;
        }
    }
}

impl<'a, E: Expander> Worker<'a, E> {
    fn new(expander: &'a mut E, shared: &'a Shared<'a>) -> Self {
        Worker {
            expander,
            shared,
            meter: BudgetMeter::new(shared.within_layer),
            decoded: DecodedState::default(),
            steps: Vec::new(),
            next: Vec::new(),
            pending: PendingNodes::default(),
            inserted: Vec::new(),
            layers: Default::default(),
            violations: Vec::new(),
            broken: Vec::new(),
            stats: Stats::default(),
            cut: false,
        }
    }

    fn memory(&self) -> u64 {
        self.expander.memory() + self.layers.iter().map(|l| l.capacity() as u64 * 4).sum::<u64>()
    }

    /// Opens the initial node.
    fn start(&mut self) -> Result<(), Violation> {
        let mut node = Vec::new();
        self.expander.space().initial(&mut node)?;
        self.push(&node, Parent::NONE, 0);
        self.insert_pending(0);
        Ok(())
    }

    /// Expands portions of a layer until none is left.
    fn work(&mut self, shares: &LayerShares<'_>, number: usize, distance: u32, observer: &mut impl Observer) {
        while let Some(portion) = shares.portion(number).filter(|_| !self.shared.control.is_stopped()) {
            let before = self.stats;
            for (at, &id) in portion.iter().enumerate() {
                if let Some(&soon) = portion.get(at + PREFETCH_DISTANCE) {
                    self.shared.store.prefetch_node(soon);
                    self.shared.parents.prefetch(soon);
                }
                if self.shared.parents.close(id) {
                    self.expand(id, distance);
                }
                if self.shared.keep_first {
                    self.insert_pending(distance);
                }
                if self.shared.control.is_stopped() {
                    break;
                }
            }
            self.insert_pending(distance);
            let (stored, transitions) =
                (self.stats.stored - before.stored, self.stats.transitions - before.transitions);
            self.shared.control.add(stored, transitions);
            let memory = self.shared.memory() + self.memory() + shares.layer.len() as u64 * 4;
            self.shared.control.tick(&mut self.meter, observer, u64::from(distance), memory);
        }
    }

    /// Expands a node, by the fast path if possible.
    fn expand(&mut self, id: StateId, distance: u32) {
        self.shared.store.open(&mut self.decoded, id);
        let from = Parent::new(id, self.shared.store.hash_of_decoded(&self.decoded));
        let first = self.pending.len();
        let batch = SuccessorBatch::new(&self.shared.store, &mut self.decoded, &mut self.pending, from);
        match batch.map_or(Ok(None), |mut batch| self.expander.expand_into(&mut batch)) {
            Ok(Some(transitions)) => {
                self.stats.depth = self.stats.depth.max(u64::from(distance));
                self.stats.transitions += transitions;
                self.stats.expanded += 1;
            }
            Ok(None) => {
                self.pending.truncate(first);
                self.expand_step_by_step(from, distance);
            }
            Err(StoreFull) => self.shared.control.stop(StopReason::Memory),
        }
        if self.pending.len() >= BATCH_SIZE {
            self.insert_pending(distance);
        }
    }

    /// Expands a node by the slow path, which reports violations.
    fn expand_step_by_step(&mut self, from: Parent, distance: u32) {
        let id = from.id();
        let info = self.expander.space().steps(self.shared.store.load(&mut self.decoded, id), &mut self.steps);
        let halted = info.halted;
        for kind in info.kinds() {
            self.note(PendingViolation { kind, distance, node: id, last: None, count: 1 });
        }
        if let Some(reason) = halted {
            return self.shared.control.stop(reason);
        }
        self.stats.depth = self.stats.depth.max(u64::from(distance));
        let limited = self.shared.budget.depth.is_some_and(|limit| distance >= limit);
        if limited
            && !self.steps.is_empty()
            && !self.expander.space().is_root(self.shared.store.load(&mut self.decoded, id))
        {
            self.cut = true;
            return;
        }
        self.stats.expanded += 1;
        let steps = std::mem::take(&mut self.steps);
        let mut next = std::mem::take(&mut self.next);
        for (position, step) in steps.iter().enumerate() {
            self.follow(from, (position, step), &mut next, distance);
            if self.pending.len() >= BATCH_SIZE {
                self.insert_pending(distance);
            }
            if self.shared.control.is_stopped() {
                break;
            }
        }
        (self.steps, self.next) = (steps, next);
    }

    /// Follows an edge of the loaded node.
    fn follow(&mut self, from: Parent, (position, step): (usize, &StepOf<E>), next: &mut Vec<u8>, distance: u32) {
        let space = self.expander.space();
        let violation = space.follow(self.shared.store.load(&mut self.decoded, from.id()), step, next);
        let chain = space.chain_length();
        self.stats.transitions += 1 + u64::from(chain);
        if let Some(violation) = violation {
            let length = if chain == 0 { step.length_with(&violation) } else { step.length() + chain };
            let (fatal, distance) = (violation.is_fatal(), distance + length);
            let (kind, last) = (FoundKind::Step(violation), Some((position, *step)));
            self.note(PendingViolation { kind, distance, node: from.id(), last, count: 1 });
            if fatal {
                return;
            }
        }
        self.push(next, from, step.length() + chain);
    }

    /// Adds a node to the pending ones.
    fn push(&mut self, node: &[u8], from: Parent, length: u32) {
        let edge = PendingEdge { from, length, counts: self.expander.space().counts(node), mover: None, partner: None };
        match self.shared.store.add(&mut self.decoded, node, &mut self.pending.batch) {
            Ok(()) => self.pending.edges.push(edge),
            Err(StoreFull) => self.shared.control.stop(StopReason::Memory),
        }
    }

    /// Inserts all pending nodes at once, so that their cache misses overlap.
    fn insert_pending(&mut self, distance: u32) {
        let (mut pending, mut inserted) = (std::mem::take(&mut self.pending), std::mem::take(&mut self.inserted));
        let expect = |id| self.shared.parents.prefetch(id);
        if self.shared.store.insert_all(&mut self.decoded, &mut pending.batch, &mut inserted, expect).is_err() {
            self.shared.control.stop(StopReason::Memory);
        }
        for (i, (&node, &edge)) in inserted.iter().zip(&pending.edges).enumerate() {
            if self.reach(node, edge, distance) {
                self.check_node(pending.batch.get(i), node.0, distance + edge.length);
            }
        }
        pending.truncate(0);
        (self.pending, self.inserted) = (pending, inserted);
    }

    /// Notes an edge to an inserted node, and opens the node if the edge makes it closer. Returns whether the node is new.
    #[inline]
    fn reach(
        &mut self,
        (id, new): (StateId, bool),
        PendingEdge { from, length, counts, .. }: PendingEdge,
        distance: u32,
    ) -> bool {
        match self.shared.parents.note(&self.shared.store, id, new, from, (distance, length)) {
            Ok(true) => self.layers[length as usize].push(id),
            Ok(false) => {}
            Err(StoreFull) => self.shared.control.stop(StopReason::Memory),
        }
        let counter = if new { &mut self.stats.stored } else { &mut self.stats.matched };
        *counter += u64::from(counts);
        new
    }

    /// Checks the watched terms of a new node.
    fn check_node(&mut self, node: &[u8], id: StateId, distance: u32) {
        self.expander.space().check_node(node, &mut self.broken);
        if self.broken.is_empty() {
            return;
        }
        for number in std::mem::take(&mut self.broken) {
            let kind = FoundKind::Watched(number);
            self.note(PendingViolation { kind, distance, node: id, last: None, count: 1 });
            if self.shared.single_thread && !self.shared.budget.all_errors {
                // Finishing the layer would take long if nodes have many successors.
                return self.shared.control.stop(StopReason::Violation);
            }
        }
    }

    fn note(&mut self, violation: PendingViolation<StepOf<E>>) {
        merge(self.shared, &mut self.violations, violation);
    }

    /// The steps to a node, and a last one.
    fn path(&mut self, node: StateId, last: Option<StepOf<E>>) -> Vec<StepOf<E>> {
        let mut path: Vec<StepOf<E>> = last.into_iter().collect();
        let mut to = node;
        while let Some(from) = self.shared.parents.parent(to) {
            checkpoint_now();
            path.push(shortest_edge(self.expander.space(), &self.shared.store, &mut self.decoded, from, to));
            to = from;
        }
        path.reverse();
        if self.shared.keep_first { path } else { group_by_process(self.expander.space(), path) }
    }
}
