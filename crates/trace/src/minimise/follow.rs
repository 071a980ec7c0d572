//! Executing a candidate: a script with some groups left out, as far as it goes.
//!
//! What remains of a script after a cut is a list of wishes, executed greedily. A group whose first statement is not
//! possible is passed over, or, when the follower is patient, waits in front of everything else its process wants
//! until it is possible. An atomic chain that has begun is brought to its end: where its next wish does not fit, the
//! first thing that its process can do is done instead.

use lurcher_system::{Move, ProcessId};

use crate::minimise::budget::Meter;
use crate::minimise::quest::{Advance, Position, Quest};
use crate::minimise::run::{Run, fingerprint};
use crate::minimise::script::{Script, Wish};

/// Steps after which an atomic chain is given up.
const LONGEST_CHAIN: usize = 1000;

/// How a candidate is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// What is not possible when its turn comes is passed over.
    Skipping,
    /// What is not possible when its turn comes waits.
    Patient,
}

/// What came of a group or of all.
enum Outcome {
    Done,
    Blocked,
    Reached,
    Lost,
}

/// A candidate that shows the violation.
pub(crate) struct Followed {
    pub run: Run,
    /// What stands for the position before each move.
    pub prints: Vec<u64>,
}

/// Executes what is kept of a script. None when that does not show the violation in fewer steps than the run.
pub(crate) fn follow(
    quest: &Quest<'_, '_>,
    script: &Script,
    run: &Run,
    keep: &[bool],
    manner: Manner,
    meter: &mut Meter<'_>,
) -> Option<Followed> {
    let first_cut = keep.iter().position(|k| !k)?;
    let checkpoint = script.checkpoints.iter().rev().find(|c| c.group <= first_cut)?;
    let begun = Run { moves: run.moves[..checkpoint.moves].to_vec(), length: checkpoint.length };
    let begun = Followed { run: begun, prints: script.prints[..checkpoint.moves].to_vec() };
    let (position, limit) = (checkpoint.position.clone(), run.length);
    let (possible, node) = (Vec::new(), Vec::new());
    let mut follower = Follower { quest, script, position, done: begun, limit, possible, node };
    let groups = (checkpoint.group..keep.len()).filter(|&g| keep[g]);
    follower.all(groups, manner, meter).then_some(follower.done)
}

struct Follower<'f, 'a, 'm> {
    quest: &'f Quest<'a, 'm>,
    script: &'f Script,
    position: Position,
    done: Followed,
    /// The run must be shorter than this.
    limit: u32,
    possible: Vec<Move>,
    /// The position as bytes.
    node: Vec<u8>,
}

