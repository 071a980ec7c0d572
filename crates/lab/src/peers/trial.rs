//! Spin and NuSMV as engines of an experiment, with their default options.
//!
//! `pan` gets only what has no usable default: the state vector grows (`-DVECTORSZ`) until the model fits, and the depth
//! is that of the experiment. NuSMV checks one invariant; its time includes reading the model.

use std::time::{Duration, Instant};

use lurcher::Question;
use lurcher_resources::StopSignal;

use super::child::{Bounds, Ending};
use super::nusmv::NuSmv;
use super::spin::{NoResult, PanOutput, Shortage, SpinTools, Verifier};
use crate::error::ExperimentError;
use crate::instance::Instance;
use crate::record::Results;
use crate::spec::PeerLimits;

/// Time for `spin -a`.
const GENERATE_TIME: Duration = Duration::from_secs(120);
/// State vectors that are tried: Spin's default, then larger ones.
const VECTORS: [u32; 4] = [1024, 8192, 65_536, 524_288];

/// The name of NuSMV on the path.
const NUSMV: &str = "NuSMV";

/// The versions of Spin and GCC.
pub fn find_spin() -> Result<String, ExperimentError> {
    let missing = |why| ExperimentError::NoPeer(format!("the experiment compares with Spin, but {why}"));
    SpinTools::find(&[]).map(|tools| tools.version).map_err(missing)
}

/// Checks that NuSMV is on the path.
pub(crate) fn find_nusmv() -> Result<(), ExperimentError> {
    let words = "the experiment compares with NuSMV, but there is no `NuSMV`; `cargo xtask nusmv` builds it";
    NuSmv(NUSMV.into()).version().map(|_| ()).map_err(|_| ExperimentError::NoPeer(words.to_owned()))
}

fn failed(note: String) -> Results {
    Results { verdict: "error".to_owned(), note, ..Results::default() }
}

/// Runs Spin on a model; nothing when it was interrupted.
pub(crate) fn run_spin(
    instance: &Instance,
    asked: &Question,
    limits: &PeerLimits,
    interrupt: &StopSignal,
) -> Option<Results> {
    let mut results = failed(String::new());
    match search(instance, asked, limits, interrupt, &mut results) {
        Ok(()) => {}
        Err(NoResult::Interrupted) => return None,
        Err(why) => results.note = why.to_string(),
    }
    results.time_total = results.time_compile + results.time_search;
    Some(results)
}

fn search(
    instance: &Instance,
    asked: &Question,
    limits: &PeerLimits,
    interrupt: &StopSignal,
    results: &mut Results,
) -> Result<(), NoResult> {
    let arguments = pan_arguments(instance, asked).map_err(NoResult::Failed)?;
    let tools = SpinTools::find(&[]).map_err(NoResult::Failed)?;
    let defines = instance.given.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let model = std::fs::canonicalize(&instance.path)?;
    let mut verifier = Verifier::new(&tools, tempfile::tempdir()?, model, defines);
    let interrupt = Some(interrupt);
    verifier.bounds = Bounds { interrupt, ..Bounds::time(GENERATE_TIME) };
    let started = Instant::now();
    verifier.generate(true)?;
    for vector in VECTORS {
        let larger = (vector != VECTORS[0]).then(|| format!("-DVECTORSZ={vector}"));
        let flags: Vec<String> = std::iter::once("-O2".to_owned()).chain(larger).collect();
        verifier.compile(&tools.gcc, &flags, "pan")?;
        results.time_compile = started.elapsed().as_secs_f64();
        let bounds = Bounds { time: Some(limits.time), memory: Some(limits.memory), interrupt, processor: None };
        let (run, output) = verifier.pan("pan", &format!("-m{} {arguments}", limits.depth.unwrap_or(0)), bounds)?;
        results.time_search = run.usage.wall;
        if run.ending == Ending::Interrupted {
            return Err(NoResult::Interrupted);
        }
        if !output.lacks(Shortage::Vector) {
            judge(results, run.ending, &output, &run.stdout);
            return Ok(());
        }
    }
    Err(NoResult::Failed("the state vector is too large for Spin".to_owned()))
}

