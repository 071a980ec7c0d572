//! What is known about the branches of a process type before anything runs.

use lurcher_ir::{Action, ActionKind, Expr, Location, ProcessType};

/// By location: does what one branch may do depend on the others, by `else` or by an escape?
pub(crate) fn entangled(process_type: &ProcessType) -> Vec<bool> {
    let depends = |location: &Location| {
        location.branches.iter().any(|b| match &process_type.action(b.action).kind {
            ActionKind::Else => true,
            ActionKind::DStep(sequence) => matches!(sequence.guards.as_slice(), [ActionKind::Else]),
            _ => b.escape > 0,
        })
    };
    process_type.locations.iter().map(depends).collect()
}

/// By action: is it a receive, and from which channel? Equal numbers stand for equal expressions.
pub(crate) fn sources(process_type: &ProcessType) -> Vec<Option<u16>> {
    let mut channels: Vec<&Expr> = Vec::new();
    let mut sources = Vec::new();
    for Action { kind, .. } in &process_type.actions {
        let ActionKind::Receive { channel, copy: false, .. } = kind else {
            sources.push(None);
            continue;
        };
        let known = channels.iter().position(|c| *c == channel);
        sources.push(Some(known.unwrap_or(channels.len()) as u16));
        if known.is_none() {
            channels.push(channel);
        }
    }
    sources
}
