//! A hunt in a relation comes to the same whatever runs the model: answer, trace and counts, to the last one.

mod smv_folder;

use std::path::Path;
use std::time::Duration;

use lurcher_engines::{Asked, Exec, Report, StateGuide, StateHunt, StateHunter, Times, Verdict};
use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_search::{Budget, HuntPlan, Kind, LurchPlan, Selection, Until, WalkPlan};

use smv_folder::{models, open};

/// Models with more reachable states are walked only: no guide is made for them, no mix of engines tried, and not all
/// successors listed.
const MODERATE: u64 = 60_000;
/// Properties of a model that are hunted one by one.
const PROPERTIES: usize = 1;
/// Each model is hunted in one of so many ways; neighbours among the models take turns.
const SHARE: usize = 3;

fn is_moderate(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a model is readable");
    let states = text.lines().find_map(|l| l.strip_prefix("-- reachable states:")?.trim().parse::<u64>().ok());
    states.is_some_and(|n| n <= MODERATE)
}

/// A way to hunt: its name, whether it follows a guide, whether it is for moderate models only.
struct Way {
    name: &'static str,
    hunter: StateHunter,
    guided: bool,
    moderate: bool,
}

fn ways() -> Vec<Way> {
    let plan = WalkPlan { depth: 100, ..WalkPlan::default() };
    let trail = WalkPlan { kind: Kind::Trail, ..plan };
    let all = WalkPlan { selection: Selection::AllChildren, ..plan };
    let walk = |name, plan| Way { name, hunter: StateHunter::Walk(plan), guided: false, moderate: false };
    let lurch = LurchPlan { depth: 300, paths: Some(40), ..LurchPlan::default() };
    vec![
        walk("walk", plan),
        walk("trail", trail),
        Way { moderate: true, ..walk("all children", all) },
        Way { moderate: true, ..walk("trail, all children", WalkPlan { kind: Kind::Trail, ..all }) },
        walk("chain", WalkPlan { chain: 5, depth: 60, ..plan }),
        walk("loop", WalkPlan { until: Until::Repeats(3), ..plan }),
        Way { guided: true, moderate: true, ..walk("guided", plan) },
        Way { hunter: StateHunter::Lurch(lurch), ..walk("lurch", plan) },
        Way { hunter: StateHunter::Auto, moderate: true, ..walk("auto", plan) },
    ]
}

fn hunt(
    relation: &Relation,
    asked: &[Property],
    way: &Way,
    seed: u64,
    exec: Exec,
    jobs: usize,
) -> Result<Vec<Report>, String> {
    let hunter = match &way.hunter {
        StateHunter::Lurch(plan) => StateHunter::Lurch(LurchPlan { seed, ..*plan }),
        hunter => hunter.clone(),
    };
    let hunt = StateHunt {
        hunter,
        guide: StateGuide { on: way.guided, ..StateGuide::default() },
        plan: HuntPlan { seed, jobs, first: 0, last: Some(12), saturation: None },
        exec,
        budget: Budget { memory: Some(32 << 20), ..Budget::default() },
        minimise: Some(100),
    };
    hunt.hunt(relation, asked, &mut ()).map_err(|e| e.to_string())
}

/// Reports without what depends on time, or says who ran it.
fn counted(reports: Result<Vec<Report>, String>) -> String {
    let plain = |mut report: Report| {
        report.times = Times::default();
        report.executor = None;
        if let Some(walks) = &mut report.walks {
            walks.rate = 0.0;
        }
        if let Some((_, elapsed)) = report.curve.as_mut().and_then(|c| c.found_after.as_mut()) {
            *elapsed = Duration::ZERO;
        }
        format!("{report:?}")
    };
    match reports {
        Ok(reports) => reports.into_iter().map(plain).collect::<Vec<_>>().join("\n"),
        Err(why) => why,
    }
}

#[test]
fn every_smv_model_is_hunted_alike() {
    let (mut compared, mut violated) = (0, 0);
    for (place, path) in models().into_iter().enumerate() {
        let moderate = is_moderate(&path);
        let mut loaded = open(&path);
        let mut asked: Vec<Property> = loaded.relation.properties.iter().take(PROPERTIES).cloned().collect();
        asked.push(loaded.resolve(&Asked::Named("deadlock".to_owned())).expect("a good question"));
        for (number, way) in ways().iter().enumerate() {
            if (number + place) % SHARE != 0 || way.moderate && !moderate {
                continue;
            }
            let (seed, jobs) = [(1, 1), (77, 2)][number % 2];
            // LURCH watches all properties at once.
            let together = matches!(way.hunter, StateHunter::Lurch(_));
            let groups = if together { vec![&asked[..]] } else { asked.iter().map(std::slice::from_ref).collect() };
            for group in groups {
                let expected = hunt(&loaded.relation, group, way, seed, Exec::Interp, 1);
                let found = |r: &Vec<Report>| r.iter().any(|r| r.verdict == Verdict::Violated);
                violated += usize::from(expected.as_ref().is_ok_and(found));
                compared += usize::from(expected.is_ok());
                let got = hunt(&loaded.relation, group, way, seed, Exec::Jit, jobs);
                let (expected, got) = (counted(expected), counted(got));
                let who = format!("{}, {}, {}", path.display(), group[0].name, way.name);
                assert!(expected == got, "{who}, seed {seed}, {jobs} threads:\n{expected}\nnot\n{got}");
            }
        }
    }
    println!("{compared} hunts compared, {violated} of them found a violation");
    assert!(compared >= 300 && violated >= 50, "only {compared} hunts, {violated} violations");
}
