//! States as flat byte vectors.
//!
//! ```text
//! ┌───────────┬──────────┬──────┬───────┬─────────┬─────────┬─────────┬───
//! │ processes │ channels │ last │ event │ globals │ frame 1 │ frame 2 │ …
//! └───────────┴──────────┴──────┴───────┴─────────┴─────────┴─────────┴───
//!  2 bytes     2 bytes    2, if  2, if             a process or a channel,
//!                         used   used              in the order of creation
//!
//! process: type (2), location (2), priority (1, if used), variables
//! channel: type with the top bit set (2), length (2), messages
//! ```
//!
//! The order of creation is part of a state, as in Spin. Only the youngest process can die, together with the channels
//! created since, so a death truncates the vector at the frame of the process.

use lurcher_ir::{ChannelTypeId, LocationId, Model, ProcessTypeId, Scalar};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The number of a process, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId(pub u16);

/// The number of a channel, from 0; channel variables store this plus one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChannelId(pub u16);

const CHANNEL_BIT: u16 = 0x8000;

/// The layout of the states of a model.
#[derive(Clone, Debug)]
pub struct Layout {
    last: Option<usize>,
    event: Option<usize>,
    globals: usize,
    /// The first byte after the globals.
    frames: usize,
    priority: bool,
    process_header: usize,
    process_sizes: Vec<usize>,
    channel_sizes: Vec<usize>,
}

const CHANNEL_HEADER: usize = 4;

impl Layout {
    /// The layout of a model's states.
    pub fn new(model: &Model) -> Self {
        let mut at = 4;
        let mut take = |wanted: bool| {
            wanted.then(|| {
                at += 2;
                at - 2
            })
        };
        let last = take(model.uses_last);
        let event = take(model.event_trace.is_some());
        let process_header = if model.uses_priorities { 5 } else { 4 };
        let channel = |c: &lurcher_ir::ChannelType| CHANNEL_HEADER + c.slots() as usize * c.message_size() as usize;
        Layout {
            last,
            event,
            globals: at,
            frames: at + model.globals_size as usize,
            priority: model.uses_priorities,
            process_header,
            process_sizes: model.process_types.iter().map(|p| process_header + p.frame_size as usize).collect(),
            channel_sizes: model.channel_types.iter().map(channel).collect(),
        }
    }

    /// The first byte of the globals.
    pub fn globals_at(&self) -> usize {
        self.globals
    }

    /// The first byte of `_last`, if it is part of the state.
    pub fn last_at(&self) -> Option<usize> {
        self.last
    }

    /// The first byte after the globals, where frames begin.
    pub fn frames_at(&self) -> usize {
        self.frames
    }

    /// The number of frames of a state.
    pub fn frame_count(&self, bytes: &[u8]) -> usize {
        let word = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        word(0) + word(2)
    }

    /// Whether the frame that begins at a byte is a channel's.
    pub fn is_channel(&self, bytes: &[u8], at: usize) -> bool {
        u16::from_le_bytes([bytes[at], bytes[at + 1]]) & CHANNEL_BIT != 0
    }

    /// The end of the frame that begins at a byte.
    pub fn frame_end(&self, bytes: &[u8], at: usize) -> usize {
        let kind = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let size = match kind & CHANNEL_BIT {
            0 => self.process_sizes[kind as usize],
            _ => self.channel_sizes[(kind & !CHANNEL_BIT) as usize],
        };
        at + size
    }

    /// The size of the header of a process frame.
    pub fn process_header(&self) -> usize {
        self.process_header
    }

    /// The size of the header of a channel frame.
    pub fn channel_header(&self) -> usize {
        CHANNEL_HEADER
    }

    /// The size of a channel frame.
    pub fn channel_size(&self, ty: ChannelTypeId) -> usize {
        self.channel_sizes[ty.0 as usize]
    }
}

/// A state of a model, with the offsets of its frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    bytes: Vec<u8>,
    processes: Vec<u32>,
    channels: Vec<u32>,
    /// The process with exclusive control, inside an atomic chain.
    pub exclusive: Option<ProcessId>,
}

impl State {
    /// The state without frames in which all globals are 0.
    pub fn empty(layout: &Layout) -> State {
        State { bytes: vec![0; layout.frames], processes: Vec::new(), channels: Vec::new(), exclusive: None }
    }

