//! Trials: programs that are run again and again.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use lurcher_lab::peers::child::{self, Bounds, Ending, Usage};
use lurcher_lab::peers::lurcher;
use lurcher_lab::peers::spin::{PanOutput, SpinTools, Verifier};

use super::run::{Run, Tool};

/// One thing to measure.
pub enum Trial<'p> {
    /// lurcher, or a program that walks and prints its number of steps.
    Program(Program),
    /// `pan`; with reductions, `spin -a` and `gcc` as well.
    Spin(Search<'p>),
}

impl Trial<'_> {
    /// Runs it once; a trial of several programs returns a row for each.
    pub fn run(&mut self) -> Result<Vec<Run>, String> {
        match self {
            Trial::Program(program) => Ok(vec![program.run()?]),
            Trial::Spin(search) => search.run(),
        }
    }
}

/// A program with its arguments.
pub struct Program {
    /// The row of a run, without its results.
    pub row: Run,
    pub program: PathBuf,
    pub arguments: Vec<String>,
}

impl Program {
    /// Runs it once.
    pub fn run(&self) -> Result<Run, String> {
        let failed = |why: String| format!("{} {}: {why}", self.program.display(), self.arguments.join(" "));
        if self.row.tool != Tool::Lurcher {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let mut command = Command::new(&self.program);
            let run = child::run(command.args(&self.arguments), folder.path(), Bounds::default());
            let run = run.map_err(|e| failed(e.to_string()))?;
            let steps = run.stdout.trim().parse().map_err(|_| failed(run.stderr.clone()))?;
            return Ok(Run { steps: Some(steps), ..self.row.with(run.usage) });
        }
        let defines = self.row.size.split_whitespace().flat_map(|define| ["--define", define]);
        let arguments = self.arguments.iter().map(String::as_str).chain(defines);
        let run = lurcher::run(&self.program, arguments, Bounds::default()).map_err(|e| failed(e.to_string()))?;
        if !matches!(run.ending, Ending::Exited(0 | 1)) {
            let words = run.stderr.lines().take(3).collect::<Vec<_>>().join("; ");
            return Err(failed(format!("{:?}: {words}", run.ending)));
        }
        let json = lurcher::json(&run).map_err(failed)?;
        Ok(Run {
            stored: json["states"]["stored"].as_u64(),
            transitions: json["states"]["transitions"].as_u64(),
            steps: json["steps"].as_u64(),
            verdict: json["verdict"].as_str().unwrap_or_default().to_owned(),
            ..self.row.with(run.usage)
        })
    }
}

/// Time for one `pan`: far more than a family takes.
const LIMIT: Duration = Duration::from_secs(900);
/// The depth of the first run; the others get what that one needed.
const DEPTH: u64 = 20_000_000;
/// Megabytes that `pan` may use.
const MEMORY: u32 = 60_000;

/// A complete search by Spin's verifier.
pub struct Search<'p> {
    /// The row of a run, without its results.
    row: Run,
    /// With Spin's default reductions, or without any.
    reduced: bool,
    verifier: Verifier<'p>,
    /// `-m` and `-w`, once it is known what the model needs.
    fitting: Option<String>,
}

impl<'p> Search<'p> {
    /// A search whose verifier is not generated yet.
    pub fn new(row: Run, model: PathBuf, reduced: bool, tools: &'p SpinTools) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let defines = row.size.split_whitespace().map(str::to_owned).collect();
        Ok(Search { row, reduced, verifier: Verifier::new(tools, folder, model, defines), fitting: None })
    }

    /// `pan`, and with reductions `spin -a` and `gcc -O2` before it.
    fn run(&mut self) -> Result<Vec<Run>, String> {
        let sizes = self.fit()?;
        let mut rows = Vec::new();
        if self.reduced {
            rows.push(self.row(Tool::Spin, self.generate()?));
            rows.push(self.row(Tool::Gcc, self.compile()?));
        }
        let (usage, output) = self.complete(&sizes)?;
        let verdict = if output.error_count == 0 { "holds" } else { "violated" };
        rows.push(Run {
            stored: output.stored,
            transitions: output.transitions,
            verdict: verdict.to_owned(),
            ..self.row(Tool::Pan, usage)
        });
        Ok(rows)
    }

    /// The sizes of stack and hash table that fit the depth and the stored states of a first run.
    fn fit(&mut self) -> Result<String, String> {
        if let Some(fitting) = &self.fitting {
            return Ok(fitting.clone());
        }
        self.generate()?;
        self.compile()?;
        let (_, output) = self.complete(&format!("-m{DEPTH} -w24"))?;
        let stored = output.stored.unwrap_or(1).max(1);
        let hash = stored.next_power_of_two().ilog2().max(16);
        let depth = output.depth.unwrap_or(DEPTH) + 1000;
        Ok(self.fitting.insert(format!("-m{depth} -w{hash}")).clone())
    }

    fn generate(&self) -> Result<Usage, String> {
        let generated = self.verifier.generate(self.reduced);
        generated.map(|run| run.usage).map_err(|e| format!("{}: {e}", self.row.subject))
    }

    fn compile(&self) -> Result<Usage, String> {
        let mut flags = ["-O2", "-DSAFETY", "-DNOCLAIM"].map(str::to_owned).to_vec();
        flags.push(format!("-DMEMLIM={MEMORY}"));
        flags.extend((!self.reduced).then(|| "-DNOREDUCE".to_owned()));
        let compiled = self.verifier.compile(&self.verifier.tools.gcc, &flags, "pan");
        compiled.map(|run| run.usage).map_err(|e| format!("{}: {e}", self.row.subject))
    }

    /// Runs `pan`; a search that was cut short is an error.
    fn complete(&self, arguments: &str) -> Result<(Usage, PanOutput), String> {
        let (run, output) = self.verifier.pan("pan", arguments, Bounds::time(LIMIT)).map_err(|e| e.to_string())?;
        if output.stored.is_none() || !output.shortages.is_empty() || output.stopped {
            let short = output.shortages.first().map(|s| format!("is short of {s:?}").to_lowercase());
            let why = short.unwrap_or("did not finish".to_owned());
            return Err(format!("pan {arguments} on {} {} {why}", self.row.subject, self.row.size));
        }
        Ok((run.usage, output))
    }

    fn row(&self, tool: Tool, usage: Usage) -> Run {
        Run { tool, ..self.row.with(usage) }
    }
}
