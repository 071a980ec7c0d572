//! A case: one Promela model in a folder of its own, and the verifiers that Spin builds from it there.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lurcher_lab::peers::child::{Bounds, Ending};
use lurcher_lab::peers::lurcher::{self, Answer};
use lurcher_lab::peers::spin::{NoResult, PanOutput, Shortage, SpinTools, Verifier};
use lurcher_lab::peers::{ViolationKind, ViolationKinds};
use tempfile::TempDir;

use super::transitions;

/// The programs that are compared.
pub struct Tools {
    pub spin: SpinTools,
    pub lurcher: PathBuf,
}

/// Limits of a comparison.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Time for one run of Spin or `pan`.
    pub time: Duration,
    /// The largest `pan -m`.
    pub depth: u64,
    /// The largest state vector, in bytes.
    pub vector: u64,
    /// Memory of `pan`, in megabytes.
    pub memory: u64,
    /// The largest number of stored states.
    pub states: u64,
    /// `pan -w`: the logarithm of the size of the hash table.
    pub hash: u32,
}

/// How `pan` is generated and compiled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Build {
    /// With statement merging and partial-order reduction, as a user gets it.
    reduced: bool,
    macros: Vec<&'static str>,
}

impl Build {
    /// A verifier with Spin's default reductions.
    pub fn reduced(macros: &[&'static str]) -> Build {
        Build { reduced: true, macros: macros.to_vec() }
    }

    /// A verifier without any reduction: the reference.
    pub fn plain(macros: &[&'static str]) -> Build {
        Build { reduced: false, macros: [macros, &["NOREDUCE"]].concat() }
    }

    /// The same verifier with further macros.
    pub fn with(&self, macros: &[&'static str]) -> Build {
        Build { reduced: self.reduced, macros: [self.macros.as_slice(), macros].concat() }
    }
}

const SMALLEST_VECTOR: u64 = 2048;
const SMALLEST_FAIRNESS: u64 = 3;
const SMALLEST_DEPTH: u64 = 20_000;
/// Time limit of lurcher, as a multiple of Spin's.
const PATIENCE: u32 = 5;
const SIGFPE: i32 = 8;
/// A macro that makes every assertion of a model hold.
const HOLDING_ASSERTIONS: &str = "#define assert(...) assert((__VA_ARGS__) || true)";

/// One model and everything built from it.
pub struct Case<'t> {
    pub tools: &'t Tools,
    pub limits: &'t Limits,
    pub verifier: Verifier<'t>,
    /// lurcher minimises its traces, which takes up to a second each.
    pub minimise: bool,
    /// Compile with tcc where it is installed.
    fast: bool,
    /// Whether the C that was generated last has merged statements, and what Spin printed.
    generated: Option<(bool, String)>,
    /// The state vector and the number of fairness counters of each compiled verifier.
    built: HashMap<Build, (u64, u64)>,
    trails: usize,
}

impl<'t> Case<'t> {
    /// A case for the file at `path`; the files beside it are copied for `#include`.
    pub fn of_file(path: &Path, defines: &[String], tools: &'t Tools, limits: &'t Limits) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let path = path.canonicalize()?;
        for neighbour in fs::read_dir(path.parent().unwrap_or(Path::new("/")))? {
            let neighbour = neighbour?;
            fs::copy(neighbour.path(), folder.path().join(neighbour.file_name())).ok();
        }
        let file = path.file_name().unwrap_or_default().into();
        Ok(Self::new(folder, file, defines, tools, limits))
    }

    /// A case for a random program.
    pub fn of_text(text: &str, tools: &'t Tools, limits: &'t Limits) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("random.pml"), text)?;
        Ok(Case { fast: true, ..Self::new(folder, "random.pml".into(), &[], tools, limits) })
    }

    fn new(folder: TempDir, file: PathBuf, defines: &[String], tools: &'t Tools, limits: &'t Limits) -> Self {
        let mut verifier = Verifier::new(&tools.spin, folder, file, defines.to_vec());
        verifier.bounds = Bounds::time(limits.time);
        let (generated, built) = (None, HashMap::new());
        Case { tools, limits, verifier, minimise: true, fast: false, generated, built, trails: 0 }
    }

    /// The same case compiled with GCC, whose `pan` decides.
    pub fn with_gcc(mut self) -> Self {
        self.fast = false;
        self.built.clear();
        self
    }

    /// The same case with full channels that lose messages, or not.
    pub fn with_message_loss(mut self, loss: bool) -> Self {
        self.verifier.message_loss = loss;
        self
    }

    /// The same model with assertions that always hold. `pan` checks assertions along with a claim, and `pan -A` would
    /// also switch off those that Spin puts into the claims of `ltl` formulas.
    pub fn without_assertions(&self) -> Result<Self, NoResult> {
        let mut quiet = Case::of_file(&self.verifier.model(), &self.verifier.defines, self.tools, self.limits)?;
        fs::write(quiet.verifier.model(), format!("{HOLDING_ASSERTIONS}\n{}", self.text()?))?;
        (quiet.minimise, quiet.fast) = (self.minimise, self.fast);
        Ok(quiet.with_message_loss(self.verifier.message_loss))
    }

    /// The text of the model.
    pub fn text(&self) -> io::Result<String> {
        fs::read_to_string(self.verifier.model())
    }

    /// A new path for a trail file.
    pub fn new_trail(&mut self) -> PathBuf {
        self.trails += 1;
        self.verifier.folder().join(format!("kept{}.trail", self.trails))
    }

    fn generate(&mut self, merged: bool) -> Result<(), NoResult> {
        if self.generated.as_ref().is_none_or(|(before, _)| *before != merged) {
            self.generated = None;
            self.generated = Some((merged, self.verifier.generate(merged)?.stdout));
        }
        Ok(())
    }

    fn generated_file(&self, name: &str) -> io::Result<String> {
        fs::read_to_string(self.verifier.folder().join(name))
    }

    /// What `spin -a` printed, and the C it generated.
    pub fn generated_text(&mut self) -> Result<(String, String), NoResult> {
        self.generate(false)?;
        let printed = self.generated.as_ref().map(|(_, printed)| printed.clone()).unwrap_or_default();
        Ok((printed, self.generated_file("pan.h")? + &self.generated_file("pan.c")?))
    }

    /// Whether statement merging removed the first statement of an `unless` escape, which Spin then never takes. The
    /// generated C shows it by a "bad hop" or in its table of transitions.
    pub fn loses_merged_escape(&mut self) -> Result<bool, NoResult> {
        self.generate(true)?;
        let moves = self.generated_file("pan.m")?;
        let bad_hop = moves.lines().any(|line| line.contains("bad hop") && line.contains("<unless>"));
        Ok(bad_hop || transitions::loses_escape(&self.generated_file("pan.t")?))
    }

    fn compile(&mut self, build: &Build, vector: u64, fairness: u64) -> Result<String, NoResult> {
        let name = format!("pan_{}_{}", if build.reduced { "merged" } else { "plain" }, build.macros.join("_"));
        if self.built.get(build).is_some_and(|built| built.0 >= vector && built.1 >= fairness) {
            return Ok(name);
        }
        self.generate(build.reduced)?;
        // `pan` runs for milliseconds, so optimising it does not pay.
        let sizes = [format!("-DVECTORSZ={vector}"), format!("-DMEMLIM={}", self.limits.memory)];
        let macros = build.macros.iter().map(|name| format!("-D{name}"));
        let mut flags: Vec<String> = std::iter::once("-O0".to_owned()).chain(macros).chain(sizes).collect();
        if !build.macros.contains(&"SAFETY") && !build.macros.contains(&"BFS") {
            flags.push(format!("-DNFAIR={fairness}"));
        }
        let compiler = self.tools.spin.tcc.as_ref().filter(|_| self.fast).unwrap_or(&self.tools.spin.gcc);
        self.verifier.compile(compiler, &flags, &name)?;
        self.built.insert(build.clone(), (vector, fairness));
        Ok(name)
    }

    /// Runs `pan`. A run that a limit cut short is repeated with larger sizes, so the result is never a truncated search.
    pub fn pan(&mut self, build: &Build, arguments: &str) -> Result<PanRun, NoResult> {
        let (mut vector, mut fairness, mut depth) = (SMALLEST_VECTOR, SMALLEST_FAIRNESS, SMALLEST_DEPTH);
        loop {
            let name = self.compile(build, vector, fairness)?;
            let all = format!("-m{depth} -w{} {arguments}", self.limits.hash);
            let (run, output) = self.verifier.pan(&name, &all, self.verifier.bounds)?;
            match run.ending {
                Ending::TimedOut => return Err(NoResult::TooBig(format!("pan ran past {:?}", self.limits.time))),
                Ending::Signal(SIGFPE) => return Ok(PanRun { output, division_by_zero: true, trails: Vec::new() }),
                Ending::Signal(signal) => return Err(NoResult::Crashed(signal)),
                Ending::Exited(_) | Ending::Interrupted => {}
            }
            match output.shortages.first() {
                None if output.stored.is_none() => {
                    // `pan` rejects some models itself: unconditional self-loops, two `else` in one state, …
                    let words = run.stdout.lines().next().unwrap_or("pan printed nothing");
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

    /// Renames the trails of a run, so that the next run does not overwrite them.
    fn keep_trails(&mut self, output: &PanOutput) -> Vec<(PathBuf, ViolationKind)> {
        let mut kept = Vec::new();
        for (name, kind) in &output.trails {
            let path = self.new_trail();
            // With `-i` a shorter trail overwrites the one before; only the last one exists.
            if fs::rename(self.verifier.folder().join(name), &path).is_ok() {
                kept.push((path, *kind));
            }
        }
        kept
    }

    /// Asks `lurcher verify`; the counterexample goes to `trail`. The inner error is lurcher's.
    pub fn verify(&self, arguments: &str, trail: Option<&Path>) -> Result<Result<Answer, String>, NoResult> {
        let trail = trail.map(|path| path.display().to_string());
        let mut all: Vec<&str> = arguments.split_whitespace().collect();
        all.extend((!self.minimise).then_some("--no-minimise"));
        all.extend(trail.iter().flat_map(|path| ["--trail", path]));
        self.lurcher("verify", &all)
    }

    /// Asks `lurcher replay` to follow a Spin trail as a counterexample to a property.
    pub fn replay(&self, trail: &Path, property: &str) -> Result<Result<Answer, String>, NoResult> {
        self.lurcher("replay", &[&trail.display().to_string(), "--property", property])
    }

    fn lurcher(&self, verb: &str, arguments: &[&str]) -> Result<Result<Answer, String>, NoResult> {
        let model = self.verifier.model().display().to_string();
        let mut all = vec![verb, &model];
        all.extend(arguments);
        all.extend(self.verifier.defines.iter().flat_map(|define| ["--define", define]));
        all.extend(self.verifier.message_loss.then_some("--message-loss"));
        Ok(Answer::read(&lurcher::run(&self.tools.lurcher, all, Bounds::time(self.limits.time * PATIENCE))?))
    }
}

/// A complete run of `pan`.
#[derive(Debug, Clone)]
pub struct PanRun {
    pub output: PanOutput,
    /// It died of a division by zero.
    pub division_by_zero: bool,
    /// The trails it wrote, each with the kind of error it leads to.
    pub trails: Vec<(PathBuf, ViolationKind)>,
}

impl PanRun {
    /// The kinds of error it met.
    pub fn kinds(&self) -> ViolationKinds {
        match self.division_by_zero {
            true => [ViolationKind::Fault].into_iter().collect(),
            false => self.output.kinds(),
        }
    }

    /// Whether it met a fault after which its states are meaningless: `pan` continues after an index out of bounds. A
    /// choice in a `D_proctype` is no such fault.
    pub fn derails(&self) -> bool {
        let is_choice = |message: &str| message.starts_with("non-determinism in D_proctype");
        let is_fault = |message: &str| ViolationKind::of_pan(message) == ViolationKind::Fault;
        self.division_by_zero || self.output.errors.iter().any(|(message, _)| is_fault(message) && !is_choice(message))
    }

    /// The number of stored states of a complete search whose states all have a meaning.
    pub fn count(&self) -> Option<u64> {
        self.output.stored.filter(|_| !self.output.stopped && !self.derails())
    }
}
