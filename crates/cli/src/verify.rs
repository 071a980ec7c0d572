//! `verify`: complete search.

use std::time::{Duration, Instant};

use anyhow::Result;
use lurcher_search::StopReason;
use lurcher_session::{Engine, Job, Loaded, LoadedModel, MINIMISE, Report, Verdict};

use crate::Exit;
use crate::args::{EngineArg, Reduction, VerifyArgs};
use crate::progress::Live;
use crate::{input, limits, outcome, relation};

/// `lurcher verify`.
pub fn verify(args: &VerifyArgs) -> Result<Exit> {
    let started = Instant::now();
    let mut loaded = input::read_model(&args.common)?;
    let checked = match &mut loaded {
        LoadedModel::Processes(loaded) => processes(args, loaded, started),
        LoadedModel::Relation(loaded) => relation::verify(args, loaded, started),
    };
    let Some((mut reports, load)) = checked? else { return Ok(Exit::Bug) };
    outcome::finish(
        &outcome::Run { common: &args.common, traces: &args.traces, load, started },
        &loaded,
        &mut reports,
    )?;
    let violated = reports.iter().any(|r| r.verdict == Verdict::Violated);
    let unproved = reports.iter().any(|r| r.verdict == Verdict::Inconclusive);
    Ok(match (violated, unproved) {
        (true, _) => Exit::Violation,
        (false, true) => Exit::Limit,
        (false, false) => Exit::Clean,
    })
}

/// Checks a model made of processes; nothing when that shows a bug in lurcher.
fn processes(args: &VerifyArgs, loaded: &mut Loaded, started: Instant) -> Result<Option<(Vec<Report>, Duration)>> {
    let engine = match args.engine {
        EngineArg::Dfs => Engine::Dfs,
        EngineArg::Auto | EngineArg::Bfs => Engine::Bfs,
        EngineArg::Bdd => Engine::Bdd,
    };
    let budget = limits::budget(&args.common, args.depth, args.all_errors);
    let job = Job {
        engine,
        exec: args.exec.exec(),
        budget,
        fair: args.property.fair,
        message_loss: args.common.message_loss,
        reduce: args.reduction == Reduction::Auto,
        minimise: (!args.traces.no_minimise).then_some(MINIMISE),
    };
    let properties = input::properties(loaded, &args.property)?;
    let load = started.elapsed();
    let mut reports: Vec<Report> = Vec::new();
    for (_, property) in &properties {
        let mut live = Live::new(&property.name, args.common.json);
        let checked = job.check(loaded.model(), &loaded.sources, property, &mut live);
        drop(live);
        match outcome::or_bug(checked)? {
            Some(report) => reports.push(report),
            None => return Ok(None),
        }
        if matches!(reports.last().map(|r| r.stop), Some(StopReason::Interrupted | StopReason::Memory)) {
            break;
        }
    }
    Ok(Some((reports, load)))
}
