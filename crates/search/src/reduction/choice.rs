//! The choice of an ample set of processes in a state.

use lurcher_ir::Model;
use lurcher_ir::analysis::{Independence, Visibility};
use lurcher_system::{Layout, Move, ProcessId, State};

use super::ample_facts::{AmpleFacts, ProcessFacts, ProcessSet, contains};
use super::tables::{ControlPoint, EnabledBranches, Tables};

/// Pairs of processes that are compared in one state. With very many processes, not all seeds are tried.
const MAX_PAIRS: usize = 1 << 14;

/// Selects the ample moves of a state, and merges chains of single ones into edges. Allocates nothing once it has seen the
/// processes of a model.
#[derive(Clone, Debug)]
pub struct AmpleMoves {
    layout: Layout,
    tables: Tables,
    /// The processes of the current state.
    facts: AmpleFacts,
    members: ProcessSet,
    best: ProcessSet,
    work: Vec<usize>,
    /// Pairs that may still be compared.
    pairs: usize,
    pub(super) through_atomic: bool,
}

impl AmpleMoves {
    /// The reduction for a model and what a property sees of it.
    pub fn new(model: &Model, watch: Visibility, message_loss: bool) -> Self {
        AmpleMoves {
            layout: Layout::new(model),
            tables: Tables::new(model, Independence::new(model, watch, message_loss)),
            facts: AmpleFacts::default(),
            members: ProcessSet::new(),
            best: ProcessSet::new(),
            work: Vec::new(),
            pairs: 0,
            through_atomic: false,
        }
    }

    /// Retains the ample ones of all moves of a state in which no process holds exclusive control.
    pub(super) fn retain_ample(&mut self, state: &State, moves: &mut Vec<Move>) {
        let Some(last) = moves.last().filter(|m| !m.timeout) else { return };
        if moves[0].process == last.process {
            return;
        }
        self.set_processes(state, moves);
        if (self.choose() as usize) < moves.len() {
            let best = &self.best;
            moves.retain(|m| contains(best, m.process.0.into()));
        }
    }

    /// Sets the facts of all processes of a state with these moves.
    fn set_processes(&mut self, state: &State, moves: &[Move]) {
        let AmpleMoves { layout, tables, facts, .. } = self;
        facts.reset((0..state.process_count()).map(|p| tables.control_point(layout, state, ProcessId(p))));
        for moves in moves.chunk_by(|a, b| a.process == b.process) {
            let id = moves[0].process.0 as usize;
            let (enabled, reducible) =
                summarise(moves, |id, branch| tables.is_reducible(facts.processes[id.0 as usize].at, branch));
            let process = &mut facts.processes[id];
            (process.count, process.enabled, process.reducible) = (moves.len() as u32, enabled, reducible);
            facts.note_moves(id);
        }
    }

