//! A cache of the moves of a claim.
//!
//! They depend on the location of the claim and on what its conditions read, which is few parts of a node. They are cached for
//! each combination of these that occurs, like the moves of processes. Conditions that depend on more are evaluated each time.

use std::collections::HashMap;
use std::sync::Arc;

use lurcher_ir::analysis::{ClaimFootprint, OffsetSet, constant_globals};
use lurcher_ir::{LocationId, Model, ProcessTypeId};
use lurcher_system::{ChannelId, Interpreter, State};

use super::STUTTERED;
use crate::store::RowLayout;
use crate::transition_cache::{Key, Table, parts_of_frame, parts_of_globals};

/// The most parts that the moves of a claim may depend on.
const MAX_DEPENDENCIES: usize = 24;
/// Misses between hit-rate checks.
const MISSES_PER_CHECK: u64 = 4096;

/// The moves of a claim.
#[derive(Debug)]
pub(super) struct ClaimCache {
    claim: Option<ProcessTypeId>,
    constant: OffsetSet,
    /// By layout and location of the claim.
    dependencies: Vec<Vec<Dependencies>>,
    table: Table,
    /// The lists of targets in the table, and their numbers.
    lists: Vec<Box<[LocationId]>>,
    numbers: HashMap<Box<[LocationId]>, u32>,
    lookups: u64,
    misses: u64,
    /// The hit rate is low.
    disabled: bool,
}

/// The parts that the moves of the claim depend on.
#[derive(Clone, Debug)]
enum Dependencies {
    Unknown,
    Uncacheable,
    Parts(Box<[u32]>),
}

impl ClaimCache {
    pub fn new(model: &Model, claim: Option<ProcessTypeId>) -> Self {
        ClaimCache {
            claim,
            constant: constant_globals(model),
            dependencies: Vec::new(),
            table: Table::new(),
            lists: Vec::new(),
            numbers: HashMap::new(),
            lookups: 0,
            misses: 0,
            disabled: false,
        }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.table.memory()
    }

    /// Lists the targets of the claim's moves in a node of a layout; false if they are not cached. `own` is the location of
    /// the claim, with more bits about the node in front.
    #[inline]
    pub fn find(&mut self, layout: usize, own: u32, numbers: &[u32], targets: &mut Vec<LocationId>) -> bool {
        self.lookups += 1;
        let dependencies = self.dependencies.get(layout).and_then(|layout| layout.get(location(own)));
        let Some(Dependencies::Parts(parts)) = dependencies else { return false };
        let Some(found) = self.table.find(Key { process: layout as u32, own, parts, numbers }) else { return false };
        let ([list, _], _) = self.table.facts(found);
        targets.clear();
        targets.extend_from_slice(&self.lists[list as usize]);
        true
    }

    /// Caches the targets of the claim's moves in a node with this state. False if they depend on too much.
    pub fn insert(
        &mut self,
        (number, layout): (usize, &Arc<RowLayout>),
        own: u32,
        numbers: &[u32],
        (interpreter, state): (&Interpreter<'_>, &State),
        targets: &[LocationId],
    ) -> bool {
        self.misses += 1;
        if self.misses.is_multiple_of(MISSES_PER_CHECK) {
            self.disabled = self.misses * 2 > self.lookups;
            (self.misses, self.lookups) = (0, 0);
        }
        if self.disabled {
            self.dependencies.clear();
            return false;
        }
        let location = location(own);
        self.dependencies.resize(self.dependencies.len().max(number + 1), Vec::new());
        let known = &mut self.dependencies[number];
        known.resize(known.len().max(location + 1), Dependencies::Unknown);
        if matches!(known[location], Dependencies::Unknown) {
            let parts = self.claim.and_then(|claim| {
                let footprint = ClaimFootprint::of(interpreter.model(), claim, LocationId(location as u16))?;
                find_dependencies(&footprint, &self.constant, layout, interpreter, state)
            });
            known[location] = parts.map_or(Dependencies::Uncacheable, |p| Dependencies::Parts(p.into()));
        }
        let Dependencies::Parts(parts) = &known[location] else { return false };
        let lists = &mut self.lists;
        let list = *self.numbers.entry(targets.into()).or_insert_with(|| {
            lists.push(targets.into());
            lists.len() as u32 - 1
        });
        self.table.insert(Key { process: number as u32, own, parts, numbers }, [list, 0], &[], &[]);
        true
    }
}

/// The location of the claim.
fn location(own: u32) -> usize {
    usize::from(own as u16 & !STUTTERED)
}

/// The parts that hold a footprint in nodes of a layout; none if they are unknown.
fn find_dependencies(
    footprint: &ClaimFootprint<'_>,
    constant: &OffsetSet,
    row: &RowLayout,
    interpreter: &Interpreter<'_>,
    state: &State,
) -> Option<Vec<u32>> {
    let mut parts: Vec<u32> = Vec::new();
    for region in &footprint.globals {
        parts.extend(parts_of_globals(row, interpreter.layout(), region));
    }
    for &process in &footprint.processes {
        let start = *state.process_offsets().get(usize::from(process))?;
        parts.extend(parts_of_frame(row, state, start));
    }
    for &channel in &footprint.channels {
        if !footprint.is_constant(channel, constant) {
            return None;
        }
        let value = interpreter.value(state, None, false, channel).ok()?;
        let channel = ChannelId(u16::try_from(value).ok()?.checked_sub(1)?);
        parts.extend(parts_of_frame(row, state, *state.channel_offsets().get(channel.0 as usize)?));
    }
    parts.sort_unstable();
    parts.dedup();
    (parts.len() <= MAX_DEPENDENCIES).then_some(parts)
}
