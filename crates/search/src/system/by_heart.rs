//! Steps that suffice, and chains of them, without running the model.
//!
//! What a process does is known by the numbers of its parts (`recall`), and with it what a choice of sufficient steps asks
//! about the process. So the steps of a node are chosen, and chains of single steps are followed, by numbers alone; the model
//! runs only where a process is met in surroundings that are new. Whatever cannot be found in this way is found step by
//! step (`breed.rs`), with the same result.

use std::ops::Range;

use lurcher_system::{Machine, Move};

use super::System;
use super::breed::holder;
use super::detours::Detours;
use crate::recall::{Entry, PartSet, Recall, part_set};
use crate::reduction::{Role, Told};
use crate::shared::Offspring;
use crate::store::{Change, Packed, StoreFull, Unfolded};

/// Chains longer than this are followed step by step.
const LONG: usize = 256;
/// How often all may be forgotten while one node is looked at.
const PATIENCE: usize = 20;

/// A node as numbers of parts, and what every process does there.
#[derive(Debug, Default)]
struct Course {
    numbers: Vec<u32>,
    /// The youngest process first; with the parts that decide it.
    known: Vec<(Entry, PartSet)>,
    /// How often all had been forgotten when that was found.
    forgotten: u32,
}

/// What is needed to look at nodes by heart.
#[derive(Debug, Default)]
pub(super) struct ByHeart {
    start: Course,
    /// What the reduction was told of it, and has found out.
    told: Told,
    /// A node on a chain.
    on: Course,
    /// The moves that are taken: the number of the process, the number of the move among its moves, whether it leads to a
    /// state that counts, and where its changes end.
    taken: Vec<(usize, usize, bool, usize)>,
    changes: Vec<Packed>,
    /// A node on a chain, laid open.
    open: Unfolded,
    /// Ends of chains, and the nodes of one.
    detours: Detours<u32>,
    chain: Vec<Vec<u32>>,
}

impl ByHeart {
    /// Where the changes of a move that is taken are.
    fn changes_of(&self, successor: usize) -> Range<usize> {
        successor.checked_sub(1).map_or(0, |before| self.taken[before].3)..self.taken[successor].3
    }

    pub fn memory(&self) -> u64 {
        self.detours.memory()
    }
}

/// How a chain was followed.
#[derive(PartialEq, Eq)]
enum Followed {
    /// To its end.
    All,
    /// Not by heart.
    Not,
}

impl<M: Machine> System<M> {
    /// Adds the successors of a node by steps that suffice; says how many steps that is. None when some of it cannot be
    /// found by heart, or is worth telling.
    pub(super) fn breed_by_heart(
        &mut self,
        recall: &mut Recall,
        heart: &mut ByHeart,
        offspring: &mut Offspring<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        let Some(shape) = offspring.node().shape() else { return Ok(None) };
        if !recall.turn_to(shape) {
            let shape = shape.clone();
            self.enter(offspring.load());
            if !recall.meet(&shape, &self.here) {
                return Ok(None);
            }
        }
        let ByHeart { start, .. } = &mut *heart;
        start.numbers.clear();
        start.numbers.extend_from_slice(offspring.node().numbers());
        self.reduction.as_mut().expect("steps that suffice are chosen").begin(recall.count());
        if holder(recall, offspring).is_some() || !self.recollect(recall, start, PartSet::MAX, offspring, None)? {
            return Ok(None);
        }
        let reduction = self.reduction.as_mut().expect("steps that suffice are chosen");
        let (sufficient, all) = reduction.count_sufficient();
        if all == 0 {
            return Ok(None);
        }
        heart.told.clone_from(reduction.told());
        heart.taken.clear();
        heart.changes.clear();
        for (number, &(entry, _)) in heart.start.known.iter().enumerate() {
            if sufficient < all && !reduction.is_chosen(recall.process(number)) {
                continue;
            }
            for (place, known) in recall.moves(entry).enumerate() {
                offspring.put_known(known.changes, known.going)?;
                heart.changes.extend_from_slice(known.changes);
                heart.taken.push((number, place, known.going.counts, heart.changes.len()));
            }
        }
        for successor in 0..heart.taken.len() {
            if offspring.is_stored(successor) {
                continue;
            }
            if self.follow_by_heart(recall, heart, successor, offspring)? == Followed::Not
                && !self.follow_asking(recall, heart, successor, offspring)?
            {
                return Ok(None);
            }
        }
        Ok(Some(heart.taken.len() as u64))
    }

    /// Follows single steps that suffice behind a successor, which is put where they end.
    fn follow_by_heart(
        &mut self,
        recall: &mut Recall,
        heart: &mut ByHeart,
        successor: usize,
        offspring: &mut Offspring<'_>,
    ) -> Result<Followed, StoreFull> {
        if !heart.taken[successor].2 {
            return Ok(Followed::Not);
        }
        let range = heart.changes_of(successor);
        let ByHeart { start, told, on, changes, open, detours, chain, .. } = heart;
        on.numbers.clone_from(&start.numbers);
        on.known.clone_from(&start.known);
        on.forgotten = start.forgotten;
        self.reduction.as_mut().expect("steps that suffice are chosen").go_back(told);
        let mut changed = on.change(&changes[range]);
        let vain = detours.are_vain();
        let (mut behind, mut found) = (0, false);
        loop {
            if !vain {
                let words = offspring.words(successor);
                if let Some(end) = detours.find(u64::from(words[0]), words) {
                    offspring.set_words(successor, end);
                    found = true;
                    break;
                }
                if chain.len() == behind {
                    chain.push(Vec::new());
                }
                chain[behind].clear();
                chain[behind].extend_from_slice(words);
            }
            recall.count_node();
            if !self.recollect(recall, on, changed, offspring, Some((&mut *open, successor)))? {
                return Ok(Followed::Not);
            }
            let reduction = self.reduction.as_mut().expect("steps that suffice are chosen");
            let Some(only) = reduction.single_mover() else { break };
            let (entry, _) = on.known[recall.number(only)];
            if !Role::unpack(recall.head(entry).0).is_alone() {
                break;
            }
            let step = recall.moves(entry).next().expect("there is one move");
            behind += 1;
            if !step.going.counts || behind == LONG || !offspring.alter(successor, step.changes) {
                return Ok(Followed::Not);
            }
            changed = on.change(step.changes);
        }
        if behind > 0 || found {
            offspring.settle(successor);
            if !vain {
                let end = offspring.words(successor);
                chain[..behind].iter().for_each(|node| detours.remember(u64::from(node[0]), node, end));
            }
        }
        Ok(Followed::All)
    }

