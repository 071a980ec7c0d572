//! Dead and faint variables are reset, and no behaviour changes.

mod support;

use lurcher_ir::analysis::Dead;
use lurcher_ir::{LocationId, Model, ProcessTypeId, VarDecl};
use lurcher_system::{DeadVariableReset, Interpreter, Limits, Machine};

use support::{open, processes, promela, promela_models};

/// The variables of the first process type that are dead at a label, given that all formulas are observed.
fn dead_at(text: &str, label: &str) -> Vec<String> {
    let model = promela(text);
    let model = processes(&model);
    let ty = &model.process_types[0];
    let at = ty.locations.iter().position(|l| l.labels.iter().any(|l| l == label)).expect("a label");
    let dead = Dead::of(model, &model.properties.iter().flat_map(|p| p.kind.exprs()).collect::<Vec<_>>());
    let ranges = dead.at(ProcessTypeId(0), LocationId(at as u16));
    let leaves = ty.locals.iter().flat_map(VarDecl::leaves);
    leaves.filter(|leaf| ranges.iter().any(|r| r.contains(&leaf.offset))).map(|leaf| leaf.name).collect()
}

#[test]
fn a_variable_is_dead_until_it_is_written_if_no_read_comes_first() {
    let text = "byte g; active proctype P() { byte a, b, c; a = 1; b = 2; here: a = b; g = a; g = c }";
    assert_eq!(dead_at(text, "here"), ["a"]);
    let never = "active proctype P() { byte a, b; a = 1; here: b = a; b = 3; there: skip }";
    assert_eq!(dead_at(never, "here"), ["b"]);
    assert_eq!(dead_at(never, "there"), ["a", "b"]);
}

#[test]
fn a_variable_is_live_if_one_of_several_branches_reads_it() {
    let text = "byte g; active proctype P() { byte a, b; a = 1; b = 1;
        here: if :: g == 0 -> g = a; b = 2 :: else -> a = 2; b = 3 fi; g = b }";
    assert_eq!(dead_at(text, "here"), ["b"]);
    let round = "byte g; active proctype P() { byte a; do :: here: g = 1; a = g :: g == a od }";
    assert_eq!(dead_at(round, "here"), ["a"]);
    let escape = "byte g; active proctype P() { byte a; { g = 2; here: g = 1; a = 2 } unless { g == 3 && a == 1 } }";
    assert_eq!(dead_at(escape, "here"), [""; 0]);
}

#[test]
fn array_elements_that_an_index_may_select_are_live() {
    let text = "byte g; active proctype P() { byte a[3], i; here: a[i] = 1; g = a[2] }";
    assert_eq!(dead_at(text, "here"), ["a[0]", "a[1]"]);
    let any = "byte g; active proctype P() { byte a[3], i; here: a[0] = 1; g = a[i] }";
    assert_eq!(dead_at(any, "here"), ["a[0]"]);
}

#[test]
fn receives_and_d_steps_count_as_reads_and_writes() {
    let text = "chan c = [1] of { byte, byte };
        active proctype P() { byte a, b, d; here: c?a,eval(b); there: c!a,d }";
    assert_eq!(dead_at(text, "here"), ["a"]);
    assert_eq!(dead_at(text, "there"), ["b"]);
    let sequence = "byte g; active proctype P() { byte a, b, d;
        here: d_step { a = 1; if :: g == a -> b = 2 :: else -> skip fi; d = b }; g = d }";
    assert_eq!(dead_at(sequence, "here"), ["a", "d"]);
}

#[test]
fn variables_that_other_processes_or_claims_read_are_live() {
    let text = "byte g; active proctype P() { byte a, b; here: g = 1; a = 2; b = 3 }
        active proctype Q() { P[0]:a == 2 }";
    assert_eq!(dead_at(text, "here"), ["b"]);
    let claim = "byte g; active proctype P() { byte a, b; here: g = 1; a = 2; b = 3 } ltl p { [] (P[0]:b < 3) }";
    assert_eq!(dead_at(claim, "here"), ["a"]);
    let channel = "active proctype P() { chan c = [1] of { byte }; byte a; here: skip }";
    assert_eq!(dead_at(channel, "here"), ["a"]);
}

