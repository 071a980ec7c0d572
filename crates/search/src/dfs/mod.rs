//! Depth-first search for bad states, and nested depth-first search for accepting cycles.
//!
//! One driver serves all depth-first searches of one thread. It is generic over the visited nodes ([`Visited`]): an exact
//! store, or a lossy set (hash-compact, bitstate) with the encoded nodes on the stack.
//!
//! The nested search follows Courcoubetis, Vardi, Wolper and Yannakakis (1992): the first (blue) search explores the graph;
//! when it leaves an accepting node, a second (red) search looks for a path from there back to the node. Each search
//! visits a node at most once, because a failed red search proves that no accepting cycle passes its nodes. With an exact
//! store, a red search stops early as in Holzmann, Peled and Yannakakis (1996): it is enough to reach the blue stack, since
//! every node on it leads to the seed. With a lossy set, only a red search that returns to the seed, byte by byte, counts.
//! So lossy storage may hide a violation and never invents one; but it proves nothing ([`StopReason::Storage`]).
//!
//! The improved nested search ([`Nesting::PartialComponents`]) uses the classes of the claim's components (Edelkamp, Leue and
//! Lluch-Lafuente 2003, figure 15):
//!
//! * non-accepting: no red search, which the classic search does not start there either;
//! * fully accepting: an edge that closes a cycle of the blue search closes an accepting one, so no red search is needed;
//! * partially accepting: red searches that stay inside the component.
//!
//! We depart from the paper in one case. While a process holds exclusive control, the claim does not move, so there may be
//! cycles inside `atomic` that are not accepting although their component is fully accepting. When the blue search closes the
//! first of them, it starts red searches in fully accepting components from then on. That is early enough: until then every
//! cycle that was closed was accepting and would have ended the search, so no node that was left lies on a cycle.
//!
//! All of these searches report violating steps; those without cycles report bad states, too.

mod blue;
mod expanded;
mod paths;
mod red;
mod stack;
mod visited;

use crate::budget::{Budget, BudgetMeter, Observer, Progress, StopReason};
use crate::outcome::{Collector, FoundKind, Outcome, Stats};
use crate::space::{Expander, Space};
use crate::store::Storage;
use crate::walk::Draws;

pub(crate) use expanded::{StackEdge, StackNode, Successor};
pub(crate) use stack::Stack;
pub(crate) use visited::Exact;
use visited::{Lossy, Visited};

/// Where a nested search starts red searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nesting {
    /// From every accepting node.
    #[default]
    Everywhere,
    /// From accepting nodes in partially accepting components of the claim; red searches stay inside the component.
    PartialComponents,
}

/// Searches depth first for bad states, in the order of the space's edges.
///
/// With a depth limit, a node that is reached again at a smaller depth is explored again, because the limit cuts less
/// below it.
pub fn dfs<S: Space>(space: &mut S, budget: &Budget, observer: &mut impl Observer) -> Outcome<S::Step> {
    let visited = Exact::new(Space::partition(space), false, budget);
    let settings = Settings { nesting: None, depth_in_nodes: false, stop_at_step: true };
    Search::new(space, visited, settings, budget, observer).run().0
}

