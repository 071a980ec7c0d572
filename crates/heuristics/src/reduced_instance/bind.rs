//! Rows resolved in a model: names become variables, and every branch gets the rows that could match it.

use lurcher_ir::{BinaryOp, LocationId, Model, ProcessRole, ProcessType, ProcessTypeId};

use super::condition::{Condition, Term};
use super::role::{Rank, Role};
use super::table::Row;
use super::variables::{Variable, find};

/// The gain of a step that leads back to the path at once, as a fraction of a step on the path. It falls to a quarter with
/// the distance, so that a process with a long way back still gets its turn.
const RETURN: u32 = 200;

/// A resolved condition.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Variable(Variable, BinaryOp, Term),
    At(ProcessTypeId, Rank, LocationId),
}

/// A resolved row.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub role: Role,
    pub conditions: Vec<Test>,
    pub distance: u32,
}

/// One branch of one location.
#[derive(Clone, Debug, Default)]
pub(super) struct Edge {
    /// Indices of rows, in the order in which they are tried.
    pub rows: Vec<u32>,
    /// The gain of a step if no row matches.
    pub gain: u32,
}

pub(super) fn blank(process_type: &ProcessType) -> Vec<Vec<Edge>> {
    process_type.locations.iter().map(|l| vec![Edge::default(); l.branches.len()]).collect()
}

pub(super) fn bind(model: &Model, row: &Row, unit: u32) -> Result<(ProcessTypeId, Bound), String> {
    let found = model.find_process_type(&row.process);
    let system = found.filter(|&id| model.process_type(id).role == ProcessRole::System);
    let id = system.ok_or_else(|| format!("there is no process type `{}`", row.process))?;
    let look_up = |condition: &Condition| match condition {
        Condition::Variable(name, comparison, term) => {
            let variable = find(model, id, name);
            let variable = variable.ok_or_else(|| format!("`{}` sees no variable `{name}`", row.process))?;
            Ok(Test::Variable(variable, *comparison, *term))
        }
        Condition::At { process, rank, location } => {
            let ty = model.find_process_type(process);
            let ty = ty.ok_or_else(|| format!("there is no process type `{process}`"))?;
            Ok(Test::At(ty, *rank, *location))
        }
    };
    let conditions = row.conditions.iter().map(look_up).collect::<Result<_, String>>()?;
    Ok((id, Bound { role: row.role.clone(), conditions, distance: row.distance.saturating_mul(unit) }))
}

/// Adds a row to the branches that it could match, and returns whether there are any.
pub(super) fn enter(model: &Model, edges: &mut [Vec<Edge>], id: ProcessTypeId, row: &Row, index: u32) -> bool {
    let mut found = false;
    for (at, location) in model.process_type(id).locations.iter().enumerate() {
        for (number, (branch, edge)) in location.branches.iter().zip(&mut edges[at]).enumerate() {
            let from = row.previous.is_none_or(|p| p.0 as usize == at);
            let this = row.branch.is_none_or(|b| usize::from(b) == number);
            if from && this && row.next.is_none_or(|n| n == branch.target) {
                edge.rows.push(index);
                found = true;
            }
        }
    }
    found
}

/// Sets the gain of each branch by the distance of its target from a location with rows; `unit` is a step on the path.
pub(super) fn grade(process_type: &ProcessType, edges: &mut [Vec<Edge>], unit: u32) {
    let most = unit / RETURN;
    let mut steps: Vec<u32> =
        edges.iter().map(|l| if l.iter().any(|e| !e.rows.is_empty()) { 0 } else { u32::MAX }).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (at, location) in process_type.locations.iter().enumerate() {
            let best = location.branches.iter().map(|b| steps[b.target.0 as usize].saturating_add(1)).min();
            if let Some(best) = best.filter(|&b| b < steps[at]) {
                steps[at] = best;
                changed = true;
            }
        }
    }
    for (at, location) in process_type.locations.iter().enumerate() {
        for (branch, edge) in location.branches.iter().zip(&mut edges[at]) {
            let left = steps[branch.target.0 as usize];
            // A step that leaves the path gains nothing.
            edge.gain = if steps[at] == 0 { 0 } else { most / 4 + most / 4 * 3 / left.saturating_add(1) };
        }
    }
}
