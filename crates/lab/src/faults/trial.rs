//! The judge's verdicts and the results of engines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lurcher::engines::{
    DEPTH, EngineError, Goal, LurchCurve, Options, Report, Run, Task, UNTIL, Verdict, WALKS, check_with,
};
use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_search::Budget;

use super::{Effort, FaultEngine, FaultStudy};

/// The result of the judge or an engine for one property of one mutant.
#[derive(Clone, Debug, Default)]
pub(super) struct PropertyResult {
    /// The verdict; none when there was an error.
    pub verdict: Option<Verdict>,
    /// The stop reason.
    pub stop: &'static str,
    /// Steps of the whole search.
    pub steps: u64,
    /// Steps of the search until the violation; known for LURCH and walks.
    pub found_after: Option<u64>,
    /// Length of the trace as found.
    pub length: Option<u32>,
    /// Seconds until the verdict.
    pub seconds: f64,
    /// The saturation curve of LURCH.
    pub curve: Option<LurchCurve>,
    /// The error message.
    pub note: String,
    /// The error shows a bug in lurcher.
    pub bug: bool,
}

impl PropertyResult {
    fn failed(note: String, bug: bool) -> PropertyResult {
        PropertyResult { stop: "error", note, bug, ..PropertyResult::default() }
    }

    pub fn is_violated(&self) -> bool {
        self.verdict == Some(Verdict::Violated)
    }

    pub fn holds(&self) -> bool {
        self.verdict == Some(Verdict::Holds)
    }

    /// The verdict, or `error`.
    pub fn word(&self) -> &'static str {
        self.verdict.map_or("error", Verdict::name)
    }
}

/// Complete verification of every property.
pub(super) fn judge(
    study: &FaultStudy,
    relation: &Relation,
    properties: &[Property],
    interrupt: &Arc<AtomicBool>,
) -> Vec<PropertyResult> {
    // One property at a time: each has its own time limit, and an error affects no other property.
    let one = |property: &Property| {
        let setting = (Options::default(), 1, budget(study.judge_time, &study.effort, interrupt));
        caught(1, || check("bdd", Goal::Verify, setting, relation, std::slice::from_ref(property))).remove(0)
    };
    properties.iter().map(one).collect()
}

fn budget(time: Duration, effort: &Effort, interrupt: &Arc<AtomicBool>) -> Budget {
    let (deadline, memory, interrupt) = (Some(Instant::now() + time), Some(effort.memory), interrupt.clone());
    Budget { deadline, memory, interrupt, ..Budget::default() }
}

/// One run of an engine on every property.
pub(super) fn hunt(
    engine: FaultEngine,
    seed: u64,
    effort: &Effort,
    relation: &Relation,
    properties: &[Property],
    interrupt: &Arc<AtomicBool>,
) -> Vec<PropertyResult> {
    let run = |properties: &[Property]| {
        let setting = (options(engine, effort), seed, budget(effort.time, effort, interrupt));
        caught(properties.len(), || check(engine.name(), Goal::Hunt, setting, relation, properties))
    };
    match engine {
        FaultEngine::Lurch => run(properties),
        _ => properties.iter().map(|p| run(std::slice::from_ref(p)).remove(0)).collect(),
    }
}

fn options(engine: FaultEngine, effort: &Effort) -> Options {
    let options = Options::default();
    let depth = effort.depth.to_string();
    match engine {
        FaultEngine::Bfs | FaultEngine::Bdd => options,
        FaultEngine::Walk | FaultEngine::Trail => options.with(&DEPTH, &depth).with(&WALKS, &effort.paths.to_string()),
        FaultEngine::Lurch => {
            let options = options.with(&DEPTH, &depth).with(&WALKS, &effort.paths.to_string());
            options.with(&UNTIL, &effort.repeats.to_string())
        }
    }
}

fn check(
    name: &str,
    goal: Goal,
    (options, seed, budget): (Options, u64, Budget),
    relation: &Relation,
    properties: &[Property],
) -> Result<Vec<Report>, EngineError> {
    let task = Task { options, seed, budget, minimise: None, ..Task::new(goal) };
    Ok(check_with(name, Run { model: relation, properties, task: &task, observer: &mut () })?.reports)
}

/// The results of reports; an error or a panic counts for all `count` properties.
fn caught(count: usize, work: impl FnOnce() -> Result<Vec<Report>, EngineError>) -> Vec<PropertyResult> {
    let failed = |why: String, bug| vec![PropertyResult::failed(why, bug); count];
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(reports)) if reports.len() == count => reports.into_iter().map(result).collect(),
        Ok(Ok(reports)) => failed(format!("{} reports about {count} properties", reports.len()), true),
        Ok(Err(why)) => failed(why.to_string(), matches!(why, EngineError::Unconfirmed(_))),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            failed(format!("a panic: {text}"), true)
        }
    }
}

fn result(report: Report) -> PropertyResult {
    let found = report.verdict == Verdict::Violated;
    let walked = report.walks.as_ref().map(|w| w.steps).filter(|_| found);
    let curve = report.curve;
    PropertyResult {
        verdict: Some(report.verdict),
        stop: report.stop.name(),
        steps: report.stats.transitions,
        found_after: curve.as_ref().and_then(|c| c.found_after).map(|(steps, _)| steps).or(walked),
        length: report.counterexamples.first().map(|c| c.found_length),
        seconds: report.times.search.as_secs_f64(),
        curve,
        ..PropertyResult::default()
    }
}
