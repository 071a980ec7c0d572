//! End states, assertions and faults, without claims and without reduction.

use std::fs;

use super::trails::{self, Suspect};
use super::{Aim, Row};
use crate::peers::bench::{Bench, NoResult};
use crate::peers::facts::Facts;
use crate::peers::header::Header;
use crate::peers::kind::{Kind, Kinds};
use crate::peers::lurcher::{self, Answer, NoAnswer, Question};
use crate::peers::pan::{PanRun, SAFETY, SAFETY_BFS, SAFETY_MERGED};
use crate::peers::trail::Trail;

/// Compares counts, verdicts and trails.
pub fn compare(bench: &mut Bench<'_>, facts: &Facts, header: &Header, aim: &Aim) -> Result<Row, NoResult> {
    let mut row = Row::new("safety");
    let run = bench.pan(SAFETY, &["-c0"])?;
    row.spin = run.kinds();
    row.stored = run.count().filter(|_| !facts.hidden && !header.uncountable());
    if row.stored.is_none() {
        row.notes.push(uncounted(&run, facts).to_owned());
    }
    if run.output.stored.is_some_and(|stored| stored > bench.limits.states) {
        return Err(NoResult::TooBig(format!("more than {} states", bench.limits.states)));
    }
    let spin = spin_trails(bench, facts, &row.spin, aim)?;
    if !aim.asks_lurcher("safety") {
        trails::own(bench, &mut row, &spin)?;
        return Ok(row);
    }
    for engine in ["dfs", "bfs"] {
        let question =
            Question::safety().with("--reduction").with("none").with("--all-errors").with("--engine").with(engine);
        let answer = lurcher::verify(bench, &question)?;
        whole_search(&mut row, engine, &answer, run.derails());
    }
    let ways = [
        ("first dfs", Question::safety().with("--reduction").with("none").with("--engine").with("dfs")),
        ("first bfs", Question::safety().with("--reduction").with("none").with("--engine").with("bfs")),
        ("default", Question::safety()),
    ];
    for (name, question) in ways {
        one_violation(bench, &mut row, name, question, &spin)?;
    }
    trails::theirs(bench, &mut row, "safety", &spin)?;
    Ok(row)
}

fn uncounted(run: &PanRun, facts: &Facts) -> &'static str {
    match run {
        _ if facts.hidden => "no count: hidden variables",
        _ if run.derails() => "no count: pan stops at a fault",
        _ => "no count: the header says so",
    }
}

/// A search past all errors: the same kinds of violation, the same number of states.
fn whole_search(row: &mut Row, engine: &str, answer: &Result<Answer, NoAnswer>, derails: bool) {
    let spin = row.spin.clone();
    match answer {
        // Where pan dies of its first fault, a search past all errors may be too much to ask.
        Err(NoAnswer(words)) if spin.has(Kind::Fault) && words.starts_with("TimedOut") => {
            row.notes.push(format!("{engine} --all-errors takes too long"));
        }
        Err(NoAnswer(words)) => {
            row.lurcher.clone_from(words);
            row.differ(&format!("verdict {engine}"), spin, words);
        }
        Ok(answer) => {
            row.lurcher = answer.kinds.to_string();
            if !agrees(&spin, &answer.kinds, derails) {
                row.differ(&format!("verdict {engine}"), &spin, &answer.kinds);
            }
            if let Some(stored) = row.stored
                && answer.stored != Some(stored)
            {
                let ours = answer.stored.map_or_else(|| "no count".to_owned(), |count| count.to_string());
                row.differ(&format!("stored {engine}"), stored, ours);
            }
        }
    }
}

/// Most faults end what `pan` can tell: it may die of it, stop at it, or go on with nonsense. Then only the fault counts.
/// Past a choice of a `D_proctype` it goes on; where that choice is an assertion that fails, lurcher reports the assertion.
fn agrees(spin: &Kinds, lurcher: &Kinds, derails: bool) -> bool {
    if derails {
        return lurcher.has(Kind::Fault);
    }
    let mut failed_choices = lurcher.clone();
    failed_choices.0.insert(Kind::Fault);
    spin == lurcher || (spin.has(Kind::Assertion) && spin.has(Kind::Fault) && *spin == failed_choices)
}

