//! Spin's side: a verifier generated, compiled and run.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use super::family::Size;
use super::places::Places;
use super::process::{self, Used, limited};
use super::run::{Measure, Run, Tool};
use crate::peers::pan_output::PanOutput;

/// Seconds for one `pan`: far more than a family is meant to take.
const LIMIT: u32 = 900;
/// How deep the first run may search; the others get what it needed.
const DEPTH: u64 = 20_000_000;
/// Megabytes that `pan` may use.
const MEMORY: u32 = 60_000;

/// A model in a folder of its own.
pub struct Verifier {
    measure: Measure,
    subject: String,
    size: Size,
    reduced: bool,
    model: PathBuf,
    folder: TempDir,
    /// `-w` and `-m`, once it is known what the model needs.
    fitting: Option<[String; 2]>,
}

impl Verifier {
    /// A verifier that is not generated yet.
    pub fn new(measure: Measure, subject: &str, model: PathBuf, size: Size, reduced: bool) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        Ok(Verifier { measure, subject: subject.to_owned(), size, reduced, model, folder, fitting: None })
    }

    /// `spin -a`, `gcc -O2`, `pan`: three runs, of which the last has the verdict.
    pub fn whole_way(&mut self, repetition: u32, places: &Places) -> Result<Vec<Run>, String> {
        if self.fitting.is_none() {
            self.fit(places)?;
        }
        let spin = self.generate(places)?;
        let gcc = self.compile(places)?;
        let row = |tool, used: &Used| self.row(tool, used, None, repetition);
        let mut rows = vec![row(Tool::Spin, &spin), row(Tool::Gcc, &gcc)];
        rows.push(self.pan(repetition)?);
        Ok(rows)
    }

    /// `pan` alone, generated and compiled before the first repetition.
    pub fn search(&mut self, repetition: u32, places: &Places) -> Result<Run, String> {
        if self.fitting.is_none() {
            self.fit(places)?;
        }
        self.pan(repetition)
    }

    /// Generates and compiles the verifier and runs it once, to see how deep it goes and how many states it stores: every
    /// other run has a stack and a hash table of that size.
    fn fit(&mut self, places: &Places) -> Result<(), String> {
        self.generate(places)?;
        self.compile(places)?;
        let (_, said) = self.complete([format!("-m{DEPTH}"), "-w24".to_owned()])?;
        let stored = said.stored.unwrap_or(1).max(1);
        let hash = stored.next_power_of_two().ilog2().max(16);
        let depth = said.depth.unwrap_or(DEPTH) + 1000;
        self.fitting = Some([format!("-m{depth}"), format!("-w{hash}")]);
        Ok(())
    }

    fn generate(&self, places: &Places) -> Result<Used, String> {
        let mut spin = Command::new(places.spin()?);
        spin.args(self.size.iter().map(|(name, value)| format!("-D{name}={value}")));
        if !self.reduced {
            spin.args(["-o1", "-o2", "-o3"]);
        }
        let used = process::run(spin.arg("-a").arg(&self.model), self.folder.path())?;
        match used.status == Some(0) && self.folder.path().join("pan.c").is_file() {
            true => Ok(used),
            false => Err(format!("spin -a {}: {}", self.model.display(), used.output.trim())),
        }
    }

    fn compile(&self, places: &Places) -> Result<Used, String> {
        let mut gcc = Command::new(places.gcc()?);
        gcc.args(["-O2", "-w", "-DSAFETY", "-DNOCLAIM"]).arg(format!("-DMEMLIM={MEMORY}"));
        if !self.reduced {
            gcc.arg("-DNOREDUCE");
        }
        let used = process::run(gcc.args(["-o", "pan", "pan.c"]), self.folder.path())?;
        match used.status {
            Some(0) => Ok(used),
            _ => Err(format!("gcc: {}", process::complaints(self.folder.path()))),
        }
    }

    fn pan(&self, repetition: u32) -> Result<Run, String> {
        let (used, said) = self.complete(self.fitting.clone().expect("fitted before"))?;
        Ok(self.row(Tool::Pan, &used, Some(&said), repetition))
    }

    /// Runs `pan`; a search that was cut short is no result.
    fn complete(&self, arguments: [String; 2]) -> Result<(Used, PanOutput), String> {
        let mut pan = limited(&self.folder.path().join("pan"), LIMIT);
        let used = process::run(pan.args(&arguments), self.folder.path())?;
        let said = PanOutput::read(&used.output);
        if said.stored.is_none() || said.shortage.is_some() || said.stopped {
            let why =
                said.shortage.map_or("did not finish".to_owned(), |s| format!("is short of {s:?}").to_lowercase());
            return Err(format!("pan {} on {} {:?} {why}", arguments.join(" "), self.subject, self.size));
        }
        Ok((used, said))
    }

    fn row(&self, tool: Tool, used: &Used, said: Option<&PanOutput>, repetition: u32) -> Run {
        let verdict = said.map_or("", |s| if s.errors == 0 { "holds" } else { "violated" });
        Run {
            measure: self.measure,
            subject: self.subject.clone(),
            size: super::family::written(self.size),
            tool,
            setting: if self.reduced { "default" } else { "no reduction" }.to_owned(),
            repetition,
            wall: used.wall,
            processor: used.processor,
            resident: used.resident,
            data: used.data,
            stored: said.and_then(|s| s.stored),
            transitions: said.and_then(|s| s.transitions),
            steps: None,
            verdict: verdict.to_owned(),
        }
    }
}
