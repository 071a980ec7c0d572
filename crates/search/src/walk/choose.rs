//! Choosing a step.
//!
//! Try-a-child draws a process, then one of its branches, and tests only what it has drawn. With a guide that scores
//! steps, it scores every branch of every process first and draws by weight from those, as GRANSPIN does (Bui 2009,
//! chapter 6). All-children lists every possible move first. A guide that scores states needs the successors, so it
//! always lists.
//!
//! Where a claim watches, a move is paired with each choice of the claim, and pairs are what is drawn in the end. A
//! trail draws on until it meets a successor that it has not visited.

use lurcher_system::{ClaimStep, Machine, Move, ProcessId};

use crate::guidance::{Guidance, Scores};
use crate::outcome::FoundKind;
use crate::space::Step;

use super::plan::{Kind, Selection};
use super::visited::fingerprint;
use super::walker::Walker;

/// What choosing a step came to.
pub(super) enum Chosen {
    /// The walk has moved; perhaps the step is a violation.
    Moved(Option<FoundKind>),
    /// A violation that is not a step's.
    Found(FoundKind),
    /// An edge back into the walk closes an accepting cycle.
    Closed(Step, u32),
    /// No process can move.
    Stopped,
    /// Nothing that this walk may do is left.
    Exhausted,
}

/// Lists that are filled anew at every step.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    processes: Vec<ProcessId>,
    branches: Vec<u16>,
    pairs: Vec<(ProcessId, u16)>,
    /// The scores and the weights of the pairs.
    scores: Vec<u32>,
    likely: Vec<u32>,
    moves: Vec<Move>,
    candidates: Vec<Step>,
    weights: Vec<u32>,
}

