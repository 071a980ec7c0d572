//! A workbench: one model in a folder of its own, where both tools work on it.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use super::child::{self, Ending};
use super::pan::{Build, Built};
use super::tools::Tools;
use super::transitions;

/// How far a comparison may go.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Seconds for any one run of any tool.
    pub time: Duration,
    /// The deepest search tried.
    pub depth: u64,
    /// The largest state vector tried, in bytes.
    pub vector: u64,
    /// Memory for one `pan`, in megabytes.
    pub memory: u64,
    /// More states than these are too many to be worth a comparison.
    pub states: u64,
    /// `pan -w`: the logarithm of the hash table's size.
    pub hash: u32,
}

/// Which C compiler builds `pan`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    /// GCC, whose word counts.
    Gcc,
    /// The Tiny C Compiler where installed, else GCC.
    Fast,
}

/// Why there is no result from Spin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoResult {
    /// Spin refuses the model, in these words.
    Rejected(String),
    /// The generated C does not compile.
    NotCompiled(String),
    /// Too deep, too big or too slow for the limits.
    TooBig(String),
    /// `pan` died of a signal other than a division by zero.
    Crashed(i32),
    /// A file or a process could not be handled.
    Failed(String),
}

impl From<io::Error> for NoResult {
    fn from(error: io::Error) -> Self {
        NoResult::Failed(error.to_string())
    }
}

impl std::fmt::Display for NoResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoResult::Rejected(words) => write!(f, "spin refuses: {words}"),
            NoResult::NotCompiled(words) => write!(f, "pan.c does not compile: {words}"),
            NoResult::TooBig(words) => write!(f, "too big: {words}"),
            NoResult::Crashed(signal) => write!(f, "pan died of signal {signal}"),
            NoResult::Failed(words) => f.write_str(words),
        }
    }
}

/// One model and everything built from it.
pub struct Bench<'t> {
    /// The programs in use.
    pub tools: &'t Tools,
    /// The limits in force.
    pub limits: &'t Limits,
    folder: TempDir,
    file: String,
    defines: Vec<String>,
    loss: bool,
    minimised: bool,
    pub(super) compiler: Compiler,
    generated: Option<bool>,
    announced: String,
    pub(super) built: HashMap<Build, Built>,
    trails: usize,
}

