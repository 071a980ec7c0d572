//! `analyze` on a relation: its size, and how its variables depend on each other, seen from each property.

use std::io::Write;

use anyhow::Result;
use lurcher_ir::relation::{Dependencies, Layers, Relation, Specification, VariableId, VariableRole};
use lurcher_session::{LoadedRelation, kind_of};
use serde_json::{Value, json};

use crate::Exit;
use crate::args::AnalyzeArgs;
use crate::input;

/// Variables of a layer that are shown.
const SHOWN: usize = 24;

/// `lurcher analyze` on a relation.
pub fn analyze(args: &AnalyzeArgs, mut loaded: LoadedRelation) -> Result<Exit> {
    let specifications = input::specifications(&mut loaded, &args.property)?;
    let relation = &loaded.relation;
    let dependencies = Dependencies::new(relation);
    let seen = |s: &Specification| dependencies.layers(s.kind.reads(relation));
    let layers: Vec<Layers> = specifications.iter().map(seen).collect();
    let mut out = std::io::stdout().lock();
    if args.common.json {
        let properties: Vec<Value> =
            specifications.iter().zip(&layers).map(|(s, l)| property_object(relation, s, l)).collect();
        let object = json!({
            "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"),
            "model": args.common.model.display().to_string(),
            "variables": relation.state_variables().count(), "bits": bits(relation),
            "inputs": inputs(relation), "transitions": relation.transitions.len(),
            "properties": properties,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(Exit::Clean);
    }
    writeln!(
        out,
        "{}: {} state variables in {} bits, {} input{}, {} kind{} of steps, {} justice and {} compassion constraints",
        args.common.model.display(),
        relation.state_variables().count(),
        bits(relation),
        inputs(relation),
        if inputs(relation) == 1 { "" } else { "s" },
        relation.transitions.len(),
        if relation.transitions.len() == 1 { "" } else { "s" },
        relation.justice.len(),
        relation.compassion.len(),
    )?;
    for (specification, layers) in specifications.iter().zip(&layers) {
        write!(out, "\n{}", property_text(relation, specification, layers))?;
    }
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

fn property_object(relation: &Relation, specification: &Specification, layers: &Layers) -> Value {
    let participation = layers.participation(relation);
    json!({
        "name": specification.name, "kind": kind_of(&specification.kind), "formula": specification.text,
        "layers": layers.layers.iter().map(|l| names(relation, l)).collect::<Vec<_>>(),
        "outside": names(relation, &layers.outside),
        "participants": participation.participants, "instances": participation.instances,
        "pep": participation.factor(),
    })
}

fn property_text(relation: &Relation, specification: &Specification, layers: &Layers) -> String {
    let mut out = format!("{} {}: {}\n", kind_of(&specification.kind), specification.name, specification.text);
    for (number, layer) in layers.layers.iter().enumerate() {
        out.push_str(&format!("  layer {number:<2} {}\n", listed(relation, layer)));
    }
    if !layers.outside.is_empty() {
        out.push_str(&format!("  outside  {}\n", listed(relation, &layers.outside)));
    }
    let participation = layers.participation(relation);
    if let Some(factor) = participation.factor() {
        let (part, all) = (participation.participants, participation.instances);
        out.push_str(&format!("  {part} of {all} instances take part (PEP {factor:.2})\n"));
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
