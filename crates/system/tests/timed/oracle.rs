//! The oracle: for every rule a legal run and the smallest change that breaks it.

use lurcher_ir::timed::{Model, PropertyKind};
use lurcher_system::timed::{Judgement, Oracle, Rule, Run};
use lurcher_test_support::{astral, astral_file, astral_request};

use crate::script::script;

/// A lamp that follows an imported switch, and is dimmed when it is called. The switch is pressed, which is imported, too.
const LAMP: &str = "
SPECIFICATION Lamp
  GLOBAL SPECIFICATION Lamp
    PROCESSES the_lamp: Lamp, the_switch: Switch
    TYPE positive: TYPEDEF i: INTEGER (i > 0), shade: TYPEDEF i: INTEGER (0 <= i & i <= 3)
  END Lamp
  PROCESS SPECIFICATION Switch
    LEVEL Top EXPORT closed, press
      VARIABLE closed: BOOLEAN
      INITIAL ~closed
      TRANSITION press ENTRY [TIME: 1] TRUE EXIT closed = ~closed'
    END Top
  END Switch
  PROCESS SPECIFICATION Lamp
    LEVEL Top
      IMPORT positive, shade, the_switch.closed, the_switch.press
      EXPORT on, dim
      CONSTANT delay, rest: positive
      VARIABLE on: BOOLEAN, brightness: INTEGER, mode: shade
      AXIOM delay <= 3
      ENVIRONMENT Call(dim, now) -> now >= 3
      IMPORTED VARIABLE
        (Change(the_switch.closed, now) -> now >= 1)
      & ((EXISTS t: TIME (the_switch.Start(press, t))) -> now < 20)
      INITIAL ~on & brightness = 0
      INVARIANT brightness <= 4 & (now >= 9 -> past(on, now - 9) = past(on, now - 9))
      CONSTRAINT brightness <= brightness' + 3
      SCHEDULE brightness <= 4
      TRANSITION light
        ENTRY [TIME: 2] ~on & the_switch.closed
        EXIT on & brightness = brightness' + 1
      TRANSITION unlight
        ENTRY [TIME: 1] on & ~the_switch.closed
        EXIT ~on & brightness = 0
      TRANSITION dim(n: positive)
        ENTRY [TIME: delay] on
        EXIT brightness = n
      TRANSITION flicker
        ENTRY [TIME: 1] on & now - End(light) = rest & mode = 3
        EXIT mode = 2
    END Top
  END Lamp
END Lamp";

fn lamp() -> Model {
    astral("lamp", LAMP.to_owned(), &astral_request("--process Lamp")).unwrap_or_else(|said| panic!("{said}"))
}

/// The run of the lamp with events, the last instant of which is given.
fn run(model: &Model, events: &str, horizon: i64) -> Run {
    script(model, "delay=2 rest=2", "mode=0", events, horizon)
}

/// Judges by the first invariant.
fn judge(model: &Model, run: &Run) -> Judgement {
    Oracle::new(model).judge(run, 0)
}

fn legal(events: &str, horizon: i64) {
    let model = lamp();
    assert_eq!(judge(&model, &run(&model, events, horizon)), Judgement::ShowsNothing, "{events}");
}

/// Expects that a rule is broken at an instant.
fn illegal(events: &str, horizon: i64, rule: Rule, at: i64) {
    let model = lamp();
    let judgement = judge(&model, &run(&model, events, horizon));
    let broken = matches!(judgement, Judgement::Illegal { rule: r, at: a, .. } if r == rule && a == at);
    assert!(broken, "{events}: expected {} at {at}, got {judgement}", rule.name());
}

/// The lamp is lit at 1.
const LIT: &str = "1 the_switch.closed=true; 1 start light; 3 on=true; 3 brightness=1;";

#[test]
fn a_process_that_waits_is_legal() {
    legal("", 5);
    legal(LIT, 7);
    legal(&format!("{LIT} 4 the_switch.closed=false; 4 start unlight; 5 on=false; 5 brightness=0"), 7);
}

