//! Read/write footprints of processes.
//!
//! The moves of a process depend on its own frame and on the globals and channels that its statements name. In two states
//! that agree on these, it has the same moves with the same effects. A move includes the atomic chain that it starts.
//! Moves by `timeout` are excluded: they depend on all processes.

use std::collections::{BTreeSet, HashSet};

use crate::analysis::{Access, ChannelUse, OffsetSet, Owner, Region, constant_globals};
use crate::expr::{Expr, Place};
use crate::model::{LocationId, Model, ProcessType, ProcessTypeId};
use crate::statement::ActionKind;

/// What a process at a location reads and writes besides its own frame.
#[derive(Clone, Debug, Default)]
pub struct Footprint<'m> {
    /// Global values.
    pub globals: Vec<Region>,
    /// Global places whose indices have the same values throughout the move, so they can be evaluated before it.
    pub indexed: Vec<&'m Place>,
    /// Channel expressions that can be evaluated before the move.
    pub channels: Vec<(&'m Expr, ChannelUse)>,
}

impl<'m> Footprint<'m> {
    /// The footprint of a process at a location; none if it is unbounded: the process depends on other processes, on
    /// `_last`, on priorities, or on channels that are unknown before the move. It may depend on the number of processes.
    /// `constant` are the [`constant_globals`](super::constant_globals).
    pub fn of(
        model: &'m Model,
        constant: &OffsetSet,
        (pid, ty, location): (u16, ProcessTypeId, LocationId),
    ) -> Option<Self> {
        let process_type = model.process_type(ty);
        if process_type.deterministic || model.uses_last || model.uses_priorities || model.event_trace.is_some() {
            return None;
        }
        let mut collector = Collector::new(process_type, Some(pid), constant, location);
        if let Some(provided) = &process_type.provided {
            collector.add(Access::of_test(provided, Some(pid)), false)?;
        }
        for (kind, first) in atomic_chain(process_type, location) {
            collector.add(Access::of_kind(kind, Some(pid)), first)?;
        }
        Some(collector.found)
    }
}

/// The statements of the atomic chains that start at a location, each with whether it evaluates all its places before
/// anything is written.
fn atomic_chain(process_type: &ProcessType, location: LocationId) -> Vec<(&ActionKind, bool)> {
    let mut statements = Vec::new();
    let mut seen = HashSet::from([location]);
    let mut work = vec![location];
    while let Some(at) = work.pop() {
        for branch in &process_type.location(at).branches {
            let kind = &process_type.action(branch.action).kind;
            // Dying depends only on the number of processes.
            if !matches!(kind, ActionKind::End) {
                // A received field may be the index of the place of another field.
                let writes_first = matches!(kind, ActionKind::DStep(_) | ActionKind::Receive { .. });
                statements.push((kind, at == location && !writes_first));
            }
            if branch.atomic && seen.insert(branch.target) {
                work.push(branch.target);
            }
        }
    }
    statements
}

/// Arrays of up to so many elements are partitioned even if some process accesses all of them.
const SMALL_ARRAY: u64 = 6;

