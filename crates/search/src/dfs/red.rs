//! Red searches and the cycles that searches close.

use lurcher_ir::analysis::Acceptance;
use lurcher_system::Path;

use super::visited::{RedVisit, Visited};
use super::{Nesting, Search};
use crate::budget::{Observer, StopReason};
use crate::outcome::{Found, FoundKind};
use crate::space::Space;

impl<S: Space, V: Visited, O: Observer> Search<'_, S, V, O> {
    /// Searches for a path from an accepting node that closes a cycle.
    pub(super) fn search_red(&mut self, seed: V::Node) -> Option<StopReason> {
        let mut next = Vec::new();
        self.visited.start_red(seed);
        let component = self.space.component(self.visited.load(seed)).number;
        let bounded = self.settings.nesting == Some(Nesting::PartialComponents);
        self.space.seek(Some(self.visited.load(seed)));
        self.push_red(seed);
        while let Some(top) = self.red.top() {
            let Some((node, _, step)) = self.red.next_edge() else {
                self.red.pop();
                self.visited.leave(top, true);
                self.at_top = false;
                continue;
            };
            if self.take(node, &step, &mut next).is_some_and(|v| v.is_fatal()) {
                continue;
            }
            if bounded && self.space.component(&next).number != component {
                continue;
            }
            match self.visited.visit_red(&next) {
                Ok(RedVisit::New(id)) => self.push_red(id),
                Ok(RedVisit::Known) => {}
                Ok(RedVisit::Closes(closes)) => {
                    self.note_cycle(closes);
                    self.red.clear();
                    self.visited.leave(seed, true);
                    break;
                }
                Err(_) => return Some(StopReason::Memory),
            }
            let stop = self.tick();
            if stop.is_some() {
                return stop;
            }
        }
        self.space.seek(None);
        None
    }

    fn push_red(&mut self, node: V::Node) {
        self.space.steps(self.visited.load(node), &mut self.steps);
        self.at_top = true;
        self.stats.expanded += 1;
        self.red.push(node, 0, &self.steps);
    }

    /// An edge of the blue search closes a cycle with a node of its stack. In a fully accepting component the cycle is
    /// accepting, unless it lies inside `atomic`.
    pub(super) fn close_blue(&mut self, closes: V::Node, node: &[u8]) {
        let classified = self.settings.nesting == Some(Nesting::PartialComponents) && !self.atomic_cycle;
        if !classified || self.space.component(node).acceptance != Acceptance::FullyAccepting {
            return;
        }
        let nodes: Vec<V::Node> = self.blue.nodes().collect();
        let start = nodes.iter().position(|&n| n == closes).expect("the node is on the blue stack");
        let accepts = |i: usize| self.space.is_accepting(self.visited.load_among(&nodes, i));
        if (start..nodes.len()).any(accepts) {
            self.note_cycle(closes);
        } else {
            self.atomic_cycle = true;
        }
        self.at_top = false;
    }

    /// Notes a cycle: the blue stack, up to the seed if there is a red one, then the red stack. The last edge leads to a
    /// node of the blue stack.
    fn note_cycle(&mut self, closes: V::Node) {
        if self.collector.count(&FoundKind::Cycle, 1) {
            return;
        }
        let mut start = self.blue.nodes().position(|n| n == closes).expect("the node is on the blue stack");
        let before = self.blue.len() - usize::from(!self.red.is_empty());
        let nodes: Vec<V::Node> = self.blue.nodes().take(before).chain(self.red.nodes()).collect();
        let mut path = self.blue.path();
        path.truncate(before);
        path.extend(self.red.path());
        // A cycle is easier to read and to replay from a state outside atomic chains.
        if let Some(outside) = (start..nodes.len()).find(|&i| self.space.counts(self.visited.load_among(&nodes, i))) {
            path.extend_from_within(start..outside);
            start = outside;
        }
        let path = Path { steps: path, cycle_start: Some(start) };
        self.collector.found.push(Found::new(FoundKind::Cycle, path));
    }
}
