//! Heuristics against the true distances of small models.

mod abstraction;
mod control_flow;
mod formula;
mod informedness;
mod local_distance;
mod pattern_database;
mod relation_formula;
mod state_distance;
mod structural;

use std::path::{Path, PathBuf};

use lurcher::LoadOptions;
use lurcher_heuristics::registry::{self, HeuristicError, Named, Request, Settings};
use lurcher_heuristics::{Heuristic, ReachabilityGraph, Target};
use lurcher_ir::{LocationId, Model, Property, PropertyKind};
use lurcher_search::{Budget, Guidance, Prepared, Semantics};
use lurcher_system::{Interpreter, Limits, State};

/// The location of the claim where there is none.
const NONE: LocationId = LocationId(0);

/// The most states of a small model.
const SMALL: usize = 40_000;

fn load(text: &str) -> lurcher::Model {
    lurcher::Model::from_text("model.pml", text, &LoadOptions::default()).expect("a model")
}

fn read(text: &str) -> Model {
    load(text).processes().expect("a process model").clone()
}

fn open(path: &Path) -> Model {
    lurcher::load(path).expect("a model").processes().expect("a process model").clone()
}

/// The model of a name.
fn model(name: &str) -> Model {
    open(&models().into_iter().find(|p| p.file_stem().is_some_and(|s| s == name)).expect("the model"))
}

fn interpreter(model: &Model) -> Interpreter<'_> {
    Interpreter::new(model, Limits::for_model(model))
}

/// The heuristic of the registry with a name.
fn registered<'m>(
    name: &str,
    interpreter: &Interpreter<'m>,
    target: &Target,
    settings: &Settings,
) -> Result<Named<Heuristic<'m>>, HeuristicError> {
    let safety = Property::built_in("safety", PropertyKind::Safety);
    let prepared = &Prepared::new(interpreter.model(), &safety, Semantics::default()).expect("a small property");
    let request = Request { prepared, interpreter, target, settings, instances: None, budget: &Budget::default() };
    registry::heuristic(name).expect("it is in the registry").build(&request, false)
}

/// The models of the repository.
fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let entries = std::fs::read_dir(folder).expect("the models are there").map(|e| e.expect("readable").path());
    let mut paths: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "pml")).collect();
    paths.sort();
    paths
}

/// Calls `f` with every small model of the repository and each target of its safety property that is violated.
fn each_violated(mut f: impl FnMut(&str, &Interpreter<'_>, &Target, &ReachabilityGraph)) {
    for path in models() {
        let model = open(&path);
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let interpreter = interpreter(&model);
        for target in Target::of_property(&model, &PropertyKind::Safety, None) {
            let Some(graph) = ReachabilityGraph::explore(&interpreter, &target, SMALL) else { continue };
            if graph.distance(0).is_some() {
                f(&name, &interpreter, &target, &graph);
            }
        }
    }
}

/// A state whose estimate exceeds its true distance: number, estimate, true distance.
fn overestimated(
    interpreter: &Interpreter<'_>,
    heuristic: &dyn Guidance,
    graph: &ReachabilityGraph,
) -> Option<(usize, u32, u32)> {
    let mut state = State::empty(interpreter.layout());
    (0..graph.len()).find_map(|number| {
        let claim = graph.load(interpreter, number, &mut state);
        let (estimate, truth) = (heuristic.of_state(&state, claim), graph.distance(number)?);
        (estimate > truth).then_some((number, estimate, truth))
    })
}

/// Asserts that no step lowers the estimate by more than its length. With `exact`, the maximum means that no violation is
/// reachable.
fn assert_consistent(
    name: &str,
    interpreter: &Interpreter<'_>,
    heuristic: &dyn Guidance,
    graph: &ReachabilityGraph,
    exact: bool,
) {
    let mut state = State::empty(interpreter.layout());
    let mut value = |number: usize| {
        let claim = graph.load(interpreter, number, &mut state);
        heuristic.of_state(&state, claim)
    };
    let values: Vec<u32> = (0..graph.len()).map(&mut value).collect();
    for number in 0..graph.len() {
        for transition in graph.transitions(number) {
            let (here, there) = (values[number], values[transition.target as usize]);
            let unreachable = exact && here == heuristic.max();
            let consistent = there == heuristic.max() || !unreachable && here <= there + transition.length;
            assert!(consistent, "{name}: from {here} to {there} in {}", transition.length);
        }
    }
}

/// Pseudo-random numbers that are always the same.
fn scrambled(seed: usize) -> u64 {
    let mixed = (seed as u64 ^ (seed as u64 >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
}
