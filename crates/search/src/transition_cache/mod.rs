//! A cache of the transitions of processes.
//!
//! In a store, a node is a row of part numbers: one for each process, each channel and each piece of the globals. The moves of
//! a process depend on few parts (`lurcher_ir::analysis::Footprint`) and change few. So the cache keeps them for each
//! combination of part numbers that occurs, as changes of part numbers, and a node is expanded without running the model,
//! copying a state or hashing a byte. Processes with an unbounded footprint or a low hit rate bypass the cache.

mod table;

use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use lurcher_ir::analysis::{ChannelUse, Footprint, OffsetSet, Receivers, Region, constant_globals, partition_globals};
use lurcher_ir::{Expr, LocationId, Model, Place, ProcessType, ProcessTypeId};
use lurcher_system::{ChannelId, Interpreter, Layout, ProcessId, State};

use crate::store::{DecodedState, MAX_PART, PartChange, RowLayout};

use table::MAX_CHANGES;
pub(crate) use table::{EdgeMetadata, Entry, Key, Table};

/// The most parts that a process may depend on, beside its own.
const MAX_DEPENDENCIES: usize = 24;
/// The most layouts in the cache; keys have room for their numbers. Models that create processes in any order have many
/// layouts, each of which occurs seldom.
const MAX_LAYOUTS: usize = 256;
/// The most values of a process's part that are told apart.
const MAX_LOCAL_STATES: usize = 1 << 16;
/// Misses of a process between hit-rate checks.
const MISSES_PER_CHECK: u32 = 4096;

/// The transitions of processes.
#[derive(Debug)]
pub(crate) struct TransitionCache {
    constant: OffsetSet,
    /// The last part of nodes is no part of the state, and moves are cached without it.
    pub has_tail: bool,
    layouts: Vec<LayoutEntry>,
    /// The layout of the current node.
    current: usize,
    pub table: Table,
    /// The possible receivers on each rendezvous channel that was needed; none if they are unknown.
    receivers: HashMap<ChannelId, Option<Receivers>>,
    /// The moves that are being added, each with the number of parts that it changes; and these changes.
    moves: Vec<(usize, EdgeMetadata)>,
    changes: Vec<PartChange>,
    /// Nodes expanded.
    nodes: u64,
}

/// The processes of nodes of one layout.
#[derive(Debug)]
struct LayoutEntry {
    layout: Arc<RowLayout>,
    /// The youngest process first; then all processes again, as holders of exclusive control.
    processes: Vec<ProcessEntry>,
    /// By the number of the last part: the holder of exclusive control, if known.
    holders: Vec<Option<Option<ProcessId>>>,
}

/// A process of nodes of one layout.
#[derive(Debug)]
struct ProcessEntry {
    process: ProcessId,
    holds: bool,
    /// Its own parts.
    own: Range<u32>,
    /// By the number of the first of these: the parts that its moves depend on.
    dependencies: Vec<Dependencies>,
    /// By type and location: its footprint, if it was needed and is bounded. A process of another type may get its number and
    /// its place.
    footprints: FxHashMap<(ProcessTypeId, LocationId), Option<PartFootprint>>,
    misses: u32,
    /// Nodes expanded before the first of these misses.
    since: u64,
    /// The hit rate is low.
    disabled: bool,
}

/// The parts that the moves of a process depend on in one local state.
#[derive(Clone, Debug)]
enum Dependencies {
    Unknown,
    Uncacheable,
    /// Its first part and these; and the set of all of them.
    Parts(Arc<[u32]>, PartSet),
}

/// A set of parts. Parts beyond the last bit share the bits of the first ones.
pub(crate) type PartSet = u64;

/// The set of one part.
#[inline]
pub(crate) fn part_set(part: u32) -> PartSet {
    1 << (part % PartSet::BITS)
}

/// The footprint of a process at a location: parts of the globals, elements of arrays, and channels.
#[derive(Debug)]
struct PartFootprint {
    parts: Vec<u32>,
    indexed: Vec<Place>,
    channels: Vec<(Expr, ChannelUse)>,
}

/// Bytes of the holder of exclusive control, behind the last process.
const HOLDER_BYTES: usize = 2;
/// The most pieces of the globals. Every piece makes rows longer.
const MAX_PIECES: usize = 40;

