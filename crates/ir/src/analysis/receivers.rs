//! Who may answer a send by rendezvous.

use std::collections::HashSet;

use crate::analysis::{Access, Owner, Region, global_channels, named_channels};
use crate::model::{Action, ActionKind, Model, ProcessRole, ProcessType, ProcessTypeId};

/// Who may receive from a rendezvous channel: whether they do, and what happens to them, is up to their frames and the
/// globals named here.
#[derive(Clone, Debug, Default)]
pub struct Receivers {
    /// Types of processes that may receive.
    pub types: Vec<ProcessTypeId>,
    /// Global values that they read or store to when they do.
    pub globals: Vec<Region>,
}

impl Receivers {
    /// Who may receive from the channel of a number; none when that depends on more, or when somebody goes on by himself
    /// after he has received. `constant` are the [`constant_globals`](super::constant_globals).
    pub fn of(model: &Model, constant: &HashSet<u32>, channel: u16) -> Option<Self> {
        let channels = global_channels(model);
        let mut found = Receivers::default();
        for (number, process_type) in model.process_types.iter().enumerate() {
            let hears = |action: &&Action| {
                receives(&action.kind, |expr| {
                    named_channels(&channels, constant, expr, None).is_none_or(|named| named.contains(&channel))
                })
            };
            if process_type.role != ProcessRole::System || !process_type.actions.iter().any(|a| hears(&a)) {
                continue;
            }
            if process_type.provided.is_some() || !process_type.actions.iter().filter(hears).all(|a| found.add(a)) {
                return None;
            }
            if goes_on(process_type, |action| hears(&action)) {
                return None;
            }
            found.types.push(ProcessTypeId(number as u16));
        }
        Some(found)
    }

    /// Adds what a receive touches; false when it is more than values.
    fn add(&mut self, action: &Action) -> bool {
        let access = Access::of_action(action, None);
        let others = access.reads().chain(&access.writes).any(|r| matches!(r.owner, Owner::Process(..)));
        if others || access.sees_processes() || !access.locations.is_empty() || access.channels.len() > 1 {
            return false;
        }
        self.globals.extend(access.reads().chain(&access.writes).filter(|r| r.owner == Owner::Global).cloned());
        matches!(action.kind, ActionKind::Receive { .. })
    }
}

/// Does a statement begin with a receive from a channel that may be the one?
fn receives(kind: &ActionKind, may_be: impl Fn(&crate::expr::Expr) -> bool) -> bool {
    match kind {
        ActionKind::Receive { channel, copy: false, .. } => may_be(channel),
        ActionKind::DStep(sequence) => sequence
            .guards
            .iter()
            .any(|guard| matches!(guard, ActionKind::Receive { channel, copy: false, .. } if may_be(channel))),
        _ => false,
    }
}

/// Does a process keep exclusive control after such an action?
fn goes_on(process_type: &ProcessType, hears: impl Fn(&Action) -> bool) -> bool {
    let mut branches = process_type.locations.iter().flat_map(|l| &l.branches);
    branches.any(|b| b.atomic && hears(process_type.action(b.action)))
}