impl Follower<'_, '_, '_> {
    /// Executes groups in order; says whether the violation came.
    fn all(&mut self, groups: impl Iterator<Item = usize>, manner: Manner, meter: &mut Meter<'_>) -> bool {
        let mut waiting: Vec<usize> = Vec::new();
        for group in groups {
            let process = self.first(group).process;
            if manner == Manner::Patient && waiting.iter().any(|&w| self.first(w).process == process) {
                waiting.push(group);
                continue;
            }
            match self.group(group, meter) {
                Outcome::Done if waiting.is_empty() => {}
                Outcome::Done => match self.retry(&mut waiting, meter) {
                    Outcome::Reached => return true,
                    Outcome::Lost => return false,
                    Outcome::Done | Outcome::Blocked => {}
                },
                Outcome::Blocked if manner == Manner::Patient => waiting.push(group),
                Outcome::Blocked => {}
                Outcome::Reached => return true,
                Outcome::Lost => return false,
            }
            if self.done.run.length >= self.limit || !meter.may_go_on() {
                return false;
            }
        }
        self.quest.is_met_at_last(&self.position, &mut self.possible) && self.done.run.length < self.limit
    }

    fn first(&self, group: usize) -> Wish {
        self.script.wishes[self.script.groups[group].wishes.start]
    }

    /// Executes what has become possible of the groups that wait; of each process only the first may.
    fn retry(&mut self, waiting: &mut Vec<usize>, meter: &mut Meter<'_>) -> Outcome {
        let mut index = 0;
        let mut passed: Vec<ProcessId> = Vec::new();
        while index < waiting.len() && self.done.run.length < self.limit {
            let process = self.first(waiting[index]).process;
            if passed.contains(&process) {
                index += 1;
                continue;
            }
            match self.group(waiting[index], meter) {
                Outcome::Blocked => {
                    passed.push(process);
                    index += 1;
                }
                Outcome::Done => {
                    waiting.remove(index);
                    passed.clear();
                    index = 0;
                }
                end => return end,
            }
        }
        Outcome::Done
    }

    fn group(&mut self, group: usize, meter: &mut Meter<'_>) -> Outcome {
        let wishes = self.script.groups[group].wishes.clone();
        let mut begun = false;
        for wish in &self.script.wishes[wishes] {
            meter.step();
            let found = self.find(wish).or_else(|| if begun { self.any_of_holder() } else { None });
            match found {
                Some(step) => {
                    begun = true;
                    if let Some(end) = self.take(step) {
                        return end;
                    }
                }
                None if begun => return Outcome::Done,
                None => return Outcome::Blocked,
            }
            if self.position.state.exclusive.is_none() {
                return Outcome::Done;
            }
        }
        for _ in 0..LONGEST_CHAIN {
            meter.step();
            let Some(step) = self.any_of_holder() else { return Outcome::Done };
            if let Some(end) = self.take(step) {
                return end;
            }
        }
        Outcome::Lost
    }

    fn take(&mut self, step: Move) -> Option<Outcome> {
        self.done.run.moves.push(step);
        self.position.pack(&mut self.node);
        self.done.prints.push(fingerprint(&self.node));
        match self.quest.advance(&mut self.position, &step) {
            Advance::On => self.done.run.length += step.length(),
            Advance::Reached(cost) => {
                self.done.run.length += cost;
                return Some(if self.done.run.length < self.limit { Outcome::Reached } else { Outcome::Lost });
            }
            Advance::Lost => return Some(Outcome::Lost),
        }
        None
    }

    /// The first thing that the holder of exclusive control can do.
    fn any_of_holder(&mut self) -> Option<Move> {
        let holder = self.position.state.exclusive?;
        self.quest.interpreter.moves_of(&self.position.state, holder, &mut self.possible);
        self.possible.first().copied()
    }

    /// The move that a wish stands for here. The partner of a rendezvous may be another one when it has to.
    fn find(&mut self, wish: &Wish) -> Option<Move> {
        let state = &self.position.state;
        let id = wish.process;
        if id.0 >= state.process_count()
            || state.process_type(id) != wish.process_type
            || state.exclusive.is_some_and(|holder| holder != id)
        {
            return None;
        }
        let interpreter = self.quest.interpreter;
        let process_type = interpreter.model().process_type(wish.process_type);
        let branches = &process_type.location(state.location(id)).branches;
        let mut wished = branches.iter().enumerate().filter(|(_, b)| b.action == wish.action);
        let (branch, _) = wished.next()?;
        if wish.timeout || wished.next().is_some() {
            interpreter.moves_of(state, id, &mut self.possible);
            if wish.timeout && self.possible.is_empty() {
                interpreter.moves(state, &mut self.possible);
            }
        } else if !self.quest.moves_by_branch(state, id, branch as u16, &mut self.possible) {
            return None;
        }
        let same = |m: &&Move| {
            m.process == id
                && branches[m.branch as usize].action == wish.action
                && m.partner.is_some() == wish.partner.is_some()
        };
        let partner = |m: &&Move| {
            m.partner.map(|(p, b)| (p, interpreter.branch(state, p, b).0.action)) == wish.partner
                && branches[m.branch as usize].target == wish.target
        };
        let mut found = self.possible.iter().filter(same);
        found.clone().find(partner).or_else(|| found.next()).copied()
    }
}
