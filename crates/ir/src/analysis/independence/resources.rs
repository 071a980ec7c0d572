//! What two processes can meet at, as numbered bits.
//!
//! Two steps of different processes can only disturb each other through something that both touch. Each such thing
//! has a bit. In the first words a bit that two processes write is a meeting; in the others it is not, because each
//! writes a part of its own:
//!
//! ```text
//! ┌─────────┬─────────────────────────┬───────┬───────┬───────────┬────────────┬──────────────────────┐
//! │ globals │ channels: head and tail │ moved │ count │ locations │ remote     │ rendezvous: who      │
//! │         │                         │       │       │           │ variables  │ sends, who receives  │
//! └─────────┴─────────────────────────┴───────┴───────┴───────────┴────────────┴──────────────────────┘
//!  written by one at a time             written by many at a time
//! ```
//!
//! A send changes the tail of a buffered channel and a receive its head, so one does not disturb the other while both
//! are possible; whoever asks how many messages there are reads both. A rendezvous takes two, so who sends reads who
//! receives, and the other way round.

use std::collections::HashMap;
use std::ops::Range;

use crate::analysis::{Owner, Region, global_channels};
use crate::expr::{Expr, Frame};
use crate::model::{LocationId, Model, ProcessRole, ProcessTypeId};

use super::fixed::brings_channels;

/// Globals are told apart up to so many; beyond that several share a bit.
const GLOBALS: u32 = 512;
/// Channels of processes are told apart up to so many.
const OWN_CHANNELS: u32 = 16;

/// A channel, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChannelRef {
    /// Its number among the channels that are told apart.
    pub number: u32,
    /// It may hold messages.
    pub buffered: bool,
    /// It may be a rendezvous.
    pub rendezvous: bool,
}

/// The bits of a model.
#[derive(Debug)]
pub(super) struct Resources {
    globals: HashMap<u32, u32>,
    /// Bits are shared by globals this far apart.
    fold: u32,
    channels: Vec<ChannelRef>,
    /// Channels of the model itself; those of processes follow.
    shared_channels: u32,
    locations: HashMap<LocationId, u32>,
    remote: HashMap<(ProcessTypeId, u32), u32>,
    first_channel: u32,
    /// Words in which a bit that two write is a meeting.
    pub exclusive_words: usize,
    /// All words.
    pub words: usize,
    first_rendezvous: u32,
}

impl Resources {
    /// Numbers what the processes of a model, and those who watch it, can touch, but for some bytes of the globals.
    pub fn new(model: &Model, watched: &[Expr], unseen: &[Range<u32>]) -> Resources {
        let mut seen = Seen::default();
        for process_type in model.process_types.iter().filter(|p| p.role == ProcessRole::System) {
            process_type.provided.iter().for_each(|e| seen.expr(e));
            for action in &process_type.actions {
                action.kind.exprs(&mut |e| seen.expr(e));
                action.kind.places(&mut |place| {
                    place.walk(&mut |e| seen.expr(e));
                    let region = Region::of(place, None);
                    if region.owner == Owner::Global {
                        region.offsets(&mut |o| seen.globals.push(o));
                    }
                });
            }
        }
        watched.iter().for_each(|e| seen.expr(e));
        let Seen { mut globals, mut locations, mut remote } = seen;
        globals.sort_unstable();
        globals.dedup();
        globals.retain(|offset| !unseen.iter().any(|bytes| bytes.contains(offset)));
        locations.sort_unstable();
        locations.dedup();
        remote.sort_unstable();
        remote.dedup();
        let fold = (globals.len() as u32).clamp(1, GLOBALS);
        let channels = channels(model);
        let first_channel = if globals.is_empty() { 0 } else { fold };
        let exclusive_words = (first_channel + 2 * channels.len() as u32).div_ceil(64);
        let mut next = exclusive_words * 64 + 2;
        let mut number = || {
            next += 1;
            next - 1
        };
        let locations = locations.into_iter().map(|l| (l, number())).collect();
        let remote = remote.into_iter().map(|r| (r, number())).collect();
        let first_rendezvous = next;
        let bits = first_rendezvous + 2 * channels.len() as u32;
        Resources {
            globals: globals.into_iter().enumerate().map(|(i, o)| (o, i as u32)).collect(),
            fold,
            shared_channels: global_channels(model).len() as u32,
            channels,
            locations,
            remote,
            first_channel,
            exclusive_words: exclusive_words as usize,
            words: bits.div_ceil(64) as usize,
            first_rendezvous,
        }
    }