    /// The same step by step. False when a step is a violation.
    fn follow_asking(
        &mut self,
        recall: &Recall,
        heart: &ByHeart,
        successor: usize,
        offspring: &mut Offspring<'_>,
    ) -> Result<bool, StoreFull> {
        let (number, place, ..) = heart.taken[successor];
        offspring.put_anew(successor, &heart.changes[heart.changes_of(successor)])?;
        self.enter(offspring.load());
        let mut moves = std::mem::take(&mut self.moves);
        self.machine.moves_of(&self.here, recall.process(number), &mut moves);
        let followed = self.go_on(&moves[place], successor, offspring);
        self.moves = moves;
        followed
    }

    /// Finds what processes do that depend on some parts, in the node itself or in a successor that may be laid open, and
    /// tells the reduction. False when one of them has to be asked every time, or does what is worth telling.
    fn recollect(
        &mut self,
        recall: &mut Recall,
        course: &mut Course,
        changed: PartSet,
        offspring: &mut Offspring<'_>,
        mut open: Option<(&mut Unfolded, usize)>,
    ) -> Result<bool, StoreFull> {
        let mut changed = changed;
        course.known.resize(recall.count(), (Entry::NONE, PartSet::MAX));
        for _ in 0..PATIENCE {
            if course.forgotten != recall.forgotten() {
                (course.forgotten, changed) = (recall.forgotten(), PartSet::MAX);
            }
            let mut entered = false;
            for number in 0..course.known.len() {
                if course.known[number].1 & changed == 0 {
                    continue;
                }
                let mut found = recall.find(number, &course.numbers);
                if found.is_none() {
                    let open = open.as_mut().map(|(open, successor)| (&mut **open, *successor));
                    self.find_out(recall, number, &course.numbers, offspring, open, &mut entered)?;
                    found = recall.find(number, &course.numbers);
                }
                let Some(known) = found else { return Ok(false) };
                course.known[number] = known;
                self.tell(recall, number, known.0);
            }
            if course.forgotten == recall.forgotten() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds out what a process does, if that may be of use another time.
    #[cold]
    #[inline(never)]
    fn find_out(
        &mut self,
        recall: &mut Recall,
        number: usize,
        numbers: &[u32],
        offspring: &mut Offspring<'_>,
        mut open: Option<(&mut Unfolded, usize)>,
        entered: &mut bool,
    ) -> Result<(), StoreFull> {
        if !recall.is_open(number, numbers) {
            return Ok(());
        }
        if !std::mem::replace(entered, true) {
            self.enter(match &mut open {
                None => offspring.load(),
                Some((open, successor)) => offspring.load_successor(open, *successor),
            });
        }
        self.learn(recall, number, offspring, open.map(|(open, _)| open))
    }

    /// Tells the reduction what a process does.
    #[inline]
    fn tell(&mut self, recall: &Recall, number: usize, entry: Entry) {
        let (told, count) = recall.head(entry);
        let reduction = self.reduction.as_mut().expect("steps that suffice are chosen");
        reduction.tell(recall.process(number), Role::unpack(told), count);
    }

    /// Learns what a process does in the node that was entered, the one with offspring or the one that is laid open.
    fn learn(
        &mut self,
        recall: &mut Recall,
        number: usize,
        offspring: &mut Offspring<'_>,
        mut open: Option<&mut Unfolded>,
    ) -> Result<(), StoreFull> {
        let mut moves = std::mem::take(&mut self.moves);
        self.machine.moves_of(&self.here, recall.process(number), &mut moves);
        recall.begin();
        let mut alike = true;
        let learnt = self.try_moves(&moves, |node, going| {
            alike &= offspring.compare(open.as_deref_mut(), node)?;
            let from = open.as_deref().unwrap_or(offspring.node());
            recall.add(from.changes(), from.hashes(), going);
            Ok(())
        });
        if learnt.as_ref().is_ok_and(Option::is_some) {
            let from = open.as_deref().unwrap_or(offspring.node());
            self.note_learnt(recall, number, &moves, from.numbers(), alike);
        }
        self.moves = moves;
        learnt.map(drop)
    }

    /// Notes that all moves of a process have been tried.
    pub(super) fn note_learnt(
        &mut self,
        recall: &mut Recall,
        number: usize,
        moves: &[Move],
        numbers: &[u32],
        alike: bool,
    ) {
        let process = recall.process(number);
        let role = self.reduction.as_mut().map(|r| r.role(&self.here, process, moves)).unwrap_or_default();
        recall.learn(number, (self.machine.interpreter(), &self.here), numbers, alike, role.pack());
    }
}

impl Course {
    /// Changes numbers; says of which parts.
    fn change(&mut self, changes: &[Packed]) -> PartSet {
        changes.iter().map(Change::unpack).fold(0, |set, change| {
            self.numbers[change.part as usize] = change.number;
            set | part_set(change.part)
        })
    }
}
