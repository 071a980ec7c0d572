//! The judge's verdicts, and what engines find.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lurcher::engines::{
    DEPTH, EngineError, Goal, LurchCurve, Options, Report, Task, UNTIL, Verdict, WALKS, engine as registered,
};
use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_search::Budget;
use lurcher_syntax::SourceMap;

use super::{Effort, FaultEngine, FaultStudy};

/// What was said about one property of one mutant.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// The verdict; none when there was an error.
    pub verdict: Option<Verdict>,
    /// What stopped it.
    pub stop: &'static str,
    /// Steps of the search until it ended.
    pub steps: u64,
    /// Steps of the search until the violation; only LURCH and walks tell.
    pub found_after: Option<u64>,
    /// Length of the trace as found.
    pub length: Option<u32>,
    /// Seconds until the verdict.
    pub seconds: f64,
    /// How much was new.
    pub curve: Option<LurchCurve>,
    /// What went wrong.
    pub note: String,
    /// It shows a bug in lurcher.
    pub bug: bool,
}

impl Said {
    fn failed(why: String, bug: bool) -> Said {
        Said {
            verdict: None,
            stop: "error",
            steps: 0,
            found_after: None,
            length: None,
            seconds: 0.0,
            curve: None,
            note: why,
            bug,
        }
    }

    pub fn is_violated(&self) -> bool {
        self.verdict == Some(Verdict::Violated)
    }

    pub fn holds(&self) -> bool {
        self.verdict == Some(Verdict::Holds)
    }

    /// The word for the verdict.
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
) -> Vec<Said> {
    // One property at a time: each has its own time, and one that fails does not take the others with it.
    let one = |property: &Property| {
        let budget = Budget {
            deadline: Some(Instant::now() + study.judge_time),
            memory: Some(study.effort.memory),
            interrupt: interrupt.clone(),
            ..Budget::default()
        };
        let work =
            || check("bdd", Goal::Verify, (Options::default(), 1, budget), relation, std::slice::from_ref(property));
        caught(1, work).remove(0)
    };
    properties.iter().map(one).collect()
}

/// One run of an engine on every property.
pub(super) fn hunt(
    engine: FaultEngine,
    seed: u64,
    effort: &Effort,
    relation: &Relation,
    properties: &[Property],
    interrupt: &Arc<AtomicBool>,
) -> Vec<Said> {
    let run = |properties: &[Property]| {
        let budget = Budget {
            deadline: Some(Instant::now() + effort.time),
            memory: Some(effort.memory),
            interrupt: interrupt.clone(),
            ..Budget::default()
        };
        let setting = (options(engine, effort), seed, budget);
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
    let sources = SourceMap::new();
    let task = Task { options, seed, budget, minimise: None, ..Task::new(goal, &sources, None) };
    let engine = registered(name).expect("studies name engines of the registry");
    Ok(engine.check_relation(relation, properties, &task, &mut ())?.reports)
}

/// Reports as what was said; an error or a panic is said of all `count` properties.
fn caught(count: usize, work: impl FnOnce() -> Result<Vec<Report>, EngineError>) -> Vec<Said> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(reports)) if reports.len() == count => reports.into_iter().map(said).collect(),
        Ok(Ok(reports)) => {
            vec![Said::failed(format!("{} reports about {count} properties", reports.len()), true); count]
        }
        Ok(Err(why @ EngineError::Unconfirmed(_))) => vec![Said::failed(why.to_string(), true); count],
        Ok(Err(why)) => vec![Said::failed(why.to_string(), false); count],
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            vec![Said::failed(format!("a panic: {text}"), true); count]
        }
    }
}

fn said(report: Report) -> Said {
    let found = report.verdict == Verdict::Violated;
    let walked = report.walks.as_ref().map(|w| w.steps).filter(|_| found);
    let curve = report.curve;
    Said {
        verdict: Some(report.verdict),
        stop: report.stop.name(),
        steps: report.stats.transitions,
        found_after: curve.as_ref().and_then(|c| c.found_after).map(|(steps, _)| steps).or(walked),
        length: report.counterexamples.first().map(|c| c.found_length),
        seconds: report.times.search.as_secs_f64(),
        curve,
        note: String::new(),
        bug: false,
    }
}
