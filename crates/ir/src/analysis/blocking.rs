//! Locations at which a process can block.

use crate::analysis::constant;
use crate::expr::Expr;
use crate::model::{LocationId, ProcessType};
use crate::statement::ActionKind;

/// Whether the statement is enabled in every state in which no other process can move. This includes `else` (if it is
/// disabled, a branch before it is enabled) and `timeout`.
pub fn always_enabled(kind: &ActionKind, pid: Option<u16>) -> bool {
    match kind {
        ActionKind::Guard(Expr::Timeout | Expr::Run(..)) => true,
        ActionKind::Guard(e) => constant(e, pid).is_some_and(|v| v != 0),
        ActionKind::DStep(sequence) => {
            sequence.guards.is_empty() || sequence.guards.iter().any(|g| always_enabled(g, pid))
        }
        _ => !kind.can_wait(),
    }
}

/// The locations at which a process can block: those without a branch that is always enabled. A process type with a
/// `provided` clause can block anywhere. In a deadlock every process is at such a location.
pub fn blocking_locations(process_type: &ProcessType, pid: Option<u16>) -> Vec<LocationId> {
    let enabled = |l: &LocationId| {
        let mut branches = process_type.location(*l).branches.iter();
        branches.any(|b| always_enabled(&process_type.action(b.action).kind, pid))
    };
    let all = process_type.location_ids().skip(1);
    all.filter(|l| process_type.provided.is_some() || !enabled(l)).collect()
}
