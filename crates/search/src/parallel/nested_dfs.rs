//! Nested depth-first search for accepting cycles on several threads.
//!
//! CNDFS (Evangelista, Laarman, Petrucci and van de Pol 2012): every thread runs its own nested search from the initial node,
//! in its own order and with its own stack. Threads share two colours of nodes: *blue*, a blue search has left the node, and
//! *red*, no accepting cycle passes it. A thread does not enter blue nodes. When it leaves an accepting node, it collects all
//! nodes reachable from there that are not red, and looks for its own stack among them; before it colours them red, it waits
//! until the other accepting nodes among them are red, which is up to the threads that have these nodes on their stacks.
//!
//! With [`Nesting::PartialComponents`], red searches start and stay in partially accepting components of the claim. In a fully
//! accepting one, a thread looks for cycles that its blue search closes with its own stack. It misses none: of the nodes of
//! a cycle, take the first that becomes blue. When a thread left it, the next node of the cycle was not blue, and so it was on
//! the stack of this thread.
//!
//! Which cycle is found depends on the threads. To make the result deterministic, this search only proves that there is
//! nothing to find; violations are reported by the search on one thread ([`crate::nested_dfs`]). As most violations are found
//! soon, that one runs first, for a limited number of states; and again if the threads find a violation.

use std::time::Duration;

use lurcher_ir::analysis::Acceptance;
use rustc_hash::FxHashSet;

use super::colours::{BLUE, Colours, RED};
use super::control::{SearchControl, StopOnPanic};
use super::node_expansion::NodeExpansion;
use crate::budget::{Budget, BudgetMeter, Observer, StopReason};
use crate::dfs::{Nesting, Stack, StackEdge, StackNode, Successor, nested_dfs};
use crate::outcome::{Outcome, Stats};
use crate::space::{ClaimComponent, Expander, NodeClass, NodeInfo, Space};
use crate::store::{DecodedState, SharedStore, StateId, StoreFull};

/// States that one thread explores before the others start.
const SEQUENTIAL_STATES: u64 = 20_000;
/// Transitions between two checks of the budget and of the other threads.
const INTERVAL: u64 = 512;

/// Searches for accepting cycles, and for bad states on the way, on a thread for each space. With a depth limit or
/// `all_errors` the order of exploration matters, and one thread is used.
///
/// # Panics
/// Without a space.
pub fn nested_dfs_on<E: Expander + Send>(
    spaces: &mut [E],
    nesting: Nesting,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Outcome<StepOf<E>>
where
    StepOf<E>: Send,
{
    let mut alone = |expander: &mut E, budget: &Budget| nested_dfs(expander, nesting, budget, observer);
    if spaces.len() == 1 || budget.depth.is_some() || budget.all_errors || budget.states.is_some() {
        return alone(&mut spaces[0], budget);
    }
    let first = alone(&mut spaces[0], &Budget { states: Some(SEQUENTIAL_STATES), ..budget.clone() });
    if first.stop != StopReason::States {
        return first;
    }
    let (stop, stats) = search(spaces, nesting, budget, observer);
    match stop {
        StopReason::Violation => {
            let outcome = nested_dfs(&mut spaces[0], nesting, budget, observer);
            Outcome { pathless: outcome.found.is_empty(), ..outcome }
        }
        stop => Outcome::new(stop, stats),
    }
}

/// The nested searches of all threads, without what they find.
pub(super) fn search<E: Expander + Send>(
    spaces: &mut [E],
    nesting: Nesting,
    budget: &Budget,
    observer: &mut impl Observer,
) -> (StopReason, Stats)
where
    StepOf<E>: Send,
{
    let shared = Shared {
        store: SharedStore::new(spaces[0].partition(), budget.resources.memory),
        colours: Colours::new(),
        control: SearchControl::default(),
        nesting,
    };
    let count = spaces.len() as u64;
    let worker = |(number, expander)| Worker::new(expander, budget, &shared, number, count);
    let mut workers: Vec<Worker<'_, E>> = (0..).zip(spaces).map(worker).collect();
    let (first, others) = workers.split_first_mut().expect("a space");
    let _scope = budget.resources.enter();
    std::thread::scope(|scope| {
        for worker in others {
            scope.spawn(|| worker.run(&mut ()));
        }
        first.run(observer);
    });
    let mut stats = Stats { memory: shared.memory(), ..Stats::default() };
    workers.iter().for_each(|worker| stats.merge(&Stats { memory: worker.memory(), ..worker.stats }));
    (shared.control.reason().unwrap_or(StopReason::Complete), stats)
}

/// What all threads share.
struct Shared {
    store: SharedStore,
    colours: Colours,
    control: SearchControl,
    nesting: Nesting,
}

impl Shared {
    fn memory(&self) -> u64 {
        self.store.memory() + self.colours.memory()
    }
}

type StepOf<E> = <<E as Expander>::Space as Space>::Step;
/// A stack of nodes with their edges.
type NodeStack<E> = Stack<StackNode<StateId>, StackEdge<StateId, StepOf<E>>>;

/// One thread.
struct Worker<'a, E: Expander> {
    expander: &'a mut E,
    shared: &'a Shared,
    meter: BudgetMeter<'a>,
    /// The number of this thread, of how many.
    number: u64,
    threads: u64,
    decoded: DecodedState,
    /// The node that the space has loaded.
    at: Option<StateId>,
    expansion: NodeExpansion,
    blue: NodeStack<E>,
    /// The nodes of the blue stack.
    cyan: FxHashSet<StateId>,
    steps: Vec<StepOf<E>>,
    edges: Vec<StackEdge<StateId, StepOf<E>>>,
    stats: Stats,
    /// The counts that were added to the control.
    reported: Stats,
}

