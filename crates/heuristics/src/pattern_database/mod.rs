//! Pattern databases: exact distances in an abstract model, looked up by projection.
//!
//! Bui's thesis (sections 5.2 and 7.3, after Qian and Nymeyer's AGMC and Edelkamp's pattern databases) drops *weak*
//! variables, those farthest from the property in the dependency layers, until the abstract model is small enough to be
//! explored completely, and stores for each abstract state its distance to an abstract violation. The value of a state is
//! the distance of its projection.
//!
//! The abstraction only adds behaviour: a dropped variable can have any value, a guard that depends on it can be true or
//! false, a dropped process can act at any moment (see `moves.rs`). So each run of the model has an abstract run of at most
//! the same length: the heuristic is admissible.
//!
//! Departures from the source: it works symbolically, with the variables left free; here the abstract states are listed, so
//! a variable that would take too many values because its inputs were dropped is dropped as well. Bisection over the order
//! of the variables finds how many can be kept, instead of dropping one at a time.

mod abstract_model;
mod effect;
mod explore;
mod facts;
mod key;
mod messages;
mod moves;
mod order;
mod pattern;
mod text;
mod value;

use std::collections::{BTreeSet, HashSet};

use lurcher_ir::LocationId;
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Interpreter, State};
use rustc_hash::FxHashMap;

use crate::goals::Target;
use abstract_model::{AbstractModel, Obstacle};
use explore::explore;
use facts::Facts;
use key::Coder;
use pattern::{Item, Pattern};

/// Settings of a pattern database.
#[derive(Clone, Debug)]
pub struct PatternSettings {
    /// The most abstract states.
    pub states: usize,
    /// Names of items that are always dropped: a variable, an element `a[2]`, a local `P[0].x` or all of them `P.x`, a
    /// location `P[1].location`, a channel's `c.messages` or `c.length`.
    pub drop: Vec<String>,
}

impl Default for PatternSettings {
    fn default() -> Self {
        PatternSettings { states: 20_000, drop: Vec::new() }
    }
}

/// A pattern database.
#[derive(Debug)]
pub struct PatternDatabase<'m> {
    facts: Box<Facts<'m>>,
    target: Target,
    pattern: Pattern,
    coder: Coder,
    distances: FxHashMap<u128, u32>,
    /// The value of states from which no violation is reachable.
    far: u32,
}

/// Why there is no pattern database.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// The model has no initial state.
    NoInitialState,
    /// The model has no item of this name.
    UnknownName(String),
    /// Even with everything dropped there are too many abstract states.
    TooLarge,
}

impl std::fmt::Display for PatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PatternError::NoInitialState => write!(f, "the model has no initial state"),
            PatternError::UnknownName(name) => write!(f, "nothing to drop is called `{name}`"),
            PatternError::TooLarge => write!(f, "the abstract model is too large even with everything dropped"),
        }
    }
}

impl std::error::Error for PatternError {}

/// A pattern with the coding of its abstract states, their distances by key, and the value of unreachable violations.
type Explored = (Pattern, Coder, FxHashMap<u128, u32>, u32);

impl<'m> PatternDatabase<'m> {
    /// Builds a database. The interpreter must be of the model with the claim of the target, if it has one.
    pub fn build(
        interpreter: &Interpreter<'m>,
        target: &Target,
        settings: &PatternSettings,
    ) -> Result<Self, PatternError> {
        let facts = Box::new(Facts::new(interpreter).ok_or(PatternError::NoInitialState)?);
        let dropped = named(&facts, &settings.drop)?;
        let mut order = order::ordered(&facts, target);
        order.retain(|i| !dropped.contains(i));
        let attempt = |count: usize| explore_items(&facts, target, &order[..count], settings.states);
        let mut best = attempt(order.len());
        if best.is_none() {
            let (mut fits, mut fails) = (0, order.len());
            best = attempt(0);
            while best.is_some() && fails - fits > 1 {
                let middle = fits.midpoint(fails);
                match attempt(middle) {
                    Some(found) => (best, fits) = (Some(found), middle),
                    None => fails = middle,
                }
            }
        }
        let (pattern, coder, distances, far) = best.ok_or(PatternError::TooLarge)?;
        Ok(PatternDatabase { facts, target: target.clone(), pattern, coder, distances, far })
    }

