//! The read and write sets of statements.
//!
//! A [`Region`] is one value, or all values that an unknown index can select. Reads that enable an action are separate
//! from reads that only determine its effect.

use lurcher_resources::{charge, checkpoint};

use crate::analysis::constant;
use crate::expr::{Expr, Frame, Place, ReceiveField};
use crate::model::{Initial, ProcessTypeId};
use crate::statement::ActionKind;

/// The owner of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The globals.
    Global,
    /// The executing process.
    Own,
    /// A process of this type, with its number if it is known.
    Process(ProcessTypeId, Option<u16>),
}

/// A set of values in one frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region {
    /// The owner of the frame.
    pub owner: Owner,
    /// Offset of the first value.
    pub offset: u32,
    /// For each unknown index: number of elements, and bytes from one to the next.
    pub spread: Vec<(u32, u32)>,
    /// Bytes of one value.
    pub size: u32,
}

impl Region {
    /// The region of a place, for a process whose number may be known.
    pub fn of(place: &Place, pid: Option<u16>) -> Region {
        let owner = match &place.frame {
            Frame::Global => Owner::Global,
            Frame::Local => Owner::Own,
            Frame::Process(p, ty) => Owner::Process(*ty, constant(p, pid).and_then(|v| u16::try_from(v).ok())),
        };
        let mut region = Region { owner, offset: place.offset, spread: Vec::new(), size: place.scalar.size() };
        for index in &place.indices {
            match constant(&index.expr, pid) {
                Some(i) if (0..index.count as i32).contains(&i) => region.offset += i as u32 * index.stride,
                _ => region.spread.push((index.count, index.stride)),
            }
        }
        region
    }

    /// Whether it is a single value.
    pub fn is_single(&self) -> bool {
        self.spread.is_empty()
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.spread.iter().map(|(count, _)| u64::from(*count)).product()
    }

    /// The offset of every value.
    pub fn offsets(&self) -> Vec<u32> {
        charge(self.count() as usize / 16);
        let spread = |offsets: Vec<u32>, &(count, stride): &(u32, u32)| {
            offsets.into_iter().flat_map(|at| (0..count).map(move |i| at + i * stride)).collect()
        };
        self.spread.iter().fold(vec![self.offset], spread)
    }

    /// One past the last byte.
    pub fn end(&self) -> u32 {
        self.offset + self.spread.iter().map(|(n, stride)| n.saturating_sub(1) * stride).sum::<u32>() + self.size
    }

    /// Whether two regions may share a byte. Exact for single values.
    pub fn overlaps(&self, other: &Region) -> bool {
        self.owner == other.owner && self.offset < other.end() && other.offset < self.end()
    }
}

/// A value of a model: its process type (none for a global) and its offset.
pub(super) type Cell = (Option<ProcessTypeId>, u32);

/// The values that a place may denote, for a process of a type.
pub(super) fn cells(ty: ProcessTypeId, place: &Place) -> Vec<Cell> {
    let region = Region::of(place, None);
    let owner = match region.owner {
        Owner::Global => None,
        Owner::Own => Some(ty),
        Owner::Process(other, _) => Some(other),
    };
    region.offsets().into_iter().map(|offset| (owner, offset)).collect()
}

/// How a channel is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelUse {
    /// A message is sent.
    Send,
    /// A message is received.
    Receive,
    /// The channel is only read.
    Look,
}

/// The read and write set of a statement.
#[derive(Clone, Debug, Default)]
pub struct Access<'m> {
    /// Values that decide whether it is enabled.
    pub enabling: Vec<Region>,
    /// Values that only determine its effect.
    pub data: Vec<Region>,
    /// Values it writes.
    pub writes: Vec<Region>,
    /// Global places with unknown indices, read or written.
    pub indexed: Vec<&'m Place>,
    /// Channels, by the expressions that name them.
    pub channels: Vec<(&'m Expr, ChannelUse)>,
    /// Processes whose location is read: type and number, where they are known.
    pub locations: Vec<(Option<ProcessTypeId>, Option<u16>)>,
    /// Types of the processes it creates.
    pub creates: Vec<ProcessTypeId>,
    /// The process dies.
    pub dies: bool,
    /// It reads `timeout`.
    pub timeout: bool,
    /// It reads or changes the number of processes.
    pub population: bool,
    /// It reads the whole state otherwise: enabled processes, `_last`, priorities.
    pub global_state: bool,
}

