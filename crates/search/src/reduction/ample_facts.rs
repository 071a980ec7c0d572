//! The processes of a state, as the choice of an ample set sees them.

use super::tables::{ControlPoint, EnabledBranches, Tables};

/// A set of processes, one bit each.
pub(super) type ProcessSet = Vec<u64>;

/// A process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Process {
    pub at: ControlPoint,
    /// Number of its moves, and their branches; the branches are not set if the signature is known.
    pub count: u32,
    pub enabled: EnabledBranches,
    pub signature: Option<u32>,
    /// All of its moves are reducible.
    pub reducible: bool,
}

impl Process {
    /// A process that cannot move.
    pub fn blocked(at: ControlPoint) -> Self {
        Process { at, count: 0, enabled: 0, signature: None, reducible: true }
    }
}

/// What the choice of an ample set needs to know about a process with given moves. Kept in the transition cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessFacts {
    pub(super) at: ControlPoint,
    pub(super) signature: u32,
    /// All of its moves are reducible.
    pub reducible: bool,
}

impl ProcessFacts {
    /// As two words.
    pub fn pack(&self) -> [u32; 2] {
        [self.at.0, self.signature << 1 | u32::from(self.reducible)]
    }

    #[inline]
    pub fn unpack([at, rest]: [u32; 2]) -> Self {
        ProcessFacts { at: ControlPoint(at), signature: rest >> 1, reducible: rest & 1 != 0 }
    }
}

/// The processes of a state by their ids, and the conflicts between them that are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct AmpleFacts {
    pub(super) processes: Vec<Process>,
    points: Vec<ControlPoint>,
    /// For each process, the processes that its moves conflict with: a row of bits.
    conflicts: Vec<u64>,
    /// Processes whose row is known.
    known_rows: ProcessSet,
    /// Processes whose control point has changed since.
    moved: u64,
    /// Processes that can move, and processes with a single move, which is reducible; the first 64.
    pub(super) movers: u64,
    pub(super) singles: u64,
    /// Number of moves of all processes.
    pub(super) moves: u32,
}

impl AmpleFacts {
    /// Copies other facts without allocating.
    pub fn copy_from(&mut self, other: &Self) {
        self.processes.clone_from(&other.processes);
        self.points.clone_from(&other.points);
        self.conflicts.clone_from(&other.conflicts);
        self.known_rows.clone_from(&other.known_rows);
        (self.moved, self.movers, self.singles, self.moves) = (other.moved, other.movers, other.singles, other.moves);
    }

    /// Sets the processes to blocked ones, with no conflicts known.
    pub(super) fn reset(&mut self, points: impl Iterator<Item = ControlPoint>) {
        self.points.clear();
        self.points.extend(points);
        self.processes.clear();
        self.processes.extend(self.points.iter().copied().map(Process::blocked));
        let words = row_words(self.processes.len());
        self.known_rows.clear();
        self.known_rows.resize(words, 0);
        self.conflicts.resize(words * self.processes.len(), 0);
        (self.moved, self.movers, self.singles, self.moves) = (0, 0, 0, 0);
    }

    /// Whether one word has a bit for each process.
    #[inline]
    pub(super) fn are_few(&self) -> bool {
        self.processes.len() <= 64
    }

    /// Updates the counts after the moves of a process were set.
    #[inline]
    pub(super) fn note_moves(&mut self, process: usize) {
        let Process { count, reducible, .. } = self.processes[process];
        let bit = 1u64.checked_shl(process as u32).unwrap_or(0);
        self.movers = self.movers & !bit | if count > 0 { bit } else { 0 };
        self.singles = self.singles & !bit | if count == 1 && reducible { bit } else { 0 };
        self.moves += count;
    }

    /// Sets the facts of a process with `count` moves.
    #[inline]
    pub(super) fn set(&mut self, process: usize, facts: ProcessFacts, count: u32) {
        let ProcessFacts { at, signature, reducible } = facts;
        let known = &mut self.processes[process];
        if known.at == at && known.signature == Some(signature) && known.count == count {
            return;
        }
        if known.at != at {
            self.points[process] = at;
            self.moved |= 1u64.checked_shl(process as u32).unwrap_or(0);
        }
        if known.signature != Some(signature) {
            self.known_rows[process / 64] &= !(1 << (process % 64));
        }
        self.moves -= known.count;
        *known = Process { at, count, enabled: 0, signature: Some(signature), reducible };
        self.note_moves(process);
    }

    /// Number of processes that can move, up to two.
    #[inline]
    pub(super) fn count_movers(&self) -> u32 {
        match self.are_few() {
            true => self.movers.count_ones(),
            false => self.processes.iter().filter(|p| p.count > 0).take(2).count() as u32,
        }
    }

    /// Updates the known rows for processes whose control point has changed.
    #[inline]
    pub(super) fn update_rows(&mut self, tables: &mut Tables) {
        if !self.are_few() {
            self.known_rows.fill(0);
        } else if self.moved != 0 {
            self.correct_rows(tables);
        }
        self.moved = 0;
    }

    fn correct_rows(&mut self, tables: &mut Tables) {
        let youngest = self.points.len() - 1;
        let mut rows = self.known_rows.first().copied().unwrap_or(0);
        while rows != 0 {
            let member = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let signature = self.processes[member].signature.expect("a known row has a signature");
            let mut moved = self.moved & !(1 << member);
            while moved != 0 {
                let other = moved.trailing_zeros() as usize;
                moved &= moved - 1;
                let conflict =
                    tables.conflicts(signature, self.points[other]) || other == youngest && tables.waits(signature);
                let row = &mut self.conflicts[member];
                *row = *row & !(1 << other) | u64::from(conflict) << other;
            }
        }
    }

    /// Whether the row of a process is known.
    #[inline]
    pub(super) fn has_row(&self, member: usize) -> bool {
        contains(&self.known_rows, member)
    }

    /// The row of a process, if it is known.
    #[inline]
    pub(super) fn row(&self, member: usize) -> &[u64] {
        let words = row_words(self.processes.len());
        &self.conflicts[member * words..][..words]
    }

    /// The row of a process as one word, if there are few processes.
    #[inline]
    pub(super) fn row_of_few(&mut self, member: usize, tables: &mut Tables) -> u64 {
        if self.known_rows[0] & 1 << member == 0 {
            self.compute_row(member, tables);
        }
        self.conflicts[member]
    }

    /// Finds the processes that the moves of a process conflict with.
    pub(super) fn compute_row(&mut self, member: usize, tables: &mut Tables) {
        let process = &mut self.processes[member];
        let signature = match process.signature {
            Some(signature) => signature,
            None => tables.signature(process.at, process.enabled),
        };
        process.signature = Some(signature);
        self.known_rows[member / 64] |= 1 << (member % 64);
        let words = row_words(self.points.len());
        let row = &mut self.conflicts[member * words..][..words];
        tables.row(signature, &self.points, row);
        row[member / 64] &= !(1 << (member % 64));
        if tables.waits(signature) {
            let youngest = self.points.len() - 1;
            row[youngest / 64] |= 1 << (youngest % 64);
        }
    }
}

fn row_words(processes: usize) -> usize {
    processes.div_ceil(64)
}

/// Whether a process is in a set.
#[inline]
pub(super) fn contains(set: &ProcessSet, process: usize) -> bool {
    set[process / 64] & 1 << (process % 64) != 0
}
