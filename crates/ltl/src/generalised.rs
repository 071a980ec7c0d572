//! From the alternating automaton to one with marks on edges.
//!
//! A state is a set of states of the alternating automaton, all owed at once; an edge picks one move for each of them.
//! There is a mark for every state `f` that must be left. An edge under the guard `g` to the set `owed` has it if `f`
//! is not owed any more, or if `f` could have been left: some move of `f` is possible under `g`, owes nothing beyond
//! `owed`, and does not owe `f` (Gastin and Oddoux, definition of T_f).
//!
//! Three things keep it small while it is built.
//!
//! *Only minimal edges.* An edge is dropped for another that has a weaker guard, owes no more and has no fewer marks.
//! Partial choices are compared too, or ten fairness conjuncts would give a million edges before the first is dropped;
//! there the marks are not known yet, and what must not shrink is the set of states that have been left. That is
//! sound: follow an accepting run and take the smaller choice at each step. If the new run stays in `f` from some
//! point on, the old one stayed too, since it had left `f` only where the new one does.
//!
//! *Marks only where they can matter.* If `f` is owed again by its own choice, and nothing else that is owed can ever
//! owe it, then a run is rejected while `f` stays, and once `f` is left it never comes back. So this edge is taken
//! finitely often in an accepted run, and needs no marks; then fewer choices differ. This makes nested untils cheap.
//! To see it early, states are given their moves from the largest term down: what can owe `f` is larger than `f`.
//!
//! *Sets that owe the same are one state.* Where `x R y` is owed, each of its moves contains one of `y`, so `y` is owed
//! too, whether it is in the set or not (it is *covered*). A state is a set without the covered members. When its
//! edges are computed, covered members that must be left take part, or it would be forgotten that they were left.
//! Gastin and Oddoux find these states equal after building both.

use std::collections::HashMap;

use crate::alternating::{Alternating, Move};
use crate::automaton::{Automaton, Edge};
use crate::bits::Bits;
use crate::cube::Cube;
use crate::guards;
use crate::limits::{Meter, TooLarge};

/// The automaton with one mark per state that must be left.
pub(crate) fn generalised(alternating: &Alternating, meter: &mut Meter) -> Result<Automaton, TooLarge> {
    let must_leave: Bits = (0..alternating.states.len()).filter(|&s| alternating.states[s].must_leave).collect();
    let mut builder = Builder { alternating, meter, sets: Vec::new(), numbers: HashMap::new(), must_leave };
    let initial = alternating.initial.difference(&builder.covered(&alternating.initial));
    builder.number(initial)?;
    let mut states = Vec::new();
    let mut edges = 0;
    while states.len() < builder.sets.len() {
        let owed = builder.sets[states.len()].clone();
        states.push(guards::tidied(builder.edges_from(&owed)?));
        edges += states.last().map_or(0, Vec::len);
        builder.meter.edges(edges)?;
    }
    Ok(Automaton { marks: builder.must_leave.len(), states })
}

/// A choice of a move for some of the states owed.
#[derive(Default)]
struct Choice {
    guard: Cube,
    owed: Bits,
    /// Which of the states that must be left have been; empty if that does not matter.
    left: Bits,
    /// Whether an accepted run makes this choice only finitely often.
    passing: bool,
}

/// A minimal edge, before its target has a number.
struct Candidate {
    guard: Cube,
    marks: Bits,
    /// The target with all that it covers.
    closure: Bits,
    /// The target without what it covers.
    core: Bits,
}

struct Builder<'a> {
    alternating: &'a Alternating,
    meter: &'a mut Meter,
    /// The set of each state.
    sets: Vec<Bits>,
    numbers: HashMap<Bits, usize>,
    /// The alternating states that have a mark.
    must_leave: Bits,
}

