//! Cyclic assignments.
//!
//! Initial values may depend on other initial values, and next values on other next values, but not in a cycle. An
//! assignment of the current value belongs to both.

use std::collections::HashMap;

use lurcher_ir::relation::{Assignment, VariableId};
use lurcher_syntax::Diagnostic;

use super::Lowering;

impl Lowering<'_> {
    /// Reports cycles among initial values, and among next values.
    pub(super) fn report_cycles(&mut self) {
        let always = self.relation.invariant.assignments.clone();
        let first: Vec<Assignment> = self.relation.initial.assignments.iter().chain(&always).copied().collect();
        let steps: Vec<Assignment> = self.assigned.steps.iter().map(|(_, a)| *a).collect();
        let in_states = self.dependencies(&first, false);
        let mut in_steps = self.dependencies(&always, false);
        for (variable, more) in self.dependencies(&steps, true) {
            in_steps.entry(variable).or_default().extend(more);
        }
        if !self.report_cycle(&in_states, &first) {
            let all: Vec<Assignment> = steps.into_iter().chain(always).collect();
            self.report_cycle(&in_steps, &all);
        }
    }

    /// The dependencies of each assigned variable in the same state.
    fn dependencies(&self, assignments: &[Assignment], next: bool) -> HashMap<VariableId, Vec<VariableId>> {
        let mut dependencies: HashMap<VariableId, Vec<VariableId>> = HashMap::new();
        for assignment in assignments {
            let support = self.relation.terms.support(assignment.value);
            let read = if next { support.next } else { support.current };
            dependencies.entry(assignment.variable).or_default().extend(read);
        }
        dependencies
    }

    /// Reports a cycle, if there is one.
    fn report_cycle(
        &mut self,
        dependencies: &HashMap<VariableId, Vec<VariableId>>,
        assignments: &[Assignment],
    ) -> bool {
        let mut done: HashMap<VariableId, bool> = HashMap::new();
        for start in assignments.iter().map(|a| a.variable) {
            let mut path: Vec<(VariableId, usize)> = vec![(start, 0)];
            while let Some((variable, next)) = path.last().copied() {
                let known = done.get(&variable).copied();
                if known == Some(true) && next == 0 {
                    path.pop();
                    continue;
                }
                done.insert(variable, false);
                let Some(&wanted) = dependencies.get(&variable).and_then(|w| w.get(next)) else {
                    done.insert(variable, true);
                    path.pop();
                    continue;
                };
                if let Some(last) = path.last_mut() {
                    last.1 += 1;
                }
                if done.get(&wanted) == Some(&false) {
                    let from = path.iter().position(|(v, _)| *v == wanted).unwrap_or(0);
                    let names = path[from..].iter().map(|(v, _)| *v).chain([wanted]);
                    let names: Vec<_> = names.map(|v| format!("`{}`", self.relation.variable(v).name)).collect();
                    let at = assignments.iter().find(|a| a.variable == wanted);
                    let span = at.map_or(self.relation.variable(wanted).span, |a| a.span);
                    let message = format!("{} is recursively defined", names[0]);
                    let error = Diagnostic::error(span, message);
                    self.report(error.note(format!("each is computed from the next: {}", names.join(", "))));
                    return true;
                }
                path.push((wanted, 0));
            }
        }
        false
    }
}
