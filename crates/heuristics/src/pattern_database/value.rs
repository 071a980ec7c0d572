//! Expressions in abstract states: a value, or unknown.
//!
//! What depends on something dropped is unknown, and so is everything computed from it, except where the rest decides
//! alone. A fault while computing is unknown too: it ends the run in the model, and here it only adds behaviour.

use lurcher_ir::analysis::named_channels;
use lurcher_ir::{BinaryOp, Expr, Frame, Place, Probe, ProcessTypeId, ReceiveField, Scalar};

use super::abstraction::Abstraction;
use super::pattern::{KeptChannel, OTHER};

/// Who executes: a kept process, a dropped one, or nobody (a property).
#[derive(Clone, Copy, Debug)]
pub(super) struct Actor {
    /// Its place in the abstract state.
    pub slot: Option<usize>,
    /// Its number, where known.
    pub pid: Option<u16>,
    /// Its type.
    pub ty: Option<ProcessTypeId>,
    /// What `timeout` is taken to be.
    pub timeout: Option<i32>,
    /// Only the claim moves any more.
    pub stutter: bool,
}

/// Nobody: for properties and claims.
pub(super) const PROPERTY: Actor = Actor { slot: None, pid: None, ty: None, timeout: None, stutter: false };

/// A channel that an expression may name.
pub(super) enum Named<'p> {
    Kept(&'p KeptChannel),
    /// A global channel whose contents are dropped.
    Dropped(lurcher_ir::ChannelTypeId),
    Unknown,
}