/// Walks at random on the plain machine and the one that resets dead variables; returns how many states differed.
fn walk_together(model: &Model, dead: &Dead, seed: u64) -> u64 {
    let machine = Interpreter::new(model, Limits::for_model(model));
    let resetting = DeadVariableReset::new(&machine, dead);
    let (Ok(mut state), Ok(mut other)) = (machine.initial(), resetting.initial()) else { return 0 };
    let (mut moves, mut same, mut random, mut differing) = (Vec::new(), Vec::new(), seed, 0);
    for _ in 0..400 {
        machine.moves(&state, &mut moves);
        resetting.moves(&other, &mut same);
        assert_eq!(moves, same);
        if moves.is_empty() {
            break;
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let step = moves[(random >> 33) as usize % moves.len()];
        let violation = machine.apply(&mut state, &step);
        assert_eq!(violation, resetting.apply(&mut other, &step));
        if violation.is_some_and(|v| v.is_fatal()) {
            break;
        }
        differing += u64::from(state.bytes() != other.bytes());
    }
    differing
}

#[test]
fn resetting_dead_variables_changes_no_move_and_no_violation() {
    let mut differing = 0;
    for path in promela_models() {
        let model = open(&path);
        let model = processes(&model);
        for dead in [Dead::of(model, &[]), Dead::with_faint(model, &[])] {
            differing += (1..=6).map(|seed| walk_together(model, &dead, seed)).sum::<u64>();
        }
    }
    assert!(differing > 1000, "{differing}");
}

/// The globals that are faint: no guard, assertion or message depends on them.
fn faint(text: &str) -> Vec<String> {
    let model = promela(text);
    let model = processes(&model);
    let dead = Dead::with_faint(model, &[]);
    for seed in 1..=3 {
        walk_together(model, &dead, seed);
    }
    let leaves = model.globals.iter().flat_map(VarDecl::leaves);
    leaves.filter(|leaf| dead.globals().iter().any(|r| r.contains(&leaf.offset))).map(|leaf| leaf.name).collect()
}

#[test]
fn counters_that_no_guard_reads_are_faint() {
    let counters = "int n, m, k; byte x; chan q = [1] of { byte };
        active proctype P() { do :: x < 3 -> x++; n++; m = n + x; printf(\"%d\", m) :: q!x :: q?k :: x = 0 od }";
    assert_eq!(faint(counters), ["n", "m", "k"]);
    let asked =
        "int n, m, k, z; active [2] proctype P() { do :: n++; m = n :: m > 2 -> k = z; z++ :: assert(k < 100) od }";
    assert_eq!(faint(asked), [""; 0]);
}

#[test]
fn a_variable_that_may_cause_a_fault_is_not_faint() {
    let faults = "int n, d = 5, i, a[3]; active proctype P() { do :: n = n / d; d-- :: n = a[i]; i++ :: a[i] = n od }";
    assert_eq!(faint(faults), ["n", "a[0]", "a[1]", "a[2]"]);
    let guarded =
        "int n, m, k, d; active proctype P() { do :: n++; m = (n < 3 -> 1 : 5 / d) :: k++; m = k < 3 || 5 / d od }";
    assert_eq!(faint(guarded), ["m"]);
    let remote = "int g; active proctype P() { int v; do :: v++; g = v od } active proctype Q() { P[0]:v == 2 }";
    assert_eq!(faint(remote), ["g"]);
    let sent = "int g; chan q = [1] of { int }; active proctype P() { do :: g++; q!g :: q?_ od }";
    assert_eq!(faint(sent), [""; 0]);
}
