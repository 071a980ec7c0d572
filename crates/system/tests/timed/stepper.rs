//! The stepper on the models of the repository: smallest violations, confirmed by the oracle, and none where there are none.

use lurcher_ir::timed::{Constant, Model, PropertyKind};
use lurcher_system::timed::{Defect, Judgement, Options, Oracle, Outcome, Search, State, Stepper, valuations};
use lurcher_test_support::{astral, astral_file, astral_request};

/// The first instant up to a horizon at which a property is violated, over some values of the constants. The oracle confirms it.
fn smallest(model: &Model, property: usize, constants: &[Vec<i64>], horizon: usize) -> Option<usize> {
    let oracle = Oracle::new(model);
    let kind = model.properties[property].kind;
    let mut best: Option<usize> = None;
    for constants in constants {
        let options = Options { tried: (0, 2), calls: 2, ..Options::new(kind) };
        let stepper = Stepper::new(model, constants, options);
        let mut search = Search::new(&stepper, Some(property));
        match search.run(best.map_or(horizon, |best| best - 1)) {
            Outcome::Nothing => {}
            Outcome::Violation(state) => {
                let at = state.instant();
                let judgement = oracle.judge(&state.run(constants), property);
                assert_eq!(judgement, Judgement::Violates { at: at as i64 });
                best = Some(at);
            }
            Outcome::Defect(state, defect) => panic!("{defect:?}: {:?}", state.run(constants)),
        }
        if best == Some(0) {
            break;
        }
    }
    best
}

const ONE_TRACK: &str = "--process Gate --define n_tracks=1 --define min_speed=1 --define max_speed=1";

/// All constants of the gate up to 6 for which the crossing ends one instant after its beginning.
fn small_gates(model: &Model) -> Vec<Vec<i64>> {
    valuations(model, |constant: &Constant| if constant.name == "dist_I_to_out" { (1, 1) } else { (1, 6) })
}

/// Checks where the smallest violations of the schedules of a mutant of the gate are, up to a horizon.
fn mutant(name: &str, instances: usize, horizon: usize, expected: [Option<usize>; 2]) {
    let model = astral_file(&format!("railroad-crossing{name}"), ONE_TRACK);
    let constants = small_gates(&model);
    assert_eq!(constants.len(), instances, "{name}");
    let found = [0, 1].map(|property| smallest(&model, property, &constants, horizon));
    assert_eq!(found, expected, "{name}");
}

#[test]
fn the_gate_and_its_eighth_mutant_keep_their_schedules_for_twenty_instants() {
    mutant("", 75, 20, [None, None]);
    mutant("-m8", 75, 20, [None, None]);
}

#[test]
fn mutants_of_the_gate_violate_their_schedules_at_the_smallest_instants() {
    mutant("-m1", 324, 12, [None, Some(7)]);
    mutant("-m2", 130, 18, [Some(11), Some(18)]);
    mutant("-m3", 130, 18, [Some(12), Some(18)]);
    mutant("-m4", 130, 18, [Some(11), Some(18)]);
    mutant("-m5", 130, 18, [Some(12), Some(18)]);
    mutant("-m6", 75, 12, [Some(1), None]);
    mutant("-m7", 75, 12, [None, Some(5)]);
    mutant("-m9", 75, 20, [Some(13), None]);
    mutant("-m10", 75, 12, [None, Some(1)]);
}

/// The instance that the authors of the explicit checker of ASTRAL report: 8,932,382 states in 25 instants.
#[test]
fn the_gate_with_two_tracks_and_published_constants_keeps_its_schedules_for_25_instants() {
    let options = "--process Gate --define n_tracks=2 --define min_speed=15 --define max_speed=20";
    let model = astral_file("railroad-crossing", options);
    let constants = valuations(&model, |constant: &Constant| match constant.name.as_str() {
        "dist_R_to_I" | "dist_I_to_out" => (100, 100),
        "wait_time" => (3, 3),
        _ => (1, 1),
    });
    let [constants] = &constants[..] else { panic!("all constants are given") };
    let stepper = Stepper::new(&model, constants, Options::new(PropertyKind::Schedule));
    let mut search = Search::new(&stepper, None);
    for instant in 0..=25 {
        assert!(matches!(search.advance(instant), Outcome::Nothing));
        let violates = |state: &State| [0, 1].iter().any(|&property| stepper.holds(state, property) != Some(true));
        assert!(!search.layer().iter().any(violates));
    }
    println!("{} states", search.states());
}

/// Checks all properties of a process up to a horizon, for all constants in a range.
fn process(model: &Model, most: i64, horizon: usize, violated: &[(&str, usize)]) {
    let constants = valuations(model, |constant: &Constant| match constant.name.as_str() {
        // The sensor does not read it.
        "wait_time" => (1, 1),
        name if name.starts_with("rank") => (0, 1),
        _ => (1, most),
    });
    assert!(!constants.is_empty());
    for (index, property) in model.properties.iter().enumerate() {
        let expected = violated.iter().find(|(name, _)| *name == property.name).map(|(_, at)| *at);
        assert_eq!(smallest(model, index, &constants, horizon), expected, "{}", property.name);
    }
}

#[test]
fn the_sensor_keeps_its_invariant_and_its_schedule() {
    let sensor = |min, max| {
        let options = format!("--process Sensor --define min_speed={min} --define max_speed={max}");
        astral_file("railroad-crossing", &options)
    };
    process(&sensor(1, 1), 4, 16, &[]);
    process(&sensor(1, 2), 5, 13, &[]);
    process(&sensor(2, 3), 6, 13, &[]);
}

