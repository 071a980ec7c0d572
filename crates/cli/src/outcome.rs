//! What `verify` and `hunt` do with their reports.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use lurcher::Model;
use lurcher::engines::{Report, StopReason, Trace};
use lurcher_trace::{Describer, Trail, states_to_json, to_json, write_trail};

use crate::args::CheckArgs;
use crate::{follow, input, json, report};

/// What all reports of a run share.
pub struct Run<'a> {
    /// The arguments.
    pub args: &'a CheckArgs,
    /// Time to read the model.
    pub load: Duration,
    /// When the run started.
    pub started: Instant,
}

/// Refuses, before a search that may take hours, files that could not be written and options of the other language.
pub fn check_files(args: &CheckArgs, model: &Model) -> Result<()> {
    let CheckArgs { property, traces, .. } = args;
    if model.relation().is_some() && traces.trail.is_some() {
        bail!("Spin's trails are for Promela models; --trace FILE writes a trace of any model");
    }
    if model.relation().is_some() && property.no_claims {
        bail!("--no-claims is for Promela models");
    }
    traces.trail.iter().chain(&traces.trace).try_for_each(|path| input::check_place(path))
}

/// Orders the reports, writes the trace files that were asked for, and prints.
pub fn finish(run: &Run<'_>, model: &Model, reports: &mut [Report]) -> Result<()> {
    // Violations first: the first report speaks for the run.
    reports.sort_by_key(|r| (r.verdict, r.stop == StopReason::Unsuited));
    // Whatever becomes of the files, the verdict is told.
    let written = write_traces(run, model, reports);
    let text = match run.args.common.json {
        true => serde_json::to_string_pretty(&json::reports(run, model, reports))? + "\n",
        false => report::reports(&run.args.common, model, reports),
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that has seen enough changes no verdict, nor the exit status that tells it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        other => other?,
    }
    written
}

fn write_traces(run: &Run<'_>, model: &Model, reports: &[Report]) -> Result<()> {
    let Some((report, first)) = reports.iter().find_map(|r| r.counterexamples.first().map(|c| (r, c))) else {
        return Ok(());
    };
    let (common, traces) = (&run.args.common, &run.args.traces);
    let name = common.model.display().to_string();
    match &first.trace {
        Trace::Processes(trace) => {
            let processes = model.processes().expect("a trace of a process model");
            let interpreter = follow::interpreter(common, processes, report.with_claim);
            if let Some(path) = &traces.trail {
                let trail = Trail::of_path(&interpreter, &trace.replayed.moves());
                input::write_text(path, &write_trail(&trail))?;
            }
            if let Some(path) = &traces.trace {
                let describer = Describer { interpreter: &interpreter, sources: model.sources() };
                input::write_text(path, &to_json(&describer, &name, &report.name, &trace.replayed))?;
            }
        }
        Trace::States(Some((states, _))) => {
            let relation = model.relation().expect("a trace of a relation");
            if let Some(path) = &traces.trace {
                input::write_text(path, &states_to_json(relation, &name, &report.name, states))?;
            }
        }
        Trace::States(None) | Trace::Own(_) => {}
    }
    Ok(())
}
