//! Pattern databases: exact distances in an abstract model, looked up by projection.
//!
//! Bui's thesis (sections 5.2 and 7.3, after Qian and Nymeyer's AGMC and Edelkamp's pattern databases) drops *weak*
//! variables, those farthest from the property in the dependency layers, until the abstract model is small enough to
//! be searched completely, and stores for each abstract state its distance to an abstract violation. A state is worth
//! what its projection is worth.
//!
//! The abstraction only adds behaviour: what was dropped can have any value, guards that depend on it can be true or
//! false, dropped processes can act at any moment (see `moves.rs`). So each run of the model has an abstract run of
//! the same length or shorter, and the estimate never exceeds the true distance: it is admissible.
//!
//! Where we depart from the source: it works symbolically, with the variables left free; here the abstract states are
//! listed one by one, so a variable that would take too many values because what it is computed from was dropped is
//! dropped as well. How many variables can stay is found by bisection over their order instead of dropping one at a
//! time.

mod abstraction;
mod choose;
mod effect;
mod explore;
mod facts;
mod key;
mod messages;
mod moves;
mod pattern;
mod sequence;
mod text;
mod value;

use std::collections::{BTreeSet, HashSet};

use lurcher_ir::{LocationId, Model, ProcessTypeId};
use lurcher_search::{Guidance, Scores};
use lurcher_system::{Interpreter, ProcessId, State};
use rustc_hash::FxHashMap;

use crate::goals::Target;
use abstraction::{Abstraction, Obstacle};
use explore::{Explored, explore};
use facts::Facts;
use key::Coder;
use pattern::{Item, Pattern};
pub use text::LoadError;

/// How a pattern database is made.
#[derive(Clone, Debug)]
pub struct PatternSettings {
    /// The most abstract states.
    pub states: usize,
    /// Names of what is dropped in any case: a variable, an element `a[2]`, a local `P[0].x` or all of them `P.x`, a
    /// location `P[1].location`, a channel's `c.messages` or `c.length`.
    pub drop: Vec<String>,
}

impl Default for PatternSettings {
    fn default() -> Self {
        PatternSettings { states: 20_000, drop: Vec::new() }
    }
}

/// A pattern database in use.
#[derive(Debug)]
pub struct PatternDatabase<'m> {
    interpreter: Interpreter<'m>,
    target: Target,
    facts: Box<Facts>,
    types: Vec<Option<ProcessTypeId>>,
    pattern: Box<Pattern>,
    coder: Coder,
    distances: FxHashMap<u128, u32>,
    far: u32,
}

/// Why there is no pattern database.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// The model cannot start.
    NoInitialState,
    /// Nothing of the model has this name.
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

impl<'m> PatternDatabase<'m> {
    /// Makes a database. The interpreter must be of the model with the claim of the target, if it has one.
    pub fn build(
        interpreter: &Interpreter<'m>,
        target: &Target,
        settings: &PatternSettings,
    ) -> Result<Self, PatternError> {
        let initial = interpreter.initial().map_err(|_| PatternError::NoInitialState)?;
        let model = interpreter.model();
        let types = choose::types(interpreter, &initial);
        let facts = Box::new(Facts::new(model));
        let dropped = named(model, &facts, &types, &settings.drop)?;
        let mut order = choose::ordered(model, &facts, &types, target);
        order.retain(|i| !dropped.contains(i));
        let attempt = |count: usize| -> Option<(Pattern, Coder, Explored)> {
            try_items(interpreter, &facts, target, &types, &order[..count], &initial, settings.states)
        };
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
        let (pattern, coder, explored) = best.ok_or(PatternError::TooLarge)?;
        let far = explored.distances.iter().flatten().max().map_or(1, |d| d + 1);
        let entries = explored.states.iter().zip(&explored.distances);
        let distance =
            |(state, distance): (&Vec<i32>, &Option<u32>)| Some((coder.encode(state)?, distance.unwrap_or(far)));
        let distances = entries.filter_map(distance).collect();
        Ok(PatternDatabase {
            interpreter: interpreter.clone(),
            target: target.clone(),
            facts,
            types,
            pattern: Box::new(pattern),
            coder,
            distances,
            far,
        })
    }

    /// Never larger than the number of steps to a violation of the target: always so.
    pub fn admissible(&self) -> bool {
        true
    }

    /// What it leads to.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Number of abstract states.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Is there no abstract state?
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// Names of what is kept.
    pub fn kept(&self) -> Vec<String> {
        let model = self.interpreter.model();
        self.pattern.items.iter().map(|i| i.name(model, &self.facts, &self.types)).collect()
    }

    /// Names of what was dropped, among all that can change.
    pub fn dropped(&self) -> Vec<String> {
        let model = self.interpreter.model();
        let all = choose::all(model, &self.facts, &self.types).into_iter();
        let kept: HashSet<Item> = self.pattern.items.iter().copied().collect();
        all.filter(|i| !kept.contains(i)).map(|i| i.name(model, &self.facts, &self.types)).collect()
    }

    /// The distance of the projection of a state; none when it is not in the database, which cannot happen to a
    /// reachable state.
    pub fn look_up(&self, state: &State, claim: LocationId) -> Option<u32> {
        let mut key = self.coder.start();
        let (model, layout) = (self.interpreter.model(), self.interpreter.layout());
        self.pattern.project(model, layout, state, claim, |at, value| self.coder.push(&mut key, at, value));
        self.distances.get(&key.done()?).copied()
    }
}

/// Tries a choice of items, without those that turn out to take too many values.
fn try_items(
    interpreter: &Interpreter<'_>,
    facts: &Facts,
    target: &Target,
    types: &[Option<ProcessTypeId>],
    items: &[Item],
    initial: &State,
    limit: usize,
) -> Option<(Pattern, Coder, Explored)> {
    let mut kept: Vec<Item> = items.to_vec();
    let mut created = BTreeSet::new();
    loop {
        let pattern = Pattern::new(interpreter.model(), facts, types, &kept);
        let abstraction = Abstraction::new(interpreter, facts, target, pattern, created.clone(), initial.clone());
        match explore(&abstraction, limit) {
            Ok(explored) => {
                let pattern = abstraction.pattern;
                let coder = Coder::new(&explored.states, pattern.width)?;
                return Some((pattern, coder, explored));
            }
            Err(Obstacle::Drop(weak)) => {
                let lengths_too = |i: &Item| matches!(i, Item::Messages(id) if weak.contains(&Item::Length(*id)));
                kept.retain(|i| !weak.contains(i) && !lengths_too(i));
            }
            Err(Obstacle::Ghost(ty)) => {
                created.insert(ty);
            }
            Err(Obstacle::TooLarge) => return None,
        }
    }
}

/// The items that names mean.
fn named(
    model: &Model,
    facts: &Facts,
    types: &[Option<ProcessTypeId>],
    names: &[String],
) -> Result<HashSet<Item>, PatternError> {
    let all: Vec<(Item, String)> =
        choose::all(model, facts, types).into_iter().map(|i| (i, i.name(model, facts, types))).collect();
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
    let lengths: Vec<u16> =
        found.iter().filter_map(|i| if let Item::Length(c) = i { Some(*c) } else { None }).collect();
    found.extend(lengths.into_iter().map(Item::Messages));
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

    fn of_step(&self, state: &State, claim: LocationId, _: ProcessId, _: u16) -> u32 {
        self.of_state(state, claim)
    }
}