/// Spin's own trails: the first few errors unmerged, the first one merged and reduced, a shortest one.
fn spin_trails(bench: &mut Bench<'_>, facts: &Facts, kinds: &Kinds, aim: &Aim) -> Result<Vec<Suspect>, NoResult> {
    let mut suspects = Vec::new();
    if kinds.holds() || !aim.covers("safety") {
        return Ok(suspects);
    }
    let mut add = |way: &'static str, run: Result<PanRun, NoResult>| {
        // These runs only serve to get trails: one that cannot be had is one trail fewer. An error that the reference
        // does not know is about the reduction ("partial order reduction invalid"), not about the model.
        let trails = run.map(|run| run.trails).unwrap_or_default();
        let known = trails.into_iter().filter(|(_, kind)| kinds.has(*kind));
        suspects.extend(up_to_fault(known.map(|(path, kind)| Suspect { way, path, kind }).collect()));
    };
    add("unmerged", bench.pan(SAFETY, &["-e", "-c4"]));
    if *aim == Aim::SpinOnly {
        return Ok(suspects);
    }
    add("merged", bench.pan(SAFETY_MERGED, &["-c1"]));
    if !facts.rendezvous {
        add("bfs", bench.pan(SAFETY_BFS, &["-c1"]));
    }
    for suspect in suspects.iter().filter(|suspect| suspect.way == "bfs" && suspect.kind == Kind::Deadlock) {
        // Breadth first, pan adds a step to a deadlock: the last one it tried, which failed.
        let mut trail = Trail::read(&fs::read_to_string(&suspect.path)?);
        trail.steps.pop();
        fs::write(&suspect.path, trail.to_string())?;
    }
    Ok(suspects)
}

/// Past its first fault `pan` goes on with a state that means nothing, and so do its trails.
fn up_to_fault(mut suspects: Vec<Suspect>) -> Vec<Suspect> {
    if let Some(first) = suspects.iter().position(|suspect| suspect.kind == Kind::Fault) {
        suspects.truncate(first + 1);
    }
    suspects
}

/// A search for one violation: the same verdict, a kind that Spin too knows, a trail that Spin follows.
fn one_violation(
    bench: &mut Bench<'_>,
    row: &mut Row,
    name: &str,
    question: Question,
    spin: &[Suspect],
) -> Result<(), NoResult> {
    let path = bench.new_trail();
    let answer = match lurcher::verify(bench, &question.trail(path.clone()))? {
        Ok(answer) => answer,
        Err(NoAnswer(words)) => {
            let spin = row.spin.clone();
            row.differ(&format!("verdict {name}"), spin, words);
            return Ok(());
        }
    };
    let known = match answer.first {
        None => row.spin.holds(),
        Some(kind) => row.spin.has(kind) || row.spin.has(Kind::Fault),
    };
    if !known {
        let spin = row.spin.clone();
        row.differ(&format!("verdict {name}"), spin, &answer.kinds);
        return Ok(());
    }
    if name == "first bfs" {
        row.shortest = answer.length;
        not_longer(row, &answer, spin)?;
    }
    if answer.first.is_some() {
        trails::ours(bench, row, name, &path, &answer, spin)?;
    }
    Ok(())
}

/// A trace said to be as short as can be is not longer than any trail of Spin's, statement by statement.
fn not_longer(row: &mut Row, answer: &Answer, spin: &[Suspect]) -> Result<(), NoResult> {
    for suspect in spin.iter().filter(|suspect| answer.optimal && suspect.way != "merged") {
        let length = Trail::read(&fs::read_to_string(&suspect.path)?).length();
        if answer.length.is_some_and(|ours| ours > length) {
            row.differ("shortest", length, format!("{:?}", answer.length));
            break;
        }
    }
    Ok(())
}
