//! The heuristic of a table.
//!
//! Binding the table to a model gives every branch the list of rows that could match it, so a lookup is one index and a few
//! comparisons.
//!
//! A step that matches a row has the distance of the row; the nearest row counts. The thesis gives all other steps the
//! maximum, which leaves a walk without guidance once no step on the path is enabled. [`Style::Roles`] grades them, in units
//! so small that they do not compete with steps on the path: first steps *out of turn*, on an edge of the path by a process
//! in the right role of which only the conditions fail; then steps of processes that are nowhere on the path; last steps
//! that leave it.

use lurcher_ir::{LocationId, Model, ProcessTypeId};
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Layout, ProcessId, State};

use super::bind::{Bound, Edge, Test, bind, blank, enter, grade};
use super::condition::GONE;
use super::path::rank;
use super::role::Rank;
use super::table::{Style, Table, difference, shapes};

/// An approximate maximum: a step on the path counts this divided by the length of the path, at least 1. Weights of walks
/// have no more bits.
const LARGEST: u32 = 1 << 16;
/// The gain of a step out of turn, as a fraction of a step on the path.
const OUT_OF_TURN: u32 = 100;

/// Why a table does not fit a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// The process types have other shapes.
    Shape(String),
    /// A row, counted from 1, names something that does not exist.
    Row(usize, String),
    /// There are no rows.
    Empty,
    /// The path is too long.
    TooLong(u32),
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Misfit::Shape(what) => write!(f, "the guide was made for another model: {what}"),
            Misfit::Row(number, what) => write!(f, "row {number} of the guide: {what}"),
            Misfit::Empty => write!(f, "the guide has no rows"),
            Misfit::TooLong(length) => write!(f, "the guide's path of {length} steps is too long"),
        }
    }
}

impl std::error::Error for Misfit {}

/// The heuristic `reduced-instance`.
#[derive(Clone, Debug)]
pub struct ReducedInstance {
    table: Table,
    layout: Layout,
    rows: Vec<Bound>,
    /// By process type, location and branch.
    edges: Vec<Vec<Vec<Edge>>>,
    /// Type and rank of the initial processes.
    initial: Vec<(ProcessTypeId, u16)>,
    /// By type: the numbers of the initial processes.
    members: Vec<Vec<u16>>,
    max: u32,
    /// The gain of a step that fails only the conditions of a row.
    out_of_turn: u32,
}

impl ReducedInstance {
    /// Binds a table to a model, with its claim if there is one.
    ///
    /// # Errors
    /// If the model's process types are not those of the table, or a row names something that does not exist.
    pub fn new(model: &Model, table: Table) -> Result<Self, Misfit> {
        if let Some(what) = difference(&table.shapes, &shapes(model)) {
            return Err(Misfit::Shape(what));
        }
        let length = table.rows.iter().map(|r| r.distance).max().ok_or(Misfit::Empty)?.max(table.length);
        let unit = match table.style {
            Style::Plain => 1,
            Style::Roles => (LARGEST / length.saturating_add(1)).max(1),
        };
        let max = length.checked_add(1).and_then(|l| l.checked_mul(unit)).filter(|&m| m > 0);
        let max = max.ok_or(Misfit::TooLong(length))?;
        let mut rows = Vec::new();
        let mut edges: Vec<Vec<Vec<Edge>>> = model.process_types.iter().map(blank).collect();
        for (index, row) in table.rows.iter().enumerate() {
            let number = index + 1;
            let (process_type, bound) = bind(model, row, unit).map_err(|what| Misfit::Row(number, what))?;
            let found = enter(model, &mut edges[process_type.0 as usize], process_type, row, index as u32);
            if !found {
                return Err(Misfit::Row(number, "no branch leads from the one location to the other".to_owned()));
            }
            rows.push(bound);
        }
        if table.style == Style::Roles {
            for (process_type, edges) in model.process_types.iter().zip(&mut edges) {
                grade(process_type, edges, unit);
            }
            edges.iter_mut().flatten().flatten().for_each(|e| e.rows.sort_by_key(|&r| rows[r as usize].distance));
        }
        let mut members: Vec<Vec<u16>> = vec![Vec::new(); model.process_types.len()];
        let mut initial = Vec::new();
        for (pid, &(ty, _)) in model.initial_processes.iter().enumerate() {
            initial.push((ty, members[ty.0 as usize].len() as u16));
            members[ty.0 as usize].push(pid as u16);
        }
        let out_of_turn = if table.style == Style::Roles { unit / OUT_OF_TURN } else { 0 };
        Ok(ReducedInstance { table, layout: Layout::new(model), rows, edges, initial, members, max, out_of_turn })
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The rank of a process and the number of processes of its type.
    fn rank_and_count(&self, state: &State, process: ProcessId, process_type: ProcessTypeId) -> (u16, u16) {
        match self.initial.get(process.0 as usize) {
            Some(&(ty, rank)) if ty == process_type => (rank, self.members[ty.0 as usize].len() as u16),
            _ => (rank(state, process), of_type(state, process_type).count() as u16),
        }
    }

    /// The process with a rank.
    fn find(&self, state: &State, process_type: ProcessTypeId, rank: Rank) -> Option<ProcessId> {
        let members = &self.members[process_type.0 as usize];
        if members.is_empty() {
            let count = of_type(state, process_type).count() as u16;
            return of_type(state, process_type).nth(rank.resolve(count)?.into());
        }
        let pid = *members.get(usize::from(rank.resolve(members.len() as u16)?))?;
        let alive = pid < state.process_count() && state.process_type(ProcessId(pid)) == process_type;
        alive.then_some(ProcessId(pid))
    }
}

impl Guidance for ReducedInstance {
    fn scores(&self) -> Scores {
        Scores::Steps
    }

    fn max(&self) -> u32 {
        self.max
    }

    /// States have no values.
    fn of_state(&self, _: &State, _: LocationId) -> u32 {
        self.max
    }

    fn of_step(&self, state: &State, _: LocationId, process: ProcessId, branch: u16) -> u32 {
        let process_type = state.process_type(process);
        let location = state.location(process);
        let edge = &self.edges[process_type.0 as usize][location.0 as usize][branch as usize];
        if edge.rows.is_empty() {
            return self.max - edge.gain;
        }
        let (rank, count) = self.rank_and_count(state, process, process_type);
        let mut gain = edge.gain;
        for &row in &edge.rows {
            let row = &self.rows[row as usize];
            if !row.role.covers(rank, count) {
                continue;
            }
            let holds = |test: &Test| match test {
                Test::Variable(variable, comparison, term) => {
                    let value = variable.value(&self.layout, state, process);
                    value.is_some_and(|v| comparison.apply(v, term.value(process.0, count)) == Some(1))
                }
                Test::At(ty, rank, location) => {
                    self.find(state, *ty, *rank).map_or(GONE, |p| state.location(p)) == *location
                }
            };
            if row.conditions.iter().all(holds) {
                return row.distance;
            }
            gain = self.out_of_turn;
        }
        self.max - gain
    }
}

fn of_type(state: &State, process_type: ProcessTypeId) -> impl Iterator<Item = ProcessId> + '_ {
    (0..state.process_count()).map(ProcessId).filter(move |&p| state.process_type(p) == process_type)
}
