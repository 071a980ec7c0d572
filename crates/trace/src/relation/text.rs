//! Runs of relations for people: the first state whole, then what changes.

use lurcher_exec::relation::Oracle;
use lurcher_ir::relation::{Relation, Variable, VariableId, VariableRole};

use super::{StateEvidence, StateRun};

/// How many columns a line of changes may take.
const WIDTH: usize = 100;

/// The run as text.
pub fn states_to_text(relation: &Relation, run: &StateRun, evidence: StateEvidence) -> String {
    let mut out = String::new();
    let width = run.states.len().to_string().len().max(3);
    let indent = " ".repeat(width + 2);
    let oracle = Oracle::new(relation);
    for (index, state) in run.states.iter().enumerate() {
        if run.cycle_start == Some(index) {
            out.push_str(&format!("{indent}┌── the cycle starts here\n"));
        }
        let before = index.checked_sub(1).map(|i| &run.states[i]);
        let head = match before {
            None => "the first state".to_owned(),
            Some(before) => step_name(relation, &oracle, before, state),
        };
        out.push_str(format!("{index:>width$}  {head}").trim_end());
        out.push('\n');
        let shown = |(id, v): (VariableId, &Variable)| shown(relation, v, state[id.0 as usize]);
        let changed = |id: VariableId| before.is_none_or(|b| b[id.0 as usize] != state[id.0 as usize]);
        let changes = relation.state_variables().filter(|(id, _)| changed(*id)).map(shown).collect();
        lines(&mut out, &indent, "→ ", changes);
        if index + 1 < run.states.len() || run.cycle_start.is_some() {
            let inputs = relation.variables().filter(|(_, v)| v.role == VariableRole::Input).map(shown).collect();
            lines(&mut out, &indent, "with ", inputs);
        }
    }
    if run.cycle_start.is_some() {
        out.push_str(&format!("{indent}└── back to the start of the cycle\n"));
    }
    out.push_str(match evidence {
        StateEvidence::Invariant => "\nthe invariant does not hold\n",
        StateEvidence::Deadlock => "\nno state can follow\n",
        StateEvidence::None => "\nno violation\n",
        StateEvidence::Lasso | StateEvidence::Illustration => "",
    });
    out
}

/// The transition that leads from one state to another, where there are several.
fn step_name(relation: &Relation, oracle: &Oracle<'_>, before: &[i64], after: &[i64]) -> String {
    let step = oracle.steps(before, after).next();
    step.map(|index| relation.transitions[index].name.clone()).unwrap_or_default()
}

fn shown(relation: &Relation, variable: &Variable, value: i64) -> String {
    format!("{} = {}", variable.name, relation.show(&variable.domain, value))
}

/// Fills lines with parts.
fn lines(out: &mut String, indent: &str, mark: &str, parts: Vec<String>) {
    let mut line = String::new();
    let mut mark = mark.to_owned();
    let mut flush = |line: &mut String| {
        if !line.is_empty() {
            out.push_str(&format!("{indent}{mark}{line}\n"));
            mark = " ".repeat(mark.chars().count());
            line.clear();
        }
    };
    for part in parts {
        if !line.is_empty() && line.chars().count() + part.chars().count() + 2 > WIDTH {
            flush(&mut line);
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&part);
    }
    flush(&mut line);
}
