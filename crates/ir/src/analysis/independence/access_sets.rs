//! The read, write and enabling sets of statements, as bits of [`Resources`](super::resources::Resources).

use lurcher_resources::charge;

use crate::analysis::{Access, ChannelUse, Owner, Region, constant};
use crate::expr::{Expr, Frame};
use crate::model::ProcessTypeId;
use crate::statement::ActionKind;

use super::Inner;
use super::fixed::{Fixed, has_own_channels};
use super::resources::{ChannelRef, Resources};

/// A set of resources, one bit for each.
pub(super) type Bits = Vec<u64>;

/// A read set and a write set.
#[derive(Clone, Debug)]
pub(super) struct ReadWrite {
    pub reads: Bits,
    pub writes: Bits,
}

impl ReadWrite {
    pub fn empty(words: usize) -> Self {
        charge(words / 8);
        ReadWrite { reads: vec![0; words], writes: vec![0; words] }
    }

    /// Adds other sets; returns whether a bit is new.
    pub fn add(&mut self, other: &ReadWrite) -> bool {
        charge(self.reads.len() / 8);
        add(&mut self.reads, &other.reads) | add(&mut self.writes, &other.writes)
    }
}

/// The access sets of a statement.
#[derive(Clone, Debug)]
pub(super) struct AccessSets {
    /// What decides whether it stays enabled and what its effect is, and what it changes.
    pub sets: ReadWrite,
    /// A necessary enabling set: if it is disabled, one of these has to be written before it is enabled.
    pub enablers: Bits,
    /// The process dies, if it is the youngest.
    pub dies: bool,
    /// Types of the processes that it creates.
    pub creates: Vec<ProcessTypeId>,
    /// A send that may be a rendezvous: it is enabled by the locations of other processes.
    pub offers_rendezvous: bool,
    /// A receive that may be a rendezvous: a move of the sender executes it.
    pub answers_rendezvous: bool,
}

impl AccessSets {
    /// Whether it accesses anything that another process can access.
    pub fn is_shared(&self) -> bool {
        let bits = |set: &Bits| set.iter().map(|w| w.count_ones()).sum::<u32>();
        // Every statement reads the bit of moves.
        self.dies || bits(&self.sets.reads) > 1 || bits(&self.sets.writes) > 0 || bits(&self.enablers) > 1
    }

    /// Adds a set to what enables the statement and to what it reads.
    pub fn add_reads(&mut self, bits: &Bits) {
        add(&mut self.sets.reads, bits);
        add(&mut self.enablers, bits);
    }
}

/// Adds another set; returns whether a bit is new.
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

/// Computes the access sets of the statements of one process.
pub(super) struct SetBuilder<'a> {
    pub inner: &'a Inner,
    pub ty: ProcessTypeId,
    pub fixed: &'a Fixed<'a>,
}

