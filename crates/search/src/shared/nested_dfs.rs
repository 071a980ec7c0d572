//! Nested depth-first search for accepting cycles on many threads.
//!
//! CNDFS (Evangelista, Laarman, Petrucci and van de Pol 2012): every thread makes a nested search of its own, from the
//! initial node and in an order of its own, and keeps its own stack. They share what has been settled: *blue*, the first
//! search has left a node, and *red*, no accepting cycle passes it. A thread does not enter what is blue. Having left an
//! accepting node, it collects all that it reaches outside the red, looking for its own stack; before it makes that red
//! it waits until the other accepting nodes in there are red, which is up to the threads that are at them.
//!
//! Which cycle is found depends on the threads. So that the answer does not, what is reported is what one thread finds
//! ([`crate::nested_dfs`]), and this search only says when there is nothing to find. As most violations are found soon,
//! that one goes first, for a while; and again when there is a violation, with the same budget.

use std::time::Duration;

use rustc_hash::FxHashSet;

use super::colours::{BLUE, Colours, RED};
use super::team::{Alarm, Team};
use crate::budget::{Budget, Observer, StopReason, Watch};
use crate::nested_dfs::nested_dfs;
use crate::outcome::{Outcome, Stats};
use crate::space::Space;
use crate::store::{SharedStore, StateId, StoreFull, Unfolded};

/// States that one thread looks at before the others are asked.
const ALONE: u64 = 20_000;
/// Edges between two looks at the clock and at the others.
const TURN: u64 = 512;

/// Searches for accepting cycles, and for bad states on the way, on a thread for each of the spaces. With a depth limit
/// or when all violations are asked for, the order matters and one thread does it.
///
/// # Panics
/// Without a space.
pub fn nested_dfs_on<S: Space + Send>(
    spaces: &mut [S],
    budget: &Budget,
    observer: &mut impl Observer,
) -> Outcome<S::Step>
where
    S::Step: Send,
{
    if spaces.len() == 1 || budget.depth.is_some() || budget.all_errors || budget.states.is_some() {
        return nested_dfs(&mut spaces[0], budget, observer);
    }
    let first = nested_dfs(&mut spaces[0], &Budget { states: Some(ALONE), ..budget.clone() }, observer);
    if first.stop != StopReason::States {
        return first;
    }
    let (stop, stats) = search(spaces, budget, observer);
    match stop {
        StopReason::Violation => nested_dfs(&mut spaces[0], budget, observer),
        stop => Outcome { stop, found: Vec::new(), stats },
    }
}

/// Every thread's nested search; says why they stopped, and nothing of what they found.
pub(super) fn search<S: Space + Send>(
    spaces: &mut [S],
    budget: &Budget,
    observer: &mut impl Observer,
) -> (StopReason, Stats)
where
    S::Step: Send,
{
    let shared = Shared {
        store: SharedStore::new(spaces[0].cut(), budget.memory),
        colours: Colours::new(),
        team: Team::default(),
    };
    let count = spaces.len() as u64;
    let mut workers: Vec<Worker<'_, S>> =
        spaces.iter_mut().enumerate().map(|(i, space)| Worker::new(space, budget, &shared, i as u64, count)).collect();
    let (first, others) = workers.split_first_mut().expect("a space");
    std::thread::scope(|scope| {
        for worker in others {
            scope.spawn(|| worker.run(&mut ()));
        }
        first.run(observer);
    });
    let mut stats = Stats { memory: shared.store.memory() + shared.colours.memory(), ..Stats::default() };
    for worker in &workers {
        stats.stored += worker.stats.stored;
        stats.matched += worker.stats.matched;
        stats.transitions += worker.stats.transitions;
        stats.depth = stats.depth.max(worker.stats.depth);
        stats.memory += worker.memory();
    }
    (shared.team.reason().unwrap_or(StopReason::Complete), stats)
}

/// What all threads see.
struct Shared {
    store: SharedStore,
    colours: Colours,
    team: Team,
}

/// A node on a stack.
struct Frame {
    node: StateId,
    /// Its first edge among those of the stack, and how many have been followed.
    first: usize,
    followed: usize,
    /// Which edge is followed first: threads are to go different ways.
    turn: usize,
}

/// The stack of a search.
struct Stack<E> {
    frames: Vec<Frame>,
    edges: Vec<E>,
}

