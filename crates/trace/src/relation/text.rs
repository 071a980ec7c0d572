//! Traces of relations as text: the first state, then the changes.

use lurcher_ir::relation::{Relation, Variable, VariableId};
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
    let describer = StateDescriber::new(relation);
    for (index, state) in path.steps.iter().enumerate() {
        if path.cycle_start == Some(index) {
            out.push_str(&format!("{indent}┌── the cycle starts here\n"));
        }
        let before = index.checked_sub(1).map(|i| path.steps[i].as_slice());
        out.push_str(&describer.text((index, width), before, state));
    }
    if let Some(start) = path.cycle_start {
        let last = path.steps.last().expect("a cycle has states");
        let step = describer.step(last, &path.steps[start]).join(", ");
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

/// States and steps of a relation in words.
pub struct StateDescriber<'r> {
    relation: &'r Relation,
    oracle: Oracle<'r>,
}

impl<'r> StateDescriber<'r> {
    /// Describes states of a relation.
    pub fn new(relation: &'r Relation) -> Self {
        StateDescriber { relation, oracle: Oracle::new(relation) }
    }

    /// The variables whose values differ after a step, with the new values; of a first state, all.
    pub fn changes(&self, before: Option<&[i64]>, state: &[i64]) -> Vec<(String, String)> {
        let changed =
            |(id, _): &(VariableId, &Variable)| before.is_none_or(|b| b[id.0 as usize] != state[id.0 as usize]);
        let value =
            |(id, v): (VariableId, &Variable)| (v.name.clone(), self.relation.show(&v.domain, state[id.0 as usize]));
        self.relation.state_variables().filter(changed).map(value).collect()
    }

    /// The step from one state to another: the name of the transition, if there are several, and the inputs.
    pub fn step(&self, before: &[i64], after: &[i64]) -> Vec<String> {
        let relation = self.relation;
        let name = self.oracle.steps(before, after).next().map(|index| relation.transitions[index].name.as_str());
        let name = name.unwrap_or_default();
        // An input whose value is the name of the transition is redundant.
        let says_more = |(id, v): &(VariableId, &Variable)| relation.show(&v.domain, before[id.0 as usize]) != name;
        let inputs = relation.inputs().filter(says_more);
        let inputs = inputs.map(|(id, v)| format!("{} = {}", v.name, relation.show(&v.domain, before[id.0 as usize])));
        let name = (!name.is_empty()).then(|| name.to_owned());
        name.into_iter().chain(inputs).collect()
    }

    /// A state after another one as lines: a number of so many columns, the step, then the changes.
    pub fn text(&self, (index, width): (usize, usize), before: Option<&[i64]>, state: &[i64]) -> String {
        let (mut out, mut mark) = (String::new(), format!("{index:>width$}  "));
        if let Some(before) = before {
            lines(&mut out, &mut mark, &self.step(before, state));
        }
        let changes = self.changes(before, state);
        let mut changes: Vec<String> = changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        match changes.first_mut() {
            Some(first) => first.insert_str(0, "→ "),
            None => changes.push("→ nothing changes".to_owned()),
        }
        lines(&mut out, &mut mark, &changes);
        out
    }
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
