//! Send and receive on buffered channels: FIFO or sorted sends, receives of the first or of any matching message.

use lurcher_ir::relation::{BinaryTerm, TermId, VariableId};
use lurcher_ir::{Expr, ReceiveField};

use super::action::Actor;
use super::{Builder, Case, Refusal, Updates};

impl Builder<'_> {
    pub(super) fn send(
        &mut self,
        actor: Actor,
        channel: &Expr,
        sorted: bool,
        args: &[Expr],
        mut case: Case,
    ) -> Result<Vec<Case>, Refusal> {
        let (channels, fault) = self.channels_of(actor.context(&case.updates), channel)?;
        self.add_fault(&mut case, fault);
        let mut sent = Vec::new();
        for arg in args {
            sent.push(self.eval_or_fault(actor, &mut case, arg, None)?);
        }
        let mut cases = Vec::new();
        for (named, k) in channels {
            let mut here = Case { guard: self.and(case.guard, named), updates: case.updates.clone() };
            let Some(len) = self.channels[k].len else { continue };
            let fields = &self.model.channel_type(self.channels[k].ty).fields;
            if fields.len() != sent.len() {
                self.add_fault(&mut here, self.truth(true));
                continue;
            }
            let messages = &self.channels[k].messages;
            let length = self.updated(&here.updates, len);
            let full = self.is(length, messages.len() as i64);
            here.guard = self.and_not(here.guard, full);
            let longer = self.binary(BinaryTerm::Add, length, self.value(1));
            let mut before = self.truth(false);
            // The message goes to the end, or before the first greater one if sorted.
            for slot in 0..messages.len() {
                let at_end = self.is(length, slot as i64);
                let greater =
                    if sorted { self.less(&here.updates, &sent, &messages[slot], slot, length) } else { at_end };
                let place = self.or(at_end, greater);
                let first = self.and_not(place, before);
                before = self.or(before, place);
                let mut put = Case { guard: self.and(here.guard, first), updates: here.updates.clone() };
                for behind in (slot + 1..messages.len()).filter(|_| sorted) {
                    for (&from, &to) in messages[behind - 1].iter().zip(&messages[behind]) {
                        put.updates.insert(to, self.updated(&here.updates, from));
                    }
                }
                for (i, &field) in fields.iter().enumerate() {
                    put.updates.insert(messages[slot][i], self.truncated(field, sent[i]));
                }
                put.updates.insert(len, longer);
                cases.push(put);
            }
        }
        cases.retain(|case| !self.is_false(case.guard));
        Ok(cases)
    }

    /// Whether a message sorts before the one in an occupied slot.
    fn less(&self, updates: &Updates, sent: &[TermId], held: &[VariableId], slot: usize, length: TermId) -> TermId {
        let mut less = self.truth(false);
        for (new, &old) in sent.iter().zip(held).rev() {
            let old = self.updated(updates, old);
            let same = self.binary(BinaryTerm::Eq, *new, old);
            let smaller = self.binary(BinaryTerm::Lt, *new, old);
            less = self.or(smaller, self.and(same, less));
        }
        let used = self.binary(BinaryTerm::Lt, self.value(slot as i64), length);
        self.and(used, less)
    }

    pub(super) fn receive(
        &mut self,
        actor: Actor,
        channel: &Expr,
        random: bool,
        copy: bool,
        fields: &[ReceiveField],
        mut case: Case,
    ) -> Result<Vec<Case>, Refusal> {
        let before = case.updates.clone();
        let (channels, fault) = self.channels_of(actor.context(&before), channel)?;
        self.add_fault(&mut case, fault);
        let mut cases = Vec::new();
        for (named, k) in channels {
            let Some(len) = self.channels[k].len else { continue };
            let mut here = Case { guard: self.and(case.guard, named), updates: before.clone() };
            let (slots, fault) = self.matching(actor.context(&before), k, random, fields)?;
            self.add_fault(&mut here, fault);
            let messages = self.channels[k].messages.clone();
            for (slot, found) in slots.into_iter().enumerate() {
                let mut taken = Case { guard: self.and(here.guard, found), updates: before.clone() };
                if fields.len() != messages[slot].len() {
                    self.add_fault(&mut taken, self.truth(true));
                    continue;
                }
                let held: Vec<TermId> = messages[slot].iter().map(|&v| self.updated(&before, v)).collect();
                self.store_fields(actor, fields, &held, &mut taken)?;
                if !copy {
                    for behind in slot..messages.len() {
                        for i in 0..held.len() {
                            let next = messages.get(behind + 1);
                            let moved = next.map_or_else(|| self.value(0), |next| self.updated(&before, next[i]));
                            taken.updates.insert(messages[behind][i], moved);
                        }
                    }
                    let shorter = self.binary(BinaryTerm::Sub, self.updated(&before, len), self.value(1));
                    taken.updates.insert(len, shorter);
                }
                cases.push(taken);
            }
        }
        cases.retain(|case| !self.is_false(case.guard));
        Ok(cases)
    }

    /// Stores the fields of a received message.
    pub(super) fn store_fields(
        &mut self,
        actor: Actor,
        fields: &[ReceiveField],
        message: &[TermId],
        case: &mut Case,
    ) -> Result<(), Refusal> {
        for (field, &value) in fields.iter().zip(message) {
            if let Some(place) = field.stored() {
                self.store(actor, case, place, value)?;
            }
        }
        Ok(())
    }
}
