//! Where a process can be made to wait.

use crate::analysis::constant;
use crate::expr::Expr;
use crate::model::{ActionKind, LocationId, ProcessType};

/// Can the statement be executed in every state in which no other process can move? `else` counts: when it is not
/// possible, a branch before it is. `timeout` counts: it holds when nothing else does.
pub fn always_possible(kind: &ActionKind, pid: Option<u16>) -> bool {
    match kind {
        ActionKind::Skip
        | ActionKind::Else
        | ActionKind::Assign(..)
        | ActionKind::Assert(_)
        | ActionKind::Print(..)
        | ActionKind::PrintSymbol(..)
        | ActionKind::SetPriority(..) => true,
        ActionKind::Guard(Expr::Timeout | Expr::Run(..)) => true,
        ActionKind::Guard(e) => constant(e, pid).is_some_and(|v| v != 0),
        ActionKind::DStep(sequence) => {
            sequence.guards.is_empty() || sequence.guards.iter().any(|g| always_possible(g, pid))
        }
        ActionKind::Send(..) | ActionKind::Receive { .. } | ActionKind::Event { .. } | ActionKind::End => false,
    }
}

/// The locations at which a process may have to wait for others: those without a branch that is always possible. A
/// process type with a `provided` clause can be held anywhere. In a deadlock every process stands at such a location.
pub fn blocking_locations(process_type: &ProcessType, pid: Option<u16>) -> Vec<LocationId> {
    let possible = |l: &LocationId| {
        let mut branches = process_type.location(*l).branches.iter();
        branches.any(|b| always_possible(&process_type.action(b.action).kind, pid))
    };
    let all = (1..process_type.locations.len()).map(|l| LocationId(l as u16));
    all.filter(|l| process_type.provided.is_some() || !possible(l)).collect()
}
