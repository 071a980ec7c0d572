//! A lasso through a fair set: a shortest path to the set, then from each node to the nearest one with a missing term.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::budget::StopReason;

use super::graph::{Graph, has};

/// Nodes of a lasso and the position at which its cycle begins. Nodes with an `index` of 0 were not entered.
pub(super) fn through(graph: &mut Graph, index: &[u32], set: &[u32]) -> Result<(Vec<u32>, usize), StopReason> {
    let inside: HashSet<u32> = set.iter().copied().collect();
    let mut all = vec![0; graph.words()];
    let mut own: HashMap<u32, Vec<u64>> = HashMap::new();
    for &node in set {
        let mut marks = Vec::new();
        graph.marks(node, &mut marks);
        all.iter_mut().zip(&marks).for_each(|(all, own)| *all |= own);
        own.insert(node, marks);
    }
    let mut needed = graph.needed(&all);
    let initial = graph.initial()?;
    let entered = |node: u32| index.get(node as usize).is_some_and(|i| *i != 0);
    let mut nodes = path(graph, &initial, entered, |n| inside.contains(&n))?;
    let cycle_start = nodes.len() - 1;
    let first = nodes[cycle_start];
    loop {
        let here = *nodes.last().expect("the set was reached");
        needed.retain(|&term| !has(&own[&here], term));
        if needed.is_empty() {
            break;
        }
        let successors = graph.successors(here)?;
        let wanted = |n: u32| needed.iter().any(|&term| has(&own[&n], term));
        nodes.extend(path(graph, &successors, |n| inside.contains(&n), wanted)?);
    }
    let here = *nodes.last().expect("the set was reached");
    let successors = graph.successors(here)?;
    nodes.extend(path(graph, &successors, |n| inside.contains(&n), |n| n == first)?);
    nodes.pop();
    Ok((nodes, cycle_start))
}

/// A shortest path from one of some nodes, through allowed nodes, to one that is wanted; both ends included.
fn path(
    graph: &mut Graph,
    from: &[u32],
    allowed: impl Fn(u32) -> bool,
    wanted: impl Fn(u32) -> bool,
) -> Result<Vec<u32>, StopReason> {
    let mut parents: HashMap<u32, u32> = HashMap::new();
    let mut open = VecDeque::new();
    for &node in from.iter().filter(|n| allowed(**n)) {
        parents.insert(node, node);
        open.push_back(node);
    }
    while let Some(node) = open.pop_front() {
        if wanted(node) {
            let mut path = vec![node];
            let mut at = node;
            while parents[&at] != at {
                at = parents[&at];
                path.push(at);
            }
            path.reverse();
            return Ok(path);
        }
        for next in graph.successors(node)? {
            if allowed(next) && !parents.contains_key(&next) {
                parents.insert(next, node);
                open.push_back(next);
            }
        }
    }
    unreachable!("the search found a path")
}
