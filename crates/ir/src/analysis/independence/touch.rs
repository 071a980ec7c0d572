//! What a statement of a process touches, as bits of [`Resources`].

use crate::analysis::{Access, ChannelUse, Owner, Region, constant};
use crate::expr::{Expr, Frame};
use crate::model::{ActionKind, Model, ProcessTypeId};

use super::fixed::{Fixed, brings_channels};
use super::resources::{ChannelRef, Resources};

/// A set of bits.
pub(super) type Bits = Vec<u64>;

/// What a statement touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    /// What it reads while it is possible: whether it stays so, and what it does.
    pub reads: Bits,
    /// What it changes.
    pub writes: Bits,
    /// What must be written before it can become possible, while it is not.
    pub enablers: Bits,
    /// The process dies: it has to wait for the youngest.
    pub dies: bool,
    /// Types of processes that it creates.
    pub creates: Vec<ProcessTypeId>,
    /// A send that may be a rendezvous: whether it is possible depends on where others stand.
    pub offers: bool,
    /// A receive that may be a rendezvous: it is taken by a move of the sender.
    pub answers: bool,
}

impl Touch {
    /// Does it touch anything that another process could?
    pub fn meets(&self) -> bool {
        let bits = |set: &Bits| set.iter().map(|w| w.count_ones()).sum::<u32>();
        // Every step reads that somebody moved.
        self.dies || bits(&self.reads) > 1 || bits(&self.writes) > 0 || bits(&self.enablers) > 1
    }
}

/// Adds the bits of another set; says whether any is new.
pub(super) fn add(to: &mut Bits, from: &Bits) -> bool {
    let mut new = false;
    for (a, b) in to.iter_mut().zip(from) {
        new |= *b & !*a != 0;
        *a |= b;
    }
    new
}

pub(super) fn set(bits: &mut Bits, bit: u32) {
    bits[bit as usize / 64] |= 1 << (bit % 64);
}

pub(super) fn intersects(a: &Bits, b: &Bits) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// Finds what statements of one process touch.
pub(super) struct Toucher<'a> {
    pub model: &'a Model,
    pub resources: &'a Resources,
    pub ty: ProcessTypeId,
    pub fixed: &'a Fixed<'a>,
    pub message_loss: bool,
}

