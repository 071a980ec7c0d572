//! Spin's statement merging: which statements it merges into the one before.
//!
//! Spin merges statements whose execution no other process and no claim can observe: inside `atomic` everything that
//! cannot block, elsewhere only accesses to the process's own variables; never a labelled statement. Spin's test for own
//! variables has gaps that are copied here: it ignores array indices and the two sides of a conditional expression.

use lurcher_ir::{Action, ActionKind, Expr, Frame, Place, ProcessType};
use lurcher_system::{ProcessId, State};

/// Whether the statement is enabled in every state.
pub(crate) fn never_blocks(action: &Action) -> bool {
    !action.kind.can_wait() && !matches!(action.kind, ActionKind::Else | ActionKind::SetPriority(..))
}

/// Whether Spin usually merges this statement of the process's current location.
pub(crate) fn is_usual(state: &State, id: ProcessId, process_type: &ProcessType, action: &Action) -> bool {
    let labelled = !process_type.location(state.location(id)).labels.is_empty();
    let local = process_type.provided.is_none() && is_local(&action.kind);
    (state.exclusive == Some(id) || local) && !labelled
}

fn is_local(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Skip => true,
        ActionKind::Assign(place, value) => is_own(place) && reads_own(value),
        ActionKind::Assert(e) => reads_own(e),
        _ if kind.only_prints() => {
            let mut own = true;
            kind.exprs(&mut |e| own &= reads_own(e));
            own
        }
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