#[test]
fn runs_that_name_what_does_not_exist_are_malformed() {
    let model = lamp();
    let good = run(&model, LIT, 4);
    let form = |change: fn(&mut Run)| {
        let mut bad = good.clone();
        change(&mut bad);
        let judgement = judge(&model, &bad);
        assert!(matches!(judgement, Judgement::Illegal { rule: Rule::Form, .. }), "{judgement}");
    };
    form(|run| run.constants.truncate(1));
    form(|run| run.initial.push(0));
    form(|run| run.events.reverse());
    form(|run| run.events[0].at = -1);
    form(|run| run.horizon = 2);
    form(|run| run.horizon = -1);
    form(|run| run.events.extend(run.events.last().cloned()));
    illegal(&format!("{LIT} 4 on=true"), 5, Rule::Form, 4);
}

#[test]
fn axioms_and_domains_hold_for_the_constants() {
    let model = lamp();
    for (constants, axiom) in [("delay=4", "Lamp.axiom.1"), ("rest=0", "`rest`")] {
        let judgement = judge(&model, &script(&model, constants, "", "", 0));
        let Judgement::Illegal { rule: Rule::Axiom, at: 0, reason } = judgement else { panic!("{judgement}") };
        assert!(reason.contains(axiom), "{reason}");
    }
}

#[test]
fn initial_clauses_and_types_hold() {
    let model = lamp();
    let initial = |values: &str| judge(&model, &script(&model, "", values, "", 1));
    assert_eq!(initial("mode=3"), Judgement::ShowsNothing);
    assert!(matches!(initial("on=true"), Judgement::Illegal { rule: Rule::Initial, at: 0, .. }));
    assert!(matches!(initial("the_switch.closed=true"), Judgement::Illegal { rule: Rule::Initial, at: 0, .. }));
    assert!(matches!(initial("mode=4"), Judgement::Illegal { rule: Rule::Type, at: 0, .. }));
}

#[test]
fn what_starts_is_enabled() {
    illegal("1 start light", 1, Rule::Entry, 1);
    illegal(&LIT.replace("1 the_switch", "2 the_switch"), 3, Rule::Entry, 1);
}

#[test]
fn what_ends_satisfies_its_exit_assertion_and_changes_nothing_else() {
    illegal("1 the_switch.closed=true; 1 start light; 3 on=true", 4, Rule::Exit, 3);
    illegal("1 the_switch.closed=true; 1 start light; 3 on=true; 3 brightness=2", 4, Rule::Exit, 3);
    illegal(&format!("{LIT} 3 mode=1"), 4, Rule::Exit, 3);
    illegal("1 the_switch.closed=true; 1 start light", 3, Rule::Exit, 3);
    legal("1 the_switch.closed=true; 1 start light", 2);
}

#[test]
fn own_variables_change_where_transitions_end() {
    illegal("1 mode=1", 2, Rule::Frame, 1);
    illegal(&format!("{LIT} 5 brightness=2"), 5, Rule::Frame, 5);
    illegal("1 the_switch.closed=true; 1 start light; 2 on=true; 3 brightness=1", 4, Rule::Frame, 2);
    illegal("0 the_switch.closed=true; 0 start light", 0, Rule::Frame, 0);
}

#[test]
fn exported_transitions_have_pending_calls() {
    legal(&format!("{LIT} 4 call dim 3; 4 start dim 3; 6 brightness=3"), 8);
    legal(&format!("{LIT} 2 call dim 3; 3 start dim 3; 5 brightness=3"), 8);
    illegal(&format!("{LIT} 4 start dim 3; 6 brightness=3"), 8, Rule::Call, 4);
    illegal(&format!("{LIT} 4 call dim 2; 4 start dim 3; 6 brightness=3"), 8, Rule::Call, 4);
    // A call is served once.
    let once = format!("{LIT} 4 call dim 3; 4 start dim 3; 6 brightness=3; 6 start dim 3");
    illegal(&once, 8, Rule::Call, 6);
    // A call that comes while the same one is pending does not count; one that comes afterwards does.
    legal(&format!("{LIT} 1 call dim 3; 2 call dim 3; 3 start dim 3; 5 brightness=3"), 8);
    illegal(
        &format!("{LIT} 1 call dim 3; 3 call dim 3; 3 start dim 3; 5 brightness=3; 5 start dim 3"),
        8,
        Rule::Call,
        5,
    );
    illegal(&format!("{LIT} 1 call dim 3; 3 start dim 3; 4 call dim 3; 5 brightness=3"), 8, Rule::Progress, 5);
    legal(&format!("{LIT} 1 call dim 3; 3 start dim 3; 4 call dim 3; 5 brightness=3; 5 start dim 3"), 6);
}

