//! Values that nobody will ask for again are forgotten, and nobody can tell.

use std::path::{Path, PathBuf};

use lurcher_engines::{LoadOptions, load, load_text};
use lurcher_ir::analysis::Dead;
use lurcher_ir::{LocationId, Model, ProcessTypeId};
use lurcher_system::{Forgetful, Interpreter, Limits, Machine};

/// The names of the variables of the first process type that are dead at a label, when all formulas are asked for.
fn dead_at(text: &str, label: &str) -> Vec<String> {
    let loaded = load_text("model.pml", text.to_owned(), &LoadOptions::default()).expect("a valid model");
    let model = loaded.model();
    let ty = &model.process_types[0];
    let at = ty.locations.iter().position(|l| l.labels.iter().any(|l| l == label)).expect("a label");
    let dead = Dead::of(model, &model.properties.iter().flat_map(|p| p.kind.exprs()).collect::<Vec<_>>());
    let ranges = dead.at(ProcessTypeId(0), LocationId(at as u16));
    let mut names = Vec::new();
    for local in &ty.locals {
        local.shape.leaves(&mut |suffix, offset, _| {
            let byte = local.offset + offset;
            if ranges.iter().any(|r| r.contains(&byte)) {
                names.push(format!("{}{suffix}", local.name));
            }
        });
    }
    names
}

#[test]
fn what_is_written_before_it_is_read_is_dead_until_then() {
    let text = "byte g; active proctype P() { byte a, b, c; a = 1; b = 2; here: a = b; g = a; g = c }";
    assert_eq!(dead_at(text, "here"), ["a"]);
    let never = "active proctype P() { byte a, b; a = 1; here: b = a; b = 3; there: skip }";
    assert_eq!(dead_at(never, "here"), ["b"]);
    assert_eq!(dead_at(never, "there"), ["a", "b"]);
}

#[test]
fn a_value_lives_on_if_one_of_several_ways_reads_it() {
    let text = "byte g; active proctype P() { byte a, b; a = 1; b = 1;
        here: if :: g == 0 -> g = a; b = 2 :: else -> a = 2; b = 3 fi; g = b }";
    assert_eq!(dead_at(text, "here"), ["b"]);
    let round = "byte g; active proctype P() { byte a; do :: here: g = 1; a = g :: g == a od }";
    assert_eq!(dead_at(round, "here"), ["a"]);
    let escape = "byte g; active proctype P() { byte a; { g = 2; here: g = 1; a = 2 } unless { g == 3 && a == 1 } }";
    assert_eq!(dead_at(escape, "here"), [""; 0]);
}

#[test]
fn what_an_index_may_select_is_kept() {
    let text = "byte g; active proctype P() { byte a[3], i; here: a[i] = 1; g = a[2] }";
    assert_eq!(dead_at(text, "here"), ["a[0]", "a[1]"]);
    let any = "byte g; active proctype P() { byte a[3], i; here: a[0] = 1; g = a[i] }";
    assert_eq!(dead_at(any, "here"), ["a[0]"]);
}

#[test]
fn messages_and_sequences_write_and_read() {
    let text = "chan c = [1] of { byte, byte };
        active proctype P() { byte a, b, d; here: c?a,eval(b); there: c!a,d }";
    assert_eq!(dead_at(text, "here"), ["a"]);
    assert_eq!(dead_at(text, "there"), ["b"]);
    let sequence = "byte g; active proctype P() { byte a, b, d;
        here: d_step { a = 1; if :: g == a -> b = 2 :: else -> skip fi; d = b }; g = d }";
    assert_eq!(dead_at(sequence, "here"), ["a", "d"]);
}

#[test]
fn what_others_look_at_is_kept() {
    let text = "byte g; active proctype P() { byte a, b; here: g = 1; a = 2; b = 3 }
        active proctype Q() { P[0]:a == 2 }";
    assert_eq!(dead_at(text, "here"), ["b"]);
    let claim = "byte g; active proctype P() { byte a, b; here: g = 1; a = 2; b = 3 } ltl p { [] (P[0]:b < 3) }";
    assert_eq!(dead_at(claim, "here"), ["a"]);
    let channel = "active proctype P() { chan c = [1] of { byte }; byte a; here: skip }";
    assert_eq!(dead_at(channel, "here"), ["a"]);
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let entries = std::fs::read_dir(folder).expect("a folder of models");
    let paths = entries.map(|e| e.expect("a readable folder").path());
    paths.filter(|p| p.extension().is_some_and(|e| e == "pml")).collect()
}

