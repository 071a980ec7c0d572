//! What processes did before: a process that finds itself and its surroundings as it did once does the same again.
//!
//! In a store, nodes are rows of numbers, one for each process, channel and piece of the globals. What a process can do
//! depends on a few of those (`lurcher_ir::analysis::Footprint`), and what it does changes a few of those. So its moves
//! are learnt once for each combination that is met, as changes of numbers, and nodes that are met later are expanded
//! without running the model, copying a state or hashing a byte. Whoever cannot be described in this way, and whoever
//! seldom meets the same again, is asked every time.

mod table;

use std::collections::{HashMap, HashSet};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use lurcher_ir::analysis::{ChannelUse, Footprint, Receivers, Region, constant_globals, partition_globals};
use lurcher_ir::{Expr, LocationId, Model, Place, ProcessType, ProcessTypeId};
use lurcher_system::{ChannelId, Interpreter, Layout, ProcessId, State};

use crate::store::{Change, LONG, Shape};

pub(crate) use table::{Entry, Going, Moves};
use table::{Key, Table};

/// The most parts that a process may depend on beside its own.
const AROUND: usize = 24;
/// The most shapes that are got to know, so that a name has room for their numbers. Models whose processes come and go in
/// any order have many, each met seldom.
const SHAPES: usize = 256;
/// The most values of a process's part that are told apart.
const STANDS: usize = 1 << 16;
/// After so many failures to remember, it is asked whether remembering pays.
const PATIENCE: u32 = 4096;

/// What processes did before.
#[derive(Debug)]
pub(crate) struct Recall {
    constant: HashSet<u32>,
    shapes: Vec<Sites>,
    /// The shape of the node at hand.
    shape: usize,
    table: Table,
    /// Who may answer on which rendezvous channel, as far as that was needed; none where nobody can tell.
    listeners: HashMap<ChannelId, Option<Receivers>>,
    /// What is being learnt: moves, each with the number of parts that it changes and how it goes; and those parts.
    moves: Vec<(usize, Going)>,
    changes: Vec<Change>,
    /// Nodes looked at.
    nodes: u64,
}

/// The processes of nodes of one shape.
#[derive(Debug)]
struct Sites {
    shape: Arc<Shape>,
    /// The youngest first; then all once more, for nodes where they hold exclusive control.
    sites: Vec<Site>,
    /// By the number of the last part: who holds exclusive control, if anybody does.
    holders: Vec<Option<Option<ProcessId>>>,
}

/// A process in nodes of one shape.
#[derive(Debug)]
struct Site {
    process: ProcessId,
    /// It holds exclusive control.
    holds: bool,
    /// The parts that it is.
    own: Range<u32>,
    /// By the number of the first.
    stands: Vec<Stand>,
    /// What it can see, by its location, as far as that was needed.
    sights: HashMap<LocationId, Option<Sight>>,
    misses: u32,
    /// How many nodes had been looked at when the first of them was counted.
    since: u64,
    /// It seldom meets the same again.
    fickle: bool,
}

/// What is known of a process as it stands somewhere.
#[derive(Clone, Debug)]
enum Stand {
    New,
    /// It has to be asked.
    Apart,
    /// What it does depends on these parts beside its first one; and all of them as a set.
    Among(Box<[u32]>, PartSet),
}

/// Some parts, a bit for each; those beyond the last bit begin again with the first.
pub(crate) type PartSet = u64;

/// A set of one part.
#[inline]
pub(crate) fn part_set(part: u32) -> PartSet {
    1 << (part % PartSet::BITS)
}

/// What a process can see from a location: parts of the globals, elements of arrays, and channels.
#[derive(Debug)]
struct Sight {
    parts: Vec<u32>,
    indexed: Vec<Place>,
    channels: Vec<(Expr, ChannelUse)>,
}

/// Bytes that may stand behind the last process.
const HOLDER: usize = 2;
/// The most pieces that globals are cut into: each makes every node a little longer.
const PIECES: usize = 40;

