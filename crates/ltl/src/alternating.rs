//! The very weak alternating automaton of a term.
//!
//! A state is a subterm that a run may be obliged to satisfy; a move reads a letter and leaves a set of obligations, all of
//! which must be met. It is very weak: a move leads to proper subterms or back to the same state, so an infinite branch
//! eventually stays in one state. A branch may stay for ever in a release, but not in an until (an *eventuality*).
//!
//! Gastin and Oddoux use only until, release, next and literals as states and split every disjunction. Here the operand of
//! `X` is split one level deep, and disjuncts about one letter stay together: `X (p || q)` has one successor.
//!
//! Moves of all subterms are computed bottom-up, conjunctions by products and disjunctions by unions. Only minimal moves
//! are kept: a move is dropped if another has a weaker guard and a subset of its obligations.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::cube::Cube;
use crate::limits::{Meter, TooLarge};
use crate::term::{Term, Terms, View};

/// A move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) guard: Cube,
    /// The states to be satisfied afterwards.
    pub(crate) obligations: Bits,
}

/// An alternating automaton. Moves lead to states of smaller or equal number.
pub(crate) struct Alternating {
    pub(crate) states: Vec<State>,
    /// The initial obligations.
    pub(crate) initial: Bits,
}

/// A state of an alternating automaton.
pub(crate) struct State {
    pub(crate) moves: Vec<Move>,
    /// An until, in which a run must not stay for ever.
    pub(crate) eventuality: bool,
    /// The other states that are reachable from this one.
    pub(crate) reaches: Bits,
    /// States implied by this one: each of its moves contains one of theirs. The release `x R (y && z)` covers `y` and
    /// `z`.
    pub(crate) covers: Bits,
}

impl Alternating {
    pub(crate) fn new(terms: &mut Terms, root: Term, meter: &mut Meter) -> Result<Self, TooLarge> {
        let mut builder = Builder::new(terms, meter);
        builder.add_moves(root)?;
        let initial = builder.obligations_of(root)?;
        Ok(builder.finish(initial))
    }
}

/// A term without temporal operators as a disjunction of cubes.
pub(crate) fn cubes(terms: &mut Terms, term: Term, meter: &mut Meter) -> Result<Vec<Cube>, TooLarge> {
    debug_assert!(!terms.is_temporal(term), "the term has no temporal operators");
    let mut builder = Builder::new(terms, meter);
    builder.add_moves(term)?;
    Ok(builder.moves[&term].iter().map(|m| m.guard.clone()).collect())
}

struct Builder<'a> {
    terms: &'a mut Terms,
    /// The number of each term that is a state.
    numbers: BTreeMap<Term, usize>,
    moves: BTreeMap<Term, Vec<Move>>,
    /// The number of moves.
    total: usize,
    meter: &'a mut Meter,
}

impl<'a> Builder<'a> {
    fn new(terms: &'a mut Terms, meter: &'a mut Meter) -> Self {
        Builder { terms, numbers: BTreeMap::new(), moves: BTreeMap::new(), total: 0, meter }
    }

    /// Computes the moves of a term and its subterms, unless they are known.
    fn add_moves(&mut self, term: Term) -> Result<(), TooLarge> {
        for subterm in self.terms.subterms(term) {
            if !self.moves.contains_key(&subterm) {
                let moves = self.moves_of(subterm)?;
                self.total += moves.len();
                self.meter.edges(self.total)?;
                self.moves.insert(subterm, moves);
            }
        }
        Ok(())
    }

    fn moves_of(&mut self, term: Term) -> Result<Vec<Move>, TooLarge> {
        Ok(match self.terms.view(term) {
            View::True => vec![Move { guard: Cube::top(), obligations: Bits::default() }],
            View::False => Vec::new(),
            View::Literal(atom, sign) => vec![Move { guard: Cube::literal(atom, sign), obligations: Bits::default() }],
            View::And(children) => {
                let all = vec![Move { guard: Cube::top(), obligations: Bits::default() }];
                children.iter().try_fold(all, |all, child| product(&all, &self.moves[child], self.meter))?
            }
            View::Or(children) => {
                children.iter().try_fold(Vec::new(), |any, child| union(any, self.moves[child].clone(), self.meter))?
            }
            View::Next(a) => self.after_next(a)?,
            View::Until(a, b) => {
                let stay = staying(self.number(term)?, &self.moves[&a]);
                union(self.moves[&b].clone(), stay, self.meter)?
            }
            View::Release(a, b) => {
                let stay = staying(self.number(term)?, &self.moves[&b]);
                let both = product(&self.moves[&a], &self.moves[&b], self.meter)?;
                union(both, stay, self.meter)?
            }
        })
    }