impl Toucher<'_> {
    fn nothing(&self) -> Touch {
        let empty = vec![0; self.resources.words];
        Touch {
            reads: empty.clone(),
            writes: empty.clone(),
            enablers: empty,
            dies: false,
            creates: Vec::new(),
            offers: false,
            answers: false,
        }
    }

    /// What a statement touches, in which all that is known has been written as numbers.
    pub fn statement(&self, kind: &ActionKind) -> Touch {
        let mut touch = self.nothing();
        let access = Access::of_kind(kind, self.fixed.pid);
        self.values(&mut touch, &access);
        for &(expr, used) in &access.channels {
            let named = self.channels(expr);
            match kind {
                ActionKind::Send(_, sorted, _) if used == ChannelUse::Send => self.send(&mut touch, &named, *sorted),
                ActionKind::Receive { .. } if used == ChannelUse::Receive => self.receive(&mut touch, &named),
                _ => self.inside(&mut touch, &named, used),
            }
        }
        kind.exprs(&mut |e| self.questions(&mut touch, e));
        kind.places(&mut |place| place.walk(&mut |e| self.questions(&mut touch, e)));
        self.lives(&mut touch, &access);
        set(&mut touch.reads, self.resources.moved());
        let Touch { reads, enablers, .. } = &mut touch;
        add(enablers, reads);
        touch
    }

    /// What a test reads.
    pub fn test(&self, expr: &Expr) -> Bits {
        self.statement(&ActionKind::Guard(self.fixed.expr(expr))).reads
    }

    fn values(&self, touch: &mut Touch, access: &Access<'_>) {
        for region in access.reads() {
            match region.owner {
                Owner::Global => self.globals(region, &mut touch.reads),
                Owner::Own => {}
                // Who is not there has no variables.
                Owner::Process(ty, _) => {
                    self.remote(ty, region, &mut touch.reads);
                    set(&mut touch.reads, self.resources.count());
                }
            }
        }
        for region in &access.writes {
            match region.owner {
                Owner::Global => self.globals(region, &mut touch.writes),
                Owner::Own => self.remote(self.ty, region, &mut touch.writes),
                Owner::Process(ty, _) => self.remote(ty, region, &mut touch.writes),
            }
        }
    }

    fn globals(&self, region: &Region, bits: &mut Bits) {
        region.offsets(&mut |o| {
            if let Some(bit) = self.resources.global(o) {
                set(bits, bit);
            }
        });
    }

    fn remote(&self, ty: ProcessTypeId, region: &Region, bits: &mut Bits) {
        region.offsets(&mut |o| {
            if let Some(bit) = self.resources.remote(ty, o) {
                set(bits, bit);
            }
        });
    }

    /// The channels that an expression can name.
    fn channels(&self, expr: &Expr) -> Vec<ChannelRef> {
        if let Some(value) = constant(expr, self.fixed.pid) {
            return self.resources.named(Some(value));
        }
        let mut found: Option<Vec<ChannelRef>> = Some(Vec::new());
        match expr {
            Expr::Read(place) if place.frame == Frame::Global => {
                Region::of(place, self.fixed.pid).offsets(&mut |o| match self.fixed.globals.get(&o) {
                    Some(value) => found.iter_mut().for_each(|list| list.extend(self.resources.named(Some(*value)))),
                    None => found = None,
                });
            }
            _ => found = None,
        }
        found.unwrap_or_else(|| self.resources.named(None))
    }

    /// The tail of the only channel that an expression can name, if that holds messages.
    pub fn only_tail(&self, expr: &Expr) -> Option<u32> {
        match self.channels(expr).as_slice() {
            [channel] if !channel.rendezvous => Some(self.resources.tail(*channel)),
            _ => None,
        }
    }

    fn send(&self, touch: &mut Touch, named: &[ChannelRef], sorted: bool) {
        for &channel in named {
            let (head, tail) = (self.resources.head(channel), self.resources.tail(channel));
            if channel.buffered {
                set(&mut touch.writes, tail);
                set(&mut touch.enablers, head);
                if sorted {
                    set(&mut touch.writes, head);
                }
                if self.message_loss {
                    set(&mut touch.reads, head);
                }
            }
            if channel.rendezvous {
                set(&mut touch.writes, self.resources.sends(channel));
                set(&mut touch.reads, self.resources.receives(channel));
                touch.offers = true;
            }
        }
    }

    fn receive(&self, touch: &mut Touch, named: &[ChannelRef]) {
        for &channel in named {
            let (head, tail) = (self.resources.head(channel), self.resources.tail(channel));
            if channel.buffered {
                set(&mut touch.writes, head);
                set(&mut touch.enablers, head);
                set(&mut touch.enablers, tail);
            }
            if channel.rendezvous {
                set(&mut touch.writes, self.resources.receives(channel));
                set(&mut touch.reads, self.resources.sends(channel));
                touch.answers = true;
            }
        }
    }

    /// A channel that is looked at, or used in the middle of a deterministic sequence, where waiting is a fault.
    fn inside(&self, touch: &mut Touch, named: &[ChannelRef], used: ChannelUse) {
        for &channel in named {
            let ends = [self.resources.head(channel), self.resources.tail(channel)];
            ends.into_iter().for_each(|end| set(&mut touch.reads, end));
            if used != ChannelUse::Look {
                ends.into_iter().for_each(|end| set(&mut touch.writes, end));
                set(&mut touch.writes, self.resources.sends(channel));
                set(&mut touch.writes, self.resources.receives(channel));
                set(&mut touch.reads, self.resources.sends(channel));
                set(&mut touch.reads, self.resources.receives(channel));
                touch.answers |= used == ChannelUse::Receive && channel.rendezvous;
            }
        }
    }

    /// What an expression asks about processes.
    fn questions(&self, touch: &mut Touch, expr: &Expr) {
        expr.walk(&mut |e| match e {
            Expr::At(_, _, location) => {
                self.resources.location(*location).iter().for_each(|bit| set(&mut touch.reads, *bit));
            }
            Expr::ProcessCount | Expr::FirstOf(_) => set(&mut touch.reads, self.resources.count()),
            _ => {}
        });
    }

    /// Processes that are created or die, and their channels.
    fn lives(&self, touch: &mut Touch, access: &Access<'_>) {
        let mut channels = access.dies && brings_channels(self.model, self.ty);
        for &ty in &access.creates {
            set(&mut touch.reads, self.resources.count());
            set(&mut touch.writes, self.resources.count());
            let initial = self.model.process_type(ty).initial;
            self.resources.location(initial).iter().for_each(|bit| set(&mut touch.writes, *bit));
            channels |= brings_channels(self.model, ty);
            touch.creates.push(ty);
        }
        if access.dies {
            set(&mut touch.writes, self.resources.count());
            touch.dies = true;
        }
        if channels {
            for &channel in self.resources.own_channels() {
                self.inside(touch, &[channel], ChannelUse::Send);
            }
        }
    }

    /// The same in the middle of an atomic chain, where waiting would end it: sends and receives depend on each other.
    pub fn in_chain(&self, touch: &Touch) -> Touch {
        let mut inner = touch.clone();
        add(&mut inner.reads, &touch.enablers);
        inner
    }
}