/// Walks at random on two machines at once; says how many states differed.
fn walk_together(model: &Model, dead: &Dead, seed: u64) -> u64 {
    let machine = Interpreter::new(model, Limits::for_model(model));
    let forgetful = Forgetful::new(&machine, dead);
    let (Ok(mut state), Ok(mut other)) = (machine.initial(), forgetful.initial()) else { return 0 };
    let (mut moves, mut same, mut random, mut differing) = (Vec::new(), Vec::new(), seed, 0);
    for _ in 0..400 {
        machine.moves(&state, &mut moves);
        forgetful.moves(&other, &mut same);
        assert_eq!(moves, same);
        if moves.is_empty() {
            break;
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let step = moves[(random >> 33) as usize % moves.len()];
        let violation = machine.apply(&mut state, &step);
        assert_eq!(violation, forgetful.apply(&mut other, &step));
        if violation.is_some_and(|v| v.is_fatal()) {
            break;
        }
        differing += u64::from(state.bytes() != other.bytes());
    }
    differing
}

#[test]
fn nobody_can_tell_that_something_was_forgotten() {
    let mut differing = 0;
    for path in models() {
        let loaded = load(&path, &LoadOptions::default()).expect("a valid model");
        for dead in [Dead::of(loaded.model(), &[]), Dead::with_vain(loaded.model(), &[])] {
            differing += (1..=6).map(|seed| walk_together(loaded.model(), &dead, seed)).sum::<u64>();
        }
    }
    assert!(differing > 1000, "{differing}");
}

/// The names of globals that nobody ever asks for.
fn vain(text: &str) -> Vec<String> {
    let loaded = load_text("model.pml", text.to_owned(), &LoadOptions::default()).expect("a valid model");
    let model = loaded.model();
    let dead = Dead::with_vain(model, &[]);
    for seed in 1..=3 {
        walk_together(model, &dead, seed);
    }
    let mut names = Vec::new();
    for global in &model.globals {
        global.shape.leaves(&mut |suffix, offset, _| {
            if dead.globals().iter().any(|r| r.contains(&(global.offset + offset))) {
                names.push(format!("{}{suffix}", global.name));
            }
        });
    }
    names
}

#[test]
fn counters_that_nobody_asks_for_are_vain() {
    let counters = "int n, m, k; byte x; chan q = [1] of { byte };
        active proctype P() { do :: x < 3 -> x++; n++; m = n + x; printf(\"%d\", m) :: q!x :: q?k :: x = 0 od }";
    assert_eq!(vain(counters), ["n", "m", "k"]);
    let asked =
        "int n, m, k, z; active [2] proctype P() { do :: n++; m = n :: m > 2 -> k = z; z++ :: assert(k < 100) od }";
    assert_eq!(vain(asked), [""; 0]);
}

#[test]
fn what_decides_whether_a_value_exists_is_not_vain() {
    let faults = "int n, d = 5, i, a[3]; active proctype P() { do :: n = n / d; d-- :: n = a[i]; i++ :: a[i] = n od }";
    assert_eq!(vain(faults), ["n", "a[0]", "a[1]", "a[2]"]);
    let guarded =
        "int n, m, k, d; active proctype P() { do :: n++; m = (n < 3 -> 1 : 5 / d) :: k++; m = k < 3 || 5 / d od }";
    assert_eq!(vain(guarded), ["m"]);
    let remote = "int g; active proctype P() { int v; do :: v++; g = v od } active proctype Q() { P[0]:v == 2 }";
    assert_eq!(vain(remote), ["g"]);
    let sent = "int g; chan q = [1] of { int }; active proctype P() { do :: g++; q!g :: q?_ od }";
    assert_eq!(vain(sent), [""; 0]);
}
