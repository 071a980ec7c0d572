//! The violations that a search notes, and the paths to them.

use lurcher_resources::{LimitReached, checkpoint};
use lurcher_system::Path;

use super::visited::Visited;
use super::{NodeStack, Search, StackEdge, StackNode, StepOf};
use crate::budget::Observer;
use crate::outcome::{Found, FoundKind};
use crate::space::{Expander, Space};

impl<E: Expander, V: Visited, O: Observer> Search<'_, E, V, O> {
    /// Notes a violation at the end of the path on the blue stack.
    pub(super) fn note(&mut self, kind: FoundKind) {
        if !self.collector.count(&kind, 1) {
            self.note_found(|search| Found::new(kind, Path::finite(search.paths().0)));
        }
    }

    /// Notes a cycle that the last edge closes, which leads to a node of the blue stack.
    pub(super) fn note_cycle(&mut self, closes: V::Node) {
        if !self.collector.count(&FoundKind::Cycle, 1) {
            self.note_found(|search| Found::new(FoundKind::Cycle, search.lasso(closes)));
        }
    }

    /// The blue stack, up to the seed if there is a red one, then the red stack.
    fn lasso(&mut self, closes: V::Node) -> Path<StepOf<E>> {
        let mut start = self.blue.nodes().position(|top| top.node == closes).expect("the node is on the blue stack");
        let before = self.blue.len() - usize::from(!self.red.is_empty());
        let nodes: Vec<V::Node> = self.blue.nodes().take(before).chain(self.red.nodes()).map(|top| top.node).collect();
        let (mut steps, red) = self.paths();
        steps.truncate(before);
        steps.extend(red);
        // A cycle is easier to read and to replay from a state outside atomic chains.
        let mut counts = |at: usize| self.expander.graph().counts(self.visited.load_among(&nodes, at));
        if let Some(outside) = (start..nodes.len()).find(|&at| counts(at)) {
            steps.extend_from_within(start..outside);
            start = outside;
        }
        Path { steps, cycle_start: Some(start) }
    }

    /// Notes a violation, unless its path is not found within the limits.
    fn note_found(&mut self, found: impl FnOnce(&mut Self) -> Found<StepOf<E>>) {
        let found: Result<_, LimitReached> = self.budget.resources.with_grace().bound(|| found(self));
        match found {
            Ok(found) => self.collector.found.push(found),
            Err(limit) => {
                self.collector.pathless = true;
                self.path_limit = Some(limit.into());
            }
        }
    }

    /// The edges of the paths on the blue and on the red stack. The edges of nodes that a fast path has expanded are listed.
    fn paths(&mut self) -> (Vec<StepOf<E>>, Vec<StepOf<E>>) {
        self.at_top = false;
        let Search { blue, red, visited, expander, .. } = self;
        let mut steps = Vec::new();
        let mut path = |stack: &NodeStack<V::Node, E>| -> Vec<StepOf<E>> {
            let step = |(from, position, edge): (StackNode<V::Node>, usize, _)| match edge {
                StackEdge::Step(step) => step,
                StackEdge::Successor(_) => {
                    checkpoint();
                    expander.space().steps(visited.load(from.node), &mut steps);
                    steps[position]
                }
            };
            stack.path().map(step).collect()
        };
        (path(blue), path(red))
    }
}
