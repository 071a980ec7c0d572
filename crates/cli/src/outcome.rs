//! What `verify` and `hunt` do with their reports.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use lurcher::Model;
use lurcher::engines::{Goal, Report};
use lurcher::formats::{self, Document};

use crate::args::{CheckArgs, Export};
use crate::{input, json, report};

/// What all reports of a run share.
pub struct Run<'a> {
    /// The arguments.
    pub args: &'a CheckArgs,
    /// What it is for.
    pub goal: Goal,
    /// Time to read the model.
    pub load: Duration,
    /// When the run started.
    pub started: Instant,
}

/// Refuses, before a search that may take hours, files that could not be written and options of the other language.
pub fn check_files(args: &CheckArgs, model: &Model) -> Result<()> {
    let CheckArgs { property, traces, .. } = args;
    let has_trail = traces.exports().iter().any(|(format, _)| *format == "spin-trail");
    if model.relation().is_some() && has_trail {
        bail!("Spin's trails are for Promela models; --trace FILE writes a trace of any model");
    }
    if model.relation().is_some() && property.no_claims {
        bail!("--no-claims is for Promela models");
    }
    traces.exports().iter().try_for_each(|(_, path)| input::check_place(path))
}

/// Orders the reports, writes the trace files that were asked for, and prints.
pub fn finish(run: &Run<'_>, model: &Model, reports: &mut [Report]) -> Result<()> {
    // Violations first: the first report speaks for the run.
    reports.sort_by_key(|r| r.verdict);
    // Whatever becomes of the files, the verdict is told.
    let written = write_traces(run, model, reports);
    let text = match run.args.common.json {
        true => serde_json::to_string_pretty(&json::reports(run, model, reports))? + "\n",
        false => report::reports(run, model, reports),
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that has seen enough changes no verdict, nor the exit status that tells it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        other => other?,
    }
    written
}

fn write_traces(run: &Run<'_>, model: &Model, reports: &[Report]) -> Result<()> {
    let name = run.args.common.model.display().to_string();
    let document = reports.iter().find_map(|report| Document::of(model, &name, report));
    document.map_or(Ok(()), |document| export(&document, &run.args.traces.exports()))
}

/// Writes a trace in formats.
pub fn export(document: &Document<'_>, exports: &[Export]) -> Result<()> {
    for (format, path) in exports {
        let format = formats::format(format).expect("the arguments name formats");
        let text = format.render(document).map_err(|why| anyhow!("{}: {why}", path.display()))?;
        input::write_text(path, &text)?;
    }
    Ok(())
}
