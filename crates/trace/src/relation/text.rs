//! Traces of relations as text: the first state, then the changes.

use lurcher_ir::relation::{Relation, Variable, VariableId, VariableRole};
use lurcher_system::Path;
use lurcher_system::relation::Oracle;

use super::StateEvidence;

/// The width of a line of changes.
const WIDTH: usize = 100;

/// The path as text.
pub fn states_to_text(relation: &Relation, path: &Path<Vec<i64>>, evidence: StateEvidence) -> String {
    let mut out = String::new();
    let width = path.steps.len().to_string().len().max(3);
    let indent = " ".repeat(width + 2);
    let oracle = Oracle::new(relation);
    for (index, state) in path.steps.iter().enumerate() {
        if path.cycle_start == Some(index) {
            out.push_str(&format!("{indent}┌── the cycle starts here\n"));
        }
        let before = index.checked_sub(1).map(|i| &path.steps[i]);
        let mut mark = format!("{index:>width$}  ");
        if let Some(before) = before {
            let step = step(relation, &oracle, before, state);
            lines(&mut out, &mut mark, &step);
        }
        let shown = |(id, v): (VariableId, &Variable)| shown(relation, v, state[id.0 as usize]);
        let changed = |id: VariableId| before.is_none_or(|b| b[id.0 as usize] != state[id.0 as usize]);
        let mut changes: Vec<String> = relation.state_variables().filter(|(id, _)| changed(*id)).map(shown).collect();
        match changes.first_mut() {
            Some(first) => first.insert_str(0, "→ "),
            None => changes.push("→ nothing changes".to_owned()),
        }
        lines(&mut out, &mut mark, &changes);
    }
    if let Some(start) = path.cycle_start {
        let last = path.steps.last().expect("a cycle has states");
        let step = step(relation, &oracle, last, &path.steps[start]).join(", ");
        let step = if step.is_empty() { step } else { format!(": {step}") };
        out.push_str(&format!("{indent}└── back to the start of the cycle{step}\n"));
    }
    out.push_str(match evidence {
        StateEvidence::Invariant => "\nthe invariant does not hold\n",
        StateEvidence::Deadlock => "\nno state can follow\n",
        StateEvidence::None => "\nno violation\n",
        StateEvidence::Lasso | StateEvidence::Illustration => "",
    });
    out
}

/// A state after another one: the step as text, and the variables whose values differ; of a first state, all.
pub fn changed_values(
    relation: &Relation,
    before: Option<&[i64]>,
    state: &[i64],
) -> (Option<String>, Vec<(String, String)>) {
    let step = before.map(|before| step(relation, &Oracle::new(relation), before, state).join(", "));
    let changed = |(id, _): &(VariableId, &Variable)| before.is_none_or(|b| b[id.0 as usize] != state[id.0 as usize]);
    let value = |(id, v): (VariableId, &Variable)| (v.name.clone(), relation.show(&v.domain, state[id.0 as usize]));
    (step, relation.state_variables().filter(changed).map(value).collect())
}

/// The step from one state to another: the name of the transition, if there are several, and the inputs.
fn step(relation: &Relation, oracle: &Oracle<'_>, before: &[i64], after: &[i64]) -> Vec<String> {
    let name = oracle.steps(before, after).next().map(|index| relation.transitions[index].name.as_str());
    let name = name.unwrap_or_default();
    // An input whose value is the name of the transition is redundant.
    let says_more = |(id, v): &(VariableId, &Variable)| relation.show(&v.domain, before[id.0 as usize]) != name;
    let inputs = relation.variables().filter(|(_, v)| v.role == VariableRole::Input).filter(says_more);
    let inputs = inputs.map(|(id, v)| shown(relation, v, before[id.0 as usize]));
    let name = (!name.is_empty()).then(|| name.to_owned());
    name.into_iter().chain(inputs).collect()
}

fn shown(relation: &Relation, variable: &Variable, value: i64) -> String {
    format!("{} = {}", variable.name, relation.show(&variable.domain, value))
}

/// Fills lines with parts. The first line starts with the mark, the others are indented by its width.
fn lines(out: &mut String, mark: &mut String, parts: &[String]) {
    let mut line = String::new();
    let mut flush = |line: &mut String| {
        if !line.is_empty() {
            out.push_str(&format!("{mark}{line}\n"));
            *mark = " ".repeat(mark.chars().count());
            line.clear();
        }
    };
    for part in parts {
        if !line.is_empty() && line.chars().count() + part.chars().count() + 2 > WIDTH {
            line.push(',');
            flush(&mut line);
            line.push_str("  ");
        } else if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(part);
    }
    flush(&mut line);
}
