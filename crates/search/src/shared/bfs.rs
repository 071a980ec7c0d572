//! Breadth-first search for bad states: the first violation found has a shortest path.
//!
//! Distance counts steps as traces do. A rendezvous is two, and an edge may lead on over several, so the frontier is a row
//! of layers rather than a queue. A node first reached over a long edge may still be reached by a shorter way while it
//! waits; then it moves to the nearer layer, and the old entry is skipped. A violation found by a step is held back until no
//! shorter one can come.
//!
//! Threads share out a layer among them and wait for each other at its end. So that what is found does not depend on
//! who came first, a layer is always finished; among parents of the same distance those with the smallest hash are kept
//! (`reached.rs`), among violations those of the smallest node. Of each node only its parent is kept; the steps of a path are found
//! again by looking at the nodes along it once more.

use lurcher_system::Violation;

use super::ahead::{Ahead, Offspring, Way};
use super::reached::{Parent, Reached, by_bytes};
use super::shares::Shares;
use super::team::Team;
use super::tidy::tidied;
use crate::budget::{Budget, Observer, StopReason, Watch};
use crate::outcome::{Collector, FoundKind, Outcome, Stats};
use crate::space::{BEHIND, Edge, NodeInfo, Space};
use crate::store::{SharedStore, StateId, StoreFull, TOGETHER, Unfolded};

/// Nodes ahead of which what is known of a node is fetched: often another thread has it.
const SOON: usize = 4;
/// The length of the longest edge.
pub(super) const FARTHEST: usize = BEHIND as usize + 2;
/// Nodes by their distance from the current one.
type Layers = [Vec<StateId>; FARTHEST + 1];
/// A layer of fewer nodes for each thread is not worth waking the others.
const WORTH: usize = 256;

/// Searches breadth first, on one thread. Among paths of the same length the order of edges decides, and of nodes at the
/// same distance the last one found comes first: what makes guides looks alike in models of different sizes then.
pub fn bfs<S: Space + Send>(space: &mut S, budget: &Budget, observer: &mut impl Observer) -> Outcome<S::Step>
where
    S::Step: Send,
{
    search(std::slice::from_mut(space), true, budget, observer)
}

/// Searches breadth first, on a thread for each of the spaces. What it says does not depend on how many there are.
///
/// # Panics
/// Without a space.
pub fn bfs_on<S: Space + Send>(spaces: &mut [S], budget: &Budget, observer: &mut impl Observer) -> Outcome<S::Step>
where
    S::Step: Send,
{
    search(spaces, false, budget, observer)
}

fn search<S: Space + Send>(
    spaces: &mut [S],
    first_come: bool,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Outcome<S::Step>
where
    S::Step: Send,
{
    let shared = Shared {
        store: SharedStore::new(spaces[0].cut(), budget.memory),
        reached: Reached::new(spaces.len() == 1, first_come),
        alone: spaces.len() == 1,
        first_come,
        team: Team::default(),
        budget,
    };
    let mut workers: Vec<Worker<'_, S>> = spaces.iter_mut().map(|space| Worker::new(space, budget)).collect();
    let mut collector = Collector::new();
    let stop = run(&shared, &mut workers, &mut collector, observer);
    let mut stats = Stats { memory: shared.memory(&workers), ..Stats::default() };
    for worker in &workers {
        stats.stored += worker.stats.stored;
        stats.matched += worker.stats.matched;
        stats.transitions += worker.stats.transitions;
        stats.depth = stats.depth.max(worker.stats.depth);
    }
    Outcome { stop, found: collector.found, stats }
}

/// What all threads see.
struct Shared<'b> {
    store: SharedStore,
    reached: Reached,
    alone: bool,
    /// Of paths of the same length the first decides.
    first_come: bool,
    team: Team,
    budget: &'b Budget,
}

