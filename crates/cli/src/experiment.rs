//! `experiment`: many trials from files.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use lurcher::LANGUAGES;
use lurcher_lab::{
    Conducted, Experiment, ExperimentObserver, Plan, Row, Settings, Study, conduct, conduct_faults, conduct_graph,
    plan, read, unmatched,
};
use lurcher_syntax::{Diagnostic, Severity, SourceMap, render};
use serde_json::json;

use crate::Exit;
use crate::args::ExperimentArgs;
use crate::progress::{Live, clock};
use crate::terminal::{Stream, message, print_json};
use crate::words::count;
use crate::{input, limits};

/// An experiment that is ready to be run.
struct Ready {
    file: PathBuf,
    folder: PathBuf,
    work: Work,
}

/// What a file asks for.
enum Work {
    Trials(Box<(Experiment, Plan)>),
    Study(Box<Study>),
}

/// `lurcher experiment`.
pub fn experiment(args: &ExperimentArgs) -> Result<Exit> {
    // All files are read before the first trial starts: a mistake in the last one should not be found at night.
    let mut ready = Vec::new();
    for file in &args.files {
        let folder = if args.files.len() == 1 { args.out.clone() } else { args.out.join(stem(file)) };
        if ready.iter().any(|r: &Ready| r.folder == folder) {
            bail!("two files are called {}: their results would go to the same folder", stem(file));
        }
        let work = prepare(file)?;
        ready.push(Ready { file: file.clone(), folder, work });
    }
    refuse_unmatched(&ready, &args.trials_only)?;
    let interrupt = limits::interrupts();
    let mut results = Vec::new();
    for one in &ready {
        let settings = Settings {
            folder: one.folder.clone(),
            jobs: args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from),
            resume: args.resume,
            only: args.trials_only.clone(),
            command: command(),
        };
        let mut live = Trials::new(&stem(&one.file));
        let conducted = match &one.work {
            Work::Trials(trials) => conduct(&trials.0, &trials.1, &settings, &interrupt, &mut live)?,
            Work::Study(study) => match study.as_ref() {
                Study::Faults(study) => conduct_faults(study, &settings, &interrupt, &mut live)?,
                Study::Graph(study) => conduct_graph(study, &settings, &interrupt, &mut live)?,
            },
        };
        drop(live);
        if !args.json {
            say(one, &conducted)?;
        }
        results.push(conducted);
        if interrupt.raised().is_some() {
            break;
        }
    }
    if args.json {
        print_json(&object(&ready, &results))?;
    }
    Ok(if interrupt.raised().is_some() {
        Exit::Limit
    } else if results.iter().any(|r| r.bugs > 0) {
        Exit::Bug
    } else {
        Exit::Clean
    })
}

/// Refuses patterns of trials that select nothing in any of the files.
fn refuse_unmatched(ready: &[Ready], only: &[String]) -> Result<()> {
    let why = |one: &Ready| match &one.work {
        Work::Trials(trials) => unmatched(&trials.0, &trials.1, only),
        Work::Study(_) => Some("--trials-only is for experiments with trials, not for [mutants] or [graph]".to_owned()),
    };
    let whys: Vec<Option<String>> = ready.iter().map(why).collect();
    match whys.into_iter().collect::<Option<Vec<String>>>() {
        Some(whys) if !only.is_empty() => bail!("{}: {}", ready[0].file.display(), whys[0]),
        _ => Ok(()),
    }
}

fn prepare(file: &Path) -> Result<Work> {
    let is_model = |e: &str| LANGUAGES.iter().any(|l| l.extensions().iter().any(|known| e.eq_ignore_ascii_case(known)));
    if file.extension().and_then(|e| e.to_str()).is_some_and(is_model) {
        bail!("{} is a model; an experiment is a TOML file that names models", file.display());
    }
    let text = input::read_text(file)?;
    let found = read(file, &text);
    tell(&found.sources, &found.diagnostics);
    if let Some(study) = found.study {
        return Ok(Work::Study(Box::new(study)));
    }
    let Some(experiment) = found.experiment else { bail!("{} is no experiment", file.display()) };
    match plan(&experiment) {
        Ok(plan) => {
            tell_of_models(&plan);
            Ok(Work::Trials(Box::new((experiment, plan))))
        }
        Err(errors) => {
            tell(&found.sources, &errors);
            bail!("{} cannot be run", file.display())
        }
    }
}

