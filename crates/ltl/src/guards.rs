//! Few edges between the same two states.
//!
//! Parallel edges with the same marks are together a disjunction of cubes. Joining cubes that differ in one sign and
//! dropping those that others cover does not always give the smallest disjunction, but here they are short.

use crate::automaton::Edge;
use crate::cube::Cube;

/// The same moves with fewer edges, sorted.
pub(crate) fn tidied(mut edges: Vec<Edge>) -> Vec<Edge> {
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

/// Beyond this many cubes only equal ones are merged.
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
