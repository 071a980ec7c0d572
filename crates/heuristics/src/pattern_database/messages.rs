//! Sending and receiving in abstract states.
//!
//! A channel is kept with its messages, with their number only, or not at all. A kept channel must not have aliases: where
//! an unknown channel may be the same, it is dropped.

use lurcher_ir::{Expr, ReceiveField};

use super::abstract_model::Obstacle;
use super::effect::{States, few_values, with};
use super::pattern::{Item, KeptChannel};
use super::value::{Named, View};

impl View<'_, '_> {
    /// Fails with the kept channels that an unknown channel may be.
    fn check_aliases(self) -> Result<(), Obstacle> {
        let kept = self.model.pattern.channels().filter(|c| self.model.facts.escaping.contains(&c.id));
        let aliases: Vec<Item> = kept.flat_map(|c| [Item::Messages(c.id), Item::Length(c.id)]).collect();
        if aliases.is_empty() { Ok(()) } else { Err(Obstacle::Drop(aliases)) }
    }

    pub fn send(self, channel: &Expr, sorted: bool, args: &[Expr]) -> Result<States, Obstacle> {
        let mut states = States::new();
        for named in self.channels(channel) {
            if let Named::Kept(kept) = named {
                states.extend(self.send_to(kept, sorted, args)?);
                continue;
            }
            if let Named::Unknown = named {
                self.check_aliases()?;
            }
            states.push(self.values.to_vec());
        }
        Ok(states)
    }

    fn send_to(self, kept: &KeptChannel, sorted: bool, args: &[Expr]) -> Result<States, Obstacle> {
        let length = self.values[kept.at];
        if !self.has_room(kept) {
            return Ok(if self.model.message_loss() { vec![self.values.to_vec()] } else { Vec::new() });
        }
        let longer = with(self.values, kept.at, length + 1);
        if !kept.full {
            return Ok(vec![longer]);
        }
        let mut messages: States = vec![Vec::new()];
        for (i, field) in self.model.model().channel_type(kept.ty).fields.iter().enumerate() {
            let value = args.get(i).map_or(Some(0), |a| self.eval(a));
            // A sorted send compares the values before they are truncated.
            if sorted && value.is_none_or(|v| field.truncate(v) != v) {
                return Err(Obstacle::Drop(vec![Item::Messages(kept.id)]));
            }
            let choices: Vec<i32> = match (value, few_values(*field)) {
                (Some(v), _) => vec![field.truncate(v)],
                (None, Some(few)) => few.collect(),
                (None, None) => return Err(Obstacle::Drop(vec![Item::Messages(kept.id)])),
            };
            let extended = |m: &Vec<i32>| choices.iter().map(|c| [&m[..], &[*c]].concat()).collect::<States>();
            messages = messages.iter().flat_map(extended).collect();
        }
        Ok(messages.iter().map(|m| insert(&longer, kept, length as usize, m, sorted)).collect())
    }

    pub fn receive(
        self,
        channel: &Expr,
        random: bool,
        copy: bool,
        fields: &[ReceiveField],
    ) -> Result<States, Obstacle> {
        let mut states = States::new();
        for named in self.channels(channel) {
            let Named::Kept(kept) = named else {
                if !copy && matches!(named, Named::Unknown) {
                    self.check_aliases()?;
                }
                states.extend(self.store_fields(fields, |_| None)?);
                continue;
            };
            let carried = self.model.model().channel_type(kept.ty).fields.len();
            for (slot, _) in self.matching(kept, random, fields) {
                let field =
                    |i: usize| (kept.full && i < carried).then(|| self.values[kept.at + 1 + slot * carried + i]);
                for mut next in self.store_fields(fields, field)? {
                    if !copy {
                        remove(&mut next, kept, carried, slot);
                    }
                    states.push(next);
                }
            }
        }
        Ok(states)
    }
}

/// Inserts a message at the end, or before the first greater one if the send is sorted. The length is set already.
fn insert(values: &[i32], channel: &KeptChannel, length: usize, message: &[i32], sorted: bool) -> Vec<i32> {
    let mut next = values.to_vec();
    let at = |slot: usize| channel.at + 1 + slot * message.len();
    let before = |slot: &usize| message < &values[at(*slot)..at(*slot + 1)];
    let slot = if sorted { (0..length).find(before).unwrap_or(length) } else { length };
    next.copy_within(at(slot)..at(length), at(slot + 1));
    next[at(slot)..at(slot + 1)].copy_from_slice(message);
    next
}

fn remove(values: &mut [i32], channel: &KeptChannel, carried: usize, slot: usize) {
    let length = values[channel.at] as usize;
    values[channel.at] -= 1;
    if channel.full {
        let at = |slot: usize| channel.at + 1 + slot * carried;
        values.copy_within(at(slot + 1)..at(length), at(slot));
        values[at(length - 1)..at(length)].fill(0);
    }
}
