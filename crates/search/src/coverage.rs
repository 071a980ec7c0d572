//! The executed statements.

use lurcher_ir::{Action, ActionKind, Model, ProcessRole, ProcessType, ProcessTypeId};
use lurcher_system::{Interpreter, Move, ProcessId, State};
use serde::{Deserialize, Serialize};

use crate::walk::Covers;

/// A bit for every action of every process type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    executed: Vec<Vec<bool>>,
}

impl Coverage {
    /// Nothing executed yet.
    pub fn new(model: &Model) -> Self {
        Coverage { executed: model.process_types.iter().map(|p| vec![false; p.actions.len()]).collect() }
    }

    /// Notes the actions of a move before it is taken.
    pub fn note(&mut self, interpreter: &Interpreter<'_>, state: &State, step: &Move) {
        let mut mark = |id: ProcessId, branch: u16| {
            let (taken, _) = interpreter.branch(state, id, branch);
            self.executed[state.process_type(id).0 as usize][taken.action.0 as usize] = true;
        };
        mark(step.process, step.branch);
        if let Some((partner, branch)) = step.partner {
            mark(partner, branch);
        }
    }

    /// The union with other executed actions, given as a byte for each action of each process type, 0 if it was not
    /// executed. None if all of them are known.
    pub fn with(&self, executed: &[u8]) -> Option<Coverage> {
        let mut known = self.executed.iter().flatten().zip(executed);
        if known.all(|(mine, other)| *mine || *other == 0) {
            return None;
        }
        let mut union = self.clone();
        let all = union.executed.iter_mut().flatten();
        all.zip(executed).for_each(|(mine, other)| *mine |= *other != 0);
        Some(union)
    }

    /// The statements of each process type that were never executed, without unreachable jumps.
    pub fn unreached<'m>(&self, model: &'m Model) -> Vec<(ProcessTypeId, Vec<&'m Action>)> {
        let mut result = Vec::new();
        for (index, process_type) in model.process_types.iter().enumerate() {
            if process_type.role != ProcessRole::System {
                continue;
            }
            let reachable = statically_reachable(process_type);
            let missed = |(i, action): (usize, &'m Action)| {
                let jump = matches!(action.kind, ActionKind::Skip) && action.text != "skip";
                let counts = !jump || reachable[i];
                (counts && !self.executed[index][i]).then_some(action)
            };
            let mut missed: Vec<&Action> = process_type.actions.iter().enumerate().filter_map(missed).collect();
            missed.sort_by_key(|a| (a.span.file, a.span.start, a.home));
            result.push((ProcessTypeId(index as u16), missed));
        }
        result
    }
}

impl Covers for Coverage {
    fn merge(&mut self, other: &Self) -> u64 {
        let mut new = 0;
        let theirs = other.executed.iter().flatten();
        for (mine, theirs) in self.executed.iter_mut().flatten().zip(theirs) {
            new += u64::from(*theirs && !*mine);
            *mine |= theirs;
        }
        new
    }
}

/// Records the statements that a search executes. Branches taken before cost one bit test.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    coverage: Coverage,
    /// By process type: the index of its first location.
    first: Vec<u32>,
    /// By location: a bit for each of the first 64 branches, set if it was taken.
    taken: Vec<u64>,
}

impl Recorder {
    /// Nothing executed yet.
    pub fn new(model: &Model) -> Self {
        let mut first = Vec::new();
        let mut count = 0;
        for process_type in &model.process_types {
            first.push(count);
            count += process_type.locations.len() as u32;
        }
        Recorder { coverage: Coverage::new(model), first, taken: vec![0; count as usize] }
    }

    /// The executed statements.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Notes the actions of a move before it is taken.
    #[inline]
    pub fn note(&mut self, interpreter: &Interpreter<'_>, state: &State, step: &Move) {
        let known = self.is_known(state, step.process, step.branch);
        if !known || step.partner.is_some_and(|(p, branch)| !self.is_known(state, p, branch)) {
            self.coverage.note(interpreter, state, step);
        }
    }

    /// Whether a branch was taken before; notes that it is taken.
    fn is_known(&mut self, state: &State, id: ProcessId, branch: u16) -> bool {
        let location = self.first[state.process_type(id).0 as usize] + u32::from(state.location(id).0);
        let taken = &mut self.taken[location as usize];
        let bit = 1u64.checked_shl(u32::from(branch)).unwrap_or(0);
        let known = *taken & bit != 0;
        *taken |= bit;
        known
    }
}

/// The actions that a process could reach if every branch were possible.
fn statically_reachable(process_type: &ProcessType) -> Vec<bool> {
    let mut actions = vec![false; process_type.actions.len()];
    let mut seen = vec![false; process_type.locations.len()];
    let mut work = vec![process_type.initial];
    while let Some(location) = work.pop() {
        if std::mem::replace(&mut seen[location.0 as usize], true) {
            continue;
        }
        for branch in &process_type.location(location).branches {
            actions[branch.action.0 as usize] = true;
            work.push(branch.target);
        }
    }
    actions
}
