//! `analyze`: what a model is, and how good its guides are.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use lurcher::Model;
use lurcher::engines::{
    DROP, GuideAnalysis, Options, PREFER, ProcessSystem, REDUCE, Sample, TargetAnalysis, Task, analyse,
    control_flow_graphs, prepare, process_summaries,
};
use lurcher_heuristics::Informedness;
use lurcher_heuristics::registry::{self, Request};
use lurcher_ir::analysis::ComponentCounts;
use lurcher_resources::LimitReached;
use lurcher_search::Prepared;
use serde_json::{Value, json};

use crate::Exit;
use crate::args::AnalyzeArgs;
use crate::limits::Supervisor;
use crate::progress::Live;
use crate::terminal::{Stream, print_json};
use crate::words::{count, fitted};
use crate::{analyze_relation, input};

/// `lurcher analyze`.
pub fn analyze(args: &AnalyzeArgs, limits: &Supervisor) -> Result<Exit> {
    let mut model = input::read_model(&args.common, &limits.resources)?;
    if model.relation().is_some() {
        return analyze_relation::analyze(args, &mut model, limits);
    }
    if model.timed().is_some() {
        bail!("real-time specifications are not analysed; verify and hunt check them");
    }
    let asked = input::properties(&mut model, &args.property)?;
    let processes = model.processes().expect("it is no relation");
    let mut options = Options::default();
    for (parameter, value) in [
        (&DROP, args.drop.as_deref().map(input::read_text).transpose()?),
        (&REDUCE, args.reduce.clone()),
        (&PREFER, args.prefer.clone()),
    ] {
        value.iter().try_for_each(|text| options.add(parameter, text)).map_err(|why| anyhow!(why))?;
    }
    let mut task = model.task(&asked);
    task.options = options;
    task.seed = args.common.seed;
    task.budget.resources = limits.resources.clone();
    let live = Live::new("preparing the model", args.common.time);
    let (mut targets, mut stopped) = (Vec::new(), None);
    for (index, (_, property)) in asked.iter().enumerate() {
        let prepared = prepare(processes, property, args.property.semantics.0)
            .map_err(|e| anyhow!("property `{}`: {e}", property.name))?;
        stopped = analyse(&prepared, &task, &mut live.observer(), &mut targets).err();
        if let (0, Some(folder)) = (index, &args.dot) {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
            for (name, dot) in control_flow_graphs(&prepared) {
                input::write_text(&folder.join(format!("{name}.dot")), &dot)?;
            }
        }
        if let (0, Some(path)) = (index, &args.save_guide) {
            save_guide(args, &model, &prepared, &task, path)?;
        }
        if stopped.is_some() {
            break;
        }
    }
    drop(live);
    let _scope = limits.finish();
    if args.common.json {
        print_json(&object(args, processes, &targets, stopped))?;
    } else {
        let mut out = Stream::report().writer();
        write!(out, "{}", model_text(args, processes))?;
        for target in &targets {
            write!(out, "\n{}", target_text(target))?;
        }
        if let Some(limit) = stopped {
            writeln!(out, "\nnot complete: {limit}")?;
        }
        if let Some(folder) = &args.dot {
            writeln!(out, "\ngraphs of the process types are in {}", folder.display())?;
        }
        out.flush()?;
    }
    Ok(if stopped.is_some() { Exit::Limit } else { Exit::Clean })
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
    let aim = match target.target {
        "deadlock" => "an invalid end state",
        "assertion" => "a failed assertion",
        "invariant" => "a state in which it is false",
        _ => "a run that its claim accepts",
    };
    let mut out = format!("{}: the guides lead to {aim}\n", target.property);
    out.push_str(&target.claim.map_or_else(String::new, |(counts, also)| claim_text(counts, also)));
    let (part, all) = target.participants;
    let factor = part as f64 / all.max(1) as f64;
    out.push_str(&format!(
        "  {part} of {} can take part in a violation: a participation (PEP) of {factor:.2}\n",
        count(all as u64, "process")
    ));
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
    out.push_str(&guides_text(&target.guides));
    out.push_str(&format!("  recommended: {}\n", target.advice));
    if let Some(symbolic) = target.symbolic {
        out.push_str(&format!("  {symbolic} suits best among the guided symbolic engines\n"));
    }
    out
}

