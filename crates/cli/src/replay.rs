//! `replay`: executing a trace again.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use lurcher::engines::Semantics;
use lurcher::formats::{Document, Page};
use lurcher::replay::{Replay, Shortened, TraceFile};
use lurcher::{Model, Question};
use serde_json::json;

use crate::Exit;
use crate::args::{CommonArgs, ReplayArgs, STDIN};
use crate::json::add_steps;
use crate::limits::Supervisor;
use crate::terminal::{Stream, print_json, warn};
use crate::words::count;
use crate::{input, outcome, report};

/// `lurcher replay`.
pub fn replay(args: &ReplayArgs, limits: &Supervisor) -> Result<Exit> {
    outcome::check_exports(&args.exports(), args.common.json)?;
    let (model, mut replay) = open(&args.common, &args.trace, args.question().as_ref(), args.semantics.0, limits)?;
    if model.processes().is_none() && args.exports().iter().any(|(format, _)| *format == "spin-trail") {
        bail!("Spin's trails are for Promela models; --to-json FILE writes a trace of any model");
    }
    if let Some(expansions) = args.shorten {
        replay = model.shorten(replay, expansions, &limits.resources)?;
        if replay.shortened.is_none() {
            warn("the trace shows no violation, so --shorten leaves it as it is");
        }
    }
    let name = args.common.model.display().to_string();
    let Replay { trace, property, kind, violated, summary, .. } = &replay;
    let document = Document::new(&model, &name, &property.name, trace).expect("a trace of this model");
    let _scope = limits.finish();
    outcome::export(&document, &args.exports(), args.common.json)?;
    if args.common.json {
        let mut object = json!({
            "tool": "lurcher",
            "version": env!("CARGO_PKG_VERSION"),
            "model": name,
            "verdict": if *violated { "violated" } else { "inconclusive" },
            "replayed": true,
            "property": { "kind": kind, "name": property.name },
            "trace": { "length": trace.length(), "cycle_start": trace.cycle_start() },
            "warnings": replay.warnings,
        });
        if let Some(Shortened { found_length, optimal, expansions, .. }) = replay.shortened {
            let trace = &mut object["trace"];
            (trace["found_length"], trace["optimal"]) = (found_length.into(), optimal.into());
            trace["expansions"] = expansions.into();
        }
        add_steps(&mut object["trace"], &document, &args.exports());
        print_json(&object)?;
    } else {
        let mut out = Stream::report().writer();
        write!(out, "{}", report::steps(&document, &Page { width: out.width(), steps: None }))?;
        writeln!(out, "{summary}")?;
        if let Some(shortened) = replay.shortened {
            writeln!(out, "{}", said_of(shortened, trace.length()))?;
        }
        out.flush()?;
    }
    Ok(if *violated { Exit::Violation } else { Exit::Clean })
}

/// What was done to make a trace shorter, as a sentence.
fn said_of(Shortened { found_length, optimal, expansions, cut }: Shortened, length: u32) -> String {
    let change = match length < found_length {
        true => format!("shortened from {found_length} to {length} steps"),
        false => format!("no shorter trace than {length} steps was found"),
    };
    let (best, early) =
        (if optimal { ", the shortest possible" } else { "" }, if cut { ", stopped early by a limit" } else { "" });
    format!("{change}{best}; {} expanded{early}", count(expansions, "state"))
}

/// Reads a trace and the model that it was made with, and executes it. Definitions are those of the trace unless others are given.
pub fn open(
    common: &CommonArgs,
    trace: &Path,
    property: Option<&Question>,
    semantics: Semantics,
    limits: &Supervisor,
) -> Result<(Model, Replay)> {
    if trace.as_os_str() == "-" && common.model.as_os_str() == STDIN {
        bail!("only one of the model and the trace can come from standard input");
    }
    let text = input::read_text(trace)?;
    let file = TraceFile::new(text).map_err(|e| anyhow!("{} is no trace: {e}", trace.display()))?;
    let recorded = file.header.as_ref().filter(|_| common.defines.is_empty()).map(|h| h.defines.as_slice());
    let mut model = input::read_model_with(common, recorded.unwrap_or(&common.defines), &limits.resources)?;
    let replay = model.replay(&file, property, semantics);
    let replay = replay.map_err(|why| anyhow!("{} does not replay: {why}", trace.display()))?;
    for warning in &replay.warnings {
        warn(warning);
    }
    Ok((model, replay))
}
