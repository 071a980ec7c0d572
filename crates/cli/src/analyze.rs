//! `analyze`: what a model is, and how good its guides are.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use lurcher::Model;
use lurcher::engines::{
    DROP, GuideAnalysis, Options, ProcessSystem, REDUCE, Sample, TargetAnalysis, Task, analyse, control_flow_graphs,
    process_summaries,
};
use lurcher_heuristics::registry::{self, Request};
use lurcher_search::Prepared;
use serde_json::{Value, json};

use crate::Exit;
use crate::args::AnalyzeArgs;
use crate::words::count;
use crate::{analyze_relation, input, limits};

/// `lurcher analyze`.
pub fn analyze(args: &AnalyzeArgs) -> Result<Exit> {
    let mut model = input::read_model(&args.common)?;
    if model.relation().is_some() {
        return analyze_relation::analyze(args, &mut model);
    }
    let asked = input::properties(&mut model, &args.property)?;
    let processes = model.processes().expect("it is no relation");
    let mut options = Options::default();
    for (parameter, value) in
        [(&DROP, args.drop.as_deref().map(input::read_text).transpose()?), (&REDUCE, args.reduce.clone())]
    {
        value.iter().try_for_each(|text| options.add(parameter, text)).map_err(|why| anyhow!(why))?;
    }
    let mut task = model.task(&asked);
    task.options = options;
    task.seed = args.common.seed;
    task.budget.memory = Some(args.common.memory.unwrap_or_else(limits::default_memory));
    task.budget.deadline = args.common.time.map(|t| Instant::now() + t);
    task.budget.interrupt = limits::interrupt();
    let mut targets = Vec::new();
    for (index, (_, property)) in asked.iter().enumerate() {
        let prepared = Prepared::new(processes, property, args.property.fair)
            .map_err(|e| anyhow!("property `{}`: {e}", property.name))?
            .with_message_loss(args.common.message_loss);
        targets.extend(analyse(&prepared, &task));
        if let (0, Some(folder)) = (index, &args.dot) {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
            for (name, dot) in control_flow_graphs(&prepared) {
                input::write_text(&folder.join(format!("{name}.dot")), &dot)?;
            }
        }
        if let (0, Some(path)) = (index, &args.save_guide) {
            save_guide(args, &model, &prepared, &task, path)?;
        }
    }
    let mut out = std::io::stdout().lock();
    if args.common.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&object(args, processes, &targets))?)?;
    } else {
        write!(out, "{}", model_text(args, processes))?;
        for target in &targets {
            write!(out, "\n{}", target_text(target))?;
        }
        if let Some(folder) = &args.dot {
            writeln!(out, "\ngraphs of the process types are in {}", folder.display())?;
        }
    }
    Ok(Exit::Clean)
}

/// Writes a heuristic to the first target of a property.
fn save_guide(args: &AnalyzeArgs, model: &Model, prepared: &Prepared, task: &Task<'_>, path: &Path) -> Result<()> {
    let Some(entry) = args.guide.as_deref().and_then(registry::heuristic) else {
        bail!("--save-guide needs the name of a guide: --guide local-distance, say");
    };
    let (interpreter, settings) = (prepared.interpreter(), task.heuristic_settings());
    let target = ProcessSystem::targets(prepared).into_iter().next().context("nothing to guide to")?;
    let request = Request {
        prepared,
        interpreter: &interpreter,
        target: &target,
        settings: &settings,
        instances: task.instances.as_deref(),
        budget: &task.budget,
    };
    let made = entry.build(&request, false);
    let made = made.map_err(|why| anyhow!("the guide {} cannot be made: {why}", entry.name))?;
    let text = made.guide.to_text(&prepared.model, model.sources());
    let text = text.map_err(|why| anyhow!("the guide {} cannot be written: {why}", entry.name))?;
    input::write_text(path, &text)
}

fn model_text(args: &AnalyzeArgs, model: &lurcher_ir::Model) -> String {
    let mut out = format!(
        "{}: {} at the start, {} in {}, {}\n",
        args.common.model.display(),
        count(model.initial_processes.len() as u64, "process"),
        count(model.globals.len() as u64, "global variable"),
        count(u64::from(model.globals_size), "byte"),
        count(model.channel_types.len() as u64, "channel type")
    );
    out.push_str("  process type          active  locations  variables\n");
    for p in process_summaries(model) {
        out.push_str(&format!("  {:<20} {:>7} {:>10} {:>10}\n", p.name, p.active, p.locations, p.variables));
    }
    out
}

/// The most names that a line of the text shows.
const NAMES: usize = 12;

