//! Which statements Spin merges into the one before.
//!
//! It merges what no other process and no claim can tell apart from one step: inside `atomic` anything that cannot
//! block, elsewhere only what keeps to the variables of its own process; and nothing that has a label. What counts as
//! keeping to its own variables is Spin's view, which has gaps: it does not look into the index of an array, nor at
//! the two sides of a conditional expression.

use lurcher_ir::{Action, ActionKind, Expr, Frame, Place, ProcessType};
use lurcher_system::{ProcessId, State};

/// Is the statement possible in every state?
pub(crate) fn never_blocks(action: &Action) -> bool {
    matches!(
        action.kind,
        ActionKind::Skip
            | ActionKind::Assign(..)
            | ActionKind::Assert(_)
            | ActionKind::Print(..)
            | ActionKind::PrintSymbol(..)
    )
}

/// Does Spin usually merge a statement like this one, at which the process stands?
pub(crate) fn is_usual(state: &State, id: ProcessId, process_type: &ProcessType, action: &Action) -> bool {
    let labelled = !process_type.location(state.location(id)).labels.is_empty();
    let unseen = state.exclusive == Some(id) || (process_type.provided.is_none() && keeps_to_itself(&action.kind));
    unseen && !labelled
}

fn keeps_to_itself(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Skip => true,
        ActionKind::Assign(place, value) => is_own(place) && reads_own(value),
        ActionKind::Assert(e) | ActionKind::PrintSymbol(e, _) => reads_own(e),
        ActionKind::Print(_, values) => values.iter().all(reads_own),
        _ => false,
    }
}

fn is_own(place: &Place) -> bool {
    place.frame == Frame::Local
}

fn reads_own(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Symbol(..) | Expr::Pid => true,
        Expr::Read(place) => is_own(place),
        Expr::Unary(_, e) | Expr::Cond(e, ..) => reads_own(e),
        Expr::Binary(_, a, b) => reads_own(a) && reads_own(b),
        Expr::Priority(process) => **process == Expr::Pid,
        _ => false,
    }
}
