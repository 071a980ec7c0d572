//! Control-flow graphs in DOT, with the local distances of locations and branches.

use std::fmt::Write;

use lurcher_ir::analysis::ControlFlow;
use lurcher_ir::{LocationId, Model, ProcessTypeId};

use crate::local_distance::Table;

/// The control-flow graph of a process type without unreachable locations. With a table, locations show their distance,
/// nearer ones darker, and branches show their score.
pub fn control_flow_dot(model: &Model, process_type: ProcessTypeId, table: Option<&Table>) -> String {
    let ty = model.process_type(process_type);
    let flow = ControlFlow::new(ty, None);
    let depths = flow.depths();
    let mut out = format!("digraph {} {{\n", quoted(&ty.name));
    out.push_str("  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"];\n");
    out.push_str("  edge [fontname=\"monospace\", fontsize=10];\n");
    let far = table.map_or(0, |t| (0..ty.locations.len()).map(|l| t.at(LocationId(l as u16))).max().unwrap_or(0));
    for (number, location) in ty.locations.iter().enumerate() {
        let id = LocationId(number as u16);
        if depths.of(id).is_none() {
            continue;
        }
        let mut label = number.to_string();
        for name in &location.labels {
            let _ = write!(label, " {name}");
        }
        let mut more = String::new();
        if let Some(table) = table {
            let distance = table.at(id);
            let _ = write!(label, "\n{}", shown(distance, far));
            let _ = write!(more, ", fillcolor=\"{}\"", shade(distance, far));
        }
        if id == ty.initial {
            more.push_str(", penwidth=2");
        }
        if location.end {
            more.push_str(", peripheries=2");
        }
        let _ = writeln!(out, "  {number} [label={}{more}];", quoted(&label));
    }
    for edge in flow.edges().iter().filter(|e| depths.of(e.from).is_some()) {
        let mut label = flow.action(edge).text.clone();
        if let Some(table) = table {
            let _ = write!(label, "\n{}", shown(table.by(edge.from, edge.branch), far));
        }
        let branch = ty.location(edge.from).branches[edge.branch as usize];
        let style = if branch.atomic { ", style=bold" } else { "" };
        let _ = match edge.target {
            Some(target) => writeln!(out, "  {} -> {} [label={}{style}];", edge.from.0, target.0, quoted(&label)),
            None => writeln!(out, "  {} -> gone [label={}];", edge.from.0, quoted(&label)),
        };
    }
    if flow.edges().iter().any(|e| e.target.is_none() && depths.of(e.from).is_some()) {
        out.push_str("  gone [label=\"\", shape=point];\n");
    }
    out.push_str("}\n");
    out
}

fn shown(distance: u32, far: u32) -> String {
    if distance >= far { "∞".to_owned() } else { distance.to_string() }
}

/// A colour from orange (near) to white (far).
fn shade(distance: u32, far: u32) -> String {
    let share = if far == 0 { 1.0 } else { f64::from(distance.min(far)) / f64::from(far) };
    let mix = |near: f64| (near + (255.0 - near) * share) as u8;
    format!("#ff{:02x}{:02x}", mix(160.0), mix(64.0))
}

/// A DOT string literal.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' | '\t' => out.push(' '),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_backslashes_and_line_ends_are_escaped() {
        assert_eq!(quoted("printf(\"a\\n\")"), r#""printf(\"a\\n\")""#);
        assert_eq!(quoted("two\nlines"), r#""two\nlines""#);
    }
}