impl<M: Machine, G: Guidance> Walker<'_, M, G> {
    /// Chooses a step and takes it.
    pub(super) fn choose(&mut self) -> Chosen {
        // Taken out while it is used, because a walk changes itself while it asks.
        let guide = self.guide.take();
        let chosen = match (guide.as_deref(), self.plan.selection) {
            (None, Selection::TryAChild) => self.try_a_child(),
            (Some(guide), Selection::TryAChild) if guide.scores() == Scores::Steps => self.try_by_weight(guide),
            (guide, _) => self.all_children(guide),
        };
        self.guide = guide;
        chosen
    }

    fn try_a_child(&mut self) -> Chosen {
        for timeout in [false, true] {
            let mut any = false;
            self.list_processes();
            while let Some(process) = self.draws.take(&mut self.scratch.processes) {
                if !self.machine.interpreter().may_run(&self.state, process, timeout) {
                    continue;
                }
                self.scratch.branches.clear();
                self.scratch.branches.extend(0..self.machine.interpreter().branch_count(&self.state, process));
                while let Some(branch) = self.draws.take(&mut self.scratch.branches) {
                    if let Some(chosen) = self.test(process, branch, timeout, &mut any) {
                        return chosen;
                    }
                }
            }
            if any {
                return Chosen::Exhausted;
            }
        }
        Chosen::Stopped
    }

    fn try_by_weight(&mut self, guide: &G) -> Chosen {
        for timeout in [false, true] {
            let mut any = false;
            self.list_processes();
            let Scratch { processes, pairs, scores, likely, .. } = &mut self.scratch;
            pairs.clear();
            scores.clear();
            for &process in processes.iter() {
                if !self.machine.interpreter().may_run(&self.state, process, timeout) {
                    continue;
                }
                for branch in 0..self.machine.interpreter().branch_count(&self.state, process) {
                    pairs.push((process, branch));
                    scores.push(guide.of_step(&self.state, self.claim, process, branch));
                }
            }
            likely.clone_from(scores);
            self.plan.bias.weigh(likely, guide.max(), self.plan.reverse);
            while !self.scratch.pairs.is_empty() {
                let at = self.draws.by_weight(&self.scratch.likely);
                let (process, branch) = self.scratch.pairs.swap_remove(at);
                let score = self.scratch.scores.swap_remove(at);
                self.scratch.likely.swap_remove(at);
                if let Some(chosen) = self.test(process, branch, timeout, &mut any) {
                    self.note_score(score);
                    return chosen;
                }
            }
            if any {
                return Chosen::Exhausted;
            }
        }
        Chosen::Stopped
    }

    fn all_children(&mut self, guide: Option<&G>) -> Chosen {
        self.machine.moves(&self.state, &mut self.scratch.moves);
        self.tries += self.scratch.moves.len() as u64;
        let Some(first) = self.scratch.moves.first() else { return Chosen::Stopped };
        let choices = match self.claim_choices(first.timeout) {
            Ok(choices) => choices,
            Err(found) => return Chosen::Found(found),
        };
        self.pair(&choices);
        self.scratch.weights.clear();
        if let Some(guide) = guide {
            self.score(guide, &choices);
            self.plan.bias.weigh(&mut self.scratch.weights, guide.max(), self.plan.reverse);
        }
        self.draw(&choices)
    }

    /// Tests a branch; when it is possible, takes one of the steps it offers.
    fn test(&mut self, process: ProcessId, branch: u16, timeout: bool, any: &mut bool) -> Option<Chosen> {
        self.tries += 1;
        self.machine.moves_by_branch(&self.state, process, branch, timeout, &mut self.scratch.moves);
        if self.scratch.moves.is_empty() {
            return None;
        }
        *any = true;
        let choices = match self.claim_choices(timeout) {
            Ok(choices) => choices,
            Err(found) => return Some(Chosen::Found(found)),
        };
        self.pair(&choices);
        self.scratch.weights.clear();
        match self.draw(&choices) {
            Chosen::Exhausted => None,
            chosen => Some(chosen),
        }
    }

    /// When the system has stopped: the claim goes on alone.
    pub(super) fn stutter(&mut self) -> Chosen {
        let choices = match self.claim_choices(true) {
            Ok(choices) => choices,
            Err(found) => return Chosen::Found(found),
        };
        self.scratch.candidates.clear();
        match &choices {
            None => self.scratch.candidates.push(Step { system: None, claim: None }),
            Some(choices) => {
                let steps = (0..choices.len()).map(|c| Step { system: None, claim: Some(c as u16) });
                self.scratch.candidates.extend(steps);
            }
        }
        self.scratch.weights.clear();
        self.draw(&choices)
    }

    fn claim_choices(&self, timeout: bool) -> Result<Option<Vec<ClaimStep>>, FoundKind> {
        self.subject.choices(self.machine, &self.state, self.claim, timeout, self.stayed)
    }

    /// The processes that may be tried.
    fn list_processes(&mut self) {
        self.scratch.processes.clear();
        match self.state.exclusive {
            Some(holder) => self.scratch.processes.push(holder),
            None => self.scratch.processes.extend((0..self.state.process_count()).map(ProcessId)),
        }
    }

    /// Pairs every move with every choice of the claim.
    fn pair(&mut self, choices: &Option<Vec<ClaimStep>>) {
        self.scratch.candidates.clear();
        for &taken in &self.scratch.moves {
            match choices {
                None => self.scratch.candidates.push(Step { system: Some(taken), claim: None }),
                Some(choices) => {
                    let steps = (0..choices.len()).map(|c| Step { system: Some(taken), claim: Some(c as u16) });
                    self.scratch.candidates.extend(steps);
                }
            }
        }
    }

    /// Scores the candidates. A step that violates something scores best.
    fn score(&mut self, guide: &G, choices: &Option<Vec<ClaimStep>>) {
        for index in 0..self.scratch.candidates.len() {
            let step = self.scratch.candidates[index];
            let taken = step.system.expect("the system moves");
            let score = match guide.scores() {
                Scores::Steps => {
                    let own = guide.of_step(&self.state, self.claim, taken.process, taken.branch);
                    let partner = taken.partner.map(|(p, b)| guide.of_step(&self.state, self.claim, p, b));
                    // The worse half counts: it is the one that leads away.
                    partner.map_or(own, |p| own.max(p))
                }
                Scores::States => {
                    self.next.copy_from(&self.state);
                    match self.machine.apply(&mut self.next, &taken) {
                        Some(_) => 0,
                        None => guide.of_state(&self.next, target(&step, choices, self.claim)),
                    }
                }
            };
            self.scratch.weights.push(score);
            self.note_score(score);
        }
    }

    /// Draws candidates until the walk may take one, by weight where there are weights.
    fn draw(&mut self, choices: &Option<Vec<ClaimStep>>) -> Chosen {
        loop {
            let count = self.scratch.candidates.len();
            if count == 0 {
                return Chosen::Exhausted;
            }
            let at = match self.scratch.weights.is_empty() {
                true => self.draws.below(count as u32) as usize,
                false => self.draws.by_weight(&self.scratch.weights),
            };
            let step = self.scratch.candidates.swap_remove(at);
            if !self.scratch.weights.is_empty() {
                self.scratch.weights.swap_remove(at);
            }
            if let Some(chosen) = self.attempt(&step, choices) {
                return chosen;
            }
        }
    }

    /// Takes a step, unless this is a trail and it leads to a state visited before.
    fn attempt(&mut self, step: &Step, choices: &Option<Vec<ClaimStep>>) -> Option<Chosen> {
        let claim = target(step, choices, self.claim);
        if self.plan.kind == Kind::Walk {
            if let Some(taken) = &step.system {
                self.coverage.note(self.machine.interpreter(), &self.state, taken);
            }
            let violation = step.system.and_then(|m| self.machine.apply(&mut self.state, &m));
            self.arrive(step, claim);
            return Some(Chosen::Moved(violation.map(FoundKind::Step)));
        }
        self.next.copy_from(&self.state);
        let violation = step.system.and_then(|m| self.machine.apply(&mut self.next, &m));
        if violation.is_none() {
            let arrived = fingerprint(&self.next, claim, self.asks_progress && step.system.is_none());
            if let Some(first) = self.visited.first(arrived) {
                return self.closes(first, step).then_some(Chosen::Closed(*step, first));
            }
            self.arrived = Some(arrived);
        }
        if let Some(taken) = &step.system {
            self.coverage.note(self.machine.interpreter(), &self.state, taken);
        }
        std::mem::swap(&mut self.state, &mut self.next);
        self.arrive(step, claim);
        Some(Chosen::Moved(violation.map(FoundKind::Step)))
    }
}

/// Where the claim stands after a step.
fn target(step: &Step, choices: &Option<Vec<ClaimStep>>, before: lurcher_ir::LocationId) -> lurcher_ir::LocationId {
    match (step.claim, choices) {
        (Some(choice), Some(choices)) => choices[usize::from(choice)].target,
        _ => before,
    }
}