impl<'m> Access<'m> {
    /// The access of a statement; with a process number, `_pid` is constant.
    pub fn of_kind(kind: &'m ActionKind, pid: Option<u16>) -> Access<'m> {
        checkpoint();
        let mut access = Access::default();
        access.statement(kind, pid);
        access
    }

    /// The access of an expression as a guard.
    pub fn of_test(expr: &'m Expr, pid: Option<u16>) -> Access<'m> {
        let mut access = Access::default();
        access.read(expr, pid, true);
        access
    }

    /// The access of an initialisation step.
    pub fn of_initial(initial: &'m Initial, pid: Option<u16>) -> Access<'m> {
        let mut access = Access::default();
        match initial {
            Initial::Value(place, value) => {
                access.read(value, pid, false);
                access.write(place, pid);
            }
            Initial::Channel(new) => access.write(&new.place, pid),
        }
        access
    }

    fn statement(&mut self, kind: &'m ActionKind, pid: Option<u16>) {
        match kind {
            ActionKind::Guard(e) => self.read(e, pid, true),
            ActionKind::Send(channel, _, args) => {
                self.read(channel, pid, true);
                // A receiver of a rendezvous may match the arguments.
                args.iter().for_each(|a| self.read(a, pid, true));
                self.channels.push((channel, ChannelUse::Send));
            }
            ActionKind::Receive { channel, copy, fields, .. } => {
                self.read(channel, pid, true);
                self.fields(fields, pid, true);
                self.channels.push((channel, if *copy { ChannelUse::Look } else { ChannelUse::Receive }));
                fields.iter().filter_map(ReceiveField::stored).for_each(|place| self.write(place, pid));
            }
            ActionKind::Event { channel, fields, .. } => {
                self.read(channel, pid, true);
                self.fields(fields, pid, true);
                self.channels.push((channel, ChannelUse::Look));
            }
            ActionKind::DStep(sequence) => {
                for guard in &sequence.guards {
                    self.guard_of(guard, pid);
                }
                for statement in kind.statements() {
                    let mut inside = Access::of_kind(statement, pid);
                    inside.data.append(&mut inside.enabling);
                    self.merge(inside);
                }
            }
            ActionKind::End => {
                self.dies = true;
                self.population = true;
            }
            _ => {
                debug_assert!(!kind.can_wait(), "what enables it is not known");
                kind.exprs(&mut |e| self.read(e, pid, false));
                kind.places(&mut |place| self.write(place, pid));
                self.global_state |= matches!(kind, ActionKind::SetPriority(..));
            }
        }
    }

    /// Adds only what decides whether a statement is enabled.
    fn guard_of(&mut self, kind: &'m ActionKind, pid: Option<u16>) {
        let mut inside = Access::of_kind(kind, pid);
        inside.writes.clear();
        inside.creates.clear();
        for used in &mut inside.channels {
            used.1 = ChannelUse::Look;
        }
        self.merge(inside);
    }

    fn merge(&mut self, other: Access<'m>) {
        self.enabling.extend(other.enabling);
        self.data.extend(other.data);
        self.writes.extend(other.writes);
        self.indexed.extend(other.indexed);
        self.channels.extend(other.channels);
        self.locations.extend(other.locations);
        self.creates.extend(other.creates);
        self.dies |= other.dies;
        self.timeout |= other.timeout;
        self.population |= other.population;
        self.global_state |= other.global_state;
    }

    fn fields(&mut self, fields: &'m [ReceiveField], pid: Option<u16>, enabling: bool) {
        fields.iter().filter_map(ReceiveField::pattern).for_each(|e| self.read(e, pid, enabling));
    }

    fn write(&mut self, place: &'m Place, pid: Option<u16>) {
        place.operands().for_each(|e| self.read(e, pid, false));
        let region = self.region(place, pid);
        self.writes.push(region);
    }

    /// The region of a place, which is recorded if it is global with unknown indices.
    fn region(&mut self, place: &'m Place, pid: Option<u16>) -> Region {
        let region = Region::of(place, pid);
        if region.owner == Owner::Global && !region.is_single() {
            self.indexed.push(place);
        }
        region
    }

    fn read(&mut self, expr: &'m Expr, pid: Option<u16>, enabling: bool) {
        let number = |p: &Expr| constant(p, pid).and_then(|v| u16::try_from(v).ok());
        match expr {
            // A poll does not evaluate the places of its fields.
            Expr::Poll(channel, _, fields) => {
                self.read(channel, pid, enabling);
                self.fields(fields, pid, enabling);
            }
            // Arguments do not decide whether a process can be created.
            Expr::Run(_, args, _) => args.iter().for_each(|a| self.read(a, pid, false)),
            _ => expr.operands(&mut |e| self.read(e, pid, enabling)),
        }
        match expr {
            Expr::Read(place) => {
                let region = self.region(place, pid);
                if enabling { self.enabling.push(region) } else { self.data.push(region) }
            }
            Expr::Len(c) | Expr::Probe(_, c) | Expr::Poll(c, ..) => self.channels.push((c, ChannelUse::Look)),
            Expr::Run(ty, ..) => {
                self.creates.push(*ty);
                self.population = true;
            }
            Expr::PcValue(p) => self.locations.push((None, number(p))),
            Expr::At(p, ty, _) => self.locations.push((Some(*ty), number(p))),
            Expr::Timeout => self.timeout = true,
            Expr::ProcessCount => self.population = true,
            Expr::Enabled(_) | Expr::Priority(_) | Expr::Last | Expr::NonProgress | Expr::FirstOf(_) => {
                self.global_state = true;
            }
            Expr::Const(_) | Expr::Symbol(..) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => {}
        }
    }

    /// Whether it depends on the set of processes or on which of them are enabled.
    pub fn sees_processes(&self) -> bool {
        self.timeout || self.population || self.global_state
    }

    /// All regions it reads.
    pub fn reads(&self) -> impl Iterator<Item = &Region> {
        self.enabling.iter().chain(&self.data)
    }
}
