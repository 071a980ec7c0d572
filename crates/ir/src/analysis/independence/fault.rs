//! Which statements might fail: an assertion, or a fault such as a division by zero.
//!
//! A claim ends runs early, so with one it is not enough that every statement is executed in the end: one that fails
//! must be met before the claim has had enough. Such statements count as seen by the property then. Too many may be
//! named here, none may be missing.

use crate::analysis::global_channels;
use crate::expr::{BinaryOp, Expr, Place};
use crate::model::{ActionKind, DStepNode};

use super::touch::Toucher;

impl Toucher<'_> {
    /// Might the statement, in which all that is known has been written as numbers, fail?
    pub fn may_fail(&self, kind: &ActionKind) -> bool {
        let mut fails = false;
        kind.exprs(&mut |e| fails |= self.expr_may_fail(e));
        kind.places(&mut |place| fails |= leaves_bounds(place) || self.inside_may_fail(place));
        fails
            || match kind {
                ActionKind::Assert(Expr::Const(v)) => *v == 0,
                ActionKind::Assert(_) | ActionKind::SetPriority(..) | ActionKind::Event { .. } => true,
                ActionKind::Send(channel, _, args) => self.misses(channel, args.len()),
                ActionKind::Receive { channel, fields, .. } => self.misses(channel, fields.len()),
                // A statement inside that cannot be executed is a fault.
                ActionKind::DStep(sequence) => sequence.nodes.iter().any(|node| match node {
                    DStepNode::Do(kind @ (ActionKind::Skip | ActionKind::Assign(..) | ActionKind::Print(..)), ..) => {
                        self.may_fail(kind)
                    }
                    DStepNode::Do(..) | DStepNode::Choose(..) => true,
                    DStepNode::Goto(_) | DStepNode::Exit => false,
                }),
                ActionKind::Skip
                | ActionKind::Guard(_)
                | ActionKind::Else
                | ActionKind::Assign(..)
                | ActionKind::Print(..)
                | ActionKind::PrintSymbol(..)
                | ActionKind::End => false,
            }
    }

    fn inside_may_fail(&self, place: &Place) -> bool {
        let mut fails = false;
        place.walk(&mut |e| fails |= self.part_may_fail(e));
        fails
    }

    fn expr_may_fail(&self, expr: &Expr) -> bool {
        let mut fails = false;
        expr.walk(&mut |e| fails |= self.part_may_fail(e));
        fails
    }

    /// Might this operation fail, its operands aside?
    fn part_may_fail(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(BinaryOp::Div | BinaryOp::Mod, _, by) => !matches!(**by, Expr::Const(v) if v != 0),
            Expr::Read(place) => leaves_bounds(place),
            Expr::Len(channel) | Expr::Probe(_, channel) => !self.is_shared_channel(channel),
            // Polling a rendezvous is a fault.
            Expr::Poll(..) | Expr::Run(..) | Expr::Enabled(_) => true,
            _ => false,
        }
    }

    /// Might a message with so many fields not fit the channel, or the channel not exist?
    fn misses(&self, channel: &Expr, fields: usize) -> bool {
        let Expr::Const(number) = channel else { return true };
        let shared = global_channels(self.model);
        let found = usize::try_from(*number).ok().and_then(|n| n.checked_sub(1)).and_then(|n| shared.get(n));
        found.is_none_or(|(ty, _)| self.model.channel_type(*ty).fields.len() != fields)
    }

    fn is_shared_channel(&self, channel: &Expr) -> bool {
        let shared = global_channels(self.model).len();
        matches!(channel, Expr::Const(v) if *v >= 1 && *v as usize <= shared)
    }
}

/// Might an index lie outside its array?
fn leaves_bounds(place: &Place) -> bool {
    place.indices.iter().any(|i| !matches!(i.expr, Expr::Const(v) if (0..i.count as i32).contains(&v)))
}