impl<E: Copy> Stack<E> {
    fn new() -> Self {
        Stack { frames: Vec::new(), edges: Vec::new() }
    }

    fn push(&mut self, node: StateId, edges: &[E], turn: u64) {
        let turn = turn.checked_rem(edges.len() as u64).unwrap_or(0) as usize;
        self.frames.push(Frame { node, first: self.edges.len(), followed: 0, turn });
        self.edges.extend_from_slice(edges);
    }

    /// The next edge of the last node, with the node.
    fn follow(&mut self) -> Option<(StateId, E)> {
        let frame = self.frames.last_mut()?;
        let edges = &self.edges[frame.first..];
        if frame.followed == edges.len() {
            return None;
        }
        let edge = edges[(frame.turn + frame.followed) % edges.len()];
        frame.followed += 1;
        Some((frame.node, edge))
    }

    fn pop(&mut self) -> Option<StateId> {
        let frame = self.frames.pop()?;
        self.edges.truncate(frame.first);
        Some(frame.node)
    }
}

/// One thread.
struct Worker<'a, S: Space> {
    space: &'a mut S,
    shared: &'a Shared,
    watch: Watch<'a>,
    /// Which thread it is, of how many.
    number: u64,
    threads: u64,
    here: Unfolded,
    /// The node that the space stands at.
    at: Option<StateId>,
    blue: Stack<S::Step>,
    /// The nodes of the blue stack.
    cyan: FxHashSet<StateId>,
    steps: Vec<S::Step>,
    next: Vec<u8>,
    stats: Stats,
    /// Edges and states that the others have not been told of.
    told: Stats,
}

/// The search ends: all is done, or the team is stopping.
struct Over;

impl From<StoreFull> for Over {
    fn from(_: StoreFull) -> Self {
        Over
    }
}

impl<'a, S: Space> Worker<'a, S> {
    fn new(space: &'a mut S, budget: &'a Budget, shared: &'a Shared, number: u64, threads: u64) -> Self {
        Worker {
            space,
            shared,
            watch: Watch::new(budget),
            number,
            threads,
            here: Unfolded::default(),
            at: None,
            blue: Stack::new(),
            cyan: FxHashSet::default(),
            steps: Vec::new(),
            next: Vec::new(),
            stats: Stats::default(),
            told: Stats::default(),
        }
    }

    fn memory(&self) -> u64 {
        let frames = self.blue.frames.capacity() * std::mem::size_of::<Frame>();
        let edges = self.blue.edges.capacity() * std::mem::size_of::<S::Step>();
        self.space.memory() + (frames + edges + self.cyan.capacity() * 5) as u64
    }

    fn run(&mut self, observer: &mut impl Observer) {
        let _alarm = Alarm(&self.shared.team);
        let mut node = std::mem::take(&mut self.next);
        if self.space.initial(&mut node).is_err() {
            return self.shared.team.stop(StopReason::Violation);
        }
        let done = self.enter(&node).and_then(|()| self.go_on(observer));
        self.next = node;
        self.tell();
        if done.is_err() && !self.shared.team.is_stopped() {
            self.shared.team.stop(StopReason::Memory);
        }
    }

    fn go_on(&mut self, observer: &mut impl Observer) -> Result<(), Over> {
        while !self.blue.frames.is_empty() {
            let Some((node, step)) = self.blue.follow() else {
                self.leave(observer)?;
                continue;
            };
            if self.take(node, &step)? {
                let next = std::mem::take(&mut self.next);
                let entered = self.enter(&next);
                self.next = next;
                entered?;
            }
            self.look_up(observer)?;
        }
        Ok(())
    }

    /// Follows an edge; false when it leads nowhere.
    fn take(&mut self, node: StateId, step: &S::Step) -> Result<bool, Over> {
        let bytes = self.shared.store.load(&mut self.here, node);
        let violation = match self.at.replace(node) == Some(node) {
            true => self.space.follow(bytes, step, &mut self.next),
            false => self.space.take(bytes, step, &mut self.next),
        };
        self.stats.transitions += 1;
        match violation {
            None => Ok(true),
            // One violation is enough, and the search of one thread tells it.
            Some(_) => self.found(),
        }
    }

    fn found<T>(&mut self) -> Result<T, Over> {
        self.shared.team.stop(StopReason::Violation);
        Err(Over)
    }

