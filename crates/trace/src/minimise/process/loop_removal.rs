//! Loop removal: what lies between two visits of the same state is cut out.
//!
//! Greedy cutting from a first visit to the last one misses shorter paths where loops overlap. So the states and steps of
//! the path are taken as a graph, and Dijkstra's algorithm finds the shortest path through it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lurcher_resources::{charge, checkpoint};
use lurcher_system::Move;

/// The moves on a shortest path through the states of a path. `states[i]` is the hash of the state before move `i`. None if
/// no state repeats.
pub(super) fn shortest_subpath(states: &[u64], moves: &[Move]) -> Option<Vec<Move>> {
    // The indices, those of equal states next to one another.
    let end = states.len();
    charge(end);
    let mut order: Vec<usize> = (0..end).collect();
    order.sort_unstable_by_key(|&index| (states[index], index));
    if order.windows(2).all(|pair| states[pair[0]] != states[pair[1]]) {
        return None;
    }
    // A node is the first index of its state, or the end of the path; where its indices begin in the order.
    let mut nodes: Vec<usize> = (0..=end).collect();
    let mut begin = vec![0; end];
    for (place, &index) in order.iter().enumerate() {
        match place.checked_sub(1).map(|p| order[p]).filter(|&p| states[p] == states[index]) {
            Some(previous) => nodes[index] = nodes[previous],
            None => begin[index] = place,
        }
    }
    let visits = |node: usize| order[begin[node]..].iter().take_while(move |&&index| states[index] == states[node]);
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
        checkpoint();
        for &index in visits(at) {
            let next = nodes[index + 1];
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
        at = nodes[index];
    }
    kept.reverse();
    Some(kept)
}