/// Where the globals are best cut, so that processes see few parts of them.
pub(crate) fn cuts(model: &Model, layout: &Layout) -> Vec<u32> {
    // What an index is has to be in the part that decides where a process stands.
    let apart = |process: &ProcessType| layout.process_header() + process.frame_size as usize + HOLDER > LONG;
    partition_globals(model, apart, PIECES)
}

impl Recall {
    pub fn new(model: &Model) -> Self {
        Recall {
            constant: constant_globals(model),
            shapes: Vec::new(),
            shape: 0,
            table: Table::new(),
            listeners: HashMap::new(),
            moves: Vec::new(),
            changes: Vec::new(),
            nodes: 0,
        }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.table.memory()
    }

    /// Turns to a node of this shape. False when no node of it was met before.
    #[inline]
    pub fn turn_to(&mut self, shape: &Arc<Shape>) -> bool {
        self.nodes += 1;
        if self.shapes.get(self.shape).is_some_and(|s| Arc::ptr_eq(&s.shape, shape)) {
            return true;
        }
        let found = self.shapes.iter().position(|s| Arc::ptr_eq(&s.shape, shape));
        self.shape = found.unwrap_or(self.shape);
        found.is_some()
    }

    /// Gets to know a shape, by a state of a node that has it. False when there are too many.
    pub fn meet(&mut self, shape: &Arc<Shape>, state: &State) -> bool {
        if self.shapes.len() == SHAPES {
            return false;
        }
        let site = |(process, holds): (u16, bool)| Site {
            process: ProcessId(process),
            holds,
            own: frame(shape, state, state.process_offsets()[process as usize]),
            stands: Vec::new(),
            sights: HashMap::new(),
            misses: 0,
            since: self.nodes,
            fickle: false,
        };
        let processes = (0..state.process_count()).rev();
        let sites = [false, true].into_iter().flat_map(|holds| processes.clone().map(move |p| (p, holds)));
        let sites = sites.map(site).collect();
        self.shape = self.shapes.len();
        self.shapes.push(Sites { shape: shape.clone(), sites, holders: Vec::new() });
        true
    }

    /// Who holds exclusive control in a node of these numbers, if anybody does? None when that is not known yet.
    #[inline]
    pub fn holder(&self, numbers: &[u32]) -> Option<Option<ProcessId>> {
        let last = *numbers.last()? as usize;
        self.shapes[self.shape].holders.get(last).copied().flatten()
    }

    /// Notes who does.
    pub fn note_holder(&mut self, numbers: &[u32], holder: Option<ProcessId>) {
        let Some(&last) = numbers.last() else { return };
        let known = &mut self.shapes[self.shape].holders;
        known.resize(known.len().max(last as usize + 1), None);
        known[last as usize] = Some(holder);
    }

    /// Number of processes.
    pub fn count(&self) -> usize {
        self.shapes[self.shape].sites.len() / 2
    }

    /// The process of a number, counted from the youngest.
    pub fn process(&self, number: usize) -> ProcessId {
        self.shapes[self.shape].sites[number].process
    }

    /// The number of a process where nobody holds exclusive control.
    pub fn number(&self, process: ProcessId) -> usize {
        self.count() - 1 - process.0 as usize
    }

    /// The number of a process where it holds exclusive control.
    pub fn number_of_holder(&self, process: ProcessId) -> usize {
        self.number(process) + self.count()
    }