impl<'a, E: Expander> Worker<'a, E> {
    fn new(expander: &'a mut E, budget: &'a Budget, shared: &'a Shared, number: u64, threads: u64) -> Self {
        Worker {
            expander,
            shared,
            meter: BudgetMeter::new(budget),
            number,
            threads,
            decoded: DecodedState::default(),
            at: None,
            expansion: NodeExpansion::default(),
            blue: Stack::new(),
            cyan: FxHashSet::default(),
            steps: Vec::new(),
            edges: Vec::new(),
            stats: Stats::default(),
            reported: Stats::default(),
        }
    }

    fn memory(&self) -> u64 {
        self.expander.memory() + self.blue.memory() + self.cyan.capacity() as u64 * 5
    }

    fn run(&mut self, observer: &mut impl Observer) {
        let _stop = StopOnPanic(&self.shared.control);
        let mut node = Vec::new();
        let searched = match self.expander.space().initial(&mut node) {
            Ok(()) => self.search_blue(node, observer),
            Err(_) => Err(StopReason::Violation),
        };
        self.report();
        if let Err(reason) = searched {
            self.shared.control.stop(reason);
        }
    }

    fn search_blue(&mut self, mut next: Vec<u8>, observer: &mut impl Observer) -> Result<(), StopReason> {
        self.enter_node(&next)?;
        while !self.blue.is_empty() {
            let Some((top, _, edge)) = self.blue.next_edge() else {
                self.leave(observer)?;
                continue;
            };
            match edge {
                StackEdge::Step(step) => {
                    self.take(top.node, &step, &mut next)?;
                    self.enter_node(&next)?;
                }
                StackEdge::Successor(Successor { node, component, .. }) => {
                    self.stats.transitions += 1;
                    self.enter(node, component)?;
                }
            }
            self.tick(observer)?;
        }
        Ok(())
    }

    /// Follows an edge. A violation ends the search: one is enough, and the search on one thread reports it.
    fn take(&mut self, node: StateId, step: &StepOf<E>, next: &mut Vec<u8>) -> Result<(), StopReason> {
        let bytes = self.shared.store.load(&mut self.decoded, node);
        let violation = match self.at.replace(node) == Some(node) {
            true => self.expander.space().follow(bytes, step, next),
            false => self.expander.space().take(bytes, step, next),
        };
        self.stats.transitions += 1;
        if violation.is_some() { Err(StopReason::Violation) } else { Ok(()) }
    }