#[test]
fn transitions_do_not_overlap() {
    let called = "1 call dim 3; 1 the_switch.closed=true; 1 start light; 3 on=true; 3 brightness=1;";
    illegal(&format!("{called} 3 start dim 3; 4 the_switch.closed=false; 4 start unlight"), 4, Rule::Exclusion, 4);
    let both = "3 the_switch.closed=false; 3 start unlight; 3 start dim 3";
    illegal(&format!("{called} {both}"), 3, Rule::Exclusion, 3);
    // One may start where another one ends.
    legal(&format!("{called} 3 start dim 3; 4 the_switch.closed=false; 5 brightness=3; 5 start unlight"), 5);
}

#[test]
fn something_starts_where_something_is_enabled() {
    illegal("1 the_switch.closed=true", 1, Rule::Progress, 1);
    illegal("1 the_switch.closed=true; 2 start light", 2, Rule::Progress, 1);
    illegal(&format!("{LIT} 4 call dim 3"), 4, Rule::Progress, 4);
    // While something executes, nothing else starts.
    legal("1 the_switch.closed=true; 1 start light; 2 call dim 3", 2);
}

#[test]
fn an_entry_assertion_about_a_single_instant_enables_there_alone() {
    let model = lamp();
    let flickering = format!("{LIT} 5 start flicker; 6 mode=2");
    let judged = |events: &str| judge(&model, &script(&model, "rest=2", "mode=3", events, 8));
    assert_eq!(judged(&flickering), Judgement::ShowsNothing);
    assert!(matches!(judged(LIT), Judgement::Illegal { rule: Rule::Progress, at: 5, .. }));
    let late = format!("{LIT} 6 start flicker; 7 mode=2");
    assert!(matches!(judged(&late), Judgement::Illegal { rule: Rule::Progress, at: 5, .. }));
}

#[test]
fn arguments_have_the_types_of_their_parameters() {
    illegal("1 call dim 0", 2, Rule::Parameters, 1);
    illegal(&format!("{LIT} 4 call dim -3; 4 start dim -3"), 5, Rule::Parameters, 4);
}

#[test]
fn transitions_of_an_imported_instance_do_not_overlap_and_are_called() {
    let press = "1 call the_switch.press; 1 begin the_switch.press;";
    legal(press, 4);
    legal(&format!("{press} 2 end the_switch.press; 2 call the_switch.press; 2 begin the_switch.press"), 4);
    illegal("1 begin the_switch.press", 4, Rule::Import, 1);
    illegal("1 end the_switch.press", 4, Rule::Import, 1);
    illegal(&format!("{press} 1 end the_switch.press"), 4, Rule::Import, 1);
    illegal(&format!("{press} 2 call the_switch.press; 2 begin the_switch.press"), 4, Rule::Import, 2);
    illegal(&format!("{press} 2 end the_switch.press; 3 begin the_switch.press"), 4, Rule::Import, 3);
}

#[test]
fn violations_are_found_at_their_first_instant() {
    let model = lamp();
    let bright = run(&model, &format!("{LIT} 4 call dim 5; 4 start dim 5; 6 brightness=5"), 9);
    assert_eq!(judge(&model, &bright), Judgement::Violates { at: 6 });
    let constraint = model.properties.iter().position(|p| p.kind == PropertyKind::Constraint).expect("there is one");
    assert_eq!(Oracle::new(&model).judge(&bright, constraint), Judgement::Violates { at: 6 });
    let dim = run(&model, &format!("{LIT} 4 call dim 4; 4 start dim 4; 6 brightness=4"), 9);
    assert_eq!(Oracle::new(&model).judge(&dim, constraint), Judgement::ShowsNothing);
}

