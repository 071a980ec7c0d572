//! The choice of a sufficient set of processes in a state.

use lurcher_exec::{Layout, Move, ProcessId, State};
use lurcher_ir::Model;
use lurcher_ir::analysis::{Independence, Watch};

use super::tables::{PlaceId, Possible, Tables};

/// Pairs of processes that are looked at in one state. With very many processes, not all are tried.
const PAIRS: usize = 1 << 14;

/// A set of processes.
type Members = Vec<u64>;

/// Chooses steps that suffice. Makes no allocation once it has seen the processes of a model.
#[derive(Clone, Debug)]
pub struct Reduction {
    layout: Layout,
    tables: Tables,
    /// The processes of the state at hand.
    processes: Vec<Process>,
    places: Vec<PlaceId>,
    /// By process: whom it would meet, where that is known. A row of bits each.
    meets: Vec<u64>,
    members: Members,
    best: Members,
    work: Vec<u16>,
    /// Pairs that may still be looked at.
    pairs: usize,
    pub(super) through_atomic: bool,
}

/// A process of the state at hand.
#[derive(Clone, Copy, Debug)]
struct Process {
    place: PlaceId,
    /// How many moves it has, and by which branches.
    count: u32,
    possible: Possible,
    /// All of them may be taken alone.
    alone: bool,
    /// Its row of meetings was asked for.
    known: bool,
}

impl Reduction {
    /// The reduction for a model and what a property sees of it.
    pub fn new(model: &Model, watch: Watch, message_loss: bool) -> Self {
        Reduction {
            layout: Layout::new(model),
            tables: Tables::new(model, Independence::new(model, watch, message_loss)),
            processes: Vec::new(),
            places: Vec::new(),
            meets: Vec::new(),
            members: Members::new(),
            best: Members::new(),
            work: Vec::new(),
            pairs: 0,
            through_atomic: false,
        }
    }

    /// Leaves only moves that suffice, in their order. The moves are all that are possible in the state, and nobody
    /// holds exclusive control.
    pub fn keep_sufficient(&mut self, state: &State, moves: &mut Vec<Move>) {
        let Some(last) = moves.last().filter(|m| !m.timeout) else { return };
        if moves[0].process == last.process {
            return;
        }
        self.look_at(state, moves);
        self.pairs = PAIRS;
        let mut fewest = moves.len() as u32;
        for seed in 0..self.processes.len() as u16 {
            let process = &self.processes[seed as usize];
            if process.count == 0 || !process.alone || process.count >= fewest {
                continue;
            }
            if let Some(count) = self.close(seed, fewest) {
                fewest = count;
                std::mem::swap(&mut self.members, &mut self.best);
                if count == 1 {
                    break;
                }
            }
        }
        if (fewest as usize) < moves.len() {
            let best = &self.best;
            moves.retain(|m| contains(best, m.process.0));
        }
    }

    /// May a move be taken while everybody else is left alone, as far as the property and cycles go?
    pub(super) fn leaves_alone(&mut self, state: &State, step: &Move) -> bool {
        let mut alone = |id: ProcessId, branch: u16| {
            let place = self.tables.place(&self.layout, state, id);
            self.tables.is_alone(place, branch)
        };
        !step.timeout && alone(step.process, step.branch) && step.partner.is_none_or(|(p, branch)| alone(p, branch))
    }

    /// Notes who is there, who can move, and whether alone.
    fn look_at(&mut self, state: &State, moves: &[Move]) {
        let count = state.process_count();
        self.processes.clear();
        self.places.clear();
        for p in (0..count).map(ProcessId) {
            let place = self.tables.place(&self.layout, state, p);
            self.places.push(place);
            self.processes.push(Process { place, count: 0, possible: 0, alone: true, known: false });
        }
        self.meets.resize(row_words(count) * count as usize, 0);
        for step in moves {
            let partner = step.partner.is_none_or(|(p, branch)| self.is_alone(p, branch));
            let alone = partner && self.is_alone(step.process, step.branch);
            let process = &mut self.processes[step.process.0 as usize];
            process.count += 1;
            // Branches beyond what is noted are never taken alone.
            let branch = 1u64.checked_shl(u32::from(step.branch));
            process.possible |= branch.unwrap_or(0);
            process.alone &= alone && branch.is_some();
        }
    }

    fn is_alone(&self, id: ProcessId, branch: u16) -> bool {
        self.tables.is_alone(self.processes[id.0 as usize].place, branch)
    }

    /// Adds to a process all that its moves need beside them: the number of moves, unless that is not fewer than
    /// some, or a move among them may not be taken alone.
    fn close(&mut self, seed: u16, fewest: u32) -> Option<u32> {
        if self.processes.len() <= 64 {
            return self.close_few(seed, fewest);
        }
        let words = row_words(self.processes.len() as u16);
        self.members.clear();
        self.members.resize(words, 0);
        self.work.clear();
        self.work.push(seed);
        self.members[seed as usize / 64] |= 1 << (seed % 64);
        let mut count = 0;
        while let Some(member) = self.work.pop() {
            let process = self.processes[member as usize];
            count += process.count;
            if !process.alone || count >= fewest {
                return None;
            }
            if !process.known {
                self.pairs = self.pairs.checked_sub(self.processes.len())?;
                self.find_meetings(member);
            }
            for word in 0..words {
                let mut new = self.meets[member as usize * words + word] & !self.members[word];
                self.members[word] |= new;
                while new != 0 {
                    self.work.push((word * 64) as u16 + new.trailing_zeros() as u16);
                    new &= new - 1;
                }
            }
        }
        Some(count)
    }

    /// The same where one word has a bit for each process, and all pairs may be looked at.
    fn close_few(&mut self, seed: u16, fewest: u32) -> Option<u32> {
        const _: () = assert!(PAIRS >= 64 * 64);
        let (mut members, mut work, mut count) = (1u64 << seed, 1u64 << seed, 0);
        while work != 0 {
            let member = work.trailing_zeros() as u16;
            work &= work - 1;
            let process = self.processes[member as usize];
            count += process.count;
            if !process.alone || count >= fewest {
                return None;
            }
            if !process.known {
                self.find_meetings(member);
            }
            let new = self.meets[member as usize] & !members;
            members |= new;
            work |= new;
        }
        self.members.clear();
        self.members.push(members);
        Some(count)
    }

    /// Finds whom a process would meet.
    fn find_meetings(&mut self, member: u16) {
        let process = &mut self.processes[member as usize];
        process.known = true;
        let signature = self.tables.signature(process.place, process.possible);
        let words = row_words(self.places.len() as u16);
        let row = &mut self.meets[member as usize * words..][..words];
        self.tables.row(signature, &self.places, row);
        row[member as usize / 64] &= !(1 << (member % 64));
        if self.tables.waits(signature) {
            let youngest = self.places.len() - 1;
            row[youngest / 64] |= 1 << (youngest % 64);
        }
    }
}

fn row_words(processes: u16) -> usize {
    usize::from(processes).div_ceil(64)
}

fn contains(members: &Members, process: u16) -> bool {
    members[process as usize / 64] & 1 << (process % 64) != 0
}