/// The arguments of `pan` for a property that the model states by name.
fn pan_arguments(instance: &Instance, asked: &Question) -> Result<String, String> {
    let model = instance.model.processes().ok_or("Spin does not read SMV")?;
    let Question::Named(name) = asked else {
        return Err("Spin is only asked about properties that the model states".to_owned());
    };
    let stated = &model.properties;
    let no_claim = if stated.is_empty() { "" } else { " -noclaim" };
    match name.as_str() {
        "safety" => Ok(no_claim.trim_start().to_owned()),
        "deadlock" => Ok(format!("-A{no_claim}")),
        "assertion" => Ok(format!("-E{no_claim}")),
        "acceptance" => Ok("-a".to_owned()),
        name if stated.iter().any(|p| p.name == name) => Ok(format!("-a -N {name}")),
        name => Err(format!("Spin is not asked about `{name}`")),
    }
}

fn judge(results: &mut Results, ending: Ending, output: &PanOutput, text: &str) {
    (results.states, results.memory, results.steps) = (output.stored, output.memory, output.transitions);
    let (verdict, stop) = match ending {
        _ if !output.errors.is_empty() => ("violated", "violation"),
        Ending::TimedOut => ("inconclusive", "time"),
        _ if output.lacks(Shortage::Memory) => ("inconclusive", "memory"),
        Ending::Exited(0) if output.lacks(Shortage::Depth) => ("inconclusive", "depth"),
        Ending::Exited(0) if output.stored.is_some() => ("holds", "complete"),
        _ => {
            let line = text.lines().find(|l| !l.trim().is_empty()).unwrap_or("pan printed nothing");
            results.note = format!("pan: {}", line.trim());
            ("error", "")
        }
    };
    (results.verdict, results.stop) = (verdict.to_owned(), stop.to_owned());
    if let Some((message, depth)) = output.errors.first() {
        results.kind.clone_from(message);
        (results.found_length, results.length) = (*depth, *depth);
    }
}

/// Runs NuSMV on a model; nothing when it was interrupted.
pub(crate) fn run_nusmv(
    instance: &Instance,
    asked: &Question,
    limits: &PeerLimits,
    interrupt: &StopSignal,
) -> Option<Results> {
    let check = match asked {
        Question::Named(name) if name == "deadlock" => "check_fsm".to_owned(),
        Question::Named(name) => format!("check_invar -P {name}"),
        Question::Invariant(_, text) => format!("check_invar -p \"{text}\""),
        Question::Ltl(..) | Question::Ctl(..) => {
            return Some(failed("NuSMV is only asked about invariants".to_owned()));
        }
    };
    let commands = ["set on_failure_script_quits".to_owned(), "go".to_owned(), check, "quit".to_owned()];
    let interrupt = Some(interrupt);
    let bounds = Bounds { time: Some(limits.time), memory: Some(limits.memory), interrupt, processor: None };
    match NuSmv(NUSMV.into()).run(&[], &commands, &instance.path, bounds) {
        Err(error) => Some(failed(error.to_string())),
        Ok(run) if run.ending == Ending::Interrupted => None,
        Ok(run) => {
            let time = run.usage.wall;
            Some(Results { time_search: time, time_total: time, ..judge_nusmv(run.ending, &run.stdout) })
        }
    }
}

fn judge_nusmv(ending: Ending, text: &str) -> Results {
    // A trace lists its states, one more than its steps.
    let states = text.lines().filter(|l| l.trim_start().starts_with("-> State:")).count() as u64;
    let length = states.checked_sub(1);
    let (verdict, stop, length) = match ending {
        _ if text.contains("is false") || text.contains("not total") => ("violated", "violation", length),
        _ if text.contains("is true") || text.contains("is total") => ("holds", "complete", None),
        Ending::TimedOut => ("inconclusive", "time", None),
        // NuSMV ends with a signal or a status of its own when memory runs out.
        _ => ("inconclusive", "memory", None),
    };
    let note = if stop == "memory" { text.lines().last().unwrap_or("").trim().to_owned() } else { String::new() };
    let (verdict, stop) = (verdict.to_owned(), stop.to_owned());
    Results { verdict, stop, found_length: length, length, note, ..Results::default() }
}