/// Searches depth first for bad states, with the edges of every node in a random order (Dwyer, Elbaum, Person and Purandare 2007). It
/// ends when its result is not wanted any more.
pub fn random_dfs<S: Space>(
    space: &mut S,
    draws: Draws,
    is_abandoned: &dyn Fn() -> bool,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Outcome<S::Step> {
    let visited = Exact::new(Space::partition(space), false, budget);
    let settings = Settings { nesting: None, depth_in_nodes: false, stop_at_step: true };
    let mut search = Search::new(space, visited, settings, budget, observer);
    search.random = Some((draws, is_abandoned));
    search.run().0
}

/// Searches for accepting cycles, and for violating steps on the way. Depths are numbers of nodes on the stack.
pub fn nested_dfs<E: Expander>(
    expander: &mut E,
    nesting: Nesting,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Outcome<StepOf<E>> {
    let visited = Exact::new(expander.partition(), true, budget);
    let settings = Settings { nesting: Some(nesting), depth_in_nodes: true, stop_at_step: false };
    Search::new(expander, visited, settings, budget, observer).run().0
}

/// Searches depth first with lossy storage: with `cycles` for accepting cycles, otherwise for bad states. Also returns the
/// probability that a new node is taken for a visited one, at the end.
pub fn lossy_dfs<S: Space>(
    space: &mut S,
    storage: Storage,
    cycles: bool,
    budget: &Budget,
    observer: &mut impl Observer,
) -> (Outcome<S::Step>, f64) {
    let Ok(visited) = Lossy::new(storage, budget) else {
        return (Outcome::new(StopReason::Memory, Stats::default()), 1.0);
    };
    let nesting = cycles.then_some(Nesting::Everywhere);
    let settings = Settings { nesting, depth_in_nodes: false, stop_at_step: false };
    let (outcome, visited) = Search::new(space, visited, settings, budget, observer).run();
    (outcome, visited.omission())
}

/// What distinguishes the depth-first searches beside their storage.
pub(crate) struct Settings {
    /// Which accepting nodes start a red search when they are left; none in a search for bad states.
    pub nesting: Option<Nesting>,
    /// Measure depth in nodes on the stack, not in steps.
    pub depth_in_nodes: bool,
    /// Stop at a violating step without entering the node behind it.
    pub stop_at_step: bool,
}

/// The edges of an expander's space.
type StepOf<E> = <<E as Expander>::Space as Space>::Step;
/// A stack of nodes with their edges.
type NodeStack<N, E> = Stack<StackNode<N>, StackEdge<N, StepOf<E>>>;

pub(crate) struct Search<'a, E: Expander, V: Visited, O> {
    pub expander: &'a mut E,
    pub visited: V,
    settings: Settings,
    budget: &'a Budget,
    meter: BudgetMeter<'a>,
    observer: &'a mut O,
    pub blue: NodeStack<V::Node, E>,
    /// Empty unless a red search is running.
    red: NodeStack<V::Node, E>,
    /// The space has loaded the top node of the current stack.
    at_top: bool,
    steps: Vec<StepOf<E>>,
    /// Scratch space for the successors that the fast path finds.
    successors: Vec<Successor<V::Node>>,
    /// What puts edges into a random order, and whether the search is abandoned.
    random: Option<(Draws, &'a dyn Fn() -> bool)>,
    pub stats: Stats,
    pub collector: Collector<StepOf<E>>,
    /// What a search around this one adds to its progress, and the memory that it uses.
    pub around: Progress,
    /// A fully accepting component has a cycle that is not accepting.
    atomic_cycle: bool,
    /// The depth limit hides a part of the graph.
    cut: bool,
    /// The limit that was reached before a path was known.
    path_limit: Option<StopReason>,
}

impl<'a, E: Expander, V: Visited, O: Observer> Search<'a, E, V, O> {
    pub fn new(expander: &'a mut E, visited: V, settings: Settings, budget: &'a Budget, observer: &'a mut O) -> Self {
        Search {
            expander,
            visited,
            settings,
            budget,
            meter: BudgetMeter::new(budget),
            observer,
            blue: Stack::new(),
            red: Stack::new(),
            at_top: false,
            steps: Vec::new(),
            successors: Vec::new(),
            random: None,
            stats: Stats::default(),
            collector: Collector::new(),
            around: Progress::default(),
            atomic_cycle: false,
            cut: false,
            path_limit: None,
        }
    }

    fn run(mut self) -> (Outcome<StepOf<E>>, V) {
        let _scope = self.budget.resources.enter();
        let stop = self.explore();
        self.stats.memory = self.memory();
        let Collector { found, pathless } = self.collector;
        (Outcome { found, pathless, ..Outcome::new(stop, self.stats) }, self.visited)
    }

    fn explore(&mut self) -> StopReason {
        let mut next = Vec::new();
        if let Err(violation) = self.expander.space().initial(&mut next) {
            self.collector.note(FoundKind::Step(violation), true, Vec::new);
            return StopReason::Violation;
        }
        let mut stop = self.enter(&next, 0);
        while stop.is_none() && !self.is_done() && !self.blue.is_empty() {
            stop = match self.blue.next_edge() {
                Some((top, depth, StackEdge::Step(step))) => self.follow(top.node, depth, &step, &mut next),
                Some((_, depth, StackEdge::Successor(successor))) => self.enter_stored(successor, depth + 1),
                None => self.leave(),
            };
        }
        match self.path_limit.or(stop) {
            Some(limit) if self.path_limit.is_some() => limit,
            _ if self.is_done() => StopReason::Violation,
            Some(stop) => stop,
            None if self.cut => StopReason::Depth,
            None => V::EXHAUSTED,
        }
    }

    /// Whether a violation was found and one is enough, or its path was not found in time.
    pub fn is_done(&self) -> bool {
        self.path_limit.is_some() || !self.budget.all_errors && !self.collector.found.is_empty()
    }

    pub fn memory(&self) -> u64 {
        self.around.memory + self.visited.memory() + self.expander.memory() + self.blue.memory() + self.red.memory()
    }

    /// Checks the budget now and then.
    pub fn tick(&mut self) -> Option<StopReason> {
        if !self.meter.is_due(self.stats.transitions) {
            return None;
        }
        if self.random.as_ref().is_some_and(|(_, is_abandoned)| is_abandoned()) {
            return Some(StopReason::Interrupted);
        }
        let Stats { stored, transitions, .. } = self.stats;
        let (depth, memory) = (self.blue.len() as u64, self.memory());
        let progress = Progress { stored, transitions, depth, memory, ..self.around };
        self.meter.check(transitions, &progress, self.observer)
    }
}
