//! The tables of the processes of a state, and what was asked of them before.
//!
//! A process at a location is a *place*; a place together with the branches that are possible there has a signature.
//! A model has few of both, so whether a signature meets what is possible from a place on is worked out once and then
//! read from a row of bytes.

use std::collections::HashMap;

use lurcher_ir::analysis::{Access, FixedLocal, Independence, Signature, Table};
use lurcher_ir::{Model, ProcessTypeId};
use lurcher_system::{Layout, ProcessId, State};

/// Processes with numbers or values beyond this share one table for each type, lest there be too many. Which they
/// are must not depend on who was met first.
const LARGEST: i32 = 255;

/// Answers are remembered while there are no more places than this.
const REMEMBERED: usize = 4096;

/// Which process a table is about: its type, its number where it matters, the values that never change.
type Key = (ProcessTypeId, Option<u16>, Vec<i32>);

/// A process at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlaceId(u32);

impl PlaceId {
    /// The place of a number.
    pub fn new(number: u32) -> Self {
        PlaceId(number)
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// The branches of a process that are possible, as bits.
pub(super) type Possible = u64;

/// All tables made so far.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    independence: Independence,
    tables: Vec<Table>,
    /// By table: its first place.
    first: Vec<u32>,
    known: HashMap<Key, u32>,
    /// The last process of each number, and its table: mostly the one that is met next.
    recent: Vec<Option<(ProcessTypeId, Vec<i32>, u32)>>,
    /// No process is created, so those of the start keep their values.
    settled: bool,
    /// By place: its table, and the signatures that it was asked for.
    places: Vec<(u32, Vec<(Possible, u32)>)>,
    signatures: Vec<Signed>,
}

/// A signature, and what it is known to meet.
#[derive(Clone, Debug)]
struct Signed {
    signature: Signature,
    /// By place.
    meets: Vec<Meets>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meets {
    Unknown,
    No,
    Yes,
}

impl Tables {
    pub fn new(model: &Model, independence: Independence) -> Self {
        let mut actions = model.process_types.iter().flat_map(|p| &p.actions);
        Tables {
            settled: actions.all(|a| Access::of_kind(&a.kind, None).creates.is_empty()),
            independence,
            tables: Vec::new(),
            first: Vec::new(),
            known: HashMap::new(),
            recent: Vec::new(),
            places: Vec::new(),
            signatures: Vec::new(),
        }
    }

    /// May a branch be taken at a place while other processes are left alone, as far as the property and cycles go?
    pub fn is_alone(&self, place: PlaceId, branch: u16) -> bool {
        let table = self.places[place.0 as usize].0 as usize;
        self.tables[table].may_be_ample((place.0 - self.first[table]) as u16, branch)
    }

    /// Where a process stands.
    pub fn place(&mut self, layout: &Layout, state: &State, id: ProcessId) -> PlaceId {
        let table = self.of(layout, state, id);
        PlaceId(self.first[table as usize] + u32::from(state.location(id).0))
    }

    /// The number of the signature of a process at a place.
    pub fn signature(&mut self, place: PlaceId, possible: Possible) -> u32 {
        let (table, asked) = &mut self.places[place.0 as usize];
        if let Some((_, number)) = asked.iter().find(|(p, _)| *p == possible) {
            return *number;
        }
        let number = self.signatures.len() as u32;
        asked.push((possible, number));
        let location = (place.0 - self.first[*table as usize]) as u16;
        let is_possible = |branch: u16| possible & 1u64.checked_shl(u32::from(branch)).unwrap_or(0) != 0;
        let signature = self.tables[*table as usize].signature(location, is_possible);
        self.signatures.push(Signed { signature, meets: Vec::new() });
        number
    }

    /// Does a signature wait for the youngest process?
    #[inline]
    pub fn waits(&self, signature: u32) -> bool {
        self.signatures[signature as usize].signature.waits
    }

    /// Which of some places a signature meets, as bits.
    pub fn row(&mut self, signature: u32, places: &[PlaceId], row: &mut [u64]) {
        let known = &self.signatures[signature as usize].meets;
        let mut unknown = false;
        for (bits, places) in row.iter_mut().zip(places.chunks(64)) {
            *bits = 0;
            for (i, place) in places.iter().enumerate() {
                let meets = known.get(place.0 as usize).copied().unwrap_or(Meets::Unknown);
                *bits |= u64::from(meets == Meets::Yes) << i;
                unknown |= meets == Meets::Unknown;
            }
        }
        if unknown {
            for (i, &place) in places.iter().enumerate() {
                row[i / 64] |= u64::from(self.meets(signature, place)) << (i % 64);
            }
        }
    }

    /// Does a signature meet what is possible from a place on?
    pub fn meets(&mut self, signature: u32, place: PlaceId) -> bool {
        let Signed { signature, meets } = &mut self.signatures[signature as usize];
        let at = place.0 as usize;
        match meets.get(at).copied().unwrap_or(Meets::Unknown) {
            Meets::No => false,
            Meets::Yes => true,
            Meets::Unknown => {
                let table = self.places[at].0 as usize;
                let found = signature.is_dependent(&self.tables[table], (place.0 - self.first[table]) as u16);
                if self.places.len() <= REMEMBERED {
                    meets.resize(self.places.len(), Meets::Unknown);
                    meets[at] = if found { Meets::Yes } else { Meets::No };
                }
                found
            }
        }
    }

    /// The number of a process's table.
    fn of(&mut self, layout: &Layout, state: &State, id: ProcessId) -> u32 {
        if let (true, Some(Some((_, _, number)))) = (self.settled, self.recent.get(id.0 as usize)) {
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
        self.first.push(self.places.len() as u32);
        self.places.resize(self.places.len() + table.locations(), (number, Vec::new()));
        self.tables.push(table);
        self.known.insert(key, number);
        number
    }
}
