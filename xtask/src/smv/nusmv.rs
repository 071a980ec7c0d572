//! Asking NuSMV, by a script of its interactive commands.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use super::facts::{DEADLOCK, Facts, MODEL, STATES};
use crate::peers::child::{self, Ending};

/// What it is called in comparisons.
pub const NAME: &str = "NuSMV";

/// A NuSMV that can be run.
pub struct NuSmv {
    path: PathBuf,
    /// 2.6 reads more than 2.5.4 does.
    pub modern: bool,
}

impl NuSmv {
    /// Asks a binary for its version.
    pub fn new(path: PathBuf) -> Result<NuSmv, String> {
        let wrong = |error: io::Error| format!("{}: {error}", path.display());
        let said = Command::new(&path).arg("-help").output().map_err(wrong)?;
        let said = String::from_utf8_lossy(&said.stdout).into_owned() + &String::from_utf8_lossy(&said.stderr);
        let version = said.split_once("This is NuSMV ").map(|(_, rest)| rest.split_whitespace().next().unwrap_or(""));
        let version = version.ok_or_else(|| format!("{}: this is no NuSMV", path.display()))?;
        println!("NuSMV {version}");
        let modern = !version.starts_with("2.5");
        Ok(NuSmv { path, modern })
    }

    /// What NuSMV says of a model; no facts where it does not come to an end.
    pub fn ask(&self, file: &Path, names: &[String], patience: Duration) -> Result<Facts, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let script = folder.path().join("script");
        let mut lines = vec!["go".to_owned(), "print_reachable_states".to_owned(), "check_fsm".to_owned()];
        // One by one, so that one that cannot be evaluated does not hide the others.
        lines.extend(names.iter().map(|name| format!("check_property -P {name}")));
        lines.extend(["show_property".to_owned(), "quit".to_owned()]);
        fs::write(&script, lines.join("\n") + "\n").map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.path);
        // No traces: after a violated LTL formula the search for one can take for ever.
        command.args(["-dcx", "-source"]).arg(&script).arg(file);
        let run = child::run(&mut command, folder.path(), patience).map_err(|error| error.to_string())?;
        Ok(match run.ending {
            Ending::Exited(_) => read(&run.output),
            Ending::Signal(_) | Ending::TimedOut => Facts { words: format!("{:?}", run.ending), ..Facts::new(NAME) },
        })
    }
}

/// A constant divided by a constant is refused whatever the guards say (docs/smv-notes.md); then there is no answer.
const CONSTANT_DIVISION: &str = "line -1: Division by zero";

fn read(output: &str) -> Facts {
    let mut facts = Facts::new(NAME);
    if output.contains(CONSTANT_DIVISION) {
        return Facts { words: CONSTANT_DIVISION.to_owned(), ..facts };
    }
    let after = |start: &str| output.split_once(start).map(|(_, rest)| rest);
    let Some(count) = after("reachable states: ") else {
        let noise = |l: &&str| l.starts_with("***") || l.starts_with("WARNING") || l.trim().is_empty();
        let said: Vec<&str> = output.lines().filter(|l| !noise(l)).take(3).collect();
        return facts.no_model("refused", &said.join("\n"));
    };
    facts.add(MODEL, "accepted");
    facts.add(STATES, count.split_whitespace().next().unwrap_or(""));
    if output.contains("not deadlock-free") {
        facts.add(DEADLOCK, "violated");
    } else if output.contains("is total: No deadlock") || output.contains("is deadlock-free") {
        facts.add(DEADLOCK, "holds");
    }
    let list = after("PROPERTY LIST  ---").unwrap_or("");
    for line in list.lines() {
        let Some(inner) = line.trim().strip_prefix('[').and_then(|l| l.strip_suffix(']')) else { continue };
        let words: Vec<&str> = inner.split_whitespace().collect();
        if let [_, verdict, _, name] = words[..] {
            match verdict {
                "True" => facts.add(name, "holds"),
                "False" => facts.add(name, "violated"),
                _ => {}
            }
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_found_in_the_output() {
        let output = "reachable states: 9 (2^3.16993) out of 12 (2^3.58496)\nThe transition relation is not total. A \
            state without\nsuccessors is:\nThe transition relation is not deadlock-free.\n\
            --------------------------  PROPERTY LIST  -------------------------\n000 :AG state != broken \n  \
            [CTL            True           N/A    never]\n001 :x\n  [Invar          Unchecked           N/A    odd]\n";
        let facts = read(output);
        assert_eq!((facts.get(STATES), facts.get(DEADLOCK)), (Some("9"), Some("violated")));
        assert_eq!((facts.get("never"), facts.get("odd")), (Some("holds"), None));
    }

    #[test]
    fn a_model_without_states_was_refused() {
        let facts = read("*** This is NuSMV\nfile m.smv: line 4: \"y\" undefined\n");
        assert_eq!((facts.get(MODEL), facts.words.as_str()), (Some("refused"), "file m.smv: line 4: \"y\" undefined"));
    }
}