    /// The moves of a process in a node of these numbers; none when it has to be asked.
    #[inline]
    pub fn look(&self, number: usize, numbers: &[u32]) -> Option<Moves<'_>> {
        self.find(number, numbers).map(|(entry, _)| self.moves(entry))
    }

    /// Where those moves are, and the parts that decide what the process does.
    #[inline]
    pub fn find(&self, number: usize, numbers: &[u32]) -> Option<(Entry, PartSet)> {
        let site = &self.shapes[self.shape].sites[number];
        let own = numbers[site.own.start as usize];
        let Some(Stand::Among(around, parts)) = site.stands.get(own as usize) else { return None };
        let entry = self.table.find(Key { site: self.name(number), own, around, numbers })?;
        Some((entry, *parts))
    }

    /// The moves that are there.
    #[inline]
    pub fn moves(&self, entry: Entry) -> Moves<'_> {
        self.table.moves(entry)
    }

    /// What was told when they were learnt, and how many they are.
    #[inline]
    pub fn head(&self, entry: Entry) -> ([u32; 2], u32) {
        self.table.head(entry)
    }

    /// May asking the process be of use another time?
    pub fn is_open(&self, number: usize, numbers: &[u32]) -> bool {
        let site = &self.shapes[self.shape].sites[number];
        let own = numbers[site.own.start as usize] as usize;
        !site.fickle && own < STANDS && !matches!(site.stands.get(own), Some(Stand::Apart))
    }

    /// How often all was forgotten.
    pub fn forgotten(&self) -> u32 {
        self.table.forgotten()
    }

    /// Counts a node that was looked at without turning to it.
    pub fn count_node(&mut self) {
        self.nodes += 1;
    }

    /// Names a process in keys.
    #[inline]
    fn name(&self, number: usize) -> u32 {
        (self.shape << 16 | number) as u32
    }

    /// Begins to learn what a process does that has to be asked.
    pub fn begin(&mut self) {
        self.moves.clear();
        self.changes.clear();
    }

    /// A move of it changes these parts, which had those hashes.
    pub fn add(&mut self, changes: &[Change], hashes: &[u64], going: Going) {
        self.moves.push((changes.len(), going));
        let added = |c: &Change| Change { hash: c.hash.wrapping_sub(hashes[c.part as usize]), ..*c };
        self.changes.extend(changes.iter().map(added));
    }

    /// Learns all that the process does, with two words to be told again; `alike` when every move leads to nodes of the
    /// same shape.
    pub fn learn(
        &mut self,
        number: usize,
        (interpreter, state): (&Interpreter<'_>, &State),
        numbers: &[u32],
        alike: bool,
        told: [u32; 2],
    ) {
        let name = self.name(number);
        let Sites { shape, sites, .. } = &mut self.shapes[self.shape];
        let site = &mut sites[number];
        let own = numbers[site.own.start as usize] as usize;
        site.misses += 1;
        if site.misses >= PATIENCE {
            site.fickle = u64::from(site.misses) * 2 > self.nodes - site.since;
            (site.misses, site.since) = (0, self.nodes);
        }
        if site.fickle {
            return site.stands.clear();
        }
        if own >= STANDS {
            return;
        }
        if site.stands.len() <= own {
            site.stands.resize(own + 1, Stand::New);
        }
        if matches!(site.stands[own], Stand::New) {
            site.stands[own] = match site.look_around(&self.constant, &mut self.listeners, shape, interpreter, state) {
                Some(around) if alike => Stand::among(&site.own, around),
                _ => Stand::Apart,
            };
        }
        let Stand::Among(around, _) = &site.stands[own] else { return };
        let stray = |c: &&Change| !site.own.contains(&c.part) && !around.contains(&c.part);
        let last = shape.parts.len() as u32 - 1;
        if !alike || self.changes.iter().filter(stray).any(|c| c.part != last) {
            site.stands[own] = Stand::Apart;
        } else if self.changes.iter().any(|c| stray(&c)) {
            // A process begins to hold exclusive control, or another loses it.
            site.stands[own] = Stand::among(&site.own, around.iter().copied().chain([last]).collect());
        } else {
            let key = Key { site: name, own: own as u32, around, numbers };
            self.table.suit(self.nodes);
            self.table.learn(key, told, &self.moves, &self.changes);
        }
    }
}

impl Stand {
    /// What the process does depends on its own parts and these.
    fn among(own: &Range<u32>, around: Vec<u32>) -> Stand {
        let parts = own.clone().chain(around.iter().copied()).fold(0, |set, p| set | part_set(p));
        Stand::Among(around.into(), parts)
    }
}

