//! `analyze` on a relation: its size, and how its variables depend on each other, seen from each property.

use std::io::Write;

use anyhow::Result;
use lurcher::Model;
use lurcher::engines::{Recommendation, guided_symbolic};
use lurcher_ir::analysis::Layers;
use lurcher_ir::relation::{Dependencies, Relation, VariableId, VariableRole};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::PreparedRelation;
use serde_json::{Value, json};

use crate::Exit;
use crate::args::AnalyzeArgs;
use crate::limits::Supervisor;
use crate::progress::Live;
use crate::terminal::{Stream, print_json};
use crate::words::count;
use crate::{input, outcome};

/// Variables of a layer that are shown.
const SHOWN: usize = 24;

/// `lurcher analyze` on a relation.
pub fn analyze(args: &AnalyzeArgs, model: &mut Model, limits: &Supervisor) -> Result<Exit> {
    outcome::check_language(&args.property, model)?;
    let specifications: Vec<Property> = input::properties(model, &args.property)?.into_iter().map(|(_, p)| p).collect();
    let relation = model.relation().expect("it is a relation");
    let live = Live::new("following dependencies", args.common.time);
    let dependencies = Dependencies::new(relation);
    let layered = |s: &Property| dependencies.layers(s.kind.reads(relation));
    let layers: Vec<Layers<VariableId>> = specifications.iter().map(layered).collect();
    let advice = |p: &Property| Recommendation::for_relation(&PreparedRelation::cone(relation, p));
    let advised: Vec<Recommendation> = specifications.iter().map(advice).collect();
    let seen = || specifications.iter().zip(layers.iter().zip(&advised));
    drop(live);
    let _scope = limits.finish();
    if args.common.json {
        let properties: Vec<Value> = seen().map(|(s, (l, a))| property_object(relation, s, l, a)).collect();
        let object = json!({
            "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"),
            "model": args.common.model.display().to_string(),
            "variables": relation.state_variables().count(), "bits": bits(relation),
            "inputs": inputs(relation), "transitions": relation.transitions.len(),
            "properties": properties, "complete": true, "stop_reason": null,
        });
        print_json(&object)?;
        return Ok(Exit::Clean);
    }
    let mut out = Stream::report().writer();
    writeln!(
        out,
        "{}: {} in {}, {}, {} of steps, {}, {}",
        args.common.model.display(),
        count(relation.state_variables().count() as u64, "state variable"),
        count(u64::from(bits(relation)), "bit"),
        count(inputs(relation) as u64, "input"),
        count(relation.transitions.len() as u64, "kind"),
        count(relation.justice.len() as u64, "justice constraint"),
        count(relation.compassion.len() as u64, "compassion constraint"),
    )?;
    for (specification, (layers, advice)) in seen() {
        write!(out, "\n{}", property_text(relation, specification, layers, advice))?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn bits(relation: &Relation) -> u32 {
    relation.state_variables().map(|(_, v)| v.domain.bits()).sum()
}

fn inputs(relation: &Relation) -> usize {
    relation.variables().filter(|(_, v)| v.role == VariableRole::Input).count()
}

fn names(relation: &Relation, variables: &[VariableId]) -> Vec<String> {
    variables.iter().map(|v| relation.variable(*v).name.clone()).collect()
}

fn property_object(
    relation: &Relation,
    specification: &Property,
    layers: &Layers<VariableId>,
    advice: &Recommendation,
) -> Value {
    let participation = layers.participation(relation);
    json!({
        "name": specification.name, "kind": specification.kind.name(), "formula": specification.text,
        "layers": layers.layers.iter().map(|l| names(relation, l)).collect::<Vec<_>>(),
        "outside": names(relation, &layers.outside),
        "participants": participation.participants, "instances": participation.instances,
        "pep": participation.factor(),
        "cone_bits": advice.bits,
        "recommendation": {
            "command": advice.command, "engine": advice.engine, "reason": advice.reason,
            "symbolic": guided_symbolic(participation.factor()),
        },
    })
}

fn property_text(
    relation: &Relation,
    specification: &Property,
    layers: &Layers<VariableId>,
    advice: &Recommendation,
) -> String {
    let mut out = format!("{} {}: {}\n", specification.kind.name(), specification.name, specification.text);
    for (number, layer) in layers.layers.iter().enumerate() {
        out.push_str(&format!("  layer {number:<2} {}\n", listed(relation, layer)));
    }
    if !layers.outside.is_empty() {
        out.push_str(&format!("  outside  {}\n", listed(relation, &layers.outside)));
    }
    let participation = layers.participation(relation);
    if let Some(factor) = participation.factor() {
        let (part, all) = (participation.participants, participation.instances);
        out.push_str(&format!("  {part} of {all} instances take part: a participation (PEP) of {factor:.2}\n"));
    }
    out.push_str(&format!("  recommended: {advice}\n"));
    if matches!(specification.kind, PropertyKind::Invariant(_) | PropertyKind::Deadlock) {
        let symbolic = guided_symbolic(participation.factor());
        out.push_str(&format!("  {symbolic} suits best among the guided symbolic engines\n"));
    }
    out
}

fn listed(relation: &Relation, variables: &[VariableId]) -> String {
    let shown = names(relation, &variables[..variables.len().min(SHOWN)]).join(", ");
    match variables.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
