//! Spin's verifier, built on the workbench on demand and run until it completes.
//!
//! A `pan` that was cut short (search depth, state vector, fairness counters) is no result: it is built and run again
//! with more until it completes or the limits of the workbench are reached.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::bench::{Bench, Compiler, NoResult};
use super::child::{self, Ending};
use super::kind::{Kind, Kinds};
use super::pan_output::{PanOutput, Shortage};

/// How `pan` is generated and compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Build {
    /// Spin's statement merging and dataflow reductions are on (its default), not off (`-o1 -o2 -o3`).
    pub merged: bool,
    /// Names for `-D`.
    pub macros: &'static [&'static str],
}

/// The reference: end states and assertions, no reduction of any sort.
pub const SAFETY: Build = Build { merged: false, macros: &["SAFETY", "NOREDUCE", "NOCLAIM"] };
/// What a user gets: merged statements and partial-order reduction.
pub const SAFETY_MERGED: Build = Build { merged: true, macros: &["SAFETY", "NOCLAIM"] };
/// Breadth first.
pub const SAFETY_BFS: Build = Build { merged: false, macros: &["BFS", "NOREDUCE", "NOCLAIM"] };
/// Claims, as safety or with `-a`.
pub const CLAIMS: Build = Build { merged: false, macros: &["NOREDUCE"] };
/// Claims, with merged statements and partial-order reduction.
pub const CLAIMS_MERGED: Build = Build { merged: true, macros: &[] };
/// Claims, with the options of a process, the processes, or both tried the other way round.
pub const CLAIMS_REVERSED: [Build; 3] = [
    Build { merged: false, macros: &["NOREDUCE", "T_REVERSE"] },
    Build { merged: false, macros: &["NOREDUCE", "REVERSE"] },
    Build { merged: false, macros: &["NOREDUCE", "T_REVERSE", "REVERSE"] },
];
/// Non-progress cycles.
pub const PROGRESS: Build = Build { merged: false, macros: &["NP", "NOREDUCE"] };
/// Non-progress cycles, with merged statements and partial-order reduction.
pub const PROGRESS_MERGED: Build = Build { merged: true, macros: &["NP"] };

/// Non-progress cycles, the other way round.
pub const PROGRESS_REVERSED: [Build; 3] = [
    Build { merged: false, macros: &["NP", "NOREDUCE", "T_REVERSE"] },
    Build { merged: false, macros: &["NP", "NOREDUCE", "REVERSE"] },
    Build { merged: false, macros: &["NP", "NOREDUCE", "T_REVERSE", "REVERSE"] },
];

/// A verifier that was built.
#[derive(Clone)]
pub struct Built {
    binary: PathBuf,
    vector: u64,
    fairness: u64,
}

const COMPILE_TIME: Duration = Duration::from_secs(120);
const SMALLEST_VECTOR: u64 = 2048;
const SMALLEST_FAIRNESS: u64 = 3;
const SMALLEST_DEPTH: u64 = 20_000;

