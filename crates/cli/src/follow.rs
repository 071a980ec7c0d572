//! `replay`: executing a trace again.

use std::io::Write;

use anyhow::{Result, anyhow, bail};
use lurcher::engines::{ProcessTrace, Trace};
use lurcher::formats::Document;
use lurcher::{Model, Question};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::Prepared;
use lurcher_system::{Interpreter, Limits};
use lurcher_trace::{Evidence, ReplayError, Replayed, Trail, judge, read_json, read_trail, readings};
use serde_json::json;

use crate::Exit;
use crate::args::{CommonArgs, ReplayArgs};
use crate::{input, outcome, relation};

/// `lurcher replay`.
pub fn replay(args: &ReplayArgs) -> Result<Exit> {
    let mut model = input::read_model(&args.common)?;
    if model.relation().is_some() {
        return relation::replay(args, model);
    }
    let (trail, stated) = read(&args.trace)?;
    let wanted = args.property.clone().or(stated);
    let (replayed, evidence, property) = match find_evidence(&args.common, &mut model, &trail, wanted.as_deref())? {
        Ok(found) => found,
        Err(error) => bail!("{} does not replay: {error}", args.trace.display()),
    };
    let prepared = prepared(&args.common, processes(&model), &property)?;
    let interpreter = interpreter(&args.common, processes(&model), prepared.limits().with_claim);
    let trace = Trace::Processes(Box::new(ProcessTrace::new(&interpreter, replayed, evidence)));
    let name = args.common.model.display().to_string();
    let document = Document::new(&model, &name, &property.name, &trace).expect("a trace of this model");
    outcome::export(&document, &args.exports())?;
    let ProcessTrace { replayed, evidence, .. } = trace.processes().expect("a trace of a process model");
    let violated = *evidence != Evidence::None;
    let mut out = std::io::stdout().lock();
    if args.common.json {
        let object = json!({
            "tool": "lurcher",
            "version": env!("CARGO_PKG_VERSION"),
            "model": name,
            "verdict": if violated { "violated" } else { "inconclusive" },
            "replayed": true,
            "property": { "kind": kind(evidence, &property), "name": property.name },
            "trace": { "length": replayed.length(), "cycle_start": replayed.path.cycle_start },
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
    } else {
        write!(out, "{}", document.text())?;
        let said = match evidence {
            Evidence::AcceptingCycle => format!("the cycle violates {}", property.name),
            Evidence::None => "the trace replays and violates nothing".to_owned(),
            _ => format!("the trace replays and shows a violation of {}", property.name),
        };
        writeln!(out, "{said}")?;
    }
    Ok(if violated { Exit::Violation } else { Exit::Clean })
}

/// The interpreter that a command's arguments ask for. Where a claim took part it must be told so: `_nr_pr` counts it.
pub fn interpreter<'m>(common: &CommonArgs, model: &'m lurcher_ir::Model, with_claim: bool) -> Interpreter<'m> {
    let limits = Limits { message_loss: common.message_loss, with_claim, ..Limits::for_model(model) };
    Interpreter::new(model, limits)
}

/// The process model.
fn processes(model: &Model) -> &lurcher_ir::Model {
    model.processes().expect("relations are replayed elsewhere")
}

fn prepared(common: &CommonArgs, model: &lurcher_ir::Model, property: &Property) -> Result<Prepared> {
    let prepared = Prepared::new(model, property, false).map_err(|e| anyhow!("property `{}`: {e}", property.name))?;
    Ok(prepared.with_message_loss(common.message_loss))
}

/// Reads a trace of either form, and the name of the property it says it is about.
pub fn read(path: &std::path::Path) -> Result<(Trail, Option<String>)> {
    let text = input::read_text(path)?;
    if text.trim_start().starts_with('{') {
        match read_json(&text) {
            Ok((trail, property)) => Ok((trail, Some(property))),
            Err(error) => bail!("{} is no trace: {error}", path.display()),
        }
    } else {
        match read_trail(&text) {
            Ok(trail) => Ok((trail, None)),
            Err(error) => bail!("{} is no trail: {error}", path.display()),
        }
    }
}

fn kind(evidence: &Evidence, property: &Property) -> &'static str {
    match evidence {
        Evidence::Deadlock => "deadlock",
        Evidence::Step(lurcher_system::Violation::Assertion(_)) => "assertion",
        Evidence::Step(lurcher_system::Violation::Fault { fault, .. }) => fault.kind(),
        Evidence::Invariant => "invariant",
        Evidence::ClaimEnd => "never",
        Evidence::None => "none",
        Evidence::AcceptingCycle | Evidence::BadPrefix => match property.kind {
            PropertyKind::Ltl { .. } => "ltl",
            PropertyKind::NonProgress => "non-progress",
            PropertyKind::Acceptance => "acceptance",
            _ => "never",
        },
    }
}

/// Executes the trace, and says what it shows: about the wanted property, or about the first that it violates.
fn find_evidence(
    common: &CommonArgs,
    model: &mut Model,
    trail: &Trail,
    wanted: Option<&str>,
) -> Result<Result<(Replayed, Evidence, Property), ReplayError>> {
    let mut first = None;
    for property in candidates(model, trail, wanted)? {
        let prepared = prepared(common, processes(model), &property)?;
        let question = lurcher_trace::Question::of(&prepared);
        let interpreter = prepared.interpreter();
        for reading in readings(&interpreter, trail) {
            let result = reading.map(|replayed| {
                let evidence = judge(&interpreter, &replayed, &question);
                (replayed, evidence, property.clone())
            });
            match result {
                Ok(found) if found.1 != Evidence::None => return Ok(Ok(found)),
                Ok(found) => first = first.and_then(Result::ok).map(Ok).or(Some(Ok(found))),
                Err(error) => first = first.or(Some(Err(error))),
            }
        }
    }
    Ok(first.expect("there is at least one candidate"))
}

fn candidates(model: &mut Model, trail: &Trail, wanted: Option<&str>) -> Result<Vec<Property>> {
    let safety = Property::built_in("safety", PropertyKind::Safety);
    match wanted.map(|name| input::resolve(model, &Question::Named(name.to_owned()))) {
        Some(Ok(named)) => Ok(named),
        // A JSON trace may be about a formula that was given on the command line.
        Some(Err(error)) if trail.path.cycle_start.is_none() => {
            eprintln!("warning: {error:#}");
            Ok(vec![safety])
        }
        Some(Err(error)) => Err(error),
        None => {
            let non_progress = Property::built_in("non-progress", PropertyKind::NonProgress);
            let mut all = processes(model).properties.clone();
            if trail.non_progress {
                all.insert(0, non_progress);
            } else if trail.path.cycle_start.is_some() {
                all.push(Property::built_in("acceptance", PropertyKind::Acceptance));
                all.push(non_progress);
            }
            let place = if trail.with_claim { all.len() } else { 0 };
            all.insert(place, safety);
            Ok(all)
        }
    }
}
