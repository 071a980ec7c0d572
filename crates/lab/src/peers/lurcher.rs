//! lurcher's own command line, as a user calls it: arguments in, exit status and JSON out.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::child::{self, Bounds, Ending, Finished};
use super::{ViolationKind, ViolationKinds};

/// Runs `lurcher ARGUMENTS --json` in a folder of its own.
pub fn run<S: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = S>,
    bounds: Bounds<'_>,
) -> io::Result<Finished> {
    let folder = tempfile::tempdir()?;
    child::run(Command::new(program).args(arguments).arg("--json"), folder.path(), bounds)
}

/// The JSON that lurcher printed.
pub fn json(run: &Finished) -> Result<Value, String> {
    serde_json::from_str(&run.stdout).map_err(|error| format!("no JSON: {error}"))
}

/// One object for each property, or the object itself where there is one property.
pub fn results(json: &Value) -> &[Value] {
    json["results"].as_array().map_or(std::slice::from_ref(json), Vec::as_slice)
}

/// A verdict of `verify` or `replay` on a Promela model.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The kinds of all violations.
    pub kinds: ViolationKinds,
    /// The kind of the first violation.
    pub first: Option<ViolationKind>,
    /// The message of the first violation.
    pub message: String,
    /// Stored states.
    pub stored: Option<u64>,
    /// Steps of the first trace.
    pub length: Option<u64>,
    /// The first trace is a shortest one.
    pub optimal: bool,
    /// The first trace is a lasso.
    pub cycle: bool,
}

/// The answer to a trail that ends without a violation.
pub const REPLAYS_TO_NOTHING: &str = "it replays, but shows no violation";

impl Answer {
    /// Reads an answer and checks that it agrees with the exit status.
    ///
    /// # Errors
    /// Where there is no verdict, with lurcher's own words.
    pub fn read(run: &Finished) -> Result<Answer, String> {
        let Ending::Exited(status @ (0 | 1)) = run.ending else {
            let output = run.output();
            let words = output.lines().find(|line| !line.trim().is_empty() && *line != "{").unwrap_or("no words");
            return Err(format!("{:?}: {}", run.ending, words.trim()));
        };
        let json = json(run)?;
        let answer = Answer::of(&json)?;
        match (status == 1) != answer.kinds.holds() {
            true => Ok(answer),
            false => Err(format!("exit status {status} with verdict {}", json["verdict"])),
        }
    }

    fn of(json: &Value) -> Result<Answer, String> {
        let parts = std::iter::once(json).chain(json["results"].as_array().into_iter().flatten());
        let violated = parts.filter(|part| part["verdict"] == "violated");
        let kinds = violated.map(kind).collect::<Result<ViolationKinds, _>>()?;
        match json["verdict"].as_str() {
            Some("violated") => {}
            Some("holds") if kinds.holds() && json["complete"] == true => {}
            Some("inconclusive") if json["replayed"] == true => return Err(REPLAYS_TO_NOTHING.to_owned()),
            _ => return Err(format!("verdict {} ({})", json["verdict"], json["stop_reason"])),
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
}

fn kind(part: &Value) -> Result<ViolationKind, String> {
    let kind = &part["property"]["kind"];
    kind.as_str().and_then(ViolationKind::of_lurcher).ok_or_else(|| format!("unknown kind of property {kind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: i32, json: &str) -> Result<Answer, String> {
        let (stdout, stderr) = (json.to_owned(), String::new());
        Answer::read(&Finished { ending: Ending::Exited(status), stdout, stderr, usage: child::Usage::default() })
    }

    #[test]
    fn every_result_counts_and_the_top_level_is_the_first() {
        let json = r#"{"verdict": "violated", "complete": true, "property": {"kind": "assertion"},
            "states": {"stored": 12}, "trace": {"length": 4, "optimal": true, "cycle_start": null},
            "results": [{"verdict": "violated", "property": {"kind": "assertion"}},
                        {"verdict": "violated", "property": {"kind": "deadlock"}},
                        {"verdict": "holds", "property": {"kind": "ltl"}}]}"#;
        let answer = answer(1, json).unwrap();
        assert_eq!(answer.kinds.to_string(), "deadlock+assertion");
        assert_eq!((answer.first, answer.stored, answer.length), (Some(ViolationKind::Assertion), Some(12), Some(4)));
        assert!(answer.optimal && !answer.cycle);
    }

    #[test]
    fn an_answer_needs_a_complete_search_and_a_fitting_exit_status() {
        let json = r#"{"verdict": "holds", "complete": true}"#;
        assert!(answer(0, json).is_ok() && answer(1, json).is_err());
        assert!(answer(101, "thread panicked").is_err());
        assert!(answer(0, r#"{"verdict": "holds", "complete": false}"#).is_err());
    }
}
