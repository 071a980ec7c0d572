//! From goal paths to a table of patterns.
//!
//! The thesis writes one row for each step of one path, with wildcards set by hand. Here two paths, from instances of two
//! sizes, show what a pattern may not depend on; a single path is used if there is no other. A process with a fixed
//! behaviour (see [`super::classes`]) gets one row for each of its steps, compared with the same step in the other size. All
//! other processes share one row for each edge of the control-flow graph, compared over all processes and both sizes. A row
//! constrains a variable if one relation (a constant, `_pid`, the number of processes) explains all examples, the variable
//! changes on the path, and both sizes give examples; otherwise the variable is a wildcard.
//!
//! A row of a fixed process also contains the locations of the other fixed processes at that point of the path, if both
//! sizes agree. This keeps their steps in order, which matters most when few processes err together.
//!
//! [`Style::Plain`] is the table of the thesis (figure 6.5): one row for each step, for the first process of the type or for
//! a later one, without variables.

use std::collections::{BTreeMap, BTreeSet};

use lurcher_ir::{BinaryOp, Model, ProcessTypeId};
use lurcher_resources::checkpoint;

use super::classes::{Classes, PathOf, Steps, classify};
use super::condition::{Condition, GONE, Term};
use super::path::{Edge, GoalPath, PathStep};
use super::role::{Rank, Role};
use super::table::{Row, Style};
use super::variables::find;

/// Generalises one path, or two of instances of different size, the smaller instance first.
pub fn generalise(model: &Model, paths: &[GoalPath], of: PathOf, style: Style) -> Vec<Row> {
    let Some(path) = paths.last() else { return Vec::new() };
    match style {
        Style::Plain => path.steps.iter().map(|step| plain(model, step)).collect(),
        Style::Roles => by_roles(model, comparable(paths), of),
    }
}

fn plain(model: &Model, step: &PathStep) -> Row {
    let first = Rank::First(0);
    Row {
        process: model.process_type(step.process_type).name.clone(),
        role: if step.rank == 0 { Role::Is(first) } else { Role::After(first) },
        previous: Some(step.previous),
        next: Some(step.next),
        branch: None,
        conditions: Vec::new(),
        distance: step.remaining,
    }
}

/// The paths that can be compared. If they do not take the same edges, except for the last step, the smaller instance is
/// taken as a special case and left out.
fn comparable(paths: &[GoalPath]) -> &[GoalPath] {
    let edges = |path: &GoalPath| -> BTreeSet<_> {
        let steps = path.steps.split_last().map_or(&[][..], |(_, rest)| rest);
        steps.iter().map(|s| (s.process_type, s.edge())).collect()
    };
    match paths {
        [small, large] if edges(small) != edges(large) => &paths[1..],
        _ => paths,
    }
}

/// Examples of one pattern: the number of a path, and a step on it.
type Examples<'p> = Vec<(usize, &'p PathStep)>;

/// A process with a fixed behaviour: type, rank, and rank as a number on each path.
type Fixed = (ProcessTypeId, Rank, Vec<u16>);

fn by_roles(model: &Model, paths: &[GoalPath], of: PathOf) -> Vec<Row> {
    let certain = paths.len() > 1 || of == PathOf::Model;
    let types = (0..model.process_types.len() as u16).map(ProcessTypeId);
    let classified: Vec<(ProcessTypeId, Classes)> = types.map(|t| (t, classify(t, paths, of))).collect();
    let mut all_fixed: Vec<Fixed> = Vec::new();
    for (process_type, classes) in &classified {
        for fixed in &classes.fixed {
            let rank = |(path, steps): (&GoalPath, &Steps)| steps.first().map_or(0, |&i| path.steps[i].rank);
            all_fixed.push((*process_type, fixed.rank, paths.iter().zip(&fixed.steps).map(rank).collect()));
        }
    }
    let mut rows = Vec::new();
    for (process_type, classes) in &classified {
        let variables = paths.first().map_or(&[][..], |path| &path.variables[process_type.0 as usize]);
        let known = variables.iter().map(|v| find(model, *process_type, &v.name).is_some()).collect();
        let builder = RowBuilder { model, paths, process_type: *process_type, fixed: &all_fixed, certain, known };
        for fixed in &classes.fixed {
            let role = Role::Is(fixed.rank);
            rows.extend(by_step(paths, &fixed.steps).iter().map(|same| builder.row(role.clone(), same)));
        }
        let ranks: Vec<Rank> = classes.fixed.iter().map(|f| f.rank).collect();
        let others = if ranks.is_empty() { Role::Any } else { Role::Not(ranks) };
        rows.extend(by_edge(paths, &classes.growing).iter().map(|same| builder.row(others.clone(), same)));
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.distance));
    rows
}