    fn after_next(&mut self, a: Term) -> Result<Vec<Move>, TooLarge> {
        let alternatives = match self.terms.view(a) {
            View::Or(children) => {
                let (mut split, now): (Vec<_>, Vec<_>) =
                    children.into_iter().partition(|&child| self.terms.is_temporal(child));
                if let Some(now) = now.into_iter().reduce(|x, y| self.terms.or(x, y)) {
                    self.add_moves(now)?;
                    split.push(now);
                }
                split
            }
            _ => vec![a],
        };
        alternatives
            .into_iter()
            .map(|a| Ok(Move { guard: Cube::top(), obligations: self.obligations_of(a)? }))
            .collect()
    }

    /// The states whose conjunction is the term.
    fn obligations_of(&mut self, term: Term) -> Result<Bits, TooLarge> {
        self.terms.conjuncts(term).into_iter().map(|conjunct| self.number(conjunct)).collect()
    }

    fn number(&mut self, term: Term) -> Result<usize, TooLarge> {
        let fresh = self.numbers.len();
        let number = *self.numbers.entry(term).or_insert(fresh);
        self.meter.states(self.numbers.len())?;
        Ok(number)
    }

    fn finish(self, initial: Bits) -> Alternating {
        let mut terms: Vec<(usize, Term)> = self.numbers.iter().map(|(&term, &number)| (number, term)).collect();
        terms.sort_unstable();
        let mut states = Vec::new();
        for (_, term) in terms {
            states.push(self.state(term, &states));
        }
        Alternating { states, initial }
    }

    fn state(&self, term: Term, below: &[State]) -> State {
        let number = below.len();
        let moves = self.moves[&term].clone();
        let mut obligations = moves.iter().fold(Bits::default(), |obligations, m| obligations.union(&m.obligations));
        let eventuality = obligations.contains(number) && matches!(self.terms.view(term), View::Until(..));
        obligations.remove(number);
        let reaches =
            obligations.iter().fold(obligations.clone(), |reaches, state| reaches.union(&below[state].reaches));
        State { moves, eventuality, reaches, covers: self.covers(term, below) }
    }

    /// See [`State::covers`]; those of smaller states are known.
    fn covers(&self, term: Term, below: &[State]) -> Bits {
        let View::Release(_, b) = self.terms.view(term) else { return Bits::default() };
        let mut covers = Bits::default();
        for conjunct in self.terms.conjuncts(b) {
            if let Some(&number) = self.numbers.get(&conjunct).filter(|&&number| number < below.len()) {
                covers.insert(number);
                covers = covers.union(&below[number].covers);
            }
        }
        covers
    }
}

/// The moves with the obligation to stay in a state.
fn staying(state: usize, moves: &[Move]) -> Vec<Move> {
    let again = Bits::from_iter([state]);
    moves.iter().map(|m| Move { guard: m.guard.clone(), obligations: m.obligations.union(&again) }).collect()
}

fn product(a: &[Move], b: &[Move], meter: &mut Meter) -> Result<Vec<Move>, TooLarge> {
    let mut moves = Vec::new();
    for x in a {
        for y in b {
            if let Some(guard) = x.guard.and(&y.guard) {
                insert_minimal(&mut moves, Move { guard, obligations: x.obligations.union(&y.obligations) }, meter)?;
            }
        }
    }
    Ok(moves)
}

fn union(mut a: Vec<Move>, b: Vec<Move>, meter: &mut Meter) -> Result<Vec<Move>, TooLarge> {
    for m in b {
        insert_minimal(&mut a, m, meter)?;
    }
    Ok(a)
}

fn insert_minimal(moves: &mut Vec<Move>, new: Move, meter: &mut Meter) -> Result<(), TooLarge> {
    meter.insert_minimal(moves, new, |x, y| y.guard.implies(&x.guard) && x.obligations.is_subset(&y.obligations))
}
