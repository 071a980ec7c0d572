//! Running one trial with the engines of this project.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use lurcher::engines::{
    EngineError, GUIDE, Info, LOAD_GUIDE, MINIMISE, Options, Parameter, REDUCTION, Report, StopReason, TRIAL_STATES,
    TRIALS, Task, Trace, WALKS,
};
use lurcher::{Form, Subject};
use lurcher_heuristics::registry;
use lurcher_resources::{ResourceLimits, StopSignal};
use lurcher_search::Budget;
use lurcher_system::Interpreter;
use lurcher_trace::{Header, Trail, states_to_json, to_short_json};

use crate::guides::Guides;
use crate::instance::Instance;
use crate::peers::trial::{run_nusmv, run_spin};
use crate::record::Results;
use crate::trial::{Trial, Way};

/// Runs a trial; nothing when it was interrupted. `folder` is where traces go.
pub(crate) fn run(
    trial: &Trial,
    instance: &Instance,
    guides: &Guides,
    folder: &Path,
    interrupt: &StopSignal,
) -> Option<Results> {
    let asked = &instance.questions[trial.question].asked;
    let (info, options) = match &trial.way {
        Way::Spin(limits) => return run_spin(instance, asked, limits, interrupt),
        Way::Nusmv(limits) => return run_nusmv(instance, asked, limits, interrupt),
        Way::Engine { info, options } => (info, options),
    };
    let mut total = Duration::ZERO;
    let ran = caught(|| {
        let made = match options.text(&GUIDE).and_then(registry::heuristic) {
            Some(entry) => guides
                .get(trial.instance, instance, trial.question, entry)
                .map_err(|why| EngineError::Heuristic(entry.name, why))?,
            None => None,
        };
        let started = Instant::now();
        let (text, build) = made.map_or((None, Duration::ZERO), |(text, build)| (Some(text), build));
        let mut reports = reports(trial, info, options.clone(), instance, text, interrupt)?;
        reports.iter_mut().for_each(|r| r.times.guide += build);
        total = started.elapsed() + build;
        Ok(reports)
    });
    let mut results = match ran {
        Ok(reports) => {
            let report = reports.into_iter().min_by_key(|r| r.verdict)?;
            if report.stop == StopReason::Interrupted {
                return None;
            }
            let mut results = results(&report);
            if trial.keep_trace {
                keep_trace(&mut results, trial, instance, &report, folder);
            }
            results
        }
        Err(Failure { note, bug }) => {
            let stop = if bug { "bug" } else { "impossible" };
            Results { verdict: "error".to_owned(), stop: stop.to_owned(), note, ..Results::default() }
        }
    };
    results.time_total = total.as_secs_f64();
    results.time_load = instance.load.as_secs_f64();
    Some(results)
}

/// Why an engine has no reports.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub note: String,
    /// It shows a bug in lurcher.
    pub bug: bool,
}

/// Runs an engine. A panic is a failure, so that one broken trial does not end the others.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, EngineError>) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(why)) => Err(Failure { note: why.to_string(), bug: matches!(why, EngineError::Unconfirmed(_)) }),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Err(Failure { note: format!("a panic: {text}"), bug: true })
        }
    }
}

fn reports(
    trial: &Trial,
    info: &Info,
    options: Options,
    instance: &Instance,
    guide_text: Option<String>,
    interrupt: &StopSignal,
) -> Result<Vec<Report>, EngineError> {
    let asked = &instance.questions[trial.question].properties;
    let limits = &trial.limits;
    let mut task: Task<'_> = instance.model.task(asked);
    let resources = ResourceLimits::new(Instant::now(), Some(limits.time), Some(limits.memory), interrupt.clone());
    task.budget = Budget { resources, states: limits.states.filter(|_| !info.random), ..Budget::default() };
    task.options = options;
    task.memory = Some(limits.memory);
    let reads = |parameter: &Parameter| info.reads(parameter.name);
    // What the file gives an engine as an option stands.
    let mut give = |parameter: &'static Parameter, text: Option<String>| match text
        .filter(|_| reads(parameter) && !task.options.has(parameter))
    {
        Some(text) => task.options.add(parameter, &text).map_err(EngineError::Refused),
        None => Ok(()),
    };
    give(&WALKS, limits.walks.map(|n| n.to_string()))?;
    give(&TRIALS, Some("1".to_owned()))?;
    give(&TRIAL_STATES, Some(limits.states.unwrap_or(u64::MAX).to_string()))?;
    give(&LOAD_GUIDE, guide_text)?;
    give(&REDUCTION, Some("none".to_owned()))?;
    task.seed = trial.seed;
    task.minimise = trial.minimise.then_some(MINIMISE);
    Ok(instance.model.check(info.name, asked, task, &mut ())?.reports)
}

fn results(report: &Report) -> Results {
    let seconds = |d: Duration| d.as_secs_f64();
    let first = report.counterexamples.first();
    let walks = report.walks.as_ref();
    let participants = first.and_then(|c| c.trace.processes()).map(|t| t.participants);
    Results {
        verdict: report.verdict.name().to_owned(),
        kind: first.map_or("", |c| c.kind).to_owned(),
        stop: report.stop.name().to_owned(),
        walks: walks.map(|w| w.walks),
        steps: Some(walks.map_or(report.stats.transitions, |w| w.steps)),
        tries: walks.map(|w| w.tries),
        found_length: first.map(|c| u64::from(c.found_length)),
        length: first.map(|c| u64::from(c.trace.length())),
        optimal: first.map(|c| c.shortest),
        participants: participants.map(|p| p.0 as u64),
        processes: participants.map(|p| p.1 as u64),
        expanded: walks.is_none().then_some(report.stats.expanded).filter(|&n| n > 0),
        states: Some(walks.map_or(report.stats.stored, |w| w.distinct)),
        memory: Some(report.stats.memory),
        winner: walks.and_then(|w| w.winner.clone()).unwrap_or_default(),
        unit: walks.and_then(|w| w.unit),
        time_guide: seconds(report.times.guide),
        time_search: seconds(report.times.search),
        time_minimise: seconds(report.times.minimise),
        ..Results::default()
    }
}

/// Writes the trace of a violation; where that fails, the row says so.
fn keep_trace(results: &mut Results, trial: &Trial, instance: &Instance, report: &Report, folder: &Path) {
    let Some(text) = trace_text(instance, report) else { return };
    let name = format!("traces/{}.json", trial.parameters.id());
    match std::fs::write(folder.join(&name), text) {
        Ok(()) => results.trace = name,
        Err(error) => results.note = format!("the trace could not be written: {error}"),
    }
}

fn trace_text(instance: &Instance, report: &Report) -> Option<String> {
    match (&report.counterexamples.first()?.trace, instance.model.form()) {
        (Trace::Processes(trace), Form::Processes(model)) => {
            let interpreter = Interpreter::new(model, trace.limits.clone());
            let trail = Trail::of_path(&interpreter, &trace.replayed.moves());
            Some(to_short_json(&instance.name, &report.name, &trail))
        }
        (Trace::States(Some((run, _))), Form::Relation(relation)) => {
            Some(states_to_json(relation, &Header::new(&instance.name, &report.name), run))
        }
        _ => None,
    }
}
