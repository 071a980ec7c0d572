use std::time::Duration;

use lurcher_heuristics::{
    GoalSet, LocalDistance, PatternDatabase, PatternSettings, ReachabilityGraph, StateForm, Target, control_flow_dot,
    informedness,
};
use lurcher_ir::{LocationId, ProcessTypeId};
use lurcher_search::{Guidance, Scores};
use lurcher_system::State;

use super::{SMALL, interpreter, read};

const MUTEX: &str = include_str!("../../../../models/promela/mutex-flawed.pml");

/// Says the same everywhere.
struct Flat;

impl Guidance for Flat {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        3
    }

    fn of_state(&self, _: &State, _: LocationId) -> u32 {
        3
    }
}

#[test]
fn a_constant_heuristic_is_all_plateau() {
    let model = read(MUTEX);
    let interpreter = interpreter(&model);
    let graph = ReachabilityGraph::explore(&interpreter, &Target::Assertion, SMALL).expect("small");
    let found = informedness(&interpreter, &Flat, &graph, Duration::from_secs(1));
    assert_eq!((found.range, found.correlation, found.plateau), (Some((3, 3)), None, Some(1.0)));
    assert_eq!((found.build, found.states, found.exact), (Duration::from_secs(1), graph.len(), true));
}

#[test]
fn the_true_distance_ranks_perfectly_and_coarser_heuristics_less_so() {
    let model = read(MUTEX);
    let interpreter = interpreter(&model);
    let graph = ReachabilityGraph::explore(&interpreter, &Target::Assertion, SMALL).expect("small");
    let measure = |heuristic: &dyn Guidance| informedness(&interpreter, heuristic, &graph, Duration::ZERO);
    let settings = |states| PatternSettings { states, ..PatternSettings::default() };
    let whole = PatternDatabase::build(&interpreter, &Target::Assertion, &settings(100_000)).expect("small");
    let coarse = PatternDatabase::build(&interpreter, &Target::Assertion, &settings(100)).expect("small");
    let (whole, coarse) = (measure(&whole), measure(&coarse));
    assert!(whole.correlation.expect("it varies") > 0.999, "{whole:?}");
    assert!(coarse.correlation < whole.correlation, "{coarse:?}");
    let sum = LocalDistance::states(&interpreter, &Target::Assertion, StateForm::Sum, GoalSet::Informative);
    let sum = measure(&sum);
    assert!(sum.correlation.expect("it varies") > 0.0, "{sum:?}");
    let steps = measure(&LocalDistance::steps(&interpreter, &Target::Assertion));
    assert!(steps.plateau.expect("there are choices") < 1.0, "{steps:?}");
}

#[test]
fn a_sample_is_the_same_for_the_same_seed_and_never_too_optimistic() {
    let model = read(MUTEX);
    let interpreter = interpreter(&model);
    let all = ReachabilityGraph::explore(&interpreter, &Target::Assertion, SMALL).expect("small");
    let sample =
        |seed| ReachabilityGraph::sample(&interpreter, &Target::Assertion, seed, 20, 60, SMALL).expect("it starts");
    let (first, again) = (sample(1), sample(1));
    assert_eq!(first.len(), again.len());
    assert!((0..first.len()).all(|n| first.distance(n) == again.distance(n)));
    assert!(!first.is_exact() && first.len() < all.len());
    assert!(first.distance(0) >= all.distance(0) && first.distance(0).is_some(), "{:?}", first.distance(0));
}

#[test]
fn graphs_carry_the_distances_and_are_escaped() {
    let model = read("byte x; active proctype P() { start: x = 1; printf(\"\\\"x\\\" is %d\\n\", x); assert(x == 0) }");
    let interpreter = interpreter(&model);
    let heuristic = LocalDistance::steps(&interpreter, &Target::Assertion);
    let dot = control_flow_dot(&model, ProcessTypeId(0), Some(heuristic.table(LocationId(0), ProcessTypeId(0))));
    assert!(dot.starts_with("digraph \"P\" {") && dot.ends_with("}\n"), "{dot}");
    assert!(dot.contains(r" start\n3"), "{dot}");
    assert!(dot.contains(r#"\"\\\"x\\\" is %d\\n\""#), "{dot}");
    let unescaped = dot.replace("\\\\", "").replace("\\\"", "");
    assert!(unescaped.lines().all(|l| l.matches('"').count() % 2 == 0), "{dot}");
}
