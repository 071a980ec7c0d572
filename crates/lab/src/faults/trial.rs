//! The judge's verdicts and the results of engines.

use std::time::{Duration, Instant};

use lurcher::engines::{DEPTH, Goal, Info, LurchCurve, Options, Report, Run, Task, UNTIL, Verdict, WALKS, check_with};
use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_resources::{ResourceLimits, StopSignal};
use lurcher_search::Budget;

use super::{Effort, FaultStudy};
use crate::run::{Failure, caught};

/// The result of the judge or an engine for one property of one mutant.
#[derive(Clone, Debug, Default)]
pub(super) struct PropertyResult {
    /// The verdict; none when there was an error.
    pub verdict: Option<Verdict>,
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
    pub note: String,
    /// The error shows a bug in lurcher.
    pub bug: bool,
}

impl PropertyResult {
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

/// Complete verification of every property, one at a time: each has its own time limit, and an error affects no other.
pub(super) fn judge(
    study: &FaultStudy,
    relation: &Relation,
    properties: &[Property],
    interrupt: &StopSignal,
) -> Vec<PropertyResult> {
    let one = |property: &Property| {
        let setting = (Options::default(), 1, budget(study.judge_time, &study.effort, interrupt));
        check("bdd", Goal::Verify, setting, relation, std::slice::from_ref(property)).remove(0)
    };
    properties.iter().map(one).collect()
}

fn budget(time: Duration, effort: &Effort, interrupt: &StopSignal) -> Budget {
    let resources = ResourceLimits::new(Instant::now(), Some(time), Some(effort.memory), interrupt.clone());
    Budget { resources, ..Budget::default() }
}

/// One run of an engine on every property.
pub(super) fn hunt(
    engine: &Info,
    seed: u64,
    effort: &Effort,
    relation: &Relation,
    properties: &[Property],
    interrupt: &StopSignal,
) -> Vec<PropertyResult> {
    let is_lurch = engine.name == "lurch";
    let mut options = Options::default();
    if engine.random {
        options = options.with(&DEPTH, &effort.depth.to_string()).with(&WALKS, &effort.paths.to_string());
    }
    if is_lurch {
        options = options.with(&UNTIL, &effort.repeats.to_string());
    }
    let run = |properties: &[Property]| {
        let setting = (options.clone(), seed, budget(effort.time, effort, interrupt));
        check(engine.name, Goal::Hunt, setting, relation, properties)
    };
    if is_lurch { run(properties) } else { properties.chunks(1).flat_map(run).collect() }
}

/// The results of an engine for all properties; a failure counts for each of them.
fn check(
    name: &str,
    goal: Goal,
    (options, seed, budget): (Options, u64, Budget),
    relation: &Relation,
    properties: &[Property],
) -> Vec<PropertyResult> {
    let task = Task { options, seed, budget, minimise: None, ..Task::new(goal) };
    let count = properties.len();
    let failed = |Failure { note, bug }| vec![PropertyResult { stop: "error", note, bug, ..Default::default() }; count];
    match caught(|| check_with(name, Run { model: relation, properties, task: &task, observer: &mut () })) {
        Ok(checked) if checked.reports.len() == count => checked.reports.into_iter().map(result).collect(),
        Ok(checked) => {
            let note = format!("{} reports about {count} properties", checked.reports.len());
            failed(Failure { note, bug: true })
        }
        Err(failure) => failed(failure),
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