impl SetBuilder<'_> {
    fn resources(&self) -> &Resources {
        &self.inner.resources
    }

    /// The sets of a statement in which fixed values have been substituted.
    pub fn statement(&self, kind: &ActionKind) -> AccessSets {
        let words = self.resources().words;
        let mut sets = AccessSets {
            sets: ReadWrite::empty(words),
            enablers: vec![0; words],
            dies: false,
            creates: Vec::new(),
            offers_rendezvous: false,
            answers_rendezvous: false,
        };
        let access = Access::of_kind(kind, self.fixed.pid);
        self.values(&mut sets.sets, &access);
        for &(expr, used) in &access.channels {
            let named = self.channels(expr);
            match kind {
                ActionKind::Send(_, sorted, _) if used == ChannelUse::Send => self.send(&mut sets, &named, *sorted),
                ActionKind::Receive { .. } if used == ChannelUse::Receive => self.receive(&mut sets, &named),
                _ => self.any_use(&mut sets, &named, used),
            }
        }
        kind.walk(&mut |e| self.process_queries(&mut sets.sets.reads, e));
        self.creation_and_death(&mut sets, &access);
        set(&mut sets.sets.reads, self.resources().moved());
        add(&mut sets.enablers, &sets.sets.reads);
        sets
    }

    /// The read set of a guard.
    pub fn test(&self, expr: &Expr) -> Bits {
        self.statement(&ActionKind::Guard(self.fixed.expr(expr))).sets.reads
    }

    fn values(&self, sets: &mut ReadWrite, access: &Access<'_>) {
        for region in access.reads().filter(|region| region.owner != Owner::Own) {
            self.region(region, &mut sets.reads);
            // A process that does not exist has no variables.
            if let Owner::Process(..) = region.owner {
                set(&mut sets.reads, self.resources().count());
            }
        }
        access.writes.iter().for_each(|region| self.region(region, &mut sets.writes));
    }

    fn region(&self, region: &Region, bits: &mut Bits) {
        let bit = |offset: u32| match region.owner {
            Owner::Global => self.resources().global(offset),
            Owner::Own => self.resources().remote(self.ty, offset),
            Owner::Process(ty, _) => self.resources().remote(ty, offset),
        };
        region.offsets().into_iter().filter_map(bit).for_each(|bit| set(bits, bit));
    }

    /// The channels that an expression may denote.
    fn channels(&self, expr: &Expr) -> Vec<ChannelRef> {
        let resources = self.resources();
        if let Some(value) = constant(expr, self.fixed.pid) {
            return resources.named(Some(value));
        }
        let Expr::Read(place) = expr else { return resources.named(None) };
        if place.frame != Frame::Global {
            return resources.named(None);
        }
        let offsets = Region::of(place, self.fixed.pid).offsets();
        match offsets.iter().map(|o| self.fixed.globals.get(o).copied()).collect::<Option<Vec<i32>>>() {
            Some(values) => values.into_iter().flat_map(|value| resources.named(Some(value))).collect(),
            None => resources.named(None),
        }
    }

    /// The tail of the only channel that an expression may denote, if it is buffered.
    pub fn only_tail(&self, expr: &Expr) -> Option<u32> {
        match self.channels(expr).as_slice() {
            [channel] if !channel.rendezvous => Some(self.resources().tail(*channel)),
            _ => None,
        }
    }

    fn send(&self, sets: &mut AccessSets, named: &[ChannelRef], sorted: bool) {
        let resources = self.resources();
        for &channel in named {
            let (head, tail) = (resources.head(channel), resources.tail(channel));
            if channel.buffered {
                set(&mut sets.sets.writes, tail);
                set(&mut sets.enablers, head);
                if sorted {
                    set(&mut sets.sets.writes, head);
                }
                if self.inner.message_loss {
                    set(&mut sets.sets.reads, head);
                }
            }
            if channel.rendezvous {
                set(&mut sets.sets.writes, resources.sends(channel));
                set(&mut sets.sets.reads, resources.receives(channel));
                sets.offers_rendezvous = true;
            }
        }
    }

    fn receive(&self, sets: &mut AccessSets, named: &[ChannelRef]) {
        let resources = self.resources();
        for &channel in named {
            let (head, tail) = (resources.head(channel), resources.tail(channel));
            if channel.buffered {
                set(&mut sets.sets.writes, head);
                set(&mut sets.enablers, head);
                set(&mut sets.enablers, tail);
            }
            if channel.rendezvous {
                set(&mut sets.sets.writes, resources.receives(channel));
                set(&mut sets.sets.reads, resources.sends(channel));
                sets.answers_rendezvous = true;
            }
        }
    }

    /// A channel that is only read, or used inside a deterministic sequence, where blocking is a fault.
    fn any_use(&self, sets: &mut AccessSets, named: &[ChannelRef], used: ChannelUse) {
        let resources = self.resources();
        for &channel in named {
            let ends = [resources.head(channel), resources.tail(channel)];
            ends.into_iter().for_each(|end| set(&mut sets.sets.reads, end));
            if used != ChannelUse::Look {
                for bit in ends.into_iter().chain([resources.sends(channel), resources.receives(channel)]) {
                    set(&mut sets.sets.reads, bit);
                    set(&mut sets.sets.writes, bit);
                }
                sets.answers_rendezvous |= used == ChannelUse::Receive && channel.rendezvous;
            }
        }
    }

    /// Locations and the number of processes, if an expression reads them.
    fn process_queries(&self, reads: &mut Bits, expr: &Expr) {
        match expr {
            Expr::At(_, _, location) => self.resources().location(*location).iter().for_each(|bit| set(reads, *bit)),
            Expr::ProcessCount | Expr::FirstOf(_) => set(reads, self.resources().count()),
            _ => {}
        }
    }

    /// Processes that are created or die, and their channels.
    fn creation_and_death(&self, sets: &mut AccessSets, access: &Access<'_>) {
        let (model, resources) = (&self.inner.model, self.resources());
        let mut channels = access.dies && has_own_channels(model, self.ty);
        for &ty in &access.creates {
            set(&mut sets.sets.reads, resources.count());
            set(&mut sets.sets.writes, resources.count());
            let initial = resources.location(model.process_type(ty).initial);
            initial.iter().for_each(|bit| set(&mut sets.sets.writes, *bit));
            channels |= has_own_channels(model, ty);
            sets.creates.push(ty);
        }
        if access.dies {
            set(&mut sets.sets.writes, resources.count());
            sets.dies = true;
        }
        if channels {
            self.any_use(sets, resources.own_channels(), ChannelUse::Send);
        }
    }
}
