//! The successors of one state, read off the diagrams.
//!
//! A walk asks for the image of a single state at every step. Products of diagrams are made for sets; for one state it is
//! enough to follow each conjunct of a step down: where it asks a current bit, the state answers, and where it asks a next bit or an
//! input, both answers are tried. This takes copies of the conjuncts, so the order of the bits must not change after.

use std::collections::BTreeMap;

use oxidd::VarNo;
use rustc_hash::FxHashMap;

use crate::encode::Encoding;
use crate::sets::Diagram;

/// Answers that are tried for one state before its image is made as a set instead.
const MOST_TRIES: usize = 20_000;

/// The steps of an encoding, for one state at a time.
pub(super) struct Successors {
    steps: Vec<Copied>,
    invariant: Diagram,
    /// Where each bit stands in the order of the diagrams.
    place: FxHashMap<VarNo, u32>,
}

/// A state after another.
pub(super) struct Successor {
    pub state: Vec<i64>,
    /// The state before it, with inputs by which it follows; as bits in the order of the diagrams.
    moment: Vec<bool>,
}

/// A step.
struct Copied {
    conjuncts: Vec<Diagram>,
    /// The places that matter, from the top.
    places: Vec<(u32, Role)>,
}

#[derive(Clone, Copy)]
enum Role {
    /// A current bit.
    Now,
    /// A next bit, and the place of the same bit now.
    Next(u32),
    Input,
}

/// A search through one step.
struct Search<'s> {
    step: &'s Copied,
    /// Current bits by place, and inputs as far as they were tried.
    now: Vec<bool>,
    after: Vec<bool>,
    /// What was found, each with one of the moments that lead there.
    found: &'s mut BTreeMap<Vec<bool>, Vec<bool>>,
    tries: usize,
}

impl Successors {
    pub fn new(encoding: &Encoding<'_>) -> Successors {
        let bits: Vec<VarNo> = (0..encoding.layout.bits() as VarNo).collect();
        let invariant = Diagram::of(encoding.invariant(), &bits);
        let place: FxHashMap<VarNo, u32> = invariant.order().iter().zip(0..).map(|(&b, place)| (b, place)).collect();
        let copied = |step: &crate::encode::Step| {
            let conjuncts: Vec<Diagram> = step.conjuncts().map(|c| Diagram::of(c, &bits)).collect();
            let mut roles: FxHashMap<u32, Role> = FxHashMap::default();
            let asked = conjuncts.iter().flat_map(Diagram::asked);
            roles.extend(asked.map(|place| (place, Role::Now)));
            roles.extend(
                encoding
                    .input_bits
                    .iter()
                    .filter_map(|b| {
                        let at = place[b];
                        roles.contains_key(&at).then_some((at, Role::Input))
                    })
                    .collect::<Vec<_>>(),
            );
            for &v in &step.touched {
                let pairs = encoding.layout.next(v).iter().zip(encoding.layout.now(v));
                roles.extend(pairs.map(|(next, now)| (place[next], Role::Next(place[now]))));
            }
            let mut places: Vec<(u32, Role)> = roles.into_iter().collect();
            places.sort_unstable_by_key(|&(place, _)| place);
            Copied { conjuncts, places }
        };
        Successors { steps: encoding.steps.iter().map(copied).collect(), place, invariant }
    }

    /// The states after one, in a fixed order; nothing if there are more than `most`, or too many ways to try.
    pub fn of(&self, encoding: &Encoding<'_>, state: &[i64], most: usize) -> Option<Vec<Successor>> {
        let mut now = vec![false; self.place.len()];
        for (bit, set) in encoding.bits_of(state, false) {
            now[self.place[&bit] as usize] = set;
        }
        let mut found = BTreeMap::new();
        let mut tries = 0;
        for step in &self.steps {
            let at: Vec<u32> = step.conjuncts.iter().map(Diagram::root).collect();
            let mut search = Search { step, now: now.clone(), after: now.clone(), found: &mut found, tries };
            search.follow(0, &at);
            tries = search.tries;
            if tries > MOST_TRIES || found.len() > most {
                return None;
            }
        }
        found.retain(|after, _| self.invariant.holds_at(after));
        let successor =
            |(after, moment): (Vec<bool>, Vec<bool>)| Successor { state: self.decode(encoding, &after), moment };
        Some(found.into_iter().map(successor).collect())
    }

    /// The state that a successor follows, with inputs by which it does.
    pub fn moment(&self, encoding: &Encoding<'_>, successor: &Successor) -> Vec<i64> {
        self.decode(encoding, &successor.moment)
    }

    fn decode(&self, encoding: &Encoding<'_>, bits: &[bool]) -> Vec<i64> {
        encoding.decode(|bit| bits[self.place[&bit] as usize])
    }
}

impl Search<'_> {
    fn follow(&mut self, from: usize, at: &[u32]) {
        let mut at = at.to_vec();
        for (index, &(place, role)) in self.step.places.iter().enumerate().skip(from) {
            if at.contains(&0) || self.tries > MOST_TRIES {
                return;
            }
            let asked = || self.step.conjuncts.iter().zip(&at).any(|(c, &node)| c.asks(node, place));
            match role {
                Role::Now => self.answer(&mut at, place, self.now[place as usize]),
                Role::Input if !asked() => {}
                Role::Input | Role::Next(_) => {
                    self.tries += 1;
                    for value in [false, true] {
                        let mut other = at.clone();
                        self.answer(&mut other, place, value);
                        match role {
                            Role::Next(now) => self.after[now as usize] = value,
                            _ => self.now[place as usize] = value,
                        }
                        self.follow(index + 1, &other);
                    }
                    return;
                }
            }
        }
        if at.iter().all(|&node| node == 1) {
            self.found.entry(self.after.clone()).or_insert_with(|| self.now.clone());
        }
    }

    /// Goes on in each conjunct that asks a bit.
    fn answer(&self, at: &mut [u32], place: u32, value: bool) {
        for (conjunct, node) in self.step.conjuncts.iter().zip(at) {
            if conjunct.asks(*node, place) {
                *node = conjunct.answered(*node, value);
            }
        }
    }
}