impl Shared<'_> {
    fn memory<S: Space>(&self, workers: &[Worker<'_, S>]) -> u64 {
        self.nodes_memory() + workers.iter().map(Worker::memory).sum::<u64>()
    }

    fn nodes_memory(&self) -> u64 {
        self.store.memory() + self.reached.memory()
    }
}

/// A violation met: the nearest of its kind that a thread has met, of the smallest node among those as near.
struct Met<E> {
    kind: FoundKind,
    /// Where its path ends.
    distance: u32,
    /// The node before the last step, or the node itself.
    node: StateId,
    /// The last step, and its place among the edges of the node.
    last: Option<(usize, E)>,
    count: u64,
}

impl<E> Met<E> {
    fn order(&self, shared: &Shared<'_>, other: &Met<E>) -> std::cmp::Ordering {
        if shared.first_come {
            return self.distance.cmp(&other.distance);
        }
        let place = |m: &Met<E>| m.last.as_ref().map_or(0, |l| l.0 + 1);
        let nodes = || by_bytes(&shared.store, self.node, other.node);
        self.distance.cmp(&other.distance).then_with(nodes).then_with(|| place(self).cmp(&place(other)))
    }
}

/// One thread.
struct Worker<'a, S: Space> {
    space: &'a mut S,
    watch: Watch<'a>,
    here: Unfolded,
    steps: Vec<S::Step>,
    next: Vec<u8>,
    /// Where edges lead, and what the store says of the nodes there.
    ahead: Ahead,
    found: Vec<(StateId, bool)>,
    layers: Layers,
    met: Vec<Met<S::Step>>,
    broken: Vec<u32>,
    stats: Stats,
    cut: bool,
}

