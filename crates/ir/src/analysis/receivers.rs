//! Possible receivers of a rendezvous.

use crate::analysis::{Access, OffsetSet, Owner, Region, global_channels, named_channels};
use crate::model::{Action, Model, ProcessTypeId};
use crate::statement::ActionKind;

/// The processes that may receive from a rendezvous channel. Whether they do, and the effect on them, depends only on
/// their frames and on these globals.
#[derive(Clone, Debug, Default)]
pub struct Receivers {
    /// Their process types.
    pub types: Vec<ProcessTypeId>,
    /// Global values that their receives read or write.
    pub globals: Vec<Region>,
}

impl Receivers {
    /// The receivers of a channel; none if a receive depends on more than values or starts an atomic chain. `constant` are
    /// the [`constant_globals`](super::constant_globals).
    pub fn of(model: &Model, constant: &OffsetSet, channel: u16) -> Option<Self> {
        let channels = global_channels(model);
        let may_be = |guard: &ActionKind| match guard {
            ActionKind::Receive { channel: expr, copy: false, .. } => {
                named_channels(&channels, constant, expr, None).is_none_or(|named| named.contains(&channel))
            }
            _ => false,
        };
        let receives = |action: &&Action| match &action.kind {
            ActionKind::DStep(sequence) => sequence.guards.iter().any(may_be),
            kind => may_be(kind),
        };
        let mut found = Receivers::default();
        for (id, process_type) in model.system_types() {
            if !process_type.actions.iter().any(|a| receives(&a)) {
                continue;
            }
            let mut branches = process_type.locations.iter().flat_map(|l| &l.branches);
            if process_type.provided.is_some()
                || !process_type.actions.iter().filter(receives).all(|a| found.add(a))
                || branches.any(|b| b.atomic && receives(&process_type.action(b.action)))
            {
                return None;
            }
            found.types.push(id);
        }
        Some(found)
    }

    /// Adds the globals of a receive; false if it depends on more than values.
    fn add(&mut self, action: &Action) -> bool {
        let access = Access::of_kind(&action.kind, None);
        let remote = access.reads().chain(&access.writes).any(|r| matches!(r.owner, Owner::Process(..)));
        if remote || access.sees_processes() || !access.locations.is_empty() || access.channels.len() > 1 {
            return false;
        }
        self.globals.extend(access.reads().chain(&access.writes).filter(|r| r.owner == Owner::Global).cloned());
        matches!(action.kind, ActionKind::Receive { .. })
    }
}
