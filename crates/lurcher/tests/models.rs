//! Every Promela model states in its header what is true of it; every search that applies has to agree.
//!
//! `MODEL=name` and `MODEL=all` choose the models that symbolic engines check; by default the large ones are left out.

mod support;

use std::path::PathBuf;

use lurcher::engines::{EngineError, Report, Verdict};
use lurcher_ir::Property;

use support::{Setup, claim, header, name, open, promela_models, safety};

/// An exhaustive search within 2 GiB.
fn search(engine: &'static str, options: &str) -> Setup {
    let mut setup = Setup::verify(engine, options);
    setup.budget.resources.memory = Some(2 << 30);
    setup
}

#[test]
fn safety_verdicts_counts_and_shortest_traces_are_what_the_headers_say() {
    let mut wrong = Vec::new();
    for path in promela_models() {
        let (expected, model) = (header(&path), open(&path));
        let number = |key: &str| expected.get(key).and_then(|n| n.parse::<u64>().ok());
        for engine in ["dfs", "bfs"] {
            let report = search(engine, "").report(&model, &safety());
            let who = format!("{} by {engine}", name(&path));
            let verdict = expected.get("expect").unwrap_or_else(|| panic!("{who}: no `expect`"));
            if report.verdict.name() != verdict {
                wrong.push(format!("{who}: {}, not {verdict}", report.verdict.name()));
            }
            if let Some(shortest) = number("shortest").filter(|_| engine == "bfs") {
                let found = report.counterexamples.first().map(|c| (u64::from(c.trace.length()), c.kind));
                let stated = expected.get("property").map(|kind| (shortest, kind.as_str()));
                if found != stated {
                    wrong.push(format!("{who}: {found:?}, not {stated:?}"));
                }
            }
            if let Some(stored) = number("stored") {
                let all = search(engine, "all-errors").report(&model, &safety());
                if all.stats.stored != stored {
                    wrong.push(format!("{who}: {} states, not {stored}", all.stats.stored));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn claims_and_formulas_give_the_verdicts_of_the_headers() {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for path in promela_models() {
        let model = open(&path);
        for (key, verdict) in &header(&path) {
            let Some((property, fair)) = claim(&model, key) else { continue };
            let report = Setup { fair, ..search("dfs", "") }.report(&model, &property);
            checked += 1;
            if report.verdict.name() != verdict {
                wrong.push(format!("{} {key}: {}, not {verdict}", name(&path), report.verdict.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked >= 20, "only {checked} claims were checked");
}

/// What a report says that must not depend on threads.
fn said(report: &Report) -> String {
    let found: Vec<String> =
        report.counterexamples.iter().map(|c| format!("{} {} {} {:?}", c.kind, c.message, c.count, c.trace)).collect();
    format!("{} {} stored; {}", report.verdict.name(), report.stats.stored, found.join("; "))
}

#[test]
fn the_number_of_threads_changes_no_report() {
    for path in promela_models() {
        let (expected, model) = (header(&path), open(&path));
        for options in ["", "all-errors"] {
            let on = |jobs| search("bfs", options).on(jobs).report(&model, &safety());
            let one = on(1);
            for jobs in [2, 4] {
                let many = on(jobs);
                assert_eq!(said(&many), said(&one), "{} on {jobs} threads", name(&path));
                assert_eq!(many.stats.transitions, one.stats.transitions, "{} on {jobs} threads", name(&path));
            }
        }
        for key in expected.keys() {
            let Some((property, fair)) = claim(&model, key) else { continue };
            let on = |jobs| said(&Setup { fair, ..search("dfs", "").on(jobs) }.report(&model, &property));
            let one = on(1);
            for jobs in [2, 4] {
                assert_eq!(on(jobs), one, "{} {key} on {jobs} threads", name(&path));
            }
        }
    }
}

#[test]
fn lossy_storage_proves_nothing_and_reports_no_false_violation() {
    for path in promela_models() {
        let (expected, model) = (header(&path), open(&path));
        let claims = expected.keys().filter_map(|key| claim(&model, key));
        for (property, fair) in claims.chain([(safety(), false)]) {
            let exact = Setup { fair, ..search("dfs", "") };
            let report = exact.report(&model, &property);
            for options in ["storage=compact", "storage=bitstate hash-functions=3"] {
                let lossy = Setup { memory: Some(86 << 20), ..exact.clone().with(options) }.report(&model, &property);
                let who = format!("{} {} with {options}", name(&path), property.name);
                // Models this small lose no state.
                let verdict = if report.verdict == Verdict::Holds { Verdict::Inconclusive } else { report.verdict };
                assert_eq!(lossy.verdict, verdict, "{who}");
                assert!(lossy.omission.is_some_and(|p| (0.0..0.01).contains(&p)), "{who}: {:?}", lossy.omission);
                if report.verdict == Verdict::Holds {
                    assert_eq!(lossy.stats.stored, report.stats.stored, "{who}");
                }
            }
        }
    }
}

#[test]
fn a_search_that_runs_out_of_memory_or_depth_never_says_holds() {
    let path = promela_models().into_iter().find(|p| name(p) == "elevator").expect("the elevator");
    let model = open(&path);
    for (memory, options) in [(Some(1 << 17), ""), (None, "depth=5")] {
        for engine in ["dfs", "bfs"] {
            let mut setup = Setup::verify(engine, options);
            setup.budget.resources.memory = memory;
            assert_eq!(setup.report(&model, &safety()).verdict, Verdict::Inconclusive, "{memory:?} {options}");
        }
    }
}

/// Models that take BDDs longer than a second or two.
const LARGE: [&str; 23] = [
    "atomic-blocked",
    "elevator",
    "gcd-inline-return",
    "giop",
    "leader-flawed",
    "leader-ring",
    "lookup-table",
    "lynch",
    "mailbox-sorted",
    "mean-division-by-zero",
    "name-server",
    "optical-telegraph",
    "parcel-sorting",
    "peterson-n",
    "peterson-n-flawed",
    "philosophers-right",
    "producer-consumer",
    "sliding-window",
    "stable-marriage",
    "stock-records",
    "telephone",
    "token-ring",
    "two-phase-commit",
];

fn models_for_bdds() -> Vec<PathBuf> {
    let chosen = |path: &PathBuf| {
        let name = name(path);
        std::env::var("MODEL").map_or(!LARGE.contains(&name.as_str()), |only| only == name || only == "all")
    };
    promela_models().into_iter().filter(chosen).collect()
}

/// The report of a symbolic engine; none where it refuses the model.
fn unless_refused(who: &str, answer: Result<Vec<Report>, EngineError>) -> Option<Report> {
    match answer {
        Ok(mut reports) => Some(reports.remove(0)),
        Err(EngineError::Refused(why)) => {
            println!("{who}: {why}");
            None
        }
        Err(error) => panic!("{who}: {error}"),
    }
}

#[test]
fn bdds_give_the_verdicts_and_counts_of_explicit_searches() {
    let mut decided = (0, 0);
    for path in models_for_bdds() {
        let (expected, model) = (header(&path), open(&path));
        let claims = expected.keys().filter_map(|key| claim(&model, key)).filter(|(_, fair)| !fair).map(|(p, _)| p);
        let properties: Vec<Property> = claims.chain([safety()]).collect();
        for property in &properties {
            let who = format!("{} {}", name(&path), property.name);
            let answer = search("bdd", "").check(&model, std::slice::from_ref(property));
            let Some(symbolic) = unless_refused(&who, answer) else { continue };
            let explicit = search("dfs", "").report(&model, property);
            assert_eq!(symbolic.verdict, explicit.verdict, "{who}");
            if explicit.verdict == Verdict::Holds {
                assert_eq!(symbolic.stats.stored, explicit.stats.stored, "{who}: stored states");
            }
            *if property.name == "safety" { &mut decided.0 } else { &mut decided.1 } += 1;
        }
    }
    let enough = decided.0 >= 40 && decided.1 >= 35;
    assert!(enough || std::env::var("MODEL").is_ok(), "only {decided:?} properties were decided");
}

#[test]
fn guided_and_random_symbolic_searches_find_what_breadth_first_search_finds() {
    let hunts = [
        ("sgmc", ""),
        ("symbolic-walk", "depth=500 walks=5"),
        ("symbolic-trail", "depth=500 walks=5"),
        ("symbolic-walk", "depth=500 walks=5 guide=abstraction"),
        ("symbolic-trail", "depth=500 walks=5 guide=abstraction"),
        ("symbolic-trail", "depth=500 walks=5 guide=abstraction reverse-guide"),
    ];
    let (mut proved, mut found) = (0, 0);
    for path in models_for_bdds() {
        let model = open(&path);
        let breadth_first = search("bfs", "").report(&model, &safety());
        for (engine, options) in hunts {
            let who = format!("{} by {engine} {options}", name(&path));
            let mut hunt = Setup::hunt(engine, options);
            hunt.budget.resources.memory = Some(2 << 30);
            let Some(report) = unless_refused(&who, hunt.check(&model, &[safety()])) else { break };
            let sgmc = engine == "sgmc";
            assert!(!sgmc || report.verdict == breadth_first.verdict, "{who}: {}", report.verdict.name());
            assert!(sgmc || report.verdict != Verdict::Holds, "{who}: walks prove nothing");
            proved += u32::from(report.verdict == Verdict::Holds);
            let Some(shown) = report.counterexamples.first() else { continue };
            let shortest = breadth_first.counterexamples.first().expect("it is violated").trace.length();
            assert!(shown.trace.length() >= shortest, "{who}: {} steps, not {shortest}", shown.trace.length());
            assert!(!shown.shortest || shown.trace.length() == shortest, "{who}: {}", shown.trace.length());
            found += 1;
        }
    }
    assert!(proved >= 15 && found >= 100 || std::env::var("MODEL").is_ok(), "{proved} proved, {found} found");
}
