//! What a process can see and change from where it stands.
//!
//! What a process does next depends on its own frame and on what its statements name: global values and channels. Two
//! states in which these are the same offer it the same moves with the same effects, whatever else differs. A move and
//! the atomic chain that it begins count as one. Moves of a `timeout` are not among them: those are for states where nobody
//! has another.

use std::collections::{BTreeSet, HashSet};

use crate::analysis::{Access, ChannelUse, Owner, Region, constant_globals};
use crate::expr::{Expr, Place};
use crate::model::{ActionKind, LocationId, Model, ProcessRole, ProcessType, ProcessTypeId};

/// What a process at a location can see and change beside its own frame.
#[derive(Clone, Debug, Default)]
pub struct Footprint<'m> {
    /// Global values.
    pub globals: Vec<Region>,
    /// Global values by places whose indices may be evaluated in the state at hand.
    pub indexed: Vec<&'m Place>,
    /// Channels, by expressions that may be evaluated in the state at hand.
    pub channels: Vec<(&'m Expr, ChannelUse)>,
}

impl<'m> Footprint<'m> {
    /// The footprint of a process; none when what it does depends on more: on other processes, on who moved last, on
    /// priorities, on channels that are not known before. How many processes there are may matter as well. `constant` are
    /// the [`constant_globals`](super::constant_globals).
    pub fn of(
        model: &'m Model,
        constant: &HashSet<u32>,
        (pid, ty, location): (u16, ProcessTypeId, LocationId),
    ) -> Option<Self> {
        let process_type = model.process_type(ty);
        if process_type.deterministic || model.uses_last || model.uses_priorities || model.event_trace.is_some() {
            return None;
        }
        let mut finding = Finding::new(process_type, Some(pid), constant, location);
        if let Some(provided) = &process_type.provided {
            finding.add(Access::of_test(provided, Some(pid)), false)?;
        }
        for (kind, first) in chain(process_type, location) {
            finding.add(Access::of_kind(kind, Some(pid)), first)?;
        }
        Some(finding.found)
    }
}

/// The statements that a process may execute in one go from a location on; with each, whether nothing has happened yet where
/// the last of what it needs is found.
fn chain(process_type: &ProcessType, location: LocationId) -> Vec<(&ActionKind, bool)> {
    let mut statements = Vec::new();
    let mut seen = HashSet::from([location]);
    let mut work = vec![location];
    while let Some(at) = work.pop() {
        for branch in &process_type.location(at).branches {
            let kind = &process_type.action(branch.action).kind;
            // Whether a process may die is up to how many there are, which is the same in states that are cut alike.
            if !matches!(kind, ActionKind::End) {
                statements.push((kind, at == location && !stores_on_the_way(kind)));
            }
            if branch.atomic && seen.insert(branch.target) {
                work.push(branch.target);
            }
        }
    }
    statements
}

/// Does a statement store to something before it finds out where else it stores? What is received in one field may be the
/// index of where another goes.
fn stores_on_the_way(kind: &ActionKind) -> bool {
    matches!(kind, ActionKind::DStep(_) | ActionKind::Receive { .. })
}

/// Elements of an array that are cut apart even though somebody sees all of it.
const FEW: u32 = 6;

/// Where the globals may be cut into pieces so that processes see few of them: between values that are not used at the
/// same locations, and at the elements of arrays, if all indices can be evaluated in the state at hand by every process that
/// uses them, or if there are few. `apart` are the types of processes whose locals cannot be. No more than `most`
/// pieces are made.
pub fn separate_globals(model: &Model, apart: impl Fn(&ProcessType) -> bool, most: usize) -> Vec<u32> {
    let constant = constant_globals(model);
    let (mut good, mut bad) = (BTreeSet::new(), BTreeSet::new());
    for process_type in model.process_types.iter().filter(|p| p.role == ProcessRole::System) {
        let apart = apart(process_type);
        for location in (0..process_type.locations.len()).map(|l| LocationId(l as u16)) {
            let finding = Finding::new(process_type, None, &constant, location);
            for (kind, first) in chain(process_type, location) {
                for place in Access::of_kind(kind, None).indexed {
                    let known = !apart && finding.is_known(place, first);
                    if known { &mut good } else { &mut bad }.insert(Region::of(place, None));
                }
            }
        }
        let provided = process_type.provided.iter().flat_map(|e| Access::of_test(e, None).indexed);
        bad.extend(provided.map(|place| Region::of(place, None)));
    }
    let mut cuts = BTreeSet::new();
    for region in elements(good) {
        let few = region.spread.iter().map(|(count, _)| count).product::<u32>() <= FEW;
        if !few && bad.iter().any(|bad| bad.overlaps(&region)) {
            continue;
        }
        let mut these = cuts.clone();
        region.offsets(&mut |offset| these.extend([offset, offset + region.size]));
        if these.len() < most {
            cuts = these;
        }
    }
    let room = most.saturating_sub(cuts.len() + 1);
    cuts.extend(ends_of_values(model).into_iter().take(room));
    cuts.into_iter().filter(|&cut| 0 < cut && cut < model.globals_size).collect()
}

