//! Asking lurcher, through its command line and JSON contract only.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::facts::{DEADLOCK, Facts, MODEL, STATES};
use crate::peers::child::{self, Ending};

/// True of every state: a search for a violation sees all of them.
const EVERYWHERE: &str = "TRUE";
/// What lurcher calls an invariant of the command line.
const ASKED: &str = "invariant";

/// What lurcher says of a formula that it cannot make an automaton of.
const TOO_LARGE: &str = "the automaton of the formula needs";

/// A way to ask.
pub struct Way {
    who: &'static str,
    engine: &'static str,
    /// Leave out what a property does not depend on.
    cone: bool,
}

/// All ways to ask.
pub const WAYS: [Way; 4] = [
    Way { who: "bdd", engine: "bdd", cone: false },
    Way { who: "bdd with cone", engine: "bdd", cone: true },
    Way { who: "bfs", engine: "bfs", cone: false },
    Way { who: "dfs with cone", engine: "dfs", cone: true },
];

/// What is asked of a model.
pub struct Questions {
    /// Names of specifications that every engine checks.
    pub linear: Vec<String>,
    /// Names of specifications that are checked by sets of states only.
    pub branching: Vec<String>,
    /// Whether states can be looked at one by one.
    pub explicit: bool,
    /// What one tool may take.
    pub patience: Duration,
}

impl Questions {
    /// The names of all specifications.
    pub fn names(&self) -> Vec<String> {
        self.linear.iter().chain(&self.branching).cloned().collect()
    }
}

/// What lurcher says of a model, asked this way; nothing where this way does not apply.
pub fn ask(lurcher: &Path, file: &Path, questions: &Questions, way: &Way) -> Result<Option<Facts>, String> {
    let symbolic = way.engine == "bdd";
    if !symbolic && !questions.explicit {
        return Ok(None);
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = Command::new(lurcher);
    command.arg("verify").arg(file).args(["--json", "--no-minimise", "--engine", way.engine]);
    command.args(["--time", &format!("{}", questions.patience.as_secs())]);
    let branching = questions.branching.iter().filter(|_| symbolic);
    for name in questions.linear.iter().chain(branching) {
        command.args(["--property", name]);
    }
    command.args(["--property", DEADLOCK]);
    if !way.cone {
        command.args(["--reduction", "none", "--invariant", EVERYWHERE]);
    }
    let patience = questions.patience * 2 + Duration::from_secs(20);
    let run = child::run_apart(&mut command, folder.path(), patience).map_err(|error| error.to_string())?;
    let facts = Facts::new(way.who);
    Ok(Some(match run.ending {
        Ending::Exited(0 | 1 | 3) => read(facts, &run.stdout, way)?,
        // Formulas of linear time become automata first, and some of these are too large.
        Ending::Exited(2) if run.output.contains(TOO_LARGE) => Facts { words: run.output, ..facts },
        Ending::Exited(2) => facts.no_model("refused", &run.output),
        other => facts.no_model("crashed", &format!("{other:?}\n{}", run.output)),
    }))
}

fn read(mut facts: Facts, stdout: &str, way: &Way) -> Result<Facts, String> {
    let json: Value = serde_json::from_str(stdout).map_err(|error| format!("no JSON: {error}"))?;
    facts.add(MODEL, "accepted");
    let several = json["results"].as_array().cloned();
    for result in several.unwrap_or_else(|| vec![json]) {
        let name = result["property"]["name"].as_str().unwrap_or_default().to_owned();
        let verdict = result["verdict"].as_str().unwrap_or_default().to_owned();
        match (name.as_str(), verdict.as_str()) {
            (_, "inconclusive") => {}
            (ASKED, "holds") => facts.add(STATES, states(&result["states"])),
            _ => {
                let invariant = result["property"]["kind"] == "invariant";
                let length = &result["trace"]["length"];
                if invariant && verdict == "violated" && (result["trace"]["optimal"] == true || way.engine == "bfs") {
                    facts.add(format!("{name} shortest"), length.to_string());
                }
                facts.add(name, verdict);
            }
        }
    }
    Ok(facts)
}

fn states(states: &Value) -> String {
    states["reachable"].as_str().map_or_else(|| states["stored"].to_string(), str::to_owned)
}
