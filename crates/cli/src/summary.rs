//! Verdicts in words, and the table at the end of a run over several properties.

use lurcher::engines::{Counterexample, Report, StopReason, Verdict};
use lurcher::{Model, Outcome};
use lurcher_syntax::Span;
use serde_json::{Value, json};

use crate::terminal::Stream;
use crate::words;

/// What follows the verdict in the first line of a report: what is violated, what holds, or what was looked for.
pub fn headline(model: &Model, report: &Report, no_assertions: bool) -> String {
    if let Some(found) = report.counterexamples.first() {
        return violated(model, report, found);
    }
    let holds = report.verdict == Verdict::Holds;
    let no_assertions = no_assertions || report.name == "deadlock";
    let words = match (report.kind, holds) {
        ("safety", true) if report.name == "assertion" => "no failed assertion and no fault",
        ("safety", false) if report.name == "assertion" => "assertions, faults",
        ("safety", true) if no_assertions => "no invalid end state and no fault",
        ("safety", false) if no_assertions => "end states, faults",
        ("safety", true) => "no invalid end state, no failed assertion and no fault",
        ("safety", false) => "end states, assertions, faults",
        ("deadlock", true) => "no deadlock",
        ("non-progress", true) => "no non-progress cycle",
        ("non-progress", false) => "non-progress cycles",
        ("acceptance", true) => "no acceptance cycle",
        ("acceptance", false) => "acceptance cycles",
        _ => return with_formula(model, report),
    };
    words.to_owned()
}

/// The kind and the name of a property.
fn property(report: &Report) -> String {
    match report.kind {
        kind if kind == report.name => kind.to_owned(),
        "never" => format!("never claim {}", report.name),
        kind => format!("{kind} {}", report.name),
    }
}

/// The same with the formula, where the user gave it.
fn with_formula(model: &Model, report: &Report) -> String {
    let formula = report.place.and_then(|place| model.formula_at(place));
    formula.map_or_else(|| property(report), |formula| format!("{}: {formula}", property(report)))
}

/// What a counterexample violates. In the product with a claim that may be an assertion, or a fault.
fn violated(model: &Model, report: &Report, found: &Counterexample) -> String {
    let what = evidence(model, report, found).unwrap_or_else(|| with_formula(model, report));
    if is_own(report, found) { what } else { format!("{what}, met while {} was checked", with_formula(model, report)) }
}

/// What a counterexample shows, unless that is simply that the property is false.
fn evidence(model: &Model, report: &Report, found: &Counterexample) -> Option<String> {
    let at = found.place.map(|place| format!(" at {}", model.sources().short_place(place))).unwrap_or_default();
    Some(match found.kind {
        "deadlock" if report.kind == "safety" => "invalid end state (deadlock)".to_owned(),
        "assertion" => format!("assertion{at}"),
        "trace" => format!("event trace{at}"),
        "fault" => {
            let fault = found.message.split_once(": ").map_or("fault", |(fault, _)| fault);
            format!("{fault}{at}")
        }
        "non-progress" | "acceptance" => format!("{} cycle", found.kind),
        _ => return None,
    })
}

/// Whether a counterexample violates the property that was checked, and not an assertion on the way.
fn is_own(report: &Report, found: &Counterexample) -> bool {
    report.kind == "safety" || !matches!(found.kind, "assertion" | "fault" | "trace")
}

/// The counterexample that decides a property: the first of its own, else what was met first on the way.
fn deciding(report: &Report) -> Option<&Counterexample> {
    report.counterexamples.iter().find(|found| is_own(report, found)).or(report.counterexamples.first())
}

/// The verdict on the property itself: it is open where only an assertion or a fault on the way is known.
fn own_verdict(report: &Report) -> Verdict {
    let hidden = deciding(report).is_some_and(|found| !is_own(report, found));
    if hidden { Verdict::Inconclusive } else { report.verdict }
}

/// How to get the answer of a formula of which only a failed assertion is known.
pub fn own_answer(report: &Report) -> Option<String> {
    let hidden = deciding(report).is_some_and(|found| found.kind == "assertion" && !is_own(report, found));
    hidden.then(|| format!("{} itself is not decided; --no-assertions decides it", property(report)))
}

/// Whether a counterexample is an assertion or a fault that the trace of an earlier report shows.
pub fn is_shown(report: &Report, found: &Counterexample, earlier: &[Report]) -> bool {
    let same = |c: &Counterexample| c.kind == found.kind && c.place == found.place && c.place.is_some();
    !is_own(report, found) && earlier.iter().flat_map(|r| &r.counterexamples).any(same)
}

