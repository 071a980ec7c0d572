//! The JSON contract.

use std::time::Duration;

use lurcher::engines::{Counterexample, Report, StopReason, WalkReport};
use lurcher::formats::{self, Atomic, Change, Document, StepView};
use lurcher::{Model, Outcome};
use lurcher_resources::ResourceLimits;
use lurcher_syntax::Span;
use serde_json::{Map, Value, json};

use crate::args::Export;
use crate::outcome::{Run, is_stdout};
use crate::summary;

/// One object for a run: the first result, all of them under `results` when there are several, and a line for each property
/// under `properties` when several were asked for. `written` says whether the trace is in the files that were asked for.
pub fn reports(run: &Run<'_>, model: &Model, outcome: &Outcome, written: bool) -> Value {
    let exports = if written { run.args.traces.exports() } else { Vec::new() };
    let mut results: Vec<Value> = Vec::new();
    for report in &outcome.reports {
        if report.counterexamples.is_empty() {
            results.push(result(run, model, report, None, &[]));
        }
        for (i, counterexample) in report.counterexamples.iter().enumerate() {
            // The first counterexample is the one that is written.
            let exports: &[Export] = if i == 0 && results.is_empty() { &exports } else { &[] };
            results.push(result(run, model, report, Some(counterexample), exports));
        }
    }
    let mut first = results.first().cloned().unwrap_or_else(|| json!({}));
    if results.len() > 1 {
        first["results"] = Value::Array(results);
    }
    if let Some(properties) = summary::objects(model, outcome) {
        first["properties"] = properties;
    }
    first
}

/// The most steps of a trace that one JSON document has; those in the middle of longer ones are left out.
const MOST_STEPS: usize = 10_000;

/// Adds the steps of a trace to its object, and the whole trace as `--trace` writes it where that is to go to standard output;
/// neither where there is no time left for them.
pub fn add_steps(trace: &mut Value, document: &Document<'_>, exports: &[Export]) {
    let Ok(steps) = ResourceLimits::current().bound(|| document.steps(Some(MOST_STEPS))) else {
        trace["steps"] = Value::Null;
        trace["steps_left_out"] = trace["length"].clone();
        return;
    };
    let step = |step: &StepView| {
        let changes: Map<String, Value> =
            step.changes.iter().cloned().map(Change::pair).map(|(name, value)| (name, json!(value))).collect();
        json!({
            "step": step.number, "process": step.process, "action": step.action, "where": step.place,
            "printed": step.printed, "changes": changes, "in_cycle": step.in_cycle,
            "atomic": step.atomic != Atomic::Outside,
        })
    };
    trace["steps"] = steps.iter().map(step).collect();
    let gaps = steps.windows(2).map(|pair| pair[1].number - pair[0].number - 1);
    trace["steps_left_out"] = json!(gaps.sum::<u32>());
    if exports.iter().any(|(_, path)| is_stdout(path)) {
        let render = || formats::format("json").and_then(|format| format.render(document).ok());
        let text = ResourceLimits::current().bound(render).unwrap_or_default();
        trace["document"] = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    }
}

fn place(model: &Model, span: Option<Span>) -> Value {
    span.map_or(Value::Null, |s| json!(model.sources().place(s)))
}

