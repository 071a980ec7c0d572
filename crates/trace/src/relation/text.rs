//! Traces of relations as text: the first state, then the changes.

use lurcher_ir::relation::{Relation, Variable, VariableId};
use lurcher_system::Path;
use lurcher_system::relation::Oracle;

use super::StateEvidence;
use crate::page::{Page, list, wrap};
use crate::steps::left_out;
use crate::text::{CYCLE_END, CYCLE_START};

/// The width of lines on a page of any width: states with many variables have long ones.
const WIDTH: usize = 100;

/// The path as text.
pub fn states_to_text(relation: &Relation, path: &Path<Vec<i64>>, evidence: StateEvidence, page: &Page) -> String {
    let mut out = String::new();
    let number = path.steps.len().to_string().len().max(3);
    let indent = " ".repeat(number + 2);
    let remark = |out: &mut String, text: &str| wrap(out, &indent, &indent, text, page.width);
    let describer = StateDescriber::new(relation);
    let without = left_out(path.steps.len(), page.steps);
    for (index, state) in path.steps.iter().enumerate() {
        if !without.is_empty() && index == without.start {
            let among = path.cycle_start.filter(|start| without.contains(start));
            let among = among.map_or("", |_| ", the start of the cycle among them");
            remark(&mut out, &format!("… {} steps left out{among} …", without.len()));
        }
        if without.contains(&index) {
            continue;
        }
        if path.cycle_start == Some(index) {
            remark(&mut out, CYCLE_START);
        }
        let before = index.checked_sub(1).map(|i| path.steps[i].as_slice());
        out.push_str(&describer.text((index, number), before, state, page.width));
    }
    if let Some(start) = path.cycle_start {
        let last = path.steps.last().expect("a cycle has states");
        let step = describer.step(last, &path.steps[start]).join(", ");
        let step = if step.is_empty() { step } else { format!(": {step}") };
        remark(&mut out, &format!("{CYCLE_END}{step}"));
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

    /// A state after another one as lines of at most so many columns: a number of some columns, the step, then the changes.
    pub fn text(
        &self,
        (index, number): (usize, usize),
        before: Option<&[i64]>,
        state: &[i64],
        width: Option<usize>,
    ) -> String {
        let width = width.or(Some(WIDTH));
        let mut out = String::new();
        let mut mark = format!("{index:>number$}  ");
        let blank = " ".repeat(mark.len());
        let step = before.map_or_else(Vec::new, |before| self.step(before, state));
        if !step.is_empty() {
            list(&mut out, &mark, &format!("{blank}  "), &step, width);
            mark.clone_from(&blank);
        }
        let changes = self.changes(before, state);
        let mut changes: Vec<String> = changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if changes.is_empty() {
            changes.push("nothing changes".to_owned());
        }
        list(&mut out, &format!("{mark}→ "), &format!("{blank}  "), &changes, width);
        out
    }
}
