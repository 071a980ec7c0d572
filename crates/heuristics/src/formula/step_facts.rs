//! What one step can change, for lower bounds.
//!
//! A step executes one statement or one `d_step`; the two halves of a rendezvous count as two steps. So a step adds or removes
//! at most one message of a channel unless a `d_step` moves messages, and a process passes at most one edge of its control
//! flow.

use lurcher_ir::analysis::{OffsetSet, constant, constant_globals, creates_processes, global_channels, named_channels};
use lurcher_ir::{ActionKind, BinaryOp, ChannelType, ChannelTypeId, Expr, Model, ReceiveField};

use super::MessageTest;

/// What one step of a model can change.
#[derive(Debug)]
pub(super) struct StepFacts<'m> {
    model: &'m Model,
    /// The global channels: type, and offset of the variable.
    channels: Vec<(ChannelTypeId, u32)>,
    constant: OffsetSet,
    /// No step adds or removes more than one message.
    moves_one_message: bool,
    /// Every message is added behind the others.
    only_appends: bool,
    /// Some statement creates processes.
    pub creates: bool,
}

/// Constants in relations that are far from an overflow.
const SMALL: i32 = 1 << 30;

impl<'m> StepFacts<'m> {
    pub fn of(model: &'m Model) -> Self {
        let kinds = || model.process_types.iter().flat_map(|p| &p.actions).map(|a| &a.kind);
        let moves = |kind: &ActionKind| matches!(kind, ActionKind::Send(..) | ActionKind::Receive { copy: false, .. });
        let moves_in_sequence =
            |kind: &ActionKind| matches!(kind, ActionKind::DStep(_)) && kind.statements().any(moves);
        let sorts = |kind: &ActionKind| kind.statements().any(|k| matches!(k, ActionKind::Send(_, true, _)));
        StepFacts {
            model,
            channels: global_channels(model),
            constant: constant_globals(model),
            moves_one_message: !kinds().any(moves_in_sequence),
            only_appends: !kinds().any(sorts),
            creates: creates_processes(model),
        }
    }

    /// The type of the channel that an expression denotes in every state, for each process or for a property.
    pub fn fixed_channel(&self, expr: &Expr) -> Option<&'m ChannelType> {
        let Expr::Read(place) = expr else { return None };
        let is_fixed = place.indices.iter().all(|index| is_fixed(&index.expr));
        let named = named_channels(&self.channels, &self.constant, expr, None).filter(|_| is_fixed)?;
        let types: Vec<ChannelTypeId> = named.iter().map(|&number| self.channels[usize::from(number)].0).collect();
        let (first, rest) = types.split_first()?;
        rest.iter().all(|ty| ty == first).then(|| self.model.channel_type(*first))
    }

    /// Whether the number of messages in a channel changes by at most one in a step.
    pub fn counts_messages(&self, channel: &Expr) -> bool {
        self.moves_one_message && self.fixed_channel(channel).is_some()
    }

    /// Whether the number of messages that have to go before the test has the wanted result is a lower bound of the steps.
    pub fn counts_matching(&self, test: &MessageTest) -> bool {
        let has_fixed_fields = test.fields.iter().filter_map(ReceiveField::pattern).all(is_fixed);
        has_fixed_fields && self.counts_messages(&test.channel) && (self.only_appends || test.any_position)
    }

    /// The most by which a step changes the value of an expression, if it is known.
    pub fn change(&self, expr: &Expr) -> Option<u32> {
        match expr {
            Expr::Len(channel) => self.counts_messages(channel).then_some(1),
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => self.change(a)?.checked_add(self.change(b)?),
            _ => constant(expr, None).filter(|v| (-SMALL..SMALL).contains(v)).map(|_| 0),
        }
    }

    /// Whether the evaluation of an expression of a property may fault.
    pub fn may_fault(&self, expr: &Expr) -> bool {
        expr.any(&|part| match part {
            Expr::Binary(BinaryOp::Div | BinaryOp::Mod, _, by) => constant(by, None).is_none_or(|v| v == 0),
            Expr::Read(place) => place.indices.iter().any(|index| {
                let within = |v| u32::try_from(v).is_ok_and(|v| v < index.count);
                !constant(&index.expr, None).is_some_and(within)
            }),
            Expr::Len(channel) | Expr::Probe(_, channel) => self.fixed_channel(channel).is_none(),
            Expr::Poll(channel, _, fields) => {
                self.fixed_channel(channel).is_none_or(|ty| ty.capacity == 0 || ty.fields.len() < fields.len())
            }
            Expr::Enabled(_) => true,
            _ => false,
        })
    }
}

/// Whether an expression has one value in all states, perhaps another one for each process.
pub(super) fn is_fixed(expr: &Expr) -> bool {
    constant(expr, Some(0)).is_some()
}