/// The examples of each row of one process: step by step if it takes the same edges on all paths, otherwise by edge.
fn by_step<'p>(paths: &'p [GoalPath], steps: &[Steps]) -> Vec<Examples<'p>> {
    let edges =
        |(path, steps): (&GoalPath, &Steps)| -> Vec<_> { steps.iter().map(|&i| path.steps[i].edge()).collect() };
    let mut sequences = paths.iter().zip(steps).map(edges);
    let first = sequences.next().unwrap_or_default();
    if sequences.any(|other| other != first) {
        return by_edge(paths, steps);
    }
    let nth = |n: usize| -> Vec<Steps> { steps.iter().map(|steps| vec![steps[n]]).collect() };
    (0..first.len()).map(|n| examples(paths, &nth(n))).collect()
}

/// The examples of each edge.
fn by_edge<'p>(paths: &'p [GoalPath], steps: &[Steps]) -> Vec<Examples<'p>> {
    let mut edges: BTreeMap<Edge, Examples<'p>> = BTreeMap::new();
    for (path, step) in examples(paths, steps) {
        edges.entry(step.edge()).or_default().push((path, step));
    }
    edges.into_values().collect()
}

fn examples<'p>(paths: &'p [GoalPath], steps: &[Steps]) -> Examples<'p> {
    let numbered = paths.iter().zip(steps).enumerate();
    numbered.flat_map(|(number, (path, steps))| steps.iter().map(move |&i| (number, &path.steps[i]))).collect()
}

/// Builds the rows of one process type.
struct RowBuilder<'a> {
    model: &'a Model,
    paths: &'a [GoalPath],
    process_type: ProcessTypeId,
    fixed: &'a [Fixed],
    /// What the examples have in common is more than a guess.
    certain: bool,
    /// By variable of the process type on the first path: whether the model has it.
    known: Vec<bool>,
}

impl RowBuilder<'_> {
    /// The row that matches all these examples.
    fn row(&self, role: Role, same: &Examples<'_>) -> Row {
        let (_, last) = same.last().expect("a row has an example");
        let mut conditions = Vec::new();
        // A value with examples of one size only may be due to the size.
        if self.certain && (0..self.paths.len()).all(|n| same.iter().any(|(number, _)| *number == n)) {
            conditions.extend(self.variables(same));
            if let Role::Is(own) = role {
                conditions.extend(self.locations(own, same));
            }
        }
        let location = self.model.process_type(self.process_type).location(last.previous);
        let ways = location.branches.iter().filter(|b| b.target == last.next).count();
        Row {
            process: self.model.process_type(self.process_type).name.clone(),
            role,
            previous: Some(last.previous),
            next: Some(last.next),
            branch: (ways > 1).then_some(last.branch),
            conditions,
            distance: same.iter().map(|(_, s)| s.remaining).min().unwrap_or(0),
        }
    }

    fn variables(&self, same: &Examples<'_>) -> Vec<Condition> {
        let own = self.process_type.0 as usize;
        let mut found = Vec::new();
        for (variable, known) in self.paths[0].variables[own].iter().zip(&self.known) {
            let name = &variable.name;
            let value = |(number, step): &(usize, &PathStep)| value_of(&self.paths[*number], step, name);
            let example = |e: &(usize, &PathStep)| Some((value(e)?, e.1.pid, self.paths[e.0].population[own]));
            let Some(examples) = same.iter().map(example).collect::<Option<Vec<_>>>() else { continue };
            let seen = |step: &PathStep| !variable.local || step.process_type == self.process_type;
            let all = self.paths.iter().enumerate().flat_map(|(n, path)| path.steps.iter().map(move |s| (n, s)));
            let mut others = all.filter(|(_, s)| seen(s)).filter_map(|e| value(&e));
            let changes = others.any(|v| v != examples[0].0);
            let term = Term::infer(&examples).filter(|_| changes && *known);
            found.extend(term.map(|term| Condition::Variable(name.clone(), BinaryOp::Eq, term)));
        }
        found
    }

    /// The locations of the other fixed processes, if they are the same in all examples.
    fn locations(&self, own: Rank, same: &Examples<'_>) -> Vec<Condition> {
        let others = self.fixed.iter().filter(|(ty, rank, _)| (*ty, *rank) != (self.process_type, own));
        let condition = |(ty, rank, ranks): &Fixed| {
            let at = |(number, step): &(usize, &PathStep)| {
                let found = step.locations.iter().find(|(t, r, _)| t == ty && *r == ranks[*number]);
                found.map_or(GONE, |(_, _, location)| *location)
            };
            let location = same.first().map(at)?;
            let process = self.model.process_type(*ty).name.clone();
            let always = same.iter().all(|example| at(example) == location);
            always.then_some(Condition::At { process, rank: *rank, location })
        };
        others.filter_map(condition).collect()
    }
}

/// The value of a variable before a step of a path.
fn value_of(path: &GoalPath, step: &PathStep, name: &str) -> Option<i32> {
    checkpoint();
    let index = path.variables[step.process_type.0 as usize].iter().position(|v| v.name == name)?;
    step.values[index]
}

#[cfg(test)]
mod tests;
