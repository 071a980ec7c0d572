//! `experiment`: many trials from files.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use lurcher_lab::{
    Conducted, Experiment, ExperimentObserver, Plan, Row, Settings, Study, conduct, conduct_faults, conduct_graph,
    plan, read,
};
use lurcher_syntax::{Diagnostic, SourceMap, render};
use serde_json::json;

use crate::Exit;
use crate::args::ExperimentArgs;
use crate::input;
use crate::report::colour_on_stderr;

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
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = interrupt.clone();
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let mut results = Vec::new();
    for one in &ready {
        let settings = Settings {
            folder: one.folder.clone(),
            jobs: args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from),
            resume: args.resume,
            only: args.trials_only.clone(),
            command: command(),
        };
        let mut live = Live::new(&stem(&one.file), args.json);
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
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    if args.json {
        writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(&object(&ready, &results))?)?;
    }
    Ok(if interrupt.load(Ordering::Relaxed) {
        Exit::Limit
    } else if results.iter().any(|r| r.bugs > 0) {
        Exit::Bug
    } else {
        Exit::Clean
    })
}

fn prepare(file: &Path) -> Result<Work> {
    let text = input::read_text(file)?;
    let found = read(file, &text);
    tell(&found.sources, &found.diagnostics);
    if let Some(study) = found.study {
        return Ok(Work::Study(Box::new(study)));
    }
    let Some(experiment) = found.experiment else { bail!("{} is no experiment", file.display()) };
    match plan(&experiment) {
        Ok(plan) => Ok(Work::Trials(Box::new((experiment, plan)))),
        Err(errors) => {
            tell(&found.sources, &errors);
            bail!("{} cannot be run", file.display())
        }
    }
}

fn tell(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    if !diagnostics.is_empty() {
        eprint!("{}", render(sources, diagnostics, colour_on_stderr()));
    }
}

fn say(one: &Ready, done: &Conducted) -> Result<()> {
    let missing = done.trials - done.known;
    let missing = if missing > 0 { format!(", {missing} not run") } else { String::new() };
    let failed =
        if done.failed > 0 { format!(", {} failed: see the notes in trials.csv", done.failed) } else { String::new() };
    writeln!(
        std::io::stdout().lock(),
        "{}: {} trials, {} of them now{missing}{failed}; results in {}",
        one.file.display(),
        done.trials,
        done.ran,
        one.folder.join("README.md").display()
    )?;
    Ok(())
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

/// A bar on standard error, when that is a terminal.
struct Live {
    bar: Option<ProgressBar>,
    violated: u64,
}

impl Live {
    fn new(what: &str, quiet: bool) -> Live {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(0);
            let template = "{prefix} [{bar:30}] {pos}/{len} trials, {eta} left, {msg}";
            bar.set_style(ProgressStyle::with_template(template).expect("a fixed template"));
            bar.set_prefix(what.to_owned());
            bar
        });
        Live { bar, violated: 0 }
    }
}

impl ExperimentObserver for Live {
    fn planned(&mut self, trials: usize, known: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(trials as u64);
            bar.set_position(known as u64);
            bar.reset_eta();
        }
    }

    fn finished(&mut self, row: &Row) {
        self.violated += u64::from(row.results.is_violated());
        if let Some(bar) = &self.bar {
            bar.inc(1);
            let p = &row.parameters;
            bar.set_message(format!("{} violated; last {} {} {}", self.violated, p.define, p.engine, p.guide));
        }
    }

    fn progressed(&mut self, violated: usize) {
        self.violated += violated as u64;
        if let Some(bar) = &self.bar {
            bar.inc(1);
            bar.set_message(format!("{} violated", self.violated));
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
