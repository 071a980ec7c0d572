//! Dependency tables of the processes of a model, and cached answers.
//!
//! A process at a location is a *control point*; a control point with its enabled branches has a signature. A model has few
//! of both, so whether a signature conflicts with what a process may do from a control point on is computed once.

use std::collections::HashMap;

use lurcher_ir::analysis::{Access, FixedLocal, Independence, Signature, Table};
use lurcher_ir::{Model, ProcessTypeId};
use lurcher_system::{Layout, ProcessId, State};

/// Processes with ids or constants beyond this share one table per type, to bound the number of tables. This must not
/// depend on the order in which processes are met.
const LARGEST: i32 = 255;

/// Conflicts are cached while there are at most this many control points.
const MAX_CACHED: usize = 4096;

/// The process of a table: its type, its id if it matters, the values of its constant locals.
type Key = (ProcessTypeId, Option<u16>, Vec<i32>);

/// A process at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ControlPoint(pub u32);

/// The enabled branches of a process, as bits.
pub(super) type EnabledBranches = u64;

/// All tables made so far.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    independence: Independence,
    tables: Vec<Table>,
    /// By table: its first control point.
    first: Vec<u32>,
    known: HashMap<Key, u32>,
    /// The last process of each id, and its table: usually the next one as well.
    recent: Vec<Option<(ProcessTypeId, Vec<i32>, u32)>>,
    /// The model creates no processes, so the initial ones keep their tables.
    static_processes: bool,
    /// By control point: its table, and the numbers of its signatures.
    points: Vec<(u32, Vec<(EnabledBranches, u32)>)>,
    signatures: Vec<CachedSignature>,
}

/// A signature and its known conflicts.
#[derive(Clone, Debug)]
struct CachedSignature {
    signature: Signature,
    /// By control point; none if unknown.
    conflicts: Vec<Option<bool>>,
}

impl Tables {
    pub fn new(model: &Model, independence: Independence) -> Self {
        let mut actions = model.process_types.iter().flat_map(|p| &p.actions);
        Tables {
            static_processes: actions.all(|a| Access::of_kind(&a.kind, None).creates.is_empty()),
            independence,
            tables: Vec::new(),
            first: Vec::new(),
            known: HashMap::new(),
            recent: Vec::new(),
            points: Vec::new(),
            signatures: Vec::new(),
        }
    }

    /// Whether a branch is invisible to the property and cuts no cycle.
    pub fn is_reducible(&self, at: ControlPoint, branch: u16) -> bool {
        let table = self.points[at.0 as usize].0 as usize;
        self.tables[table].may_be_ample((at.0 - self.first[table]) as u16, branch)
    }

    /// The same for a branch of a process in a state.
    pub fn is_reducible_in(&mut self, layout: &Layout, state: &State, id: ProcessId, branch: u16) -> bool {
        let at = self.control_point(layout, state, id);
        self.is_reducible(at, branch)
    }

    /// The control point of a process.
    pub fn control_point(&mut self, layout: &Layout, state: &State, id: ProcessId) -> ControlPoint {
        let table = self.table_of(layout, state, id);
        ControlPoint(self.first[table as usize] + u32::from(state.location(id).0))
    }

    /// The number of the signature of a control point with its enabled branches.
    pub fn signature(&mut self, at: ControlPoint, enabled: EnabledBranches) -> u32 {
        let (table, known) = &mut self.points[at.0 as usize];
        if let Some((_, number)) = known.iter().find(|(other, _)| *other == enabled) {
            return *number;
        }
        let number = self.signatures.len() as u32;
        known.push((enabled, number));
        let location = (at.0 - self.first[*table as usize]) as u16;
        let is_enabled = |branch: u16| enabled & 1u64.checked_shl(u32::from(branch)).unwrap_or(0) != 0;
        let signature = self.tables[*table as usize].signature(location, is_enabled);
        self.signatures.push(CachedSignature { signature, conflicts: Vec::new() });
        number
    }

    /// Whether a signature waits for the youngest process.
    #[inline]
    pub fn waits(&self, signature: u32) -> bool {
        self.signatures[signature as usize].signature.waits
    }

    /// The control points that a signature conflicts with, as bits.
    pub fn row(&mut self, signature: u32, points: &[ControlPoint], row: &mut [u64]) {
        let known = &self.signatures[signature as usize].conflicts;
        let mut unknown = false;
        for (bits, points) in row.iter_mut().zip(points.chunks(64)) {
            *bits = 0;
            for (i, at) in points.iter().enumerate() {
                let conflict = known.get(at.0 as usize).copied().flatten();
                *bits |= u64::from(conflict == Some(true)) << i;
                unknown |= conflict.is_none();
            }
        }
        if unknown {
            for (i, &at) in points.iter().enumerate() {
                row[i / 64] |= u64::from(self.conflicts(signature, at)) << (i % 64);
            }
        }
    }

    /// Whether a signature conflicts with what a process may do from a control point on.
    pub fn conflicts(&mut self, signature: u32, at: ControlPoint) -> bool {
        let CachedSignature { signature, conflicts } = &mut self.signatures[signature as usize];
        let index = at.0 as usize;
        if let Some(known) = conflicts.get(index).copied().flatten() {
            return known;
        }
        let table = self.points[index].0 as usize;
        let found = signature.is_dependent(&self.tables[table], (at.0 - self.first[table]) as u16);
        if self.points.len() <= MAX_CACHED {
            conflicts.resize(self.points.len(), None);
            conflicts[index] = Some(found);
        }
        found
    }

    /// The number of the table of a process.
    fn table_of(&mut self, layout: &Layout, state: &State, id: ProcessId) -> u32 {
        if let (true, Some(Some((_, _, number)))) = (self.static_processes, self.recent.get(id.0 as usize)) {
            return *number;
        }
        let ty = state.process_type(id);
        let at = state.locals_at(layout, id);
        let fixed = self.independence.fixed_locals(ty);
        let value = |l: &FixedLocal| state.get(at + l.offset as usize, l.scalar);
        if let Some(Some((known, values, number))) = self.recent.get(id.0 as usize)
            && *known == ty
            && fixed.iter().zip(values).all(|(l, v)| value(l) == *v)
        {
            return *number;
        }
        let values: Vec<i32> = fixed.iter().map(value).collect();
        let small = i32::from(id.0) <= LARGEST && values.iter().all(|v| (-LARGEST..=LARGEST).contains(v));
        let number = self.find(if small { (ty, Some(id.0), values.clone()) } else { (ty, None, Vec::new()) });
        if self.recent.len() <= id.0 as usize {
            self.recent.resize(id.0 as usize + 1, None);
        }
        self.recent[id.0 as usize] = Some((ty, values, number));
        number
    }

    fn find(&mut self, key: Key) -> u32 {
        if let Some(&number) = self.known.get(&key) {
            return number;
        }
        let (ty, pid, values) = &key;
        let table = self.independence.table(*ty, *pid, values);
        let number = self.tables.len() as u32;
        self.first.push(self.points.len() as u32);
        self.points.resize(self.points.len() + table.locations(), (number, Vec::new()));
        self.tables.push(table);
        self.known.insert(key, number);
        number
    }
}
