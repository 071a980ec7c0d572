//! Running one trial with the engines of this project.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lurcher_engines::{
    DiagramHunt, Exec, GuideSettings, HuntJob, Job, JobError, LoadedModel, MINIMISE, PORTFOLIO_GUIDES, Pack, Report,
    StateHunter, Trace, Verdict,
};
use lurcher_ir::Property;
use lurcher_search::{Budget, HuntPlan, Storage};
use lurcher_system::{Interpreter, Limits};
use lurcher_trace::{Trail, states_to_json, to_short_json};

use crate::guides::Guides;
use crate::instance::{Instance, Question};
use crate::nusmv;
use crate::record::Results;
use crate::relation;
use crate::spin;
use crate::trial::{Trial, Way};

/// Runs a trial; nothing when it was interrupted. `folder` is where traces go.
pub(crate) fn run(
    trial: &Trial,
    instance: &Instance,
    guides: &Guides,
    folder: &Path,
    interrupt: &Arc<AtomicBool>,
) -> Option<Results> {
    let question = &instance.questions[trial.question];
    if let Way::Spin(limits) = &trial.way {
        return spin::run(instance, &question.asked, limits, interrupt);
    }
    if let Way::Nusmv(limits) = &trial.way {
        return nusmv::run(instance, &question.asked, limits, interrupt);
    }
    let mut total = Duration::ZERO;
    // One broken trial must not take the others with it.
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let made = match &trial.way {
            Way::Walks { guide: Some(kind), .. } => guides
                .get(trial.instance, instance, trial.question, *kind)
                .map_err(|why| JobError::Guide(kind.name(), why))?,
            _ => None,
        };
        let started = Instant::now();
        let (text, build) = made.map_or((None, Duration::ZERO), |(text, build)| (Some(text), build));
        let mut reports = reports(trial, instance, question, text, interrupt)?;
        reports.iter_mut().for_each(|r| r.times.guide += build);
        total = started.elapsed() + build;
        Ok(reports)
    }));
    let error = |stop: &str, note: String| Results {
        verdict: "error".to_owned(),
        stop: stop.to_owned(),
        note,
        ..Results::default()
    };
    let mut results = match ran {
        Ok(Ok(reports)) => {
            let report = reports.into_iter().min_by_key(|r| rank(r.verdict))?;
            if report.stop == lurcher_search::StopReason::Interrupted {
                return None;
            }
            let mut results = results(&report);
            if trial.keep_trace {
                keep_trace(&mut results, trial, instance, &report, folder);
            }
            results
        }
        Ok(Err(why @ JobError::Unconfirmed(_))) => error("bug", why.to_string()),
        Ok(Err(why)) => error("impossible", why.to_string()),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            error("bug", format!("a panic: {text}"))
        }
    };
    results.time_total = total.as_secs_f64();
    results.time_load = instance.load.as_secs_f64();
    Some(results)
}

fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Violated => 0,
        Verdict::Inconclusive => 1,
        Verdict::Holds => 2,
    }
}

fn reports(
    trial: &Trial,
    instance: &Instance,
    question: &Question,
    guide_text: Option<String>,
    interrupt: &Arc<AtomicBool>,
) -> Result<Vec<Report>, JobError> {
    let limits = &trial.limits;
    let minimise = trial.minimise.then_some(MINIMISE);
    let mut budget = Budget {
        deadline: Some(Instant::now() + limits.time),
        memory: Some(limits.memory),
        interrupt: interrupt.clone(),
        ..Budget::default()
    };
    let loaded = match (&trial.way, instance.processes()) {
        (Way::States { hunter, guide, .. }, None) => {
            return relation::reports((hunter, guide), trial, instance, budget);
        }
        (_, loaded) => loaded.expect("this way is for models made of processes"),
    };
    if let Way::States { hunter: StateHunter::Symbolic(hunter), guide, .. } = &trial.way {
        let plan = HuntPlan { seed: trial.seed, jobs: 1, first: 0, last: limits.walks, saturation: None };
        let (hunter, guide) = (*hunter, guide.clone());
        let hunt = DiagramHunt { hunter, guide, plan, budget, message_loss: false, minimise };
        let properties: Vec<&Property> = question.properties.iter().map(|(_, p)| p).collect();
        return hunt.hunt(loaded.model(), &loaded.sources, &properties, &mut ());
    }
    if let Way::Search { engine, depth } = &trial.way {
        (budget.depth, budget.states) = (*depth, limits.states);
        let job = Job {
            engine: *engine,
            exec: Exec::Jit,
            jobs: 1,
            storage: Storage::Exact,
            budget,
            fair: false,
            message_loss: false,
            reduce: false,
            minimise,
        };
        let model = loaded.model();
        let properties = question.properties.iter();
        return properties.map(|(_, p)| job.check(model, &loaded.sources, p, &mut ())).collect();
    }
    let (pack, guides, chain) = match &trial.way {
        Way::Walks { name, plan, guide, .. } => {
            (Pack::One((*name).to_owned(), *plan), guide.iter().copied().collect(), u64::from(plan.chain))
        }
        Way::Portfolio { depth } => (Pack::Portfolio(*depth), PORTFOLIO_GUIDES.to_vec(), 1),
        Way::Search { .. } | Way::States { .. } | Way::Spin(_) | Way::Nusmv(_) => {
            unreachable!("they were dealt with above")
        }
    };
    let last = limits.walks.map(|walks| walks.div_ceil(chain));
    let plan = HuntPlan { seed: trial.seed, jobs: 1, first: 0, last, saturation: None };
    let drop = match &trial.way {
        Way::Walks { drop, .. } => drop.clone(),
        _ => Vec::new(),
    };
    let job = HuntJob {
        pack,
        guides,
        guide_settings: GuideSettings { text: guide_text, drop, ..GuideSettings::default() },
        plan,
        exec: Exec::Jit,
        budget,
        fair: false,
        message_loss: false,
        minimise,
        save: false,
        resume: None,
    };
    Ok(job.hunt(loaded, &instance.options(), &question.properties, &mut ())?.reports)
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
    match (&report.counterexamples.first()?.trace, &instance.loaded) {
        (Trace::Processes(trace), LoadedModel::Processes(loaded)) => {
            let model = loaded.model();
            let limits = Limits { with_claim: report.with_claim, ..Limits::for_model(model) };
            let interpreter = Interpreter::new(model, limits);
            let trail = Trail::of_path(&interpreter, &trace.replayed.moves());
            Some(to_short_json(&instance.name, &report.name, &trail))
        }
        (Trace::States(Some((run, _))), LoadedModel::Relation(loaded)) => {
            Some(states_to_json(&loaded.relation, &instance.name, &report.name, run))
        }
        _ => None,
    }
}
