//! The intermediate state of a rendezvous: the message is sent and not yet received.
//!
//! It is no state of a run, but receivers are evaluated in it, as in Spin: a `provided` clause and the fields of a receive
//! read the message in the channel, the next location of the sender, and the sender as `_last`.

use lurcher_ir::{ActionKind, Expr, Model};

use crate::channel;
use crate::interpreter::{Interpreter, Move};
use crate::state::{ChannelId, State};

impl Interpreter<'_> {
    /// The state after the send of a rendezvous.
    pub(crate) fn after_send(&self, state: &State, send: &Move, channel: ChannelId, message: &[i32]) -> State {
        let mut sent = state.clone();
        channel::insert(self.model, &mut sent, channel, message, false);
        sent.set_location(send.process, self.branch(state, send.process, send.branch).0.target);
        sent.set_last(&self.layout, send.process);
        sent
    }
}

/// Whether a receiver may distinguish the intermediate state from the state before.
pub(crate) fn is_observable(model: &Model) -> bool {
    let observes = |e: &Expr| e.any(&observes_send);
    model.has_rendezvous()
        && model.process_types.iter().any(|p| {
            p.provided.as_ref().is_some_and(observes) || p.actions.iter().any(|action| receive_observes(&action.kind))
        })
}

fn receive_observes(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Receive { .. } => kind.any(&observes_send),
        ActionKind::DStep(sequence) => sequence.guards.iter().any(receive_observes),
        _ => false,
    }
}

/// Whether an expression reads channels, locations, or `_last`.
fn observes_send(e: &Expr) -> bool {
    matches!(
        e,
        Expr::Len(_)
            | Expr::Probe(..)
            | Expr::Poll(..)
            | Expr::Last
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::At(..)
    )
}
