//! The real NuSMV, run with a script of its interactive commands.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::child::{self, Bounds, Finished};

/// A NuSMV: a path, or a name on the path.
#[derive(Clone, Debug)]
pub struct NuSmv(pub PathBuf);

impl NuSmv {
    /// Its version, such as `2.5.4`; none where the program is something else.
    pub fn version(&self) -> io::Result<Option<String>> {
        let help = Command::new(&self.0).arg("-help").output()?;
        let text = [help.stdout, help.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let version = text.split_once("This is NuSMV ").and_then(|(_, rest)| rest.split_whitespace().next());
        Ok(version.map(str::to_owned))
    }

    /// Runs commands on a model.
    pub fn run(&self, flags: &[&str], commands: &[String], model: &Path, bounds: Bounds<'_>) -> io::Result<Finished> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("commands"), commands.join("\n") + "\n")?;
        let mut nusmv = Command::new(&self.0);
        nusmv.args(flags).args(["-source", "commands"]).arg(model.canonicalize()?);
        child::run_merged(&nusmv, folder.path(), bounds)
    }
}

/// What NuSMV found out about a model by `print_reachable_states`, `check_fsm` and `show_property`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NuSmvOutput {
    /// The number of reachable states, perhaps rounded; none where the model was rejected.
    pub states: Option<String>,
    /// Whether a reachable state has no successor.
    pub deadlock: Option<bool>,
    /// The specifications that were decided, and whether they hold.
    pub verdicts: Vec<(String, bool)>,
    /// The first lines of the output, without banner and warnings.
    pub words: String,
}

impl NuSmvOutput {
    /// Reads the output of a run.
    pub fn read(text: &str) -> NuSmvOutput {
        let after = |start: &str| text.split_once(start).map(|(_, rest)| rest);
        let deadlock = if text.contains("not deadlock-free") {
            Some(true)
        } else {
            (text.contains("is total: No deadlock") || text.contains("is deadlock-free")).then_some(false)
        };
        let noise = |l: &&str| l.starts_with("***") || l.starts_with("WARNING") || l.trim().is_empty();
        let words: Vec<&str> = text.lines().filter(|l| !noise(l)).take(3).collect();
        NuSmvOutput {
            states: after("reachable states: ").map(|rest| rest.split_whitespace().next().unwrap_or("").to_owned()),
            deadlock,
            verdicts: after("PROPERTY LIST  ---").unwrap_or("").lines().filter_map(verdict).collect(),
            words: words.join("\n"),
        }
    }
}

/// `[CTL            True           N/A    NAME]`
fn verdict(line: &str) -> Option<(String, bool)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    match inner.split_whitespace().collect::<Vec<_>>()[..] {
        [_, verdict @ ("True" | "False"), _, name] => Some((name.to_owned(), verdict == "True")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_verdicts_are_read() {
        let output = NuSmvOutput::read(
            "reachable states: 9 (2^3.16993) out of 12 (2^3.58496)\nThe transition relation is not total. A \
            state without\nsuccessors is:\nThe transition relation is not deadlock-free.\n\
            --------------------------  PROPERTY LIST  -------------------------\n000 :AG state != broken \n  \
            [CTL            True           N/A    never]\n001 :x\n  [Invar          Unchecked           N/A    odd]\n",
        );
        assert_eq!((output.states.as_deref(), output.deadlock), (Some("9"), Some(true)));
        assert_eq!(output.verdicts, [("never".to_owned(), true)]);
    }

    #[test]
    fn a_rejected_model_has_no_number_of_states() {
        let output = NuSmvOutput::read("*** This is NuSMV\nfile m.smv: line 4: \"y\" undefined\n");
        assert_eq!((output.states, output.words.as_str()), (None, "file m.smv: line 4: \"y\" undefined"));
    }
}
