//! The shortest lasso in the product of a model and its claim.
//!
//! Nodes are explored in the order of their distance from the root, and all edges are stored. Whenever the stored graph has
//! doubled, it is searched for the shortest lasso with fewer steps than the explored distance: all nodes of such a lasso are
//! stored, so none outside the graph is as short. The work depends on the length of the shortest lasso, not on that of the
//! known one. A search that has used up its share of the budget can be continued with another.
//!
//! The result is a shortest lasso *of the product*: the claim returns to its location after one turn. A cycle with two turns
//! of the claim may be shorter. Those between equal states of the lasso are found by cutting it there, and those with a
//! shorter prefix by [`LassoSearch::path_to`].

use lurcher_ir::LocationId;
use lurcher_search::{Product, Space, StateId, Step, Store};
use lurcher_system::{Interpreter, Path, State};

use super::graph::{Edge, Graph, UNREACHED};
use crate::minimise::budget::Meter;

/// Nodes before the first search for a lasso.
const FIRST_NODES: usize = 64;

/// Why exploration paused.
enum Explored {
    /// The graph has doubled.
    Doubled,
    /// All nodes nearer than the bound are expanded.
    All,
    /// The budget or the memory is used up.
    Exhausted,
}

/// A search from one node of the product.
pub(super) struct LassoSearch<'p, 'm> {
    product: &'p mut Product<Interpreter<'m>>,
    store: Store,
    graph: Graph,
    expanded: Vec<bool>,
    /// Open nodes by distance; some may be expanded already.
    open: Vec<Vec<StateId>>,
    /// All nodes nearer than this are expanded.
    at: usize,
    steps: Vec<Step>,
    /// The successors, concatenated, and the end of each.
    nodes: Vec<u8>,
    ends: Vec<Option<usize>>,
}

impl<'p, 'm> LassoSearch<'p, 'm> {
    /// A search from this node; none if the store has no room for it.
    pub fn new(product: &'p mut Product<Interpreter<'m>>, root: &[u8], memory: u64) -> Option<Self> {
        let store = Store::new(product.partition(), Some(memory));
        let mut search = LassoSearch {
            product,
            store,
            graph: Graph::default(),
            expanded: Vec::new(),
            open: Vec::new(),
            at: 0,
            steps: Vec::new(),
            nodes: Vec::new(),
            ends: Vec::new(),
        };
        search.reach(root, 0)?;
        Some(search)
    }

    /// Searches for a lasso with fewer than `bound` steps, which must not grow from one call to the next. Also returns
    /// whether the search was exhaustive: the lasso is a shortest one, or there is none.
    pub fn run(&mut self, bound: u32, meter: &mut Meter<'_>) -> (Option<Path<Step>>, bool) {
        loop {
            let explored = meter.with_share(1, 2, |meter| self.explore(bound, meter));
            let horizon = match explored {
                Explored::Doubled => bound.min(self.at as u32),
                Explored::All | Explored::Exhausted => bound,
            };
            let (found, exhaustive) = self.graph.shortest_lasso(horizon, meter);
            match explored {
                Explored::Exhausted => return (found, false),
                Explored::Doubled if found.is_none() && exhaustive => {}
                Explored::Doubled | Explored::All => return (found, exhaustive),
            }
        }
    }

    /// Dijkstra's algorithm with a list for each distance. A step of the claim alone has length 0.
    fn explore(&mut self, bound: u32, meter: &mut Meter<'_>) -> Explored {
        let doubled = 2 * self.expanded.len().max(FIRST_NODES / 2);
        while self.at < self.open.len() && (self.at as u32) < bound {
            let Some(&id) = self.open[self.at].last() else {
                self.at += 1;
                if self.expanded.len() >= doubled {
                    return Explored::Doubled;
                }
                continue;
            };
            if !meter.may_go_on() {
                return Explored::Exhausted;
            }
            self.open[self.at].pop();
            if !std::mem::replace(&mut self.expanded[id.0 as usize], true) && self.expand(id, bound, meter).is_none() {
                return Explored::Exhausted;
            }
        }
        Explored::All
    }

    /// Stores the edges of a node; none if the store has no room for its successors.
    fn expand(&mut self, id: StateId, bound: u32, meter: &mut Meter<'_>) -> Option<()> {
        let node = self.store.load(id);
        let info = self.product.steps(node, &mut self.steps);
        meter.expansion(self.steps.len(), node.len());
        if info.claim_ended || info.violation.is_some() {
            return Some(());
        }
        // The product follows the edges of the node that it expanded last, so all successors are made before any is stored.
        self.nodes.clear();
        self.ends.clear();
        let mut next = Vec::new();
        for step in &self.steps {
            let far = self.at as u32 + step.length() >= bound;
            let goes_on = !far && self.product.follow(node, step, &mut next).is_none();
            if goes_on {
                self.nodes.extend_from_slice(&next);
            }
            self.ends.push(goes_on.then_some(self.nodes.len()));
        }
        let (steps, nodes, ends) =
            (std::mem::take(&mut self.steps), std::mem::take(&mut self.nodes), std::mem::take(&mut self.ends));
        let mut start = 0;
        for (step, end) in steps.iter().zip(&ends) {
            let Some(end) = *end else { continue };
            let to = self.reach(&nodes[start..end], self.at as u32 + step.length())?;
            self.graph.edges.push(Edge { from: id.0, to: to.0, step: *step });
            start = end;
        }
        (self.steps, self.nodes, self.ends) = (steps, nodes, ends);
        Some(())
    }

    /// Opens a node unless it is known at this distance; none if the store has no room for it.
    fn reach(&mut self, node: &[u8], distance: u32) -> Option<StateId> {
        let (id, new) = self.store.insert(node).ok()?;
        if new {
            self.add(node);
        }
        let known = &mut self.graph.distance[id.0 as usize];
        if distance < *known {
            *known = distance;
            self.open.resize_with(self.open.len().max(distance as usize + 1), Vec::new);
            self.open[distance as usize].push(id);
        }
        Some(id)
    }

    fn add(&mut self, node: &[u8]) {
        if self.product.is_accepting(node) {
            self.graph.accepting.push(self.graph.distance.len() as u32);
        }
        self.graph.distance.push(UNREACHED);
        self.graph.entry.push(self.product.counts(node));
        self.expanded.push(false);
    }

    /// The known distance of a state with the claim at a location, and the number of that node.
    pub fn distance_to(&mut self, state: &State, claim: LocationId) -> Option<(u32, u32)> {
        let mut node = Vec::new();
        self.product.node(state, claim, &mut node);
        let (id, new) = self.store.insert(&node).ok()?;
        if new {
            self.add(&node);
        }
        Some(self.graph.distance[id.0 as usize]).filter(|&d| d != UNREACHED).map(|d| (d, id.0))
    }

    /// The steps of a shortest path from the root to a node with a known distance.
    pub fn path_to(&self, node: u32) -> Vec<Step> {
        self.graph.path_to(node)
    }
}
