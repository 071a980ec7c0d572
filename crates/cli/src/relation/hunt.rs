//! `hunt` on a relation.

use std::time::{Duration, Instant};

use anyhow::Result;
use lurcher_session::{LoadedRelation, MINIMISE, Report, StateEngine, StateJob};

use crate::args::HuntArgs;
use crate::progress::Live;
use crate::{input, limits, outcome};

/// Hunts in a relation; nothing when that shows a bug in lurcher.
pub fn hunt(args: &HuntArgs, loaded: &mut LoadedRelation, started: Instant) -> Result<Option<(Vec<Report>, Duration)>> {
    let specifications = input::specifications(loaded, &args.property)?;
    let load = started.elapsed();
    let budget = limits::budget(&args.common, args.walks.depth, false);
    let minimise = (!args.traces.no_minimise).then_some(MINIMISE);
    let job = StateJob { engine: StateEngine::Bfs, budget, cone: true, minimise };
    let mut live = Live::new("hunt", args.common.json);
    let checked = job.check(&loaded.relation, &specifications, &mut live);
    drop(live);
    Ok(outcome::or_bug(checked)?.map(|reports| (reports, load)))
}
