use lurcher_ir::analysis::{Access, Concern, Dependencies, Layers, Participation, Variable};
use lurcher_ir::{Model, PropertyKind};

use super::{model, process};

fn names(model: &Model, variables: &[Variable]) -> Vec<String> {
    variables.iter().map(|v| v.name(model)).collect()
}

fn about_assertions(model: &Model) -> (Layers, Participation) {
    let dependencies = Dependencies::new(model);
    let concern = Concern::assertions(model, &dependencies);
    let layers = dependencies.layers(&concern.reads);
    let participation = Participation::new(model, &dependencies, &layers, &concern);
    (layers, participation)
}

const CHAIN: &str = "
    byte a, b, c, d, unrelated;
    active proctype A() { do :: b > 0 -> a = 1 od }
    active proctype B() { do :: b = c + 1 od }
    active proctype C() { do :: c = d od }
    active proctype U() { do :: unrelated++ od }
    active proctype Watch() { assert(a == 0) }";

#[test]
fn layers_follow_who_decides_whose_value() {
    let model = model(CHAIN);
    let (layers, _) = about_assertions(&model);
    let shown: Vec<Vec<String>> = layers.layers.iter().map(|l| names(&model, l)).collect();
    assert_eq!(shown[0], ["a", "Watch[4].location"]);
    assert_eq!(shown[1], ["A[0].location"]);
    assert_eq!(shown[2], ["b"], "what the guard of A reads");
    assert_eq!(shown[3], ["c", "B[1].location"]);
    assert_eq!(shown[4], ["d", "C[2].location"]);
    assert_eq!(shown.len(), 5);
}

#[test]
fn what_lies_outside_the_cone_is_weak_first_then_the_farthest_layers() {
    let model = model(CHAIN);
    let dependencies = Dependencies::new(&model);
    let layers = dependencies.layers(&Concern::assertions(&model, &dependencies).reads);
    assert_eq!(names(&model, &layers.outside(&dependencies)), ["unrelated", "U[3].location"]);
    let weak = names(&model, &layers.weak(&dependencies, 3));
    assert_eq!(weak, ["unrelated", "U[3].location", "d", "C[2].location", "c", "B[1].location"]);
}

#[test]
fn elements_with_known_indices_are_told_apart() {
    let model = model(
        "bool flag[3]; byte seen;
         active [3] proctype P() { do :: flag[_pid] = 1 :: flag[(_pid + 1) % 3] -> seen++ od }
         ltl quiet { [] (!flag[1]) }",
    );
    let dependencies = Dependencies::new(&model);
    let PropertyKind::Ltl { atoms, .. } = &model.properties[0].kind else { panic!("a formula") };
    let reads = dependencies.read_by(atoms[0].expr());
    assert_eq!(names(&model, &reads), ["flag[1]"]);
    let layers = dependencies.layers(&reads);
    assert_eq!(names(&model, &layers.layers[1]), ["P[1].location"], "only process 1 writes flag[1]");
    assert_eq!(names(&model, &layers.layers[2]), ["flag[2]"], "its guard reads its neighbour's flag");
}

#[test]
fn channels_carry_dependencies_between_processes() {
    let model = model(
        "chan link[2] = [1] of { byte }; byte got;
         active proctype Send() { byte n; do :: n = n + 1; link[0]!n od }
         active proctype Relay() { byte m; do :: link[0]?m; got = m od }
         active proctype Idle() { byte i; do :: link[1]!i od }
         active proctype Watch() { assert(got < 3) }",
    );
    let (layers, _) = about_assertions(&model);
    let has = |name: &str| layers.layers.iter().flatten().any(|v| v.name(&model) == name);
    assert!(has("link[0] (messages)") && has("Send[0].n") && has("Relay[1].m"));
    assert!(!has("link[1] (messages)") && !has("Idle[2].i"));
}

#[test]
fn few_processes_take_part_where_the_model_tells_them_apart() {
    let users = |who: &str| {
        format!(
            "byte inside;
             active [4] proctype User() {{
                if :: {who} -> inside++; assert(inside == 1); inside-- :: else -> skip fi
             }}"
        )
    };
    let low = model(&users("_pid < 2"));
    let (_, participation) = about_assertions(&low);
    assert_eq!((participation.participants, participation.processes), (2, 4));
    assert_eq!(participation.factor(), 0.5);
    let high = model(&users("_pid < 9"));
    assert_eq!(about_assertions(&high).1.factor(), 1.0);
}

#[test]
fn in_a_deadlock_those_take_part_that_can_wait() {
    let model = model(
        "bool fork; byte n;
         active [3] proctype Waits() { do :: atomic { !fork -> fork = 1 }; fork = 0 od }
         active proctype Runs() { do :: n = 1 - n od }",
    );
    let dependencies = Dependencies::new(&model);
    let concern = Concern::deadlock(&model, &dependencies);
    let layers = dependencies.layers(&concern.reads);
    let found = Participation::new(&model, &dependencies, &layers, &concern);
    assert_eq!((found.participants, found.processes), (3, 4));
}

#[test]
fn processes_created_later_count_once_for_each_run() {
    let model = model(
        "byte x;
         proctype Worker(byte n) { x = n; assert(x < 9) }
         init { run Worker(1); run Worker(2) }",
    );
    let (_, participation) = about_assertions(&model);
    assert_eq!((participation.participants, participation.processes), (3, 3), "init passes the values on");
}

#[test]
fn reads_that_enable_are_kept_apart_from_reads_that_compute() {
    let model = model("byte a, b, c; active proctype P() { d_step { a > 0; c = b } }");
    let p = process(&model, "P");
    let access = Access::of_action(&p.actions[0], None);
    let offsets = |regions: &[lurcher_ir::analysis::Region]| regions.iter().map(|r| r.offset).collect::<Vec<_>>();
    assert_eq!(offsets(&access.enabling), [0]);
    assert!(offsets(&access.data).contains(&1));
    assert_eq!(offsets(&access.writes), [2]);
}
