//! Shared resources as numbered bits.
//!
//! Steps of different processes are dependent only through a resource that both access. In the first words two writes of
//! a bit conflict; in the others they do not, because each process writes a part of its own:
//!
//! ```text
//! ┌─────────┬─────────────────────────┬───────┬───────┬───────────┬────────────┬──────────────────────┐
//! │ globals │ channels: head and tail │ moved │ count │ locations │ remote     │ rendezvous: senders  │
//! │         │                         │       │       │           │ variables  │ and receivers        │
//! └─────────┴─────────────────────────┴───────┴───────┴───────────┴────────────┴──────────────────────┘
//!  exclusive: two writes conflict       shared: only a read and a write conflict
//! ```
//!
//! A send writes the tail of a buffered channel and a receive its head, so they are independent while both are enabled;
//! a test of the length reads both. In a rendezvous the sender reads the receivers, and the receiver the senders.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::analysis::faint::contains;
use crate::analysis::{Owner, Region, global_channels};
use crate::expr::{Expr, Frame};
use crate::model::{LocationId, Model, ProcessTypeId};

use super::fixed::has_own_channels;

/// The most bits for globals; beyond that several share a bit.
const GLOBALS: u32 = 512;
/// The most bits for channels that processes create.
const OWN_CHANNELS: u32 = 16;

/// A channel or a class of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChannelRef {
    /// Its number among the distinguished channels.
    pub number: u32,
    /// It may be buffered.
    pub buffered: bool,
    /// It may be a rendezvous.
    pub rendezvous: bool,
}

/// The bits of a model.
#[derive(Debug)]
pub(super) struct Resources {
    globals: HashMap<u32, u32>,
    /// Globals whose numbers differ by a multiple of this share a bit.
    fold: u32,
    channels: Vec<ChannelRef>,
    /// The number of global channels; those of processes follow.
    shared_channels: u32,
    locations: HashMap<LocationId, u32>,
    remote: HashMap<(ProcessTypeId, u32), u32>,
    first_channel: u32,
    /// Words in which two writes conflict.
    pub exclusive_words: usize,
    /// All words.
    pub words: usize,
    first_rendezvous: u32,
}

impl Resources {
    /// Numbers the resources that the processes of a model and the observed expressions access, except faint globals.
    pub fn new(model: &Model, observed: &[Expr], faint: &[Range<u32>]) -> Resources {
        let (mut globals, mut locations, mut remote) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut read = |expr: &Expr| match expr {
            Expr::At(_, _, location) => {
                locations.insert(*location);
            }
            Expr::Read(place) => {
                if let Frame::Process(_, ty) = &place.frame {
                    remote.extend(Region::of(place, None).offsets().into_iter().map(|o| (*ty, o)));
                }
            }
            _ => {}
        };
        observed.iter().for_each(|e| e.walk(&mut read));
        for (_, process_type) in model.system_types() {
            process_type.walk(&mut read);
            for action in &process_type.actions {
                action.kind.places(&mut |place| {
                    let region = Region::of(place, None);
                    if region.owner == Owner::Global {
                        globals.extend(region.offsets());
                    }
                });
            }
        }
        globals.retain(|&offset| !contains(faint, offset));
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

    /// The bit of a global value; none if it is constant or faint.
    pub fn global(&self, offset: u32) -> Option<u32> {
        self.globals.get(&offset).map(|i| i % self.fold)
    }

    /// Read by every step, and written by one that depends on the locations of all processes.
    pub fn moved(&self) -> u32 {
        self.exclusive_words as u32 * 64
    }

    /// The number of processes.
    pub fn count(&self) -> u32 {
        self.moved() + 1
    }

    /// The processes at a location; none if no expression reads it.
    pub fn location(&self, location: LocationId) -> Option<u32> {
        self.locations.get(&location).copied()
    }

    /// A local variable that other processes or the property read.
    pub fn remote(&self, ty: ProcessTypeId, offset: u32) -> Option<u32> {
        self.remote.get(&(ty, offset)).copied()
    }

    /// The head of a channel.
    pub fn head(&self, channel: ChannelRef) -> u32 {
        self.first_channel + 2 * channel.number
    }

    /// The tail of a channel.
    pub fn tail(&self, channel: ChannelRef) -> u32 {
        self.head(channel) + 1
    }

    /// The senders of a rendezvous.
    pub fn sends(&self, channel: ChannelRef) -> u32 {
        self.first_rendezvous + 2 * channel.number
    }

    /// The receivers of a rendezvous.
    pub fn receives(&self, channel: ChannelRef) -> u32 {
        self.sends(channel) + 1
    }

    /// The channels that a value of a channel variable may denote; without a value, all.
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

    /// The channels that processes create.
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
    if model.process_types().any(|(ty, _)| has_own_channels(model, ty)) {
        for _ in 0..OWN_CHANNELS {
            found.push(ChannelRef { number: found.len() as u32, buffered: true, rendezvous: true });
        }
    }
    found
}
