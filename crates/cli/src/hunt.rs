//! `hunt`: random walks.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use lurcher_engines::{
    Asked, Engine, GuideKind, GuideSettings, HuntJob, Hunted, Job, JobError, Loaded, LoadedModel, MINIMISE,
    PORTFOLIO_GUIDES, Pack, Report, SavedHunt, Verdict,
};
use lurcher_ir::Property;
use lurcher_search::{Bias, HuntPlan, Kind, Selection, StopReason, Storage, UNBOUNDED, Until, WalkPlan};

use crate::Exit;
use crate::args::{BiasArg, GuideArg, HuntArgs, HuntEngine, Restart, Select, WalkArgs};
use crate::progress::Live;
use crate::{diagrams, input, limits, outcome, relation};

/// How long a hunt lasts when nobody says.
pub(crate) const HUNT_TIME: Duration = Duration::from_secs(60);

/// `lurcher hunt`.
pub fn hunt(args: &HuntArgs) -> Result<Exit> {
    let started = Instant::now();
    let mut loaded = input::read_model(&args.common)?;
    outcome::check_files(&args.traces, &loaded)?;
    args.save.iter().try_for_each(|path| input::check_place(path))?;
    let hunted = match &mut loaded {
        LoadedModel::Processes(loaded) => processes(args, loaded, started),
        LoadedModel::Relation(loaded) => relation::hunt(args, loaded, started),
    };
    let Some((mut reports, load)) = hunted? else { return Ok(Exit::Bug) };
    outcome::finish(
        &outcome::Run { common: &args.common, traces: &args.traces, load, started },
        &loaded,
        &mut reports,
    )?;
    let stopped = |r: &Report| matches!(r.stop, StopReason::Memory | StopReason::Interrupted);
    let unproved = |r: &Report| args.require_proof && r.verdict != Verdict::Holds;
    Ok(if reports.iter().any(|r| r.verdict == Verdict::Violated) {
        Exit::Violation
    } else if reports.iter().any(|r| stopped(r) || unproved(r)) {
        Exit::Limit
    } else {
        Exit::Clean
    })
}

/// Hunts in a model made of processes; nothing when that shows a bug in lurcher.
fn processes(args: &HuntArgs, loaded: &mut Loaded, started: Instant) -> Result<Option<(Vec<Report>, Duration)>> {
    let job = job(args)?;
    let properties = input::properties(loaded, &args.property)?;
    let load = started.elapsed();
    let symbolic = diagrams::hunter(args).map(|hunter| diagrams::plan(args, hunter, &job)).transpose()?;
    let result = match (args.engine, symbolic) {
        (_, Some(plan)) => {
            let properties: Vec<&Property> = properties.iter().map(|(_, property)| property).collect();
            diagrams::hunt(args, &plan, loaded, &properties)
        }
        (HuntEngine::Bfs, _) => complete(args, &job, Engine::Bfs, loaded, &properties),
        (HuntEngine::Bdd, _) => complete(args, &job, Engine::Bdd, loaded, &properties),
        _ => {
            let mut live = Live::new("hunt", args.common.json);
            job.hunt(loaded, &input::load_options(&args.common), &properties, &mut live)
        }
    };
    let Some(Hunted { reports, saved }) = outcome::or_bug(result)? else { return Ok(None) };
    if let (Some(path), Some(saved)) = (&args.save, &saved) {
        input::write_text(path, &saved.to_text())?;
    }
    Ok(Some((reports, load)))
}

/// The arguments as a plan, before any work starts.
fn job(args: &HuntArgs) -> Result<HuntJob> {
    let walks = &args.walks;
    let mut budget = limits::budget(&args.common, None, false);
    if args.engine == HuntEngine::Bfs {
        budget.depth = walks.depth;
    }
    let resume = saved_hunt(args, SavedHunt::from_text)?;
    let pack = match args.engine {
        HuntEngine::Auto => portfolio(walks)?,
        HuntEngine::Walk => Pack::One("walk".to_owned(), plan(walks, Kind::Walk)),
        HuntEngine::Trail => Pack::One("trail".to_owned(), plan(walks, Kind::Trail)),
        HuntEngine::Lurch => bail!("LURCH is for SMV models: Promela models have walk and trail, with --until"),
        // These do not walk, or not from state to state.
        _ => Pack::Portfolio(UNBOUNDED),
    };
    let chain = match &pack {
        Pack::One(_, plan) => u64::from(plan.chain),
        Pack::Portfolio(_) => 1,
    };
    let (first, last) = range(walks, chain)?;
    if last.is_none() && walks.saturation.is_none() {
        budget.deadline.get_or_insert(Instant::now() + HUNT_TIME);
    }
    let jobs = args.common.jobs.map_or_else(cores, usize::from);
    Ok(HuntJob {
        pack,
        guides: guides(args),
        guide_settings: guide_settings(walks)?,
        plan: HuntPlan { seed: args.common.seed, jobs, first, last, saturation: walks.saturation },
        exec: args.exec.exec(),
        budget,
        fair: args.property.fair,
        message_loss: args.common.message_loss,
        minimise: (!args.traces.no_minimise).then_some(MINIMISE),
        save: args.save.is_some(),
        resume,
    })
}