    /// The bytes that are stored and compared.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A 64-bit fingerprint of the bytes and a number, by the published algorithm XXH3, so that it does not depend on a
    /// library version.
    pub fn fingerprint(&self, seed: u64) -> u64 {
        xxh3_64_with_seed(&self.bytes, seed)
    }

    /// The bytes, for code that knows the layout.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The offset of each process frame.
    #[inline]
    pub fn process_offsets(&self) -> &[u32] {
        &self.processes
    }

    /// The offset of each channel frame.
    #[inline]
    pub fn channel_offsets(&self) -> &[u32] {
        &self.channels
    }

    /// Replaces this state by the one with these bytes.
    ///
    /// # Panics
    /// If the bytes are no state of this layout.
    #[inline]
    pub fn load(&mut self, layout: &Layout, bytes: &[u8], exclusive: Option<ProcessId>) {
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        self.processes.clear();
        self.channels.clear();
        let mut at = layout.frames;
        while at < bytes.len() {
            let frames = if self.word(at) & CHANNEL_BIT == 0 { &mut self.processes } else { &mut self.channels };
            frames.push(at as u32);
            at = layout.frame_end(bytes, at);
        }
        assert_eq!(at, bytes.len(), "a state ends inside a frame");
        self.exclusive = exclusive;
    }

    /// Copies another state, reusing allocations.
    pub fn copy_from(&mut self, other: &State) {
        self.bytes.clone_from(&other.bytes);
        self.processes.clone_from(&other.processes);
        self.channels.clone_from(&other.channels);
        self.exclusive = other.exclusive;
    }

    /// Undoes a move: copies the state before it. Copies only the bytes if no process or channel was created or destroyed.
    #[inline]
    pub fn restore(&mut self, other: &State) {
        let frames = |s: &State| (s.bytes.len(), s.processes.len(), s.channels.len());
        if frames(self) == frames(other) {
            self.bytes.copy_from_slice(&other.bytes);
            self.exclusive = other.exclusive;
        } else {
            self.copy_from(other);
        }
    }