    fn insert(&mut self, node: &[u8]) -> Result<StateId, Over> {
        let (id, new) = self.shared.store.insert(&mut self.here, node)?;
        let counts = u64::from(self.space.counts(node));
        if new {
            self.shared.colours.prepare(id)?;
            self.stats.stored += counts;
        } else {
            self.stats.matched += counts;
        }
        Ok(id)
    }

    /// Enters a node of the blue search unless it is blue or on the stack.
    fn enter(&mut self, node: &[u8]) -> Result<(), Over> {
        let id = self.insert(node)?;
        if self.shared.colours.has(id, BLUE)? || !self.cyan.insert(id) {
            return Ok(());
        }
        let info = self.space.steps(node, &mut self.steps);
        self.at = Some(id);
        let mut broken = Vec::new();
        self.space.look(node, &mut broken);
        if info.claim_ended || info.violation.is_some() || !broken.is_empty() {
            return self.found();
        }
        if let Some(reason) = info.halted {
            self.shared.team.stop(reason);
            return Err(Over);
        }
        self.blue.push(id, &self.steps, self.turn(id));
        self.stats.depth = self.stats.depth.max(self.blue.frames.len() as u64);
        Ok(())
    }

    /// Where this thread begins with the edges of a node: the first in their order, the others anywhere.
    fn turn(&self, id: StateId) -> u64 {
        (u64::from(id.0) + 1).wrapping_mul(self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32
    }

    /// Leaves the last node of the blue search, looking for a cycle first if it is accepting.
    fn leave(&mut self, observer: &mut impl Observer) -> Result<(), Over> {
        let node = self.blue.pop().expect("a node");
        self.shared.colours.add(node, BLUE)?;
        if self.is_accepting(node) {
            self.red(node, observer)?;
        }
        self.cyan.remove(&node);
        Ok(())
    }

    /// Looks for a way from an accepting node to the stack, and makes red what it has seen when there is none.
    fn red(&mut self, seed: StateId, observer: &mut impl Observer) -> Result<(), Over> {
        let mut seen: FxHashSet<StateId> = FxHashSet::default();
        let mut accepting = Vec::new();
        let mut stack = Stack::new();
        seen.insert(seed);
        self.expand(&mut stack, seed);
        while !stack.frames.is_empty() {
            let Some((node, step)) = stack.follow() else {
                stack.pop();
                continue;
            };
            if self.take(node, &step)? {
                let next = std::mem::take(&mut self.next);
                let id = self.insert(&next);
                self.next = next;
                let id = id?;
                if self.cyan.contains(&id) {
                    return self.found();
                }
                if !self.shared.colours.has(id, RED)? && seen.insert(id) {
                    if self.is_accepting(id) {
                        accepting.push(id);
                    }
                    self.expand(&mut stack, id);
                }
            }
            self.look_up(observer)?;
        }
        for id in accepting {
            while !self.shared.colours.has(id, RED)? {
                // Another thread has left that node, or will; the one that is there makes it red.
                std::thread::sleep(Duration::from_micros(50));
                self.look_up_now(observer)?;
            }
        }
        for id in seen {
            self.shared.colours.add(id, RED)?;
        }
        Ok(())
    }

    fn is_accepting(&mut self, id: StateId) -> bool {
        self.at = None;
        self.space.is_accepting(self.shared.store.load(&mut self.here, id))
    }

    fn expand(&mut self, stack: &mut Stack<S::Step>, id: StateId) {
        self.space.steps(self.shared.store.load(&mut self.here, id), &mut self.steps);
        self.at = Some(id);
        stack.push(id, &self.steps, self.turn(id));
    }

    fn tell(&mut self) {
        let stored = self.stats.stored - self.told.stored;
        let transitions = self.stats.transitions - self.told.transitions;
        self.shared.team.add(stored, transitions);
        self.told = self.stats;
    }

    /// Now and then: the clock, the others.
    fn look_up(&mut self, observer: &mut impl Observer) -> Result<(), Over> {
        if self.stats.transitions - self.told.transitions < TURN {
            return Ok(());
        }
        self.look_up_now(observer)
    }

    fn look_up_now(&mut self, observer: &mut impl Observer) -> Result<(), Over> {
        self.tell();
        let memory = self.shared.store.memory() + self.shared.colours.memory() + self.threads * self.memory();
        let depth = self.blue.frames.len() as u64;
        self.shared.team.tick(&mut self.watch, observer, depth, memory);
        if self.shared.team.is_stopped() { Err(Over) } else { Ok(()) }
    }
}
