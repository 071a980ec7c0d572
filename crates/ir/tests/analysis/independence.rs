use lurcher_ir::analysis::{Independence, Table, Visibility};
use lurcher_ir::{Expr, Model};

use super::{model, process};

/// The tables of the initial processes, without parameters.
fn tables(model: &Model, visibility: Visibility) -> Vec<Table> {
    let independence = Independence::new(model, visibility, false);
    let made = |(pid, (ty, _)): (usize, &(_, u8))| independence.table(*ty, Some(pid as u16), &[]);
    model.initial_processes.iter().enumerate().map(made).collect()
}

fn initial(model: &Model, pid: usize) -> u16 {
    model.process_type(model.initial_processes[pid].0).initial.0
}

/// Whether a process with its first branch enabled or not is dependent on another from its initial location on.
fn dependent(model: &Model, tables: &[Table], process: usize, enabled: bool, other: usize) -> bool {
    let signature = tables[process].signature(initial(model, process), |_| enabled);
    signature.is_dependent(&tables[other], initial(model, other))
}

#[test]
fn processes_are_dependent_through_shared_array_elements() {
    let model = model(
        "byte fork[4];
         active [3] proctype P() { fork[_pid] == 0; fork[_pid] = 1; fork[_pid + 1] = 1 }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(dependent(&model, &tables, 1, true, 0), "fork 1 is the second of process 0");
    assert!(!dependent(&model, &tables, 0, true, 1), "no other process uses fork 0");
    assert!(!dependent(&model, &tables, 2, true, 0));
}

#[test]
fn a_send_and_a_receive_are_dependent_only_while_one_blocks() {
    let model = model(
        "chan q = [2] of { byte };
         active proctype S() { q!1 }
         active proctype R() { byte x; q?x }
         active proctype L() { len(q) > 0 }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(!dependent(&model, &tables, 0, true, 1));
    assert!(!dependent(&model, &tables, 1, true, 0));
    assert!(dependent(&model, &tables, 0, false, 1), "a full channel blocks until a receive");
    assert!(dependent(&model, &tables, 1, false, 0), "an empty one until a send");
    assert!(
        dependent(&model, &tables, 0, true, 2) && dependent(&model, &tables, 1, true, 2),
        "the length depends on both"
    );
}

#[test]
fn sender_and_receiver_of_a_rendezvous_are_dependent_but_not_two_senders() {
    let model = model(
        "chan q = [0] of { byte };
         active [2] proctype S() { q!1 }
         active proctype R() { byte x; q?x }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(dependent(&model, &tables, 0, true, 2) && dependent(&model, &tables, 2, false, 0));
    assert!(!dependent(&model, &tables, 0, true, 1));
}

#[test]
fn an_atomic_chain_has_the_access_sets_of_its_statements() {
    let model = model(
        "byte x;
         active proctype A() { byte n; atomic { n = 1; x = 1 } }
         active proctype B() { byte n; n = 1; x = 2 }
         active proctype C() { byte n; n = 1 }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(dependent(&model, &tables, 0, true, 1));
    assert!(!dependent(&model, &tables, 1, true, 0), "its first statement is local");
    assert!(!dependent(&model, &tables, 0, true, 2));
}

#[test]
fn a_process_that_may_create_another_has_its_access_sets() {
    let model = model(
        "byte x;
         active proctype A() { x = 1 }
         active proctype B() { byte n; n = 1; run C() }
         proctype C() { x = 2 }",
    );
    let tables = tables(&model, Visibility::default());
    assert!(dependent(&model, &tables, 0, true, 1));
}

#[test]
fn visible_and_sticky_steps_are_not_ample() {
    let model = model(
        "byte x, y;
         active proctype A() { x = 1; y = 1; do :: y = 2 od }",
    );
    let x = match &process(&model, "A").actions.iter().find(|a| a.text.starts_with("x =")).expect("x = 1").kind {
        lurcher_ir::ActionKind::Assign(place, _) => Expr::Read(Box::new(place.clone())),
        other => panic!("{other:?}"),
    };
    let ample = |visibility: Visibility| {
        let tables = tables(&model, visibility);
        let mut found = Vec::new();
        for (number, location) in process(&model, "A").locations.iter().enumerate() {
            for (index, branch) in location.branches.iter().enumerate() {
                let text = process(&model, "A").action(branch.action).text.clone();
                found.push((text, tables[0].may_be_ample(number as u16, index as u16)));
            }
        }
        move |text: &str| found.iter().filter(|(t, _)| t == text).all(|(_, ample)| *ample)
    };
    let invisible = ample(Visibility::default());
    assert!(invisible("x = 1") && invisible("y = 1") && !invisible("y = 2"));
    let visible = ample(Visibility { exprs: vec![x], ..Visibility::default() });
    assert!(!visible("x = 1") && visible("y = 1"));
}
