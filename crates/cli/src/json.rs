//! The JSON contract.

use std::time::Duration;

use lurcher::Model;
use lurcher::engines::{Counterexample, Report, StopReason, WalkReport};
use lurcher_syntax::Span;
use serde_json::{Value, json};

use crate::outcome::Run;

/// One object for a run: the first result, and all of them under `results` when there are several.
pub fn reports(run: &Run<'_>, model: &Model, reports: &[Report]) -> Value {
    let mut results: Vec<Value> = Vec::new();
    for report in reports {
        if report.counterexamples.is_empty() {
            results.push(result(run, model, report, None));
        }
        for (i, counterexample) in report.counterexamples.iter().enumerate() {
            let mut object = result(run, model, report, Some(counterexample));
            let file = run.args.traces.trace.as_ref().or(run.args.traces.trail.as_ref());
            if i == 0
                && results.is_empty()
                && let Some(file) = file
            {
                object["trace"]["file"] = json!(file.display().to_string());
            }
            results.push(object);
        }
    }
    let mut first = results.first().cloned().unwrap_or_else(|| json!({}));
    if results.len() > 1 {
        first["results"] = Value::Array(results);
    }
    first
}

fn place(model: &Model, span: Option<Span>) -> Value {
    span.map_or(Value::Null, |s| json!(model.sources().place(s)))
}

fn result(run: &Run<'_>, model: &Model, report: &Report, counterexample: Option<&Counterexample>) -> Value {
    let property = match counterexample {
        Some(c) => json!({
            "kind": c.kind, "name": report.name, "where": place(model, c.place.or(report.place)),
            "message": c.message, "count": c.count,
        }),
        None => json!({ "kind": report.kind, "name": report.name, "where": place(model, report.place) }),
    };
    let trace = counterexample.map(|c| {
        let mut trace = json!({
            "length": c.trace.length(), "found_length": c.found_length, "optimal": c.shortest,
            "cycle_start": c.trace.cycle_start(), "file": null,
        });
        if let Some((participants, processes)) = c.trace.processes().map(|t| t.participants) {
            trace["participants"] = json!(participants);
            trace["processes"] = json!(processes);
            trace["pep"] = json!(participants as f64 / processes.max(1) as f64);
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
        "property": property,
        "engine": report.engine,
        "reduction": report.reduction, "guide": report.guide,
        "exec": report.executor,
        "storage": { "kind": report.storage.name(), "omission_probability": report.omission },
        "walks": report.walks.as_ref().map_or(0, |w| w.walks),
        "steps": report.stats.transitions,
        "states": {
            "stored": report.stats.stored, "matched": report.stats.matched,
            "transitions": report.stats.transitions, "depth": report.stats.depth,
            "reachable": reachable,
        },
        "trace": trace,
        "time": {
            "load": seconds(run.load), "compile": seconds(report.times.compile), "guide": seconds(report.times.guide),
            "search": seconds(report.times.search),
            "minimise": seconds(report.times.minimise), "total": seconds(run.started.elapsed()),
        },
        "memory_bytes": report.stats.memory,
        "hunt": report.walks.as_ref().map(walks),
        "sets": report.sets.as_ref().map(|s| json!({
            "reachable": s.reachable.as_ref().map(ToString::to_string), "nodes": s.nodes,
        })),
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
