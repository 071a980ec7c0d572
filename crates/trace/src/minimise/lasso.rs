//! Lassos, and the claim on their cycles.
//!
//! A claim goes around a cycle along with the system, but it may take several turns to come back to its own location.
//! One turn is a relation between the claim's locations: from where to where it can get, with or without an accepting
//! position on the way. From the closure of that relation follows from which locations the cycle is accepted, and going
//! backwards along the cycle, from which locations at every position of it. So the states of a cycle need not be kept,
//! and the work is linear in its length, where [`crate::judge`] looks at every position anew. What it says is
//! believed only while candidates are compared; the final trace is judged like any other.

use crate::Question;
use lurcher_ir::LocationId;
use lurcher_system::{Interpreter, Move, ProcessId};

use crate::minimise::quest::Position;
use crate::minimise::script::movers;

/// A run that goes on for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lasso {
    pub moves: Vec<Move>,
    /// Moves before the cycle; all of them when the run stops and stays where it is.
    pub cycle_start: usize,
}

impl Lasso {
    pub fn prefix(&self) -> &[Move] {
        &self.moves[..self.cycle_start]
    }

    pub fn cycle(&self) -> &[Move] {
        &self.moves[self.cycle_start..]
    }

    /// Steps, prefix and cycle.
    pub fn length(&self) -> u32 {
        self.moves.iter().map(Move::length).sum()
    }
}

/// A place on a cycle where no atomic chain is under way.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Moves of the cycle before it.
    pub index: usize,
    pub state_print: u64,
    /// Where the claim may be for the cycle to be accepted from here.
    pub good: Vec<LocationId>,
}

/// What one turn of the claim does, from each of its locations.
type Turn = Vec<Vec<usize>>;

/// Goes around a cycle that starts at a position. None when that is not possible, is not a cycle, violates something, or
/// neglects a process although it must not.
pub(crate) fn survey(
    interpreter: &Interpreter<'_>,
    question: &Question,
    start: &Position,
    cycle: &[Move],
    fair: bool,
) -> Option<Vec<Place>> {
    let mut state = start.state.clone();
    let mut watch = Neglect::new(interpreter, fair);
    let mut places = Vec::new();
    let mut turns: Vec<(Turn, bool)> = Vec::new();
    for (index, step) in cycle.iter().enumerate() {
        watch.look(&state, step);
        if state.exclusive.is_none() {
            let position = Position { state: state.clone(), claim: Vec::new() };
            places.push(Place { index, state_print: position.state_print(), good: Vec::new() });
            turns.push((
                targets(interpreter, question, &position, step.timeout, false),
                accepts(interpreter, question, &position),
            ));
        }
        let mut possible = Vec::new();
        if step.timeout {
            interpreter.moves(&state, &mut possible);
        } else if step.process.0 < state.process_count() {
            interpreter.moves_of(&state, step.process, &mut possible);
        }
        if !possible.contains(step) || interpreter.apply(&mut state, step).is_some() {
            return None;
        }
    }
    if state != start.state || places.first().is_none_or(|p| p.index > 0) || watch.neglects() {
        return None;
    }
    let good = good_locations(interpreter, question, &turns);
    for (place, good) in places.iter_mut().zip(good) {
        place.good = good.iter().enumerate().filter(|(_, g)| **g).map(|(l, _)| LocationId(l as u16)).collect();
    }
    (!places[0].good.is_empty()).then_some(places)
}

/// Does the claim accept that a state in which nothing can move stays as it is?
pub(crate) fn stays_accepted(interpreter: &Interpreter<'_>, question: &Question, position: &Position) -> bool {
    // The claim's first look at the state is like any other; from the second on, the system stays.
    let first = targets(interpreter, question, position, true, false);
    let turn = targets(interpreter, question, position, true, true);
    let good = good_locations(interpreter, question, &[(turn, accepts(interpreter, question, position))]);
    is_good(question, position, |l| first[l.0 as usize].iter().any(|&to| good[0][to]))
}

