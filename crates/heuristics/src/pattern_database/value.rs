//! Expressions in abstract states: a value, or unknown.
//!
//! A value that depends on something dropped is unknown, unless the rest decides it. A fault in an expression gives an
//! unknown value, too: it ends the run of the model, so continuing only adds behaviour.

use lurcher_ir::analysis::named_channels;
use lurcher_ir::{BinaryOp, ChannelTypeId, Expr, Frame, Place, Probe, ProcessTypeId, ReceiveField, Scalar};

use super::abstract_model::AbstractModel;
use super::moves::Possible;
use super::pattern::{Item, KeptChannel, OTHER};

/// The evaluator of an expression: a kept process, an environment process, or a property.
#[derive(Clone, Copy, Debug)]
pub(super) struct Actor {
    /// Its slot in the abstract state.
    pub slot: Option<usize>,
    /// Its number, if known.
    pub pid: Option<u16>,
    /// Its type.
    pub ty: Option<ProcessTypeId>,
    /// The value of `timeout`.
    pub timeout: Option<i32>,
    /// Only the claim still moves.
    pub stutter: bool,
}

impl Actor {
    /// A property or claim.
    pub const PROPERTY: Actor = Actor { slot: None, pid: None, ty: None, timeout: None, stutter: false };

    pub fn environment(ty: ProcessTypeId, pid: Option<u16>) -> Actor {
        Actor { pid, ty: Some(ty), ..Actor::PROPERTY }
    }
}

/// An abstract state and the actor that evaluates expressions in it.
#[derive(Clone, Copy)]
pub(super) struct View<'v, 'm> {
    pub model: &'v AbstractModel<'v, 'm>,
    pub values: &'v [i32],
    pub actor: Actor,
}

impl<'v, 'm> AbstractModel<'v, 'm> {
    pub fn view(&'v self, values: &'v [i32], actor: Actor) -> View<'v, 'm> {
        View { model: self, values, actor }
    }

    /// The view of the kept process in a slot.
    pub fn view_of(&'v self, values: &'v [i32], slot: usize, timeout: Option<i32>) -> View<'v, 'm> {
        let (pid, ty) = self.pattern.processes[slot];
        self.view(values, Actor { slot: Some(slot), pid: Some(pid), ty: Some(ty), timeout, stutter: false })
    }
}

/// A channel that an expression may name.
pub(super) enum Named<'p> {
    Kept(&'p KeptChannel),
    /// A global channel whose contents are dropped.
    Dropped(ChannelTypeId),
    Unknown,
}

