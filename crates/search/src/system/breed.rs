//! All successors of a node at once, with the help of what processes did before.

use lurcher_system::{Machine, Move, ProcessId};

use super::{System, split_holder, write_node};
use crate::recall::{Going, Recall};
use crate::reduction::LONGEST;
use crate::shared::Offspring;
use crate::store::{StoreFull, hash_of_bytes};

impl<M: Machine> System<M> {
    /// Adds all successors of a node; says how many steps lead there. None when something about it is worth telling.
    pub(super) fn breed_all(
        &mut self,
        recall: &mut Recall,
        offspring: &mut Offspring<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        let Some(shape) = offspring.node().shape() else { return Ok(None) };
        let mut entered = false;
        if !recall.turn_to(shape) {
            let shape = shape.clone();
            self.enter(offspring.load());
            entered = true;
            if !recall.meet(&shape, &self.here) {
                return Ok(None);
            }
        }
        let sites = match holder(recall, offspring) {
            None => 0..recall.count(),
            Some(process) => {
                let number = recall.number_of_holder(process);
                number..number + 1
            }
        };
        let mut steps = 0;
        for number in sites {
            if let Some(moves) = recall.look(number, offspring.node().numbers()) {
                for known in moves {
                    offspring.put_known(known.changes, known.going)?;
                    steps += u64::from(known.going.moves());
                }
                continue;
            }
            if !std::mem::replace(&mut entered, true) {
                self.enter(offspring.load());
            }
            let mut moves = std::mem::take(&mut self.moves);
            self.machine.moves_of(&self.here, recall.process(number), &mut moves);
            let asked = self.ask(recall, number, &moves, offspring);
            self.moves = moves;
            match asked? {
                Some(more) => steps += more,
                None => return Ok(None),
            }
        }
        Ok((offspring.len() > 0).then_some(steps))
    }

    /// The same for the steps that suffice. Where such a step leads is looked up first: what is in the store is where a
    /// chain of single steps ends, so only from other nodes it has to be followed.
    pub(super) fn breed_sufficient(
        &mut self,
        recall: &mut Recall,
        offspring: &mut Offspring<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        let mut heart = self.heart.take().unwrap_or_default();
        let bred = self.breed_by_heart(recall, &mut heart, offspring);
        self.heart = Some(heart);
        if let Some(steps) = bred? {
            return Ok(Some(steps));
        }
        offspring.clear();
        self.look_at(offspring.load());
        let ordinary = self.moves.first().is_some_and(|m| !m.timeout);
        let Some(shape) = offspring.node().shape().filter(|_| ordinary) else { return Ok(None) };
        if !recall.turn_to(shape) && !recall.meet(&shape.clone(), &self.here) {
            return Ok(None);
        }
        let moves = std::mem::take(&mut self.moves);
        let bred = self.breed_these(recall, &moves, offspring);
        self.moves = moves;
        Ok(bred?.then_some(self.moves.len() as u64))
    }

