//! `hunt` on a relation.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use lurcher_search::{HuntPlan, Kind, LurchPlan};
use lurcher_session::{LoadedRelation, MINIMISE, Report, StateHunt, StateHunter};

use crate::args::{HuntArgs, HuntEngine};
use crate::hunt::{HUNT_TIME, cores, plan};
use crate::progress::Live;
use crate::{diagrams, input, limits, outcome};

/// Hunts in a relation; nothing when that shows a bug in lurcher.
pub fn hunt(args: &HuntArgs, loaded: &mut LoadedRelation, started: Instant) -> Result<Option<(Vec<Report>, Duration)>> {
    let specifications = input::specifications(loaded, &args.property)?;
    let load = started.elapsed();
    let job = job(args)?;
    let mut live = Live::new("hunt", args.common.json);
    let hunted = job.hunt(&loaded.relation, &specifications, &mut live);
    drop(live);
    Ok(outcome::or_bug(hunted)?.map(|reports| (reports, load)))
}

/// The arguments as a plan.
fn job(args: &HuntArgs) -> Result<StateHunt> {
    let walks = &args.walks;
    if args.save.is_some() || args.resume.is_some() {
        bail!("hunts in SMV models cannot be saved yet");
    }
    let lurch = LurchPlan {
        seed: args.common.seed,
        repeats: walks.until.unwrap_or(LurchPlan::default().repeats),
        depth: walks.depth.unwrap_or(LurchPlan::default().depth),
        paths: walks.walks,
        saturation: walks.saturation,
        ..LurchPlan::default()
    };
    let hunter = match args.engine {
        HuntEngine::Auto => StateHunter::Auto,
        HuntEngine::Walk => StateHunter::Walk(plan(walks, Kind::Walk)),
        HuntEngine::Trail => StateHunter::Walk(plan(walks, Kind::Trail)),
        HuntEngine::Bfs => StateHunter::Bfs,
        HuntEngine::Lurch => StateHunter::Lurch(lurch),
        HuntEngine::Bdd => StateHunter::Bdd,
        HuntEngine::Sgmc | HuntEngine::SymbolicWalk | HuntEngine::SymbolicTrail => {
            StateHunter::Symbolic(diagrams::hunter(args).expect("these are symbolic"))
        }
    };
    if walks.until.is_some() && matches!(hunter, StateHunter::Auto) {
        bail!("--until needs an engine: walk, trail or lurch");
    }
    let mut budget = limits::budget(&args.common, None, false);
    let endless = walks.walks.is_none() && walks.walks_to.is_none() && walks.saturation.is_none();
    if endless {
        budget.deadline.get_or_insert(Instant::now() + HUNT_TIME);
    }
    let first = walks.walks_from.unwrap_or(0);
    let last = [walks.walks.map(|n| first + n), walks.walks_to].into_iter().flatten().min();
    let jobs = args.common.jobs.map_or_else(cores, usize::from);
    Ok(StateHunt {
        hunter,
        guide: diagrams::guide(args)?,
        plan: HuntPlan { seed: args.common.seed, jobs, first, last, saturation: walks.saturation },
        exec: args.exec.exec(),
        budget,
        minimise: (!args.traces.no_minimise).then_some(MINIMISE),
    })
}
