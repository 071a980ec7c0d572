//! Searches SMV models breadth first and holds the result against what their headers say: reachable states, deadlock,
//! invariants with their shortest violations. Every run is judged by the oracle.
//!
//! `cargo run --release -p lurcher-search --example smv_models -- [--time SECONDS] FILE...`

use std::time::{Duration, Instant};

use lurcher_ir::relation::{Relation, SpecificationKind, TermId};
use lurcher_search::{
    Budget, FoundKind, LurchPlan, RelationMachines, RelationSpace, RelationSubject, StopReason, bfs, lurch,
};
use lurcher_smv::{lower, parse};
use lurcher_syntax::{Severity, SourceMap};
use lurcher_system::Path;
use lurcher_system::relation::Oracle;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut seconds = 20;
    if arguments.first().is_some_and(|a| a == "--time") {
        seconds = arguments[1].parse().expect("seconds");
        arguments.drain(..2);
    }
    for name in &arguments {
        let text = std::fs::read_to_string(name).expect("a file that can be read");
        let mut sources = SourceMap::new();
        let main = sources.add(name.as_str(), text.clone());
        let parsed = parse(&sources, main);
        let parses = parsed.diagnostics.iter().all(|d| d.severity != Severity::Error);
        let relation = if parses { lower(&sources, &parsed.file, &[]).0 } else { None };
        match relation {
            None => println!("REFUSED {name}"),
            Some(relation) => search(name, &text, &relation, seconds),
        }
    }
}

/// What the header says after a key.
fn header<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|l| l.strip_prefix("-- ")?.strip_prefix(key)?.strip_prefix(": "))
}

fn invariants(relation: &Relation) -> Vec<(&str, TermId)> {
    let each = relation.specifications.iter().filter_map(|s| match s.kind {
        SpecificationKind::Invariant(term) => Some((s.name.as_str(), term)),
        _ => None,
    });
    each.collect()
}

fn is_run(relation: &Relation, run: &Path<Vec<i64>>) -> bool {
    let oracle = Oracle::new(relation);
    oracle.is_initial(&run.steps[0]) && run.steps.windows(2).all(|w| oracle.steps(&w[0], &w[1]).next().is_some())
}

fn search(name: &str, text: &str, relation: &Relation, seconds: u64) {
    let invariants = invariants(relation);
    let terms: Vec<TermId> = invariants.iter().map(|i| i.1).collect();
    let deadline = Some(Instant::now() + Duration::from_secs(seconds));
    let budget = Budget { all_errors: true, deadline, memory: Some(2 << 30), ..Budget::default() };
    let began = Instant::now();
    let mut space = RelationSpace::new(relation, &terms, true, &budget);
    let compiled = began.elapsed();
    let outcome = bfs(&mut space, &budget, &mut ());
    let mut remarks = Vec::new();
    let complete = outcome.stop == StopReason::Complete;
    let stored = outcome.stats.stored.to_string();
    let expected = header(text, "reachable states");
    if complete && expected.is_some_and(|e| e.split(' ').next() != Some(&stored)) {
        remarks.push(format!("expected {} states", expected.unwrap_or("?")));
    }
    for found in &outcome.found {
        let run = space.run_of(found);
        if !is_run(relation, &run) {
            remarks.push(format!("{:?}: NOT A RUN", found.kind));
        }
        if let FoundKind::Watched(index) = found.kind {
            let name = invariants[index as usize].0;
            let said = header(text, &format!("property {name}")).unwrap_or("nothing");
            if said != format!("violated, shortest {}", run.length()) {
                remarks.push(format!("{name}: shortest {}, the header says {said}", run.length()));
            }
        }
    }
    for (index, (name, _)) in invariants.iter().enumerate() {
        let found = outcome.found.iter().any(|f| f.kind == FoundKind::Watched(index as u32));
        let said = header(text, &format!("property {name}")).unwrap_or("nothing");
        if complete && !found && said != "holds" {
            remarks.push(format!("{name}: holds, the header says {said}"));
        }
    }
    let deadlock = outcome.found.iter().find(|f| f.kind == FoundKind::Deadlock);
    let said = header(text, "deadlock").unwrap_or("nothing");
    if complete && (said == "none") == deadlock.is_some() {
        remarks.push(format!("deadlock {}, the header says {said}", deadlock.is_some()));
    }
    let subject = RelationSubject { invariants: terms, deadlock: true, fair: false };
    let plan = LurchPlan { paths: Some(2000), ..LurchPlan::default() };
    let soon = Budget { deadline: Some(Instant::now() + Duration::from_secs(5)), ..Budget::default() };
    let report = lurch(&mut RelationMachines::new(relation, &subject), &plan, &soon, &mut ());
    if complete && report.found.len() > outcome.found.len() || report.found.iter().any(|f| !is_run(relation, &f.run)) {
        remarks.push("lurch found what is not there".to_owned());
    }
    println!(
        "{:<9} {stored:>9} states, {:>2} violations (lurch {:>2}), compiled {:5.1} ms, {:6.2} s  {}  {}",
        outcome.stop.name(),
        outcome.found.len(),
        report.found.len(),
        compiled.as_secs_f64() * 1e3,
        began.elapsed().as_secs_f64(),
        name.rsplit('/').next().unwrap_or(name),
        remarks.join("; ")
    );
}
