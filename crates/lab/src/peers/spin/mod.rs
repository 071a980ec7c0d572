//! The real Spin: `spin -a`, a C compiler, `pan`; `spin -t` in [`SpinReplay`].

mod output;
mod replay;
mod trail;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use super::child::{self, Bounds, Ending, Finished};
use super::find_program;

pub use output::{PanOutput, Shortage};
pub use replay::{SpinReplay, state_difference};
pub use trail::Trail;

/// The Spin release that lurcher is compared with.
const REFERENCE: &str = "Spin Version 6.5.2";
/// Time for the C compiler.
const COMPILE_TIME: Duration = Duration::from_secs(120);

/// The programs that build and run Spin's verifiers.
#[derive(Clone, Debug)]
pub struct SpinTools {
    /// The real Spin.
    pub spin: PathBuf,
    /// GCC.
    pub gcc: PathBuf,
    /// The Tiny C Compiler, where installed: thirty times faster on `pan.c`.
    pub tcc: Option<PathBuf>,
    /// The versions of Spin and GCC.
    pub version: String,
}

impl SpinTools {
    /// Finds the programs in `folders` or on the path.
    ///
    /// # Errors
    /// With what is missing and how to install it.
    pub fn find(folders: &[PathBuf]) -> Result<SpinTools, String> {
        let spin = find_program("spin", folders).ok_or("`spin` is not installed: apt-get install spin")?;
        let gcc = find_program("gcc", folders).ok_or("`gcc` is not installed: apt-get install gcc libc6-dev")?;
        let version = |program: &Path, flag: &str| {
            let output = Command::new(program).arg(flag).output().map_err(|e| format!("{}: {e}", program.display()))?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            Ok::<String, String>(text.lines().next().unwrap_or("").trim().to_owned())
        };
        let version = format!("{}; {}", version(&spin, "-V")?, version(&gcc, "--version")?);
        Ok(SpinTools { spin, gcc, tcc: find_program("tcc", folders), version })
    }

    /// The same programs, if Spin is the release that lurcher is compared with.
    pub fn reference(self) -> Result<SpinTools, String> {
        match self.version.starts_with(REFERENCE) {
            true => Ok(self),
            false => Err(format!("the reference is {REFERENCE}, but {} is {}", self.spin.display(), self.version)),
        }
    }
}

/// Why Spin has no result for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoResult {
    /// Spin rejects the model.
    Rejected(String),
    /// The generated C does not compile.
    NotCompiled(String),
    /// The search needs more time, depth or memory than its limits allow.
    TooBig(String),
    /// `pan` died of a signal other than a division by zero.
    Crashed(i32),
    /// A child was interrupted.
    Interrupted,
    /// A file or a process could not be handled.
    Failed(String),
}

impl From<io::Error> for NoResult {
    fn from(error: io::Error) -> Self {
        NoResult::Failed(error.to_string())
    }
}

impl fmt::Display for NoResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoResult::Rejected(words) => write!(f, "spin refuses: {words}"),
            NoResult::NotCompiled(words) => write!(f, "pan.c does not compile: {words}"),
            NoResult::TooBig(words) => write!(f, "too big: {words}"),
            NoResult::Crashed(signal) => write!(f, "pan died of signal {signal}"),
            NoResult::Interrupted => f.write_str("interrupted"),
            NoResult::Failed(words) => f.write_str(words),
        }
    }
}

/// A Promela model and the folder in which Spin, the compiler and `pan` work on it.
#[derive(Debug)]
pub struct Verifier<'t> {
    /// The programs in use.
    pub tools: &'t SpinTools,
    folder: TempDir,
    model: PathBuf,
    /// `NAME=VALUE` overrides.
    pub defines: Vec<String>,
    /// Full channels lose messages (`spin -m`).
    pub message_loss: bool,
    /// Limits of `spin`; the compiler has the same ones, and 120 s.
    pub bounds: Bounds<'t>,
}

impl<'t> Verifier<'t> {
    /// A verifier of the model at this path, which is absolute or relative to `folder`.
    pub fn new(tools: &'t SpinTools, folder: TempDir, model: PathBuf, defines: Vec<String>) -> Self {
        Verifier { tools, folder, model, defines, message_loss: false, bounds: Bounds::default() }
    }

    /// The folder in which everything runs.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of the model.
    pub fn model(&self) -> PathBuf {
        self.folder().join(&self.model)
    }

    /// `spin` with the flags that every use of the model needs.
    fn spin(&self) -> Command {
        let mut spin = Command::new(&self.tools.spin);
        spin.args(self.defines.iter().map(|define| format!("-D{define}"))).args(self.message_loss.then_some("-m"));
        spin
    }

    /// Generates `pan.c`, with statement merging and dataflow reductions (Spin's default) or without.
    pub fn generate(&self, merged: bool) -> Result<Finished, NoResult> {
        let mut spin = self.spin();
        spin.args(if merged { &[][..] } else { &["-o1", "-o2", "-o3"] }).arg("-a").arg(&self.model);
        std::fs::remove_file(self.folder().join("pan.c")).ok();
        let run = child::run_merged(&spin, self.folder(), self.bounds)?;
        match run.ending {
            Ending::Exited(0) if self.folder().join("pan.c").is_file() => Ok(run),
            Ending::TimedOut => Err(NoResult::TooBig("spin -a takes too long".to_owned())),
            Ending::Interrupted => Err(NoResult::Interrupted),
            _ => {
                // Some lines that contain "Error" are warnings; the last one is the reason.
                let mut complaints = run.stdout.lines().filter(|line| line.to_lowercase().contains("error"));
                let words = complaints.next_back().or(run.stdout.lines().next_back()).unwrap_or("nothing");
                Err(NoResult::Rejected(words.trim().to_owned()))
            }
        }
    }

    /// Compiles `pan.c` with these flags into the program `name`.
    pub fn compile(&self, compiler: &Path, flags: &[String], name: &str) -> Result<Finished, NoResult> {
        let bounds = Bounds { time: Some(COMPILE_TIME), ..self.bounds };
        let mut compiler = Command::new(compiler);
        let run = child::run_merged(compiler.arg("-w").args(flags).args(["-o", name, "pan.c"]), self.folder(), bounds)?;
        match run.ending {
            Ending::Exited(0) => Ok(run),
            Ending::Interrupted => Err(NoResult::Interrupted),
            _ => {
                let words = run.stdout.lines().find(|line| line.contains("error")).unwrap_or("");
                Err(NoResult::NotCompiled(words.to_owned()))
            }
        }
    }

    /// Runs a compiled verifier with arguments that are separated by blanks.
    pub fn pan(&self, name: &str, arguments: &str, bounds: Bounds<'_>) -> io::Result<(Finished, PanOutput)> {
        let mut pan = Command::new(self.folder().join(name));
        let run = child::run_merged(pan.args(arguments.split_whitespace()), self.folder(), bounds)?;
        let output = PanOutput::read(&run.stdout);
        Ok((run, output))
    }
}