impl Bench<'_> {
    fn compile(&mut self, build: Build, vector: u64, fairness: u64) -> Result<Built, NoResult> {
        if let Some(built) = self.built.get(&build)
            && built.vector >= vector
            && built.fairness >= fairness
        {
            return Ok(built.clone());
        }
        self.generate(build.merged)?;
        let name = format!("pan_{}_{}", if build.merged { "merged" } else { "plain" }, build.macros.join("_"));
        let mut compiler = match (self.compiler, &self.tools.tcc) {
            (Compiler::Fast, Some(tcc)) => Command::new(tcc),
            _ => Command::new(&self.tools.gcc),
        };
        // The C is compiled once and runs for milliseconds, so it is not optimised.
        compiler.args(["-O0", "-w"]).args(build.macros.iter().map(|name| format!("-D{name}")));
        compiler.arg(format!("-DVECTORSZ={vector}")).arg(format!("-DMEMLIM={}", self.limits.memory));
        if !build.macros.contains(&"SAFETY") && !build.macros.contains(&"BFS") {
            compiler.arg(format!("-DNFAIR={fairness}"));
        }
        compiler.args(["-o", &name, "pan.c"]);
        let run = child::run(&mut compiler, self.folder(), COMPILE_TIME)?;
        if run.ending != Ending::Exited(0) {
            let words = run.output.lines().find(|line| line.contains("error")).unwrap_or("").to_owned();
            return Err(NoResult::NotCompiled(words));
        }
        let built = Built { binary: self.folder().join(name), vector, fairness };
        self.built.insert(build, built.clone());
        Ok(built)
    }

    /// Runs `pan` until it completes: the result is never a truncated search.
    pub fn pan<S: AsRef<OsStr>>(&mut self, build: Build, arguments: &[S]) -> Result<PanRun, NoResult> {
        let (mut vector, mut fairness, mut depth) = (SMALLEST_VECTOR, SMALLEST_FAIRNESS, SMALLEST_DEPTH);
        loop {
            let built = self.compile(build, vector, fairness)?;
            let mut pan = Command::new(&built.binary);
            pan.arg(format!("-m{depth}")).arg(format!("-w{}", self.limits.hash)).args(arguments);
            let run = child::run(&mut pan, self.folder(), self.limits.time)?;
            let output = PanOutput::read(&run.output);
            match run.ending {
                Ending::TimedOut => return Err(NoResult::TooBig(format!("pan ran past {:?}", self.limits.time))),
                Ending::Signal(SIGFPE) => return Ok(PanRun { output, division_by_zero: true, trails: Vec::new() }),
                Ending::Signal(signal) => return Err(NoResult::Crashed(signal)),
                Ending::Exited(_) => {}
            }
            match output.shortage {
                None if output.stored.is_none() => {
                    // It refuses some models itself: unconditional self-loops, two `else` in one state, …
                    let words = run.output.lines().next().unwrap_or("pan printed nothing");
                    return Err(NoResult::Rejected(words.to_owned()));
                }
                None => {
                    let trails = self.keep_trails(&output);
                    return Ok(PanRun { output, division_by_zero: false, trails });
                }
                Some(Shortage::Depth) if depth < self.limits.depth => depth = (depth * 20).min(self.limits.depth),
                Some(Shortage::Vector) if vector < self.limits.vector => vector *= 8,
                Some(Shortage::Fairness) if fairness < 64 => fairness *= 2,
                Some(shortage) => {
                    return Err(NoResult::TooBig(format!("{shortage:?} even at the limit").to_lowercase()));
                }
            }
        }
    }

    /// Moves the trails of a run out of the way of the next one.
    fn keep_trails(&mut self, output: &PanOutput) -> Vec<(PathBuf, Kind)> {
        let mut kept = Vec::new();
        for (name, kind) in &output.trails {
            let path = self.new_trail();
            // With `-i` each shorter trail replaces the one before: the last one stands for all.
            if fs::rename(self.folder().join(name), &path).is_ok() {
                kept.push((path, *kind));
            }
        }
        kept
    }
}

const SIGFPE: i32 = 8;

/// Whether a message says that a `D_proctype` had a choice.
fn is_choice(message: &str) -> bool {
    message.starts_with("non-determinism in D_proctype")
}

/// A complete run of `pan`.
#[derive(Debug, Clone)]
pub struct PanRun {
    /// What it printed.
    pub output: PanOutput,
    /// It died of a division by zero.
    pub division_by_zero: bool,
    /// The trails it wrote, kept, each with the kind of error it leads to.
    pub trails: Vec<(PathBuf, Kind)>,
}

impl PanRun {
    /// The kinds of error it met.
    pub fn kinds(&self) -> Kinds {
        match self.division_by_zero {
            true => [Kind::Fault].into_iter().collect(),
            false => self.output.kinds(),
        }
    }

    /// Whether it met a fault past which states mean nothing: `pan` goes on with an index out of bounds. A choice of
    /// a `D_proctype` is no such fault.
    pub fn derails(&self) -> bool {
        let faults = |message: &&String| Kind::of_pan(message) == Kind::Fault;
        self.division_by_zero || self.output.messages.iter().filter(faults).any(|message| !is_choice(message))
    }

    /// The number of stored states, when the run covered them all and they all mean something.
    pub fn count(&self) -> Option<u64> {
        self.output.stored.filter(|_| !self.output.stopped && !self.derails())
    }
}
