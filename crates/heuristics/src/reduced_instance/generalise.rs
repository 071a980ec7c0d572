//! From goal paths to a table of patterns.
//!
//! The thesis writes one row for each step of one path and puts in the wildcards by hand. Here two paths, from
//! instances of two sizes, show what a pattern may not depend on (one serves where there is no other). A process with a part of its own (see
//! [`super::classes`]) gets one row for each of its steps, compared with the same step in the other size; everybody
//! else shares one row for each edge of the control-flow graph, compared over all processes and both sizes. A
//! variable is kept where one relation (a constant, `_pid`, the number of processes) explains all examples, provided
//! that it changes on the path at all and that both sizes give examples; the rest are wildcards.
//!
//! A row of a process with a part of its own also says where the other such processes stand at that moment of the
//! path, if both sizes agree: that is what keeps their steps in order, which matters more than anything else when few
//! processes err together.
//!
//! With [`Style::Plain`] the table is the one of the thesis (figure 6.5): one row for each step, told apart by
//! whether the first process of the type or a later one moves, no variables.

use std::collections::{BTreeMap, BTreeSet};

use lurcher_ir::{Model, ProcessTypeId};

use super::classes::{Cast, Part, PathOf, cast};
use super::condition::{Condition, GONE};
use super::constraint::{Comparison, Constraint, infer};
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

/// The paths that can be compared. Where the paths do not take the same edges, the last step aside, one instance is a
/// special case, most likely the smaller one; it is left out.
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

/// Examples of one pattern: the number of a path, and a step in it.
type Examples<'p> = Vec<(usize, &'p PathStep)>;

/// A process with a part of its own: type, name, and rank in each path.
type Player = (ProcessTypeId, Rank, Vec<u16>);

fn by_roles(model: &Model, paths: &[GoalPath], of: PathOf) -> Vec<Row> {
    let certain = paths.len() > 1 || of == PathOf::Model;
    let types = (0..model.process_types.len() as u16).map(ProcessTypeId);
    let casts: Vec<(ProcessTypeId, Cast)> = types.map(|t| (t, cast(t, paths, of))).collect();
    let mut players: Vec<Player> = Vec::new();
    for (process_type, cast) in &casts {
        for fixed in &cast.fixed {
            let rank = |(path, part): (&GoalPath, &Part)| part.first().map_or(0, |&i| path.steps[i].rank);
            players.push((*process_type, fixed.rank, paths.iter().zip(&fixed.parts).map(rank).collect()));
        }
    }
    let mut rows = Vec::new();
    for (process_type, cast) in &casts {
        let writer = Writer { model, paths, process_type: *process_type, players: &players, certain };
        for fixed in &cast.fixed {
            let role = Role::Is(fixed.rank);
            rows.extend(alike(paths, &fixed.parts).iter().map(|same| writer.row(role.clone(), same)));
        }
        let ranks: Vec<Rank> = cast.fixed.iter().map(|f| f.rank).collect();
        let others = if ranks.is_empty() { Role::Any } else { Role::Not(ranks) };
        rows.extend(by_edge(paths, &cast.growing).iter().map(|same| writer.row(others.clone(), same)));
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.distance));
    rows
}

/// The steps of one process that make one row: step by step where it does the same in all paths, else by edge.
fn alike<'p>(paths: &'p [GoalPath], parts: &[Part]) -> Vec<Examples<'p>> {
    let edges = |(path, part): (&GoalPath, &Part)| -> Vec<_> { part.iter().map(|&i| path.steps[i].edge()).collect() };
    let mut sequences = paths.iter().zip(parts).map(edges);
    let first = sequences.next().unwrap_or_default();
    if sequences.any(|other| other != first) {
        return by_edge(paths, parts);
    }
    let nth = |n: usize| -> Vec<Part> { parts.iter().map(|part| vec![part[n]]).collect() };
    (0..first.len()).map(|n| examples(paths, &nth(n))).collect()
}

/// Steps that take the same edge.
fn by_edge<'p>(paths: &'p [GoalPath], parts: &[Part]) -> Vec<Examples<'p>> {
    let mut edges: BTreeMap<Edge, Examples<'p>> = BTreeMap::new();
    for (path, step) in examples(paths, parts) {
        edges.entry(step.edge()).or_default().push((path, step));
    }
    edges.into_values().collect()
}

fn examples<'p>(paths: &'p [GoalPath], parts: &[Part]) -> Examples<'p> {
    let numbered = paths.iter().zip(parts).enumerate();
    numbered.flat_map(|(number, (path, part))| part.iter().map(move |&i| (number, &path.steps[i]))).collect()
}

/// Writes the rows of one process type.
struct Writer<'a> {
    model: &'a Model,
    paths: &'a [GoalPath],
    process_type: ProcessTypeId,
    players: &'a [Player],
    /// Is what the examples have in common more than a guess?
    certain: bool,
}

impl Writer<'_> {
    /// The row that all these examples are instances of.
    fn row(&self, role: Role, same: &Examples<'_>) -> Row {
        let (_, last) = same.last().expect("a row has an example");
        let mut conditions = Vec::new();
        // A value that was seen in one size only may be due to the size.
        if self.certain && (0..self.paths.len()).all(|n| same.iter().any(|(number, _)| *number == n)) {
            conditions.extend(self.variables(same));
            if let Role::Is(own) = role {
                conditions.extend(self.places(own, same));
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
        for variable in &self.paths[0].variables[own] {
            let name = &variable.name;
            let value = |(number, step): &(usize, &PathStep)| value_of(&self.paths[*number], step, name);
            let example = |e: &(usize, &PathStep)| Some((value(e)?, e.1.pid, self.paths[e.0].population[own]));
            let Some(examples) = same.iter().map(example).collect::<Option<Vec<_>>>() else { continue };
            let seen = |step: &PathStep| !variable.local || step.process_type == self.process_type;
            let all = self.paths.iter().enumerate().flat_map(|(n, path)| path.steps.iter().map(move |s| (n, s)));
            let mut others = all.filter(|(_, s)| seen(s)).filter_map(|e| value(&e));
            let changes = others.any(|v| v != examples[0].0);
            if let Some(term) =
                infer(&examples).filter(|_| changes && find(self.model, self.process_type, name).is_some())
            {
                let constraint = Constraint { variable: name.clone(), comparison: Comparison::Eq, term };
                found.push(Condition::Variable(constraint));
            }
        }
        found
    }

    /// Where the other processes with parts of their own stand, if they stand there in all examples.
    fn places(&self, own: Rank, same: &Examples<'_>) -> Vec<Condition> {
        let others = self.players.iter().filter(|(ty, rank, _)| (*ty, *rank) != (self.process_type, own));
        let place = |(ty, rank, ranks): &Player| {
            let at = |(number, step): &(usize, &PathStep)| {
                let place = step.places.iter().find(|(t, r, _)| t == ty && *r == ranks[*number]);
                place.map_or(GONE, |(_, _, location)| *location)
            };
            let location = same.first().map(at)?;
            let process = self.model.process_type(*ty).name.clone();
            let always = same.iter().all(|example| at(example) == location);
            always.then_some(Condition::At { process, rank: *rank, location })
        };
        others.filter_map(place).collect()
    }
}

/// The value of a variable, by name, before a step of a path.
fn value_of(path: &GoalPath, step: &PathStep, name: &str) -> Option<i32> {
    let index = path.variables[step.process_type.0 as usize].iter().position(|v| v.name == name)?;
    step.values[index]
}

#[cfg(test)]
mod tests;