/// Where to split the globals, so that the footprints of processes are small.
pub(crate) fn global_splits(model: &Model, layout: &Layout) -> Vec<u32> {
    // The frame of a process must be one part, because its indices decide about dependencies.
    let is_split =
        |process: &ProcessType| layout.process_header() + process.frame_size as usize + HOLDER_BYTES > MAX_PART;
    partition_globals(model, is_split, MAX_PIECES)
}

impl TransitionCache {
    /// An empty cache. With `has_tail`, the last part of a node holds what is behind the state.
    pub fn new(model: &Model, has_tail: bool) -> Self {
        TransitionCache {
            constant: constant_globals(model),
            has_tail,
            layouts: Vec::new(),
            current: 0,
            table: Table::new(),
            receivers: HashMap::new(),
            moves: Vec::new(),
            changes: Vec::new(),
            nodes: 0,
        }
    }

    /// Starts a node of this layout. False if the layout is not known.
    #[inline]
    pub fn start_node(&mut self, layout: &Arc<RowLayout>) -> bool {
        self.nodes += 1;
        if self.layouts.get(self.current).is_some_and(|l| Arc::ptr_eq(&l.layout, layout)) {
            return true;
        }
        let found = self.layouts.iter().position(|l| Arc::ptr_eq(&l.layout, layout));
        self.current = found.unwrap_or(self.current);
        found.is_some()
    }

    /// Counts a node of the current layout.
    pub fn count_node(&mut self) {
        self.nodes += 1;
    }

    /// Adds the layout of a node with this state. False if there are too many.
    pub fn add_layout(&mut self, layout: &Arc<RowLayout>, state: &State) -> bool {
        if self.layouts.len() == MAX_LAYOUTS {
            return false;
        }
        let entry = |(process, holds): (u16, bool)| ProcessEntry {
            process: ProcessId(process),
            holds,
            own: parts_of_frame(layout, state, state.process_offsets()[process as usize]),
            dependencies: Vec::new(),
            footprints: FxHashMap::default(),
            misses: 0,
            since: self.nodes,
            disabled: false,
        };
        let youngest_first = (0..state.process_count()).rev();
        let entries = [false, true].into_iter().flat_map(|holds| youngest_first.clone().map(move |p| (p, holds)));
        let processes = entries.map(entry).collect();
        self.current = self.layouts.len();
        self.layouts.push(LayoutEntry { layout: layout.clone(), processes, holders: Vec::new() });
        true
    }

    /// The holder of exclusive control in the node with these part numbers, if known.
    #[inline]
    pub fn holder(&self, numbers: &[u32]) -> Option<Option<ProcessId>> {
        let last = *numbers.last()? as usize;
        self.layouts[self.current].holders.get(last).copied().flatten()
    }

    /// Sets the holder of exclusive control.
    pub fn set_holder(&mut self, numbers: &[u32], holder: Option<ProcessId>) {
        let Some(&last) = numbers.last() else { return };
        let known = &mut self.layouts[self.current].holders;
        known.resize(known.len().max(last as usize + 1), None);
        known[last as usize] = Some(holder);
    }

    /// The number of the current layout.
    pub fn layout_number(&self) -> usize {
        self.current
    }

    /// The first part of the process of an entry.
    pub fn first_part(&self, entry: usize) -> usize {
        self.layouts[self.current].processes[entry].own.start as usize
    }

    /// Number of processes.
    pub fn process_count(&self) -> usize {
        self.layouts[self.current].processes.len() / 2
    }

    /// The process of an entry.
    pub fn process(&self, entry: usize) -> ProcessId {
        self.layouts[self.current].processes[entry].process
    }

    /// The entry of a process if no process holds exclusive control.
    pub fn entry(&self, process: ProcessId) -> usize {
        self.process_count() - 1 - process.0 as usize
    }

    /// The entry of a process that holds exclusive control.
    pub fn entry_of_holder(&self, process: ProcessId) -> usize {
        self.entry(process) + self.process_count()
    }

    /// The cached moves of a process in the node with these part numbers, and the parts that they depend on.
    #[inline]
    pub fn find(&self, entry: usize, numbers: &[u32]) -> Option<(Entry, PartSet)> {
        let process = &self.layouts[self.current].processes[entry];
        let own = numbers[process.own.start as usize];
        let Some(Dependencies::Parts(parts, set)) = process.dependencies.get(own as usize) else { return None };
        let found = self.table.find(Key { process: self.name(entry), own, parts, numbers })?;
        Some((found, *set))
    }