/// The search as a whole, a layer after the other.
fn run<S: Space + Send>(
    shared: &Shared<'_>,
    workers: &mut [Worker<'_, S>],
    collector: &mut Collector<S::Step>,
    observer: &mut impl Observer,
) -> StopReason
where
    S::Step: Send,
{
    if let Err(violation) = workers[0].start(shared) {
        collector.note(FoundKind::Step(violation), true, Vec::new);
        return StopReason::Violation;
    }
    let mut layers = Layers::default();
    let mut distance = 0;
    loop {
        gather(&mut layers, workers);
        if layers.iter().all(Vec::is_empty) && workers.iter().all(|w| w.met.is_empty()) {
            break;
        }
        report(shared, workers, collector, distance, distance);
        if is_enough(shared, collector) {
            return StopReason::Violation;
        }
        while !layers[0].is_empty() && !shared.team.is_stopped() {
            let layer = match shared.first_come {
                true => layers[0].pop().into_iter().collect(),
                false => std::mem::take(&mut layers[0]),
            };
            go_through(shared, workers, &layer, distance, observer);
            gather(&mut layers, workers);
        }
        if let Some(stop) = shared.team.reason() {
            report(shared, workers, collector, distance, u32::MAX);
            return if is_enough(shared, collector) { StopReason::Violation } else { stop };
        }
        layers.rotate_left(1);
        distance += 1;
    }
    // Not even the first node may have found room.
    let complete = if workers.iter().any(|w| w.cut) { StopReason::Depth } else { StopReason::Complete };
    shared.team.reason().unwrap_or(complete)
}

fn is_enough<E>(shared: &Shared<'_>, collector: &Collector<E>) -> bool {
    !shared.budget.all_errors && !collector.found.is_empty()
}

/// Takes what the threads put in line.
fn gather<S: Space>(layers: &mut Layers, workers: &mut [Worker<'_, S>]) {
    for worker in workers {
        for (layer, new) in layers.iter_mut().zip(&mut worker.layers) {
            layer.append(new);
        }
    }
}

/// Follows the edges of all nodes of a layer.
fn go_through<S: Space + Send>(
    shared: &Shared<'_>,
    workers: &mut [Worker<'_, S>],
    layer: &[StateId],
    distance: u32,
    observer: &mut impl Observer,
) where
    S::Step: Send,
{
    let threads = (layer.len() / WORTH).clamp(1, workers.len());
    let shares = Shares::new(layer, threads);
    let (first, others) = workers.split_first_mut().expect("a space");
    if threads == 1 {
        return first.work(shared, &shares, 0, distance, observer);
    }
    std::thread::scope(|scope| {
        for (number, worker) in (1..).zip(&mut others[..threads - 1]) {
            let shares = &shares;
            scope.spawn(move || worker.work(shared, shares, number, distance, &mut ()));
        }
        first.work(shared, &shares, 0, distance, observer);
    });
}

/// Reports the violations that end no farther than `last`, in an order that does not depend on the threads. Those of
/// nodes up to this distance are as near as any.
fn report<S: Space>(
    shared: &Shared<'_>,
    workers: &mut [Worker<'_, S>],
    collector: &mut Collector<S::Step>,
    distance: u32,
    last: u32,
) {
    let mut due: Vec<Met<S::Step>> = Vec::new();
    for worker in workers.iter_mut() {
        for met in worker.met.extract_if(.., |m| m.distance <= last) {
            meet(shared, &mut due, met);
        }
    }
    due.sort_by(|a, b| a.order(shared, b));
    if !shared.budget.all_errors {
        due.truncate(1);
    }
    for met in due {
        let Met { kind, node, last, count, distance: end } = met;
        // What is watched was looked at in all nodes up to the next distance, as far as they are known.
        let known = distance + u32::from(matches!(kind, FoundKind::Watched(_)));
        let worker = &mut workers[0];
        match collector.found.iter_mut().find(|f| f.kind == kind) {
            Some(known) => known.count += count,
            None => {
                collector.note(kind, end <= known, || worker.path(shared, node, last.map(|l| l.1)));
                collector.found.last_mut().expect("just noted").count = count;
            }
        }
    }
}

/// Adds a violation to those of other kinds, or to those of its own.
fn meet<E>(shared: &Shared<'_>, all: &mut Vec<Met<E>>, new: Met<E>) {
    match all.iter_mut().find(|m| m.kind == new.kind) {
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

impl<'a, S: Space> Worker<'a, S> {
    fn new(space: &'a mut S, budget: &'a Budget) -> Self {
        Worker {
            space,
            watch: Watch::new(budget),
            here: Unfolded::default(),
            steps: Vec::new(),
            next: Vec::new(),
            ahead: Ahead::default(),
            found: Vec::new(),
            layers: Default::default(),
            met: Vec::new(),
            broken: Vec::new(),
            stats: Stats::default(),
            cut: false,
        }
    }

    fn memory(&self) -> u64 {
        self.space.memory() + self.layers.iter().map(|l| l.capacity() as u64 * 4).sum::<u64>()
    }

    fn start(&mut self, shared: &Shared<'_>) -> Result<(), Violation> {
        let mut node = std::mem::take(&mut self.next);
        self.space.initial(&mut node)?;
        self.put(shared, &node, Parent::NONE, 0);
        self.reach(shared, 0);
        self.next = node;
        Ok(())
    }

    /// Follows the edges of portions of a layer until none is left.
    fn work(
        &mut self,
        shared: &Shared<'_>,
        shares: &Shares<'_>,
        number: usize,
        distance: u32,
        observer: &mut impl Observer,
    ) {
        while let Some(portion) = shares.portion(number).filter(|_| !shared.team.is_stopped()) {
            let before = self.stats;
            for (at, &id) in portion.iter().enumerate() {
                if let Some(&soon) = portion.get(at + SOON) {
                    shared.store.prefetch_node(soon);
                    shared.reached.prefetch(soon);
                }
                if shared.reached.close(id) {
                    self.expand(shared, id, distance);
                }
                if shared.first_come {
                    self.reach(shared, distance);
                }
                if shared.team.is_stopped() {
                    break;
                }
            }
            self.reach(shared, distance);
            let (stored, transitions) =
                (self.stats.stored - before.stored, self.stats.transitions - before.transitions);
            shared.team.add(stored, transitions);
            let memory = shared.nodes_memory() + self.memory() + shares.layer.len() as u64 * 4;
            shared.team.tick(&mut self.watch, observer, u64::from(distance), memory);
        }
    }

    /// Follows the edges of a node.
    fn expand(&mut self, shared: &Shared<'_>, id: StateId, distance: u32) {
        shared.store.open(&mut self.here, id);
        let from = Parent::new(id, shared.store.hash_here(&self.here));
        let before = self.ahead.len();
        let (here, ahead) = (&mut self.here, &mut self.ahead);
        match self.space.breed(&mut Offspring { store: &shared.store, here, ahead, from, before }) {
            Ok(Some(steps)) => {
                self.stats.depth = self.stats.depth.max(u64::from(distance));
                self.stats.transitions += steps;
            }
            Ok(None) => {
                self.ahead.truncate(before);
                self.expand_step_by_step(shared, from, distance);
            }
            Err(StoreFull) => shared.team.stop(StopReason::Memory),
        }
        if self.ahead.len() >= TOGETHER {
            self.reach(shared, distance);
        }
    }

    fn expand_step_by_step(&mut self, shared: &Shared<'_>, from: Parent, distance: u32) {
        let id = from.id();
        let info = self.space.steps(shared.store.load(&mut self.here, id), &mut self.steps);
        let halted = info.halted;
        self.judge(shared, info, id, distance);
        if let Some(reason) = halted {
            return shared.team.stop(reason);
        }
        self.stats.depth = self.stats.depth.max(u64::from(distance));
        let deep = shared.budget.depth.is_some_and(|limit| distance >= limit);
        if deep && !self.steps.is_empty() && !self.space.is_root(shared.store.load(&mut self.here, id)) {
            self.cut = true;
            return;
        }
        let steps = std::mem::take(&mut self.steps);
        let mut next = std::mem::take(&mut self.next);
        for (place, step) in steps.iter().enumerate() {
            self.follow(shared, from, (place, step), &mut next, distance);
            if self.ahead.len() >= TOGETHER {
                self.reach(shared, distance);
            }
            if shared.team.is_stopped() {
                break;
            }
        }
        (self.steps, self.next) = (steps, next);
    }

    /// Follows an edge of the unfolded node, without looking where it leads.
    fn follow(
        &mut self,
        shared: &Shared<'_>,
        from: Parent,
        (place, step): (usize, &S::Step),
        next: &mut Vec<u8>,
        distance: u32,
    ) {
        let violation = self.space.follow(shared.store.load(&mut self.here, from.id()), step, next);
        let behind = self.space.behind();
        self.stats.transitions += 1 + u64::from(behind);
        if let Some(violation) = violation {
            let length = if behind == 0 { step.length_with(&violation) } else { step.length() + behind };
            let (fatal, end) = (violation.is_fatal(), distance + length);
            let kind = FoundKind::Step(violation);
            self.note(shared, Met { kind, distance: end, node: from.id(), last: Some((place, *step)), count: 1 });
            if fatal {
                return;
            }
        }
        self.put(shared, next, from, step.length() + behind);
    }

    /// Puts a node to those that are to be stored together.
    fn put(&mut self, shared: &Shared<'_>, node: &[u8], from: Parent, length: u32) {
        let way = Way { from, length, counts: self.space.counts(node) };
        if self.ahead.put(&shared.store, &mut self.here, node, way).is_err() {
            shared.team.stop(StopReason::Memory);
        }
    }

    /// Looks where the edges lead that were followed, all at once, so that memory is waited for once.
    fn reach(&mut self, shared: &Shared<'_>, distance: u32) {
        let (mut ahead, mut found) = (std::mem::take(&mut self.ahead), std::mem::take(&mut self.found));
        let expected = |id| shared.reached.prefetch(id);
        if ahead.store(&shared.store, &mut self.here, &mut found, expected).is_err() {
            shared.team.stop(StopReason::Memory);
        }
        for (i, (&found, &way)) in found.iter().zip(ahead.ways()).enumerate() {
            if self.reach_one(shared, found, way, distance) {
                self.look(shared, ahead.node(i), found.0, distance + way.length);
            }
        }
        ahead.clear();
        (self.ahead, self.found) = (ahead, found);
    }

    /// Notes that an edge leads to a node. Says whether it is new.
    #[inline]
    fn reach_one(
        &mut self,
        shared: &Shared<'_>,
        (id, new): (StateId, bool),
        Way { from, length, counts }: Way,
        distance: u32,
    ) -> bool {
        match shared.reached.note(&shared.store, id, new, from, (distance, length)) {
            Ok(true) => self.layers[length as usize].push(id),
            Ok(false) => {}
            Err(StoreFull) => shared.team.stop(StopReason::Memory),
        }
        let counter = if new { &mut self.stats.stored } else { &mut self.stats.matched };
        *counter += u64::from(counts);
        new
    }

    /// Looks at a new node.
    fn look(&mut self, shared: &Shared<'_>, node: &[u8], id: StateId, distance: u32) {
        self.space.look(node, &mut self.broken);
        if self.broken.is_empty() {
            return;
        }
        for number in std::mem::take(&mut self.broken) {
            let kind = FoundKind::Watched(number);
            self.note(shared, Met { kind, distance, node: id, last: None, count: 1 });
            if shared.alone && !shared.budget.all_errors {
                // Where nodes have many successors, finishing the layer would take long.
                return shared.team.stop(StopReason::Violation);
            }
        }
    }

    fn judge(&mut self, shared: &Shared<'_>, info: NodeInfo, node: StateId, distance: u32) {
        let kinds = [
            (info.deadlock, FoundKind::Deadlock),
            (info.invariant_broken, FoundKind::Invariant),
            (info.claim_ended, FoundKind::ClaimEnd),
        ];
        let kinds = kinds.into_iter().filter_map(|(found, kind)| found.then_some(kind));
        for kind in kinds.chain(info.violation.map(FoundKind::Step)) {
            self.note(shared, Met { kind, distance, node, last: None, count: 1 });
        }
    }

    fn note(&mut self, shared: &Shared<'_>, met: Met<S::Step>) {
        meet(shared, &mut self.met, met);
    }

    /// The steps to a node, and one more.
    fn path(&mut self, shared: &Shared<'_>, node: StateId, last: Option<S::Step>) -> Vec<S::Step> {
        let mut path: Vec<S::Step> = last.into_iter().collect();
        let mut to = node;
        while let Some(from) = shared.reached.parent(to) {
            path.push(self.step_between(shared, from, to));
            to = from;
        }
        path.reverse();
        let path = if shared.first_come { path } else { tidied(self.space, path) };
        self.space.write_out(path)
    }

    /// The first of the shortest edges that lead from a node to another.
    fn step_between(&mut self, shared: &Shared<'_>, from: StateId, to: StateId) -> S::Step {
        let (mut steps, mut next, mut end) = (Vec::new(), Vec::new(), Vec::new());
        shared.store.read(to, &mut end);
        self.space.steps(shared.store.load(&mut self.here, from), &mut steps);
        let mut best: Option<(u32, S::Step)> = None;
        for step in &steps {
            let violation = self.space.take(shared.store.load(&mut self.here, from), step, &mut next);
            let length = step.length() + self.space.behind();
            let shorter = best.is_none_or(|(known, _)| length < known);
            if shorter && violation.is_none_or(|v| !v.is_fatal()) && next == end {
                best = Some((length, *step));
            }
        }
        best.expect("a node was reached by an edge").1
    }
}
