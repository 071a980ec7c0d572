//! Every model states in its header what is true of it; here every search that applies has to agree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lurcher_engines::{
    DiagramHunt, Engine, Exec, Job, JobError, LoadOptions, Loaded, Report, StateGuide, SymbolicHunter, Verdict, load,
    safety,
};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Budget, HuntPlan, Storage};

/// What the header of a model says.
struct Expectation {
    values: BTreeMap<String, String>,
}

impl Expectation {
    fn read(path: &Path) -> Expectation {
        let text = std::fs::read_to_string(path).expect("a model is readable");
        let end = text.find("*/").expect("a model starts with a comment");
        let pair = |line: &str| {
            let (key, value) = line.trim().trim_start_matches('*').trim().split_once(": ")?;
            let known = ["expect", "property", "shortest", "stored", "never", "ltl ", "non-progress", "acceptance"];
            known.iter().any(|k| key.starts_with(k)).then(|| (key.to_owned(), value.trim().to_owned()))
        };
        Expectation { values: text[..end].lines().filter_map(pair).collect() }
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the models are there")
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "pml"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 40, "only {} models", paths.len());
    paths
}

fn open(path: &Path) -> Loaded {
    load(path, &LoadOptions::default()).unwrap_or_else(|e| panic!("{}: {e:?}", path.display()))
}

fn check(loaded: &Loaded, property: &Property, engine: Engine, fair: bool, all_errors: bool) -> Report {
    check_on(1, Storage::Exact, loaded, property, engine, fair, all_errors)
}

/// The same with so many threads and such storage.
fn check_on(
    jobs: usize,
    storage: Storage,
    loaded: &Loaded,
    property: &Property,
    engine: Engine,
    fair: bool,
    all_errors: bool,
) -> Report {
    let job = job(jobs, storage, engine, fair, all_errors);
    job.check(loaded.model(), &loaded.sources, property, &mut ()).expect("every trace is confirmed")
}

fn job(jobs: usize, storage: Storage, engine: Engine, fair: bool, all_errors: bool) -> Job {
    Job {
        engine,
        exec: Exec::Jit,
        jobs,
        storage,
        budget: Budget { all_errors, memory: Some(2 << 30), ..Budget::default() },
        fair,
        message_loss: false,
        reduce: false,
        minimise: None,
    }
}

fn name(path: &Path) -> String {
    path.file_name().expect("a file").to_string_lossy().into_owned()
}