    /// Number of abstract states.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Whether there is no abstract state.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// Names of the kept items.
    pub fn kept(&self) -> Vec<String> {
        self.pattern.items.iter().map(|i| i.name(&self.facts)).collect()
    }

    /// Names of the dropped items, among those that can change.
    pub fn dropped(&self) -> Vec<String> {
        let dropped = order::all(&self.facts).into_iter().filter(|i| !self.pattern.items.contains(i));
        dropped.map(|i| i.name(&self.facts)).collect()
    }

    /// The distance of the projection of a state; none if it is not in the database, which no reachable state is.
    pub fn look_up(&self, state: &State, claim: LocationId) -> Option<u32> {
        let mut key = Some(0);
        self.pattern.project(&self.facts, state, claim, |at, value| self.coder.push(&mut key, at, value));
        self.distances.get(&key?).copied()
    }
}

/// Explores the pattern that keeps some items, without those that turn out to take too many values.
fn explore_items(facts: &Facts<'_>, target: &Target, items: &[Item], limit: usize) -> Option<Explored> {
    let mut kept: Vec<Item> = items.to_vec();
    let mut created = BTreeSet::new();
    loop {
        let model = AbstractModel::new(facts, target, Pattern::new(facts, &kept), created.clone());
        match explore(&model, limit) {
            Ok((states, distances)) => {
                let pattern = model.pattern;
                let coder = Coder::new((0..pattern.width).map(|at| states.iter().map(|s| s[at]).collect()))?;
                let far = distances.iter().flatten().max().map_or(1, |d| d + 1);
                let entry = |(state, distance): (&Vec<i32>, &Option<u32>)| {
                    Some((coder.encode(state)?, distance.unwrap_or(far)))
                };
                let distances = states.iter().zip(&distances).filter_map(entry).collect();
                return Some((pattern, coder, distances, far));
            }
            Err(Obstacle::Drop(weak)) => {
                let without_length = |i: &Item| matches!(i, Item::Messages(id) if weak.contains(&Item::Length(*id)));
                kept.retain(|i| !weak.contains(i) && !without_length(i));
            }
            Err(Obstacle::Created(ty)) => {
                created.insert(ty);
            }
            Err(Obstacle::TooLarge) => return None,
        }
    }
}

/// The items that some names denote.
fn named(facts: &Facts<'_>, names: &[String]) -> Result<HashSet<Item>, PatternError> {
    let all: Vec<(Item, String)> = order::all(facts).into_iter().map(|i| (i, i.name(facts))).collect();
    let mut found = HashSet::new();
    for name in names {
        let of_all = |full: &str| match (full.split_once('['), name.split_once('.')) {
            (Some((head, tail)), Some((process, local))) => {
                head == process && tail.split_once("].").is_some_and(|(_, l)| l == local)
            }
            _ => false,
        };
        let is =
            |full: &str| full == name || full.strip_prefix(name.as_str()).is_some_and(|r| r.starts_with(['[', '.']));
        let before = found.len();
        found.extend(all.iter().filter(|(_, full)| is(full) || of_all(full)).map(|(i, _)| *i));
        if found.len() == before {
            return Err(PatternError::UnknownName(name.clone()));
        }
    }
    // The messages of a channel cannot be kept without their number.
    let messages = |i: &Item| if let Item::Length(c) = i { Some(Item::Messages(*c)) } else { None };
    let messages: Vec<Item> = found.iter().filter_map(messages).collect();
    found.extend(messages);
    Ok(found)
}

impl Guidance for PatternDatabase<'_> {
    fn scores(&self) -> Scores {
        Scores::States
    }

    fn max(&self) -> u32 {
        self.far
    }

    fn of_state(&self, state: &State, claim: LocationId) -> u32 {
        self.look_up(state, claim).unwrap_or(self.far)
    }
}