/// A partition of the globals, as at most `most` boundaries, such that most footprints cover few parts. Values that are
/// used at different locations are separated, and so are the elements of an array if every process can evaluate their
/// indices before a move, or if there are few. `unknown_locals` selects process types whose locals cannot be evaluated.
pub fn partition_globals(model: &Model, unknown_locals: impl Fn(&ProcessType) -> bool, most: usize) -> Vec<u32> {
    let constant = constant_globals(model);
    let (mut known, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for (_, process_type) in model.system_types() {
        let unknown_locals = unknown_locals(process_type);
        for location in process_type.location_ids() {
            let collector = Collector::new(process_type, None, &constant, location);
            for (kind, first) in atomic_chain(process_type, location) {
                for place in Access::of_kind(kind, None).indexed {
                    let evaluated = !unknown_locals && collector.has_known_indices(place, first);
                    if evaluated { &mut known } else { &mut unknown }.insert(Region::of(place, None));
                }
            }
        }
        let provided = process_type.provided.iter().flat_map(|e| Access::of_test(e, None).indexed);
        unknown.extend(provided.map(|place| Region::of(place, None)));
    }
    let mut boundaries = BTreeSet::new();
    for region in elements(known) {
        let count = region.count();
        if count >= most as u64 {
            continue;
        }
        let small = count <= SMALL_ARRAY;
        if !small && unknown.iter().any(|other| other.overlaps(&region)) {
            continue;
        }
        let mut more = boundaries.clone();
        more.extend(region.offsets().into_iter().flat_map(|offset| [offset, offset + region.size]));
        if more.len() < most {
            boundaries = more;
        }
    }
    let room = most.saturating_sub(boundaries.len() + 1);
    boundaries.extend(value_boundaries(model).into_iter().take(room));
    boundaries.into_iter().filter(|&at| 0 < at && at < model.globals_size).collect()
}

/// Boundaries between single values that are used at different locations.
fn value_boundaries(model: &Model) -> BTreeSet<u32> {
    let mut users = vec![BTreeSet::new(); model.globals_size as usize + 1];
    let mut boundaries = BTreeSet::new();
    for (ty, process_type) in model.system_types() {
        for location in process_type.location_ids() {
            for (kind, _) in atomic_chain(process_type, location) {
                let access = Access::of_kind(kind, None);
                let regions = access.reads().chain(&access.writes);
                for region in regions.filter(|r| r.owner == Owner::Global && r.is_single()) {
                    boundaries.extend([region.offset, region.end()]);
                    for byte in region.offset..region.end() {
                        users[byte as usize].insert((ty, location));
                    }
                }
            }
        }
    }
    boundaries.retain(|&at| at > 0 && users[at as usize - 1] != users[at as usize]);
    boundaries
}

/// Merges fields into the array elements that contain them: a process that accesses one field mostly accesses others.
fn elements(fields: BTreeSet<Region>) -> Vec<Region> {
    let mut fields: Vec<Region> = fields.into_iter().filter(|f| !f.is_single()).collect();
    fields.sort_by(|a, b| (&a.spread, a.offset).cmp(&(&b.spread, b.offset)));
    let mut elements: Vec<Region> = Vec::new();
    for field in fields {
        let (end, stride) = (field.offset + field.size, field.spread[field.spread.len() - 1].1);
        match elements.last_mut().filter(|e| e.spread == field.spread && end <= e.offset + stride) {
            Some(element) => element.size = element.size.max(end - element.offset),
            None => elements.push(field),
        }
    }
    elements
}

struct Collector<'a, 'm> {
    /// The number of the process, if it is known.
    pid: Option<u16>,
    constant: &'a OffsetSet,
    /// Regions that the atomic chain may write.
    written: Vec<Region>,
    found: Footprint<'m>,
}

impl<'a, 'm> Collector<'a, 'm> {
    fn new(process_type: &ProcessType, pid: Option<u16>, constant: &'a OffsetSet, location: LocationId) -> Self {
        let chain = atomic_chain(process_type, location).into_iter();
        let written = chain.flat_map(|(kind, _)| Access::of_kind(kind, pid).writes).collect();
        Collector { pid, constant, written, found: Footprint::default() }
    }

    /// Adds the access of a statement; `first` if it evaluates all its places before anything is written.
    fn add(&mut self, access: Access<'m>, first: bool) -> Option<()> {
        if access.global_state || !access.locations.is_empty() || !access.creates.is_empty() {
            return None;
        }
        for region in access.reads().chain(&access.writes) {
            match region.owner {
                Owner::Global if region.is_single() => self.found.globals.push(region.clone()),
                // Regions with unknown indices are in `indexed` as well.
                Owner::Global | Owner::Own => {}
                Owner::Process(..) => return None,
            }
        }
        for place in access.indexed {
            match self.has_known_indices(place, first) {
                true => self.found.indexed.push(place),
                false => self.found.globals.push(Region::of(place, self.pid)),
            }
        }
        for (channel, used) in access.channels {
            if !self.has_known_value(channel, first) {
                return None;
            }
            self.found.channels.push((channel, used));
        }
        Some(())
    }

    /// Whether all indices of a place can be evaluated before the move.
    fn has_known_indices(&self, place: &Place, first: bool) -> bool {
        place.indices.iter().all(|index| self.has_known_value(&index.expr, first))
    }

    /// Whether an expression has the same value before the move and when its statement is executed.
    fn has_known_value(&self, expr: &Expr, first: bool) -> bool {
        let access = Access::of_test(expr, self.pid);
        let known = |region: &Region| match region.owner {
            Owner::Global => region.offsets().iter().all(|&offset| self.constant.contains(offset)),
            Owner::Own => first || !self.written.iter().any(|w| w.overlaps(region)),
            Owner::Process(..) => false,
        };
        access.channels.is_empty()
            && access.locations.is_empty()
            && !access.sees_processes()
            && access.reads().all(known)
    }
}
