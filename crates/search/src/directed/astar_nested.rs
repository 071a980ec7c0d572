//! A\* and improved nested depth-first search: A\* leads to components of the claim with accepting cycles, a nested search looks
//! for a cycle there (Edelkamp, Leue and Lluch-Lafuente 2003, section 7.3 and figure 16).
//!
//! A node in a non-accepting component is expanded like any node of A\*. A node in another component is a goal of the first
//! phase: from there a nested search explores the component ([`Nesting::PartialComponents`]), and the nodes to which edges leave
//! it are opened. If the component has no accepting cycle, A\* goes on. Inside the component, edges that lead nearer to the
//! node where it was entered come first, and in a red search those that lead nearer to its seed.
//!
//! All nested searches share their visited nodes, so that together they are one depth-first search of a forest, and each node
//! of a component is explored at most twice. A violation ends the search. Its path is not a shortest one: a nested search does
//! not find shortest cycles, and the nearest component may have none.

use lurcher_ir::analysis::Acceptance;
use lurcher_system::{ProcessId, Violation};

use super::best_first::Priority;
use super::component_space::ComponentSpace;
use super::open_list::{OpenList, Ties};
use crate::budget::{Budget, Observer, Progress, StopReason};
use crate::dfs::{Exact, Nesting, Search, Settings, StackEdge, StackNode};
use crate::guidance::History;
use crate::outcome::{FoundKind, Outcome};
use crate::space::{Edge, Expander, Space};
use crate::store::{StateId, StoreFull};
use crate::walk::Draws;

/// A\* and improved nested depth-first search.
#[derive(Clone, Copy, Debug)]
pub struct AStarNested {
    /// The weight of the heuristic value, in hundredths.
    pub weight: u32,
    /// The order of nodes with the same priority.
    pub ties: Ties,
}

impl AStarNested {
    /// Searches for accepting cycles, and for violating steps and ends of the claim on the way.
    pub fn run<E: Expander>(
        &self,
        expander: &mut E,
        budget: &Budget,
        observer: &mut impl Observer,
    ) -> Outcome<<E::Space as Space>::Step> {
        let _scope = budget.resources.enter();
        let budget = &Budget { all_errors: false, depth: None, ..budget.clone() };
        let mut space = ComponentSpace::new(expander);
        let visited = Exact::new(Space::partition(&space), true, budget);
        let settings =
            Settings { nesting: Some(Nesting::PartialComponents), depth_in_nodes: false, stop_at_step: true };
        let mut hybrid = Hybrid {
            priority: Priority::AStar { weight: self.weight },
            search: Search::new(&mut space, visited, settings, budget, observer),
            nodes: Vec::new(),
            open: OpenList::new(self.ties, None, 1),
            draws: Draws::of(0, 0),
        };
        let stop = hybrid.explore();
        let search = hybrid.search;
        let stats = crate::outcome::Stats { memory: search.memory(), ..search.stats };
        Outcome { found: search.collector.found, ..Outcome::new(stop, stats) }
    }
}

/// What is known of a node.
#[derive(Clone, Copy)]
struct Node<S> {
    /// The node and the edge by which it was reached.
    from: Option<(StateId, S)>,
    /// The length of that path; none for a node that was not reached.
    g: Option<u32>,
    h: u32,
    /// It was expanded, or a nested search has visited it.
    closed: bool,
}

type StepOf<E> = <<E as Expander>::Space as Space>::Step;

struct Hybrid<'a, 'e, E: Expander, O: Observer> {
    priority: Priority,
    search: Search<'a, ComponentSpace<'e, E>, Exact, O>,
    nodes: Vec<Node<StepOf<E>>>,
    open: OpenList,
    /// Ties are not broken at random.
    draws: Draws,
}

impl<E: Expander, O: Observer> Hybrid<'_, '_, E, O> {
    fn explore(&mut self) -> StopReason {
        let mut node = Vec::new();
        if let Err(violation) = self.search.expander.initial(&mut node) {
            self.search.collector.note(FoundKind::Step(violation), false, Vec::new);
            return StopReason::Violation;
        }
        if self.reach(&node, None).is_err() {
            return StopReason::Memory;
        }
        while let Some((key, id)) = self.open.pop(&mut self.draws) {
            let Node { g, h, closed, .. } = self.nodes[id.0 as usize];
            if closed || Some(key) != g.map(|g| self.priority.key(g, h)) {
                continue;
            }
            let component = self.search.expander.component(self.search.visited.node(id));
            let stopped = match component.acceptance {
                Acceptance::NonAccepting => self.expand(id),
                Acceptance::FullyAccepting | Acceptance::PartiallyAccepting => self.search_component(id),
            };
            if self.search.is_done() {
                return StopReason::Violation;
            }
            if let Err(stop) = stopped {
                return stop;
            }
        }
        StopReason::Complete
    }

    /// Checks the budget now and then.
    fn tick(&mut self) -> Result<(), StopReason> {
        let memory = self.open.memory() + (self.nodes.capacity() * size_of::<Node<StepOf<E>>>()) as u64;
        self.search.around = Progress { memory, frontier: Some(self.open.len() as u64), ..self.search.around };
        self.search.tick().map_or(Ok(()), Err)
    }

