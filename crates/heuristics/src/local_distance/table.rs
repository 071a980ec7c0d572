//! Tables of local distances, shared by processes with equal ones.

use std::collections::HashMap;

use lurcher_ir::analysis::{Access, ControlFlow, Distances};
use lurcher_ir::{Action, ActionKind, Expr, LocationId, Model, ProcessType, ProcessTypeId};
use lurcher_system::{ProcessId, State};

use crate::goals::{Goals, ProcessGoals, Target, can_fail, system_types};

/// Distances of one process type, or of one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// By location.
    at: Vec<u32>,
    /// Index of the first branch, by location.
    first: Vec<u32>,
    /// Scores of the branches, location by location.
    by: Vec<u32>,
    /// Whether each branch is an assertion that can fail.
    assertions: Vec<bool>,
}

impl Table {
    /// The distance from a location.
    pub fn at(&self, location: LocationId) -> u32 {
        self.at[location.0 as usize]
    }

    /// The score of a branch: the distance from its target.
    pub fn by(&self, location: LocationId, branch: u16) -> u32 {
        self.by[self.first[location.0 as usize] as usize + branch as usize]
    }

    /// Sets the distance of a location and the scores of the branches that lead there, except for goals.
    fn set(&mut self, process_type: &ProcessType, location: LocationId, distance: u32) {
        let old = std::mem::replace(&mut self.at[location.0 as usize], distance);
        for (number, from) in process_type.locations.iter().enumerate() {
            for (branch, _) in from.branches.iter().enumerate().filter(|(_, b)| b.target == location) {
                let score = &mut self.by[self.first[number] as usize + branch];
                if *score == old {
                    *score = distance;
                }
            }
        }
    }

    pub(super) fn is_assertion(&self, location: LocationId, branch: u16) -> bool {
        self.assertions[self.first[location.0 as usize] as usize + branch as usize]
    }
}

/// What of a process the tables follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Its control flow alone.
    ControlFlow,
    /// Its control flow, its number in guards, and the processes that it creates.
    Full,
}

/// The tables in use while the claim is at one location.
#[derive(Debug, Default)]
struct Stage {
    by_type: Vec<u32>,
    /// By process number: type and table, if they differ from those of the type.
    by_process: Vec<Vec<(ProcessTypeId, u32)>>,
}

impl Stage {
    /// The number of the table of a type or of a process; that of a process starts as the one of its type.
    fn slot(&mut self, ty: ProcessTypeId, pid: Option<u16>) -> &mut u32 {
        let shared = &mut self.by_type[ty.0 as usize];
        let Some(pid) = pid.map(usize::from) else { return shared };
        self.by_process.resize(self.by_process.len().max(pid + 1), Vec::new());
        let own = &mut self.by_process[pid];
        let at = own.iter().position(|(t, _)| *t == ty).unwrap_or_else(|| {
            own.push((ty, *shared));
            own.len() - 1
        });
        &mut own[at].1
    }
}

/// All tables of a heuristic.
#[derive(Debug)]
pub(super) struct Tables {
    stages: Vec<Stage>,
    tables: Vec<Table>,
    far: u32,
}

/// Stands for [`Tables::far`] until all tables are known.
const UNREACHABLE: u32 = u32::MAX;

impl Tables {
    pub fn new(model: &Model, goals: &[Goals], target: &Target, detail: Detail) -> Tables {
        let creates = |p: &ProcessType| p.actions.iter().map(|a| Access::of_kind(&a.kind, None).creates).collect();
        let creates = model.process_types.iter().map(creates).collect();
        let flows = model.process_types.iter().map(|p| ControlFlow::new(p, None)).collect();
        let mut builder = Builder { model, target, detail, flows, creates, known: HashMap::new(), tables: Vec::new() };
        let stages = goals.iter().map(|goals| builder.stage(goals)).collect();
        let mut tables = builder.tables;
        let farthest = tables.iter().flat_map(|t| &t.at).filter(|&&d| d != UNREACHABLE).max();
        let far = farthest.map_or(1, |f| f + 1);
        let values = tables.iter_mut().flat_map(|t| t.at.iter_mut().chain(&mut t.by));
        values.filter(|v| **v == UNREACHABLE).for_each(|v| *v = far);
        Tables { stages, tables, far }
    }

    /// The value of locations from which no goal is reachable.
    pub fn far(&self) -> u32 {
        self.far
    }

    /// Number of stages: claim locations, or 1 without a claim.
    pub fn stage_count(&self) -> usize {
        self.stages.len()
    }

    /// The tables of single processes while the claim is at a location.
    pub fn own(&self, claim: LocationId) -> impl Iterator<Item = (usize, ProcessTypeId, &Table)> {
        let slots = self.stage(claim).by_process.iter().enumerate();
        slots.flat_map(move |(pid, own)| own.iter().map(move |&(ty, id)| (pid, ty, &self.tables[id as usize])))
    }

    /// Sets the distance of a location, for a process type or for one process.
    pub fn set(
        &mut self,
        model: &Model,
        claim: LocationId,
        (ty, pid): (ProcessTypeId, Option<u16>),
        location: LocationId,
        distance: u32,
    ) {
        let number = if self.stages.len() > claim.0 as usize { claim.0 as usize } else { 0 };
        let slot = self.stages[number].slot(ty, pid);
        // Tables are shared, so the change goes to a copy.
        let mut table = self.tables[*slot as usize].clone();
        *slot = self.tables.len() as u32;
        table.set(model.process_type(ty), location, distance);
        self.tables.push(table);
        self.far = self.far.max(distance);
    }

