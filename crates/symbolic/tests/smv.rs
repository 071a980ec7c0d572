//! Every small model of `models/smv`: reachable states, deadlocks and verdicts as its header states them, which is what
//! NuSMV says.

use std::path::Path;
use std::time::Instant;

use lurcher_ir::PropertyKind;
use lurcher_ir::relation::Relation;
use lurcher_search::Budget;
use lurcher_symbolic::{CtlChecker, Encoding, Ground, Strategy, Trace, deep};
use lurcher_syntax::SourceMap;
use lurcher_system::relation::Oracle;

/// What a header says of a property.
struct Expected {
    name: String,
    holds: bool,
    shortest: Option<usize>,
}

fn header<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    let lines = text.lines().take_while(|l| l.starts_with("--"));
    lines.filter_map(|l| l.strip_prefix("-- ")?.strip_prefix(key)).map(str::trim).collect()
}

fn properties(text: &str) -> Vec<Expected> {
    let one = |line: &str| {
        let (name, verdict) = line.split_once(':').expect("a name and a verdict");
        let shortest = verdict.split_once("shortest ").map(|(_, n)| n.trim().parse().expect("a number"));
        Expected { name: name.to_owned(), holds: verdict.trim() == "holds", shortest }
    };
    header(text, "property ").into_iter().map(one).collect()
}

fn assert_runs(relation: &Relation, trace: &Trace, what: &str) {
    let oracle = Oracle::new(relation);
    assert!(oracle.is_initial(&trace.states[0]), "{what}: it begins with no initial state");
    let back = trace.cycle_start.map(|start| trace.states[start].clone());
    let states: Vec<&Vec<i64>> = trace.states.iter().chain(&back).collect();
    for (index, pair) in states.windows(2).enumerate() {
        assert!(oracle.steps(pair[0], pair[1]).next().is_some(), "{what}: step {index} is none");
    }
}

/// NuSMV prints large numbers with six digits.
fn agrees(count: &lurcher_symbolic::Count, expected: &str) -> bool {
    let expected = expected.split_whitespace().next().expect("a number");
    match expected.parse::<u128>() {
        Ok(number) => count.exact() == Some(number),
        Err(_) => {
            let number: f64 = expected.parse().expect("a number");
            (count.rounded() / number - 1.0).abs() < 1e-5
        }
    }
}

fn check(name: &str, text: &str, relation: &Relation) {
    let budget = Budget { memory: Some(1 << 30), ..Budget::default() };
    let start = Instant::now();
    let encoding = Encoding::new(relation, &budget).expect("within the budget");
    let ground = Ground::find(&encoding, None, &mut ()).expect("within the budget");
    let checker = CtlChecker::new(&encoding, ground.clone());
    let k = encoding.kernel();
    let reachable = ground.reachable();
    for expected in header(text, "reachable states:") {
        let count = encoding.count(reachable);
        assert!(agrees(&count, expected), "{name}: {count} states, not {expected}");
    }
    let dead = k.and(&encoding.deadlocks().unwrap(), reachable).unwrap();
    for expected in header(text, "deadlock:") {
        assert_eq!(k.is_empty(&dead), expected == "none", "{name}: deadlock");
    }
    let expectations = properties(text);
    let mut checked = 0;
    for specification in &relation.properties {
        let what = format!("{name}, {}", specification.name);
        let Some(expected) = expectations.iter().find(|e| e.name == specification.name) else { continue };
        match &specification.kind {
            PropertyKind::Invariant(term) => {
                for strategy in [Strategy::Forward, Strategy::Backward, Strategy::Chaining] {
                    if strategy == Strategy::Backward && relation.variables.len() > 60 {
                        continue;
                    }
                    let found = encoding.violates(term.term(), strategy, &mut ()).unwrap();
                    assert_eq!(found.trace.is_none(), expected.holds, "{what}, {strategy:?}");
                    if let Some(trace) = &found.trace {
                        assert_runs(relation, trace, &what);
                        assert!(!Oracle::new(relation).holds(term.term(), trace.states.last().unwrap()), "{what}");
                        let as_short = expected.shortest.is_none_or(|s| s == trace.len());
                        assert!(!found.shortest || as_short, "{what}, {strategy:?}: {} steps", trace.len());
                    }
                }
            }
            PropertyKind::Ctl(formula) => {
                let answer = checker.check(formula).unwrap();
                assert_eq!(answer.holds, expected.holds, "{what}");
                if let Some(shown) = answer.counterexample {
                    assert_runs(relation, &shown.trace, &what);
                }
            }
            PropertyKind::StepInvariant(term) => {
                let found = encoding.violates_step(term.term(), Strategy::Forward, &mut ()).unwrap();
                assert_eq!(found.trace.is_none(), expected.holds, "{what}");
                if let Some(trace) = &found.trace {
                    assert_runs(relation, trace, &what);
                    let [.., before, after] = &trace.states[..] else { panic!("{what}: no step") };
                    assert!(!Oracle::new(relation).values(term.term(), before, after).contains(&1), "{what}");
                }
            }
            _ => continue,
        }
        checked += 1;
    }
    println!(
        "{name}: {} states, {checked} properties, {:.2} s",
        encoding.count(reachable),
        start.elapsed().as_secs_f64()
    );
}

/// Models with more states are left to the tests of the session, which have time limits.
const MOST: u64 = 20_000;

fn is_small(text: &str) -> bool {
    let states = header(text, "reachable states:");
    states.first().and_then(|n| n.parse::<u64>().ok()).is_some_and(|n| n <= MOST)
}

#[test]
fn every_small_smv_model_is_as_its_header_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/smv");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the models").map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "smv"));
    files.sort();
    let mut checked = 0;
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if std::env::var("MODEL").is_ok_and(|only| only != name) {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a model");
        if !is_small(&text) {
            continue;
        }
        checked += 1;
        let mut sources = SourceMap::new();
        let id = sources.add(name.as_str(), text.as_str());
        let parsed = lurcher_smv::parse(&sources, id);
        let (relation, diagnostics) = lurcher_smv::lower(&sources, &parsed.file, &[]);
        let Some(relation) = relation else {
            println!("{name} is not lowered: {}", diagnostics[0].message);
            continue;
        };
        deep(|| check(&name, &text, &relation));
    }
    assert!(checked > 40 || std::env::var("MODEL").is_ok(), "{checked} models are few");
}
