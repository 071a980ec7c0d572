//! One model with partial-order reduction and without.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use lurcher_lab::peers::child::{Bounds, Ending};
use lurcher_lab::peers::lurcher;
use serde_json::Value;

/// A model and the properties that are compared.
pub struct Question<'q> {
    pub path: &'q Path,
    pub text: &'q str,
    /// Invariants besides the properties that the model states.
    pub invariants: &'q [String],
    /// Full channels lose messages.
    pub message_loss: bool,
}

/// The counts and differences of one model. A property counts once for each search with reduction.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Properties compared.
    pub questions: u64,
    pub hold: u64,
    pub violated: u64,
    /// Properties that hold and for which the reduction was on.
    pub reduced: u64,
    /// Of these, those with fewer stored states.
    pub smaller: u64,
    /// Their stored states with reduction.
    pub stored: u64,
    /// Their stored states without reduction.
    pub stored_without: u64,
    pub differences: Vec<String>,
}

impl Comparison {
    /// Adds the counts of another model.
    pub fn add(&mut self, other: &Comparison) {
        self.questions += other.questions;
        self.hold += other.hold;
        self.violated += other.violated;
        self.reduced += other.reduced;
        self.smaller += other.smaller;
        self.stored += other.stored;
        self.stored_without += other.stored_without;
    }
}

/// lurcher's answer about one property.
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

/// Compares a model; the error says why nothing was compared.
pub fn compare(lurcher: &Path, question: &Question<'_>) -> Result<Comparison, String> {
    let mut properties = vec!["--property", "safety", "--property", "non-progress", "--property", "acceptance"];
    for name in formulas(question.text) {
        properties.extend(["--property", name]);
    }
    question.invariants.iter().for_each(|e| properties.extend(["--invariant", e]));
    let without = ["--reduction", "none", "--all-errors", "--engine", "dfs"];
    let all = ask(lurcher, question, &[properties.as_slice(), &without].concat())?;
    let mut comparison = Comparison::default();
    let mut safety = vec!["--property", "safety"];
    question.invariants.iter().for_each(|e| safety.extend(["--invariant", e]));
    for (engine, properties) in [("dfs", &properties), ("bfs", &safety)] {
        match ask(lurcher, question, &[properties.as_slice(), &["--engine", engine]].concat()) {
            Ok(answers) => comparison.judge(engine, &all, &answers),
            Err(why) => comparison.differences.push(format!("{engine} with reduction: {why}")),
        }
    }
    Ok(comparison)
}

/// The names of the `ltl` formulas of a text.
fn formulas(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.lines().filter_map(|line| line.trim_start().strip_prefix("ltl "));
    let name = |rest: &'_ str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    blocks.map(move |rest| &rest[..name(rest)]).filter(|name| !name.is_empty())
}

impl Comparison {
    fn judge(&mut self, engine: &str, all: &BTreeMap<String, Answer>, answers: &BTreeMap<String, Answer>) {
        for (name, answer) in answers {
            let Some(full) = all.get(name) else {
                self.differences.push(format!("{name} by {engine}: only asked with reduction"));
                continue;
            };
            if full.verdict == "inconclusive" {
                // Too large without reduction.
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

fn ask(lurcher: &Path, question: &Question<'_>, arguments: &[&str]) -> Result<BTreeMap<String, Answer>, String> {
    let model = question.path.display().to_string();
    let mut all = vec!["verify", &model, "--no-minimise", "--time", "20s", "--memory", "1G"];
    all.extend(question.message_loss.then_some("--message-loss"));
    all.extend(arguments);
    let run = lurcher::run(lurcher, all, Bounds::time(TIME)).map_err(|e| e.to_string())?;
    match run.ending {
        Ending::Exited(0 | 1) => {}
        Ending::Exited(2) => return Err("rejected".to_owned()),
        Ending::Exited(3) | Ending::TimedOut => return Err("too large".to_owned()),
        other => return Err(format!("{other:?}: {}", run.output().trim())),
    }
    let json = lurcher::json(&run)?;
    let mut answers = BTreeMap::new();
    for result in lurcher::results(&json) {
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
    fn an_incomplete_search_need_not_have_every_kind_of_violation() {
        let reduced = violated(&["fault"], true);
        for (complete, differences) in [(true, 1), (false, 0)] {
            let mut comparison = Comparison::default();
            comparison.judge("dfs", &violated(&["assertion"], complete), &reduced);
            assert_eq!(comparison.differences.len(), differences);
        }
    }

    #[test]
    fn formulas_are_found_by_name() {
        let text =
            "byte x;\nltl safe { [] (x == 0) }\n  ltl p1{ <> x }\n/* ltl is a word */ active proctype P() { skip }";
        assert_eq!(formulas(text).collect::<Vec<_>>(), ["safe", "p1"]);
    }
}
