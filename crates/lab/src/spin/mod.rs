//! Spin as one more way to run a trial: `spin -a`, `gcc -O2`, `./pan`, with Spin's default options.
//!
//! Each trial has a folder of its own. Only what cannot be left at its default is given: the state vector grows
//! (`-DVECTORSZ`) until the model fits, and the depth is the experiment's. Time and memory of `pan` are limited from
//! outside.

pub(crate) mod child;
mod output;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lurcher::Question as Asked;

use crate::error::ExperimentError;
use crate::instance::Instance;
use crate::record::Results;
use crate::spec::SpinLimits;

use child::{Ending, run_child};
use output::PanOutput;

/// Time for `spin -a` and for the compiler.
const COMPILE_TIME: Duration = Duration::from_secs(120);
/// The state vector: Spin's default, and the largest that is tried.
const VECTORS: [u32; 4] = [1024, 8192, 65_536, 524_288];

/// Makes sure that Spin and a compiler are there.
///
/// # Errors
/// With what is missing.
pub fn find_spin() -> Result<String, ExperimentError> {
    let version = |program: &str, flag: &str| {
        let output = Command::new(program).arg(flag).output();
        let missing =
            |_| ExperimentError::NoSpin(format!("the experiment compares with Spin, but there is no `{program}`"));
        let output = output.map_err(missing)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.lines().next().unwrap_or("").trim().to_owned())
    };
    Ok(format!("{}; {}", version("spin", "-V")?, version("gcc", "--version")?))
}

/// Runs Spin on a model; nothing when it was interrupted.
pub(crate) fn run(
    instance: &Instance,
    asked: &Asked,
    limits: &SpinLimits,
    interrupt: &Arc<AtomicBool>,
) -> Option<Results> {
    let mut results = Results { verdict: "error".to_owned(), ..Results::default() };
    match pan(instance, asked, limits, interrupt, &mut results) {
        Ok(()) => {}
        Err(Problem::Interrupted) => return None,
        Err(Problem::Note(note)) => results.note = note,
    }
    results.time_total = results.time_compile + results.time_search;
    Some(results)
}

enum Problem {
    Interrupted,
    Note(String),
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Problem {
        Problem::Note(error.to_string())
    }
}

fn pan(
    instance: &Instance,
    asked: &Asked,
    limits: &SpinLimits,
    interrupt: &Arc<AtomicBool>,
    results: &mut Results,
) -> Result<(), Problem> {
    let arguments = arguments(instance, asked)?;
    let folder = tempfile::tempdir()?;
    let started = Instant::now();
    let model = std::fs::canonicalize(&instance.path)?;
    let mut spin = Command::new("spin");
    spin.arg("-a").args(instance.given.iter().map(|(name, value)| format!("-D{name}={value}"))).arg(&model);
    step(&mut spin, folder.path(), "spin", interrupt)?;
    for vector in VECTORS {
        compile(folder.path(), vector, interrupt)?;
        results.time_compile = started.elapsed().as_secs_f64();
        let searched = Instant::now();
        let mut pan = limited(folder.path().join("pan"), limits.memory);
        pan.arg(format!("-m{}", limits.depth)).args(&arguments);
        let (ending, text) = run_child(&mut pan, folder.path(), limits.time, interrupt)?;
        results.time_search = searched.elapsed().as_secs_f64();
        let output = PanOutput::read(&text);
        if ending == Ending::Interrupted {
            return Err(Problem::Interrupted);
        }
        if !output.vector_too_small {
            judge(results, ending, &output, &text);
            return Ok(());
        }
    }
    Err(Problem::Note("the state vector is too large for Spin".to_owned()))
}

/// What `pan` is asked; Spin knows the properties that the model states, by name.
fn arguments(instance: &Instance, asked: &Asked) -> Result<Vec<String>, Problem> {
    let Some(model) = instance.model.processes() else {
        return Err(Problem::Note("Spin does not read SMV".to_owned()));
    };
    let Asked::Named(name) = asked else {
        return Err(Problem::Note("Spin is only asked about properties that the model states".to_owned()));
    };
    let stated = &model.properties;
    Ok(match name.as_str() {
        "safety" | "deadlock" | "assertion" if stated.is_empty() => Vec::new(),
        "safety" | "deadlock" | "assertion" => vec!["-noclaim".to_owned()],
        "acceptance" => vec!["-a".to_owned()],
        name if stated.iter().any(|p| p.name == name) => vec!["-a".to_owned(), "-N".to_owned(), name.to_owned()],
        name => return Err(Problem::Note(format!("Spin is not asked about `{name}`"))),
    })
}

fn compile(folder: &Path, vector: u32, interrupt: &Arc<AtomicBool>) -> Result<(), Problem> {
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O2", "-o", "pan"]);
    if vector != VECTORS[0] {
        gcc.arg(format!("-DVECTORSZ={vector}"));
    }
    step(gcc.arg("pan.c"), folder, "gcc", interrupt)
}

fn step(command: &mut Command, folder: &Path, name: &str, interrupt: &Arc<AtomicBool>) -> Result<(), Problem> {
    match run_child(command, folder, COMPILE_TIME, interrupt)? {
        (Ending::Exited(0), _) => Ok(()),
        (Ending::Interrupted, _) => Err(Problem::Interrupted),
        (_, text) => {
            let line = text.lines().find(|l| !l.trim().is_empty()).unwrap_or("it failed without a word");
            Err(Problem::Note(format!("{name}: {}", line.trim())))
        }
    }
}

/// A command with limited memory.
pub(crate) fn limited(program: PathBuf, memory: u64) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v \"$1\" && shift && exec \"$@\"", "sh"])
        .arg((memory / 1024).to_string())
        .arg(program);
    command
}

fn judge(results: &mut Results, ending: Ending, output: &PanOutput, text: &str) {
    (results.states, results.memory, results.steps) = (output.stored, output.memory, output.transitions);
    let (verdict, stop) = match (&output.error, ending) {
        (Some(_), _) => ("violated", "violation"),
        (None, Ending::TimedOut) => ("inconclusive", "time"),
        (None, _) if output.out_of_memory => ("inconclusive", "memory"),
        (None, Ending::Exited(0)) if output.depth_too_small => ("inconclusive", "depth"),
        (None, Ending::Exited(0)) if output.stored.is_some() => ("holds", "complete"),
        (None, _) => {
            let line = text.lines().find(|l| !l.trim().is_empty()).unwrap_or("pan printed nothing");
            results.note = format!("pan: {}", line.trim());
            ("error", "")
        }
    };
    (results.verdict, results.stop) = (verdict.to_owned(), stop.to_owned());
    if let Some((message, depth)) = &output.error {
        results.kind.clone_from(message);
        (results.found_length, results.length) = (Some(*depth), Some(*depth));
    }
}
