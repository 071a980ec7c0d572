//! Statements that may fail: assertions, and faults such as a division by zero.
//!
//! A claim may reject a run before every statement is executed, so statements that may fail are visible to it. This is an
//! over-approximation.

use crate::analysis::global_channels;
use crate::expr::{BinaryOp, Expr, Place};
use crate::statement::{ActionKind, DStepNode};

use super::access_sets::SetBuilder;

impl SetBuilder<'_> {
    /// Whether a statement in which fixed values have been substituted may fail.
    pub fn may_fail(&self, kind: &ActionKind) -> bool {
        let mut fails = false;
        kind.walk(&mut |e| fails |= self.operation_may_fail(e));
        kind.places(&mut |place| fails |= leaves_bounds(place));
        fails
            || match kind {
                ActionKind::Assert(Expr::Const(v)) => *v == 0,
                ActionKind::Send(channel, _, args) => self.may_mismatch(channel, args.len()),
                ActionKind::Receive { channel, fields, .. } => self.may_mismatch(channel, fields.len()),
                // A disabled statement inside a deterministic sequence is a fault.
                ActionKind::DStep(sequence) => sequence.nodes.iter().any(|node| match node {
                    DStepNode::Do(kind @ (ActionKind::Skip | ActionKind::Assign(..) | ActionKind::Print(..)), ..) => {
                        self.may_fail(kind)
                    }
                    DStepNode::Do(..) | DStepNode::Choose(..) => true,
                    DStepNode::Goto(_) | DStepNode::Exit => false,
                }),
                _ => kind.may_fail_itself(),
            }
    }

    /// Whether an operation may fail if its operands do not.
    fn operation_may_fail(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(BinaryOp::Div | BinaryOp::Mod, _, by) => !matches!(**by, Expr::Const(v) if v != 0),
            Expr::Read(place) => leaves_bounds(place),
            Expr::Len(channel) | Expr::Probe(_, channel) => !self.is_shared_channel(channel),
            // Polling a rendezvous channel is a fault.
            Expr::Poll(..) | Expr::Run(..) | Expr::Enabled(_) => true,
            _ => false,
        }
    }

    /// Whether the channel may not exist, or may carry another number of fields.
    fn may_mismatch(&self, channel: &Expr, fields: usize) -> bool {
        let Expr::Const(number) = channel else { return true };
        let shared = global_channels(&self.inner.model);
        let found = usize::try_from(*number).ok().and_then(|n| n.checked_sub(1)).and_then(|n| shared.get(n));
        found.is_none_or(|(ty, _)| self.inner.model.channel_type(*ty).fields.len() != fields)
    }

    fn is_shared_channel(&self, channel: &Expr) -> bool {
        let shared = global_channels(&self.inner.model).len();
        matches!(channel, Expr::Const(v) if *v >= 1 && *v as usize <= shared)
    }
}

/// Whether an index may be out of bounds.
fn leaves_bounds(place: &Place) -> bool {
    place.indices.iter().any(|i| !matches!(i.expr, Expr::Const(v) if (0..i.count as i32).contains(&v)))
}
