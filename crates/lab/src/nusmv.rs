//! NuSMV as one more way to run a trial: one invariant, checked on the fly, with NuSMV's default options.
//!
//! The time is that of the whole program, reading the model included: NuSMV does not tell them apart.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lurcher::Question as Asked;

use crate::error::ExperimentError;
use crate::instance::Instance;
use crate::record::Results;
use crate::spec::PeerLimits;
use crate::spin::child::{Ending, run_child};
use crate::spin::limited;

/// The program.
const NUSMV: &str = "NuSMV";

/// Makes sure that NuSMV is there.
///
/// # Errors
/// When it is not.
pub(crate) fn find_nusmv() -> Result<(), ExperimentError> {
    let missing = |_| {
        let why =
            format!("the experiment compares with NuSMV, but there is no `{NUSMV}`; `cargo xtask nusmv` builds it");
        ExperimentError::NoNusmv(why)
    };
    Command::new(NUSMV).arg("-h").output().map(|_| ()).map_err(missing)
}

/// Runs NuSMV on a model; nothing when it was interrupted.
pub(crate) fn run(
    instance: &Instance,
    asked: &Asked,
    limits: &PeerLimits,
    interrupt: &Arc<AtomicBool>,
) -> Option<Results> {
    let failed = |note: String| Results { verdict: "error".to_owned(), note, ..Results::default() };
    let command = match asked {
        Asked::Named(name) if name == "deadlock" => "check_fsm".to_owned(),
        Asked::Named(name) => format!("check_invar -P {name}"),
        Asked::Invariant(text) => format!("check_invar -p \"{text}\""),
        Asked::Ltl(..) | Asked::Ctl(..) => return Some(failed("NuSMV is only asked about invariants".to_owned())),
    };
    let started = Instant::now();
    match checked(instance, &command, limits, interrupt) {
        Err(error) => Some(failed(error.to_string())),
        Ok((Ending::Interrupted, _)) => None,
        Ok((ending, text)) => {
            let time = started.elapsed().as_secs_f64();
            Some(Results { time_search: time, time_total: time, ..judge(ending, &text) })
        }
    }
}

fn checked(
    instance: &Instance,
    command: &str,
    limits: &PeerLimits,
    interrupt: &AtomicBool,
) -> std::io::Result<(Ending, String)> {
    let folder = tempfile::tempdir()?;
    let model = std::fs::canonicalize(&instance.path)?;
    std::fs::write(folder.path().join("commands"), format!("set on_failure_script_quits\ngo\n{command}\nquit\n"))?;
    let mut program = limited(NUSMV.into(), limits.memory);
    program.args(["-source", "commands"]).arg(model);
    run_child(&mut program, folder.path(), limits.time, interrupt)
}

fn judge(ending: Ending, text: &str) -> Results {
    // A trace lists its states; a run of one state has no step.
    let states = text.lines().filter(|l| l.trim_start().starts_with("-> State:")).count() as u64;
    let length = states.checked_sub(1);
    let (verdict, stop, length) = match ending {
        _ if text.contains("is false") || text.contains("not total") => ("violated", "violation", length),
        _ if text.contains("is true") || text.contains("is total") => ("holds", "complete", None),
        Ending::TimedOut => ("inconclusive", "time", None),
        // Out of memory ends in a signal or an exit status of its own, depending on who notices first.
        _ => ("inconclusive", "memory", None),
    };
    let note = if stop == "memory" { text.lines().last().unwrap_or("").trim().to_owned() } else { String::new() };
    Results {
        verdict: verdict.to_owned(),
        stop: stop.to_owned(),
        found_length: length,
        length,
        note,
        ..Results::default()
    }
}