    #[inline]
    fn word(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    fn set_word(&mut self, at: usize, value: u16) {
        self.bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }

    /// The number of processes.
    #[inline]
    pub fn process_count(&self) -> u16 {
        self.processes.len() as u16
    }

    /// The number of channels.
    #[inline]
    pub fn channel_count(&self) -> u16 {
        self.channels.len() as u16
    }

    #[inline]
    fn process_at(&self, id: ProcessId) -> usize {
        self.processes[id.0 as usize] as usize
    }

    fn channel_at(&self, id: ChannelId) -> usize {
        self.channels[id.0 as usize] as usize
    }

    /// The type of a process.
    #[inline]
    pub fn process_type(&self, id: ProcessId) -> ProcessTypeId {
        ProcessTypeId(self.word(self.process_at(id)))
    }

    /// The location of a process.
    #[inline]
    pub fn location(&self, id: ProcessId) -> LocationId {
        LocationId(self.word(self.process_at(id) + 2))
    }

    /// Sets the location of a process.
    pub fn set_location(&mut self, id: ProcessId, location: LocationId) {
        let at = self.process_at(id) + 2;
        self.set_word(at, location.0);
    }

    /// The priority of a process; 1 if priorities are not used.
    pub fn priority(&self, layout: &Layout, id: ProcessId) -> u8 {
        if layout.priority { self.bytes[self.process_at(id) + 4] } else { 1 }
    }

    /// Sets the priority of a process, if priorities are used.
    pub fn set_priority(&mut self, layout: &Layout, id: ProcessId, priority: u8) {
        if layout.priority {
            let at = self.process_at(id) + 4;
            self.bytes[at] = priority;
        }
    }

    /// The process that moved last.
    pub fn last(&self, layout: &Layout) -> u16 {
        layout.last.map_or(0, |at| self.word(at))
    }

    /// Sets the process that moved last.
    pub fn set_last(&mut self, layout: &Layout, id: ProcessId) {
        if let Some(at) = layout.last {
            self.set_word(at, id.0);
        }
    }

    /// The location of the event trace.
    pub fn event(&self, layout: &Layout) -> LocationId {
        LocationId(layout.event.map_or(0, |at| self.word(at)))
    }

    /// Sets the location of the event trace.
    pub fn set_event(&mut self, layout: &Layout, location: LocationId) {
        if let Some(at) = layout.event {
            self.set_word(at, location.0);
        }
    }

    /// Adds a process whose variables are 0.
    pub fn push_process(&mut self, layout: &Layout, ty: ProcessTypeId, at: LocationId, priority: u8) -> ProcessId {
        let id = ProcessId(self.process_count());
        let start = self.bytes.len();
        self.processes.push(start as u32);
        self.bytes.resize(start + layout.process_sizes[ty.0 as usize], 0);
        self.set_word(start, ty.0);
        self.set_word(start + 2, at.0);
        self.set_priority(layout, id, priority);
        self.set_word(0, id.0 + 1);
        id
    }

    /// Removes the youngest process and the channels created since.
    pub fn pop_process(&mut self) {
        let start = self.processes.pop().expect("a process to remove");
        self.bytes.truncate(start as usize);
        while self.channels.last().is_some_and(|&c| c > start) {
            self.channels.pop();
        }
        let (processes, channels) = (self.process_count(), self.channel_count());
        self.set_word(0, processes);
        self.set_word(2, channels);
    }

    /// Adds an empty channel.
    pub fn push_channel(&mut self, layout: &Layout, ty: ChannelTypeId) -> ChannelId {
        let id = ChannelId(self.channel_count());
        let start = self.bytes.len();
        self.channels.push(start as u32);
        self.bytes.resize(start + layout.channel_sizes[ty.0 as usize], 0);
        self.set_word(start, ty.0 | CHANNEL_BIT);
        self.set_word(2, id.0 + 1);
        id
    }

    /// The type of a channel.
    pub fn channel_type(&self, id: ChannelId) -> ChannelTypeId {
        ChannelTypeId(self.word(self.channel_at(id)) & !CHANNEL_BIT)
    }

    /// The number of messages in a channel.
    pub fn channel_len(&self, id: ChannelId) -> u16 {
        self.word(self.channel_at(id) + 2)
    }

    /// Sets the number of messages in a channel.
    pub fn set_channel_len(&mut self, id: ChannelId, len: u16) {
        let at = self.channel_at(id) + 2;
        self.set_word(at, len);
    }

    /// The first byte of the messages of a channel.
    pub fn messages_at(&self, id: ChannelId) -> usize {
        self.channel_at(id) + CHANNEL_HEADER
    }

    /// The first byte of the globals.
    pub fn globals_at(&self, layout: &Layout) -> usize {
        layout.globals
    }

    /// The first byte of the variables of a process.
    pub fn locals_at(&self, layout: &Layout, id: ProcessId) -> usize {
        self.process_at(id) + layout.process_header
    }

    /// Reads a value.
    pub fn get(&self, at: usize, scalar: Scalar) -> i32 {
        let b = &self.bytes[at..];
        match scalar {
            Scalar::Bit | Scalar::Byte | Scalar::Symbol(_) => i32::from(b[0]),
            Scalar::Short => i32::from(i16::from_le_bytes([b[0], b[1]])),
            Scalar::Channel => i32::from(u16::from_le_bytes([b[0], b[1]])),
            Scalar::Int => i32::from_le_bytes([b[0], b[1], b[2], b[3]]),
            Scalar::Unsigned(_) => match scalar.size() {
                1 => i32::from(b[0]),
                2 => i32::from(u16::from_le_bytes([b[0], b[1]])),
                _ => i32::from_le_bytes([b[0], b[1], b[2], b[3]]),
            },
        }
    }

    /// Writes a value, truncated to its type.
    pub fn set(&mut self, at: usize, scalar: Scalar, value: i32) {
        let bytes = scalar.truncate(value).to_le_bytes();
        match scalar.size() {
            1 => self.bytes[at] = bytes[0],
            2 => self.bytes[at..at + 2].copy_from_slice(&bytes[..2]),
            _ => self.bytes[at..at + 4].copy_from_slice(&bytes),
        }
    }

    /// Moves bytes inside the state.
    pub fn shift(&mut self, from: std::ops::Range<usize>, to: usize) {
        self.bytes.copy_within(from, to);
    }

    /// Sets bytes to 0.
    pub fn clear(&mut self, range: std::ops::Range<usize>) {
        self.bytes[range].fill(0);
    }
}