    /// Whether the moves of a process may be cached.
    pub fn is_cacheable(&self, entry: usize, numbers: &[u32]) -> bool {
        let process = &self.layouts[self.current].processes[entry];
        let own = numbers[process.own.start as usize] as usize;
        let uncacheable = matches!(process.dependencies.get(own), Some(Dependencies::Uncacheable));
        !process.disabled && own < MAX_LOCAL_STATES && !uncacheable
    }

    /// The name of a process in keys.
    #[inline]
    fn name(&self, entry: usize) -> u32 {
        (self.current << 16 | entry) as u32
    }

    /// Starts to add the moves of a process.
    pub fn start_moves(&mut self) {
        self.moves.clear();
        self.changes.clear();
    }

    /// Adds a move that leads from a node to the one that was compared with it last.
    pub fn add_move(&mut self, from: &DecodedState, edge: EdgeMetadata) {
        let hashes = from.hashes();
        let added = |c: &PartChange| PartChange { hash: c.hash.wrapping_sub(hashes[c.part as usize]), ..*c };
        let tail = if self.has_tail { hashes.len() as u32 - 1 } else { u32::MAX };
        let before = self.changes.len();
        self.changes.extend(from.changes().iter().filter(|c| c.part != tail).map(added));
        self.moves.push((self.changes.len() - before, edge));
    }

