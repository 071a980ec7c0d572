//! Explicit walks of Promela models that the abstraction of symbolic searches guides.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lurcher_engines::{
    Asked, Exec, GuideKind, GuideSettings, HuntJob, Hunted, JobError, LoadOptions, Loaded, Pack, Report, Verdict, load,
    load_text, safety,
};
use lurcher_search::{Budget, HuntPlan, Kind, StopReason, WalkPlan};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let entries = std::fs::read_dir(folder).expect("the models are there").map(|e| e.expect("readable").path());
    let mut paths: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "pml")).collect();
    paths.sort();
    paths
}

fn job(kind: Kind, jobs: usize, reverse: bool) -> HuntJob {
    let deadline = Some(Instant::now() + Duration::from_secs(60));
    let plan = WalkPlan { kind, depth: 1_000, reverse, ..WalkPlan::default() };
    HuntJob {
        pack: Pack::One("walk".to_owned(), plan),
        guides: vec![GuideKind::Abstraction],
        guide_settings: GuideSettings::default(),
        plan: HuntPlan { seed: 1, jobs, first: 0, last: Some(40), saturation: None },
        exec: Exec::Jit,
        budget: Budget { deadline, memory: Some(32 << 20), ..Budget::default() },
        fair: false,
        message_loss: false,
        minimise: None,
        save: false,
        resume: None,
    }
}

fn hunt(job: &HuntJob, loaded: &Loaded) -> Result<Hunted, JobError> {
    let asked = [(Asked::Named("safety".to_owned()), safety())];
    job.hunt(loaded, &LoadOptions::default(), &asked, &mut ())
}

/// What must not depend on the number of threads.
fn said(report: &Report) -> String {
    let found: Vec<String> = report.counterexamples.iter().map(|c| format!("{} {:?}", c.message, c.trace)).collect();
    let walks = report.walks.as_ref().expect("walks were made");
    format!("{} {:?} {} steps: {}", report.verdict.name(), walks.unit, walks.steps, found.join("; "))
}

#[test]
fn guided_walks_find_violations_where_there_are_some_and_none_where_there_are_none() {
    let (mut flawed, mut found, mut refused) = (0, 0, 0);
    for path in models() {
        let text = std::fs::read_to_string(&path).expect("a model is readable");
        let violated = text.lines().any(|l| l.trim().trim_start_matches('*').trim() == "expect: violated");
        let loaded = load(&path, &LoadOptions::default()).expect("a model");
        let who = path.display();
        for kind in [Kind::Walk, Kind::Trail] {
            let hunted = match hunt(&job(kind, 1, false), &loaded) {
                Ok(hunted) => hunted,
                Err(JobError::Guide(_, why)) => {
                    println!("{who}: {why}");
                    refused += 1;
                    break;
                }
                Err(error) => panic!("{who}: {error}"),
            };
            let report = &hunted.reports[0];
            if report.stop == StopReason::Memory {
                println!("{who}: no memory for the guide");
                assert_eq!(report.walks.as_ref().map(|w| w.walks), Some(0), "{who}");
                refused += 1;
                break;
            }
            assert!(violated || report.verdict == Verdict::Inconclusive, "{who}: {}", report.verdict.name());
            if report.walks.is_some() {
                assert!(report.guide.as_deref().is_some_and(|g| g.starts_with("abstraction")), "{:?}", report.guide);
            }
            flawed += u32::from(violated);
            found += u32::from(report.verdict == Verdict::Violated);
        }
    }
    println!("{found} of {flawed} hunts found the violation, {refused} models refused");
    assert!(flawed >= 50, "only {flawed} hunts in flawed models");
    assert!(found * 10 >= flawed * 8, "only {found} of {flawed} hunts found the violation");
}

const PHILOSOPHERS: &str = include_str!("../../../models/promela/philosophers.pml");

#[test]
fn the_number_of_threads_changes_nothing() {
    let text = PHILOSOPHERS.replace("#define N 4", "#define N 12");
    let loaded = load_text("model", text, &LoadOptions::default()).expect("a model");
    let on = |jobs| said(&hunt(&job(Kind::Walk, jobs, false), &loaded).expect("it can be translated").reports[0]);
    assert_eq!(on(1), on(3));
}

#[test]
fn the_guide_leads_to_the_violation_and_reversed_away_from_it() {
    let steps = |model: &str, guides: Vec<GuideKind>, reverse: bool| {
        let path = models().into_iter().find(|p| p.file_stem().is_some_and(|s| s == model)).expect("the model");
        let loaded = load(&path, &LoadOptions::default()).expect("a model");
        let count = |seed: u64| {
            let mut job = HuntJob { guides: guides.clone(), ..job(Kind::Walk, 1, reverse) };
            job.plan = HuntPlan { seed, last: Some(100), ..job.plan };
            let hunted = hunt(&job, &loaded).expect("it can be translated");
            hunted.reports[0].walks.as_ref().expect("walks were made").steps
        };
        (1..=10).map(count).sum::<u64>()
    };
    let guide = || vec![GuideKind::Abstraction];
    let towards = steps("mutex-flawed", guide(), false);
    let (unguided, away) = (steps("mutex-flawed", Vec::new(), false), steps("mutex-flawed", guide(), true));
    println!("mutex-flawed: {towards} steps towards, {unguided} without a guide, {away} away");
    assert!(towards < unguided && unguided < away, "{towards} {unguided} {away}");
    let (towards, unguided) = (steps("river-crossing", guide(), false), steps("river-crossing", Vec::new(), false));
    println!("river-crossing: {towards} steps towards, {unguided} without a guide");
    assert!(10 * towards < unguided, "{towards} {unguided}");
}
