//! The generalised Büchi automaton, with marks on edges, of an alternating automaton.
//!
//! A state is a set of obligations; an edge picks one move for each of them. There is a mark for every eventuality `f`.
//! An edge under the guard `g` to a set has the mark if `f` is not in the set, or if `f` could have been left: some move
//! of `f` is enabled under `g`, has no obligations outside the set, and does not stay in `f` (Gastin and Oddoux, definition
//! of T_f).
//!
//! Three optimisations keep it small during construction.
//!
//! *Only minimal edges.* An edge is dropped for another with a weaker guard, fewer obligations and more marks. Partial
//! choices are compared too: ten fairness conjuncts would otherwise give a million edges. Their marks are not known yet;
//! instead the set of eventualities left must not shrink. This is sound: follow an accepting run and take the smaller
//! choice at each step. If the new run stays in `f` from some point on, so did the old one, since it left `f` only where
//! the new one does.
//!
//! *Marks only where they can matter.* If an edge stays in `f` and nothing else in the set can ever reach `f` again, an
//! accepting run takes this edge finitely often. Such a *transient* edge needs no marks, and fewer choices differ. This
//! makes nested untils cheap. Obligations get their moves from the largest term down, because only larger terms reach
//! `f`.
//!
//! *Equivalent sets are one state.* Each move of `x R y` contains one of `y`, so a set with `x R y` implies `y` (it is
//! *covered*). A state is a set without covered members. When its edges are computed, covered eventualities take part,
//! or it would be lost that they were left. Gastin and Oddoux merge these states after building both.

use indexmap::IndexSet;

use crate::alternating::{Alternating, Move};
use crate::automaton::{Automaton, Edge};
use crate::bits::Bits;
use crate::cube::Cube;
use crate::guards;
use crate::limits::{Meter, TooLarge};

/// The automaton with one mark for each eventuality.
pub(crate) fn generalised(alternating: &Alternating, meter: &mut Meter) -> Result<Automaton, TooLarge> {
    let eventualities: Bits = (0..alternating.states.len()).filter(|&s| alternating.states[s].eventuality).collect();
    let mut builder = Builder { alternating, meter, sets: IndexSet::new(), eventualities };
    let initial = alternating.initial.difference(&builder.covered(&alternating.initial));
    builder.number(initial)?;
    let mut states = Vec::new();
    let mut edges = 0;
    while states.len() < builder.sets.len() {
        let obligations = builder.sets[states.len()].clone();
        states.push(guards::merge_parallel(builder.edges_from(&obligations)?));
        edges += states.last().map_or(0, Vec::len);
        builder.meter.edges(edges)?;
    }
    Ok(Automaton { marks: builder.eventualities.len(), states })
}

/// A choice of a move for some of the obligations.
#[derive(Default)]
struct Choice {
    guard: Cube,
    obligations: Bits,
    /// The eventualities that the choice leaves; empty if it is transient.
    left: Bits,
    /// Whether an accepting run makes this choice only finitely often.
    transient: bool,
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
    sets: IndexSet<Bits>,
    /// The eventualities, which have marks.
    eventualities: Bits,
}

impl Builder<'_> {
    /// The edges of a set.
    fn edges_from(&mut self, obligations: &Bits) -> Result<Vec<Edge>, TooLarge> {
        let mut choices = vec![Choice::default()];
        let taking_part = obligations.union(&self.covered(obligations).intersection(&self.eventualities));
        let mut largest_first: Vec<usize> = taking_part.iter().collect();
        largest_first.reverse();
        for state in largest_first {
            choices = self.choices_with(&choices, state)?;
        }
        let mut candidates = Vec::new();
        for choice in choices {
            let marks = self.marks(&choice);
            let covered = self.covered(&choice.obligations);
            let (closure, core) = (choice.obligations.union(&covered), choice.obligations.difference(&covered));
            let new = Candidate { guard: choice.guard, marks, closure, core };
            self.meter.insert_minimal(&mut candidates, new, |x, y| {
                y.guard.implies(&x.guard) && x.core.is_subset(&y.closure) && y.marks.is_subset(&x.marks)
            })?;
        }
        let edge = |c: Candidate| Ok(Edge { target: self.number(c.core)?, marks: c.marks, guard: c.guard });
        candidates.into_iter().map(edge).collect()
    }

    /// Extends each choice by each move of one more obligation.
    fn choices_with(&mut self, choices: &[Choice], state: usize) -> Result<Vec<Choice>, TooLarge> {
        let mut extended = Vec::new();
        for choice in choices {
            for m in &self.alternating.states[state].moves {
                let Some(new) = self.choice_with(choice, state, m) else { continue };
                self.meter.insert_minimal(&mut extended, new, |x, y| {
                    y.guard.implies(&x.guard) && x.obligations.is_subset(&y.obligations) && y.left.is_subset(&x.left)
                })?;
            }
        }
        Ok(extended)
    }

    fn choice_with(&self, choice: &Choice, state: usize, m: &Move) -> Option<Choice> {
        let guard = choice.guard.and(&m.guard)?;
        let obligations = choice.obligations.union(&m.obligations);
        let stays = self.eventualities.contains(state) && m.obligations.contains(state);
        let leaves = self.eventualities.contains(state) && !m.obligations.contains(state);
        let transient = choice.transient || stays && !self.may_recur(state, &obligations);
        let mut left = if transient { Bits::default() } else { choice.left.clone() };
        if leaves && !transient {
            left.insert(state);
        }
        Some(Choice { guard, obligations, left, transient })
    }

    /// Whether some obligation may lead to a state again.
    fn may_recur(&self, state: usize, obligations: &Bits) -> bool {
        obligations.iter().any(|other| self.alternating.states[other].reaches.contains(state))
    }

    /// The marks of the edge that a complete choice makes.
    fn marks(&self, choice: &Choice) -> Bits {
        if choice.transient {
            return Bits::default();
        }
        let could_be_left = |state: usize| {
            let mut leaving = self.alternating.states[state].moves.iter().filter(|m| !m.obligations.contains(state));
            leaving.any(|m| choice.guard.implies(&m.guard) && m.obligations.is_subset(&choice.obligations))
        };
        let states = self.eventualities.iter().enumerate();
        states.filter(|&(_, s)| !choice.obligations.contains(s) || could_be_left(s)).map(|(mark, _)| mark).collect()
    }

    fn covered(&self, obligations: &Bits) -> Bits {
        obligations.iter().fold(Bits::default(), |covered, state| covered.union(&self.alternating.states[state].covers))
    }

    fn number(&mut self, obligations: Bits) -> Result<usize, TooLarge> {
        let (number, _) = self.sets.insert_full(obligations);
        self.meter.states(self.sets.len())?;
        Ok(number)
    }
}
