//! Rendezvous: a send together with each receive that can answer it.

use lurcher_ir::relation::{BinaryTerm, TermId};
use lurcher_ir::{ActionKind, Branch, DStep, Expr, LocationId, ReceiveField};

use super::action::Actor;
use super::{Builder, Case, Context, Refusal, Values, refuse};

/// Somebody who can take a message.
pub(super) struct Receiver {
    process: usize,
    at: LocationId,
    branch: Branch,
    fields: Vec<ReceiveField>,
    /// When he can.
    pub condition: TermId,
}

impl Builder<'_> {
    /// Rendezvous channels that an expression may name.
    pub(super) fn rendezvous(&mut self, at: Context<'_>, channel: &Expr) -> Result<Vec<(TermId, usize)>, Refusal> {
        if self.channels.iter().all(|c| c.len.is_some()) {
            return Ok(Vec::new());
        }
        let (channels, _) = self.named(at, channel)?;
        Ok(channels.into_iter().filter(|&(_, k)| self.channels[k].len.is_none()).collect())
    }

    /// A message as a channel carries it.
    fn message(&mut self, at: Context<'_>, k: usize, args: &[Expr]) -> Result<Vec<TermId>, Refusal> {
        let fields = self.model.channel_type(self.channels[k].ty).fields.clone();
        if fields.len() != args.len() {
            return refuse("a rendezvous with a wrong number of message fields cannot be translated to a relation");
        }
        let mut message = Vec::new();
        for (arg, &field) in args.iter().zip(&fields) {
            let value = self.eval(at, arg)?;
            message.push(self.truncated(field, value.term));
        }
        Ok(message)
    }

    /// Who can take a message from a rendezvous channel.
    pub(super) fn receivers(
        &mut self,
        sender: Actor,
        k: usize,
        args: &[Expr],
        values: &Values,
    ) -> Result<Vec<Receiver>, Refusal> {
        let message = self.message(sender.context(values), k, args)?;
        let mut found = Vec::new();
        for q in (0..self.slots.len()).filter(|&q| q != sender.process).collect::<Vec<_>>() {
            let actor = Actor { process: q, timeout: sender.timeout };
            let provided = self.provided(actor, values)?;
            for at in self.locations(q) {
                let location = self.location(q, at);
                if !location.branches.iter().any(|&b| receive_of(self.kind(q, b)).is_some()) {
                    continue;
                }
                let here = self.is_at(values, q, at);
                let here = self.and(here, provided);
                let mut accepted: Vec<TermId> = Vec::new();
                for (index, &branch) in location.branches.iter().enumerate() {
                    let condition = match receive_of(self.kind(q, branch)) {
                        Some((channel, fields)) => self.accepts(actor, channel, fields, k, &message, values)?,
                        None => self.terms().truth(false),
                    };
                    let condition = self.unhidden(&location.branches, &accepted, index, condition);
                    accepted.push(condition);
                    let condition = self.and(here, condition);
                    if self.relation.terms.constant(condition) != Some(0) {
                        if matches!(self.kind(q, branch), ActionKind::DStep(_)) {
                            return refuse(
                                "a `d_step` that opens with a rendezvous cannot be translated to a relation",
                            );
                        }
                        let fields = receive_of(self.kind(q, branch)).expect("it receives").1.to_vec();
                        found.push(Receiver { process: q, at, branch, fields, condition });
                    }
                }
            }
        }
        Ok(found)
    }

    fn accepts(
        &mut self,
        actor: Actor,
        channel: &Expr,
        fields: &[ReceiveField],
        k: usize,
        message: &[TermId],
        values: &Values,
    ) -> Result<TermId, Refusal> {
        let (channels, _) = self.named(actor.context(values), channel)?;
        let named = channels.iter().find(|&&(_, other)| other == k).map(|&(named, _)| named);
        let Some(mut accepts) = named else { return Ok(self.terms().truth(false)) };
        if fields.len() != message.len() {
            return refuse("a rendezvous with a wrong number of message fields cannot be translated to a relation");
        }
        for (field, &sent) in fields.iter().zip(message) {
            if let ReceiveField::Match(e) | ReceiveField::Eval(e) = field {
                let value = self.eval(actor.context(values), e)?;
                let same = self.terms().binary(BinaryTerm::Eq, value.term, sent);
                let same = self.or(same, value.fault);
                accepts = self.and(accepts, same);
            }
        }
        Ok(accepts)
    }

    /// Rendezvous: the send and each receive that can answer it.
    pub(super) fn hand_over(
        &mut self,
        actor: Actor,
        at: LocationId,
        branch: Branch,
        channel: &Expr,
        args: &[Expr],
        case: &Case,
    ) -> Result<(), Refusal> {
        let nothing = Values::new();
        for (named, k) in self.rendezvous(actor.context(&nothing), channel)? {
            let message = self.message(actor.context(&nothing), k, args)?;
            for receiver in self.receivers(actor, k, args, &nothing)? {
                let met = self.and(named, receiver.condition);
                let mut case = Case { guard: self.and(case.guard, met), values: Values::new() };
                self.arrive(actor.process, branch.target, &mut case);
                let other = Actor { process: receiver.process, timeout: actor.timeout };
                self.take_fields(other, &receiver.fields, &message, &mut case)?;
                self.arrive(receiver.process, receiver.branch.target, &mut case);
                if receiver.branch.atomic {
                    self.hold(receiver.process, receiver.at, receiver.branch, &mut case)?;
                } else if self.may_hold(actor.process, at) {
                    let nobody = self.terms().value(0);
                    case.values.insert(self.holder, nobody);
                }
                self.emit(actor, case);
            }
        }
        Ok(())
    }
}

/// The channel and fields of a statement that can answer a rendezvous.
fn receive_of(kind: &ActionKind) -> Option<(&Expr, &[ReceiveField])> {
    match kind {
        ActionKind::Receive { channel, copy: false, fields, .. } => Some((channel, fields)),
        ActionKind::DStep(DStep { guards, .. }) => match guards.as_slice() {
            [receive @ ActionKind::Receive { .. }] => receive_of(receive),
            _ => None,
        },
        _ => None,
    }
}
