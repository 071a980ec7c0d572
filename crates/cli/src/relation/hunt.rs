//! `hunt` on a relation.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use lurcher_engines::{LoadedRelation, MINIMISE, Report, SavedHunt, StateHunt, StateHunted, StateHunter};
use lurcher_search::{HuntPlan, Kind, LurchPlan};

use crate::args::{HuntArgs, HuntEngine};
use crate::hunt::{HUNT_TIME, cores, only_for_walks, plan, range, saved_hunt};
use crate::progress::Live;
use crate::{diagrams, input, limits, outcome};

/// Hunts in a relation; nothing when that shows a bug in lurcher.
pub fn hunt(args: &HuntArgs, loaded: &mut LoadedRelation, started: Instant) -> Result<Option<(Vec<Report>, Duration)>> {
    let specifications = input::specifications(loaded, &args.property)?;
    let load = started.elapsed();
    let job = job(args)?;
    let resume = saved_hunt(args, SavedHunt::from_text)?;
    let mut live = Live::new("hunt", args.common.json);
    let hunted = job.go_on(resume.as_ref(), &loaded.relation, &specifications, &mut live);
    drop(live);
    let Some(StateHunted { reports, saved }) = outcome::or_bug(hunted)? else { return Ok(None) };
    if let (Some(path), Some(saved)) = (&args.save, &saved) {
        input::write_text(path, &saved.to_text())?;
    }
    Ok(Some((reports, load)))
}

/// The arguments as a plan.
fn job(args: &HuntArgs) -> Result<StateHunt> {
    let walks = &args.walks;
    let lurch = LurchPlan {
        seed: args.common.seed,
        repeats: walks.until.unwrap_or(LurchPlan::default().repeats),
        depth: walks.depth.unwrap_or(LurchPlan::default().depth),
        paths: walks.walks,
        saturation: walks.saturation,
        ..LurchPlan::default()
    };
    let hunter = match args.engine {
        HuntEngine::Auto => {
            only_for_walks(walks)?;
            if walks.depth.is_some() {
                bail!("--depth is about walks: choose them with --engine walk, trail or lurch");
            }
            StateHunter::Auto
        }
        HuntEngine::Walk => StateHunter::Walk(plan(walks, Kind::Walk)),
        HuntEngine::Trail => StateHunter::Walk(plan(walks, Kind::Trail)),
        HuntEngine::Bfs => StateHunter::Bfs,
        HuntEngine::Lurch => StateHunter::Lurch(lurch),
        HuntEngine::Bdd => StateHunter::Bdd,
        HuntEngine::Sgmc | HuntEngine::SymbolicWalk | HuntEngine::SymbolicTrail => {
            StateHunter::Symbolic(diagrams::hunter(args).expect("these are symbolic"))
        }
    };
    let mut budget = limits::budget(&args.common, None, false);
    let chain = match &hunter {
        StateHunter::Walk(plan) => u64::from(plan.chain),
        _ => 1,
    };
    let (first, last) = range(walks, chain)?;
    if last.is_none() && walks.saturation.is_none() {
        budget.deadline.get_or_insert(Instant::now() + HUNT_TIME);
    }
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
