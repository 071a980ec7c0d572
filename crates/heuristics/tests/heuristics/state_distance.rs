//! Distances between states against the true ones.

use lurcher_heuristics::{ReachabilityGraph, StateDistance, Target};
use lurcher_system::State;

use crate::{interpreter, read};

#[test]
fn a_distance_never_exceeds_the_steps_of_a_single_process() {
    let model = read(
        "byte x; active proctype P() {
            do :: x < 3 -> x++; if :: x == 2 -> skip :: else -> skip; skip fi :: x == 3 -> break od; x = 0; assert(false)
        }",
    );
    let interpreter = interpreter(&model);
    let graph = ReachabilityGraph::explore(&interpreter, &Target::Assertion, 1000).expect("a small model");
    let (mut aim, mut state) = (State::empty(interpreter.layout()), State::empty(interpreter.layout()));
    let (mut compared, mut positive) = (0, 0);
    for to in 0..graph.len() {
        graph.load(&interpreter, to, &mut aim);
        let mut distance = StateDistance::new(&model);
        distance.aim_at(&aim, None);
        assert_eq!(distance.of(&aim, None), 0);
        for from in 0..graph.len() {
            let Some(truth) = steps_between(&graph, from, to) else { continue };
            graph.load(&interpreter, from, &mut state);
            if state.process_count() != aim.process_count() {
                continue;
            }
            let estimate = distance.of(&state, None);
            assert!(estimate <= truth, "{from} to {to}: {estimate}, not {truth}");
            compared += 1;
            positive += u32::from(estimate > 0);
        }
    }
    assert!(compared > 100 && positive > 50, "{compared} compared, {positive} positive");
}

/// The least number of steps from a state to another. Every transition of one process takes one.
fn steps_between(graph: &ReachabilityGraph, from: usize, to: usize) -> Option<u32> {
    let mut distance = vec![None; graph.len()];
    distance[from] = Some(0);
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for next in graph.transitions(at).iter().map(|t| t.target as usize) {
            if distance[next].is_none() {
                distance[next] = distance[at].map(|d| d + 1);
                queue.push_back(next);
            }
        }
    }
    distance[to]
}
