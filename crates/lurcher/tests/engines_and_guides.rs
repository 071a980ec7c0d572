//! Every engine with every heuristic runs on every model, or says in one sentence why not.

mod support;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};

use lurcher::Model;
use lurcher::engines::{ENGINES, EngineError, Verdict};
use lurcher_heuristics::registry::HEURISTICS;
use lurcher_ir::{Property, PropertyKind};

use support::{Setup, claim, header, name, open, promela_models, relation, safety, smv_models};

/// The most states of a search in these tests, and the most time.
const STATES: u64 = 1000;
const TIME: Duration = Duration::from_millis(300);
/// One of so many pairs is checked for each property, unless `LURCHER_PAIRS=all`.
const SHARE: u64 = 40;

/// Engines that read `--guide NAME`, each with every heuristic.
fn pairs() -> Vec<(&'static str, &'static str)> {
    let infos = ENGINES.iter().map(|e| e.info());
    let engines = infos.filter(|i| i.name != "auto" && i.reads("load-guide")).map(|i| i.name);
    engines.flat_map(|engine| HEURISTICS.iter().map(move |h| (engine, h.name))).collect()
}

/// Whether a pair is checked for a property of a model.
fn is_chosen(model: &str, property: &str, pair: (&str, &str)) -> bool {
    let mut hasher = DefaultHasher::new();
    (model, property, pair).hash(&mut hasher);
    std::env::var("LURCHER_PAIRS").is_ok_and(|v| v == "all") || hasher.finish().is_multiple_of(SHARE)
}

/// Whether a text is one sentence that can follow `error: `.
fn is_sentence(text: &str) -> bool {
    !text.is_empty() && text.len() < 400 && !text.contains('\n') && !text.ends_with('.') && !text.contains("  ")
}

/// Runs pairs on a property; returns how many ran and how many were refused.
fn run_pairs(path: &Path, model: &Model, property: &Property, may_violate: bool) -> (usize, usize) {
    let (mut ran, mut refused) = (0, 0);
    for pair in pairs().into_iter().filter(|&pair| is_chosen(&name(path), &property.name, pair)) {
        let (engine, guide) = pair;
        let mut setup = Setup::hunt(engine, &format!("guide={guide} exec=interp"));
        setup.budget.states = Some(STATES);
        setup.budget = setup.budget.until(Instant::now() + TIME);
        let who = format!("{}, {} by {engine} with {guide}", name(path), property.name);
        match setup.check(model, std::slice::from_ref(property)) {
            Ok(reports) => {
                ran += 1;
                let violated = reports[0].verdict == Verdict::Violated;
                assert!(may_violate || !violated, "{who}: violated");
                assert!(
                    reports[0].guide.as_deref().is_none_or(|name| name.contains(guide)),
                    "{who}: {:?}",
                    reports[0].guide
                );
            }
            Err(EngineError::Refused(why)) => {
                refused += 1;
                assert!(is_sentence(&why), "{who}: {why}");
            }
            Err(error @ EngineError::Heuristic(..)) => {
                refused += 1;
                assert!(is_sentence(&error.to_string()), "{who}: {error}");
            }
            Err(error) => panic!("{who}: {error}"),
        }
    }
    (ran, refused)
}

#[test]
fn every_pair_of_engine_and_guide_runs_or_says_why_not() {
    let mut sum = (0, 0);
    let mut add = |(ran, refused)| sum = (sum.0 + ran, sum.1 + refused);
    for path in promela_models() {
        let (model, header) = (open(&path), header(&path));
        add(run_pairs(&path, &model, &safety(), header.get("expect").is_some_and(|e| e == "violated")));
        for (key, verdict) in &header {
            let Some((property, false)) =
                (key.starts_with("ltl ") || key == "never").then(|| claim(&model, key)).flatten()
            else {
                continue;
            };
            // A failed assertion counts whatever the formula.
            let may_violate = verdict.contains("violated") || header.get("expect").is_some_and(|e| e == "violated");
            add(run_pairs(&path, &model, &property, may_violate));
        }
    }
    for path in smv_models() {
        let model = open(&path);
        for property in relation(&model).properties.iter().filter(|p| matches!(p.kind, PropertyKind::Invariant(_))) {
            add(run_pairs(&path, &model, property, true));
        }
    }
    eprintln!("{} runs, {} refusals", sum.0, sum.1);
    assert!(sum.0 > 50 && sum.1 > 50, "{sum:?}");
}
