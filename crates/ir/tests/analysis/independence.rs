use lurcher_ir::analysis::{Independence, Table, Visibility};
use lurcher_ir::{Expr, Model};

use super::{model, process};

/// The tables of the processes that exist from the start, without parameters.
fn tables(model: &Model, watch: Visibility) -> Vec<Table> {
    let independence = Independence::new(model, watch, false);
    let made = |(pid, (ty, _)): (usize, &(_, u8))| independence.table(*ty, Some(pid as u16), &[]);
    model.initial_processes.iter().enumerate().map(made).collect()
}

fn initial(model: &Model, pid: usize) -> u16 {
    model.process_type(model.initial_processes[pid].0).initial.0
}

/// Would a process, with the first branch possible or not, meet another one from its start on?
fn meets(model: &Model, tables: &[Table], who: usize, possible: bool, other: usize) -> bool {
    let signature = tables[who].signature(initial(model, who), |_| possible);
    signature.is_dependent(&tables[other], initial(model, other))
}

#[test]
fn processes_meet_at_the_elements_that_both_can_touch() {
    let model = model(
        "byte fork[4];
         active [3] proctype P() { fork[_pid] == 0; fork[_pid] = 1; fork[_pid + 1] = 1 }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(meets(&model, &tables, 1, true, 0), "fork 1 is the other's second");
    assert!(!meets(&model, &tables, 0, true, 1), "fork 0 is nobody else's");
    assert!(!meets(&model, &tables, 2, true, 0));
}

#[test]
fn a_send_and_a_receive_meet_only_while_one_has_to_wait() {
    let model = model(
        "chan q = [2] of { byte };
         active proctype S() { q!1 }
         active proctype R() { byte x; q?x }
         active proctype L() { len(q) > 0 }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(!meets(&model, &tables, 0, true, 1));
    assert!(!meets(&model, &tables, 1, true, 0));
    assert!(meets(&model, &tables, 0, false, 1), "a full channel waits for the receiver");
    assert!(meets(&model, &tables, 1, false, 0), "an empty one for the sender");
    assert!(meets(&model, &tables, 0, true, 2) && meets(&model, &tables, 1, true, 2), "who counts messages sees both");
}

#[test]
fn both_parts_of_a_rendezvous_meet_and_two_senders_do_not() {
    let model = model(
        "chan q = [0] of { byte };
         active [2] proctype S() { q!1 }
         active proctype R() { byte x; q?x }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(meets(&model, &tables, 0, true, 2) && meets(&model, &tables, 2, false, 0));
    assert!(!meets(&model, &tables, 0, true, 1));
}

#[test]
fn an_atomic_chain_touches_what_its_statements_touch() {
    let model = model(
        "byte x;
         active proctype A() { byte n; atomic { n = 1; x = 1 } }
         active proctype B() { byte n; n = 1; x = 2 }
         active proctype C() { byte n; n = 1 }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(meets(&model, &tables, 0, true, 1));
    assert!(!meets(&model, &tables, 1, true, 0), "its first statement is its own");
    assert!(!meets(&model, &tables, 0, true, 2));
}

#[test]
fn who_may_create_a_process_may_touch_what_that_touches() {
    let model = model(
        "byte x;
         active proctype A() { x = 1 }
         active proctype B() { byte n; n = 1; run C() }
         proctype C() { x = 2 }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(meets(&model, &tables, 0, true, 1));
}

#[test]
fn steps_that_a_property_sees_and_steps_that_cut_cycles_are_not_taken_alone() {
    let model = model(
        "byte x, y;
         active proctype A() { x = 1; y = 1; do :: y = 2 od }",
    );
    let x = match &process(&model, "A").actions.iter().find(|a| a.text.starts_with("x =")).expect("x = 1").kind {
        lurcher_ir::ActionKind::Assign(place, _) => Expr::Read(Box::new(place.clone())),
        other => panic!("{other:?}"),
    };
    let alone = |watch: Visibility| {
        let tables = tables(&model, watch);
        let mut found = Vec::new();
        for (number, location) in process(&model, "A").locations.iter().enumerate() {
            for (index, branch) in location.branches.iter().enumerate() {
                let text = process(&model, "A").action(branch.action).text.clone();
                found.push((text, tables[0].may_be_ample(number as u16, index as u16)));
            }
        }
        move |text: &str| found.iter().filter(|(t, _)| t == text).all(|(_, alone)| *alone)
    };
    let unseen = alone(Visibility::default());
    assert!(unseen("x = 1") && unseen("y = 1") && !unseen("y = 2"));
    let seen = alone(Visibility { exprs: vec![x], ..Visibility::default() });
    assert!(!seen("x = 1") && seen("y = 1"));
}
