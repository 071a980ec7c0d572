//! `hunt` with sets of states, in a model made of processes.

use anyhow::{Result, bail};
use lurcher_engines::{DiagramHunt, HuntJob, Hunted, JobError, Loaded, StateGuide, SymbolicHunter};
use lurcher_ir::Property;
use lurcher_search::UNBOUNDED;

use crate::args::{GuideArg, HuntArgs, HuntEngine};
use crate::input;
use crate::progress::Live;

/// The symbolic hunter that arguments ask for, if they do.
pub fn hunter(args: &HuntArgs) -> Option<SymbolicHunter> {
    let depth = args.walks.depth.filter(|&d| d < UNBOUNDED).map(u64::from);
    match args.engine {
        HuntEngine::Sgmc => Some(SymbolicHunter::Sgmc),
        HuntEngine::SymbolicWalk => Some(SymbolicHunter::Walk { trail: false, depth }),
        HuntEngine::SymbolicTrail => Some(SymbolicHunter::Walk { trail: true, depth }),
        _ => None,
    }
}

/// The guide that arguments ask for.
pub fn guide(args: &HuntArgs) -> Result<StateGuide> {
    let walks = &args.walks;
    if walks.load_guide.is_some() || walks.guides.reduce.is_some() {
        bail!("the guide of sets of states is abstraction; --drop FILE says what it drops");
    }
    let on = match walks.guide.as_slice() {
        [] | [GuideArg::None] => false,
        [GuideArg::Abstraction] => true,
        _ => bail!("the guide of sets of states is called abstraction"),
    };
    Ok(StateGuide { on, reverse: walks.reverse_guide, drop: input::guide_settings(&walks.guides)?.drop })
}

/// The arguments as a plan: what walks share with others is in the job.
pub fn plan(args: &HuntArgs, hunter: SymbolicHunter, job: &HuntJob) -> Result<DiagramHunt> {
    Ok(DiagramHunt {
        hunter,
        guide: guide(args)?,
        plan: job.plan.clone(),
        budget: job.budget.clone(),
        message_loss: job.message_loss,
        minimise: job.minimise,
    })
}

/// Hunts.
pub fn hunt(
    args: &HuntArgs,
    hunt: &DiagramHunt,
    loaded: &Loaded,
    properties: &[&Property],
) -> Result<Hunted, JobError> {
    let mut live = Live::new("hunt", args.common.json);
    let reports = hunt.hunt(loaded.model(), &loaded.sources, properties, &mut live)?;
    Ok(Hunted { reports, saved: None })
}
