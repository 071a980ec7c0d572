//! Messages in buffered channels: sent to the end or in order, received from the front or from anywhere.

use lurcher_ir::relation::{BinaryTerm, TermId, VariableId};
use lurcher_ir::{Expr, ReceiveField};

use super::action::Actor;
use super::{Builder, Case, Refusal, Values};

impl Builder<'_> {
    pub(super) fn send(
        &mut self,
        actor: Actor,
        channel: &Expr,
        sorted: bool,
        args: &[Expr],
        mut case: Case,
    ) -> Result<Vec<Case>, Refusal> {
        let values = case.values.clone();
        let (channels, fault) = self.named(actor.context(&values), channel)?;
        self.fails(&mut case, fault);
        let mut sent = Vec::new();
        for arg in args {
            sent.push(self.computed(actor, &mut case, arg, None)?);
        }
        let mut cases = Vec::new();
        for (named, k) in channels {
            let mut here = Case { guard: self.and(case.guard, named), values: case.values.clone() };
            let Some(len) = self.channels[k].len else { continue };
            let fields = self.model.channel_type(self.channels[k].ty).fields.clone();
            if fields.len() != sent.len() {
                let yes = self.terms().truth(true);
                self.fails(&mut here, yes);
                continue;
            }
            let messages = self.channels[k].messages.clone();
            let length = self.now(&here.values, len);
            let full = self.terms().is(length, messages.len() as i64);
            here.guard = self.and_not(here.guard, full);
            let one = self.terms().value(1);
            let longer = self.terms().binary(BinaryTerm::Add, length, one);
            let mut before = self.terms().truth(false);
            // The message goes to the end, or in front of the first that is greater.
            for slot in 0..messages.len() {
                let at_end = self.terms().is(length, slot as i64);
                let greater =
                    if sorted { self.less(&here.values, &sent, &messages[slot], slot, length) } else { at_end };
                let place = self.or(at_end, greater);
                let first = self.and_not(place, before);
                before = self.or(before, place);
                let mut put = Case { guard: self.and(here.guard, first), values: here.values.clone() };
                for behind in (slot + 1..messages.len()).filter(|_| sorted) {
                    for (&from, &to) in messages[behind - 1].iter().zip(&messages[behind]) {
                        let moved = self.now(&here.values, from);
                        put.values.insert(to, moved);
                    }
                }
                for (i, &field) in fields.iter().enumerate() {
                    let kept = self.truncated(field, sent[i]);
                    put.values.insert(messages[slot][i], kept);
                }
                put.values.insert(len, longer);
                cases.push(put);
            }
        }
        cases.retain(|case| !self.impossible(case));
        Ok(cases)
    }

    /// Does a message sort in front of the one in a slot that is in use?
    fn less(&mut self, values: &Values, sent: &[TermId], held: &[VariableId], slot: usize, length: TermId) -> TermId {
        let mut less = self.terms().truth(false);
        for (new, &old) in sent.iter().zip(held).rev() {
            let old = self.now(values, old);
            let same = self.terms().binary(BinaryTerm::Eq, *new, old);
            let smaller = self.terms().binary(BinaryTerm::Lt, *new, old);
            let rest = self.and(same, less);
            less = self.or(smaller, rest);
        }
        let slot = self.terms().value(slot as i64);
        let used = self.terms().binary(BinaryTerm::Lt, slot, length);
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
        let values = case.values.clone();
        let (channels, fault) = self.named(actor.context(&values), channel)?;
        self.fails(&mut case, fault);
        let mut cases = Vec::new();
        for (named, k) in channels {
            let Some(len) = self.channels[k].len else { continue };
            let mut here = Case { guard: self.and(case.guard, named), values: case.values.clone() };
            let (slots, fault) = self.matching(actor.context(&values), k, random, fields)?;
            self.fails(&mut here, fault);
            let messages = self.channels[k].messages.clone();
            for (slot, found) in slots.into_iter().enumerate() {
                let mut taken = Case { guard: self.and(here.guard, found), values: here.values.clone() };
                if fields.len() != messages[slot].len() {
                    let yes = self.terms().truth(true);
                    self.fails(&mut taken, yes);
                    continue;
                }
                let held: Vec<TermId> = messages[slot].iter().map(|&v| self.now(&values, v)).collect();
                self.take_fields(actor, fields, &held, &mut taken)?;
                if !copy {
                    for behind in slot..messages.len() {
                        for i in 0..held.len() {
                            let moved = match messages.get(behind + 1) {
                                Some(next) => self.now(&values, next[i]),
                                None => self.terms().value(0),
                            };
                            taken.values.insert(messages[behind][i], moved);
                        }
                    }
                    let (length, one) = (self.now(&values, len), self.terms().value(1));
                    let shorter = self.terms().binary(BinaryTerm::Sub, length, one);
                    taken.values.insert(len, shorter);
                }
                cases.push(taken);
            }
        }
        cases.retain(|case| !self.impossible(case));
        Ok(cases)
    }

    /// Stores the fields of a message.
    pub(super) fn take_fields(
        &mut self,
        actor: Actor,
        fields: &[ReceiveField],
        message: &[TermId],
        case: &mut Case,
    ) -> Result<(), Refusal> {
        for (field, &value) in fields.iter().zip(message) {
            if let ReceiveField::Store(place) = field {
                self.store(actor, case, place, value)?;
            }
        }
        Ok(())
    }
}
