//! `verify` and `hunt`.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use lurcher_ir::Property;
use lurcher_search::{Budget, StopReason};
use lurcher_session::{Engine, Job, JobError, Loaded, Report, Verdict};
use lurcher_trace::{Describer, Trail, to_json, write_trail};

use crate::Exit;
use crate::args::{CommonArgs, EngineArg, HuntArgs, PropertyArgs, TraceArgs, VerifyArgs};
use crate::progress::Live;
use crate::{follow, input, json, limits, report};

/// How long a hunt lasts when nobody says.
const HUNT_TIME: Duration = Duration::from_secs(60);

/// What was asked, whichever command asked it.
struct Plan<'a> {
    command: &'static str,
    common: &'a CommonArgs,
    property: &'a PropertyArgs,
    traces: &'a TraceArgs,
    job: Job,
    require_proof: bool,
}

/// `lurcher verify`.
pub fn verify(args: &VerifyArgs) -> Result<Exit> {
    let engine = match args.engine {
        EngineArg::Dfs => Engine::Dfs,
        EngineArg::Bfs => Engine::Bfs,
    };
    let budget = limits::budget(&args.common, args.depth, args.all_errors);
    run(Plan {
        command: "verify",
        common: &args.common,
        property: &args.property,
        traces: &args.traces,
        job: job(&args.common, &args.property, engine, budget),
        require_proof: args.require_proof,
    })
}

/// `lurcher hunt`.
pub fn hunt(args: &HuntArgs) -> Result<Exit> {
    let mut budget = limits::budget(&args.common, args.depth, false);
    budget.deadline.get_or_insert(Instant::now() + HUNT_TIME);
    run(Plan {
        command: "hunt",
        common: &args.common,
        property: &args.property,
        traces: &args.traces,
        job: job(&args.common, &args.property, Engine::Bfs, budget),
        require_proof: args.require_proof,
    })
}

fn job(common: &CommonArgs, property: &PropertyArgs, engine: Engine, budget: Budget) -> Job {
    Job { engine, budget, fair: property.fair, message_loss: common.message_loss }
}

fn run(plan: Plan<'_>) -> Result<Exit> {
    let started = Instant::now();
    let mut loaded = input::read_model(plan.common)?;
    let properties = input::properties(&mut loaded, plan.property)?;
    let load_time = started.elapsed();
    let mut reports = Vec::new();
    for property in &properties {
        match check(&plan, &loaded, property) {
            Ok(report) => reports.push(report),
            Err(error @ JobError::Unconfirmed(_)) => {
                eprintln!("bug in lurcher: {error}");
                return Ok(Exit::Bug);
            }
            Err(error) => return Err(error.into()),
        }
        let last = reports.last().expect("just added");
        let hunted = plan.command == "hunt" && last.verdict == Verdict::Violated;
        if hunted || matches!(last.stop, StopReason::Interrupted | StopReason::Memory) {
            break;
        }
    }
    // Violations first: the first report speaks for the run.
    reports.sort_by_key(|r| match r.verdict {
        Verdict::Violated => 0,
        Verdict::Inconclusive => 1,
        Verdict::Holds => 2,
    });
    write_traces(&plan, &loaded, &reports)?;
    let mut out = std::io::stdout().lock();
    if plan.common.json {
        let run = json::Run { common: plan.common, traces: plan.traces, load: load_time, total: started.elapsed() };
        let object = json::reports(&run, &loaded, &reports);
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
    } else {
        write!(out, "{}", report::reports(plan.common, &loaded, &reports))?;
    }
    Ok(exit(&plan, &reports))
}

fn check(plan: &Plan<'_>, loaded: &Loaded, property: &Property) -> Result<Report, JobError> {
    let mut live = Live::new(&property.name, plan.common.json);
    plan.job.check(loaded.model(), &loaded.sources, property, &mut live)
}

fn exit(plan: &Plan<'_>, reports: &[Report]) -> Exit {
    if reports.iter().any(|r| r.verdict == Verdict::Violated) {
        return Exit::Violation;
    }
    let unproved = reports.iter().any(|r| r.verdict == Verdict::Inconclusive);
    let stopped = reports.iter().any(|r| matches!(r.stop, StopReason::Memory | StopReason::Interrupted));
    match plan.command {
        _ if unproved && plan.require_proof => Exit::Limit,
        "hunt" if stopped => Exit::Limit,
        "verify" if unproved => Exit::Limit,
        _ => Exit::Clean,
    }
}

fn write_traces(plan: &Plan<'_>, loaded: &Loaded, reports: &[Report]) -> Result<()> {
    let Some((report, first)) = reports.iter().find_map(|r| r.counterexamples.first().map(|c| (r, c))) else {
        return Ok(());
    };
    let interpreter = follow::interpreter(plan.common, loaded);
    if let Some(path) = &plan.traces.trail {
        let trail = Trail::of_replayed(&interpreter, &first.replayed);
        input::write_text(path, &write_trail(&trail))?;
    }
    if let Some(path) = &plan.traces.trace {
        let describer = Describer { interpreter: &interpreter, sources: &loaded.sources };
        let model = plan.common.model.display().to_string();
        input::write_text(path, &to_json(&describer, &model, &report.name, &first.replayed))?;
    }
    Ok(())
}
