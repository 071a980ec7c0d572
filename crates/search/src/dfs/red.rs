//! Red searches and the cycles that searches close.

use lurcher_ir::analysis::Acceptance;

use super::visited::{RedVisit, Visited};
use super::{Nesting, Search, StackEdge, StackNode};
use crate::budget::{Observer, StopReason};
use crate::space::{ClaimComponent, Expander, Space};
use crate::store::StoreFull;

impl<E: Expander, V: Visited, O: Observer> Search<'_, E, V, O> {
    /// Searches for a path from an accepting node that closes a cycle.
    pub(super) fn search_red(&mut self, top: StackNode<V::Node>) -> Option<StopReason> {
        let seed = top.node;
        let mut next = Vec::new();
        self.visited.start_red(seed);
        let component = self.component(top).number;
        let bounded = self.settings.nesting == Some(Nesting::PartialComponents);
        self.expander.space().seek(Some(self.visited.load(seed)));
        self.at_top = false;
        if self.push_red(seed).is_err() {
            return Some(StopReason::Memory);
        }
        while let Some(top) = self.red.top() {
            let Some((node, _, edge)) = self.red.next_edge() else {
                self.red.pop();
                self.visited.leave(top.node, true);
                self.at_top = false;
                continue;
            };
            let visit = match edge {
                StackEdge::Step(step) => {
                    if self.take(node.node, &step, &mut next).is_some_and(|v| v.is_fatal()) {
                        continue;
                    }
                    if bounded && self.expander.graph().component(&next).number != component {
                        continue;
                    }
                    self.visited.visit_red(&next)
                }
                StackEdge::Successor(successor) => {
                    self.stats.transitions += 1;
                    if bounded && successor.component.number != component {
                        continue;
                    }
                    Ok(self.visited.visit_red_stored(successor.node))
                }
            };
            let pushed = match visit {
                Ok(RedVisit::New(id)) => self.push_red(id),
                Ok(RedVisit::Known) => Ok(()),
                Ok(RedVisit::Closes(closes)) => {
                    self.note_cycle(closes);
                    self.red.clear();
                    self.visited.leave(seed, true);
                    break;
                }
                Err(full) => Err(full),
            };
            if pushed.is_err() {
                return Some(StopReason::Memory);
            }
            let stop = self.tick();
            if stop.is_some() {
                return stop;
            }
        }
        self.expander.space().seek(None);
        None
    }

    fn push_red(&mut self, node: V::Node) -> Result<(), StoreFull> {
        self.stats.expanded += 1;
        if self.budget.depth.is_none()
            && let Some(class) = self.visited.expand(self.expander, node, &mut self.successors)?
        {
            self.at_top = false;
            let top = StackNode { node, class: Some(class) };
            self.red.push(top, 0, self.successors.iter().map(|&s| StackEdge::Successor(s)));
        } else {
            self.expander.space().steps(self.visited.load(node), &mut self.steps);
            self.at_top = true;
            let top = StackNode { node, class: None };
            self.red.push(top, 0, self.steps.iter().map(|&step| StackEdge::Step(step)));
        }
        Ok(())
    }

    /// An edge of the blue search closes a cycle with a node of its stack. In a fully accepting component the cycle is
    /// accepting, unless it lies inside `atomic`.
    pub(super) fn close_blue(&mut self, closes: V::Node, component: ClaimComponent) {
        let classified = self.settings.nesting == Some(Nesting::PartialComponents) && !self.atomic_cycle;
        if !classified || component.acceptance != Acceptance::FullyAccepting {
            return;
        }
        let nodes: Vec<V::Node> = self.blue.nodes().map(|top| top.node).collect();
        let start = nodes.iter().position(|&n| n == closes).expect("the node is on the blue stack");
        let accepts = |i: usize| self.expander.space().is_accepting(self.visited.load_among(&nodes, i));
        if (start..nodes.len()).any(accepts) {
            self.note_cycle(closes);
        } else {
            self.atomic_cycle = true;
        }
        self.at_top = false;
    }
}