/// The ends of single values beside values that are used elsewhere: what is used at the same locations stays together.
fn ends_of_values(model: &Model) -> BTreeSet<u32> {
    let mut users = vec![BTreeSet::new(); model.globals_size as usize + 1];
    let mut ends = BTreeSet::new();
    for (number, process_type) in model.process_types.iter().enumerate() {
        if process_type.role != ProcessRole::System {
            continue;
        }
        for location in (0..process_type.locations.len()).map(|l| LocationId(l as u16)) {
            for (kind, _) in chain(process_type, location) {
                let access = Access::of_kind(kind, None);
                let regions = access.reads().chain(&access.writes);
                for region in regions.filter(|r| r.owner == Owner::Global && r.is_single()) {
                    ends.extend([region.offset, region.end()]);
                    for byte in region.offset..region.end() {
                        users[byte as usize].insert((number, location));
                    }
                }
            }
        }
    }
    ends.retain(|&end| end > 0 && users[end as usize - 1] != users[end as usize]);
    ends
}

/// The elements that values are fields of: who sees one field of an element mostly sees others.
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

struct Finding<'a, 'm> {
    /// The process, where it is one for all.
    pid: Option<u16>,
    constant: &'a HashSet<u32>,
    /// What may be stored to on the way.
    written: Vec<Region>,
    found: Footprint<'m>,
}

impl<'a, 'm> Finding<'a, 'm> {
    fn new(process_type: &ProcessType, pid: Option<u16>, constant: &'a HashSet<u32>, location: LocationId) -> Self {
        let written = chain(process_type, location).into_iter().flat_map(|(kind, _)| Access::of_kind(kind, pid).writes);
        Finding { pid, constant, written: written.collect(), found: Footprint::default() }
    }

    /// Adds what a statement touches; `first` when nothing has happened yet where the last of it is found.
    fn add(&mut self, access: Access<'m>, first: bool) -> Option<()> {
        if access.global_state || !access.locations.is_empty() || !access.creates.is_empty() {
            return None;
        }
        for region in access.reads().chain(&access.writes) {
            match region.owner {
                Owner::Global if region.is_single() => self.found.globals.push(region.clone()),
                // These are told of once more, as places.
                Owner::Global | Owner::Own => {}
                Owner::Process(..) => return None,
            }
        }
        for place in access.indexed {
            match self.is_known(place, first) {
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

    /// Can all indices of a place be evaluated in the state at hand?
    fn is_known(&self, place: &Place, first: bool) -> bool {
        place.indices.iter().all(|index| self.has_known_value(&index.expr, first))
    }

    /// Is the value of an expression the same as in the state at hand, where a statement is executed later on?
    fn has_known_value(&self, expr: &Expr, first: bool) -> bool {
        let access = Access::of_test(expr, self.pid);
        let known = |region: &Region| match region.owner {
            Owner::Global => self.is_constant(region),
            Owner::Own => first || !self.written.iter().any(|w| w.overlaps(region)),
            Owner::Process(..) => false,
        };
        access.channels.is_empty()
            && access.locations.is_empty()
            && !access.sees_processes()
            && access.reads().all(known)
    }

    fn is_constant(&self, region: &Region) -> bool {
        let mut constant = true;
        region.offsets(&mut |offset| constant &= self.constant.contains(&offset));
        constant
    }
}