impl Builder<'_> {
    /// The edges out of a set.
    fn edges_from(&mut self, owed: &Bits) -> Result<Vec<Edge>, TooLarge> {
        let mut choices = vec![Choice::default()];
        let taking_part = owed.union(&self.covered(owed).intersection(&self.must_leave));
        let mut largest_first: Vec<usize> = taking_part.iter().collect();
        largest_first.reverse();
        for state in largest_first {
            choices = self.choices_with(&choices, state)?;
        }
        let mut candidates = Vec::new();
        for choice in choices {
            let marks = self.marks(&choice);
            let covered = self.covered(&choice.owed);
            let (closure, core) = (choice.owed.union(&covered), choice.owed.difference(&covered));
            let new = Candidate { guard: choice.guard, marks, closure, core };
            self.insert_minimal(&mut candidates, new, |x, y| {
                y.guard.implies(&x.guard) && x.core.is_subset(&y.closure) && y.marks.is_subset(&x.marks)
            })?;
        }
        let edge = |c: Candidate| Ok(Edge { target: self.number(c.core)?, marks: c.marks, guard: c.guard });
        candidates.into_iter().map(edge).collect()
    }

    /// Extends each choice by each move of one more state.
    fn choices_with(&mut self, choices: &[Choice], state: usize) -> Result<Vec<Choice>, TooLarge> {
        let mut extended = Vec::new();
        for choice in choices {
            for m in &self.alternating.states[state].moves {
                let Some(new) = self.choice_with(choice, state, m) else { continue };
                self.insert_minimal(&mut extended, new, |x, y| {
                    y.guard.implies(&x.guard) && x.owed.is_subset(&y.owed) && y.left.is_subset(&x.left)
                })?;
            }
        }
        Ok(extended)
    }

    fn choice_with(&self, choice: &Choice, state: usize, m: &Move) -> Option<Choice> {
        let guard = choice.guard.and(&m.guard)?;
        let owed = choice.owed.union(&m.owed);
        let stays = self.must_leave.contains(state) && m.owed.contains(state);
        let leaves = self.must_leave.contains(state) && !m.owed.contains(state);
        let passing = choice.passing || stays && !self.may_be_owed_anew(state, &owed);
        let mut left = if passing { Bits::default() } else { choice.left.clone() };
        if leaves && !passing {
            left.insert(state);
        }
        Some(Choice { guard, owed, left, passing })
    }

    /// Whether a state may be owed later because of others.
    fn may_be_owed_anew(&self, state: usize, owed: &Bits) -> bool {
        owed.iter().any(|other| self.alternating.states[other].reaches.contains(state))
    }

    fn insert_minimal<T>(
        &mut self,
        items: &mut Vec<T>,
        new: T,
        dominates: impl Fn(&T, &T) -> bool,
    ) -> Result<(), TooLarge> {
        self.meter.step(items.len() + 1)?;
        if !items.iter().any(|old| dominates(old, &new)) {
            items.retain(|old| !dominates(&new, old));
            items.push(new);
        }
        self.meter.edges(items.len())
    }

    /// The marks of the edge that a complete choice makes.
    fn marks(&self, choice: &Choice) -> Bits {
        if choice.passing {
            return Bits::default();
        }
        let could_be_left = |state: usize| {
            let mut leaving = self.alternating.states[state].moves.iter().filter(|m| !m.owed.contains(state));
            leaving.any(|m| choice.guard.implies(&m.guard) && m.owed.is_subset(&choice.owed))
        };
        let states = self.must_leave.iter().enumerate();
        states.filter(|&(_, s)| !choice.owed.contains(s) || could_be_left(s)).map(|(mark, _)| mark).collect()
    }

    fn covered(&self, owed: &Bits) -> Bits {
        owed.iter().fold(Bits::default(), |covered, state| covered.union(&self.alternating.states[state].covers))
    }

    fn number(&mut self, owed: Bits) -> Result<usize, TooLarge> {
        if let Some(&number) = self.numbers.get(&owed) {
            return Ok(number);
        }
        let number = self.sets.len();
        self.meter.states(number + 1)?;
        self.sets.push(owed.clone());
        self.numbers.insert(owed, number);
        Ok(number)
    }
}