#[test]
fn safety_verdicts_counts_and_shortest_traces_are_what_the_headers_say() {
    let mut wrong = Vec::new();
    for path in models() {
        let expected = Expectation::read(&path);
        let loaded = open(&path);
        for engine in [Engine::Dfs, Engine::Bfs] {
            let report = check(&loaded, &safety(), engine, false, false);
            let who = format!("{} by {}", name(&path), engine.name());
            let verdict = expected.get("expect").unwrap_or_else(|| panic!("{who}: no `expect`"));
            if report.verdict.name() != verdict {
                wrong.push(format!("{who}: {}, not {verdict}", report.verdict.name()));
            }
            if engine == Engine::Bfs
                && let Some(shortest) = expected.get("shortest").and_then(|s| s.parse::<u32>().ok())
            {
                let length = report.counterexamples.first().map(|c| c.trace.length());
                if length != Some(shortest) {
                    wrong.push(format!("{who}: a trace of {length:?}, not {shortest}"));
                }
                let kind = report.counterexamples.first().map(|c| c.kind);
                if kind != expected.get("property") {
                    wrong.push(format!("{who}: {kind:?}, not {:?}", expected.get("property")));
                }
            }
            if let Some(stored) = expected.get("stored").and_then(|s| s.parse::<u64>().ok()) {
                let all = check(&loaded, &safety(), engine, false, true);
                if all.stats.stored != stored {
                    wrong.push(format!("{who}: {} states, not {stored}", all.stats.stored));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The claim or formula that a line of a header is about, and whether only fair runs count.
fn named(loaded: &Loaded, key: &str) -> Option<(Property, bool)> {
    let (what, fair) = match key.strip_suffix(" fair") {
        Some(what) => (what, true),
        None => (key, false),
    };
    let stated = &loaded.model().properties;
    let own = |kind| Property::built_in(what, kind);
    let property = match what {
        "never" => stated.iter().find(|p| matches!(p.kind, PropertyKind::Never(_))).cloned(),
        "non-progress" => Some(own(PropertyKind::NonProgress)),
        "acceptance" => Some(own(PropertyKind::Acceptance)),
        _ => {
            let name = what.strip_prefix("ltl ")?;
            stated.iter().find(|p| p.name == name).cloned()
        }
    };
    Some((property.unwrap_or_else(|| panic!("no property for `{key}`")), fair))
}

#[test]
fn claims_and_formulas_give_the_verdicts_of_the_headers() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for path in models() {
        let expected = Expectation::read(&path);
        let loaded = open(&path);
        for (key, verdict) in &expected.values {
            let Some((property, fair)) = named(&loaded, key) else { continue };
            let report = check(&loaded, &property, Engine::Dfs, fair, false);
            checked += 1;
            if report.verdict.name() != verdict.as_str() {
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
fn the_number_of_threads_changes_nothing_that_is_said() {
    for path in models() {
        let (expected, loaded) = (Expectation::read(&path), open(&path));
        for all_errors in [false, true] {
            let on = |jobs| check_on(jobs, Storage::Exact, &loaded, &safety(), Engine::Bfs, false, all_errors);
            let one = on(1);
            for jobs in [2, 4] {
                let many = on(jobs);
                assert_eq!(said(&many), said(&one), "{} on {jobs} threads", name(&path));
                assert_eq!(many.stats.transitions, one.stats.transitions, "{} on {jobs} threads", name(&path));
            }
        }
        for key in expected.values.keys() {
            let Some((property, fair)) = named(&loaded, key) else { continue };
            let on = |jobs| check_on(jobs, Storage::Exact, &loaded, &property, Engine::Dfs, fair, false);
            let one = on(1);
            for jobs in [2, 4] {
                assert_eq!(said(&on(jobs)), said(&one), "{} {key} on {jobs} threads", name(&path));
            }
        }
    }
}

#[test]
fn lossy_storage_proves_nothing_and_makes_nothing_up() {
    let storages = [Storage::Compact, Storage::Bitstate { functions: 3, bytes: 1 << 26 }];
    for path in models() {
        let (expected, loaded) = (Expectation::read(&path), open(&path));
        let claims = expected.values.keys().filter_map(|key| named(&loaded, key));
        for (property, fair) in claims.chain([(safety(), false)]) {
            let exact = check(&loaded, &property, Engine::Dfs, fair, false);
            for storage in storages {
                let lossy = check_on(1, storage, &loaded, &property, Engine::Dfs, fair, false);
                let who = format!("{} {} with {}", name(&path), property.name, storage.name());
                // Models this small lose no state.
                let verdict = if exact.verdict == Verdict::Holds { Verdict::Inconclusive } else { exact.verdict };
                assert_eq!(lossy.verdict, verdict, "{who}");
                assert!(lossy.omission.is_some_and(|p| (0.0..0.01).contains(&p)), "{who}: {:?}", lossy.omission);
                if exact.verdict == Verdict::Holds {
                    assert_eq!(lossy.stats.stored, exact.stats.stored, "{who}");
                }
            }
        }
    }
}

#[test]
fn a_search_that_runs_out_of_memory_or_depth_never_says_holds() {
    let path = models().into_iter().find(|p| name(p) == "elevator.pml").expect("the elevator");
    let loaded = open(&path);
    for (memory, depth) in [(Some(1 << 17), None), (None, Some(5))] {
        for engine in [Engine::Dfs, Engine::Bfs] {
            let budget = Budget { memory, depth, ..Budget::default() };
            let job = Job {
                engine,
                exec: Exec::Jit,
                jobs: 1,
                storage: Storage::Exact,
                budget,
                fair: false,
                message_loss: false,
                reduce: false,
                minimise: None,
            };
            let report = job.check(loaded.model(), &loaded.sources, &safety(), &mut ()).expect("no violation");
            assert_eq!(report.verdict, Verdict::Inconclusive, "{memory:?} {depth:?}");
        }
    }
}

/// Models that take diagrams longer than a second or two. `MODEL=name` and `MODEL=all` run them.
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

fn for_diagrams() -> Vec<PathBuf> {
    let asked = |path: &PathBuf| {
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        std::env::var("MODEL").map_or(!LARGE.contains(&name.as_str()), |only| only == name || only == "all")
    };
    models().into_iter().filter(asked).collect()
}

/// An answer of sets of states; nothing where they are refused.
fn unless_refused<T>(who: &str, answer: Result<T, JobError>) -> Option<T> {
    match answer {
        Ok(answer) => Some(answer),
        Err(JobError::Unsuited(why)) => {
            println!("{who}: {why}");
            None
        }
        Err(error) => panic!("{who}: {error}"),
    }
}

#[test]
fn sets_of_states_give_the_verdicts_and_counts_of_single_states() {
    let mut decided = (0, 0);
    for path in for_diagrams() {
        let (expected, loaded) = (Expectation::read(&path), open(&path));
        let claims = expected.values.keys().filter_map(|key| named(&loaded, key)).filter(|(_, fair)| !fair);
        for (property, _) in claims.chain([(safety(), false)]) {
            let who = format!("{} {}", name(&path), property.name);
            let answer = job(1, Storage::Exact, Engine::Bdd, false, false);
            let answer = answer.check(loaded.model(), &loaded.sources, &property, &mut ());
            let Some(sets) = unless_refused(&who, answer) else { continue };
            let single = check(&loaded, &property, Engine::Dfs, false, false);
            assert_eq!(sets.verdict, single.verdict, "{who}");
            if single.verdict == Verdict::Holds {
                assert_eq!(sets.stats.stored, single.stats.stored, "{who}: stored states");
            }
            *if property.name == "safety" { &mut decided.0 } else { &mut decided.1 } += 1;
        }
    }
    let enough = decided.0 >= 40 && decided.1 >= 35;
    assert!(enough || std::env::var("MODEL").is_ok(), "only {decided:?} properties were decided");
}

#[test]
fn guided_and_random_symbolic_searches_find_what_breadth_first_search_finds() {
    let on = StateGuide { on: true, ..StateGuide::default() };
    let walk = |trail| SymbolicHunter::Walk { trail, depth: Some(500) };
    let hunters = [
        (SymbolicHunter::Sgmc, StateGuide::default()),
        (walk(false), StateGuide::default()),
        (walk(true), StateGuide::default()),
        (walk(false), on.clone()),
        (walk(true), on.clone()),
        (walk(true), StateGuide { reverse: true, ..on }),
    ];
    let (mut proved, mut found) = (0, 0);
    for path in for_diagrams() {
        let loaded = open(&path);
        let breadth_first = check(&loaded, &safety(), Engine::Bfs, false, false);
        for (hunter, guide) in &hunters {
            let who = format!("{} by {hunter:?}, {guide:?}", name(&path));
            let hunt = DiagramHunt {
                hunter: *hunter,
                guide: guide.clone(),
                plan: HuntPlan { seed: 1, jobs: 1, first: 0, last: Some(5), saturation: None },
                budget: Budget { memory: Some(2 << 30), ..Budget::default() },
                message_loss: false,
                minimise: None,
            };
            let answer = hunt.hunt(loaded.model(), &loaded.sources, &[&safety()], &mut ());
            let Some(reports) = unless_refused(&who, answer) else { break };
            let report = &reports[0];
            let sgmc = *hunter == SymbolicHunter::Sgmc;
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
