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

mod edges;
mod red;

use lurcher_ir::analysis::Acceptance;
use rustc_hash::FxHashSet;

use super::colours::{BLUE, Colours, RED};
use super::control::{SearchControl, StopOnPanic};
use super::node_expansion::NodeExpansion;
use crate::budget::{Budget, BudgetMeter, Observer, StopReason};
use crate::dfs::{Nesting, Stack, StackEdge, StackNode, Successor, nested_dfs};
use crate::outcome::{Outcome, Stats};
use crate::space::{ClaimComponent, Expander, Space};
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

    /// Whether an accepting node in a component starts a red search.
    fn starts_red(&self, component: ClaimComponent) -> bool {
        self.shared.nesting == Nesting::Everywhere || component.acceptance == Acceptance::PartiallyAccepting
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
