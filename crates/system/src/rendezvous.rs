//! A rendezvous half done: the message is sent and not yet received.
//!
//! No run stops there, but who is asked to receive is asked then, as in Spin: a `provided` clause and the fields of
//! a receive see the message in the channel, the sender behind its send, and the sender as the one who moved last.

use lurcher_ir::{ActionKind, Expr, Model};

use crate::channel;
use crate::interpreter::{Interpreter, Move};
use crate::state::{ChannelId, State};

impl Interpreter<'_> {
    /// The state after the send of a rendezvous.
    pub(crate) fn half_done(&self, state: &State, send: &Move, channel: ChannelId, message: &[i32]) -> State {
        let mut half = state.clone();
        channel::insert(self.model, &mut half, channel, message, false);
        half.set_location(send.process, self.branch(state, send.process, send.branch).0.target);
        half.set_last(&self.layout, send.process);
        half
    }
}

/// Could anybody who is asked to receive tell that the message is under way?
pub(crate) fn is_seen(model: &Model) -> bool {
    let tells = |e: &Expr| e.any(&tells_halves);
    model.channel_types.iter().any(|c| c.capacity == 0)
        && model.process_types.iter().any(|p| {
            p.provided.as_ref().is_some_and(tells) || p.actions.iter().any(|action| receive_tells(&action.kind))
        })
}

fn receive_tells(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Receive { .. } => {
            let mut tells = false;
            kind.exprs(&mut |e| tells |= e.any(&tells_halves));
            tells
        }
        ActionKind::DStep(sequence) => sequence.guards.iter().any(receive_tells),
        _ => false,
    }
}

/// Does an expression look at channels, locations, or who moved last?
fn tells_halves(e: &Expr) -> bool {
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