    fn stage(&self, claim: LocationId) -> &Stage {
        self.stages.get(claim.0 as usize).unwrap_or(&self.stages[0])
    }

    pub fn of_type(&self, claim: LocationId, process_type: ProcessTypeId) -> &Table {
        &self.tables[self.stage(claim).by_type[process_type.0 as usize] as usize]
    }

    pub fn of_process(&self, state: &State, claim: LocationId, process: ProcessId) -> &Table {
        let stage = self.stage(claim);
        let ty = state.process_type(process);
        let own = stage.by_process.get(process.0 as usize).and_then(|o| o.iter().find(|(t, _)| *t == ty));
        &self.tables[own.map_or(stage.by_type[ty.0 as usize], |o| o.1) as usize]
    }
}

fn guards_read_pid(process_type: &ProcessType) -> bool {
    let reads = |a: &Action| matches!(&a.kind, ActionKind::Guard(e) if e.any(&|e| matches!(e, Expr::Pid)));
    process_type.actions.iter().any(reads)
}

/// Builds tables, equal ones once.
struct Builder<'m> {
    model: &'m Model,
    target: &'m Target,
    detail: Detail,
    /// By process type.
    flows: Vec<ControlFlow<'m>>,
    /// By process type and action: the types of the processes that it creates.
    creates: Vec<Vec<Vec<ProcessTypeId>>>,
    known: HashMap<Table, u32>,
    tables: Vec<Table>,
}

impl<'m> Builder<'m> {
    fn stage(&mut self, goals: &Goals) -> Stage {
        let types = self.type_distances(goals);
        let mut stage = Stage::default();
        for (number, distances) in types.iter().enumerate() {
            let table = self.table(&self.flows[number], distances, &goals.types[number]);
            stage.by_type.push(self.add(table));
        }
        let full = self.detail == Detail::Full;
        let reads_pid: Vec<bool> = self.model.process_types.iter().map(|p| full && guards_read_pid(p)).collect();
        let initial = self.model.initial_processes.iter().enumerate().map(|(pid, p)| (pid as u16, p.0));
        let told_apart = initial.filter(|(pid, ty)| reads_pid[ty.0 as usize] && !goals.named.contains_key(pid));
        let of_any_type = |&pid| system_types(self.model).map(move |(ty, _)| (pid, ProcessTypeId(ty as u16)));
        let named = goals.named.keys().flat_map(of_any_type);
        for (pid, ty) in told_apart.chain(named).collect::<Vec<_>>() {
            let flow = ControlFlow::new(self.model.process_type(ty), Some(pid));
            let own = goals.of_process(ty.0 as usize, pid);
            let table = self.table(&flow, &self.distances(ty, &flow, &own, &types), &own);
            *stage.slot(ty, Some(pid)) = self.add(table);
        }
        stage
    }

    /// The distances of every process type. The goals of a created process count for its creator, so this is a fixed point.
    fn type_distances(&self, goals: &Goals) -> Vec<Distances> {
        let mut found: Vec<Distances> = self.flows.iter().map(|f| f.distances(|_| None, |_| None)).collect();
        loop {
            let of = |(ty, flow)| self.distances(ProcessTypeId(ty as u16), flow, &goals.types[ty], &found);
            let next: Vec<Distances> = self.flows.iter().enumerate().map(of).collect();
            if next == found {
                return found;
            }
            found = next;
        }
    }

    fn distances(
        &self,
        ty: ProcessTypeId,
        flow: &ControlFlow<'_>,
        goals: &ProcessGoals,
        types: &[Distances],
    ) -> Distances {
        let at = |l: LocationId| goals.locations.contains(&l).then_some(0);
        flow.distances(at, |edge| {
            if goals.actions.contains(&edge.action) {
                return Some(0);
            }
            let runs = &self.creates[ty.0 as usize][edge.action.0 as usize];
            let follows = self.detail == Detail::Full && !matches!(self.target, Target::Deadlock);
            let runs = runs.iter().filter(|_| follows);
            runs.filter_map(|&ty| types[ty.0 as usize].of(self.model.process_type(ty).initial)).min()
        })
    }

    fn table(&self, flow: &ControlFlow<'_>, distances: &Distances, goals: &ProcessGoals) -> Table {
        let assertion = matches!(self.target, Target::Assertion);
        // Executing the assertion is one more step.
        let value = |d: Option<u32>| d.map_or(UNREACHABLE, |d| d + u32::from(assertion));
        let at: Vec<u32> = distances.as_slice().iter().map(|&d| value(d)).collect();
        let (mut first, mut by, mut assertions) = (Vec::new(), Vec::new(), Vec::new());
        for (number, location) in flow.process_type().locations.iter().enumerate() {
            let base = by.len();
            first.push(base as u32);
            by.resize(base + location.branches.len(), UNREACHABLE);
            assertions.resize(by.len(), false);
            for edge in flow.outgoing(LocationId(number as u16)) {
                let slot = base + usize::from(edge.branch);
                by[slot] = match edge.target {
                    _ if goals.actions.contains(&edge.action) => 0,
                    Some(target) => at[target.0 as usize],
                    None => UNREACHABLE,
                };
                assertions[slot] = assertion && can_fail(&flow.action(edge).kind);
            }
        }
        Table { at, first, by, assertions }
    }

    fn add(&mut self, table: Table) -> u32 {
        *self.known.entry(table).or_insert_with_key(|table| {
            self.tables.push(table.clone());
            self.tables.len() as u32 - 1
        })
    }
}
