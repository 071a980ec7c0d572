//! `simulate`: one run.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use indicatif::HumanCount;
use lurcher::Model;
use lurcher::formats::{Document, Page};
use lurcher::replay::Replay;
use lurcher::simulation::{End, Simulation, SimulationOptions};
use lurcher_resources::{LimitReached, ResourceLimits};
use serde_json::{Value, json};

use crate::Exit;
use crate::args::{Export, SimulateArgs};
use crate::json::add_steps;
use crate::limits::Supervisor;
use crate::terminal::{Stream, print_json};
use crate::words::count;
use crate::{input, menu, outcome, replay, report};

/// `lurcher simulate`.
pub fn simulate(args: &SimulateArgs, limits: &Supervisor) -> Result<Exit> {
    outcome::check_exports(&args.exports(), args.common.json)?;
    if let Some(path) = &args.follow {
        return follow(args, path, limits);
    }
    let model = input::read_model(&args.common, &limits.resources)?;
    outcome::check_semantics(args.semantics.0, &model)?;
    if model.timed().is_some() {
        bail!("real-time specifications are not simulated; verify and hunt check them");
    }
    let options =
        SimulationOptions { seed: args.common.seed, semantics: args.semantics.0, width: Stream::report().form().width };
    let mut run = match model.simulate(&options) {
        Ok(run) => run,
        Err(violation) => {
            return started_badly(args, &violation);
        }
    };
    let exit = match args.interactive {
        true => menu::interact(&mut *run, &|run, path| save(&model, args, run, &[("json", path.to_owned())]))?,
        false => wander(&model, args, &mut *run, limits)?,
    };
    let _scope = limits.finish();
    // A run that the user ended is written whole; a second signal ends the program.
    let interrupted = limits.resources.stop.raised() == Some(LimitReached::Interrupted);
    let _whole = interrupted.then(|| ResourceLimits::default().enter());
    save(&model, args, &*run, &args.exports())?;
    Ok(exit)
}

/// The most variables that are listed for people.
const MOST_VARIABLES: usize = 1000;

/// The share of the memory that the states of a run may take: its trace is another copy.
const MEMORY_SHARE: u64 = 4;

/// The limit that ends a run. One that is to be written has half of the time, because writing it takes about as long.
fn reached(args: &SimulateArgs, run: &dyn Simulation, limits: &Supervisor) -> Option<LimitReached> {
    let ResourceLimits { memory, .. } = limits.resources;
    let is_written = args.common.json || !args.exports().is_empty();
    let half = args.common.time.filter(|_| is_written).and_then(|time| limits.started.checked_add(time / 2));
    if memory.is_some_and(|memory| run.memory() > memory / MEMORY_SHARE) {
        return Some(LimitReached::Memory);
    }
    limits.resources.reached().or_else(|| half.filter(|half| Instant::now() >= *half).map(|_| LimitReached::Time))
}

/// A random run.
fn wander(model: &Model, args: &SimulateArgs, run: &mut dyn Simulation, limits: &Supervisor) -> Result<Exit> {
    let mut out = Stream::report().writer();
    let mut exit = Exit::Clean;
    if !args.common.json {
        write!(out, "{}", run.legend())?;
    }
    let ending = loop {
        if run.length() >= args.steps {
            break format!("stopped after {} (--steps sets the limit)", count(u64::from(run.length()), "step"));
        }
        if let Some(limit) = reached(args, run, limits) {
            exit = Exit::Limit;
            break format!("{limit} after {}", count(u64::from(run.length()), "step"));
        }
        let Some(taken) = run.take_random().map_err(|why| anyhow!(why))? else {
            match run.end() {
                End::Valid(text) => break text.to_owned(),
                End::Deadlock(text) => {
                    exit = Exit::Violation;
                    break text.to_owned();
                }
                End::NoInitialState(text) => bail!(text),
            }
        };
        if !args.common.json {
            write!(out, "{}", taken.text)?;
        }
        if let Some(violation) = taken.violation {
            exit = Exit::Violation;
            break violation;
        }
    };
    let _scope = limits.finish();
    let variables = ResourceLimits::current().bound(|| run.variables());
    if args.common.json {
        let variables: Option<serde_json::Map<String, Value>> =
            variables.ok().map(|all| all.into_iter().map(|(name, value)| (name, json!(value))).collect());
        let mut object = object(args, exit, &ending);
        object["steps"] = json!(run.length());
        object["variables"] = json!(variables);
        let (trace, property) = run.trace();
        object["trace"] = json!({ "length": trace.length(), "cycle_start": null });
        if let Some(document) = Document::new(model, &args.common.model.display().to_string(), &property, &trace) {
            add_steps(&mut object["trace"], &document, &args.exports());
        }
        print_json(&object)?;
    } else {
        writeln!(out, "\n{ending}")?;
        match variables {
            Ok(all) => {
                for (name, value) in all.iter().take(MOST_VARIABLES) {
                    writeln!(out, "  {name} = {value}")?;
                }
                if let Some(more) = all.len().checked_sub(MOST_VARIABLES).filter(|n| *n > 0) {
                    writeln!(out, "  … {} more; --json lists all", HumanCount(more as u64))?;
                }
            }
            Err(limit) => writeln!(out, "the variables are not shown: {limit}")?,
        }
        out.flush()?;
    }
    Ok(exit)
}

/// What JSON says of every run.
fn object(args: &SimulateArgs, exit: Exit, ending: &str) -> Value {
    json!({
        "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"),
        "model": args.common.model.display().to_string(), "seed": args.common.seed,
        "verdict": if exit == Exit::Violation { "violated" } else { "inconclusive" },
        "steps": 0, "ending": ending, "variables": {}, "trace": null,
    })
}

/// There is no run: the initial state shows a violation.
fn started_badly(args: &SimulateArgs, violation: &str) -> Result<Exit> {
    match args.common.json {
        true => print_json(&object(args, Exit::Violation, violation))?,
        false => Stream::report().print(&format!("{violation}\n"))?,
    }
    Ok(Exit::Violation)
}

/// Writes the run in formats.
fn save(model: &Model, args: &SimulateArgs, run: &dyn Simulation, exports: &[Export]) -> Result<()> {
    if exports.is_empty() {
        return Ok(());
    }
    let (trace, property) = run.trace();
    let name = args.common.model.display().to_string();
    match Document::new(model, &name, &property, &trace) {
        Some(document) => outcome::export(&document, exports, args.common.json),
        None => bail!("there is no run to write yet"),
    }
}

/// Shows a trace instead of a random run.
fn follow(args: &SimulateArgs, path: &Path, limits: &Supervisor) -> Result<Exit> {
    let (model, Replay { trace, property, .. }) = replay::open(&args.common, path, None, args.semantics.0, limits)?;
    let document = Document::new(&model, "", &property.name, &trace).expect("a trace of this model");
    let _scope = limits.finish();
    if args.common.json {
        let mut object = object(args, Exit::Clean, "");
        object["steps"] = json!(trace.length());
        object["trace"] = json!({ "length": trace.length(), "cycle_start": trace.cycle_start() });
        add_steps(&mut object["trace"], &document, &[]);
        print_json(&object)?;
    } else {
        let stream = Stream::report();
        stream.print(&report::steps(&document, &Page { width: stream.form().width, steps: None }))?;
    }
    Ok(Exit::Clean)
}
