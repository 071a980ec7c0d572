//! Red searches.

use std::time::Duration;

use rustc_hash::FxHashSet;

use super::{NodeStack, RED, Worker};
use crate::budget::{Observer, StopReason};
use crate::dfs::{Nesting, Stack, StackEdge, StackNode, Successor};
use crate::space::{ClaimComponent, Expander, Space};
use crate::store::StateId;

impl<E: Expander> Worker<'_, E> {
    /// Searches for a path from an accepting node to the blue stack, and colours the visited nodes red if there is none.
    pub(super) fn search_red(
        &mut self,
        seed: StateId,
        component: ClaimComponent,
        observer: &mut impl Observer,
    ) -> Result<(), StopReason> {
        let mut visited: FxHashSet<StateId> = FxHashSet::default();
        let (mut accepting, mut next) = (Vec::new(), Vec::new());
        let mut stack = Stack::new();
        let bounded = self.shared.nesting == Nesting::PartialComponents;
        visited.insert(seed);
        self.push_red(&mut stack, seed)?;
        while !stack.is_empty() {
            let Some((top, _, edge)) = stack.next_edge() else {
                stack.pop();
                continue;
            };
            let (id, reached) = match edge {
                StackEdge::Successor(Successor { node, component, .. }) => {
                    self.stats.transitions += 1;
                    (Some(node), component)
                }
                StackEdge::Step(step) => {
                    self.take(top.node, &step, &mut next)?;
                    (None, self.expander.graph().component(&next))
                }
            };
            if bounded && reached.number != component.number {
                continue;
            }
            let id = id.map_or_else(|| self.insert(&next), Ok)?;
            if self.cyan.contains(&id) {
                return Err(StopReason::Violation);
            }
            if !self.shared.colours.has(id, RED)? && visited.insert(id) {
                let top = self.push_red(&mut stack, id)?;
                if self.class(top).accepts {
                    accepting.push(id);
                }
            }
            self.tick(observer)?;
        }
        for id in accepting {
            while !self.shared.colours.has(id, RED)? {
                // Another thread has the node on its blue stack and colours it red.
                std::thread::sleep(Duration::from_micros(50));
                self.check(observer)?;
            }
        }
        for id in visited {
            self.shared.colours.add(id, RED)?;
        }
        Ok(())
    }

    fn push_red(&mut self, stack: &mut NodeStack<E>, id: StateId) -> Result<StackNode<StateId>, StopReason> {
        let class = self.expand(id)?;
        if class.is_none() {
            self.list_steps(id);
        }
        self.rotate_edges(id);
        let top = StackNode { node: id, class };
        stack.push(top, 0, self.edges.iter().copied());
        Ok(top)
    }
}
