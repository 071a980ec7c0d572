//! `simulate`: one run.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use lurcher::Model;
use lurcher::formats::Document;
use lurcher::replay::Replay;
use lurcher::simulation::{End, Simulation, SimulationOptions};
use serde_json::json;

use crate::Exit;
use crate::args::{Export, SimulateArgs};
use crate::words::count;
use crate::{input, menu, outcome, replay};

/// `lurcher simulate`.
pub fn simulate(args: &SimulateArgs) -> Result<Exit> {
    args.exports().iter().try_for_each(|(_, path)| input::check_place(path))?;
    if let Some(path) = &args.follow {
        return follow(args, path);
    }
    let model = input::read_model(&args.common)?;
    let options = SimulationOptions { seed: args.common.seed, message_loss: args.common.message_loss };
    let mut run = match model.simulate(&options) {
        Ok(run) => run,
        Err(violation) => {
            writeln!(std::io::stdout(), "{violation}")?;
            return Ok(Exit::Violation);
        }
    };
    let exit = match args.interactive {
        true => menu::interact(&mut *run, &|run, path| save(&model, args, run, &[("json", path.to_owned())]))?,
        false => wander(args, &mut *run)?,
    };
    save(&model, args, &*run, &args.exports())?;
    Ok(exit)
}

/// A random run.
fn wander(args: &SimulateArgs, run: &mut dyn Simulation) -> Result<Exit> {
    let mut out = std::io::stdout().lock();
    let mut exit = Exit::Clean;
    let ending = loop {
        if run.length() >= args.steps {
            break format!("stopped after {} (--steps sets the limit)", count(u64::from(run.length()), "step"));
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
    if args.common.json {
        let variables: serde_json::Map<String, serde_json::Value> =
            run.variables().into_iter().map(|(name, value)| (name, json!(value))).collect();
        let object = json!({
            "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"),
            "model": args.common.model.display().to_string(), "seed": args.common.seed,
            "verdict": if exit == Exit::Violation { "violated" } else { "inconclusive" },
            "steps": run.length(), "ending": ending, "variables": variables,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
    } else {
        writeln!(out, "\n{ending}")?;
        for (name, value) in run.variables() {
            writeln!(out, "  {name} = {value}")?;
        }
    }
    Ok(exit)
}

/// Writes the run in formats.
fn save(model: &Model, args: &SimulateArgs, run: &dyn Simulation, exports: &[Export]) -> Result<()> {
    if exports.is_empty() {
        return Ok(());
    }
    let (trace, property) = run.trace();
    let name = args.common.model.display().to_string();
    match Document::new(model, &name, &property, &trace) {
        Some(document) => outcome::export(&document, exports),
        None => bail!("there is no run to write yet"),
    }
}

/// Shows a trace instead of a random run.
fn follow(args: &SimulateArgs, path: &Path) -> Result<Exit> {
    let (model, Replay { trace, property, .. }) = replay::open(&args.common, path, None)?;
    let document = Document::new(&model, "", &property.name, &trace).expect("a trace of this model");
    write!(std::io::stdout().lock(), "{}", document.text())?;
    Ok(Exit::Clean)
}
