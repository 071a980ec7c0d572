//! Partial-order reduction changes no verdict: every model, every property, every search, with it and without.

use std::path::{Path, PathBuf};

use lurcher_engines::{Engine, Exec, Job, LoadOptions, Loaded, Report, Verdict, load, load_text, safety};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Budget, Storage};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let files = std::fs::read_dir(folder).expect("the models are there").map(|e| e.expect("readable").path());
    let mut paths: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "pml")).collect();
    paths.sort();
    paths
}

fn job(engine: Engine, exec: Exec, reduce: bool) -> Job {
    let budget = Budget { memory: Some(2 << 30), ..Budget::default() };
    let (jobs, storage) = (if exec == Exec::Jit { 2 } else { 1 }, Storage::Exact);
    Job { engine, exec, jobs, storage, budget, fair: false, message_loss: false, reduce, minimise: None }
}

fn check(loaded: &Loaded, property: &Property, job: &Job) -> Report {
    job.check(loaded.model(), &loaded.sources, property, &mut ()).expect("every trace is confirmed")
}

fn own(kind: PropertyKind, name: &str) -> Property {
    Property::built_in(name, kind)
}

fn unreached(loaded: &Loaded, report: &Report) -> Vec<String> {
    let all = report.coverage.as_ref().expect("processes").unreached(loaded.model());
    all.iter().flat_map(|(_, actions)| actions.iter().map(|a| a.text.clone())).collect()
}

fn source(text: &str) -> Loaded {
    load_text("model.pml", text.to_owned(), &LoadOptions::default()).expect("a model")
}