fn result(
    run: &Run<'_>,
    model: &Model,
    report: &Report,
    counterexample: Option<&Counterexample>,
    exports: &[Export],
) -> Value {
    let property = match counterexample {
        Some(c) => json!({
            "kind": c.kind, "name": report.name, "where": place(model, c.place.or(report.place)),
            "message": c.message, "count": c.count,
        }),
        None => json!({ "kind": report.kind, "name": report.name, "where": place(model, report.place) }),
    };
    let trace = counterexample.map(|c| {
        let file = exports.iter().find(|(format, _)| *format == "json").or(exports.first());
        let file = file.map(|(_, path)| path.display().to_string());
        let mut trace = json!({
            "length": c.trace.length(), "found_length": c.found_length, "optimal": c.shortest,
            "cycle_start": c.trace.cycle_start(), "file": file,
        });
        if let Some((participants, processes)) = c.trace.processes().map(|t| t.participants) {
            trace["participants"] = json!(participants);
            trace["processes"] = json!(processes);
            trace["pep"] = json!(participants as f64 / processes.max(1) as f64);
        }
        let name = run.args.common.model.display().to_string();
        if let Some(document) = Document::new(model, &name, &report.name, &c.trace) {
            add_steps(&mut trace, &document, exports);
        }
        trace
    });
    let seconds = |d: Duration| d.as_secs_f64();
    let reachable = report.sets.as_ref().and_then(|sets| sets.reachable.as_ref());
    let reachable =
        reachable.map(|count| count.exact().map_or_else(|| format!("{:e}", count.rounded()), |n| n.to_string()));
    json!({
        "tool": "lurcher",
        "version": env!("CARGO_PKG_VERSION"),
        "model": run.args.common.model.display().to_string(),
        "seed": run.args.common.seed,
        "verdict": report.verdict.name(),
        "stop_reason": report.stop.name(),
        "complete": report.stop == StopReason::Complete,
        "unconfirmed_violation": report.unconfirmed,
        "property": property,
        "engine": report.engine,
        "reduction": report.reduction, "guide": report.guide,
        "guide_range": report.guide_range,
        "exec": report.executor,
        "storage": { "kind": report.storage.name(), "omission_probability": report.omission },
        "walks": report.walks.as_ref().map(|w| w.walks).or(report.curve.as_ref().map(|c| c.paths)).unwrap_or(0),
        "steps": report.stats.transitions,
        "states": {
            "stored": report.stats.stored, "matched": report.stats.matched,
            "transitions": report.stats.transitions, "expanded": report.stats.expanded, "depth": report.stats.depth,
            "reachable": reachable,
        },
        "trace": trace,
        "time": {
            "load": seconds(run.load), "compile": seconds(report.times.compile), "guide": seconds(report.times.guide),
            "search": seconds(report.times.search),
            "minimise": seconds(report.times.minimise), "total": seconds(run.started.elapsed()),
        },
        "memory_bytes": report.stats.memory,
        "trials": report.trials.as_ref().map(|t| json!({
            "made": t.made, "cut": t.cut, "decided_by": t.decided_by,
        })),
        "hunt": report.walks.as_ref().map(walks),
        "sets": report.sets.as_ref().map(|s| json!({
            "reachable": s.reachable.as_ref().map(ToString::to_string), "nodes": s.nodes,
        })),
        "polyhedra": report.polyhedra.map(|p| json!({ "nodes": p.nodes, "most": p.most, "window": p.window })),
        "lurch": report.curve.as_ref().map(|c| json!({
            "paths": c.paths, "full": c.full, "curve": c.points,
            "found_after": c.found_after.map(|(steps, time)| json!({"steps": steps, "seconds": seconds(time)})),
        })),
        "remarks": report.remarks,
        "unreached": unreached(model, report),
    })
}

/// The statements that were never executed.
fn unreached(model: &Model, report: &Report) -> Vec<Value> {
    let (Some(processes), Some(coverage)) = (model.processes(), &report.coverage) else { return Vec::new() };
    let unreached = coverage.unreached(processes).into_iter();
    unreached
        .flat_map(|(id, actions)| actions.into_iter().map(move |a| (id, a)))
        .map(|(id, a)| {
            let process = &processes.process_type(id).name;
            json!({ "process": process, "where": model.sources().place(a.span), "statement": a.text })
        })
        .collect()
}

/// What the walks of a hunt came to.
fn walks(walks: &WalkReport) -> Value {
    let members: Vec<Value> = walks
        .members
        .iter()
        .map(|m| {
            json!({
                "name": m.name, "walks": m.walks, "steps": m.steps, "new_states": m.new_states, "best": m.best,
            })
        })
        .collect();
    let bounds: Vec<Value> = walks
        .bounds
        .iter()
        .map(|b| {
            json!({
                "member": b.member, "depth": b.depth, "walks": b.walks,
                "probability": b.probability, "confidence": b.confidence,
            })
        })
        .collect();
    json!({
        "winner": walks.winner, "unit": walks.unit, "units": walks.units, "tries": walks.tries,
        "depth": walks.depth, "walks_looked_at": walks.looked_walks,
        "distinct_states": walks.distinct, "distinct_is_exact": walks.exact,
        "new_states_per_walk": walks.new_states_per_walk,
        "new_state_probability": walks.new_states_per_walk.map(|n| n.min(1.0)),
        "bounds": bounds, "members": members,
    })
}