    fn insert(&mut self, node: &[u8]) -> Result<StateId, StopReason> {
        let (id, new) = self.shared.store.insert(&mut self.decoded, node)?;
        self.note_inserted(id, new, self.expander.graph().counts(node))?;
        Ok(id)
    }

    fn note_inserted(&mut self, id: StateId, new: bool, counts: bool) -> Result<(), StoreFull> {
        let counter = if new { &mut self.stats.stored } else { &mut self.stats.matched };
        *counter += u64::from(counts);
        if new { self.shared.colours.prepare(id) } else { Ok(()) }
    }

    fn enter_node(&mut self, node: &[u8]) -> Result<(), StopReason> {
        let id = self.insert(node)?;
        let component = self.expander.graph().component(node);
        self.enter(id, component)
    }

    /// Pushes a node on the blue stack unless it is blue or on the stack.
    fn enter(&mut self, id: StateId, component: ClaimComponent) -> Result<(), StopReason> {
        if self.shared.colours.has(id, BLUE)? {
            return Ok(());
        }
        if !self.cyan.insert(id) {
            // The search on one thread decides whether the cycle is accepting: it is not inside `atomic`.
            let classified = self.shared.nesting == Nesting::PartialComponents;
            let closes = classified && component.acceptance == Acceptance::FullyAccepting;
            return if closes { Err(StopReason::Violation) } else { Ok(()) };
        }
        let class = self.expand(id)?;
        if class.is_none() {
            let info = self.list_steps(id);
            let mut broken = Vec::new();
            self.expander.space().check_node(self.shared.store.load(&mut self.decoded, id), &mut broken);
            if info.claim_ended || info.violation.is_some() || !broken.is_empty() {
                return Err(StopReason::Violation);
            }
            if let Some(reason) = info.halted {
                return Err(reason);
            }
        }
        self.rotate_edges(id);
        self.blue.push(StackNode { node: id, class }, 0, self.edges.iter().copied());
        self.stats.depth = self.stats.depth.max(self.blue.len() as u64);
        Ok(())
    }

    /// Lists the successors of a node by the fast path of the space. None if it needs the slow path.
    fn expand(&mut self, id: StateId) -> Result<Option<NodeClass>, StopReason> {
        if !self.expansion.expand(self.expander, &self.shared.store, &mut self.decoded, id)? {
            return Ok(None);
        }
        self.at = None;
        self.stats.expanded += 1;
        self.edges.clear();
        let expansion = std::mem::take(&mut self.expansion);
        for (at, (node, new, counts)) in expansion.successors().enumerate() {
            self.note_inserted(node, new, counts)?;
            let component = self.expander.component_of(at);
            self.edges.push(StackEdge::Successor(Successor { node, component, counts }));
        }
        self.expansion = expansion;
        Ok(Some(self.expander.class()))
    }

    /// Lists the edges of a node.
    fn list_steps(&mut self, id: StateId) -> NodeInfo {
        let info = self.expander.space().steps(self.shared.store.load(&mut self.decoded, id), &mut self.steps);
        self.at = Some(id);
        self.stats.expanded += 1;
        self.edges.clear();
        self.edges.extend(self.steps.iter().map(|&step| StackEdge::Step(step)));
        info
    }