    /// Chooses an ample set of processes in `best`; returns the number of its moves. If these are all moves, no set was
    /// chosen.
    fn choose(&mut self) -> u32 {
        self.facts.update_rows(&mut self.tables);
        if self.facts.are_few() && self.choose_single() {
            return 1;
        }
        self.pairs = MAX_PAIRS;
        let mut fewest = self.facts.moves;
        for seed in 0..self.facts.processes.len() {
            let process = &self.facts.processes[seed];
            if process.count == 0 || !process.reducible || process.count >= fewest {
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

    /// Chooses an ample set with a single move, if there is one and processes are few. It is the set that the loop over all
    /// seeds would find.
    fn choose_single(&mut self) -> bool {
        let AmpleMoves { facts, tables, .. } = self;
        let (movers, mut seeds) = (facts.movers, facts.singles);
        while seeds != 0 {
            let seed = seeds & seeds.wrapping_neg();
            seeds ^= seed;
            let (mut members, mut work) = (seed, seed);
            while work != 0 {
                let member = work.trailing_zeros();
                let new = facts.row_of_few(member as usize, tables) & !members;
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

    /// Computes in `members` the closure of a process under conflicts; returns the number of moves in it, if they are
    /// reducible and fewer than `fewest`.
    fn close(&mut self, seed: usize, fewest: u32) -> Option<u32> {
        let AmpleMoves { facts, tables, members, work, .. } = self;
        members.clear();
        members.resize(facts.processes.len().div_ceil(64), 0);
        work.clear();
        work.push(seed);
        members[seed / 64] |= 1 << (seed % 64);
        let mut count = 0;
        while let Some(member) = work.pop() {
            let process = facts.processes[member];
            count += process.count;
            if !process.reducible || count >= fewest {
                return None;
            }
            if !facts.has_row(member) {
                self.pairs = self.pairs.checked_sub(facts.processes.len())?;
                facts.compute_row(member, tables);
            }
            for (word, (row, members)) in facts.row(member).iter().zip(&mut *members).enumerate() {
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

    /// Whether a move is invisible to the property and cuts no cycle.
    pub(super) fn is_reducible(&mut self, state: &State, step: &Move) -> bool {
        let AmpleMoves { layout, tables, .. } = self;
        !step.timeout && is_reducible(step, &mut |id, branch| tables.is_reducible_in(layout, state, id, branch))
    }
}

/// Whether the branches of a move are reducible.
fn is_reducible(step: &Move, reducible: &mut impl FnMut(ProcessId, u16) -> bool) -> bool {
    reducible(step.process, step.branch) && step.partner.is_none_or(|(p, branch)| reducible(p, branch))
}

/// The branches of all moves of a process, and whether all are reducible. Branches beyond the bits are never reducible.
fn summarise(moves: &[Move], mut reducible: impl FnMut(ProcessId, u16) -> bool) -> (EnabledBranches, bool) {
    let (mut enabled, mut all_reducible) = (0, true);
    for step in moves {
        let branch = 1u64.checked_shl(u32::from(step.branch));
        enabled |= branch.unwrap_or(0);
        all_reducible &= branch.is_some() && is_reducible(step, &mut reducible);
    }
    (enabled, all_reducible)
}

/// The choice among processes whose facts come from the transition cache.
impl AmpleMoves {
    /// The facts of a process with these moves, which are all that it has.
    pub(crate) fn facts_of(&mut self, state: &State, id: ProcessId, moves: &[Move]) -> ProcessFacts {
        let AmpleMoves { layout, tables, .. } = self;
        let (enabled, reducible) = summarise(moves, |id, branch| tables.is_reducible_in(layout, state, id, branch));
        let at = tables.control_point(layout, state, id);
        ProcessFacts { at, signature: tables.signature(at, enabled), reducible }
    }

    /// Starts a state with this many processes.
    pub(crate) fn start(&mut self, processes: usize) {
        self.facts.reset(std::iter::repeat_n(ControlPoint(0), processes));
    }

    /// Sets the facts of a process with `count` moves. Cached expansions spend several percent of a search here.
    #[inline(always)]
    pub(crate) fn set_process(&mut self, id: ProcessId, facts: ProcessFacts, count: u32) {
        self.facts.set(id.0.into(), facts, count);
    }

    /// The facts of all processes.
    pub(crate) fn facts(&mut self) -> &mut AmpleFacts {
        &mut self.facts
    }

    /// The number of ample moves, and of all moves. If the first is smaller, the ample moves are those of the processes that
    /// [`AmpleMoves::is_chosen`] accepts.
    pub(crate) fn count_ample(&mut self) -> (u32, u32) {
        let ample = if self.facts.count_movers() < 2 { self.facts.moves } else { self.choose() };
        (ample, self.facts.moves)
    }

    /// The process with the single ample move, if there is one.
    pub(crate) fn single_mover(&mut self) -> Option<ProcessId> {
        let chosen = match (self.facts.count_movers(), self.facts.are_few()) {
            (0, _) => return None,
            (1, _) => self.facts.moves == 1,
            (_, true) => {
                self.facts.update_rows(&mut self.tables);
                self.choose_single()
            }
            (_, false) => self.choose() == 1,
        };
        if !chosen {
            return None;
        }
        let facts = &self.facts;
        let moves = |i: &usize| facts.processes[*i].count > 0 && (facts.moves == 1 || contains(&self.best, *i));
        (0..facts.processes.len()).find(moves).map(|i| ProcessId(i as u16))
    }

    /// Whether a process is in the ample set.
    #[inline]
    pub(crate) fn is_chosen(&self, id: ProcessId) -> bool {
        contains(&self.best, id.0.into())
    }
}