impl<'v, 'm> View<'v, 'm> {
    /// Another state with the same actor.
    pub fn with<'w>(self, values: &'w [i32]) -> View<'w, 'm>
    where
        'v: 'w,
    {
        View { values, ..self }
    }

    /// The value of an expression; none if it is unknown.
    pub fn eval(self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(v) | Expr::Symbol(v, _) => Some(*v),
            Expr::Read(place) => self.read(place),
            Expr::Unary(op, e) => self.eval(e).map(|v| op.apply(v)),
            Expr::Binary(BinaryOp::And, a, b) => match (self.eval(a), self.eval(b)) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (Some(_), Some(_)) => Some(1),
                _ => None,
            },
            Expr::Binary(BinaryOp::Or, a, b) => match (self.eval(a), self.eval(b)) {
                (Some(0), Some(0)) => Some(0),
                (Some(v), _) | (_, Some(v)) if v != 0 => Some(1),
                _ => None,
            },
            Expr::Binary(op, a, b) => op.apply(self.eval(a)?, self.eval(b)?),
            Expr::Cond(c, a, b) => match self.eval(c) {
                Some(0) => self.eval(b),
                Some(_) => self.eval(a),
                None => self.eval(a).filter(|v| self.eval(b) == Some(*v)),
            },
            Expr::Len(c) => Some(self.values[self.kept_channel(c)?.at]),
            Expr::Probe(probe, c) => {
                let channel = self.kept_channel(c)?;
                let (full, empty) = (!self.has_room(channel), self.values[channel.at] == 0);
                Some(i32::from(match probe {
                    Probe::Full => full,
                    Probe::Empty => empty,
                    Probe::NotFull => !full,
                    Probe::NotEmpty => !empty,
                }))
            }
            Expr::Poll(c, random, fields) => match self.matching(self.kept_channel(c)?, *random, fields).last() {
                None => Some(0),
                Some((_, true)) => Some(1),
                Some(_) => None,
            },
            Expr::Run(..) => None,
            Expr::Pid => self.actor.pid.map(i32::from),
            Expr::Timeout => self.actor.timeout,
            Expr::NonProgress if self.actor.stutter => Some(0),
            Expr::NonProgress => self.model.any_at(self.values, |l| l.progress).map(|progress| i32::from(!progress)),
            Expr::PcValue(p) => self.location(p),
            Expr::At(p, _, location) => self.location(p).map(|l| i32::from(l == i32::from(location.0))),
            Expr::FirstOf(ty) => {
                let first = self.model.model().initial_processes.iter().position(|(t, _)| t == ty)? as u16;
                let slot = self.model.pattern.slot(first)?;
                (self.values[slot] > 0).then_some(i32::from(first))
            }
            Expr::ProcessCount | Expr::Last | Expr::Enabled(_) | Expr::Priority(_) => None,
        }
    }

    /// The slot of the process whose number an expression gives.
    fn slot(self, process: &Expr) -> Option<usize> {
        self.model.pattern.slot(u16::try_from(self.eval(process)?).ok()?)
    }

    /// The location number of a process; 0 if it does not exist.
    fn location(self, process: &Expr) -> Option<i32> {
        Some(self.values[self.slot(process)?]).filter(|&l| l != OTHER)
    }

    fn read(self, place: &Place) -> Option<i32> {
        let offset = self.offset(place)?;
        match &place.frame {
            Frame::Global => match self.model.pattern.position(Item::Global(offset)) {
                Some(at) => Some(self.values[at]),
                None => self.model.constant_global(offset, place.scalar),
            },
            Frame::Local => self.read_local(self.actor.pid?, self.actor.ty?, offset, place.scalar),
            Frame::Process(p, ty) => {
                let slot = self.slot(p)?;
                let (pid, kept) = self.model.pattern.processes[slot];
                match self.values[slot] {
                    0 => Some(0),
                    OTHER => None,
                    _ if kept != *ty => Some(0),
                    _ => self.read_local(pid, *ty, offset, place.scalar),
                }
            }
        }
    }

    fn read_local(self, pid: u16, ty: ProcessTypeId, offset: u32, scalar: Scalar) -> Option<i32> {
        match self.model.pattern.position(Item::Local(pid, offset)) {
            Some(at) => Some(self.values[at]),
            None => self.model.constant_local(pid, ty, offset, scalar),
        }
    }

    /// The offset of a place; none if an index is unknown or out of bounds.
    pub fn offset(self, place: &Place) -> Option<u32> {
        let mut offset = place.offset;
        for index in &place.indices {
            offset += u32::try_from(self.eval(&index.expr)?).ok().filter(|i| *i < index.count)? * index.stride;
        }
        Some(offset)
    }

    /// The channels that an expression may name: one, or those that an unknown index can select.
    pub fn channels(self, expr: &Expr) -> Vec<Named<'v>> {
        let facts = self.model.facts;
        let numbers = match self.eval(expr) {
            Some(value) => u16::try_from(value - 1).ok().map(|n| vec![n]),
            None => named_channels(&facts.channels, &facts.constant, expr, self.actor.pid),
        };
        let named = |number: &u16| match (self.model.pattern.channel(*number), facts.channels.get(*number as usize)) {
            (Some(kept), _) => Named::Kept(kept),
            (None, Some(&(ty, _))) => Named::Dropped(ty),
            (None, None) => Named::Unknown,
        };
        numbers.map_or_else(|| vec![Named::Unknown], |n| n.iter().map(named).collect())
    }

    /// The kept channel that an expression certainly names.
    fn kept_channel(self, expr: &Expr) -> Option<&'v KeptChannel> {
        match self.channels(expr).as_slice() {
            [Named::Kept(kept)] => Some(kept),
            _ => None,
        }
    }

    pub fn has_room(self, channel: &KeptChannel) -> bool {
        self.values[channel.at] < i32::from(self.model.model().channel_type(channel.ty).slots())
    }

    /// Whether a message matches the fields of a receive; an unknown field may match.
    pub fn matches(self, fields: &[ReceiveField], message: impl Fn(usize) -> Option<i32>) -> Possible {
        let mut found = Possible::Surely;
        for (i, field) in fields.iter().enumerate() {
            let (ReceiveField::Match(e) | ReceiveField::Eval(e)) = field else { continue };
            match (self.eval(e), message(i)) {
                (Some(a), Some(b)) if a != b => return Possible::Never,
                (Some(_), Some(_)) => {}
                _ => found = Possible::Maybe,
            }
        }
        found
    }

    /// The slots of the messages that a receive could take, in order, and whether each certainly matches. The list ends
    /// with the first certain match.
    pub fn matching(self, channel: &KeptChannel, random: bool, fields: &[ReceiveField]) -> Vec<(usize, bool)> {
        let carried = self.model.model().channel_type(channel.ty).fields.len();
        let length = self.values[channel.at] as usize;
        let fields = &fields[..fields.len().min(carried)];
        let mut found = Vec::new();
        for slot in 0..if random { length } else { length.min(1) } {
            let message = |i| channel.full.then(|| self.values[channel.at + 1 + slot * carried + i]);
            let matches = self.matches(fields, message);
            if matches.may() {
                found.push((slot, matches == Possible::Surely));
            }
            if matches == Possible::Surely {
                break;
            }
        }
        found
    }
}