#[test]
fn schedules_assume_the_environment_and_invariants_do_not() {
    let model = lamp();
    let schedule = model.properties.iter().position(|p| p.kind == PropertyKind::Schedule).expect("there is one");
    let early = run(&model, "2 call dim 3", 4);
    assert_eq!(judge(&model, &early), Judgement::ShowsNothing);
    let judgement = Oracle::new(&model).judge(&early, schedule);
    assert!(matches!(judgement, Judgement::Illegal { rule: Rule::Assumption, at: 2, .. }), "{judgement}");
    assert_eq!(
        Oracle::new(&model).judge_run(&run(&model, "3 call dim 3", 4), PropertyKind::Schedule),
        Judgement::ShowsNothing
    );
}

#[test]
fn clauses_without_a_value_are_findings() {
    let text = LAMP.replace("INVARIANT brightness <= 4", "INVARIANT brightness <= 3 + Change(on)");
    let model = astral("lamp", text, &astral_request("--process Lamp")).expect("it is correct");
    let judgement = judge(&model, &run(&model, "", 4));
    assert_eq!(judgement, Judgement::Undefined { clause: "Lamp.invariant.1".to_owned(), at: 0 });
    let text = LAMP.replace("ENTRY [TIME: 1] on & now", "ENTRY [TIME: 1] now");
    let model = astral("lamp", text, &astral_request("--process Lamp")).expect("it is correct");
    let judgement = judge(&model, &script(&model, "", "mode=3", "", 4));
    assert_eq!(judgement, Judgement::Undefined { clause: "flicker (entry)".to_owned(), at: 0 });
    // Nothing is read while something executes, nor what a false part decides.
    assert_eq!(judge(&model, &run(&model, "", 4)), Judgement::ShowsNothing);
}

const GATE: &str = "--process Gate --define n_tracks=1 --define min_speed=1 --define max_speed=1";

#[test]
fn the_witness_against_the_ninth_mutant_of_the_gate_is_legal_and_violates_its_schedule() {
    let constants = "dist_R_to_I=6 dist_I_to_out=1 wait_time=5 raise_dur=2 up_dur=2";
    let train = "the_sensors[1].train_in_R";
    let events = format!(
        "1 {train}=true; 1 start lower; 2 position=lowering; 3 start down; 4 position=lowered
         7 {train}=false; 7 start raise; 8 {train}=true; 9 position=raising; 9 start up; 11 position=raised
         11 start lower; 12 position=lowering; 13 start down"
    );
    let mutant = astral_file("railroad-crossing-m9", GATE);
    let witness = script(&mutant, constants, "", &events, 13);
    assert_eq!(Oracle::new(&mutant).judge(&witness, 0), Judgement::Violates { at: 13 });
    // The gate waits `raise_time` before it finishes raising.
    let gate = astral_file("railroad-crossing", GATE);
    let judgement = Oracle::new(&gate).judge(&witness, 0);
    let broken = matches!(judgement, Judgement::Illegal { rule: Rule::Entry, at: 9, .. });
    assert!(broken, "{judgement}");
}

/// The train is gone before the gate is down. The gate may not know that this is impossible.
#[test]
fn without_its_assumption_the_gate_is_late_at_five() {
    let train = "the_sensors[1].train_in_R";
    let events = format!(
        "1 {train}=true; 1 start lower; 2 {train}=false; 3 position=lowering
         3 start raise; 4 position=raising; 5 start up"
    );
    let constants = "dist_R_to_I=6 lower_dur=2 wait_time=3";
    let mutant = astral_file("railroad-crossing-m7", GATE);
    let late = script(&mutant, constants, "", &events, 5);
    assert_eq!(Oracle::new(&mutant).judge(&late, 1), Judgement::Violates { at: 5 });
    let gate = astral_file("railroad-crossing", GATE);
    let judgement = Oracle::new(&gate).judge(&script(&gate, constants, "", &events, 5), 1);
    assert!(matches!(judgement, Judgement::Illegal { rule: Rule::Assumption, at: 2, .. }), "{judgement}");
}