#[test]
fn verdicts_are_the_same_with_and_without_it() {
    let mut wrong = Vec::new();
    let (mut reduced, mut smaller, mut questions) = (0, 0, 0);
    for path in models() {
        let loaded = load(&path, &LoadOptions::default()).expect("a model");
        let mut properties = vec![safety()];
        properties.push(own(PropertyKind::NonProgress, "non-progress"));
        properties.push(own(PropertyKind::Acceptance, "acceptance"));
        properties.extend(loaded.model().properties.iter().cloned());
        for property in &properties {
            let full = check(&loaded, property, &job(Engine::Dfs, Exec::Jit, false));
            let mut stored = Vec::new();
            for (engine, exec) in [(Engine::Dfs, Exec::Interp), (Engine::Dfs, Exec::Jit), (Engine::Bfs, Exec::Jit)] {
                let report = check(&loaded, property, &job(engine, exec, true));
                let who = format!("{}: {} by {}", path.display(), property.name, report.engine);
                questions += 1;
                if report.verdict != full.verdict {
                    wrong.push(format!("{who}: {} and {}", full.verdict.name(), report.verdict.name()));
                } else if report.verdict == Verdict::Holds {
                    stored.push(report.stats.stored);
                    reduced += u32::from(report.reduction.is_some());
                    smaller += u32::from(report.stats.stored < full.stats.stored);
                    // A formula ends runs early, and what comes before may depend on the order.
                    let whole = !matches!(property.kind, PropertyKind::Ltl { .. } | PropertyKind::Never(_));
                    if whole && unreached(&loaded, &report) != unreached(&loaded, &full) {
                        wrong.push(format!("{who}: other statements were executed"));
                    }
                }
            }
            if stored.iter().any(|n| *n != stored[0] || *n > full.stats.stored) {
                wrong.push(format!("{}: {}: {stored:?} states", path.display(), property.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(reduced > 150 && smaller > 60, "{reduced} of {questions} were reduced, {smaller} to fewer states");
}

/// Two processes that only count for themselves, and one that watches neither.
const APART: &str = "
    active [2] proctype Counter() { byte n; do :: n < 5 -> n++ :: else -> break od; assert(n == 5) }
    active proctype Last() { byte k; k = 1; k = 2 }";

#[test]
fn processes_that_never_meet_are_taken_one_after_the_other() {
    let loaded = source(APART);
    let full = check(&loaded, &safety(), &job(Engine::Dfs, Exec::Jit, false));
    let reduced = check(&loaded, &safety(), &job(Engine::Dfs, Exec::Jit, true));
    assert_eq!((full.verdict, reduced.verdict), (Verdict::Holds, Verdict::Holds));
    assert_eq!(reduced.reduction, Some("partial-order"));
    assert!(reduced.stats.stored * 10 < full.stats.stored, "{} of {}", reduced.stats.stored, full.stats.stored);
}

#[test]
fn a_process_that_goes_round_does_not_keep_others_from_being_looked_at() {
    let loaded = source(
        "active proctype Busy() { byte n; do :: n = 1 - n od }
         active proctype Late() { byte k; k = 1; assert(false) }",
    );
    for engine in [Engine::Dfs, Engine::Bfs] {
        let report = check(&loaded, &safety(), &job(engine, Exec::Jit, true));
        assert_eq!(report.verdict, Verdict::Violated, "{}", engine.name());
    }
}

#[test]
fn a_chain_that_goes_round_inside_atomic_does_not_either() {
    let loaded = source(
        "active proctype Busy() { byte n; atomic { do :: n = 1 - n od } }
         active proctype Late() { byte k; k = 1; assert(false) }",
    );
    for engine in [Engine::Dfs, Engine::Bfs] {
        let report = check(&loaded, &safety(), &job(engine, Exec::Jit, true));
        assert_eq!(report.verdict, Verdict::Violated, "{}", engine.name());
    }
}

#[test]
fn states_that_an_invariant_forbids_are_found_between_steps_of_others() {
    let mut loaded = source(
        "byte x, y;
         active proctype A() { x = 1; x = 0 }
         active proctype B() { y = 1; y = 0 }",
    );
    let both = loaded.invariant("!(x == 1 && y == 1)").expect("an invariant");
    for engine in [Engine::Dfs, Engine::Bfs] {
        let report = check(&loaded, &both, &job(engine, Exec::Jit, true));
        assert_eq!(report.verdict, Verdict::Violated, "{}", engine.name());
    }
}

#[test]
fn what_fails_is_met_before_a_formula_has_had_enough() {
    // The claim follows runs only while x is 0. Without the assertion seen, it would be enough to take x = 1 first.
    let loaded = source(
        "byte x;
         ltl soon { <> (x == 1) }
         active proctype A() { x = 1 }
         active proctype B() { byte k; k = 1; assert(k == 0) }",
    );
    let soon = loaded.model().properties[0].clone();
    for reduce in [false, true] {
        let report = check(&loaded, &soon, &job(Engine::Dfs, Exec::Jit, reduce));
        assert_eq!(report.verdict, Verdict::Violated, "with reduction: {reduce}");
        assert_eq!(report.counterexamples[0].kind, "assertion");
    }
}

#[test]
fn where_it_is_not_sound_it_is_off_and_says_so() {
    let asks = [
        ("active [2] proctype P() { _last == 0 -> skip }", "_last"),
        ("active [2] proctype P() { skip } active proctype Q() { enabled(0) -> skip }", "enabled"),
        ("active proctype P() priority 2 { skip } active proctype Q() { skip }", "priorities"),
        ("chan q = [1] of { byte }; trace { q!1 } active proctype P() { q!1 }", "event trace"),
    ];
    for (text, word) in asks {
        let report = check(&source(text), &safety(), &job(Engine::Dfs, Exec::Jit, true));
        assert_eq!(report.reduction, None, "{text}");
        assert!(report.remarks.iter().any(|r| r.contains(word)), "{text}: {:?}", report.remarks);
    }
    let loaded = source("byte x; ltl p { X (x == 0) } active proctype P() { x = 1 }");
    let report = check(&loaded, &loaded.model().properties[0].clone(), &job(Engine::Dfs, Exec::Jit, true));
    assert!(report.reduction.is_none() && report.remarks.iter().any(|r| r.contains("counts steps")));
    let fair = Job { fair: true, ..job(Engine::Dfs, Exec::Jit, true) };
    let report = check(&loaded, &own(PropertyKind::Acceptance, "acceptance"), &fair);
    assert!(report.reduction.is_none() && report.remarks.iter().any(|r| r.contains("fairness")));
}
