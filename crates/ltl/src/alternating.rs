//! The very weak alternating automaton of a term.
//!
//! A state is a subterm that a run may owe; a move reads a letter and leaves a set of states owed, all of them. It is
//! very weak: a move from a term leads to its proper subterms, or back to the term itself, so the only infinite
//! branches are those that stay in one state for ever. Staying is fine in a release and not in an until.
//!
//! Gastin and Oddoux keep only until, release, next and literals as states and split every disjunction at once. We
//! split the argument of `X` only one level deep and keep what is purely about one letter together, so
//! `X (p || q)` has one successor, not two.
//!
//! Moves are computed for all subterms bottom-up, conjunctions by products and disjunctions by unions, and only
//! minimal ones are kept: a move is dropped if another is possible under a weaker guard and owes no more.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::cube::Cube;
use crate::limits::{Meter, TooLarge};
use crate::term::{Term, Terms, View};

/// One way to read a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) guard: Cube,
    /// The states owed afterwards.
    pub(crate) owed: Bits,
}

/// An alternating automaton. A state is numbered after all that its moves owe, so moves lead down or stay.
pub(crate) struct Alternating {
    pub(crate) states: Vec<State>,
    /// The states owed at the start.
    pub(crate) initial: Bits,
}

/// A state of an alternating automaton.
pub(crate) struct State {
    pub(crate) moves: Vec<Move>,
    /// Whether a run may not stay here for ever.
    pub(crate) must_leave: bool,
    /// The other states that may be owed at some time because this one is.
    pub(crate) reaches: Bits,
    /// States that are owed anyway when this one is: each move of this one contains one of theirs. The release
    /// `x R (y && z)` covers `y` and `z`.
    pub(crate) covers: Bits,
}

impl Alternating {
    pub(crate) fn new(terms: &mut Terms, root: Term, meter: &mut Meter) -> Result<Self, TooLarge> {
        let mut builder = Builder::new(terms, meter);
        builder.add_moves(root)?;
        let initial = builder.owe(root)?;
        Ok(builder.finish(initial))
    }
}

/// A term about one letter as a disjunction of cubes.
pub(crate) fn cubes(terms: &mut Terms, term: Term, meter: &mut Meter) -> Result<Vec<Cube>, TooLarge> {
    debug_assert!(!terms.is_temporal(term), "the term speaks of one letter");
    let mut builder = Builder::new(terms, meter);
    builder.add_moves(term)?;
    Ok(builder.moves[&term].iter().map(|m| m.guard.clone()).collect())
}

struct Builder<'a> {
    terms: &'a mut Terms,
    /// The number of each term that is a state.
    numbers: BTreeMap<Term, usize>,
    moves: BTreeMap<Term, Vec<Move>>,
    /// How many moves there are.
    total: usize,
    meter: &'a mut Meter,
}

impl<'a> Builder<'a> {
    fn new(terms: &'a mut Terms, meter: &'a mut Meter) -> Self {
        Builder { terms, numbers: BTreeMap::new(), moves: BTreeMap::new(), total: 0, meter }
    }

    /// Computes the moves of a term and its subterms, where they are not known yet.
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
            View::True => vec![Move { guard: Cube::top(), owed: Bits::default() }],
            View::False => Vec::new(),
            View::Literal(atom, sign) => vec![Move { guard: Cube::literal(atom, sign), owed: Bits::default() }],
            View::And(children) => self.all_of(&children)?,
            View::Or(children) => self.any_of(&children)?,
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

    fn all_of(&mut self, children: &[Term]) -> Result<Vec<Move>, TooLarge> {
        let mut moves = vec![Move { guard: Cube::top(), owed: Bits::default() }];
        for child in children {
            moves = product(&moves, &self.moves[child], self.meter)?;
        }
        Ok(moves)
    }

    fn any_of(&mut self, children: &[Term]) -> Result<Vec<Move>, TooLarge> {
        let mut moves = Vec::new();
        for child in children {
            moves = union(moves, self.moves[child].clone(), self.meter)?;
        }
        Ok(moves)
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
        alternatives.into_iter().map(|a| Ok(Move { guard: Cube::top(), owed: self.owe(a)? })).collect()
    }

    /// The states that together mean the term.
    fn owe(&mut self, term: Term) -> Result<Bits, TooLarge> {
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
        let mut owed = moves.iter().fold(Bits::default(), |owed, m| owed.union(&m.owed));
        let must_leave = owed.contains(number) && matches!(self.terms.view(term), View::Until(..));
        owed.remove(number);
        let reaches = owed.iter().fold(owed.clone(), |reaches, state| reaches.union(&below[state].reaches));
        State { moves, must_leave, reaches, covers: self.covers(term, below) }
    }

    /// See [`State::covers`]; terms below have theirs already.
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

/// The same moves, owing a state again.
fn staying(state: usize, moves: &[Move]) -> Vec<Move> {
    let again = Bits::from_iter([state]);
    moves.iter().map(|m| Move { guard: m.guard.clone(), owed: m.owed.union(&again) }).collect()
}

fn product(a: &[Move], b: &[Move], meter: &mut Meter) -> Result<Vec<Move>, TooLarge> {
    let mut moves = Vec::new();
    for x in a {
        for y in b {
            if let Some(guard) = x.guard.and(&y.guard) {
                insert_minimal(&mut moves, Move { guard, owed: x.owed.union(&y.owed) }, meter)?;
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
    let dominates = |x: &Move, y: &Move| y.guard.implies(&x.guard) && x.owed.is_subset(&y.owed);
    meter.step(moves.len() + 1)?;
    if !moves.iter().any(|old| dominates(old, &new)) {
        moves.retain(|old| !dominates(&new, old));
        moves.push(new);
    }
    meter.edges(moves.len())
}
