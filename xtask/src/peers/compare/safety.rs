//! End states, assertions and faults, without claims.

use std::fs;

use lurcher_lab::peers::lurcher::Answer;
use lurcher_lab::peers::spin::NoResult;
use lurcher_lab::peers::{Header, ViolationKind, ViolationKinds};

use super::Row;
use super::trails::{self, SpinTrail};
use crate::peers::case::{Build, Case, PanRun};
use crate::peers::features::Features;

const MACROS: [&str; 2] = ["SAFETY", "NOCLAIM"];

/// Compares counts, verdicts and trails; unless `wanted`, only runs Spin.
pub fn compare(case: &mut Case<'_>, features: &Features, header: &Header, wanted: bool) -> Result<Row, NoResult> {
    let mut row = Row::new("safety");
    let run = case.pan(&Build::plain(&MACROS), "-c0")?;
    row.spin = run.kinds();
    row.stored = run.count().filter(|_| !features.hidden && !header.is_uncountable());
    if row.stored.is_none() {
        row.note(match () {
            () if features.hidden => "no count: hidden variables",
            () if run.derails() => "no count: pan stops at a fault",
            () => "no count: the header says so",
        });
    }
    if run.output.stored.is_some_and(|stored| stored > case.limits.states) {
        return Err(NoResult::TooBig(format!("more than {} states", case.limits.states)));
    }
    if !wanted {
        return Ok(row);
    }
    let spin = spin_trails(case, features, &row.spin)?;
    let unreduced = |engine| format!("--no-claims --reduction none --engine {engine}");
    for engine in ["dfs", "bfs"] {
        let answer = case.verify(&(unreduced(engine) + " --all-errors"), None)?;
        compare_all_errors(&mut row, engine, answer, run.derails());
    }
    for (name, arguments) in
        [("first dfs", unreduced("dfs")), ("first bfs", unreduced("bfs")), ("default", "--no-claims".to_owned())]
    {
        compare_first_error(case, &mut row, name, &arguments, &spin)?;
    }
    trails::follow_spin(case, &mut row, "safety", &spin)?;
    Ok(row)
}

/// A search for all errors: the same kinds of violation, the same number of states.
fn compare_all_errors(row: &mut Row, engine: &str, answer: Result<Answer, String>, derails: bool) {
    match answer {
        // Where pan stops at its first fault, a search for all errors may take too long.
        Err(words) if row.spin.has(ViolationKind::Fault) && words.starts_with("TimedOut") => {
            row.note(format!("{engine} --all-errors takes too long"));
        }
        Err(words) => {
            row.lurcher.clone_from(&words);
            row.differ_in_verdict(engine, words);
        }
        Ok(answer) => {
            row.lurcher = answer.kinds.to_string();
            if !agrees(&row.spin, &answer.kinds, derails) {
                row.differ_in_verdict(engine, &answer.kinds);
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

/// After most faults `pan` crashes, stops or continues with meaningless states; then only the fault counts. After a choice in a
/// `D_proctype` it continues; where that choice is a failing assertion, lurcher reports the assertion.
fn agrees(spin: &ViolationKinds, lurcher: &ViolationKinds, derails: bool) -> bool {
    if derails {
        return lurcher.has(ViolationKind::Fault);
    }
    let mut failed_choices = lurcher.clone();
    failed_choices.0.insert(ViolationKind::Fault);
    spin == lurcher || (spin.has(ViolationKind::Assertion) && *spin == failed_choices)
}

/// Spin's trails: the first few errors unmerged, the first one merged and reduced, a shortest one.
fn spin_trails(case: &mut Case<'_>, features: &Features, kinds: &ViolationKinds) -> Result<Vec<SpinTrail>, NoResult> {
    let mut all = Vec::new();
    if kinds.holds() {
        return Ok(all);
    }
    let mut add = |origin: &'static str, run: Result<PanRun, NoResult>| {
        // A run without a result is one trail fewer. A kind of error that the reference does not have is about the
        // reduction ("partial order reduction invalid").
        let trails = run.map(|run| run.trails).unwrap_or_default();
        let known = trails.into_iter().filter(|(_, kind)| kinds.has(*kind));
        let mut found: Vec<_> = known.map(|(path, kind)| SpinTrail { origin, path, kind }).collect();
        // After its first fault the states of `pan` are meaningless.
        if let Some(first) = found.iter().position(|trail| trail.kind == ViolationKind::Fault) {
            found.truncate(first + 1);
        }
        all.extend(found);
    };
    add("unmerged", case.pan(&Build::plain(&MACROS), "-e -c4"));
    add("merged", case.pan(&Build::reduced(&MACROS), "-c1"));
    if !features.rendezvous {
        add("bfs", case.pan(&Build::plain(&["BFS", "NOCLAIM"]), "-c1"));
    }
    for trail in all.iter().filter(|trail| trail.origin == "bfs" && trail.kind == ViolationKind::Deadlock) {
        // In breadth-first search, pan adds the last step that it tried, and that failed, to a deadlock.
        fs::write(&trail.path, trail.read()?.without_last().to_string())?;
    }
    Ok(all)
}

/// A search for one violation: the same verdict, a kind that Spin finds too, a trail that Spin follows.
fn compare_first_error(
    case: &mut Case<'_>,
    row: &mut Row,
    name: &str,
    arguments: &str,
    spin: &[SpinTrail],
) -> Result<(), NoResult> {
    let path = case.new_trail();
    let answer = match case.verify(arguments, Some(&path))? {
        Ok(answer) => answer,
        Err(words) => {
            row.differ_in_verdict(name, words);
            return Ok(());
        }
    };
    let known = match answer.first {
        None => row.spin.holds(),
        Some(kind) => row.spin.has(kind) || row.spin.has(ViolationKind::Fault),
    };
    if !known {
        row.differ_in_verdict(name, &answer.kinds);
        return Ok(());
    }
    if name == "first bfs" {
        row.shortest = answer.length;
        // A shortest trace is no longer than any unmerged trail of Spin.
        for trail in spin.iter().filter(|trail| answer.optimal && trail.origin != "merged") {
            let length = trail.read()?.length();
            if answer.length.is_some_and(|ours| ours > length) {
                row.differ("shortest", length, format!("{:?}", answer.length));
                break;
            }
        }
    }
    if answer.first.is_some() {
        trails::follow_ours(case, row, name, &path, &answer, spin)?;
    }
    Ok(())
}
