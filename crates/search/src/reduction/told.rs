//! The processes of a state, as a choice of sufficient steps sees them.

use super::tables::{PlaceId, Possible, Tables};

/// A set of processes.
pub(super) type Members = Vec<u64>;

/// A process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Process {
    pub place: PlaceId,
    /// How many moves it has, and by which branches; not the branches where the signature is known.
    pub count: u32,
    pub possible: Possible,
    pub signature: Option<u32>,
    /// All of them may be taken alone.
    pub alone: bool,
}

impl Process {
    /// One that cannot move.
    pub fn at(place: PlaceId) -> Self {
        Process { place, count: 0, possible: 0, signature: None, alone: true }
    }
}

/// What a choice asks of a process that has some moves; may be kept and told again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Role {
    pub(super) place: u32,
    pub(super) signature: u32,
    pub(super) alone: bool,
}

impl Role {
    /// As two words.
    pub fn pack(&self) -> [u32; 2] {
        [self.place, self.signature << 1 | u32::from(self.alone)]
    }

    /// From two words.
    #[inline]
    pub fn unpack([place, rest]: [u32; 2]) -> Self {
        Role { place, signature: rest >> 1, alone: rest & 1 != 0 }
    }

    /// May all moves be taken while everybody else is left alone?
    #[inline]
    pub fn is_alone(&self) -> bool {
        self.alone
    }
}

/// The processes of a state, by their numbers, and what was found out about them.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(super) processes: Vec<Process>,
    places: Vec<PlaceId>,
    /// By process: whom it would meet, where that is known. A row of bits each.
    meets: Vec<u64>,
    /// Processes whose row is known.
    met: Members,
    /// Those that have changed their place since.
    moved: u64,
    /// Those that can move, and those that have one move, which may be taken alone; as far as there are bits.
    pub(super) movers: u64,
    pub(super) singles: u64,
    /// How many moves there are.
    pub(super) all: u32,
}

impl Clone for Told {
    fn clone(&self) -> Self {
        let mut told = Told::default();
        told.clone_from(self);
        told
    }

    fn clone_from(&mut self, other: &Self) {
        let Told { processes, places, meets, met, moved, movers, singles, all } = other;
        self.processes.clone_from(processes);
        self.places.clone_from(places);
        self.meets.clone_from(meets);
        self.met.clone_from(met);
        (self.moved, self.movers, self.singles, self.all) = (*moved, *movers, *singles, *all);
    }
}

impl Told {
    /// So many processes that cannot move, of which nothing is known.
    pub(super) fn reset(&mut self, places: impl Iterator<Item = PlaceId>) {
        self.processes.clear();
        self.processes.extend(places.map(Process::at));
        self.places.clear();
        self.places.extend(self.processes.iter().map(|p| p.place));
        let words = row_words(self.processes.len());
        self.met.clear();
        self.met.resize(words, 0);
        self.meets.resize(words * self.processes.len(), 0);
        (self.moved, self.movers, self.singles, self.all) = (0, 0, 0, 0);
    }

    /// One word has a bit for each process.
    #[inline]
    pub(super) fn are_few(&self) -> bool {
        self.processes.len() <= 64
    }

    /// Notes that the moves of a process are known.
    #[inline]
    pub(super) fn note_moves(&mut self, process: usize) {
        let Process { count, alone, .. } = self.processes[process];
        let bit = 1u64.checked_shl(process as u32).unwrap_or(0);
        self.movers = self.movers & !bit | if count > 0 { bit } else { 0 };
        self.singles = self.singles & !bit | if count == 1 && alone { bit } else { 0 };
        self.all += count;
    }

    /// Makes a process what its role says.
    #[inline]
    pub(super) fn tell(&mut self, process: usize, role: Role, count: u32) {
        let known = &mut self.processes[process];
        let place = PlaceId::new(role.place);
        if known.place == place && known.signature == Some(role.signature) && known.count == count {
            return;
        }
        if known.place != place {
            self.places[process] = place;
            self.moved |= 1u64.checked_shl(process as u32).unwrap_or(0);
        }
        if known.signature != Some(role.signature) {
            self.met[process / 64] &= !(1 << (process % 64));
        }
        self.all -= known.count;
        *known = Process { place, count, possible: 0, signature: Some(role.signature), alone: role.alone };
        self.note_moves(process);
    }

    /// How many processes can move, up to two.
    #[inline]
    pub(super) fn count_movers(&self) -> u32 {
        match self.are_few() {
            true => self.movers.count_ones(),
            false => self.processes.iter().filter(|p| p.count > 0).take(2).count() as u32,
        }
    }

    /// Corrects rows in which processes have changed their places.
    #[inline]
    pub(super) fn catch_up(&mut self, tables: &mut Tables) {
        if !self.are_few() {
            self.met.fill(0);
        } else if self.moved != 0 {
            self.correct_rows(tables);
        }
        self.moved = 0;
    }

    fn correct_rows(&mut self, tables: &mut Tables) {
        let youngest = self.places.len() - 1;
        let mut rows = self.met.first().copied().unwrap_or(0);
        while rows != 0 {
            let member = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let signature = self.processes[member].signature.expect("a row was found by its signature");
            let mut moved = self.moved & !(1 << member);
            while moved != 0 {
                let other = moved.trailing_zeros() as usize;
                moved &= moved - 1;
                let meets = tables.meets(signature, self.places[other]) || other == youngest && tables.waits(signature);
                let row = &mut self.meets[member];
                *row = *row & !(1 << other) | u64::from(meets) << other;
            }
        }
    }

    /// Is the row of a process known?
    #[inline]
    pub(super) fn has_row(&self, member: usize) -> bool {
        contains(&self.met, member)
    }

    /// The row of a process, where it is known.
    #[inline]
    pub(super) fn row(&self, member: usize) -> &[u64] {
        let words = row_words(self.processes.len());
        &self.meets[member * words..][..words]
    }

    /// The row of a process, where one word has a bit for each of them.
    #[inline]
    pub(super) fn row_of_few(&mut self, member: usize, tables: &mut Tables) -> u64 {
        if self.met[0] & 1 << member == 0 {
            self.find_row(member, tables);
        }
        self.meets[member]
    }

    /// Finds whom a process would meet.
    pub(super) fn find_row(&mut self, member: usize, tables: &mut Tables) {
        let process = &mut self.processes[member];
        let signature = match process.signature {
            Some(signature) => signature,
            None => tables.signature(process.place, process.possible),
        };
        process.signature = Some(signature);
        self.met[member / 64] |= 1 << (member % 64);
        let words = row_words(self.places.len());
        let row = &mut self.meets[member * words..][..words];
        tables.row(signature, &self.places, row);
        row[member / 64] &= !(1 << (member % 64));
        if tables.waits(signature) {
            let youngest = self.places.len() - 1;
            row[youngest / 64] |= 1 << (youngest % 64);
        }
    }
}

fn row_words(processes: usize) -> usize {
    processes.div_ceil(64)
}

/// Is a process in a set?
#[inline]
pub(super) fn contains(members: &Members, process: usize) -> bool {
    members[process / 64] & 1 << (process % 64) != 0
}
