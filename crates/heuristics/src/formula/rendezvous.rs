//! Partners of a rendezvous: a send is executable if another process is at a receive that accepts its message, and a receive if
//! another process is at a send of such a message.
//!
//! Accepting is judged in the state before the send. In the maximum form, a process whose receive may depend on the send
//! itself, or that has a `provided` clause, is no partner, so that nothing counts as executable that is not.

use lurcher_ir::{ActionKind, Expr, ProcessType, ReceiveField, Scalar};
use lurcher_system::{ChannelId, ProcessId};

use super::FormulaForm;
use super::estimate::View;

impl View<'_, '_> {
    /// The number of processes at receives that accept a message of the reader.
    pub(super) fn receivers(&self, channel: ChannelId, types: &[Scalar], arguments: &[Expr]) -> u32 {
        let Some(message) = self.message_of(types, arguments) else { return 0 };
        self.partners(|receiver, kind| {
            let Some((own, fields)) = kind.rendezvous_receive() else { return false };
            receiver.channel(own) == Ok(channel) && receiver.accepts(fields, &message)
        })
    }

    /// The number of processes at sends of messages that a receive of the reader accepts.
    pub(super) fn senders(&self, channel: ChannelId, types: &[Scalar], fields: &[ReceiveField]) -> u32 {
        self.partners(|sender, kind| {
            let ActionKind::Send(own, _, arguments) = kind else { return false };
            sender.channel(own) == Ok(channel)
                && sender.message_of(types, arguments).is_some_and(|message| self.accepts(fields, &message))
        })
    }

    /// The number of other processes with a branch at their location that satisfies a test.
    fn partners(&self, test: impl Fn(&Self, &ActionKind) -> bool) -> u32 {
        let model = self.interpreter.model();
        let others = (0..self.state.process_count()).map(ProcessId).filter(|&p| Some(p) != self.reader);
        let can_take_part = |ty: &ProcessType| self.form == FormulaForm::Sum || ty.provided.is_none();
        let is_partner = |&p: &ProcessId| {
            let ty = model.process_type(self.state.process_type(p));
            let view = View { reader: Some(p), ..*self };
            let mut branches = ty.location(self.state.location(p)).branches.iter();
            can_take_part(ty) && branches.any(|branch| test(&view, &ty.action(branch.action).kind))
        };
        others.filter(is_partner).count() as u32
    }

    /// A message as the channel stores it.
    fn message_of(&self, types: &[Scalar], arguments: &[Expr]) -> Option<Vec<i32>> {
        let value = |(ty, e): (&Scalar, &Expr)| self.value(e).ok().map(|v| ty.truncate(v));
        if types.len() == arguments.len() { types.iter().zip(arguments).map(value).collect() } else { None }
    }

    /// Whether the fields of a receive accept a message.
    fn accepts(&self, fields: &[ReceiveField], message: &[i32]) -> bool {
        let is_certain = |e: &Expr| self.form == FormulaForm::Sum || !e.any(&observes_send);
        let fits = |(number, e): (usize, &Expr)| self.value(e).ok().as_ref() == message.get(number) && is_certain(e);
        fields.iter().enumerate().filter_map(|(number, field)| Some((number, field.pattern()?))).all(fits)
    }
}

/// Whether an expression may change its value by the send of a rendezvous.
fn observes_send(e: &Expr) -> bool {
    !matches!(e, Expr::Const(_) | Expr::Symbol(..) | Expr::Read(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Pid)
}
