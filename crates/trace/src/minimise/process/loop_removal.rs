//! Loop removal: what lies between two visits of the same state is cut out.
//!
//! Greedy cutting from a first visit to the last one misses shorter paths where loops overlap. So the states and steps of
//! the path are taken as a graph, and Dijkstra's algorithm finds the shortest path through it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lurcher_system::Move;
use rustc_hash::FxHashMap;

/// The moves on a shortest path through the states of a path. `states[i]` is the hash of the state before move `i`. None if
/// no state repeats.
pub(super) fn shortest_subpath(states: &[u64], moves: &[Move]) -> Option<Vec<Move>> {
    let mut visits: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (index, &state) in states.iter().enumerate() {
        visits.entry(state).or_default().push(index);
    }
    if visits.len() == states.len() {
        return None;
    }
    // A node is the first index of its state, or the end of the path.
    let end = states.len();
    let node = |index: usize| if index == end { end } else { visits[&states[index]][0] };
    let mut best: Vec<(u32, usize)> = vec![(u32::MAX, 0); end + 1];
    best[0].0 = 0;
    let mut open = BinaryHeap::from([(Reverse(0), Reverse(0))]);
    while let Some((Reverse(distance), Reverse(at))) = open.pop() {
        if at == end {
            break;
        }
        if distance > best[at].0 {
            continue;
        }
        for &index in &visits[&states[at]] {
            let next = node(index + 1);
            let there = distance + moves[index].length();
            if there < best[next].0 {
                best[next] = (there, index);
                open.push((Reverse(there), Reverse(next)));
            }
        }
    }
    let mut kept = Vec::new();
    let mut at = end;
    while at != 0 {
        let index = best[at].1;
        kept.push(moves[index]);
        at = node(index);
    }
    kept.reverse();
    Some(kept)
}
