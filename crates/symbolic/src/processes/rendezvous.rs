//! Rendezvous: a send combined with each matching receive.

use lurcher_ir::relation::{BinaryTerm, TermId};
use lurcher_ir::{ActionKind, Branch, Expr, LocationId, ReceiveField};

use super::action::Actor;
use super::{Builder, Case, Context, Refusal, Updates, refuse};

/// A branch that can receive a rendezvous message.
pub(super) struct Receiver {
    process: usize,
    at: LocationId,
    branch: Branch,
    fields: Vec<ReceiveField>,
    /// When it receives the message.
    pub condition: TermId,
}

impl Builder<'_> {
    /// The rendezvous channels that an expression may name.
    pub(super) fn rendezvous_channels(&self, at: Context<'_>, channel: &Expr) -> Result<Vec<(TermId, usize)>, Refusal> {
        if self.channels.iter().all(|c| c.len.is_some()) {
            return Ok(Vec::new());
        }
        let (channels, _) = self.channels_of(at, channel)?;
        Ok(channels.into_iter().filter(|&(_, k)| self.channels[k].len.is_none()).collect())
    }

    /// The field values of a message, truncated to the channel's types.
    fn message(&self, at: Context<'_>, k: usize, args: &[Expr]) -> Result<Vec<TermId>, Refusal> {
        let fields = &self.model.channel_type(self.channels[k].ty).fields;
        if fields.len() != args.len() {
            return refuse("a rendezvous with a wrong number of message fields cannot be translated to a relation");
        }
        args.iter().zip(fields).map(|(arg, &field)| Ok(self.truncated(field, self.eval(at, arg)?.term))).collect()
    }

    /// The branches that can receive a message from a rendezvous channel.
    pub(super) fn receivers(
        &self,
        sender: Actor,
        k: usize,
        args: &[Expr],
        updates: &Updates,
    ) -> Result<Vec<Receiver>, Refusal> {
        let message = self.message(sender.context(updates), k, args)?;
        let mut found = Vec::new();
        for q in (0..self.slots.len()).filter(|&q| q != sender.process) {
            let actor = Actor { process: q, timeout: sender.timeout };
            let provided = self.provided(actor, updates)?;
            for at in self.locations(q) {
                let location = self.location(q, at);
                if !location.branches.iter().any(|&b| self.kind(q, b).rendezvous_receive().is_some()) {
                    continue;
                }
                let here = self.and(self.is_at(updates, q, at), provided);
                let mut accepted: Vec<TermId> = Vec::new();
                for (index, &branch) in location.branches.iter().enumerate() {
                    let receive = self.kind(q, branch).rendezvous_receive();
                    let condition = match receive {
                        Some((channel, fields)) => self.accepts(actor, channel, fields, k, &message, updates)?,
                        None => self.truth(false),
                    };
                    let condition = self.not_preempted(&location.branches, &accepted, index, condition);
                    accepted.push(condition);
                    let condition = self.and(here, condition);
                    if self.is_false(condition) {
                        continue;
                    }
                    if matches!(self.kind(q, branch), ActionKind::DStep(_)) {
                        return refuse("a `d_step` that opens with a rendezvous cannot be translated to a relation");
                    }
                    let fields = receive.expect("only a receive accepts a message").1.to_vec();
                    found.push(Receiver { process: q, at, branch, fields, condition });
                }
            }
        }
        Ok(found)
    }

    fn accepts(
        &self,
        actor: Actor,
        channel: &Expr,
        fields: &[ReceiveField],
        k: usize,
        message: &[TermId],
        updates: &Updates,
    ) -> Result<TermId, Refusal> {
        let (channels, _) = self.channels_of(actor.context(updates), channel)?;
        let named = channels.iter().find(|&&(_, other)| other == k).map(|&(named, _)| named);
        let Some(mut accepts) = named else { return Ok(self.truth(false)) };
        if fields.len() != message.len() {
            return refuse("a rendezvous with a wrong number of message fields cannot be translated to a relation");
        }
        for (field, &sent) in fields.iter().zip(message) {
            if let Some(e) = field.pattern() {
                let value = self.eval(actor.context(updates), e)?;
                let same = self.binary(BinaryTerm::Eq, value.term, sent);
                accepts = self.and(accepts, self.or(same, value.fault));
            }
        }
        Ok(accepts)
    }

    /// Adds the transitions of a send together with each matching receive.
    pub(super) fn add_rendezvous(
        &mut self,
        actor: Actor,
        at: LocationId,
        branch: Branch,
        channel: &Expr,
        args: &[Expr],
        guard: TermId,
    ) -> Result<(), Refusal> {
        let unchanged = Updates::new();
        for (named, k) in self.rendezvous_channels(actor.context(&unchanged), channel)? {
            let message = self.message(actor.context(&unchanged), k, args)?;
            for receiver in self.receivers(actor, k, args, &unchanged)? {
                let met = self.and(named, receiver.condition);
                let mut case = Case { guard: self.and(guard, met), updates: Updates::new() };
                self.move_to(actor.process, branch.target, &mut case);
                let other = Actor { process: receiver.process, timeout: actor.timeout };
                self.store_fields(other, &receiver.fields, &message, &mut case)?;
                self.move_to(receiver.process, receiver.branch.target, &mut case);
                if receiver.branch.atomic {
                    self.set_holder(receiver.process, receiver.at, receiver.branch, &mut case)?;
                } else {
                    self.release(actor.process, at, &mut case);
                }
                self.add_transition(actor, case);
            }
        }
        Ok(())
    }
}
