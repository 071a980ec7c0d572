//! Partial-order reduction changes no verdict: every model, every property, every search, with it and without.

mod support;

use lurcher::Question;
use lurcher::engines::{Report, Verdict};
use lurcher_ir::{Property, PropertyKind};

use support::{Setup, open, processes, promela, promela_models, resolve, safety};

/// A search on two threads within 2 GiB.
fn search(engine: &'static str, options: &str) -> Setup {
    let mut setup = Setup::verify(engine, options).on(2);
    setup.budget.resources.memory = Some(2 << 30);
    setup
}

/// The same with partial-order reduction.
fn reduced(engine: &'static str) -> Setup {
    search(engine, "reduction=auto")
}

fn unreached(model: &lurcher_ir::Model, report: &Report) -> Vec<String> {
    let all = report.coverage.as_ref().expect("processes").unreached(model);
    all.iter().flat_map(|(_, actions)| actions.iter().map(|a| a.text.clone())).collect()
}

#[test]
fn verdicts_are_the_same_with_and_without_reduction() {
    let mut wrong = Vec::new();
    let (mut applied, mut smaller, mut questions) = (0, 0, 0);
    for path in promela_models() {
        let loaded = open(&path);
        let model = processes(&loaded);
        let mut properties = vec![safety()];
        properties.push(Property::built_in("non-progress", PropertyKind::NonProgress));
        properties.push(Property::built_in("acceptance", PropertyKind::Acceptance));
        properties.extend(model.properties.iter().cloned());
        for property in &properties {
            let full = search("dfs", "").report(&loaded, property);
            let mut stored = Vec::new();
            for setup in [reduced("dfs").with("exec=interp").on(1), reduced("dfs"), reduced("bfs")] {
                let report = setup.report(&loaded, property);
                let who = format!("{}: {} by {}", path.display(), property.name, report.engine);
                questions += 1;
                if report.verdict != full.verdict {
                    wrong.push(format!("{who}: {} and {}", full.verdict.name(), report.verdict.name()));
                } else if report.verdict == Verdict::Holds {
                    stored.push(report.stats.stored);
                    applied += u32::from(report.reduction.is_some());
                    smaller += u32::from(report.stats.stored < full.stats.stored);
                    // A claim ends runs early; the statements executed before that depend on the order.
                    let whole = !matches!(property.kind, PropertyKind::Ltl { .. } | PropertyKind::Never(_));
                    if whole && unreached(model, &report) != unreached(model, &full) {
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
    assert!(applied > 150 && smaller > 60, "{applied} of {questions} were reduced, {smaller} to fewer states");
}

/// Three processes without shared variables.
const APART: &str = "
    active [2] proctype Counter() { byte n; do :: n < 5 -> n++ :: else -> break od; assert(n == 5) }
    active proctype Last() { byte k; k = 1; k = 2 }";

#[test]
fn independent_processes_are_executed_one_after_the_other() {
    let model = promela(APART);
    let (full, reduced) = (search("dfs", "").report(&model, &safety()), reduced("dfs").report(&model, &safety()));
    assert_eq!((full.verdict, reduced.verdict), (Verdict::Holds, Verdict::Holds));
    assert_eq!(reduced.reduction, Some("partial-order"));
    assert!(reduced.stats.stored * 10 < full.stats.stored, "{} of {}", reduced.stats.stored, full.stats.stored);
}

#[test]
fn a_process_that_loops_forever_does_not_hide_the_moves_of_others() {
    let model = promela(
        "active proctype Busy() { byte n; do :: n = 1 - n od }
         active proctype Late() { byte k; k = 1; assert(false) }",
    );
    for engine in ["dfs", "bfs"] {
        assert_eq!(reduced(engine).report(&model, &safety()).verdict, Verdict::Violated, "{engine}");
    }
}

#[test]
fn a_loop_inside_atomic_does_not_hide_the_moves_of_others() {
    let model = promela(
        "active proctype Busy() { byte n; atomic { do :: n = 1 - n od } }
         active proctype Late() { byte k; k = 1; assert(false) }",
    );
    for engine in ["dfs", "bfs"] {
        assert_eq!(reduced(engine).report(&model, &safety()).verdict, Verdict::Violated, "{engine}");
    }
}

#[test]
fn states_that_an_invariant_forbids_are_found_between_steps_of_others() {
    let mut model = promela(
        "byte x, y;
         active proctype A() { x = 1; x = 0 }
         active proctype B() { y = 1; y = 0 }",
    );
    let both = resolve(&mut model, Question::invariant("!(x == 1 && y == 1)"));
    for engine in ["dfs", "bfs"] {
        assert_eq!(reduced(engine).report(&model, &both).verdict, Verdict::Violated, "{engine}");
    }
}

#[test]
fn assertions_are_visible_to_a_claim_that_ends_runs_early() {
    // The claim follows runs only while x is 0. If the assertion were invisible, executing x = 1 first would be enough.
    let model = promela(
        "byte x;
         ltl soon { <> (x == 1) }
         active proctype A() { x = 1 }
         active proctype B() { byte k; k = 1; assert(k == 0) }",
    );
    for setup in [search("dfs", ""), reduced("dfs")] {
        let report = setup.report(&model, &processes(&model).properties[0]);
        assert_eq!(report.verdict, Verdict::Violated, "{}", setup.options);
        assert_eq!(report.counterexamples[0].kind, "assertion");
    }
}

#[test]
fn where_the_reduction_is_not_sound_it_is_off_and_the_report_says_why() {
    let models = [
        ("active [2] proctype P() { _last == 0 -> skip }", "_last"),
        ("active [2] proctype P() { skip } active proctype Q() { enabled(0) -> skip }", "enabled"),
        ("active proctype P() priority 2 { skip } active proctype Q() { skip }", "priorities"),
        ("chan q = [1] of { byte }; trace { q!1 } active proctype P() { q!1 }", "event trace"),
    ];
    for (text, word) in models {
        let report = reduced("dfs").report(&promela(text), &safety());
        assert_eq!(report.reduction, None, "{text}");
        assert!(report.remarks.iter().any(|r| r.contains(word)), "{text}: {:?}", report.remarks);
    }
    let model = promela("byte x; ltl p { X (x == 0) } active proctype P() { x = 1 }");
    let report = reduced("dfs").report(&model, &processes(&model).properties[0]);
    assert!(report.reduction.is_none() && report.remarks.iter().any(|r| r.contains("counts steps")));
    let acceptance = Property::built_in("acceptance", PropertyKind::Acceptance);
    let report = Setup { fair: true, ..reduced("dfs") }.report(&model, &acceptance);
    assert!(report.reduction.is_none() && report.remarks.iter().any(|r| r.contains("fairness")));
}