/// Why there is no proof.
pub fn reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Time => "the time was up",
        StopReason::Memory => "the memory was used up (--memory sets the limit)",
        StopReason::Depth => "the depth limit hides the rest (--depth sets it)",
        StopReason::Storage => "the storage is lossy, so states may have been left out",
        StopReason::Interrupted => "interrupted",
        StopReason::Prefixes => {
            "no finite prefix violates it, but cycles were not looked for (--engine dfs looks for them)"
        }
        StopReason::Frontier => "the open list was full, so states were left out (--frontier none keeps all)",
        StopReason::Trials => "the trials that were asked for are made",
        StopReason::Walks => "the walks that were asked for are made",
        StopReason::Window => "a clause reads more past events than states remember (--window sets how many)",
        StopReason::Numbers => "a number became too large",
        StopReason::Unsuited => "this engine cannot check it",
        StopReason::Saturation => "walks hardly see new states any more",
        _ => "stopped",
    }
}

/// Why a property is violated, beside its name.
fn refuted(model: &Model, report: &Report) -> String {
    let Some(found) = deciding(report) else { return String::new() };
    match evidence(model, report, found) {
        Some(what) if is_own(report, found) => what,
        Some(what) => format!("{what} comes first"),
        None => match found.kind {
            "invariant" => "false in a reachable state".to_owned(),
            "ctl" => "false in an initial state".to_owned(),
            "deadlock" => "a state without successors".to_owned(),
            "ltl" => "false of a run".to_owned(),
            "schedule" | "constraint" => "false at a reachable instant".to_owned(),
            "undefined" => "without a value at a reachable instant".to_owned(),
            _ => "a run is accepted".to_owned(),
        },
    }
}

/// A line of the table.
struct Row<'a> {
    property: &'a str,
    kind: &'static str,
    verdict: &'static str,
    reason: String,
    length: Option<u32>,
    engine: &'a str,
}

/// Why there is no report on a property.
fn left_out(outcome: &Outcome) -> &'static str {
    let stopped =
        outcome.reports.iter().map(|r| r.stop).find(|s| matches!(s, StopReason::Interrupted | StopReason::Memory));
    match stopped {
        Some(stop) if stop == StopReason::Interrupted || !outcome.is_violated() => reason(stop),
        _ => "not decided when the hunt ended at a violation",
    }
}

/// One line for each property, in the order in which they were asked for.
fn rows<'a>(model: &Model, outcome: &'a Outcome) -> Vec<Row<'a>> {
    let place = |span: Span| (span != Span::default()).then_some(span);
    let row = |property: &'a lurcher_ir::Property| {
        let mut reports = outcome.reports.iter();
        let report = reports.find(|r| r.name == property.name && r.place == place(property.span));
        let reason = match report {
            None => left_out(outcome).to_owned(),
            Some(report) => match report.verdict {
                Verdict::Violated => refuted(model, report),
                Verdict::Holds => "the search was complete".to_owned(),
                Verdict::Inconclusive => reason(report.stop).to_owned(),
            },
        };
        Row {
            property: &property.name,
            kind: property.kind.name(),
            verdict: report.map_or(Verdict::Inconclusive, own_verdict).name(),
            reason,
            length: report.and_then(deciding).map(|c| c.trace.length()),
            engine: report.filter(|r| r.stop != StopReason::Unsuited).map_or("", |r| &r.engine),
        }
    };
    outcome.asked.iter().map(row).collect()
}

/// The table of a run over several properties.
pub fn table(model: &Model, outcome: &Outcome) -> String {
    if outcome.asked.len() < 2 {
        return String::new();
    }
    let head = ["property", "verdict", "reason", "length", "engine"].map(str::to_owned).to_vec();
    let line = |row: &Row<'_>| {
        let length = row.length.map(|n| n.to_string()).unwrap_or_default();
        vec![row.property.to_owned(), row.verdict.to_owned(), row.reason.clone(), length, row.engine.to_owned()]
    };
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(rows(model, outcome).iter().map(line)).collect();
    let width = Stream::report().form().width;
    format!("\n{}\n", words::fitted(&lines, 3, &[2, 4, 3], width).concat().join("\n"))
}

/// The same for machines; nothing for a run over one property.
pub fn objects(model: &Model, outcome: &Outcome) -> Option<Value> {
    let object = |row: Row<'_>| {
        json!({
            "name": row.property, "kind": row.kind, "verdict": row.verdict, "reason": row.reason,
            "length": row.length, "engine": Some(row.engine).filter(|e| !e.is_empty()),
        })
    };
    (outcome.asked.len() > 1).then(|| rows(model, outcome).into_iter().map(object).collect())
}
