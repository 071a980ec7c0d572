//! Searches of the models of the repository.

use std::path::Path;

use lurcher_astral::{Request, check, lower, parse};
use lurcher_ir::timed::{Model, PropertyKind};
use lurcher_syntax::SourceMap;
use lurcher_timed::{Encoding, Ended, Finding, Outcome, SetsSettings, TreeSettings};

fn model(name: &str, process: &str, defines: &[(&str, &str)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/astral").join(format!("{name}.astral"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let (specification, said) = check(&parse(&sources, file).file);
    let specification = specification.unwrap_or_else(|| panic!("{name}: {said:?}"));
    let mut request = Request { process: Some(process.to_owned()), ..Request::default() };
    request.defines.extend(defines.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let (model, said) = lower(&specification, &request);
    model.unwrap_or_else(|| panic!("{name}: {said:?}"))
}

/// The gate of the benchmark, or one of its mutants.
fn gate(mutant: Option<u32>) -> Model {
    let name = mutant.map_or("railroad-crossing".to_owned(), |mutant| format!("railroad-crossing-m{mutant}"));
    model(&name, "Gate", &[("n_tracks", "2"), ("min_speed", "15"), ("max_speed", "20")])
}

/// The schedules of a model, or its other properties.
fn properties(model: &Model, schedules: bool) -> Vec<usize> {
    let is_schedule = |p: &usize| model.properties[*p].kind == PropertyKind::Schedule;
    (0..model.properties.len()).filter(|p| is_schedule(p) == schedules).collect()
}

fn tree(model: &Model, depth: u32, settings: &TreeSettings) -> Outcome {
    let encoding = Encoding::new(model, &properties(model, true)).unwrap();
    encoding.tree(&TreeSettings { depth, ..settings.clone() }, 0, 0).unwrap()
}

fn sets(model: &Model, schedules: bool) -> Outcome {
    Encoding::new(model, &properties(model, schedules)).unwrap().sets(&SetsSettings::default()).unwrap()
}

#[track_caller]
fn check_tree(mutant: Option<u32>, depth: u32, last_layer: bool, nodes: u64, violated: bool) {
    let outcome = tree(&gate(mutant), depth, &TreeSettings { last_layer, ..TreeSettings::default() });
    assert_eq!(
        (outcome.nodes, matches!(outcome.ended, Ended::Found(_))),
        (nodes, violated),
        "M{mutant:?}: {outcome:?}"
    );
}

#[test]
fn the_tree_of_the_gate_has_the_published_nodes() {
    for (mutant, nodes) in [(1, 23), (2, 23), (4, 23), (6, 7), (7, 10), (10, 5)] {
        check_tree(Some(mutant), 10, false, nodes, true);
    }
    check_tree(None, 10, false, 471, false);
    check_tree(Some(8), 10, false, 266, false);
    check_tree(None, 8, true, 166, false);
}

#[test]
fn the_last_layer_of_the_tree_shows_what_the_paper_misses() {
    for mutant in [3, 5] {
        check_tree(Some(mutant), 10, false, 471, false);
        check_tree(Some(mutant), 10, true, 47, true);
    }
    check_tree(Some(9), 10, true, 466, false);
    check_tree(Some(9), 12, true, 129, true);
}

#[test]
fn every_instant_of_a_tree_is_checked_where_that_is_asked_for() {
    let settings = TreeSettings { window: 1, every_instant: true, last_layer: true, ..TreeSettings::default() };
    for (mutant, nodes) in [(1, 23), (2, 23), (3, 66), (4, 23), (5, 66), (6, 7), (7, 10), (9, 129), (10, 5)] {
        let outcome = tree(&gate(Some(mutant)), 12, &settings);
        assert!(matches!(outcome.ended, Ended::Found(_)), "M{mutant}: {outcome:?}");
        assert!(outcome.nodes <= nodes, "M{mutant}: {outcome:?}");
    }
    assert_eq!(tree(&gate(None), 8, &settings).ended, Ended::Depth);
    assert_eq!(tree(&gate(Some(8)), 8, &settings).ended, Ended::Depth);
}

#[test]
fn the_gate_and_a_harmless_mutant_hold_for_all_constants() {
    for mutant in [None, Some(8)] {
        assert_eq!(sets(&gate(mutant), true).ended, Ended::Complete, "M{mutant:?}");
    }
    for (mutant, property) in [(1, 1), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 1), (9, 0), (10, 1)] {
        assert_eq!(sets(&gate(Some(mutant)), true).ended, Ended::Found(Finding::False(property)), "M{mutant}");
    }
}

#[test]
fn other_models_hold_for_all_constants() {
    let speeds = [("min_speed", "15"), ("max_speed", "20")];
    let cases = [
        ("railroad-crossing", "Sensor", &speeds[..]),
        ("watchdog", "Dog", &[]),
        ("watchdog", "Worker", &[]),
        ("stoplight", "Lights", &[]),
        ("handshake", "Sender", &[]),
        ("handshake", "Receiver", &[]),
        ("elevator", "Cabin", &[("n_floors", "2")]),
    ];
    for (name, process, defines) in cases {
        for schedules in [false, true] {
            let outcome = sets(&model(name, process, defines), schedules);
            assert_eq!(outcome.ended, Ended::Complete, "{name}, {process}: {outcome:?}");
        }
    }
}

/// Walk *i* of seed *s* is the same walk every time, and finds nothing that is not there.
#[test]
fn walks_depend_on_seed_and_index_only() {
    for (toss, partial_image) in [(true, false), (false, true), (true, true)] {
        let settings = TreeSettings { depth: 8, toss, partial_image, ..TreeSettings::default() };
        let mut nodes = Vec::new();
        for (mutant, index) in [(None, 0), (None, 1), (Some(8), 2), (Some(1), 3), (Some(1), 4)] {
            let model = gate(mutant);
            let encoding = Encoding::new(&model, &properties(&model, true)).unwrap();
            let [first, again] = [0, 1].map(|_| encoding.tree(&settings, 7, index).unwrap());
            assert_eq!((first.ended, first.nodes, &first.path), (again.ended, again.nodes, &again.path));
            assert!(mutant == Some(1) || first.ended == Ended::Sampled, "{first:?}");
            nodes.push(first.nodes);
        }
        assert!(!toss || nodes[0] != nodes[1], "{nodes:?}");
    }
}
