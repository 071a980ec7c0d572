//! One model: what lurcher says with reduction, and what it says without.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::peers::child::{self, Ending};

/// What to ask about a model.
pub struct Question<'q> {
    /// The model.
    pub path: &'q Path,
    /// Its text.
    pub text: &'q str,
    /// Expressions to ask for beside its own properties.
    pub invariants: &'q [String],
    /// Full channels lose messages.
    pub message_loss: bool,
}

/// Why nothing was compared.
pub struct NotCompared(pub String);

/// What a comparison came to.
#[derive(Debug, Default)]
pub struct Compared {
    /// Properties asked for, once for each search with reduction.
    pub questions: u64,
    /// Those that hold.
    pub hold: u64,
    /// Those that are violated.
    pub violated: u64,
    /// Those that hold and for which the reduction was on.
    pub reduced: u64,
    /// Of these, those that stored fewer states.
    pub smaller: u64,
    /// States that these stored.
    pub stored: u64,
    /// States without reduction.
    pub stored_without: u64,
    /// What differs.
    pub differences: Vec<String>,
}

impl Compared {
    /// Adds the counts of another one.
    pub fn add(&mut self, other: &Compared) {
        self.questions += other.questions;
        self.hold += other.hold;
        self.violated += other.violated;
        self.reduced += other.reduced;
        self.smaller += other.smaller;
        self.stored += other.stored;
        self.stored_without += other.stored_without;
    }
}

/// What lurcher says of one property.
#[derive(Debug)]
struct Answer {
    verdict: String,
    complete: bool,
    kinds: BTreeSet<String>,
    stored: u64,
    reduced: bool,
    unreached: Vec<String>,
}

const TIME: Duration = Duration::from_secs(60);

/// Asks with and without reduction.
pub fn compare(lurcher: &Path, question: &Question<'_>) -> Result<Compared, NotCompared> {
    let mut properties = vec!["--property", "safety", "--property", "non-progress", "--property", "acceptance"];
    for name in formulas(question.text) {
        properties.extend(["--property", name]);
    }
    question.invariants.iter().for_each(|e| properties.extend(["--invariant", e]));
    let without = ["--reduction", "none", "--all-errors", "--engine", "dfs"];
    let all = ask(lurcher, question, &[properties.as_slice(), &without].concat())?;
    let mut compared = Compared::default();
    let mut safety = vec!["--property", "safety"];
    question.invariants.iter().for_each(|e| safety.extend(["--invariant", e]));
    for (engine, properties) in [("dfs", &properties), ("bfs", &safety)] {
        match ask(lurcher, question, &[properties.as_slice(), &["--engine", engine]].concat()) {
            Ok(answers) => compared.judge(engine, &all, &answers),
            Err(NotCompared(why)) => compared.differences.push(format!("{engine} with reduction: {why}")),
        }
    }
    Ok(compared)
}

/// Names of the `ltl` blocks of a text.
fn formulas(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.lines().filter_map(|line| line.trim_start().strip_prefix("ltl "));
    let name = |rest: &'_ str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    blocks.map(move |rest| &rest[..name(rest)]).filter(|name| !name.is_empty())
}

impl Compared {
    fn judge(&mut self, engine: &str, all: &BTreeMap<String, Answer>, answers: &BTreeMap<String, Answer>) {
        for (name, answer) in answers {
            let Some(full) = all.get(name) else {
                self.differences.push(format!("{name} by {engine}: only asked with reduction"));
                continue;
            };
            if full.verdict == "inconclusive" {
                // Too large to be searched without reduction in the time allowed.
                continue;
            }
            self.questions += 1;
            let mut differ = |what: String| self.differences.push(format!("{name} by {engine}: {what}"));
            if full.verdict != answer.verdict {
                differ(format!("{} without reduction, {} with it", full.verdict, answer.verdict));
            } else if full.complete && !answer.kinds.is_subset(&full.kinds) {
                differ(format!("{:?} without reduction, {:?} with it", full.kinds, answer.kinds));
            } else if answer.verdict == "violated" {
                self.violated += 1;
            } else {
                self.hold += 1;
                if answer.stored > full.stored {
                    differ(format!("{} states, more than {}", answer.stored, full.stored));
                } else if name == "safety" && answer.unreached != full.unreached {
                    differ(format!("never executed: {:?}, not {:?}", answer.unreached, full.unreached));
                }
                if answer.reduced {
                    self.reduced += 1;
                    self.smaller += u64::from(answer.stored < full.stored);
                    self.stored += answer.stored;
                    self.stored_without += full.stored;
                }
            }
        }
    }
}

fn ask(lurcher: &Path, question: &Question<'_>, arguments: &[&str]) -> Result<BTreeMap<String, Answer>, NotCompared> {
    let folder = tempfile::tempdir().map_err(|e| NotCompared(e.to_string()))?;
    let mut command = Command::new(lurcher);
    command.arg("verify").arg(question.path).args(["--json", "--no-minimise", "--time", "20s", "--memory", "1G"]);
    command.args(question.message_loss.then_some("--message-loss")).args(arguments);
    let run = child::run_apart(&mut command, folder.path(), TIME).map_err(|e| NotCompared(e.to_string()))?;
    match run.ending {
        Ending::Exited(0 | 1) => {}
        Ending::Exited(2) => return Err(NotCompared("rejected".to_owned())),
        Ending::Exited(3) | Ending::TimedOut => return Err(NotCompared("too large".to_owned())),
        other => return Err(NotCompared(format!("{other:?}: {}", run.output.trim()))),
    }
    let json: Value = serde_json::from_str(&run.stdout).map_err(|e| NotCompared(format!("no JSON: {e}")))?;
    let several = json["results"].as_array().cloned();
    let mut answers = BTreeMap::new();
    for result in several.unwrap_or_else(|| vec![json]) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let answer = answers.entry(text(&result["property"]["name"])).or_insert_with(|| Answer {
            verdict: text(&result["verdict"]),
            complete: result["complete"] == true,
            kinds: BTreeSet::new(),
            stored: result["states"]["stored"].as_u64().unwrap_or(0),
            reduced: result["reduction"].is_string(),
            unreached: result["unreached"].as_array().into_iter().flatten().map(ToString::to_string).collect(),
        });
        answer.kinds.insert(text(&result["property"]["kind"]));
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violated(kinds: &[&str], complete: bool) -> BTreeMap<String, Answer> {
        let kinds = kinds.iter().map(|&k| k.to_owned()).collect();
        let answer =
            Answer { verdict: "violated".to_owned(), complete, kinds, stored: 1, reduced: true, unreached: Vec::new() };
        BTreeMap::from([("safety".to_owned(), answer)])
    }

    #[test]
    fn a_search_that_was_stopped_need_not_have_met_every_kind_of_violation() {
        let reduced = violated(&["fault"], true);
        for (complete, differences) in [(true, 1), (false, 0)] {
            let mut compared = Compared::default();
            compared.judge("dfs", &violated(&["assertion"], complete), &reduced);
            assert_eq!(compared.differences.len(), differences);
        }
    }

    #[test]
    fn formulas_are_found_by_name() {
        let text =
            "byte x;\nltl safe { [] (x == 0) }\n  ltl p1{ <> x }\n/* ltl is a word */ active proctype P() { skip }";
        assert_eq!(formulas(text).collect::<Vec<_>>(), ["safe", "p1"]);
    }
}
