//! The first (blue) search.
//!
//! In a nested search, a fast path of the space may expand nodes: it stores all successors of a node at once, and the edges of
//! the node are their ids. A node counts as stored when the search visits it, so that stopped searches have the same counts
//! with and without a fast path.

use lurcher_ir::analysis::Acceptance;
use lurcher_system::Violation;

use super::visited::{Visit, Visited};
use super::{Nesting, Search, StackEdge, StackNode, StepOf, Successor};
use crate::budget::{Observer, StopReason};
use crate::outcome::FoundKind;
use crate::space::{ClaimComponent, Edge, Expander, Space};
use crate::store::StoreFull;

impl<E: Expander, V: Visited, O: Observer> Search<'_, E, V, O> {
    /// Follows an edge of the top node of the blue stack.
    pub fn follow(&mut self, node: V::Node, depth: u32, step: &StepOf<E>, next: &mut Vec<u8>) -> Option<StopReason> {
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
    pub(super) fn take(&mut self, node: V::Node, step: &StepOf<E>, next: &mut Vec<u8>) -> Option<Violation> {
        self.stats.transitions += 1;
        let node = self.visited.load(node);
        match std::mem::replace(&mut self.at_top, true) {
            true => self.expander.space().follow(node, step, next),
            false => self.expander.space().take(node, step, next),
        }
    }

    /// Visits a node and pushes it unless it is known.
    pub fn enter(&mut self, node: &[u8], depth: u32) -> Option<StopReason> {
        let Ok(visit) = self.visited.visit(node, depth) else { return Some(StopReason::Memory) };
        let counts = self.expander.graph().counts(node);
        let component = self.expander.graph().component(node);
        let (id, new) = self.count_visit(visit, counts, component)?;
        self.push(id, new, depth)
    }

    /// Enters a stored successor of the top node of the blue stack.
    pub(super) fn enter_stored(&mut self, successor: Successor<V::Node>, depth: u32) -> Option<StopReason> {
        self.stats.transitions += 1;
        let Successor { node, component, counts } = successor;
        let visit = self.visited.visit_stored(node);
        let stop = match self.count_visit(visit, counts, component) {
            Some((id, new)) => self.push(id, new, depth),
            None => None,
        };
        stop.or_else(|| self.tick())
    }

    /// Counts a visit. Returns the node and whether it is new, if it is to be expanded.
    fn count_visit(
        &mut self,
        visit: Visit<V::Node>,
        counts: bool,
        component: ClaimComponent,
    ) -> Option<(V::Node, bool)> {
        let counts = u64::from(counts);
        match visit {
            Visit::New(id) => {
                self.stats.stored += counts;
                Some((id, true))
            }
            Visit::Again(id) => Some((id, false)),
            Visit::OnStack(id) => {
                self.stats.matched += counts;
                self.close_blue(id, component);
                None
            }
            Visit::Known => {
                self.stats.matched += counts;
                None
            }
        }
    }

    /// Expands a node and pushes it.
    fn push(&mut self, id: V::Node, new: bool, depth: u32) -> Option<StopReason> {
        match self.expand(id, depth) {
            Ok(true) => None,
            Ok(false) => self.expand_step_by_step(id, new, depth),
            Err(StoreFull) => Some(StopReason::Memory),
        }
    }

    /// Expands a node of a nested search by the fast path, and pushes it. False if it needs the slow path.
    fn expand(&mut self, node: V::Node, depth: u32) -> Result<bool, StoreFull> {
        if self.settings.nesting.is_none() || self.budget.depth.is_some() {
            return Ok(false);
        }
        let Some(class) = self.visited.expand(self.expander, node, &mut self.successors)? else { return Ok(false) };
        self.at_top = false;
        self.stats.expanded += 1;
        let top = StackNode { node, class: Some(class) };
        self.blue.push(top, depth, self.successors.iter().map(|&s| StackEdge::Successor(s)));
        self.stats.depth = self.stats.depth.max(u64::from(depth) + u64::from(self.settings.depth_in_nodes));
        Ok(true)
    }

    /// Lists the edges of a node, pushes it, and notes what there is to report.
    fn expand_step_by_step(&mut self, id: V::Node, new: bool, depth: u32) -> Option<StopReason> {
        let (node, mut broken) = (self.visited.load(id), Vec::new());
        let info = self.expander.space().steps(node, &mut self.steps);
        if new {
            self.expander.space().check_node(node, &mut broken);
        }
        self.at_top = true;
        if let Some((draws, _)) = &mut self.random {
            draws.shuffle(&mut self.steps);
        }
        let limited = self.budget.depth.is_some_and(|limit| depth >= limit);
        if limited && !self.steps.is_empty() && !self.expander.graph().is_root(self.visited.load(id)) {
            self.cut = true;
            self.steps.clear();
        }
        self.stats.expanded += 1;
        let top = StackNode { node: id, class: None };
        self.blue.push(top, depth, self.steps.iter().map(|&step| StackEdge::Step(step)));
        self.stats.depth = self.stats.depth.max(u64::from(depth) + u64::from(self.settings.depth_in_nodes));
        broken.into_iter().for_each(|number| self.note(FoundKind::Watched(number)));
        let halted = info.halted;
        for kind in info.kinds() {
            // A search for cycles ignores deadlocks and invariants.
            if self.settings.nesting.is_none() || !matches!(kind, FoundKind::Deadlock | FoundKind::Invariant) {
                self.note(kind);
            }
        }
        halted
    }

    /// Pops the top node of the blue stack, after a red search if it has to start one.
    pub fn leave(&mut self) -> Option<StopReason> {
        let top = self.blue.top()?;
        let node = top.node;
        if self.starts_red(top) {
            let stop = self.search_red(top);
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
    fn starts_red(&mut self, top: StackNode<V::Node>) -> bool {
        let Some(nesting) = self.settings.nesting else { return false };
        let component = self.component(top);
        let is_nested = match (nesting, component.acceptance) {
            (Nesting::Everywhere, _) | (_, Acceptance::PartiallyAccepting) => true,
            (_, Acceptance::FullyAccepting) => self.atomic_cycle,
            (_, Acceptance::NonAccepting) => false,
        };
        is_nested
            && match top.class {
                Some(class) => class.accepts,
                None => self.expander.space().is_accepting(self.visited.load(top.node)),
            }
    }

    /// The component of a node on the stack.
    pub(super) fn component(&mut self, top: StackNode<V::Node>) -> ClaimComponent {
        match top.class {
            Some(class) => class.component,
            None => self.expander.graph().component(self.visited.load(top.node)),
        }
    }
}