/// Is the claim, where it can be, at a location that is good?
pub(crate) fn is_good(question: &Question, position: &Position, good: impl Fn(LocationId) -> bool) -> bool {
    match question.claim {
        Some(_) => position.claim.iter().any(|&l| good(l)),
        None => good(LocationId(0)),
    }
}

fn location_count(interpreter: &Interpreter<'_>, question: &Question) -> usize {
    question.claim.map_or(1, |id| interpreter.model().process_type(id).locations.len())
}

/// Where the claim can go from each of its locations.
fn targets(
    interpreter: &Interpreter<'_>,
    question: &Question,
    position: &Position,
    timeout: bool,
    stopped: bool,
) -> Turn {
    let Some(claim) = question.claim else { return vec![vec![0]] };
    let of = |l: usize| {
        let steps = interpreter.claim_steps(&position.state, claim, LocationId(l as u16), timeout, stopped);
        steps.unwrap_or_default().into_iter().map(|s| s.target.0 as usize).collect()
    };
    (0..location_count(interpreter, question)).map(of).collect()
}

/// Do the system's own locations make this position accepting?
fn accepts(interpreter: &Interpreter<'_>, question: &Question, position: &Position) -> bool {
    !question.claim_alone && interpreter.any_location(&position.state, |l| l.accept)
}

/// For every place of a cycle: the locations of the claim from which it is accepted.
fn good_locations(interpreter: &Interpreter<'_>, question: &Question, turns: &[(Turn, bool)]) -> Vec<Vec<bool>> {
    let count = location_count(interpreter, question);
    let accepting = |l: usize| {
        question.claim.is_some_and(|id| interpreter.model().process_type(id).location(LocationId(l as u16)).accept)
    };
    // Where a turn leads: 0 nowhere, 1 there, 3 there by way of an accepting position.
    let mut reach = vec![vec![0u8; count]; count];
    for (from, row) in reach.iter_mut().enumerate() {
        let mut here = vec![0u8; count];
        here[from] = 1;
        for (turn, system) in turns {
            let mut next = vec![0u8; count];
            for l in (0..count).filter(|&l| here[l] > 0) {
                let seen = if *system || accepting(l) { 3 } else { here[l] };
                turn[l].iter().for_each(|&target| next[target] |= seen);
            }
            here = next;
        }
        *row = here;
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                if reach[from][via] > 0 && reach[via][to] > 0 {
                    reach[from][to] |= reach[from][via] | reach[via][to];
                }
            }
        }
    }
    let comes_back = |l: usize| reach[l][l] == 3;
    let mut good: Vec<bool> =
        (0..count).map(|l| comes_back(l) || (0..count).any(|m| reach[l][m] > 0 && comes_back(m))).collect();
    let mut all = Vec::new();
    for (turn, _) in turns.iter().rev() {
        good = turn.iter().map(|targets| targets.iter().any(|&t| good[t])).collect();
        all.push(good.clone());
    }
    all.reverse();
    all
}

/// Notes which processes a cycle neglects: those that never move in it though they always could.
struct Neglect<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    fair: bool,
    /// Of each process: it moved, or could not.
    served: Vec<bool>,
    moves: Vec<Move>,
}

impl<'i, 'm> Neglect<'i, 'm> {
    fn new(interpreter: &'i Interpreter<'m>, fair: bool) -> Self {
        Neglect { interpreter, fair, served: Vec::new(), moves: Vec::new() }
    }

    fn look(&mut self, state: &lurcher_system::State, step: &Move) {
        if !self.fair {
            return;
        }
        let count = state.process_count() as usize;
        self.served.resize(self.served.len().max(count), false);
        movers(step).for_each(|p| self.served[p.0 as usize] = true);
        if state.exclusive.is_none() {
            self.interpreter.moves(state, &mut self.moves);
            for id in (0..self.served.len() as u16).map(ProcessId) {
                self.served[id.0 as usize] |= !self.moves.iter().any(|m| m.process == id);
            }
        }
    }

    fn neglects(&self) -> bool {
        self.served.contains(&false)
    }
}
