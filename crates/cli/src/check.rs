//! `hunt` and `verify`.

use anyhow::{Result, bail};
use lurcher::engines::{EngineError, Goal, MINIMISE, SavedHunt, StopReason, Verdict};
use lurcher::{Check, CheckError, Outcome};

use crate::args::{CheckArgs, HuntArgs, VerifyArgs};
use crate::limits::Supervisor;
use crate::progress::Live;
use crate::terminal::warn;
use crate::{Bug, Exit, input, outcome};

/// `lurcher hunt`.
pub fn hunt(args: &HuntArgs, limits: &Supervisor) -> Result<Exit> {
    let started = limits.started;
    let mut model = input::read_model(&args.check.common, &limits.resources)?;
    outcome::check_files(&args.check, &model)?;
    args.save.iter().try_for_each(|path| input::check_place(path))?;
    let walks = matches!(args.engine.engine.as_str(), "auto" | "walk" | "trail");
    if !walks && (args.save.is_some() || args.resume.is_some()) {
        bail!("only walks can be saved and resumed: with --engine auto, walk or trail");
    }
    let options = args.engine.options()?;
    let resume = match &args.resume {
        None => None,
        Some(path) => match SavedHunt::from_text(&input::read_bytes(path)?) {
            Ok(saved) => Some(saved),
            Err(why) => bail!("{}: {why}", path.display()),
        },
    };
    let load = started.elapsed();
    let mut check = model.hunt().engine(&args.engine.engine).options(options);
    if let Some(saved) = resume {
        check = check.resume(saved);
    }
    if let Some(path) = args.save.clone() {
        check = check.save(args.save_every, move |saved| {
            if let Err(why) = input::replace_text(&path, &saved.to_text()) {
                warn(&format!("{why:#}"));
            }
        });
    }
    let run = run(check, &args.check, limits);
    let mut outcome = finished(run, &model)?;
    let _scope = limits.finish();
    // Whatever becomes of the files, the verdict is told.
    let written = match (&args.save, &outcome.saved) {
        (Some(path), Some(saved)) => input::replace_text(path, &saved.to_text()),
        _ => Ok(()),
    };
    let reports = &outcome.reports;
    let stopped = reports.iter().any(|r| matches!(r.stop, StopReason::Memory | StopReason::Interrupted));
    let unproved = args.require_proof && reports.iter().any(|r| r.verdict != Verdict::Holds);
    let violated = reports.iter().any(|r| r.verdict == Verdict::Violated);
    let told =
        outcome::finish(&outcome::Run { args: &args.check, goal: Goal::Hunt, load, started }, &model, &mut outcome);
    let exit = match (violated, stopped || unproved) {
        (true, _) => Exit::Violation,
        (false, true) => Exit::Limit,
        (false, false) => Exit::Clean,
    };
    outcome::status(told.and(written), exit)
}

/// `lurcher verify`.
pub fn verify(args: &VerifyArgs, limits: &Supervisor) -> Result<Exit> {
    let started = limits.started;
    let mut model = input::read_model(&args.check.common, &limits.resources)?;
    outcome::check_files(&args.check, &model)?;
    let options = args.engine.options()?;
    let load = started.elapsed();
    let check = model.verify().engine(&args.engine.engine).options(options);
    let run = run(check, &args.check, limits);
    let mut outcome = finished(run, &model)?;
    let _scope = limits.finish();
    let told =
        outcome::finish(&outcome::Run { args: &args.check, goal: Goal::Verify, load, started }, &model, &mut outcome);
    let verdict = |wanted: Verdict| outcome.reports.iter().any(|r| r.verdict == wanted);
    let exit = match (verdict(Verdict::Violated), verdict(Verdict::Inconclusive)) {
        (true, _) => Exit::Violation,
        (false, true) => Exit::Limit,
        (false, false) => Exit::Clean,
    };
    outcome::status(told, exit)
}

fn run(check: Check<'_>, args: &CheckArgs, limits: &Supervisor) -> Result<Outcome, CheckError> {
    let CheckArgs { common, property, traces } = args;
    let mut check = check
        .seed(common.seed)
        .semantics(property.semantics.0)
        .default_memory(limits.resources.memory.unwrap_or(u64::MAX))
        .minimise((!traces.no_minimise).then_some(MINIMISE))
        .started(limits.started)
        .stop_signal(limits.resources.stop.clone());
    for question in input::questions(property) {
        check = check.question(question);
    }
    if let Some(time) = common.time {
        check = check.time(time);
    }
    if let Some(memory) = common.memory {
        check = check.memory(memory);
    }
    if let Some(jobs) = common.jobs {
        check = check.jobs(jobs.into());
    }
    let live = Live::new("preparing the model", check.time_limit());
    check.observer(live.observer()).run()
}

/// The outcome, or why there is none.
fn finished(outcome: Result<Outcome, CheckError>, model: &lurcher::Model) -> Result<Outcome> {
    match outcome {
        Ok(outcome) => {
            input::print_formula_warnings(model);
            Ok(outcome)
        }
        Err(CheckError::Stopped(limit)) => Err(limit.into()),
        Err(CheckError::Engine(error @ EngineError::Unconfirmed(_))) => Err(Bug(error.to_string()).into()),
        Err(CheckError::Question(error)) => Err(input::unresolved(model, error)),
        Err(error) => bail!("{error}"),
    }
}
