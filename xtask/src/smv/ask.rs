//! The facts that NuSMV and lurcher's engines report about a model.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lurcher_lab::peers::child::{Bounds, Ending};
use lurcher_lab::peers::lurcher;
use lurcher_lab::peers::nusmv::{NuSmv, NuSmvOutput};
use serde_json::Value;

use super::facts::{DEADLOCK, Facts, MODEL, STATES};

/// The programs that are compared.
pub struct Peers {
    pub lurcher: PathBuf,
    pub nusmv: Option<NuSmv>,
}

/// The questions about a model.
pub struct Questions {
    /// Specifications that every engine checks.
    pub linear: Vec<String>,
    /// Specifications that only symbolic engines check.
    pub branching: Vec<String>,
    /// Whether explicit engines run as well.
    pub explicit: bool,
    /// Time for one engine or NuSMV.
    pub time: Duration,
}

/// The name of NuSMV in comparisons.
pub const NUSMV: &str = "NuSMV";
/// An invariant of every state: the search for a violation visits all states.
const EVERYWHERE: &str = "TRUE";
/// lurcher's name of an invariant on the command line.
const ASKED: &str = "invariant";
/// lurcher's message about a formula whose automaton is too large.
const TOO_LARGE: &str = "the automaton of the formula needs";
/// NuSMV rejects a constant divided by a constant whatever the guards are (docs/smv-notes.md).
const CONSTANT_DIVISION: &str = "line -1: Division by zero";

/// Engines of lurcher: name in comparisons, `--engine`, and whether the cone of influence is used.
pub const ENGINES: [(&str, &str, bool); 4] =
    [("bdd", "bdd", false), ("bdd with cone", "bdd", true), ("bfs", "bfs", false), ("dfs with cone", "dfs", true)];

/// The facts of NuSMV and of every engine about a file.
pub fn ask_all(peers: &Peers, file: &Path, questions: &Questions) -> Result<Vec<Facts>, String> {
    let mut all = Vec::new();
    if let Some(nusmv) = &peers.nusmv {
        all.push(ask_nusmv(nusmv, file, questions).map_err(|error| error.to_string())?);
    }
    for engine in &ENGINES {
        if engine.1 == "bdd" || questions.explicit {
            all.push(ask_lurcher(&peers.lurcher, file, questions, engine)?);
        }
    }
    if all.iter().any(|facts| facts.get(MODEL) == Some("refused")) {
        // NuSMV does not check initial assignments when earlier constraints exclude all states.
        all.retain(|facts| facts.who != NUSMV || facts.get(STATES) != Some("0"));
    }
    Ok(all)
}

fn ask_nusmv(nusmv: &NuSmv, file: &Path, questions: &Questions) -> io::Result<Facts> {
    let mut commands = ["go", "print_reachable_states", "check_fsm"].map(str::to_owned).to_vec();
    // One command for each, so that one that cannot be evaluated does not hide the others.
    let names = questions.linear.iter().chain(&questions.branching);
    commands.extend(names.map(|name| format!("check_property -P {name}")));
    commands.extend(["show_property", "quit"].map(str::to_owned));
    // No counterexamples (`-dcx`): the search for one of an LTL formula may not end.
    let run = nusmv.run(&["-dcx"], &commands, file, Bounds::time(questions.time))?;
    let mut facts = Facts::new(NUSMV);
    if !matches!(run.ending, Ending::Exited(_)) {
        return Ok(Facts { words: format!("{:?}", run.ending), ..facts });
    }
    if run.stdout.contains(CONSTANT_DIVISION) {
        return Ok(Facts { words: CONSTANT_DIVISION.to_owned(), ..facts });
    }
    let output = NuSmvOutput::read(&run.stdout);
    let Some(states) = output.states else { return Ok(facts.no_model("refused", &output.words)) };
    facts.add(MODEL, "accepted");
    facts.add(STATES, states);
    let verdict = |holds| if holds { "holds" } else { "violated" };
    output.deadlock.iter().for_each(|deadlock| facts.add(DEADLOCK, verdict(!deadlock)));
    output.verdicts.into_iter().for_each(|(name, holds)| facts.add(name, verdict(holds)));
    Ok(facts)
}

fn ask_lurcher(
    program: &Path,
    file: &Path,
    questions: &Questions,
    &(who, engine, cone): &(&str, &str, bool),
) -> Result<Facts, String> {
    let (file, time) = (file.display().to_string(), questions.time.as_secs().to_string());
    let mut arguments = vec!["verify", &file, "--no-minimise", "--engine", engine, "--time", &time];
    let branching = questions.branching.iter().filter(|_| engine == "bdd");
    arguments.extend(questions.linear.iter().chain(branching).flat_map(|name| ["--property", name]));
    arguments.extend(["--property", DEADLOCK]);
    if !cone {
        arguments.extend(["--reduction", "none", "--invariant", EVERYWHERE]);
    }
    let limit = questions.time * 2 + Duration::from_secs(20);
    let run = lurcher::run(program, arguments, Bounds::time(limit)).map_err(|error| error.to_string())?;
    let facts = Facts::new(who);
    Ok(match run.ending {
        Ending::Exited(0 | 1 | 3) => read(facts, &lurcher::json(&run)?, engine),
        Ending::Exited(2) if run.output().contains(TOO_LARGE) => Facts { words: run.output(), ..facts },
        Ending::Exited(2) => facts.no_model("refused", &run.output()),
        other => facts.no_model("crashed", &format!("{other:?}\n{}", run.output())),
    })
}

fn read(mut facts: Facts, json: &Value, engine: &str) -> Facts {
    facts.add(MODEL, "accepted");
    for result in lurcher::results(json) {
        let name = result["property"]["name"].as_str().unwrap_or_default();
        match (name, result["verdict"].as_str().unwrap_or_default()) {
            (_, "inconclusive") => {}
            (ASKED, "holds") => {
                let states = &result["states"];
                facts.add(STATES, states["reachable"].as_str().map_or(states["stored"].to_string(), str::to_owned));
            }
            (name, verdict) => {
                let shortest = result["trace"]["optimal"] == true || engine == "bfs";
                if result["property"]["kind"] == "invariant" && verdict == "violated" && shortest {
                    facts.add(format!("{name} shortest"), result["trace"]["length"].to_string());
                }
                facts.add(name, verdict);
            }
        }
    }
    facts
}
