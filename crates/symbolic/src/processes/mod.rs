//! Process models as relations.
//!
//! Every process number that was ever seen in use gets a *slot*: a variable for the location of the process, 0 while
//! there is none, and one for each value of its frame; so do channels. Each thing that a process can do, with each
//! partner and each place it can touch, is a transition of its own in which everything else keeps its value. What an
//! [`Interpreter`] does step by step is done here on terms: a `Case` says under which
//! condition, and with which new values, a statement is over.
//!
//! Which slots are needed is found by walking the model at random (`survey.rs`); a process that would be created
//! outside them makes the variable `beyond` true instead. As long as no reachable state has it true, nothing is
//! missing; [`Translation::beyond`] is to be checked before anything else is believed.
//!
//! Not translated, and refused by name: priorities, event traces, `_last`, `enabled`, hidden variables, process numbers
//! that different types use, loops in `d_step` that do not end by themselves, receives that watch a rendezvous half done,
//! claims that do more than ask.

mod action;
mod claim;
mod d_step;
mod expr;
mod follow;
mod frames;
mod message;
mod rendezvous;
mod state_map;
mod steps;
mod survey;

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use lurcher_ir::relation::{Relation, TermId, Terms, VariableId};
use lurcher_ir::{Expr, Model};
use lurcher_search::Claim;
use lurcher_syntax::Span;
use lurcher_system::{Interpreter, Move};

use crate::trace::Trace;
use claim::Watcher;
pub use state_map::StateMap;

/// Why a model cannot be translated, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

fn refuse<T>(what: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(what.into()))
}

/// A process model as a relation.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The relation.
    pub relation: Relation,
    /// True where nobody holds exclusive control: in the states that count as stored.
    pub stored: TermId,
    /// True where no process can move, and not all may rest where they are.
    pub stuck: TermId,
    /// True where something was left out. If it is reachable, nothing else that is found means anything.
    pub beyond: TermId,
    /// Where a step would violate an assertion or meet a fault.
    pub violations: Vec<Violation>,
    /// Where each of the expressions that were asked for is false.
    pub broken: Vec<TermId>,
    /// True where the claim comes to its end.
    pub claim_ended: TermId,
    /// Where each process stands.
    pub locations: Vec<TermId>,
    /// What its variables stand for.
    pub map: StateMap,
}

/// What processes do along a run of the relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessRun {
    /// Their moves.
    pub moves: Vec<Move>,
    /// For an infinite run: after the last move comes this one again. A run that stops and stays has no move there.
    pub cycle_start: Option<usize>,
    /// What the last move violates. A run that passes a violation on its way ends there.
    pub violation: Option<lurcher_system::Violation>,
}

impl Translation {
    /// What the processes do along a run of the relation; with `wrong`, one more move that violates something.
    pub fn follow(&self, interpreter: &Interpreter<'_>, trace: &Trace, wrong: bool) -> Option<ProcessRun> {
        self.map.follow(interpreter, trace, wrong)
    }
}

/// How a step goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// An assertion fails.
    Assertion,
    /// A division by zero, an index out of bounds, a message of the wrong length, a `d_step` that blocks.
    Fault,
}

/// A step that would go wrong.
#[derive(Clone, Debug)]
pub struct Violation {
    /// How.
    pub wrong: Wrong,
    /// Where in the source.
    pub span: Span,
    /// True in the states where the step is possible and goes wrong.
    pub condition: TermId,
}

/// Bytes of global variables from which a model is not worth being measured.
const LARGE: u32 = 1 << 16;

/// Says whether a model uses something that is never translated. What takes a translation to be found is not.
///
/// # Errors
/// What that is.
pub fn check(model: &Model) -> Result<(), Refusal> {
    survey::refuse_features(model)
}

/// Bits of a state of the relation, without translating what processes do.
///
/// # Errors
/// What keeps the model from being translated, as far as that is seen by then.
pub fn bits(model: &Model) -> Result<u32, Refusal> {
    if model.globals_size > LARGE {
        return refuse("there are too many variables");
    }
    Ok(Builder::new(model)?.relation.state_variables().map(|(_, v)| v.domain.bits()).sum())
}

