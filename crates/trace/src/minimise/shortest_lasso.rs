//! The shortest lasso in the product of a model and its claim.
//!
//! Nodes are explored in the order of their distance from the root, with all edges kept. Whenever the kept graph has
//! doubled, the shortest lasso in it is looked for that has fewer steps than the distance explored: all of its nodes are
//! nearer than that, so none outside the graph is as short. So the work depends on the length of the shortest lasso, not
//! on that of the one that is known. A search that has used up its share goes on from there with another.
//!
//! It is a shortest lasso *of the product*: the claim comes back to its location after one turn. A cycle that it has to
//! go around twice may still be shorter; [`crate::minimise::recut`] finds those that pass the same states, and
//! [`LassoSearch::way_to`] those that are met on a shorter way.

use lurcher_ir::LocationId;
use lurcher_search::{Product, Space, StateId, Step, Store};
use lurcher_system::{Interpreter, State};

use crate::minimise::budget::Meter;
use crate::minimise::lasso_graph::{Edge, FAR, Found, Graph};

/// Nodes at which a lasso is looked for the first time.
const FIRST_LOOK: usize = 64;

/// How far exploring came.
enum Explored {
    /// The graph has doubled.
    Doubled,
    /// Nothing nearer than the bound is left.
    All,
    /// There is nothing left to use.
    Spent,
}

/// A search from one node of the product.
pub(crate) struct LassoSearch<'p, 'm> {
    product: &'p mut Product<Interpreter<'m>>,
    store: Store,
    graph: Graph,
    expanded: Vec<bool>,
    /// Nodes by distance, those that are not expanded and perhaps some that are.
    open: Vec<Vec<StateId>>,
    /// Everything nearer than this is expanded.
    at: usize,
    steps: Vec<Step>,
    /// The nodes that the steps lead to, one behind the other, and where each of them ends.
    nodes: Vec<u8>,
    ends: Vec<Option<usize>>,
}

impl<'p, 'm> LassoSearch<'p, 'm> {
    /// A search from this node; none when there is no room even for it.
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

    /// Looks for a lasso with fewer than `bound` steps, which is not to grow from one call to the next. The second value
    /// says whether nothing was left out: what was found is a shortest one, or there is none.
    pub fn run(&mut self, bound: u32, meter: &mut Meter<'_>) -> (Option<Found>, bool) {
        loop {
            let explored = meter.with_share(1, 2, |meter| self.explore(bound, meter));
            let horizon = match explored {
                Explored::Doubled => bound.min(self.at as u32),
                Explored::All | Explored::Spent => bound,
            };
            let (found, closed) = self.graph.best_lasso(horizon, meter);
            match explored {
                Explored::Spent => return (found, false),
                Explored::Doubled if found.is_none() && closed => {}
                Explored::Doubled | Explored::All => return (found, closed),
            }
        }
    }

    /// Dijkstra's algorithm with a list for each distance; a step of the claim alone takes no distance.
    fn explore(&mut self, bound: u32, meter: &mut Meter<'_>) -> Explored {
        let doubled = 2 * self.expanded.len().max(FIRST_LOOK / 2);
        while self.at < self.open.len() && (self.at as u32) < bound {
            let Some(&id) = self.open[self.at].last() else {
                self.at += 1;
                if self.expanded.len() >= doubled {
                    return Explored::Doubled;
                }
                continue;
            };
            if !meter.may_go_on() {
                return Explored::Spent;
            }
            self.open[self.at].pop();
            if !std::mem::replace(&mut self.expanded[id.0 as usize], true) && self.expand(id, bound, meter).is_none() {
                return Explored::Spent;
            }
        }
        Explored::All
    }

    /// Keeps the edges of a node; none when there is no room for what they lead to.
    fn expand(&mut self, id: StateId, bound: u32, meter: &mut Meter<'_>) -> Option<()> {
        let node = self.store.load(id);
        let info = self.product.steps(node, &mut self.steps);
        meter.expansion(self.steps.len(), node.len());
        if info.claim_ended || info.violation.is_some() {
            return Some(());
        }
        // The product follows the edges of the node that it saw last, so no other comes in between.
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

    /// Notes a way to a node; none when there is no room for it.
    fn reach(&mut self, node: &[u8], distance: u32) -> Option<StateId> {
        let (id, new) = self.store.insert(node).ok()?;
        if new {
            self.note(node);
        }
        let known = &mut self.graph.distance[id.0 as usize];
        if distance < *known {
            *known = distance;
            self.open.resize_with(self.open.len().max(distance as usize + 1), Vec::new);
            self.open[distance as usize].push(id);
        }
        Some(id)
    }

    fn note(&mut self, node: &[u8]) {
        if self.product.is_accepting(node) {
            self.graph.accepting.push(self.graph.distance.len() as u32);
        }
        self.graph.distance.push(FAR);
        self.graph.entry.push(self.product.counts(node));
        self.expanded.push(false);
    }

    /// How far a state is with the claim at a location, as far as the search has come, and the number of that node.
    pub fn distance_to(&mut self, state: &State, claim: LocationId) -> Option<(u32, u32)> {
        let mut node = Vec::new();
        self.product.node(state, claim, &mut node);
        let (id, new) = self.store.insert(&node).ok()?;
        if new {
            self.note(&node);
        }
        Some(self.graph.distance[id.0 as usize]).filter(|&d| d != FAR).map(|d| (d, id.0))
    }

    /// The steps of a shortest way from the root to a node that is not far.
    pub fn way_to(&self, node: u32) -> Vec<Step> {
        self.graph.way_to(node)
    }
}