    /// Opens a node if it is new, or if it was not closed by a nested search and the path is shorter than the known one.
    fn reach(&mut self, node: &[u8], from: Option<(StateId, StepOf<E>)>) -> Result<(), StoreFull> {
        let length = from.map_or(0, |(_, step)| step.length());
        let g = from.and_then(|(id, _)| self.nodes[id.0 as usize].g).unwrap_or(0) + length;
        let (id, _) = self.search.visited.insert(node)?;
        let unknown = Node { from: None, g: None, h: 0, closed: false };
        self.nodes.resize(self.nodes.len().max(id.0 as usize + 1), unknown);
        let known = self.nodes[id.0 as usize];
        let space = &mut *self.search.expander;
        let is_goal = space.component(node).acceptance != Acceptance::NonAccepting;
        let counts = u64::from(space.counts(node));
        if known.g.is_none() {
            self.search.stats.stored += counts;
        } else {
            self.search.stats.matched += counts;
        }
        if known.g.is_some_and(|known| known <= g) || known.closed && is_goal {
            return Ok(());
        }
        let h = if is_goal {
            0
        } else if known.g.is_some() && !space.expander.looks_back() {
            known.h
        } else {
            let history = self.history(from);
            self.search.expander.expander.estimate(node, history)
        };
        self.nodes[id.0 as usize] = Node { from, g: Some(g), h, closed: false };
        let best = self.search.around.best.map_or(h, |best| best.min(h));
        self.search.around.best = Some(best);
        self.open.push(self.priority.key(g, h), id, &mut self.draws);
        Ok(())
    }

    /// The processes that moved last on the path that ends with an edge.
    fn history(&self, last: Option<(StateId, StepOf<E>)>) -> History {
        let edges = std::iter::successors(last, |(from, _)| self.nodes[from.0 as usize].from);
        let movers: Vec<ProcessId> = edges.filter_map(|(_, step)| step.process()).take(History::LENGTH).collect();
        movers.into_iter().rev().fold(History::default(), History::after)
    }

    /// Expands a node in a non-accepting component.
    fn expand(&mut self, id: StateId) -> Result<(), StopReason> {
        self.nodes[id.0 as usize].closed = true;
        self.search.stats.expanded += 1;
        let mut steps = Vec::new();
        let node = self.search.visited.node(id).to_vec();
        let info = self.search.expander.expander.space().steps(&node, &mut steps);
        let halted = info.halted;
        for kind in info.kinds().filter(|kind| !matches!(kind, FoundKind::Deadlock | FoundKind::Invariant)) {
            self.note(id, None, kind);
        }
        if let Some(stop) = halted {
            return Err(stop);
        }
        let mut next = Vec::new();
        for step in steps {
            if self.search.is_done() {
                break;
            }
            self.search.stats.transitions += 1;
            let violation: Option<Violation> = self.search.expander.take(&node, &step, &mut next);
            match violation {
                Some(violation) => self.note(id, Some(step), FoundKind::Step(violation)),
                None => self.reach(&next, Some((id, step)))?,
            }
            self.tick()?;
        }
        Ok(())
    }

    /// Searches for an accepting cycle in the component of a node, from that node on.
    fn search_component(&mut self, entry: StateId) -> Result<(), StopReason> {
        let node = self.search.visited.node(entry).to_vec();
        let found = self.search.collector.found.len();
        self.search.expander.enter(&node);
        let g = self.nodes[entry.0 as usize].g.unwrap_or(0);
        let mut stop = self.search.enter(&node, g);
        self.note_visited(None)?;
        let mut next = Vec::new();
        while stop.is_none() && !self.search.is_done() && !self.search.blue.is_empty() {
            stop = match self.search.blue.next_edge() {
                Some((_, _, StackEdge::Successor(_))) => unreachable!("a component has no fast path"),
                Some((from, depth, StackEdge::Step(step))) => {
                    let before = self.search.blue.len();
                    let from = from.node;
                    let stop = self.search.follow(from, depth, &step, &mut next);
                    if self.search.blue.len() > before {
                        self.note_visited(Some((from, step)))?;
                    }
                    stop
                }
                None => self.search.leave(),
            };
            self.tick()?;
        }
        if self.search.is_done() {
            let prefix = self.path(entry);
            for found in &mut self.search.collector.found[found..] {
                found.path.steps.splice(0..0, prefix.iter().copied());
                found.path.cycle_start = found.path.cycle_start.map(|start| start + prefix.len());
            }
        }
        stop.map_or(Ok(()), Err)
    }

    /// Notes how the nested search reached the node that it has pushed, and opens the nodes behind the edges that leave the
    /// component.
    fn note_visited(&mut self, from: Option<(StateId, StepOf<E>)>) -> Result<(), StopReason> {
        let Some(StackNode { node: id, .. }) = self.search.blue.top() else { return Ok(()) };
        let unknown = Node { from: None, g: None, h: 0, closed: false };
        self.nodes.resize(self.nodes.len().max(id.0 as usize + 1), unknown);
        if let Some((parent, step)) = from {
            let g = self.nodes[parent.0 as usize].g.map(|g| g + step.length());
            self.nodes[id.0 as usize] = Node { from, g, ..unknown };
        }
        self.nodes[id.0 as usize].closed = true;
        for (step, node) in std::mem::take(&mut self.search.expander.leaving) {
            self.reach(&node, Some((id, step)))?;
        }
        Ok(())
    }

    /// Notes a violation of a node, or of a step from it.
    fn note(&mut self, id: StateId, step: Option<StepOf<E>>, kind: FoundKind) {
        let path = self.path(id).into_iter().chain(step).collect();
        self.search.collector.note(kind, false, || path);
    }

    /// The steps to a node.
    fn path(&self, to: StateId) -> Vec<StepOf<E>> {
        let mut path = Vec::new();
        let mut at = to;
        while let Some((from, step)) = self.nodes[at.0 as usize].from {
            path.push(step);
            at = from;
        }
        path.reverse();
        path
    }
}