/// The hunt that is to go on.
pub(crate) fn saved_hunt<S>(args: &HuntArgs, read: impl Fn(&str) -> Result<S, String>) -> Result<Option<S>> {
    let walking = matches!(args.engine, HuntEngine::Auto | HuntEngine::Walk | HuntEngine::Trail);
    if !walking && (args.save.is_some() || args.resume.is_some()) {
        bail!("only walks can be saved and resumed: with --engine auto, walk or trail");
    }
    let Some(path) = &args.resume else { return Ok(None) };
    match read(&input::read_text(path)?) {
        Ok(saved) => Ok(Some(saved)),
        Err(why) => bail!("{}: {why}", path.display()),
    }
}

/// The first unit and the one behind the last, of so many walks each.
pub(crate) fn range(walks: &WalkArgs, chain: u64) -> Result<(u64, Option<u64>)> {
    let units = match (walks.walks, walks.delta.zip(walks.epsilon)) {
        (Some(_), Some(_)) => bail!("--walks and --delta with --epsilon both say how many walks to make"),
        (Some(n), None) => Some(n),
        (None, Some((delta, epsilon))) => Some((delta.ln() / (1.0 - epsilon).ln()).ceil() as u64),
        (None, None) => None,
    };
    let first = walks.walks_from.unwrap_or(0);
    let last = [units.map(|n| first + n.div_ceil(chain)), walks.walks_to].into_iter().flatten().min();
    if last.is_some_and(|l| l <= first) {
        bail!("there are no walks from number {first} to below {}", last.unwrap_or(0));
    }
    Ok((first, last))
}

fn guide_settings(walks: &WalkArgs) -> Result<GuideSettings> {
    let text = walks.load_guide.as_deref().map(input::read_text).transpose()?;
    Ok(GuideSettings { text, ..input::guide_settings(&walks.guides)? })
}

fn guides(args: &HuntArgs) -> Vec<GuideKind> {
    match args.walks.guide.as_slice() {
        [] if args.engine == HuntEngine::Auto => PORTFOLIO_GUIDES.to_vec(),
        given => given.iter().filter_map(|g| g.kind()).collect(),
    }
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The portfolio of all kinds.
fn portfolio(walks: &WalkArgs) -> Result<Pack> {
    only_for_walks(walks)?;
    Ok(Pack::Portfolio(walks.depth.unwrap_or(UNBOUNDED)))
}

/// A portfolio chooses for itself; what only makes sense for one kind of walk is refused.
pub(crate) fn only_for_walks(walks: &WalkArgs) -> Result<()> {
    let given = [
        (walks.select.is_some(), "--select"),
        (walks.until.is_some(), "--until"),
        (walks.restart == Restart::Random, "--restart"),
        (walks.walks_from.is_some() || walks.walks_to.is_some(), "--walks-from and --walks-to"),
        (walks.delta.is_some(), "--delta and --epsilon"),
    ];
    match given.iter().find(|(given, _)| *given) {
        Some((_, option)) => bail!("{option} is about one kind of walk: choose it with --engine walk or trail"),
        None => Ok(()),
    }
}

pub(crate) fn plan(walks: &WalkArgs, kind: Kind) -> WalkPlan {
    let usual = WalkPlan::default();
    WalkPlan {
        kind,
        selection: match walks.select {
            Some(Select::AllChildren) => Selection::AllChildren,
            Some(Select::TryAChild) | None => Selection::TryAChild,
        },
        bias: match walks.bias {
            Some(BiasArg::Thesis) => Bias::Thesis,
            Some(BiasArg::Linear) => Bias::Linear,
            Some(BiasArg::Steep) => Bias::Steep,
            // Scores of goal paths lie far apart: halving would leave no choice at all.
            None if walks.guide.contains(&GuideArg::ReducedInstance) => Bias::Linear,
            None => Bias::Steep,
        },
        reverse: walks.reverse_guide,
        until: walks.until.map_or(Until::End, Until::Repeats),
        depth: walks.depth.unwrap_or(usual.depth),
        chain: if walks.restart == Restart::Random { walks.chain } else { 1 },
    }
}

fn complete(
    args: &HuntArgs,
    job: &HuntJob,
    engine: Engine,
    loaded: &Loaded,
    properties: &[(Asked, Property)],
) -> Result<Hunted, JobError> {
    let search = Job {
        engine,
        exec: job.exec,
        jobs: job.plan.jobs,
        storage: Storage::Exact,
        budget: job.budget.clone(),
        fair: job.fair,
        message_loss: job.message_loss,
        reduce: false,
        minimise: job.minimise,
    };
    let mut reports: Vec<Report> = Vec::new();
    for (_, property) in properties {
        let mut live = Live::new(&property.name, args.common.json);
        reports.push(search.check(loaded.model(), &loaded.sources, property, &mut live)?);
        let last = reports.last().expect("just added");
        if last.verdict == Verdict::Violated || matches!(last.stop, StopReason::Interrupted | StopReason::Memory) {
            break;
        }
    }
    Ok(Hunted { reports, saved: None })
}