#[test]
fn the_other_models_are_explored() {
    process(&astral_file("watchdog", "--process Dog"), 4, 12, &[]);
    process(&astral_file("watchdog", "--process Worker"), 5, 12, &[]);
    process(&astral_file("stoplight", "--process Lights"), 2, 25, &[]);
    process(&astral_file("handshake", "--process Sender"), 2, 12, &[]);
    process(&astral_file("handshake", "--process Receiver"), 4, 12, &[]);
    process(&astral_file("elevator", "--process Cabin --define n_floors=2"), 1, 10, &[]);
    process(&astral_file("elevator", "--process Panel --define n_floors=2"), 2, 6, &[]);
    // Calls for jobs of different lengths may come at one instant; the environment clause does not exclude that.
    let printer = astral_file("print-server", "--process Printer --define longest=2");
    process(&printer, 2, 4, &[("Printer.schedule.1", 2)]);
    // The other customer is not known to wait for its turn.
    let inside = [("Customer.schedule.1", 3)];
    process(&astral_file("bakery-2", "--process Customer"), 1, 7, &inside);
    process(&astral_file("bakery-2", "--process customers[2]"), 1, 7, &inside);
}

/// A process with a variable and clauses.
fn small(clauses: &str, transitions: &str) -> Model {
    let text = format!(
        "SPECIFICATION Small
           GLOBAL SPECIFICATION Small PROCESSES it: Cell TYPE shade: TYPEDEF i: INTEGER (0 <= i & i <= 2) END Small
           PROCESS SPECIFICATION Cell
             LEVEL Top IMPORT shade VARIABLE v: shade {clauses} INITIAL v = 0 {transitions} END Top
           END Cell
         END Small"
    );
    astral("small", text, &astral_request("")).unwrap_or_else(|said| panic!("{said}"))
}

fn explored(model: &Model, property: Option<usize>, horizon: usize) -> (Outcome, usize) {
    let stepper = Stepper::new(model, &[], Options::new(PropertyKind::Invariant));
    let mut search = Search::new(&stepper, property);
    let outcome = search.run(horizon);
    (outcome, search.states())
}

#[test]
fn a_clause_without_a_value_is_a_finding_that_the_oracle_confirms() {
    let model = small("INVARIANT past(v, now - 1) <= 2", "TRANSITION t ENTRY [TIME: 2] v = 0 EXIT v = 1");
    let (Outcome::Defect(state, defect), _) = explored(&model, Some(0), 5) else { panic!("there is a defect") };
    let clause = "Cell.invariant.1".to_owned();
    assert_eq!(defect, Defect::Undefined { clause: clause.clone() });
    assert_eq!(Oracle::new(&model).judge(&state.run(&[]), 0), Judgement::Undefined { clause, at: 0 });

    let model = small("", "TRANSITION t ENTRY [TIME: 2] (v = 0 & now >= 1) | now - End(t) = 1 EXIT v = 1");
    let (Outcome::Defect(state, defect), _) = explored(&model, None, 5) else { panic!("there is a defect") };
    let clause = "t (entry)".to_owned();
    assert_eq!(defect, Defect::Undefined { clause: clause.clone() });
    let judgement = Oracle::new(&model).judge_run(&state.run(&[]), PropertyKind::Invariant);
    assert_eq!(judgement, Judgement::Undefined { clause, at: 0 });
}

#[test]
fn an_exit_assertion_that_nothing_satisfies_is_a_finding() {
    let model = small("", "TRANSITION t ENTRY [TIME: 2] now >= 1 EXIT v = v' + 1");
    let (Outcome::Defect(state, defect), _) = explored(&model, None, 9) else { panic!("there is a defect") };
    assert_eq!((state.instant(), defect), (6, Defect::NoExit { case: "t".to_owned() }));
}

#[test]
fn states_that_no_clause_tells_apart_are_merged() {
    let transitions = "TRANSITION t ENTRY [TIME: 1] TRUE EXIT v = 1 | v = 2";
    let (_, merged) = explored(&small("", transitions), None, 4);
    assert_eq!(merged, 1 + 4 * 2);
    let (_, recent) = explored(&small("INVARIANT now < 1 | past(v, now - 1) <= 2", transitions), None, 4);
    assert_eq!(recent, 1 + 2 + 3 * 4);
    let (_, last) = explored(&small("INVARIANT now < 2 | Change(v) >= 1", transitions), None, 4);
    assert_eq!(last, 1 + 2 + 4 + 6 + 8);
}

#[test]
fn further_assumptions_select_what_starts() {
    let text = "SPECIFICATION S GLOBAL SPECIFICATION S PROCESSES it: P END S PROCESS SPECIFICATION P LEVEL Top
        VARIABLE v: INTEGER INITIAL v = 0 INVARIANT v <= 1 TRANSITION a ENTRY [TIME: 1] v = 0 EXIT v = 2
        TRANSITION b ENTRY [TIME: 1] v = 0 EXIT v = 1
        FURTHER ASSUMPTIONS #1 FURTHER PROCESS ASSUMPTIONS TRANSITION SELECTION {a, b} -> {b}
        END Top END P END S";
    let chosen =
        |request: &str| astral("s", text.to_owned(), &astral_request(request)).unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(explored(&chosen("--further 1"), Some(0), 3).0, Outcome::Nothing));
    let (Outcome::Violation(state), _) = explored(&chosen(""), Some(0), 3) else { panic!("`a` may start") };
    let judgement = Oracle::new(&chosen("--further 1")).judge(&state.run(&[]), 0);
    assert!(judgement.to_string().contains("not selected"), "{judgement}");
}
