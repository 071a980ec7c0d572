use lurcher_ir::ActionKind;
use lurcher_ir::analysis::{ControlFlow, blocking_locations};

use super::{label, model, process};

const STAGES: &str = "
    byte x;
    active proctype P() {
    one:    x = 1;
    two:    if :: x == 1 -> goto three :: x == 2 -> goto four fi;
    three:  x = 3;
    four:   x = 4;
    five:   do :: x == 5 -> x = 6 :: x == 7 -> break od;
    six:    x = 7
    }";

#[test]
fn distances_count_actions_to_a_location_and_are_none_where_it_cannot_be_reached() {
    let model = model(STAGES);
    let p = process(&model, "P");
    let flow = ControlFlow::new(p, None);
    let four = label(p, "four");
    let distances = flow.distances(|l| (l == four).then_some(0), |_| None);
    let at = |name| distances.of(label(p, name));
    assert_eq!(at("four"), Some(0));
    assert_eq!(at("three"), Some(1));
    assert_eq!(at("two"), Some(1), "a jump is no action");
    assert_eq!(at("one"), Some(2));
    assert_eq!(at("five"), None);
}

#[test]
fn distances_to_an_action_count_its_execution() {
    let model = model(STAGES);
    let p = process(&model, "P");
    let flow = ControlFlow::new(p, None);
    let writes_seven = |text: &str| text.replace(' ', "") == "x=7";
    let distances = flow.distances(|_| None, |e| writes_seven(&flow.action(e).text).then_some(0));
    assert_eq!(distances.of(label(p, "six")), Some(1));
    assert_eq!(distances.of(label(p, "five")), Some(2));
}

#[test]
fn a_process_of_known_number_does_not_take_branches_for_others() {
    let model = model(
        "byte x;
         active [2] proctype P() {
            if :: _pid == 0 -> goto low :: else -> goto high fi;
         low:   x = 1; goto done;
         high:  x = 2;
         done:  skip
         }",
    );
    let p = process(&model, "P");
    let distance = |pid, name| {
        let goal = label(p, name);
        let flow = ControlFlow::new(p, pid);
        flow.distances(|l| (l == goal).then_some(0), |_| None).of(p.initial)
    };
    assert!(distance(None, "low").is_some() && distance(None, "high").is_some());
    assert!(distance(Some(0), "low").is_some());
    assert_eq!(distance(Some(0), "high"), None);
    assert_eq!(distance(Some(1), "low"), None);
}

#[test]
fn cycles_are_found_and_can_be_asked_to_stay_inside() {
    let model = model(STAGES);
    let p = process(&model, "P");
    let flow = ControlFlow::new(p, None);
    let five = label(p, "five");
    let cycle = flow.on_cycles(|_| true);
    assert!(cycle.contains(&five) && cycle.len() == 2, "{cycle:?}");
    assert_eq!(flow.on_cycles(|l| l != five), vec![]);
}

#[test]
fn a_process_waits_at_guards_and_channels_but_not_at_assignments_or_else() {
    let model = model(
        "chan c = [1] of { byte }; byte x;
         active proctype P() {
         guard:     x == 1;
         assign:    x = 2;
         choice:    if :: x == 3 -> skip :: else -> skip fi;
         send:      c!1;
         late:      timeout;
         receive:   c?x
         }",
    );
    let p = process(&model, "P");
    let blocking = blocking_locations(p, None);
    for (name, waits) in
        [("guard", true), ("assign", false), ("choice", false), ("send", true), ("late", false), ("receive", true)]
    {
        assert_eq!(blocking.contains(&label(p, name)), waits, "{name}");
    }
    let last =
        p.locations.iter().position(|l| l.branches.iter().any(|b| matches!(p.action(b.action).kind, ActionKind::End)));
    assert!(blocking.iter().any(|l| Some(l.0 as usize) == last), "a process waits to die");
}