    /// The bit of a global value; none when nothing writes it, or nobody asks for it.
    pub fn global(&self, offset: u32) -> Option<u32> {
        self.globals.get(&offset).map(|i| i % self.fold)
    }

    /// Set by every step, and written by one that depends on where everybody stands.
    pub fn moved(&self) -> u32 {
        self.exclusive_words as u32 * 64
    }

    /// How many processes there are.
    pub fn count(&self) -> u32 {
        self.moved() + 1
    }

    /// Who stands at a location, where somebody asks.
    pub fn location(&self, location: LocationId) -> Option<u32> {
        self.locations.get(&location).copied()
    }

    /// A variable of the processes of a type, where others read it.
    pub fn remote(&self, ty: ProcessTypeId, offset: u32) -> Option<u32> {
        self.remote.get(&(ty, offset)).copied()
    }

    /// Where messages of a channel are taken out.
    pub fn head(&self, channel: ChannelRef) -> u32 {
        self.first_channel + 2 * channel.number
    }

    /// Where messages of a channel are put in.
    pub fn tail(&self, channel: ChannelRef) -> u32 {
        self.head(channel) + 1
    }

    /// Who sends by rendezvous.
    pub fn sends(&self, channel: ChannelRef) -> u32 {
        self.first_rendezvous + 2 * channel.number
    }

    /// Who receives by rendezvous.
    pub fn receives(&self, channel: ChannelRef) -> u32 {
        self.sends(channel) + 1
    }

    /// The channels that a value of a channel variable can name; without a value, all.
    pub fn named(&self, value: Option<i32>) -> Vec<ChannelRef> {
        match value {
            None => self.channels.clone(),
            Some(v) if v < 1 => Vec::new(),
            Some(v) if (v as u32) <= self.shared_channels => vec![self.channels[v as usize - 1]],
            Some(v) => {
                let own = &self.channels[self.shared_channels as usize..];
                if own.is_empty() {
                    Vec::new()
                } else {
                    vec![own[(v as u32 - 1 - self.shared_channels) as usize % own.len()]]
                }
            }
        }
    }

    /// The channels that belong to processes.
    pub fn own_channels(&self) -> &[ChannelRef] {
        &self.channels[self.shared_channels as usize..]
    }
}

fn channels(model: &Model) -> Vec<ChannelRef> {
    let mut found = Vec::new();
    for (ty, _) in global_channels(model) {
        let buffered = model.channel_type(ty).capacity > 0;
        found.push(ChannelRef { number: found.len() as u32, buffered, rendezvous: !buffered });
    }
    let types = (0..model.process_types.len()).map(|t| ProcessTypeId(t as u16));
    if types.into_iter().any(|t| brings_channels(model, t)) {
        for _ in 0..OWN_CHANNELS {
            found.push(ChannelRef { number: found.len() as u32, buffered: true, rendezvous: true });
        }
    }
    found
}

/// What is written, and what is looked at from outside.
#[derive(Default)]
struct Seen {
    globals: Vec<u32>,
    locations: Vec<LocationId>,
    remote: Vec<(ProcessTypeId, u32)>,
}

impl Seen {
    fn expr(&mut self, expr: &Expr) {
        expr.walk(&mut |e| match e {
            Expr::At(_, _, location) => self.locations.push(*location),
            Expr::Read(place) => {
                if let Frame::Process(_, ty) = &place.frame {
                    Region::of(place, None).offsets(&mut |o| self.remote.push((*ty, o)));
                }
            }
            _ => {}
        });
    }
}