    fn breed_these(
        &mut self,
        recall: &mut Recall,
        moves: &[Move],
        offspring: &mut Offspring<'_>,
    ) -> Result<bool, StoreFull> {
        for same in moves.chunk_by(|a, b| a.process == b.process) {
            let number = match self.here.exclusive {
                None => recall.number(same[0].process),
                Some(holder) => recall.number_of_holder(holder),
            };
            if let Some(known) = recall.look(number, offspring.node().numbers()) {
                for known in known {
                    offspring.put_known(known.changes, known.going)?;
                }
            } else if self.ask(recall, number, same, offspring)?.is_none() {
                return Ok(false);
            }
        }
        assert_eq!(offspring.len(), moves.len(), "a process has other moves than it had");
        for (number, step) in moves.iter().enumerate() {
            if !offspring.is_stored(number) && !self.go_on(step, number, offspring)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Follows single steps that suffice behind one that leads to the successor of this number, and puts where they end
    /// in its place. False when one is a violation.
    pub(super) fn go_on(
        &mut self,
        step: &Move,
        number: usize,
        offspring: &mut Offspring<'_>,
    ) -> Result<bool, StoreFull> {
        self.there.copy_from(&self.here);
        let System { machine, there, ahead, executed, reduction, detours, chain, .. } = self;
        let reduction = reduction.as_mut().expect("steps that suffice are chosen");
        let (mut next, mut behind) = (*step, 0);
        let vain = detours.are_vain();
        let mut known = false;
        loop {
            if machine.apply(there, &next).is_some() {
                return Ok(false);
            }
            if !vain {
                if chain.len() == behind {
                    chain.push(Vec::new());
                }
                write_node(there, &mut chain[behind]);
                if let Some(end) = detours.find(hash_of_bytes(&chain[behind]), &chain[behind]) {
                    self.node.clear();
                    self.node.extend_from_slice(end);
                    known = true;
                    break;
                }
            }
            let Some(only) = reduction.single(machine, there, ahead).filter(|_| behind < LONGEST) else { break };
            executed.note(machine.interpreter(), there, &only);
            (next, behind) = (only, behind + 1);
        }
        if behind == 0 && !known {
            return Ok(true);
        }
        if !known {
            write_node(there, &mut self.node);
        }
        if !vain {
            // The last one is the end, unless that is known from before.
            let middle = if known { behind + 1 } else { behind };
            chain[..middle].iter().for_each(|node| detours.remember(hash_of_bytes(node), node, &self.node));
        }
        offspring.replace(number, &self.node, split_holder(&self.node).1.is_none())?;
        Ok(true)
    }

    /// Asks what the moves of a process lead to, learns it, and says how many steps that is. None when something about
    /// them is worth telling.
    fn ask(
        &mut self,
        recall: &mut Recall,
        number: usize,
        moves: &[Move],
        offspring: &mut Offspring<'_>,
    ) -> Result<Option<u64>, StoreFull> {
        recall.begin();
        let mut alike = true;
        let steps = self.try_moves(moves, |node, going| {
            alike &= offspring.put(node, going)?;
            recall.add(offspring.node().changes(), offspring.node().hashes(), going);
            Ok(())
        })?;
        if steps.is_some() {
            self.note_learnt(recall, number, moves, offspring.node().numbers(), alike);
        }
        Ok(steps)
    }

    /// Tries moves of the node that was entered: tells where each leads and how it goes, and says how many steps they are. None when something about them is worth telling.
    pub(super) fn try_moves(
        &mut self,
        moves: &[Move],
        mut tell: impl FnMut(&[u8], Going) -> Result<(), StoreFull>,
    ) -> Result<Option<u64>, StoreFull> {
        let mut steps = 0;
        let mut node = std::mem::take(&mut self.node);
        for step in moves {
            self.there.restore(&self.here);
            self.executed.note(self.machine.interpreter(), &self.here, step);
            if self.machine.apply(&mut self.there, step).or_else(|| self.lead_on(|_| ())).is_some() {
                return Ok(None);
            }
            // With a reduction, an edge is one step for all that follow by themselves.
            let behind = if self.reduction.is_none() { self.behind } else { 0 };
            write_node(&self.there, &mut node);
            let (paired, counts) = (step.partner.is_some(), self.there.exclusive.is_none());
            tell(&node, Going { length: step.length() + behind, paired, counts })?;
            steps += 1 + u64::from(self.behind);
        }
        self.node = node;
        Ok(Some(steps))
    }
}

/// Who holds exclusive control in a node?
pub(super) fn holder(recall: &mut Recall, offspring: &mut Offspring<'_>) -> Option<ProcessId> {
    recall.holder(offspring.node().numbers()).unwrap_or_else(|| {
        let holder = split_holder(offspring.load()).1;
        recall.note_holder(offspring.node().numbers(), holder);
        holder
    })
}
