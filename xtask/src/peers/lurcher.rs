//! Asking `lurcher`, through its command line and JSON contract only.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::bench::{Bench, NoResult};
use super::child::{self, Ending};
use super::kind::{Kind, Kinds};

/// What `pan` did within its limit, lurcher should do within this many times as long on a busy machine.
const PATIENCE: u32 = 5;

/// One question to `lurcher verify`.
#[derive(Debug, Clone, Default)]
pub struct Question {
    arguments: Vec<OsString>,
    trail: Option<PathBuf>,
}

impl Question {
    /// End states and assertions, without claims.
    pub fn safety() -> Question {
        Question::default().with("--no-claims")
    }

    /// The property of this name.
    pub fn property(name: &str) -> Question {
        Question::default().with("--property").with(name)
    }

    /// Adds a word of the command line.
    pub fn with(mut self, word: &str) -> Question {
        self.arguments.push(word.into());
        self
    }

    /// Asks for the counterexample as a Spin trail.
    pub fn trail(mut self, path: PathBuf) -> Question {
        self.trail = Some(path);
        self
    }
}

/// An answer of lurcher.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The kinds of violation reported.
    pub kinds: Kinds,
    /// The kind of the first violation.
    pub first: Option<Kind>,
    /// What it says about the first violation.
    pub message: String,
    /// Stored states.
    pub stored: Option<u64>,
    /// Steps of the first trace.
    pub length: Option<u64>,
    /// The first trace is said to be as short as can be.
    pub optimal: bool,
    /// The first trace is a lasso.
    pub cycle: bool,
}

/// Why there is no answer, in lurcher's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAnswer(pub String);

/// What is said of a trail that lurcher follows to its end without meeting a violation.
pub const REPLAYS_TO_NOTHING: &str = "it replays, but shows no violation";

/// Asks `verify`. The outer error is ours (no process, no file), the inner one lurcher's.
pub fn verify(bench: &Bench<'_>, question: &Question) -> Result<Result<Answer, NoAnswer>, NoResult> {
    let mut command = lurcher(bench, "verify")?;
    command.arg(bench.file()).arg("--json").args(&question.arguments);
    command.args(bench.defines().iter().flat_map(|define| ["--define", define]));
    if bench.loses_messages() {
        command.arg("--message-loss");
    }
    if !bench.minimises() {
        command.arg("--no-minimise");
    }
    if let Some(path) = &question.trail {
        command.arg("--trail").arg(path);
    }
    let run = child::run_apart(&mut command, bench.folder(), bench.limits.time * PATIENCE)?;
    Ok(read(run.ending, &run.stdout, &run.output))
}

/// Asks `replay` to follow a Spin trail as a counterexample to the property of this name.
pub fn replay(bench: &Bench<'_>, trail: &Path, property: &str) -> Result<Result<Answer, NoAnswer>, NoResult> {
    let mut command = lurcher(bench, "replay")?;
    command.arg(bench.file()).arg(trail).args(["--json", "--property", property]);
    command.args(bench.defines().iter().flat_map(|define| ["--define", define]));
    if bench.loses_messages() {
        command.arg("--message-loss");
    }
    let run = child::run_apart(&mut command, bench.folder(), bench.limits.time * PATIENCE)?;
    Ok(read(run.ending, &run.stdout, &run.output))
}

fn lurcher(bench: &Bench<'_>, verb: &str) -> Result<Command, NoResult> {
    let path = bench.tools.lurcher.as_ref().ok_or_else(|| NoResult::Failed("no lurcher to ask".to_owned()))?;
    let mut command = Command::new(path);
    command.arg(verb);
    Ok(command)
}

/// Checks that exit status and JSON tell the same story, and reads it.
fn read(ending: Ending, stdout: &str, output: &str) -> Result<Answer, NoAnswer> {
    let status = match ending {
        Ending::Exited(status @ (0 | 1)) => status,
        _ => {
            let words = output.lines().find(|line| !line.trim().is_empty() && *line != "{").unwrap_or("no words");
            return Err(NoAnswer(format!("{ending:?}: {}", words.trim())));
        }
    };
    let json: Value = serde_json::from_str(stdout).map_err(|error| NoAnswer(format!("no JSON: {error}")))?;
    let answer = read_json(&json)?;
    match (status == 1) != answer.kinds.holds() {
        true => Ok(answer),
        false => Err(NoAnswer(format!("exit status {status} with verdict {}", json["verdict"]))),
    }
}

fn read_json(json: &Value) -> Result<Answer, NoAnswer> {
    let everything = || std::iter::once(json).chain(json["results"].as_array().into_iter().flatten());
    let mut kinds = Kinds::default();
    for part in everything().filter(|part| part["verdict"] == "violated") {
        kinds.0.insert(kind(part)?);
    }
    match json["verdict"].as_str() {
        Some("violated") => {}
        Some("holds") if kinds.holds() && json["complete"] == true => {}
        Some("inconclusive") if json["replayed"] == true => return Err(NoAnswer(REPLAYS_TO_NOTHING.to_owned())),
        _ => return Err(NoAnswer(format!("verdict {} ({})", json["verdict"], json["stop_reason"]))),
    }
    Ok(Answer {
        first: (!kinds.holds()).then(|| kind(json)).transpose()?,
        kinds,
        message: json["property"]["message"].as_str().unwrap_or_default().to_owned(),
        stored: json["states"]["stored"].as_u64(),
        length: json["trace"]["length"].as_u64(),
        optimal: json["trace"]["optimal"] == true,
        cycle: !json["trace"]["cycle_start"].is_null(),
    })
}

fn kind(part: &Value) -> Result<Kind, NoAnswer> {
    let kind = &part["property"]["kind"];
    kind.as_str().and_then(Kind::of_lurcher).ok_or_else(|| NoAnswer(format!("unknown kind of property {kind}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_counts_and_the_top_level_speaks_of_the_first() {
        let json = r#"{"verdict": "violated", "complete": true, "property": {"kind": "assertion"},
            "states": {"stored": 12}, "trace": {"length": 4, "optimal": true, "cycle_start": null},
            "results": [{"verdict": "violated", "property": {"kind": "assertion"}},
                        {"verdict": "violated", "property": {"kind": "deadlock"}},
                        {"verdict": "holds", "property": {"kind": "ltl"}}]}"#;
        let answer = read(Ending::Exited(1), json, json).unwrap();
        assert_eq!(answer.kinds.to_string(), "deadlock+assertion");
        assert_eq!((answer.first, answer.stored, answer.length), (Some(Kind::Assertion), Some(12), Some(4)));
        assert!(answer.optimal && !answer.cycle);
    }

    #[test]
    fn an_exit_status_that_contradicts_the_verdict_is_no_answer() {
        let json = r#"{"verdict": "holds", "complete": true}"#;
        assert!(read(Ending::Exited(0), json, json).is_ok());
        assert!(read(Ending::Exited(1), json, json).is_err());
        assert!(read(Ending::Exited(101), "", "thread panicked").is_err());
    }

    #[test]
    fn holding_without_a_complete_search_is_no_answer() {
        let json = r#"{"verdict": "holds", "complete": false}"#;
        assert!(read(Ending::Exited(0), json, json).is_err());
    }
}
