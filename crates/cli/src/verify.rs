//! `verify`: complete search.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use lurcher_engines::{Engine, Job, Loaded, LoadedModel, MINIMISE, Report, Verdict};
use lurcher_search::{StopReason, Storage};

use crate::Exit;
use crate::args::{EngineArg, Reduction, StorageArg, VerifyArgs};
use crate::hunt::cores;
use crate::progress::Live;
use crate::{input, limits, outcome, relation};

/// `lurcher verify`.
pub fn verify(args: &VerifyArgs) -> Result<Exit> {
    let started = Instant::now();
    let mut loaded = input::read_model(&args.common)?;
    outcome::check_files(&args.traces, &loaded)?;
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
        EngineArg::Auto if args.storage.storage != StorageArg::Exact => Engine::Dfs,
        EngineArg::Auto | EngineArg::Bfs => Engine::Bfs,
        EngineArg::Bdd => Engine::Bdd,
    };
    if args.storage.storage != StorageArg::Exact && engine != Engine::Dfs {
        bail!("lossy storage goes with --engine dfs only");
    }
    let budget = limits::budget(&args.common, args.depth, args.all_errors);
    let job = Job {
        engine,
        exec: args.exec.exec(),
        jobs: args.common.jobs.map_or_else(cores, usize::from),
        storage: storage(args),
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

/// Bytes of a bitstate store when nobody says.
const BITSTATE: u64 = 1 << 30;

/// What is kept of states.
fn storage(args: &VerifyArgs) -> Storage {
    match args.storage.storage {
        StorageArg::Exact => Storage::Exact,
        StorageArg::Compact => Storage::Compact,
        StorageArg::Bitstate => Storage::Bitstate {
            functions: args.storage.hash_functions.into(),
            bytes: args.common.memory.map_or(BITSTATE, |bytes| bytes / 4 * 3),
        },
    }
}
