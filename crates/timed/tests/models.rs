//! Searches of the models of the repository.

use lurcher_ir::timed::{Model, PropertyKind};
use lurcher_system::timed::{Judgement, Oracle};
use lurcher_test_support::{astral, astral_file, astral_request};
use lurcher_timed::{Encoding, Ended, Error, Finding, Outcome, SetsSettings, TreeSettings};

/// The gate of the benchmark, or one of its mutants.
fn gate(mutant: Option<u32>) -> Model {
    let name = mutant.map_or("railroad-crossing".to_owned(), |mutant| format!("railroad-crossing-m{mutant}"));
    astral_file(&name, "--process Gate --define n_tracks=2 --define min_speed=15 --define max_speed=20")
}

/// The schedules of a model, or its other properties.
fn properties(model: &Model, schedules: bool) -> Vec<usize> {
    let is_schedule = |p: &usize| model.properties[*p].kind == PropertyKind::Schedule;
    (0..model.properties.len()).filter(|p| is_schedule(p) == schedules).collect()
}

/// What is found is confirmed by the oracle.
#[track_caller]
fn confirmed(model: &Model, outcome: Outcome) -> Outcome {
    if let Ended::Found(Finding::False(property)) = outcome.ended {
        let run = outcome.run.as_ref().unwrap_or_else(|| panic!("{outcome:?}"));
        let judgement = Oracle::new(model).judge(run, property);
        assert_eq!(judgement, Judgement::Violates { at: run.horizon }, "{outcome:?}");
    }
    outcome
}

fn tree(model: &Model, depth: u32, settings: &TreeSettings) -> Outcome {
    let encoding = Encoding::new(model, &properties(model, true)).unwrap();
    confirmed(model, encoding.tree(&TreeSettings { depth, ..settings.clone() }, 0, 0).unwrap())
}

fn sets(model: &Model, schedules: bool) -> Outcome {
    let encoding = Encoding::new(model, &properties(model, schedules)).unwrap();
    confirmed(model, encoding.sets(&SetsSettings::default()).unwrap())
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
    let speeds = "--process Sensor --define min_speed=15 --define max_speed=20";
    let cases = [
        ("railroad-crossing", speeds),
        ("watchdog", "--process Dog"),
        ("watchdog", "--process Worker"),
        ("stoplight", "--process Lights"),
        ("handshake", "--process Sender"),
        ("handshake", "--process Receiver"),
        ("elevator", "--process Cabin --define n_floors=2"),
    ];
    for (name, options) in cases {
        for schedules in [false, true] {
            let outcome = sets(&astral_file(name, options), schedules);
            assert_eq!(outcome.ended, Ended::Complete, "{name} {options}: {outcome:?}");
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
            let [first, again] = [0, 1].map(|_| confirmed(&model, encoding.tree(&settings, 7, index).unwrap()));
            assert_eq!((first.ended, first.nodes, &first.path), (again.ended, again.nodes, &again.path));
            assert!(mutant == Some(1) || first.ended == Ended::Sampled, "{first:?}");
            nodes.push(first.nodes);
        }
        assert!(!toss || nodes[0] != nodes[1], "{nodes:?}");
    }
}

#[test]
fn questions_without_an_answer_are_refused() {
    let model = gate(None);
    let encoding = Encoding::new(&model, &[0]).unwrap();
    assert_eq!(
        encoding.tree(&TreeSettings { depth: 0, ..TreeSettings::default() }, 0, 0).unwrap_err(),
        Error::Zero("depth")
    );
    assert_eq!(encoding.sets(&SetsSettings { window: 0, rounds: 1 }).unwrap_err(), Error::Zero("window"));
    assert_eq!(Encoding::new(&model, &[7]).unwrap_err(), Error::NoSuchProperty(7));
    let sensor = astral_file("railroad-crossing", "--process Sensor --define min_speed=15 --define max_speed=20");
    assert_eq!(Encoding::new(&sensor, &[0, 1]).unwrap_err(), Error::DifferentAssumptions);
    // The response takes longer than the fastest train, which the axioms exclude.
    let slow = "--process Gate --define n_tracks=2 --define min_speed=15 --define max_speed=20 --define dist_R_to_I=20";
    let slow = astral_file("railroad-crossing", slow);
    let encoding = Encoding::new(&slow, &[0]).unwrap();
    assert_eq!(encoding.sets(&SetsSettings::default()).unwrap_err(), Error::NoConstants);
    let printer = astral_file("print-server", "--process Printer --define longest=2");
    assert!(matches!(Encoding::new(&printer, &[0]), Err(Error::Unsupported(_))));
}

#[test]
fn exit_assertions_read_imports_at_the_start() {
    let text = "SPECIFICATION S GLOBAL SPECIFICATION S PROCESSES it: Own, other: Other END S
PROCESS SPECIFICATION Other LEVEL Top EXPORT signal VARIABLE signal: BOOLEAN INITIAL ~signal
TRANSITION t ENTRY [TIME: 1] TRUE EXIT signal = ~signal' END Top END Other
PROCESS SPECIFICATION Own LEVEL Top IMPORT other.signal VARIABLE seen: BOOLEAN INITIAL ~seen
CONSTRAINT (seen <-> other.signal') & (seen <-> other.signal)
TRANSITION look ENTRY [TIME: 2] TRUE EXIT seen = other.signal END Top END Own END S";
    let model = astral("imports", text.to_owned(), &astral_request("--process Own")).unwrap();
    assert_eq!(sets(&model, false).ended, Ended::Found(Finding::False(1)), "the import changes until the end");
    let first = Encoding::new(&model, &[0]).unwrap().sets(&SetsSettings::default()).unwrap();
    assert_eq!(first.ended, Ended::Complete);
}
