//! The edges of a path of which only the nodes were kept.

use crate::space::{Edge, Space};
use crate::store::{DecodedState, SharedStore, StateId};

/// The first of the shortest edges from a node to another.
///
/// # Panics
/// If there is none.
pub(crate) fn shortest_edge<S: Space>(
    space: &mut S,
    store: &SharedStore,
    decoded: &mut DecodedState,
    from: StateId,
    to: StateId,
) -> S::Step {
    let (mut steps, mut next, mut end) = (Vec::new(), Vec::new(), Vec::new());
    store.read(to, &mut end);
    space.steps(store.load(decoded, from), &mut steps);
    let mut best: Option<(u32, S::Step)> = None;
    for step in &steps {
        let violation = space.take(store.load(decoded, from), step, &mut next);
        let length = step.length() + space.chain_length();
        let shorter = best.is_none_or(|(known, _)| length < known);
        if shorter && violation.is_none_or(|v| !v.is_fatal()) && next == end {
            best = Some((length, *step));
        }
    }
    best.expect("an edge leads to the node").1
}
