//! `verify` on a relation.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use lurcher_engines::{LoadedRelation, MINIMISE, Report, StateEngine, StateJob};

use crate::args::{EngineArg, Reduction, StorageArg, VerifyArgs};
use crate::progress::Live;
use crate::{input, limits, outcome};

/// Checks a relation; nothing when that shows a bug in lurcher.
pub fn verify(
    args: &VerifyArgs,
    loaded: &mut LoadedRelation,
    started: Instant,
) -> Result<Option<(Vec<Report>, Duration)>> {
    let engine = match args.engine {
        EngineArg::Auto => StateEngine::Auto,
        EngineArg::Bdd => StateEngine::Bdd,
        EngineArg::Bfs => StateEngine::Bfs,
        EngineArg::Dfs => StateEngine::Dfs,
    };
    if args.storage.storage != StorageArg::Exact {
        bail!("states of SMV models are always stored exactly: --storage is for Promela models");
    }
    let specifications = input::specifications(loaded, &args.property)?;
    let load = started.elapsed();
    let budget = limits::budget(&args.common, args.depth, args.all_errors);
    let job = StateJob {
        engine,
        budget,
        cone: args.reduction == Reduction::Auto,
        minimise: (!args.traces.no_minimise).then_some(MINIMISE),
    };
    let mut live = Live::new("verify", args.common.json);
    let checked = job.check(&loaded.relation, &specifications, &mut live);
    drop(live);
    Ok(outcome::or_bug(checked)?.map(|reports| (reports, load)))
}