impl<'t> Bench<'t> {
    /// A workbench for the file at `path`; its neighbours are within reach of `#include`.
    pub fn of_file(path: &Path, defines: &[String], tools: &'t Tools, limits: &'t Limits) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let path = path.canonicalize()?;
        let home = path.parent().unwrap_or(Path::new("/"));
        for neighbour in fs::read_dir(home)? {
            let neighbour = neighbour?;
            fs::copy(neighbour.path(), folder.path().join(neighbour.file_name())).ok();
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::new(folder, file, defines, Compiler::Gcc, tools, limits))
    }

    /// A workbench for a program made on the spot.
    pub fn of_text(text: &str, tools: &'t Tools, limits: &'t Limits) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("random.pml"), text)?;
        Ok(Self::new(folder, "random.pml".to_owned(), &[], Compiler::Fast, tools, limits))
    }

    fn new(
        folder: TempDir,
        file: String,
        defines: &[String],
        compiler: Compiler,
        tools: &'t Tools,
        limits: &'t Limits,
    ) -> Self {
        Bench {
            tools,
            limits,
            folder,
            file,
            defines: defines.to_vec(),
            loss: false,
            minimised: true,
            compiler,
            generated: None,
            announced: String::new(),
            built: HashMap::new(),
            trails: 0,
        }
    }

    /// Turns to GCC, forgetting what another compiler built: a difference counts only when GCC's `pan` shows it too.
    pub fn with_gcc(mut self) -> Self {
        self.compiler = Compiler::Gcc;
        self.built.clear();
        self
    }

    /// A workbench for the same model with its assertions always true, statement for statement: `pan` checks them along
    /// with a claim, and its `-A` would also switch off those that Spin puts into the claims it makes from `ltl`.
    pub fn without_assertions(&self) -> Result<Self, NoResult> {
        let mut quiet = Bench::of_file(&self.folder().join(&self.file), &self.defines, self.tools, self.limits)?;
        fs::write(quiet.folder().join(&self.file), assertions_made_true(&self.text()?))?;
        (quiet.loss, quiet.minimised, quiet.compiler) = (self.loss, self.minimised, self.compiler);
        Ok(quiet)
    }

    /// Lets full channels lose messages (`spin -m`).
    pub fn with_loss(mut self) -> Self {
        self.loss = true;
        self
    }

    /// Whether messages may be lost.
    pub fn loses_messages(&self) -> bool {
        self.loss
    }

    /// Lets lurcher show violations as it finds them: making them shorter takes up to a second each.
    pub fn with_traces_as_found(mut self) -> Self {
        self.minimised = false;
        self
    }

    /// Whether lurcher makes its traces as short as it can, as it does for a user.
    pub fn minimises(&self) -> bool {
        self.minimised
    }

    /// The folder everything happens in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The model's file name inside the folder.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// `NAME=VALUE` overrides in force.
    pub fn defines(&self) -> &[String] {
        &self.defines
    }

    /// The model's text.
    pub fn text(&self) -> io::Result<String> {
        fs::read_to_string(self.folder().join(&self.file))
    }

    /// A name for a new trail file, never handed out before.
    pub fn new_trail(&mut self) -> PathBuf {
        self.trails += 1;
        self.folder().join(format!("kept{}.trail", self.trails))
    }

    /// `spin` with the flags every use of this model needs.
    pub fn spin(&self) -> Command {
        let mut spin = Command::new(&self.tools.spin);
        spin.args(self.defines.iter().map(|define| format!("-D{define}")));
        if self.loss {
            spin.arg("-m");
        }
        spin
    }

    /// Generates `pan.c` and its friends unless they are there already.
    pub fn generate(&mut self, merged: bool) -> Result<(), NoResult> {
        if self.generated == Some(merged) {
            return Ok(());
        }
        let mut spin = self.spin();
        if !merged {
            spin.args(["-o1", "-o2", "-o3"]);
        }
        spin.arg("-a").arg(&self.file);
        self.generated = None;
        fs::remove_file(self.folder().join("pan.c")).ok();
        let run = child::run(&mut spin, self.folder(), self.limits.time)?;
        match run.ending {
            Ending::Exited(0) if self.folder().join("pan.c").is_file() => {
                self.generated = Some(merged);
                self.announced = run.output;
                Ok(())
            }
            Ending::TimedOut => Err(NoResult::TooBig("spin -a takes too long".to_owned())),
            _ => {
                // Among the complaints that end in "Error" some are warnings; the last one is the one that counted.
                let mut complaints = run.output.lines().filter(|line| line.to_lowercase().contains("error"));
                let words = complaints.next_back().or(run.output.lines().next_back()).unwrap_or("nothing");
                Err(NoResult::Rejected(words.trim().to_owned()))
            }
        }
    }

    /// Whether Spin's merging of statements runs into an `unless`, and has removed the first statement of the escape,
    /// which is never taken then. The C it generates shows it: by a "bad hop", or in the table of transitions.
    pub fn loses_merged_escape(&mut self) -> Result<bool, NoResult> {
        self.generate(true)?;
        let moves = fs::read_to_string(self.folder().join("pan.m"))?;
        let bad_hop = moves.lines().any(|line| line.contains("bad hop") && line.contains("<unless>"));
        Ok(bad_hop || transitions::loses_escape(&fs::read_to_string(self.folder().join("pan.t"))?))
    }

    /// What `spin -a` said, and the C it generated, for what they tell about the model.
    pub fn generated_text(&mut self) -> Result<(String, String), NoResult> {
        self.generate(false)?;
        let read = |name: &str| fs::read_to_string(self.folder().join(name));
        Ok((self.announced.clone(), read("pan.h")? + &read("pan.c")?))
    }
}

/// `assert(e)` becomes `assert((e) || true)`.
fn assertions_made_true(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("assert") {
        let (before, from) = rest.split_at(start);
        made.push_str(before);
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let after = from["assert".len()..].trim_start();
        if before.ends_with(word) || !after.starts_with('(') {
            made.push_str("assert");
            rest = &from["assert".len()..];
            continue;
        }
        let end = closing(after).unwrap_or(after.len());
        made.push_str(&format!("assert({} || true)", &after[..end]));
        rest = &after[end..];
    }
    made + rest
}

/// The position after the parenthesis that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0usize;
    for (position, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 1 => return Some(position + 1),
            ')' => open -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_are_made_true_in_place() {
        let text = "reassert(x); assert (f(x) == (1)); assert(y)";
        assert_eq!(assertions_made_true(text), "reassert(x); assert((f(x) == (1)) || true); assert((y) || true)");
    }
}