    /// Rotates the edges of a node, so that threads explore different parts of the graph. The first thread keeps their order.
    fn rotate_edges(&mut self, id: StateId) {
        let random = (u64::from(id.0) + 1).wrapping_mul(self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32;
        let first = random.checked_rem(self.edges.len() as u64).unwrap_or(0);
        self.edges.rotate_left(first as usize);
    }

    /// Pops the top node of the blue stack, and runs a red search if it is accepting.
    fn leave(&mut self, observer: &mut impl Observer) -> Result<(), StopReason> {
        let top = self.blue.pop().expect("the stack is not empty");
        self.shared.colours.add(top.node, BLUE)?;
        let class = self.class(top);
        if class.accepts && self.starts_red(class.component) {
            self.search_red(top.node, class.component, observer)?;
        }
        self.cyan.remove(&top.node);
        Ok(())
    }

    /// The class of a node on a stack.
    fn class(&mut self, top: StackNode<StateId>) -> NodeClass {
        top.class.unwrap_or_else(|| {
            let node = self.shared.store.load(&mut self.decoded, top.node);
            self.at = None;
            let component = self.expander.graph().component(node);
            NodeClass { component, accepts: self.expander.space().is_accepting(node) }
        })
    }

    /// Whether an accepting node in a component starts a red search.
    fn starts_red(&self, component: ClaimComponent) -> bool {
        self.shared.nesting == Nesting::Everywhere || component.acceptance == Acceptance::PartiallyAccepting
    }

    /// Searches for a path from an accepting node to the blue stack, and colours the visited nodes red if there is none.
    fn search_red(
        &mut self,
        seed: StateId,
        component: ClaimComponent,
        observer: &mut impl Observer,
    ) -> Result<(), StopReason> {
        let mut visited: FxHashSet<StateId> = FxHashSet::default();
        let (mut accepting, mut next) = (Vec::new(), Vec::new());
        let mut stack = Stack::new();
        let bounded = self.shared.nesting == Nesting::PartialComponents;
        visited.insert(seed);
        self.push_red(&mut stack, seed)?;
        while !stack.is_empty() {
            let Some((top, _, edge)) = stack.next_edge() else {
                stack.pop();
                continue;
            };
            let (id, reached) = match edge {
                StackEdge::Successor(Successor { node, component, .. }) => {
                    self.stats.transitions += 1;
                    (Some(node), component)
                }
                StackEdge::Step(step) => {
                    self.take(top.node, &step, &mut next)?;
                    (None, self.expander.graph().component(&next))
                }
            };
            if bounded && reached.number != component.number {
                continue;
            }
            let id = id.map_or_else(|| self.insert(&next), Ok)?;
            if self.cyan.contains(&id) {
                return Err(StopReason::Violation);
            }
            if !self.shared.colours.has(id, RED)? && visited.insert(id) {
                let top = self.push_red(&mut stack, id)?;
                if self.class(top).accepts {
                    accepting.push(id);
                }
            }
            self.tick(observer)?;
        }
        for id in accepting {
            while !self.shared.colours.has(id, RED)? {
                // Another thread has the node on its blue stack and colours it red.
                std::thread::sleep(Duration::from_micros(50));
                self.check(observer)?;
            }
        }
        for id in visited {
            self.shared.colours.add(id, RED)?;
        }
        Ok(())
    }

    fn push_red(&mut self, stack: &mut NodeStack<E>, id: StateId) -> Result<StackNode<StateId>, StopReason> {
        let class = self.expand(id)?;
        if class.is_none() {
            self.list_steps(id);
        }
        self.rotate_edges(id);
        let top = StackNode { node: id, class };
        stack.push(top, 0, self.edges.iter().copied());
        Ok(top)
    }

    /// Adds the new counts to the control.
    fn report(&mut self) {
        let stored = self.stats.stored - self.reported.stored;
        let transitions = self.stats.transitions - self.reported.transitions;
        self.shared.control.add(stored, transitions);
        self.reported = self.stats;
    }

    /// Checks the budget and the other threads now and then.
    fn tick(&mut self, observer: &mut impl Observer) -> Result<(), StopReason> {
        if self.stats.transitions - self.reported.transitions < INTERVAL {
            return Ok(());
        }
        self.check(observer)
    }

    fn check(&mut self, observer: &mut impl Observer) -> Result<(), StopReason> {
        self.report();
        let memory = self.shared.memory() + self.threads * self.memory();
        self.shared.control.tick(&mut self.meter, observer, self.blue.len() as u64, memory);
        self.shared.control.reason().map_or(Ok(()), Err)
    }
}