    /// Caches the added moves, which are all moves of a process, with two words of facts about them. `same_layout` says
    /// that all of them lead to nodes of the same layout.
    pub fn finish_moves(
        &mut self,
        entry: usize,
        (interpreter, state): (&Interpreter<'_>, &State),
        numbers: &[u32],
        same_layout: bool,
        facts: [u32; 2],
    ) {
        let name = self.name(entry);
        let LayoutEntry { layout, processes, .. } = &mut self.layouts[self.current];
        let process = &mut processes[entry];
        let own = numbers[process.own.start as usize] as usize;
        process.misses += 1;
        if process.misses >= MISSES_PER_CHECK {
            process.disabled = u64::from(process.misses) * 2 > self.nodes - process.since;
            (process.misses, process.since) = (0, self.nodes);
        }
        if process.disabled {
            return process.dependencies.clear();
        }
        if own >= MAX_LOCAL_STATES {
            return;
        }
        if process.dependencies.len() <= own {
            process.dependencies.resize(own + 1, Dependencies::Unknown);
        }
        if matches!(process.dependencies[own], Dependencies::Unknown) {
            // Without a tail, the last part has the holder of exclusive control.
            let holder = (process.holds && !self.has_tail).then(|| layout.parts.len() as u32 - 1);
            let (constant, receivers) = (&self.constant, &mut self.receivers);
            let parts = process.find_dependencies(constant, receivers, layout, holder, interpreter, state);
            process.dependencies[own] = match parts {
                Some(parts) if same_layout => Dependencies::new(&process.own, parts),
                _ => Dependencies::Uncacheable,
            };
        }
        let Dependencies::Parts(parts, _) = &process.dependencies[own] else { return };
        let outside = |c: &&PartChange| !process.own.contains(&c.part) && !parts.contains(&c.part);
        let last = layout.parts.len() as u32 - 1;
        let wide = self.moves.iter().any(|(changes, _)| *changes > MAX_CHANGES);
        if !same_layout || wide || self.changes.iter().filter(outside).any(|c| c.part != last) {
            process.dependencies[own] = Dependencies::Uncacheable;
        } else if self.changes.iter().any(|c| outside(&c)) {
            // The holder of exclusive control, in the last part, changes.
            let parts = parts.iter().copied().chain([last]).collect();
            process.dependencies[own] = Dependencies::new(&process.own, parts);
        } else {
            let key = Key { process: name, own: own as u32, parts, numbers };
            self.table.adapt_size(self.nodes);
            self.table.insert(key, facts, &self.moves, &self.changes);
        }
    }
}

impl Dependencies {
    /// A process with its own parts depends on these parts, too.
    fn new(own: &Range<u32>, parts: Vec<u32>) -> Dependencies {
        let set = own.clone().chain(parts.iter().copied()).fold(0, |set, p| set | part_set(p));
        Dependencies::Parts(parts.into(), set)
    }
}

impl ProcessEntry {
    /// The parts that the moves of the process depend on in a state, beside its first one. `holder` is the part with the
    /// holder of exclusive control, if it matters.
    fn find_dependencies(
        &mut self,
        constant: &OffsetSet,
        receivers: &mut HashMap<ChannelId, Option<Receivers>>,
        row: &RowLayout,
        holder: Option<u32>,
        interpreter: &Interpreter<'_>,
        state: &State,
    ) -> Option<Vec<u32>> {
        let (model, layout) = (interpreter.model(), interpreter.layout());
        let id = self.process;
        let (ty, location) = (state.process_type(id), state.location(id));
        let footprint_of = || Footprint::of(model, constant, (id.0, ty, location));
        let footprint = || Some(PartFootprint::new(footprint_of()?, row, layout));
        let footprint = self.footprints.entry((ty, location)).or_insert_with(footprint).as_ref()?;
        let mut parts: Vec<u32> = self.own.clone().skip(1).chain(footprint.parts.iter().copied()).collect();
        // Values that name a channel or an element must be in the part that decides about dependencies.
        let one_part = self.own.len() == 1;
        if !footprint.channels.is_empty() && !one_part {
            return None;
        }
        for place in &footprint.indexed {
            let (start, region) = (layout.globals_at(), Region::of(place, Some(id.0)));
            let element = interpreter.place(state, id, place).filter(|_| one_part);
            let whole = start + region.offset as usize..start + region.end() as usize;
            let bytes = element.map_or(whole, |at| at..at + region.size as usize);
            parts.extend(row.part_of[bytes.start]..=row.part_of[bytes.end - 1]);
        }
        for (channel, used) in &footprint.channels {
            let value = interpreter.value(state, Some(id), false, channel).ok()?;
            let channel = ChannelId(u16::try_from(value).ok()?.checked_sub(1)?);
            let start = *state.channel_offsets().get(channel.0 as usize)?;
            parts.extend(parts_of_frame(row, state, start));
            let rendezvous = model.channel_type(state.channel_type(channel)).capacity == 0;
            match used {
                ChannelUse::Look if rendezvous => return None,
                ChannelUse::Send if rendezvous => {
                    let find = || Receivers::of(model, constant, channel.0);
                    let receivers = receivers.entry(channel).or_insert_with(find).as_ref()?;
                    parts.extend(receivers.globals.iter().flat_map(|r| parts_of_globals(row, layout, r)));
                    parts.extend(parts_of_receivers(receivers, row, model, state).filter(|p| !self.own.contains(p)));
                }
                _ => {}
            }
        }
        parts.extend(holder);
        parts.sort_unstable();
        parts.dedup();
        parts.retain(|&p| p != self.own.start);
        (parts.len() <= MAX_DEPENDENCIES).then_some(parts)
    }
}

impl PartFootprint {
    fn new(footprint: Footprint<'_>, row: &RowLayout, layout: &Layout) -> PartFootprint {
        let globals = footprint.globals.iter();
        let mut parts: Vec<u32> = globals.flat_map(|region| parts_of_globals(row, layout, region)).collect();
        parts.sort_unstable();
        parts.dedup();
        let indexed = footprint.indexed.into_iter().cloned().collect();
        let channels = footprint.channels.into_iter().map(|(e, used)| (e.clone(), used)).collect();
        PartFootprint { parts, indexed, channels }
    }
}

/// The parts of a region of the globals.
pub(crate) fn parts_of_globals(row: &RowLayout, layout: &Layout, region: &Region) -> RangeInclusive<u32> {
    let at = |offset: u32| row.part_of[layout.globals_at() + offset as usize];
    at(region.offset)..=at(region.end() - 1)
}

/// The parts of all possible receivers. In another node of the same layout, a process of the same size may be in their
/// places.
fn parts_of_receivers(
    receivers: &Receivers,
    row: &RowLayout,
    model: &Model,
    state: &State,
) -> impl Iterator<Item = u32> {
    let may_receive = move |p: &u16| {
        let size = model.process_type(state.process_type(ProcessId(*p))).frame_size;
        receivers.types.iter().any(|&ty| model.process_type(ty).frame_size == size)
    };
    let parts = |p: u16| parts_of_frame(row, state, state.process_offsets()[p as usize]);
    (0..state.process_count()).filter(may_receive).flat_map(parts)
}

/// The parts of the process or channel that begins at a byte.
pub(crate) fn parts_of_frame(row: &RowLayout, state: &State, start: u32) -> Range<u32> {
    let frames = state.process_offsets().iter().chain(state.channel_offsets());
    let end = frames.filter(|&&f| f > start).min().map_or(state.bytes().len(), |&f| f as usize);
    row.part_of[start as usize]..row.part_of[end - 1] + 1
}
