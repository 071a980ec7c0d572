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

mod red;
mod stack;
mod visited;

use lurcher_ir::analysis::Acceptance;
use lurcher_system::Violation;

use crate::budget::{Budget, BudgetMeter, Observer, Progress, StopReason};
use crate::outcome::{Collector, FoundKind, Outcome, Stats};
use crate::space::{Edge, Space};
use crate::store::Storage;
use crate::walk::Draws;

pub(crate) use stack::Stack;
pub(crate) use visited::Exact;
use visited::{Lossy, Visit, Visited};

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
    let visited = Exact::new(space.partition(), false, budget);
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
    let visited = Exact::new(space.partition(), false, budget);
    let settings = Settings { nesting: None, depth_in_nodes: false, stop_at_step: true };
    let mut search = Search::new(space, visited, settings, budget, observer);
    search.random = Some((draws, is_abandoned));
    search.run().0
}

/// Searches for accepting cycles, and for violating steps on the way. Depths are numbers of nodes on the stack.
pub fn nested_dfs<S: Space>(
    space: &mut S,
    nesting: Nesting,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Outcome<S::Step> {
    let visited = Exact::new(space.partition(), true, budget);
    let settings = Settings { nesting: Some(nesting), depth_in_nodes: true, stop_at_step: false };
    Search::new(space, visited, settings, budget, observer).run().0
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

pub(crate) struct Search<'a, S: Space, V: Visited, O> {
    pub space: &'a mut S,
    pub visited: V,
    settings: Settings,
    budget: &'a Budget,
    meter: BudgetMeter<'a>,
    observer: &'a mut O,
    pub blue: Stack<V::Node, S::Step>,
    /// Empty unless a red search is running.
    red: Stack<V::Node, S::Step>,
    /// The space has loaded the top node of the current stack.
    at_top: bool,
    steps: Vec<S::Step>,
    /// What puts edges into a random order, and whether the search is abandoned.
    random: Option<(Draws, &'a dyn Fn() -> bool)>,
    pub stats: Stats,
    pub collector: Collector<S::Step>,
    /// What a search around this one adds to its progress, and the memory that it uses.
    pub around: Progress,
    /// A fully accepting component has a cycle that is not accepting.
    atomic_cycle: bool,
    /// The depth limit hides a part of the graph.
    cut: bool,
}

impl<'a, S: Space, V: Visited, O: Observer> Search<'a, S, V, O> {
    pub fn new(space: &'a mut S, visited: V, settings: Settings, budget: &'a Budget, observer: &'a mut O) -> Self {
        Search {
            space,
            visited,
            settings,
            budget,
            meter: BudgetMeter::new(budget),
            observer,
            blue: Stack::new(),
            red: Stack::new(),
            at_top: false,
            steps: Vec::new(),
            random: None,
            stats: Stats::default(),
            collector: Collector::new(),
            around: Progress::default(),
            atomic_cycle: false,
            cut: false,
        }
    }

    fn run(mut self) -> (Outcome<S::Step>, V) {
        let _scope = self.budget.resources.enter();
        let stop = self.explore();
        self.stats.memory = self.memory();
        (Outcome { found: self.collector.found, ..Outcome::new(stop, self.stats) }, self.visited)
    }

    fn explore(&mut self) -> StopReason {
        let mut next = Vec::new();
        if let Err(violation) = self.space.initial(&mut next) {
            self.collector.note(FoundKind::Step(violation), true, Vec::new);
            return StopReason::Violation;
        }
        let mut stop = self.enter(&next, 0);
        while stop.is_none() && !self.is_done() && !self.blue.is_empty() {
            stop = match self.blue.next_edge() {
                Some((node, depth, step)) => self.follow(node, depth, &step, &mut next),
                None => self.leave(),
            };
        }
        match stop {
            _ if self.is_done() => StopReason::Violation,
            Some(stop) => stop,
            None if self.cut => StopReason::Depth,
            None => V::EXHAUSTED,
        }
    }

    /// Whether a violation was found and one is enough.
    pub fn is_done(&self) -> bool {
        !self.budget.all_errors && !self.collector.found.is_empty()
    }

    pub fn memory(&self) -> u64 {
        self.around.memory + self.visited.memory() + self.space.memory() + self.blue.memory() + self.red.memory()
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

    /// Follows an edge of the top node of the blue stack.
    pub fn follow(&mut self, node: V::Node, depth: u32, step: &S::Step, next: &mut Vec<u8>) -> Option<StopReason> {
        if let Some(violation) = self.take(node, step, next) {
            let fatal = violation.is_fatal();
            self.note(FoundKind::Step(violation));
            if fatal || self.settings.stop_at_step && self.is_done() {
                return None;
            }
        }
        let length = if self.settings.depth_in_nodes { 1 } else { step.length() };
        self.enter(next, depth + length).or_else(|| self.tick())
    }

    /// The successor of the top node of the current stack.
    fn take(&mut self, node: V::Node, step: &S::Step, next: &mut Vec<u8>) -> Option<Violation> {
        self.stats.transitions += 1;
        let node = self.visited.load(node);
        match std::mem::replace(&mut self.at_top, true) {
            true => self.space.follow(node, step, next),
            false => self.space.take(node, step, next),
        }
    }

    /// Visits a node and pushes it unless it is known.
    pub fn enter(&mut self, node: &[u8], depth: u32) -> Option<StopReason> {
        let Ok(visit) = self.visited.visit(node, depth) else { return Some(StopReason::Memory) };
        let counts = u64::from(self.space.counts(node));
        let (id, new) = match visit {
            Visit::New(id) => (id, true),
            Visit::Again(id) => (id, false),
            Visit::OnStack(id) => {
                self.stats.matched += counts;
                self.close_blue(id, node);
                return None;
            }
            Visit::Known => {
                self.stats.matched += counts;
                return None;
            }
        };
        self.stats.stored += if new { counts } else { 0 };
        let info = self.space.steps(self.visited.load(id), &mut self.steps);
        self.at_top = true;
        if let Some((draws, _)) = &mut self.random {
            draws.shuffle(&mut self.steps);
        }
        let limited = self.budget.depth.is_some_and(|limit| depth >= limit);
        if limited && !self.steps.is_empty() && !self.space.is_root(node) {
            self.cut = true;
            self.steps.clear();
        }
        self.stats.expanded += 1;
        self.blue.push(id, depth, &self.steps);
        self.stats.depth = self.stats.depth.max(u64::from(depth) + u64::from(self.settings.depth_in_nodes));
        if new {
            let mut broken = Vec::new();
            self.space.check_node(node, &mut broken);
            broken.into_iter().for_each(|number| self.note(FoundKind::Watched(number)));
        }
        let halted = info.halted;
        for kind in info.kinds() {
            // A search for cycles ignores deadlocks and invariants.
            if self.settings.nesting.is_none() || !matches!(kind, FoundKind::Deadlock | FoundKind::Invariant) {
                self.note(kind);
            }
        }
        halted
    }

    /// Notes a violation at the end of the current path.
    fn note(&mut self, kind: FoundKind) {
        let blue = &self.blue;
        self.collector.note(kind, false, || blue.path());
    }

    /// Pops the top node of the blue stack, after a red search if it has to start one.
    pub fn leave(&mut self) -> Option<StopReason> {
        let node = self.blue.top()?;
        if self.starts_red(node) {
            let stop = self.search_red(node);
            if stop.is_some() {
                return stop;
            }
        }
        self.blue.pop();
        self.visited.leave(node, false);
        self.at_top = false;
        None
    }

    /// Whether a red search starts where the blue search leaves a node.
    fn starts_red(&mut self, node: V::Node) -> bool {
        let Some(nesting) = self.settings.nesting else { return false };
        let node = self.visited.load(node);
        let is_nested = match (nesting, self.space.component(node).acceptance) {
            (Nesting::Everywhere, _) | (_, Acceptance::PartiallyAccepting) => true,
            (_, Acceptance::FullyAccepting) => self.atomic_cycle,
            (_, Acceptance::NonAccepting) => false,
        };
        is_nested && self.space.is_accepting(node)
    }
}
