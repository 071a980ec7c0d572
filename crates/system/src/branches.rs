//! Static facts about the branches of a process type.

use lurcher_ir::{Action, ActionKind, Expr, Location, ProcessType};

/// By location: whether a branch depends on the branches before it, by `else` or an escape.
pub(crate) fn order_dependent(process_type: &ProcessType) -> Vec<bool> {
    let depends =
        |l: &Location| l.branches.iter().any(|b| b.escape > 0 || process_type.action(b.action).kind.is_else());
    process_type.locations.iter().map(depends).collect()
}

/// By action: the number of the channel expression of a receive. Equal expressions have equal numbers.
pub(crate) fn received_channels(process_type: &ProcessType) -> Vec<Option<u16>> {
    let mut channels: Vec<&Expr> = Vec::new();
    let mut numbers = Vec::new();
    for Action { kind, .. } in &process_type.actions {
        let ActionKind::Receive { channel, copy: false, .. } = kind else {
            numbers.push(None);
            continue;
        };
        let number = channels.iter().position(|c| *c == channel).unwrap_or_else(|| {
            channels.push(channel);
            channels.len() - 1
        });
        numbers.push(Some(number as u16));
    }
    numbers
}
