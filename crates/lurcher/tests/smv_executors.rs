//! Hunts of SMV models give the same reports, traces and counts with interpreter and native code, on any number of threads.

mod support;

use std::path::Path;
use std::time::Duration;

use lurcher::engines::{Report, Times, Verdict};
use lurcher::{Model, Question};
use lurcher_ir::Property;

use support::{Setup, open, relation, resolve, smv_models};

/// Models with more reachable states get no guide, no portfolio, and no hunt that lists all successors.
const MODERATE: u64 = 60_000;
/// Stated properties of a model that are hunted.
const PROPERTIES: usize = 1;
/// Each model gets one of so many kinds of hunts; neighbours among the models take turns.
const SHARE: usize = 3;

/// Kinds of hunts: engine, options, and whether only moderate models get them.
const HUNTS: [(&str, &str, bool); 9] = [
    ("walk", "depth=100 walks=12", false),
    ("trail", "depth=100 walks=12", false),
    ("walk", "depth=100 walks=12 select=all-children", true),
    ("trail", "depth=100 walks=12 select=all-children", true),
    ("walk", "depth=60 walks=60 restart=random chain=5", false),
    ("walk", "depth=100 walks=12 until=3", false),
    ("walk", "depth=100 walks=12 guide=abstraction", true),
    ("lurch", "depth=300 walks=40", false),
    ("auto", "walks=12", true),
];

fn is_moderate(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a model is readable");
    let states = text.lines().find_map(|l| l.strip_prefix("-- reachable states:")?.trim().parse::<u64>().ok());
    states.is_some_and(|n| n <= MODERATE)
}

fn hunt(model: &Model, asked: &[Property], setup: &Setup, seed: u64) -> Result<Vec<Report>, String> {
    let mut setup = Setup { seed, minimise: Some(100), ..setup.clone() };
    setup.budget.resources.memory = Some(32 << 20);
    setup.check(model, asked).map_err(|e| e.to_string())
}

/// Reports without times, and without the name of the executor.
fn without_times(reports: Result<Vec<Report>, String>) -> String {
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
    for (place, path) in smv_models().into_iter().enumerate() {
        let moderate = is_moderate(&path);
        let mut model = open(&path);
        let mut asked: Vec<Property> = relation(&model).properties.iter().take(PROPERTIES).cloned().collect();
        asked.push(resolve(&mut model, Question::Named("deadlock".to_owned())));
        for (number, (engine, options, only_moderate)) in HUNTS.into_iter().enumerate() {
            if (number + place) % SHARE != 0 || only_moderate && !moderate {
                continue;
            }
            let (seed, jobs) = [(1, 1), (77, 2)][number % 2];
            let setup = Setup::hunt(engine, options);
            // LURCH watches all properties at once.
            let together = engine == "lurch";
            let groups = if together { vec![&asked[..]] } else { asked.iter().map(std::slice::from_ref).collect() };
            for group in groups {
                let expected = hunt(&model, group, &setup.clone().with("exec=interp"), seed);
                let found = |r: &Vec<Report>| r.iter().any(|r| r.verdict == Verdict::Violated);
                violated += usize::from(expected.as_ref().is_ok_and(found));
                compared += usize::from(expected.is_ok());
                let got = hunt(&model, group, &setup.clone().on(jobs), seed);
                let (expected, got) = (without_times(expected), without_times(got));
                let who = format!("{}, {}, {engine} {options}", path.display(), group[0].name);
                assert!(expected == got, "{who}, seed {seed}, {jobs} threads:\n{expected}\nnot\n{got}");
            }
        }
    }
    println!("{compared} hunts compared, {violated} of them found a violation");
    assert!(compared >= 300 && violated >= 50, "only {compared} hunts, {violated} violations");
}
