//! Merging parallel edges.
//!
//! Parallel edges with the same marks form a disjunction of cubes. Joining cubes that differ in one literal and dropping
//! covered ones gives a short, not always minimal, disjunction.

use crate::automaton::Edge;
use crate::cube::Cube;

/// Equivalent edges, fewer and sorted.
pub(crate) fn merge_parallel(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort();
    edges.dedup();
    let mut result: Vec<Edge> = Vec::with_capacity(edges.len());
    for parallel in edges.chunk_by(|a, b| (a.target, &a.marks) == (b.target, &b.marks)) {
        let first = &parallel[0];
        let cubes = parallel.iter().map(|edge| edge.guard.clone()).collect();
        for guard in shortened(cubes) {
            result.push(Edge { target: first.target, marks: first.marks.clone(), guard });
        }
    }
    result.sort();
    result
}

/// With more cubes, only equal ones are merged.
const MANY: usize = 64;

fn shortened(mut cubes: Vec<Cube>) -> Vec<Cube> {
    if cubes.len() == 1 || cubes.len() > MANY {
        return cubes;
    }
    while let Some((first, second, joined)) = joinable(&cubes) {
        cubes.remove(second);
        cubes[first] = joined;
    }
    let mut index = 0;
    while index < cubes.len() {
        let others: Vec<&Cube> = cubes.iter().enumerate().filter(|&(i, _)| i != index).map(|(_, cube)| cube).collect();
        if cubes[index].is_covered_by(&others) {
            cubes.remove(index);
        } else {
            index += 1;
        }
    }
    cubes
}

fn joinable(cubes: &[Cube]) -> Option<(usize, usize, Cube)> {
    let pairs = (0..cubes.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    pairs.into_iter().find_map(|(first, second)| Some((first, second, cubes[first].join(&cubes[second])?)))
}
