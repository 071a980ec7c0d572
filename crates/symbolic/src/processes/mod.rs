//! Translation of process models to relations.
//!
//! Every pid in use has a *slot*: a variable for the location of the process (0 if it does not exist) and one for each
//! scalar of its frame. Channels are translated likewise. Each action, combined with each partner and array element it
//! can touch, becomes a transition that leaves all other variables unchanged. Statements are executed on terms: a `Case`
//! is one outcome, with its guard and its updates.
//!
//! Random walks find out which slots are needed (`survey.rs`). A process that would be created outside them sets the
//! variable `overflow` instead. The translation is exact only if no reachable state has it set, so callers check
//! [`Translation::overflow`] first.
//!
//! Not supported: priorities, event traces, `_last`, `enabled`, hidden variables, pids used by several process types,
//! unbounded loops in `d_step`, receives that observe an unfinished rendezvous, claims with other statements than guards.

mod action;
mod claim;
mod concretise;
mod d_step;
mod expr;
mod frames;
mod message;
mod rendezvous;
mod state_map;
mod survey;
mod terms;
mod transitions;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use lurcher_ir::relation::{Assignment, Domain, Relation, TermId, Terms, Variable, VariableId, VariableRole};
use lurcher_ir::{ChannelTypeId, Expr, Model, ProcessTypeId};
use lurcher_search::Claim;
use lurcher_syntax::Span;

use claim::ClaimVariables;
pub use state_map::StateMap;
pub use survey::check;

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
    /// No process holds exclusive control: the states that count as stored.
    pub stored: TermId,
    /// No process can move, and not all are at valid end states.
    pub deadlock: TermId,
    /// A process was created outside the slots. If reachable, the translation is not exact.
    pub overflow: TermId,
    /// Transitions that violate an assertion or meet a fault.
    pub violations: Vec<Violation>,
    /// For each given invariant, where it is false.
    pub violated_invariants: Vec<TermId>,
    /// The claim reaches its end.
    pub claim_ended: TermId,
    /// The location of each process.
    pub locations: Vec<TermId>,
    /// What the variables stand for.
    pub map: StateMap,
}

/// The kind of a violating transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepError {
    /// A failed assertion.
    Assertion,
    /// A division by zero, an index out of bounds, a message of the wrong length, a `d_step` that blocks.
    Fault,
}

/// A transition that violates an assertion or meets a fault.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The kind of error.
    pub kind: StepError,
    /// The source position.
    pub span: Span,
    /// The states where the transition is enabled and fails.
    pub condition: TermId,
}

/// The most bytes of global variables for which [`bits`] builds the frames.
const LARGE: u32 = 1 << 16;

/// Number of state bits of the relation, without translating statements.
///
/// # Errors
/// Why the model cannot be translated, as far as the frames show it.
pub fn bits(model: &Model) -> Result<u32, Refusal> {
    if model.globals_size > LARGE {
        return refuse("there are too many variables");
    }
    Ok(Builder::new(model)?.relation.state_variables().map(|(_, v)| v.domain.bits()).sum())
}

/// Names of the variables of the relation, without translating statements.
///
/// # Errors
/// Why the model cannot be translated, as far as the frames show it.
pub fn variables(model: &Model) -> Result<Vec<String>, Refusal> {
    Ok(Builder::new(model)?.relation.state_variables().map(|(_, v)| v.name.clone()).collect())
}

/// Translates the product of a model and a claim. Accepted runs are the fair runs of the relation.
///
/// # Errors
/// Why the model or the claim cannot be translated.
pub fn translate_runs(model: &Model, claim: Claim) -> Result<Translation, Refusal> {
    let mut builder = Builder::new(model)?;
    builder.add_claim(claim)?;
    builder.add_transitions()?;
    builder.finish(Vec::new(), Some(claim))
}

/// Translates a model, and invariants to check in its stored states.
///
/// # Errors
/// Why the model cannot be translated.
pub fn translate(model: &Model, invariants: &[Expr]) -> Result<Translation, Refusal> {
    let mut builder = Builder::new(model)?;
    builder.add_transitions()?;
    let unchanged = Updates::new();
    let context = Context { process: None, timeout: false, created: None, updates: &unchanged };
    let mut violated = Vec::new();
    for invariant in invariants {
        let value = builder.eval(context, invariant)?;
        let bad = builder.not(builder.and_not(value.term, value.fault));
        let stored = builder.no_holder();
        violated.push(builder.and(bad, stored));
    }
    builder.finish(violated, None)
}

/// Adds a state variable with an initial value.
fn add_variable(relation: &mut Relation, name: String, domain: Domain, initial: TermId) -> VariableId {
    let span = Span::default();
    let variable = relation.add_variable(Variable { name, role: VariableRole::State, domain, span });
    relation.initial.assignments.push(Assignment { variable, value: initial, span });
    variable
}

/// New values of variables, as terms over the state before the transition.
type Updates = BTreeMap<VariableId, TermId>;

/// One outcome of a statement.
#[derive(Clone, Debug)]
struct Case {
    guard: TermId,
    updates: Updates,
}

/// A scalar of a frame.
#[derive(Clone, Copy)]
enum Cell {
    Variable(VariableId),
    /// A scalar that is never written.
    Constant(i64),
}

/// The variables of one pid.
struct Slot {
    ty: ProcessTypeId,
    location: VariableId,
    /// By offset in the frame.
    locals: HashMap<u32, Cell>,
    /// The channels created with the process.
    channels: std::ops::Range<usize>,
}

/// The variables of one channel.
struct Channel {
    ty: ChannelTypeId,
    /// The process it is created with.
    owner: Option<usize>,
    /// Number of messages; `None` for a rendezvous channel.
    len: Option<VariableId>,
    /// By position in the queue and field.
    messages: Vec<Vec<VariableId>>,
}

/// A translation in progress.
struct Builder<'m> {
    model: &'m Model,
    /// The relation, its terms aside.
    relation: Relation,
    terms: RefCell<Terms>,
    globals: HashMap<u32, Cell>,
    slots: Vec<Slot>,
    channels: Vec<Channel>,
    /// The pid that holds exclusive control plus one, or 0.
    holder: VariableId,
    overflow: VariableId,
    violations: Vec<Violation>,
    claim: Option<ClaimVariables>,
    /// The source position of the current statement.
    span: Span,
}

/// The context of an evaluation.
#[derive(Clone, Copy)]
struct Context<'v> {
    process: Option<usize>,
    timeout: bool,
    /// The pid that `run` has just created.
    created: Option<usize>,
    /// Updates so far.
    updates: &'v Updates,
}
