//! What `verify` and `hunt` do with their reports.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use lurcher_engines::{JobError, LoadedModel, Report, Trace, Verdict};
use lurcher_trace::{Describer, Trail, states_to_json, to_json, write_trail};

use crate::args::{CommonArgs, TraceArgs};
use crate::{follow, input, json, report};

/// What all reports of a run share.
pub struct Run<'a> {
    /// The arguments.
    pub common: &'a CommonArgs,
    /// Where traces go.
    pub traces: &'a TraceArgs,
    /// Time to read the model.
    pub load: Duration,
    /// When the run started.
    pub started: Instant,
}

/// Passes a result on; says so, and gives nothing, when it shows a bug in lurcher.
pub fn or_bug<T>(result: Result<T, JobError>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error @ JobError::Unconfirmed(_)) => {
            eprintln!("bug in lurcher: {error}");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Refuses files for traces that could not be written, before a search that may take hours.
pub fn check_files(traces: &TraceArgs, loaded: &LoadedModel) -> Result<()> {
    if traces.trail.is_some() && matches!(loaded, LoadedModel::Relation(_)) {
        bail!("Spin's trails are for Promela models; --trace FILE writes a trace of any model");
    }
    traces.trail.iter().chain(&traces.trace).try_for_each(|path| input::check_place(path))
}

/// Orders the reports, writes the trace files that were asked for, and prints.
pub fn finish(run: &Run<'_>, loaded: &LoadedModel, reports: &mut [Report]) -> Result<()> {
    // Violations first: the first report speaks for the run.
    reports.sort_by_key(|r| match r.verdict {
        Verdict::Violated => 0,
        Verdict::Inconclusive => 1,
        Verdict::Holds => 2,
    });
    // Whatever becomes of the files, the verdict is told.
    let written = write_traces(run, loaded, reports);
    let text = match run.common.json {
        true => serde_json::to_string_pretty(&json::reports(run, loaded, reports))? + "\n",
        false => report::reports(run.common, loaded, reports),
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that has seen enough changes no verdict, nor the exit status that tells it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        other => other?,
    }
    written
}

fn write_traces(run: &Run<'_>, loaded: &LoadedModel, reports: &[Report]) -> Result<()> {
    let Some((report, first)) = reports.iter().find_map(|r| r.counterexamples.first().map(|c| (r, c))) else {
        return Ok(());
    };
    let model = run.common.model.display().to_string();
    match (loaded, &first.trace) {
        (LoadedModel::Processes(loaded), Trace::Processes(trace)) => {
            let interpreter = follow::interpreter(run.common, loaded, report.with_claim);
            if let Some(path) = &run.traces.trail {
                let trail = Trail::of_path(&interpreter, &trace.replayed.moves());
                input::write_text(path, &write_trail(&trail))?;
            }
            if let Some(path) = &run.traces.trace {
                let describer = Describer { interpreter: &interpreter, sources: &loaded.sources };
                input::write_text(path, &to_json(&describer, &model, &report.name, &trace.replayed))?;
            }
        }
        (LoadedModel::Relation(loaded), Trace::States(Some((states, _)))) => {
            if let Some(path) = &run.traces.trace {
                input::write_text(path, &states_to_json(&loaded.relation, &model, &report.name, states))?;
            }
        }
        _ => {}
    }
    Ok(())
}