impl Site {
    /// The parts that the process depends on where it stands now, beside its first one.
    fn look_around(
        &mut self,
        constant: &HashSet<u32>,
        listeners: &mut HashMap<ChannelId, Option<Receivers>>,
        shape: &Shape,
        interpreter: &Interpreter<'_>,
        state: &State,
    ) -> Option<Vec<u32>> {
        let (model, layout) = (interpreter.model(), interpreter.layout());
        let id = self.process;
        let who = (id.0, state.process_type(id), state.location(id));
        let see = || Sight::new(Footprint::of(model, constant, who)?, shape, layout);
        let sight = self.sights.entry(who.2).or_insert_with(see).as_ref()?;
        let mut around: Vec<u32> = self.own.clone().skip(1).chain(sight.parts.iter().copied()).collect();
        // What names a channel or an element has to be in the part that decides where the process stands.
        let alone = self.own.len() == 1;
        if !sight.channels.is_empty() && !alone {
            return None;
        }
        for place in &sight.indexed {
            let (start, region) = (layout.globals_at(), Region::of(place, Some(id.0)));
            let found = interpreter.place(state, id, place).filter(|_| alone);
            let whole = start + region.offset as usize..start + region.end() as usize;
            let bytes = found.map_or(whole, |at| at..at + region.size as usize);
            around.extend(shape.part_of[bytes.start]..=shape.part_of[bytes.end - 1]);
        }
        for (channel, used) in &sight.channels {
            let value = interpreter.value(state, Some(id), false, channel).ok()?;
            let channel = ChannelId(u16::try_from(value).ok()?.checked_sub(1)?);
            let start = *state.channel_offsets().get(channel.0 as usize)?;
            around.extend(frame(shape, state, start));
            let rendezvous = model.channel_type(state.channel_type(channel)).capacity == 0;
            match used {
                ChannelUse::Look if rendezvous => return None,
                ChannelUse::Send if rendezvous => {
                    let listen = || Receivers::of(model, constant, channel.0);
                    let listeners = listeners.entry(channel).or_insert_with(listen).as_ref()?;
                    around.extend(listeners.globals.iter().flat_map(|r| pieces(shape, layout, r)));
                    around.extend(ears(listeners, shape, model, state).filter(|p| !self.own.contains(p)));
                }
                _ => {}
            }
        }
        // Who holds exclusive control stands in the last part.
        around.extend(self.holds.then(|| shape.parts.len() as u32 - 1));
        around.sort_unstable();
        around.dedup();
        around.retain(|&p| p != self.own.start);
        (around.len() <= AROUND).then_some(around)
    }
}

impl Sight {
    fn new(surroundings: Footprint<'_>, shape: &Shape, layout: &Layout) -> Option<Sight> {
        let mut parts = Vec::new();
        for region in &surroundings.globals {
            parts.extend(pieces(shape, layout, region));
        }
        parts.sort_unstable();
        parts.dedup();
        let indexed = surroundings.indexed.into_iter().cloned().collect();
        let channels = surroundings.channels.into_iter().map(|(e, used)| (e.clone(), used)).collect();
        Some(Sight { parts, indexed, channels })
    }
}

/// The parts of some globals.
fn pieces(shape: &Shape, layout: &Layout, region: &Region) -> RangeInclusive<u32> {
    let at = |offset: u32| shape.part_of[layout.globals_at() + offset as usize];
    at(region.offset)..=at(region.end() - 1)
}

/// The parts of all processes that may be listeners: in nodes of this shape, there is one as large in their places.
fn ears(listeners: &Receivers, shape: &Shape, model: &Model, state: &State) -> impl Iterator<Item = u32> {
    let size = |ty: ProcessTypeId| model.process_type(ty).frame_size;
    let may_be = move |p: &u16| {
        let size_here = size(state.process_type(ProcessId(*p)));
        listeners.types.iter().any(|&ty| size(ty) == size_here)
    };
    let parts = |p: u16| frame(shape, state, state.process_offsets()[p as usize]);
    (0..state.process_count()).filter(may_be).flat_map(parts)
}

/// The parts of the process or channel that begins here.
fn frame(shape: &Shape, state: &State, start: u32) -> Range<u32> {
    let frames = state.process_offsets().iter().chain(state.channel_offsets());
    let end = frames.filter(|&&f| f > start).min().map_or(state.bytes().len(), |&f| f as usize);
    shape.part_of[start as usize]..shape.part_of[end - 1] + 1
}
