//! A hunt comes to the same whatever runs the model and on however many threads: to the last count.

use std::path::{Path, PathBuf};

use lurcher_engines::{
    Asked, Exec, GuideKind, GuideSettings, HuntJob, LoadOptions, Loaded, PORTFOLIO_GUIDES, Pack, Report, Times, load,
    load_text, safety,
};
use lurcher_ir::Property;
use lurcher_search::{Budget, HuntPlan, Kind, Selection, Until, WalkPlan};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let entries = std::fs::read_dir(folder).expect("a folder of models");
    let paths = entries.map(|e| e.expect("a readable folder").path());
    let mut paths: Vec<PathBuf> = paths.filter(|p| p.extension().is_some_and(|e| e == "pml")).collect();
    paths.sort();
    assert!(paths.len() >= 40, "only {} models", paths.len());
    paths
}

/// A kind of walk, its guides, and how many units of it are made.
type Way = (&'static str, Pack, Vec<GuideKind>, u64);

fn ways() -> Vec<Way> {
    let walk = WalkPlan { depth: 300, ..WalkPlan::default() };
    let one = |name: &'static str, plan: WalkPlan, guides: &[GuideKind]| -> Way {
        (name, Pack::One(name.to_owned(), plan), guides.to_vec(), 24)
    };
    let trail = WalkPlan { kind: Kind::Trail, ..walk };
    let all = WalkPlan { selection: Selection::AllChildren, ..walk };
    vec![
        one("walk", walk, &[]),
        one("trail", trail, &[]),
        one("all children", all, &[]),
        one("trail, all children", WalkPlan { kind: Kind::Trail, ..all }, &[]),
        one("chain", WalkPlan { chain: 5, depth: 60, ..walk }, &[]),
        one("loop", WalkPlan { until: Until::Repeats(3), ..walk }, &[]),
        one("guided", walk, &[GuideKind::LocalDistance]),
        one("guided trail", trail, &[GuideKind::LocalDistance]),
        one("guided by states", all, &[GuideKind::LocalDistanceSum]),
        ("portfolio", Pack::Portfolio(120), PORTFOLIO_GUIDES.to_vec(), 80),
    ]
}

fn hunt(loaded: &Loaded, asked: &[(Asked, Property)], way: &Way, seed: u64, exec: Exec, jobs: usize) -> String {
    let (_, pack, guides, units) = way;
    let job = HuntJob {
        pack: pack.clone(),
        guides: guides.clone(),
        guide_settings: GuideSettings::default(),
        plan: HuntPlan { seed, jobs, first: 0, last: Some(*units), saturation: None },
        exec,
        budget: Budget::default(),
        fair: false,
        message_loss: false,
        minimise: Some(100),
        save: true,
        resume: None,
    };
    match job.hunt(loaded, &LoadOptions::default(), asked, &mut ()) {
        Ok(hunted) => {
            let shown: Vec<String> = hunted.reports.into_iter().map(counted).collect();
            let saved = hunted.saved.map(|s| s.to_text()).unwrap_or_default();
            format!("{}\n{saved}", shown.join("\n"))
        }
        Err(error) => error.to_string(),
    }
}

/// A report without what depends on time, or says who ran it.
fn counted(mut report: Report) -> String {
    report.times = Times::default();
    report.executor = None;
    if let Some(walks) = &mut report.walks {
        walks.rate = 0.0;
    }
    format!("{report:?}")
}

/// Native code on so many threads agrees with the interpreter on one.
fn assert_same(name: &str, loaded: &Loaded, asked: &[(Asked, Property)], seed: u64, jobs: usize) {
    for way in ways() {
        let expected = hunt(loaded, asked, &way, seed, Exec::Interp, 1);
        let got = hunt(loaded, asked, &way, seed, Exec::Jit, jobs);
        assert!(expected == got, "{name}, {}, seed {seed}, {jobs} threads:\n{expected}\nnot\n{got}", way.0);
    }
}

#[test]
fn every_model_is_hunted_alike() {
    for path in models() {
        let loaded = load(&path, &LoadOptions::default()).unwrap_or_else(|e| panic!("{}: {e:?}", path.display()));
        let mut asked = vec![(Asked::Named("safety".to_owned()), safety())];
        let own = loaded.model().properties.iter().take(2);
        asked.extend(own.map(|p| (Asked::Named(p.name.clone()), p.clone())));
        for property in asked {
            let name = path.display().to_string();
            assert_same(&name, &loaded, std::slice::from_ref(&property), 1, 1);
            assert_same(&name, &loaded, &[property], 77, 3);
        }
    }
}

#[test]
fn a_model_that_is_too_large_is_interpreted_and_the_report_says_so() {
    let mut text = String::from("byte x; active proctype P() { do\n");
    for n in 0..20_000 {
        text.push_str(&format!(":: x == {} -> x = x * x + {}\n", n % 200, n % 250));
    }
    text.push_str("od }");
    let loaded = load_text("large.pml", text, &LoadOptions::default()).expect("a model");
    let asked = [(Asked::Named("safety".to_owned()), safety())];
    let way = &ways()[0];
    let (expected, got) = (hunt(&loaded, &asked, way, 1, Exec::Interp, 1), hunt(&loaded, &asked, way, 1, Exec::Jit, 1));
    assert!(got.contains("run by the interpreter, not as native code: the model is more than"), "{got}");
    assert!(!expected.contains("run by the interpreter"), "{expected}");
}

#[test]
fn hunts_in_which_not_every_walk_is_looked_at_are_alike() {
    let text = "byte x[40]; active [6] proctype P() { byte n; do :: x[_pid * 5] < 200 -> x[_pid * 5]++; n = 1 - n
        :: x[_pid * 5] > 0 -> x[_pid * 5]-- od }";
    let loaded = load_text("counters.pml", text.to_owned(), &LoadOptions::default()).expect("a model");
    let asked = [(Asked::Named("safety".to_owned()), safety())];
    let walk = WalkPlan { depth: 400, ..WalkPlan::default() };
    for plan in [walk, WalkPlan { chain: 4, depth: 100, ..walk }] {
        let way: Way = ("walk", Pack::One("walk".to_owned(), plan), Vec::new(), 3000);
        let expected = hunt(&loaded, &asked, &way, 5, Exec::Interp, 1);
        let looked =
            expected.split("looked_walks: ").nth(1).and_then(|rest| rest.split(',').next()?.parse::<u64>().ok());
        let all = 3000 * u64::from(plan.chain);
        assert!(looked.is_some_and(|walks| walks > 500 && walks < all * 9 / 10), "{looked:?} of {all} are looked at");
        for jobs in [1, 2] {
            assert!(expected == hunt(&loaded, &asked, &way, 5, Exec::Jit, jobs), "{plan:?} on {jobs} threads");
        }
    }
}
