//! The choice of a sufficient set of processes in a state.

use lurcher_ir::Model;
use lurcher_ir::analysis::{Independence, Visibility};
use lurcher_system::{Layout, Move, ProcessId, State};

use super::tables::{PlaceId, Tables};
use super::told::{Members, Role, Told, contains};

/// Pairs of processes that are looked at in one state. With very many processes, not all are tried.
const PAIRS: usize = 1 << 14;

/// Chooses steps that suffice. Makes no allocation once it has seen the processes of a model.
#[derive(Clone, Debug)]
pub struct Reduction {
    layout: Layout,
    tables: Tables,
    /// The processes of the state at hand.
    told: Told,
    members: Members,
    best: Members,
    work: Vec<usize>,
    /// Pairs that may still be looked at.
    pairs: usize,
    pub(super) through_atomic: bool,
}

impl Reduction {
    /// The reduction for a model and what a property sees of it.
    pub fn new(model: &Model, watch: Visibility, message_loss: bool) -> Self {
        Reduction {
            layout: Layout::new(model),
            tables: Tables::new(model, Independence::new(model, watch, message_loss)),
            told: Told::default(),
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
        if (self.choose() as usize) < moves.len() {
            let best = &self.best;
            moves.retain(|m| contains(best, m.process.0.into()));
        }
    }

    /// Notes who is there, who can move, and whether alone.
    fn look_at(&mut self, state: &State, moves: &[Move]) {
        let Reduction { layout, tables, told, .. } = self;
        told.reset((0..state.process_count()).map(|p| tables.place(layout, state, ProcessId(p))));
        let alone = |told: &Told, id: ProcessId, branch| tables.is_alone(told.processes[id.0 as usize].place, branch);
        for same in moves.chunk_by(|a, b| a.process == b.process) {
            for step in same {
                let partner = step.partner.is_none_or(|(p, branch)| alone(told, p, branch));
                let alone = partner && alone(told, step.process, step.branch);
                let process = &mut told.processes[step.process.0 as usize];
                process.count += 1;
                // Branches beyond what is noted are never taken alone.
                let branch = 1u64.checked_shl(u32::from(step.branch));
                process.possible |= branch.unwrap_or(0);
                process.alone &= alone && branch.is_some();
            }
            told.note_moves(same[0].process.0.into());
        }
    }

    /// Chooses processes whose moves suffice: how many moves these are. When they are not fewer than all, no choice was
    /// made.
    fn choose(&mut self) -> u32 {
        self.told.catch_up(&mut self.tables);
        if self.told.are_few() && self.choose_single() {
            return 1;
        }
        self.pairs = PAIRS;
        let mut fewest = self.told.all;
        for seed in 0..self.told.processes.len() {
            let process = &self.told.processes[seed];
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
        fewest
    }

    /// Chooses processes that have one move in all, if that suffices, where one word has a bit for each process. They are
    /// those that would be found by trying one process after the other.
    fn choose_single(&mut self) -> bool {
        let Reduction { told, tables, .. } = self;
        let (movers, mut seeds) = (told.movers, told.singles);
        while seeds != 0 {
            let seed = seeds & seeds.wrapping_neg();
            seeds ^= seed;
            let (mut members, mut work) = (seed, seed);
            while work != 0 {
                let member = work.trailing_zeros();
                let new = told.row_of_few(member as usize, tables) & !members;
                members |= new;
                work = if new & movers == 0 { work & (work - 1) | new } else { 0 };
            }
            if members & movers == seed {
                self.best.clear();
                self.best.push(members);
                return true;
            }
        }
        false
    }

    /// Adds to a process all that its moves need beside them: the number of moves, unless that is not fewer than
    /// some, or a move among them may not be taken alone.
    fn close(&mut self, seed: usize, fewest: u32) -> Option<u32> {
        let Reduction { told, tables, members, work, .. } = self;
        members.clear();
        members.resize(told.processes.len().div_ceil(64), 0);
        work.clear();
        work.push(seed);
        members[seed / 64] |= 1 << (seed % 64);
        let mut count = 0;
        while let Some(member) = work.pop() {
            let process = told.processes[member];
            count += process.count;
            if !process.alone || count >= fewest {
                return None;
            }
            if !told.has_row(member) {
                self.pairs = self.pairs.checked_sub(told.processes.len())?;
                told.find_row(member, tables);
            }
            for (word, (row, members)) in told.row(member).iter().zip(&mut *members).enumerate() {
                let mut new = row & !*members;
                *members |= new;
                while new != 0 {
                    work.push(word * 64 + new.trailing_zeros() as usize);
                    new &= new - 1;
                }
            }
        }
        Some(count)
    }

    /// May a move be taken while everybody else is left alone, as far as the property and cycles go?
    pub(super) fn leaves_alone(&mut self, state: &State, step: &Move) -> bool {
        let mut alone = |id: ProcessId, branch: u16| {
            let place = self.tables.place(&self.layout, state, id);
            self.tables.is_alone(place, branch)
        };
        !step.timeout && alone(step.process, step.branch) && step.partner.is_none_or(|(p, branch)| alone(p, branch))
    }
}

/// The same for processes whose roles are known from before.
impl Reduction {
    /// What a choice asks of a process with these moves, which are all that it has.
    pub(crate) fn role(&mut self, state: &State, id: ProcessId, moves: &[Move]) -> Role {
        let place = self.tables.place(&self.layout, state, id);
        let (mut possible, mut alone) = (0, true);
        for step in moves {
            let branch = 1u64.checked_shl(u32::from(step.branch));
            possible |= branch.unwrap_or(0);
            let partner = step.partner.is_none_or(|(p, branch)| {
                let place = self.tables.place(&self.layout, state, p);
                self.tables.is_alone(place, branch)
            });
            alone &= branch.is_some() && partner && self.tables.is_alone(place, step.branch);
        }
        Role { place: place.number(), signature: self.tables.signature(place, possible), alone }
    }

    /// Begins to tell of so many processes.
    pub(crate) fn begin(&mut self, count: usize) {
        self.told.reset(std::iter::repeat_n(PlaceId::new(0), count));
    }

    /// Tells of a process: its role, and how many moves it has.
    #[inline]
    pub(crate) fn tell(&mut self, id: ProcessId, role: Role, count: u32) {
        self.told.tell(id.0.into(), role, count);
    }

    /// What was told.
    pub(crate) fn told(&self) -> &Told {
        &self.told
    }

    /// Goes back to what was told.
    pub(crate) fn go_back(&mut self, told: &Told) {
        self.told.clone_from(told);
    }

    /// How many of the moves of all processes suffice, and how many there are. When the first are fewer than all, they are
    /// those of the processes that [`Reduction::is_chosen`] accepts.
    pub(crate) fn count_sufficient(&mut self) -> (u32, u32) {
        let sufficient = if self.told.count_movers() < 2 { self.told.all } else { self.choose() };
        (sufficient, self.told.all)
    }

    /// The process whose move is the only one that suffices, if there is one.
    pub(crate) fn single_mover(&mut self) -> Option<ProcessId> {
        let chosen = match (self.told.count_movers(), self.told.are_few()) {
            (0, _) => return None,
            (1, _) => self.told.all == 1,
            (_, true) => {
                self.told.catch_up(&mut self.tables);
                self.choose_single()
            }
            (_, false) => self.choose() == 1,
        };
        if !chosen {
            return None;
        }
        let moves = |i: &usize| self.told.processes[*i].count > 0 && (self.told.all == 1 || contains(&self.best, *i));
        (0..self.told.processes.len()).find(moves).map(|i| ProcessId(i as u16))
    }

    /// Was a process chosen?
    #[inline]
    pub(crate) fn is_chosen(&self, id: ProcessId) -> bool {
        contains(&self.best, id.0.into())
    }
}