impl Abstraction<'_, '_> {
    /// The value of an expression; none when it is unknown.
    pub fn eval(&self, values: &[i32], actor: Actor, expr: &Expr) -> Option<i32> {
        let eval = |e: &Expr| self.eval(values, actor, e);
        match expr {
            Expr::Const(v) | Expr::Symbol(v, _) => Some(*v),
            Expr::Read(place) => self.read(values, actor, place),
            Expr::Unary(op, e) => eval(e).map(|v| op.apply(v)),
            Expr::Binary(BinaryOp::And, a, b) => match (eval(a), eval(b)) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (Some(_), Some(_)) => Some(1),
                _ => None,
            },
            Expr::Binary(BinaryOp::Or, a, b) => match (eval(a), eval(b)) {
                (Some(0), Some(0)) => Some(0),
                (Some(v), _) | (_, Some(v)) if v != 0 => Some(1),
                _ => None,
            },
            Expr::Binary(op, a, b) => op.apply(eval(a)?, eval(b)?),
            Expr::Cond(c, a, b) => match eval(c) {
                Some(0) => eval(b),
                Some(_) => eval(a),
                None => eval(a).filter(|v| eval(b) == Some(*v)),
            },
            Expr::Len(c) => Some(values[self.kept_channel(values, actor, c)?.at]),
            Expr::Probe(probe, c) => {
                let channel = self.kept_channel(values, actor, c)?;
                let full = values[channel.at] >= i32::from(self.model.channel_type(channel.ty).slots());
                let empty = values[channel.at] == 0;
                Some(i32::from(match probe {
                    Probe::Full => full,
                    Probe::Empty => empty,
                    Probe::NotFull => !full,
                    Probe::NotEmpty => !empty,
                }))
            }
            Expr::Poll(c, random, fields) => {
                let channel = self.kept_channel(values, actor, c)?;
                match self.matching(values, actor, channel, *random, fields).last() {
                    None => Some(0),
                    Some((_, true)) => Some(1),
                    Some(_) => None,
                }
            }
            Expr::Run(..) => None,
            Expr::Pid => actor.pid.map(i32::from),
            Expr::Timeout => actor.timeout,
            Expr::NonProgress => self.without_progress(values, actor),
            Expr::PcValue(p) => self.location(values, eval(p)?),
            Expr::At(p, _, location) => self.location(values, eval(p)?).map(|l| i32::from(l == i32::from(location.0))),
            Expr::FirstOf(ty) => {
                let first = self.model.initial_processes.iter().position(|(t, _)| t == ty)? as u16;
                let slot = self.pattern.slot(first)?;
                (values[slot] > 0).then_some(i32::from(first))
            }
            Expr::ProcessCount | Expr::Last | Expr::Enabled(_) | Expr::Priority(_) => None,
        }
    }

    /// The location number of a process; 0 where it does not exist.
    fn location(&self, values: &[i32], number: i32) -> Option<i32> {
        let pid = u16::try_from(number).ok()?;
        let slot = self.pattern.slot(pid)?;
        (values[slot] != OTHER).then_some(values[slot])
    }

    fn without_progress(&self, values: &[i32], actor: Actor) -> Option<i32> {
        if actor.stutter {
            return Some(0);
        }
        let at_progress = |(slot, &(_, ty)): (usize, &(u16, ProcessTypeId))| {
            values[slot] > 0 && self.model.process_type(ty).locations[values[slot] as usize].progress
        };
        if self.pattern.processes.iter().enumerate().any(at_progress) {
            return Some(0);
        }
        let may = self.ghost_types().any(|ty| self.model.process_type(ty).locations.iter().any(|l| l.progress));
        if may { None } else { Some(1) }
    }

    fn read(&self, values: &[i32], actor: Actor, place: &Place) -> Option<i32> {
        let offset = self.offset(values, actor, place)?;
        match &place.frame {
            Frame::Global => match self.pattern.global(offset) {
                Some(at) => Some(values[at]),
                None => self.constant_global(offset, place.scalar),
            },
            Frame::Local => self.read_local(values, actor.slot, actor.pid, actor.ty?, offset, place.scalar),
            Frame::Process(p, ty) => {
                let pid = u16::try_from(self.eval(values, actor, p)?).ok()?;
                let slot = self.pattern.slot(pid)?;
                match values[slot] {
                    0 => Some(0),
                    OTHER => None,
                    _ if self.pattern.processes[slot].1 != *ty => Some(0),
                    _ => self.read_local(values, Some(slot), Some(pid), *ty, offset, place.scalar),
                }
            }
        }
    }

    fn read_local(
        &self,
        values: &[i32],
        slot: Option<usize>,
        pid: Option<u16>,
        ty: ProcessTypeId,
        offset: u32,
        scalar: Scalar,
    ) -> Option<i32> {
        match slot.and_then(|s| self.pattern.local(s, offset)) {
            Some(at) => Some(values[at]),
            None => self.constant_local(pid?, ty, offset, scalar),
        }
    }

    /// The offset of a place; none when an index is unknown or out of bounds.
    pub fn offset(&self, values: &[i32], actor: Actor, place: &Place) -> Option<u32> {
        let mut offset = place.offset;
        for index in &place.indices {
            let i = u32::try_from(self.eval(values, actor, &index.expr)?).ok()?;
            if i >= index.count {
                return None;
            }
            offset += i * index.stride;
        }
        Some(offset)
    }

    /// The channels that an expression may name: one, or as many as an unknown index can select.
    pub fn channels(&self, values: &[i32], actor: Actor, expr: &Expr) -> Vec<Named<'_>> {
        let numbers = match self.eval(values, actor, expr) {
            Some(value) => u16::try_from(value - 1).ok().map(|n| vec![n]),
            None => named_channels(&self.facts.channels, &self.facts.constant, expr, actor.pid),
        };
        let named = |number: &u16| match (self.pattern.channel(*number), self.facts.channels.get(*number as usize)) {
            (Some(kept), _) => Named::Kept(kept),
            (None, Some(&(ty, _))) => Named::Dropped(ty),
            (None, None) => Named::Unknown,
        };
        numbers.map_or_else(|| vec![Named::Unknown], |n| n.iter().map(named).collect())
    }

    /// The kept channel that an expression names for sure.
    fn kept_channel(&self, values: &[i32], actor: Actor, expr: &Expr) -> Option<&KeptChannel> {
        match self.channels(values, actor, expr).as_slice() {
            [Named::Kept(kept)] => Some(kept),
            _ => None,
        }
    }

    /// Could two processes mean the same channel?
    pub fn same_channel(&self, values: &[i32], a: (Actor, &Expr), b: (Actor, &Expr)) -> Option<bool> {
        Some(self.eval(values, a.0, a.1)? == self.eval(values, b.0, b.1)?)
    }

    /// The messages that a receive could take, in order, and whether each is sure to match. The list ends with the
    /// first that is sure.
    pub fn matching(
        &self,
        values: &[i32],
        actor: Actor,
        channel: &KeptChannel,
        random: bool,
        fields: &[ReceiveField],
    ) -> Vec<(usize, bool)> {
        let carried = self.model.channel_type(channel.ty).fields.len();
        let length = values[channel.at] as usize;
        let mut found = Vec::new();
        for slot in 0..if random { length } else { length.min(1) } {
            let mut sure = true;
            let mut possible = true;
            for (i, field) in fields.iter().enumerate().take(carried) {
                let (ReceiveField::Match(e) | ReceiveField::Eval(e)) = field else { continue };
                let there = channel.full.then(|| values[channel.at + 1 + slot * carried + i]);
                match (self.eval(values, actor, e), there) {
                    (Some(a), Some(b)) => possible &= a == b,
                    _ => sure = false,
                }
            }
            if possible {
                found.push((slot, sure));
                if sure {
                    break;
                }
            }
        }
        found
    }
}