fn names(list: &[String]) -> String {
    let shown = list[..list.len().min(NAMES)].join(", ");
    let more = list.len().saturating_sub(NAMES);
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn target_text(target: &TargetAnalysis) -> String {
    let mut out = format!("{}: to {}\n", target.property, target.target);
    let (part, all) = target.participants;
    let factor = part as f64 / all.max(1) as f64;
    out.push_str(&format!("  {part} of {} can take part (static PEP {factor:.2})\n", count(all as u64, "process")));
    out.push_str("  dependency layers, from what the property reads\n");
    for (number, layer) in target.layers.iter().enumerate() {
        out.push_str(&format!("    {number}: {}\n", names(layer)));
    }
    if !target.outside.is_empty() {
        out.push_str(&format!("    cannot matter: {}\n", names(&target.outside)));
    }
    if let Some(Sample { states, exact, distance }) = target.sample {
        let which = {
            let states = count(states as u64, "state");
            if exact { format!("all {states}") } else { format!("a sample of {states}") }
        };
        let near = match distance {
            Some(steps) if exact => format!("the nearest violation is {} away", count(u64::from(steps), "step")),
            Some(steps) => format!("a violation {} away among them", count(u64::from(steps), "step")),
            None if exact => "no violation can be reached".to_owned(),
            None => "no violation among them, so nothing to rank by".to_owned(),
        };
        out.push_str(&format!("  guides, measured on {which}; {near}\n"));
    }
    out.push_str("    guide                 range     correlation  plateau   build      lookup\n");
    for guide in &target.guides {
        out.push_str(&guide_text(guide));
    }
    out.push_str(&format!("  recommended: {}\n", target.advice));
    if let Some(symbolic) = target.symbolic {
        out.push_str(&format!("  of the guided symbolic engines: {symbolic}\n"));
    }
    out
}

fn guide_text(guide: &GuideAnalysis) -> String {
    match &guide.informedness {
        Err(why) => format!("    {:<20}  none: {why}\n", guide.name),
        Ok(i) => {
            let range = i.range.map_or("-".to_owned(), |(low, high)| format!("{low}..{high}"));
            let correlation = i.correlation.map_or("-".to_owned(), |c| format!("{c:.2}"));
            let plateau = i.plateau.map_or("-".to_owned(), |p| format!("{:.0} %", p * 100.0));
            let admissible = if guide.admissible { "  admissible" } else { "" };
            let notes: String = guide.notes.iter().map(|n| format!("      {n}\n")).collect();
            format!(
                "    {:<20}  {range:<8} {correlation:>12} {plateau:>8} {:>8.1?} {:>9.0?}{admissible}\n{notes}",
                guide.name, i.build, i.lookup
            )
        }
    }
}

fn object(args: &AnalyzeArgs, model: &lurcher_ir::Model, targets: &[TargetAnalysis]) -> Value {
    let processes: Vec<Value> = process_summaries(model)
        .iter()
        .map(|p| json!({"name": p.name, "active": p.active, "locations": p.locations, "variables": p.variables}))
        .collect();
    json!({
        "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"), "model": args.common.model.display().to_string(),
        "processes": model.initial_processes.len(), "process_types": processes,
        "global_variables": model.globals.len(), "global_bytes": model.globals_size,
        "targets": targets.iter().map(target_object).collect::<Vec<_>>(),
    })
}

fn target_object(target: &TargetAnalysis) -> Value {
    let (part, all) = target.participants;
    json!({
        "property": target.property, "target": target.target,
        "participants": part, "processes": all, "static_pep": part as f64 / all.max(1) as f64,
        "layers": target.layers, "outside": target.outside,
        "sample": target.sample.map(|s| json!({"states": s.states, "exact": s.exact, "distance": s.distance})),
        "guides": target.guides.iter().map(guide_object).collect::<Vec<_>>(),
        "bits": target.advice.bits,
        "recommendation": {
            "engine": target.advice.engine, "reason": target.advice.reason, "symbolic": target.symbolic,
        },
    })
}

fn guide_object(guide: &GuideAnalysis) -> Value {
    match &guide.informedness {
        Err(why) => json!({"name": guide.name, "none": why}),
        Ok(i) => json!({
            "name": guide.name, "admissible": guide.admissible, "notes": guide.notes, "range": i.range.map(|(a, b)| [a, b]),
            "correlation": i.correlation, "correlated_states": i.correlated, "plateau": i.plateau,
            "build": i.build.as_secs_f64(), "lookup": i.lookup.as_secs_f64(),
        }),
    }
}