fn tell(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    if !diagnostics.is_empty() {
        message(&render(sources, diagnostics, Stream::Err.form().colour));
    }
}

/// Prints the warnings about models, each once, however many instances have it.
fn tell_of_models(plan: &Plan) {
    let mut told: Vec<&str> = Vec::new();
    for model in plan.instances.iter().map(|instance| &instance.model) {
        for warning in model.warnings().iter().filter(|w| w.severity == Severity::Warning) {
            if !told.contains(&warning.message.as_str()) {
                told.push(&warning.message);
                tell(model.sources(), std::slice::from_ref(warning));
            }
        }
    }
}

fn say(one: &Ready, done: &Conducted) -> Result<()> {
    let missing = done.trials - done.known;
    let missing = if missing > 0 { format!(", {missing} not run") } else { String::new() };
    let failed =
        if done.failed > 0 { format!(", {} failed: see the notes in trials.csv", done.failed) } else { String::new() };
    let (file, readme) = (one.file.display(), one.folder.join("README.md"));
    let (trials, ran) = (count(done.trials as u64, "trial"), done.ran);
    let results = readme.display();
    Ok(Stream::Out.print(&format!("{file}: {trials}, {ran} of them now{missing}{failed}; results in {results}\n"))?)
}

fn object(ready: &[Ready], results: &[Conducted]) -> serde_json::Value {
    let experiments = ready.iter().zip(results).map(|(one, done)| {
        json!({
            "file": one.file.display().to_string(), "folder": one.folder.display().to_string(),
            "trials": done.trials, "ran": done.ran, "known": done.known, "failed": done.failed,
        })
    });
    json!({
        "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"), "experiments": experiments.collect::<Vec<_>>(),
    })
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(|| "experiment".to_owned(), |s| s.to_string_lossy().into_owned())
}

/// The command line, with the program's bare name.
fn command() -> String {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    words.insert(0, "lurcher".to_owned());
    words.join(" ")
}

/// Says how many trials are done.
struct Trials {
    live: Live,
    started: Instant,
    trials: usize,
    /// Trials of which the results were there, and trials that were run.
    known: usize,
    ran: usize,
    violated: usize,
}

impl Trials {
    fn new(what: &str) -> Trials {
        let live = Live::new(&format!("trials of {what}"), None);
        Trials { live, started: Instant::now(), trials: 0, known: 0, ran: 0, violated: 0 }
    }

    fn tell(&self, last: &str) {
        let left = self.trials.saturating_sub(self.known + self.ran) as u32;
        let time = self.started.elapsed() / self.ran.max(1) as u32 * left;
        let eta = if self.ran > 0 { format!(", about {} left", clock(time)) } else { String::new() };
        let Trials { trials, violated, .. } = self;
        self.live.detail(format!("{} of {trials}{eta}, {violated} violated{last}", self.known + self.ran));
    }
}

impl ExperimentObserver for Trials {
    fn planned(&mut self, trials: usize, known: usize) {
        (self.trials, self.known) = (trials, known);
        self.tell("");
    }

    fn finished(&mut self, row: &Row) {
        self.violated += usize::from(row.results.is_violated());
        self.ran += 1;
        let p = &row.parameters;
        let words = [p.define.as_str(), p.engine.as_str(), p.guide.as_str()].map(str::trim);
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        self.tell(&format!(", the last with {}", words.join(" ")));
    }

    fn progressed(&mut self, violated: usize) {
        self.violated += violated;
        self.ran += 1;
        self.tell("");
    }
}