/// Names of the variables of the relation, without translating what processes do.
///
/// # Errors
/// What keeps the model from being translated, as far as that is seen by then.
pub fn variables(model: &Model) -> Result<Vec<String>, Refusal> {
    Ok(Builder::new(model)?.relation.state_variables().map(|(_, v)| v.name.clone()).collect())
}

/// Translates a model and a claim that watches its runs. Those that the claim accepts are the fair runs of the relation.
///
/// # Errors
/// What keeps the model or the claim from being translated.
pub fn translate_runs(model: &Model, claim: Claim) -> Result<Translation, Refusal> {
    let mut builder = Builder::new(model)?;
    builder.watch(claim)?;
    builder.transitions()?;
    let map = StateMap::of(&builder);
    builder.finish(Vec::new(), map, Some(claim))
}

/// Translates a model, and expressions that are to hold in every state.
///
/// # Errors
/// What keeps the model from being translated.
pub fn translate(model: &Model, invariants: &[Expr]) -> Result<Translation, Refusal> {
    let mut builder = Builder::new(model)?;
    builder.transitions()?;
    let nothing = Values::new();
    let context = Context { process: None, timeout: false, created: None, values: &nothing };
    let mut broken = Vec::new();
    for invariant in invariants {
        let value = builder.eval(context, invariant)?;
        let good = builder.and_not(value.term, value.fault);
        let bad = builder.terms().not(good);
        let stored = builder.free();
        broken.push(builder.and(bad, stored));
    }
    let map = StateMap::of(&builder);
    builder.finish(broken, map, None)
}

/// New values of variables, as terms about the state before the step.
type Values = BTreeMap<VariableId, TermId>;

/// A way in which a statement can go.
#[derive(Clone, Debug)]
struct Case {
    /// When it goes this way.
    guard: TermId,
    /// What has changed.
    values: Values,
}

/// A value of a frame.
#[derive(Clone, Copy)]
enum Cell {
    Variable(VariableId),
    /// It is never written.
    Constant(i64),
}

/// Variables of a process number.
struct Slot {
    ty: lurcher_ir::ProcessTypeId,
    location: VariableId,
    /// By offset in the frame.
    locals: HashMap<u32, Cell>,
    /// Channels that are created with it.
    channels: std::ops::Range<usize>,
}

/// Variables of a channel.
struct Channel {
    ty: lurcher_ir::ChannelTypeId,
    /// The process it is created with.
    owner: Option<usize>,
    /// Number of messages; none for a rendezvous, which holds nothing between two steps.
    len: Option<VariableId>,
    /// By slot and field.
    messages: Vec<Vec<VariableId>>,
}

/// A translation under way.
struct Builder<'m> {
    model: &'m Model,
    relation: Relation,
    globals: HashMap<u32, Cell>,
    slots: Vec<Slot>,
    channels: Vec<Channel>,
    /// 0, or one more than the process that alone may move.
    holder: VariableId,
    beyond: VariableId,
    violations: Vec<Violation>,
    /// The claim that watches.
    watcher: Option<Watcher>,
    /// Where the statement that is being translated stands.
    span: Span,
}

/// Who evaluates, and with which values changed already.
#[derive(Clone, Copy)]
struct Context<'v> {
    process: Option<usize>,
    timeout: bool,
    /// The process that `run` has just created.
    created: Option<usize>,
    values: &'v Values,
}

impl Builder<'_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.relation.terms
    }

    /// The value of a variable after what has changed.
    fn now(&mut self, values: &Values, variable: VariableId) -> TermId {
        match values.get(&variable) {
            Some(value) => *value,
            None => self.relation.terms.current(variable),
        }
    }

    fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.terms().all([a, b])
    }

    fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.terms().any([a, b])
    }

    fn and_not(&mut self, a: TermId, b: TermId) -> TermId {
        let not = self.terms().not(b);
        self.and(a, not)
    }

    /// Notes that a step goes wrong where it is taken and a condition holds.
    fn violation(&mut self, wrong: Wrong, taken: TermId, condition: TermId) {
        let condition = self.and(taken, condition);
        if self.relation.terms.constant(condition) != Some(0) {
            self.violations.push(Violation { wrong, span: self.span, condition });
        }
    }

    /// Is a process there?
    fn alive(&mut self, values: &Values, slot: usize) -> TermId {
        let location = self.now(values, self.slots[slot].location);
        let dead = self.terms().is(location, 0);
        self.terms().not(dead)
    }
}
