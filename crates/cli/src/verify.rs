//! `verify`: complete search.

use std::time::Instant;

use anyhow::Result;
use lurcher_search::StopReason;
use lurcher_session::{Engine, Job, MINIMISE, Report, Verdict};

use crate::Exit;
use crate::args::{EngineArg, VerifyArgs};
use crate::progress::Live;
use crate::{input, limits, outcome};

/// `lurcher verify`.
pub fn verify(args: &VerifyArgs) -> Result<Exit> {
    let engine = match args.engine {
        EngineArg::Dfs => Engine::Dfs,
        EngineArg::Bfs => Engine::Bfs,
    };
    let budget = limits::budget(&args.common, args.depth, args.all_errors);
    let job = Job {
        engine,
        budget,
        fair: args.property.fair,
        message_loss: args.common.message_loss,
        minimise: (!args.traces.no_minimise).then_some(MINIMISE),
    };
    let started = Instant::now();
    let mut loaded = input::read_model(&args.common)?;
    let properties = input::properties(&mut loaded, &args.property)?;
    let load = started.elapsed();
    let mut reports: Vec<Report> = Vec::new();
    for (_, property) in &properties {
        let mut live = Live::new(&property.name, args.common.json);
        let checked = job.check(loaded.model(), &loaded.sources, property, &mut live);
        drop(live);
        match outcome::or_bug(checked)? {
            Some(report) => reports.push(report),
            None => return Ok(Exit::Bug),
        }
        if matches!(reports.last().map(|r| r.stop), Some(StopReason::Interrupted | StopReason::Memory)) {
            break;
        }
    }
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
