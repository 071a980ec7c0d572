//! Which variables and histories the clauses of models read.

use lurcher_ir::timed::{Event, Model, Occurrence, Reads, ReadsAt, Term};

use lurcher_test_support::astral_file;

/// What the properties with a prefix read, in words.
fn read_by(model: &Model, prefix: &str) -> Vec<String> {
    let properties = model.properties.iter().filter(|p| p.name.starts_with(prefix));
    words(model, &model.reads(properties.map(|p| p.term)))
}

fn words(model: &Model, reads: &Reads) -> Vec<String> {
    let mut words: Vec<String> = reads.constants.iter().map(|&c| model.constant(c).name.clone()).collect();
    words.extend(reads.at_start.iter().map(|&v| format!("{}'", model.variable(v).name)));
    words.extend(at(model, &reads.now, ""));
    words.extend(at(model, &reads.earlier, "past "));
    words
}

fn at(model: &Model, reads: &ReadsAt, prefix: &str) -> Vec<String> {
    let instant = reads.instant.then(|| format!("{prefix}now"));
    let variables = reads.variables.iter().map(|&v| format!("{prefix}{}", model.variable(v).name));
    let events = reads.events.iter().map(|(event, nth)| format!("{prefix}{} {nth}", name(model, event)));
    instant.into_iter().chain(variables).chain(events).collect()
}

/// The event as the model shows it.
fn name(model: &Model, event: &Event) -> String {
    let mut model = model.clone();
    let last = model.terms.add(Term::Instant(Occurrence { event: event.clone(), nth: 1 }));
    model.show(last)
}

#[test]
fn schedules_of_the_gate_read_the_last_changes_and_the_past_of_the_sensors() {
    let gate = astral_file(
        "railroad-crossing",
        "--process Gate --define n_tracks=2 --define min_speed=15 --define max_speed=20",
    );
    let [one, two] = ["the_sensors[1].train_in_R", "the_sensors[2].train_in_R"];
    let expected = [
        "dist_R_to_I",
        "response_time",
        "now",
        "position",
        one,
        two,
        "Change(the_sensors[1].train_in_R) 1",
        "Change(the_sensors[2].train_in_R) 1",
    ];
    assert_eq!(read_by(&gate, "Gate.schedule.1"), expected);
    let expected = ["wait_time", "now", "position", &format!("past {one}"), &format!("past {two}")];
    assert_eq!(read_by(&gate, "Gate.schedule.2"), expected);
    assert_eq!(words(&gate, &gate.reads([gate.transitions[0].cases[0].exit])), ["position"]);
    assert_eq!(gate.reads(gate.formulas()).past.len(), 2);
}

#[test]
fn clauses_of_the_sensor_read_two_calls() {
    let sensor = astral_file("railroad-crossing", "--process Sensor --define min_speed=15 --define max_speed=20");
    let environment = sensor.reads(sensor.environment.iter().map(|c| c.term));
    assert_eq!(words(&sensor, &environment), ["dist_R_to_I", "dist_I_to_out", "now", "Call(enter_R) 2"]);
    let exit = sensor.reads([sensor.transitions[1].cases[0].entry]);
    let expected = ["dist_R_to_I", "dist_I_to_out", "exit_dur", "now", "train_in_R", "Start(enter_R) 1"];
    assert_eq!(words(&sensor, &exit), expected);
}

#[test]
fn constraints_read_the_start_of_transitions() {
    let printer = astral_file("print-server", "--process Printer --define longest=2");
    assert_eq!(read_by(&printer, "Printer.constraint.1"), ["paper'", "paper", "last"]);
}
