//! Extension of runs of a cone of influence to runs of the whole relation.

use lurcher_ir::relation::{Assignment, Relation, TermId, VariableId, VariableRole, check};
use lurcher_resources::reached;
use rustc_hash::FxHashMap;

use super::oracle::Oracle;
use crate::path::Path;

/// Extends a run over the `known` variables state by state: other variables get the smallest value that their assignments
/// allow. The cycle may close only after several rounds.
///
/// None if no extension is found. For runs of a cone of influence this happens only if the cycle needs too many rounds, or if
/// a limit is reached.
pub fn complete(relation: &Relation, run: &Path<Vec<i64>>, known: &[VariableId]) -> Option<Path<Vec<i64>>> {
    let completion = Completion { relation, oracle: Oracle::new(relation), known };
    let mut whole: Vec<Vec<i64>> = Vec::with_capacity(run.steps.len());
    for state in &run.steps {
        whole.push(completion.next(whole.last(), state)?);
    }
    let Some(start) = run.cycle_start else { return Some(Path::finite(whole)) };
    // The start of each round; the cycle closes when two rounds start in the same state.
    let mut rounds = FxHashMap::from_iter([(completion.state(&whole[start]), start)]);
    while whole.len().saturating_mul(relation.variables.len()) < VALUES {
        if rounds.len().is_multiple_of(LOOK_INTERVAL) {
            reached().is_none().then_some(())?;
        }
        let begin = completion.next(whole.last(), &run.steps[start])?;
        if let Some(&closed) = rounds.get(&completion.state(&begin)) {
            return Some(Path { steps: whole, cycle_start: Some(closed) });
        }
        rounds.insert(completion.state(&begin), whole.len());
        whole.push(begin);
        for state in &run.steps[start + 1..] {
            whole.push(completion.next(whole.last(), state)?);
        }
    }
    None
}

/// The most values in the states of an extended run.
const VALUES: usize = 1 << 19;
/// Rounds between two looks at the limits.
const LOOK_INTERVAL: usize = 64;

struct Completion<'r> {
    relation: &'r Relation,
    oracle: Oracle<'r>,
    known: &'r [VariableId],
}

impl Completion<'_> {
    /// The valuation with the known values, and the first value of each other domain.
    fn start(&self, state: &[i64]) -> Vec<i64> {
        let mut whole: Vec<i64> = self.relation.variables.iter().map(|v| v.domain.value(0)).collect();
        for (variable, value) in self.known.iter().zip(state) {
            whole[variable.0 as usize] = *value;
        }
        whole
    }

    fn is_open(&self, variable: VariableId) -> bool {
        self.known.binary_search(&variable).is_err()
    }

    fn next(&self, before: Option<&Vec<i64>>, state: &[i64]) -> Option<Vec<i64>> {
        before.map_or_else(|| self.first(state), |before| self.after(before, state))
    }

    /// The values of the state variables; inputs may differ where a cycle closes.
    fn state(&self, whole: &[i64]) -> Vec<i64> {
        self.relation.state_variables().map(|(id, _)| whole[id.0 as usize]).collect()
    }

    fn first(&self, state: &[i64]) -> Option<Vec<i64>> {
        let mut whole = self.start(state);
        let all: Vec<Assignment> =
            [&self.relation.initial, &self.relation.invariant].iter().flat_map(|b| b.assignments.clone()).collect();
        for assignment in check::order(&all, |t| self.relation.terms.support(t).current) {
            if self.is_open(assignment.variable) {
                whole[assignment.variable.0 as usize] = self.value(assignment.value, &whole, &whole)?;
            }
        }
        self.oracle.is_initial(&whole).then_some(whole)
    }

    fn after(&self, before: &[i64], state: &[i64]) -> Option<Vec<i64>> {
        self.relation.transitions.iter().find_map(|transition| {
            let mut whole = self.start(state);
            for (id, variable) in self.relation.state_variables() {
                let keeps = transition.keeps || variable.role == VariableRole::Frozen;
                if keeps && self.is_open(id) {
                    whole[id.0 as usize] = before[id.0 as usize];
                }
            }
            let steps = check::order(&transition.block.assignments, |t| self.relation.terms.support(t).next);
            let always = check::order(&self.relation.invariant.assignments, |t| self.relation.terms.support(t).current);
            // Assignments of the step and of the invariant block may read each other.
            for _ in 0..2 {
                for assignment in steps.iter().filter(|a| self.is_open(a.variable)) {
                    whole[assignment.variable.0 as usize] = self.value(assignment.value, before, &whole)?;
                }
                for assignment in always.iter().filter(|a| self.is_open(a.variable)) {
                    whole[assignment.variable.0 as usize] = self.value(assignment.value, &whole, &whole)?;
                }
            }
            let possible = self.oracle.steps(before, &whole).next().is_some();
            possible.then_some(whole)
        })
    }

    fn value(&self, term: TermId, now: &[i64], after: &[i64]) -> Option<i64> {
        self.oracle.values(term, now, after).first().copied()
    }
}
