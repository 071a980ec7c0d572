//! Sending and receiving in abstract states.
//!
//! A channel is kept with its messages, with their number only, or not at all. Where the channel itself is unknown and
//! may be a kept one under another name, that one cannot be kept.

use lurcher_ir::{Expr, ReceiveField};

use super::abstraction::{Abstraction, Obstacle};
use super::effect::{few_values, with};
use super::pattern::{Item, KeptChannel};
use super::value::{Actor, Named};

impl Abstraction<'_, '_> {
    /// The kept channels that an unknown channel may be.
    fn aliases(&self) -> Vec<Item> {
        let kept = self.pattern.channels.iter().filter(|c| self.facts.escaping.contains(&c.id));
        kept.flat_map(|c| [Item::Messages(c.id), Item::Length(c.id)]).collect()
    }

    pub fn send(
        &self,
        values: &[i32],
        actor: Actor,
        channel: &Expr,
        sorted: bool,
        args: &[Expr],
    ) -> Result<Vec<Vec<i32>>, Obstacle> {
        let mut states = Vec::new();
        for named in self.channels(values, actor, channel) {
            match named {
                Named::Kept(kept) => states.extend(self.send_to(values, actor, kept, sorted, args)?),
                Named::Unknown if !self.aliases().is_empty() => return Err(Obstacle::Drop(self.aliases())),
                _ => states.push(values.to_vec()),
            }
        }
        Ok(states)
    }

    fn send_to(
        &self,
        values: &[i32],
        actor: Actor,
        kept: &KeptChannel,
        sorted: bool,
        args: &[Expr],
    ) -> Result<Vec<Vec<i32>>, Obstacle> {
        let ty = self.model.channel_type(kept.ty);
        let length = values[kept.at];
        if length >= i32::from(ty.slots()) {
            return Ok(if self.message_loss { vec![values.to_vec()] } else { Vec::new() });
        }
        let longer = with(values, kept.at, length + 1);
        if !kept.full {
            return Ok(vec![longer]);
        }
        let mut messages: Vec<Vec<i32>> = vec![Vec::new()];
        for (i, field) in ty.fields.iter().enumerate() {
            let value = args.get(i).map_or(Some(0), |a| self.eval(values, actor, a));
            let choices: Vec<i32> = match (value, few_values(*field)) {
                (Some(v), _) => vec![field.truncate(v)],
                (None, Some(few)) => few.collect(),
                (None, None) => return Err(Obstacle::Drop(vec![Item::Messages(kept.id)])),
            };
            messages = messages
                .iter()
                .flat_map(|m| choices.iter().map(|c| m.iter().copied().chain([*c]).collect::<Vec<i32>>()))
                .collect();
        }
        Ok(messages.iter().map(|m| insert(&longer, kept, length as usize, m, sorted)).collect())
    }

    pub fn receive(
        &self,
        values: &[i32],
        actor: Actor,
        channel: &Expr,
        random: bool,
        copy: bool,
        fields: &[ReceiveField],
    ) -> Result<Vec<Vec<i32>>, Obstacle> {
        let mut states = Vec::new();
        for named in self.channels(values, actor, channel) {
            match named {
                Named::Kept(kept) => states.extend(self.receive_from(values, actor, kept, random, copy, fields)?),
                Named::Unknown if !copy && !self.aliases().is_empty() => return Err(Obstacle::Drop(self.aliases())),
                _ => states.extend(self.store_fields(values.to_vec(), actor, fields, |_| None)?),
            }
        }
        Ok(states)
    }

    fn receive_from(
        &self,
        values: &[i32],
        actor: Actor,
        kept: &KeptChannel,
        random: bool,
        copy: bool,
        fields: &[ReceiveField],
    ) -> Result<Vec<Vec<i32>>, Obstacle> {
        let carried = self.model.channel_type(kept.ty).fields.len();
        let mut states = Vec::new();
        for (slot, _) in self.matching(values, actor, kept, random, fields) {
            let there = |i: usize| (kept.full && i < carried).then(|| values[kept.at + 1 + slot * carried + i]);
            for mut next in self.store_fields(values.to_vec(), actor, fields, there)? {
                if !copy {
                    remove(&mut next, kept, carried, slot);
                }
                states.push(next);
            }
        }
        Ok(states)
    }
}

/// Puts a message behind the others, or in front of the first that is greater; the length is already right.
fn insert(values: &[i32], channel: &KeptChannel, length: usize, message: &[i32], sorted: bool) -> Vec<i32> {
    let mut next = values.to_vec();
    let first = channel.at + 1;
    let carried = message.len();
    let at = |slot: usize| first + slot * carried;
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
        let first = channel.at + 1;
        values.copy_within(first + (slot + 1) * carried..first + length * carried, first + slot * carried);
        values[first + (length - 1) * carried..first + length * carried].fill(0);
    }
}