/// The classes of the claim's components: what a nested search has to do in them.
fn claim_text(counts: ComponentCounts, processes_accept: bool) -> String {
    let ComponentCounts { non_accepting, fully_accepting, partially_accepting, transient, ends } = counts;
    let prefix = if ends { "a finite prefix can violate it" } else { "no finite prefix violates it" };
    let also = if processes_accept { "; accepting locations of processes count, too" } else { "" };
    format!(
        "  components of the claim: {non_accepting} non-accepting, {fully_accepting} fully accepting, \
         {partially_accepting} partially accepting, and {} on no cycle; {prefix}{also}\n",
        count(transient as u64, "location")
    )
}

/// What stands behind the row of an admissible guide.
const ADMISSIBLE: &str = "  admissible";

/// A table of the guides that were measured, with notes below each; then the others, with the reason.
fn guides_text(guides: &[GuideAnalysis]) -> String {
    let measured: Vec<(&GuideAnalysis, &Informedness)> =
        guides.iter().filter_map(|guide| Some((guide, guide.informedness.as_ref().ok()?))).collect();
    let cells = |(guide, i): &(&GuideAnalysis, &Informedness)| {
        vec![
            guide.name.to_owned(),
            i.range.map_or("-".to_owned(), |(low, high)| format!("{low}..{high}")),
            i.correlation.map_or("-".to_owned(), |c| format!("{c:.2}")),
            i.plateau.map_or("-".to_owned(), |p| format!("{:.0} %", p * 100.0)),
            format!("{:.1?}", i.build),
            format!("{:.0?}", i.lookup),
        ]
    };
    let head = ["guide", "range", "correlation", "plateau", "build", "lookup"].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(measured.iter().map(cells)).collect();
    let room = Stream::report().form().width.map(|width| width.saturating_sub(4 + ADMISSIBLE.len()));
    let lines = fitted(&rows, 2, &[5, 4, 1, 3, 2], room);
    let mut out = String::new();
    if !measured.is_empty() {
        out.push_str(&format!("    {}\n", lines[0][0]));
    }
    for ((guide, _), lines) in measured.iter().zip(&lines[1..]) {
        out.push_str(&format!("    {}{}\n", lines[0], if guide.admissible { ADMISSIBLE } else { "" }));
        lines[1..].iter().for_each(|line| out.push_str(&format!("    {line}\n")));
        guide.notes.iter().for_each(|note| out.push_str(&format!("      {note}\n")));
    }
    if !measured.is_empty() {
        out.push_str("    (correlation: how well the guide ranks states by their true distance, 1 is best;\n");
        out.push_str("    plateau: the share of choices that it leaves open; admissible: it never overestimates)\n");
    }
    for guide in guides {
        if let Err(why) = &guide.informedness {
            out.push_str(&format!("    no {}: {why}\n", guide.name));
        }
    }
    out
}

fn object(
    args: &AnalyzeArgs,
    model: &lurcher_ir::Model,
    targets: &[TargetAnalysis],
    stopped: Option<LimitReached>,
) -> Value {
    let processes: Vec<Value> = process_summaries(model)
        .iter()
        .map(|p| json!({"name": p.name, "active": p.active, "locations": p.locations, "variables": p.variables}))
        .collect();
    json!({
        "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"), "model": args.common.model.display().to_string(),
        "processes": model.initial_processes.len(), "process_types": processes,
        "global_variables": model.globals.len(), "global_bytes": model.globals_size,
        "targets": targets.iter().map(target_object).collect::<Vec<_>>(),
        "complete": stopped.is_none(), "stop_reason": stopped.map(LimitReached::name),
    })
}

fn target_object(target: &TargetAnalysis) -> Value {
    let (part, all) = target.participants;
    json!({
        "property": target.property, "target": target.target,
        "claim": target.claim.map(|(counts, processes_accept)| json!({
            "non_accepting": counts.non_accepting, "fully_accepting": counts.fully_accepting,
            "partially_accepting": counts.partially_accepting, "transient": counts.transient, "ends": counts.ends,
            "processes_accept": processes_accept,
        })),
        "participants": part, "processes": all, "static_pep": part as f64 / all.max(1) as f64,
        "layers": target.layers, "outside": target.outside,
        "sample": target.sample.map(|s| json!({"states": s.states, "exact": s.exact, "distance": s.distance})),
        "guides": target.guides.iter().map(guide_object).collect::<Vec<_>>(),
        "bits": target.advice.bits,
        "recommendation": {
            "command": target.advice.command, "engine": target.advice.engine, "reason": target.advice.reason, "symbolic": target.symbolic,
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
