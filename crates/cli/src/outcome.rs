//! What `verify` and `hunt` do with their reports.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use lurcher::engines::{Goal, Report, Semantics};
use lurcher::formats::{self, Document, Page};
use lurcher::{Model, Outcome};
use lurcher_resources::ResourceLimits;

use crate::args::{CheckArgs, Export, PropertyArgs};
use crate::terminal::{self, Stream};
use crate::{Exit, input, json, report};

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
    if model.processes().is_none() && has_trail {
        bail!("Spin's trails are for Promela models; --trace FILE writes a trace of any model");
    }
    check_language(property, model)?;
    check_exports(&traces.exports(), args.common.json)
}

/// Refuses options of the other language.
pub fn check_language(property: &PropertyArgs, model: &Model) -> Result<()> {
    if property.no_claims && model.processes().is_none() {
        bail!("--no-claims is for Promela models");
    }
    check_semantics(property.semantics.0, model)
}

/// Refuses semantics of the other language.
pub fn check_semantics(semantics: Semantics, model: &Model) -> Result<()> {
    match semantics.chosen().next() {
        Some(setting) if model.processes().is_none() => bail!("--{} is for Promela models", setting.name),
        _ => Ok(()),
    }
}

/// Refuses places where traces could not be written. A trace on standard output leaves the report to standard error; in one
/// JSON document there is room for a trace in JSON only.
pub fn check_exports(exports: &[Export], json: bool) -> Result<()> {
    let mut on_stdout = exports.iter().filter(|(_, path)| is_stdout(path));
    if on_stdout.clone().count() > 1 {
        bail!("only one trace can be written to standard output");
    }
    match on_stdout.next() {
        Some((format, _)) if json && *format != "json" => {
            bail!("with --json, standard output has one JSON document: --export {format}=FILE needs the name of a file")
        }
        Some(_) if !json => terminal::report_to_stderr(),
        _ => {}
    }
    exports.iter().filter(|(_, path)| !is_stdout(path)).try_for_each(|(_, path)| input::check_place(path))
}

/// Whether a path means standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Orders the reports, writes the trace files that were asked for, and prints.
pub fn finish(run: &Run<'_>, model: &Model, outcome: &mut Outcome) -> Result<()> {
    // Violations first: the first report speaks for the run.
    outcome.reports.sort_by_key(|r| r.verdict);
    // Whatever becomes of the files, the verdict is told.
    let written = write_traces(run, model, &outcome.reports);
    let printed = match run.args.common.json {
        true => terminal::print_json(&json::reports(run, model, outcome, written.is_ok())),
        false => Stream::report().print(&report::reports(run, model, outcome)).map_err(Into::into),
    };
    match printed {
        // A reader that has seen enough changes no verdict, nor the exit status that tells it.
        Err(error) if is_broken_pipe(&error) => {}
        other => other?,
    }
    written
}

/// The status of a run whose verdict was told. A file that could not be written does not hide a violation.
pub fn status(told: Result<()>, exit: Exit) -> Result<Exit> {
    match told {
        Err(error) if exit == Exit::Violation => {
            terminal::message(&format!("error: {error:#}\n"));
            Ok(exit)
        }
        told => told.map(|()| exit),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
}

fn write_traces(run: &Run<'_>, model: &Model, reports: &[Report]) -> Result<()> {
    let name = run.args.common.model.display().to_string();
    let document = reports.iter().find_map(|report| Document::of(model, &name, report));
    document.map_or(Ok(()), |document| export(&document, &run.args.traces.exports(), run.args.common.json))
}

/// Writes a trace in formats. In JSON, what is for standard output is a part of the one document there.
pub fn export(document: &Document<'_>, exports: &[Export], json: bool) -> Result<()> {
    for (format, path) in exports.iter().filter(|(_, path)| !(json && is_stdout(path))) {
        let format = formats::format(format).expect("the arguments name formats");
        let width = Stream::Out.form().width.filter(|_| is_stdout(path) && format.name() == "text");
        let render = || match width {
            Some(_) => Ok(document.text(&Page { width, steps: None })),
            None => format.render(document),
        };
        let text = ResourceLimits::current().bound(render);
        let text = text.unwrap_or_else(|limit| Err(limit.to_string()));
        let text = text.map_err(|why| anyhow!("{}: {why}", path.display()))?;
        match is_stdout(path) {
            true => match std::io::stdout().lock().write_all(text.as_bytes()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                other => other?,
            },
            false => input::write_text(path, &text)?,
        }
    }
    Ok(())
}
