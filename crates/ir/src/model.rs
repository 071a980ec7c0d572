//! Models made of processes: guarded actions between locations.

use lurcher_syntax::Span;

use crate::expr::{Expr, Place, ReceiveField};
use crate::property::Property;
use crate::types::{Scalar, VarShape};

/// Names a process type of a [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessTypeId(pub u16);

/// Names a channel type of a [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChannelTypeId(pub u16);

/// Names a location of a process type. For Promela it is the number Spin gives the statement there, so that
/// `pc_value` and printed locations agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(pub u16);

/// Names an action of a process type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActionId(pub u32);

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Global variables.
    pub globals: Vec<VarDecl>,
    /// Bytes of the global frame.
    pub globals_size: u32,
    /// What to do, in order, to set the globals up: values and channels.
    pub global_init: Vec<Initial>,
    /// Process types: those that run, the claims, and the event trace.
    pub process_types: Vec<ProcessType>,
    /// Channel types: one for each initialiser `[n] of { … }`.
    pub channel_types: Vec<ChannelType>,
    /// The processes that exist at the start, in order, with their priorities.
    pub initial_processes: Vec<(ProcessTypeId, u8)>,
    /// Sets of symbolic constants, each a list of values with their names.
    pub symbol_sets: Vec<Vec<(i32, String)>>,
    /// The `trace` or `notrace` automaton.
    pub event_trace: Option<ProcessTypeId>,
    /// Properties that the model's source states.
    pub properties: Vec<Property>,
    /// Does anything read the process that moved last? Then it is part of the state.
    pub uses_last: bool,
    /// Are there priorities? Then they are part of the state, and only processes of the highest priority run.
    pub uses_priorities: bool,
    /// Hides part of its variables from the state.
    pub has_hidden: bool,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// Its name in the source.
    pub name: String,
    /// Offset in its frame.
    pub offset: u32,
    /// What it looks like.
    pub shape: VarShape,
    /// Not part of the state that is stored and compared.
    pub hidden: bool,
    /// Where it is declared.
    pub span: Span,
}

/// One step of setting up a frame.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Store a value.
    Value(Place, Expr),
    /// Create a channel and store its number.
    Channel(NewChannel),
}

/// Creates a channel and stores its number at a place.
#[derive(Clone, Debug)]
pub struct NewChannel {
    /// Where the number goes.
    pub place: Place,
    /// What is created.
    pub channel: ChannelTypeId,
}

/// A channel type.
#[derive(Clone, Debug)]
pub struct ChannelType {
    /// The variable whose initialiser it is.
    pub name: String,
    /// Number of messages it holds; 0 is rendezvous.
    pub capacity: u16,
    /// Types of the fields of a message.
    pub fields: Vec<Scalar>,
}

impl ChannelType {
    /// Bytes of one message.
    pub fn message_size(&self) -> u32 {
        self.fields.iter().map(|f| f.size()).sum()
    }

    /// Messages that fit in the state: a rendezvous channel has room for the one that is being handed over.
    pub fn slots(&self) -> u16 {
        self.capacity.max(1)
    }
}

/// What a process type is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessRole {
    /// It runs.
    System,
    /// It watches every state: a never claim.
    Claim,
    /// It watches every message: an event trace.
    Trace,
    /// As `Trace`, but what it describes must not happen.
    NoTrace,
}

/// A process type.
#[derive(Clone, Debug)]
pub struct ProcessType {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: ProcessRole,
    /// Its variables; the parameters come first.
    pub locals: Vec<VarDecl>,
    /// Places of the parameters, one for each value passed (records are passed field by field).
    pub params: Vec<Place>,
    /// Bytes of its frame.
    pub frame_size: u32,
    /// What to do, in order, when a process is created, after the parameters are set.
    pub init: Vec<Initial>,
    /// Locations; index by [`LocationId`]. Location 0 is not used.
    pub locations: Vec<Location>,
    /// Actions; index by [`ActionId`].
    pub actions: Vec<Action>,
    /// Where it starts.
    pub initial: LocationId,
    /// It only moves while this holds.
    pub provided: Option<Expr>,
    /// It claims to be deterministic: two enabled actions are a fault.
    pub deterministic: bool,
    /// Where it is declared.
    pub span: Span,
}

impl ProcessType {
    /// The location behind an id.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.0 as usize]
    }

    /// The action behind an id.
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.0 as usize]
    }
}

/// A location: where a process can stand between two actions.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// What it can do next, in the order in which it is tried. The order matters twice: `else` is possible when no
    /// branch before it was, and the first branch of an escape that is possible hides all branches of other groups.
    pub branches: Vec<Branch>,
    /// A process may end here.
    pub end: bool,
    /// An accepting location.
    pub accept: bool,
    /// A progress location.
    pub progress: bool,
    /// Labels written here.
    pub labels: Vec<String>,
    /// The statement here.
    pub span: Span,
}

/// One way on from a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// What is done.
    pub action: ActionId,
    /// Where it leads.
    pub target: LocationId,
    /// The process keeps exclusive control afterwards.
    pub atomic: bool,
    /// 0, or the escape (`unless`) this branch belongs to.
    pub escape: u16,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it does.
    pub kind: ActionKind,
    /// The number of the statement in the source language's own traces (Spin's trails).
    pub origin: u32,
    /// The location it stands at in the source, before branches were flattened.
    pub home: LocationId,
    /// The statement as the user would write it.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// Nothing; always possible.
    Skip,
    /// Nothing; possible when the expression holds. The expression may create a process.
    Guard(Expr),
    /// Nothing; possible when no branch before it is.
    Else,
    /// Stores a value.
    Assign(Place, Expr),
    /// A violation when the expression does not hold.
    Assert(Expr),
    /// Prints.
    Print(String, Vec<Expr>),
    /// Prints the name of a symbolic constant.
    PrintSymbol(Expr, u16),
    /// Sends a message: channel, in sorted position, fields.
    Send(Expr, bool, Vec<Expr>),
    /// Receives a message: channel, from any position, leave it there, fields.
    Receive {
        /// The channel.
        channel: Expr,
        /// From any position rather than the first.
        random: bool,
        /// Leave the message there.
        copy: bool,
        /// Fields.
        fields: Vec<ReceiveField>,
    },
    /// Sets the priority of a process: process, priority.
    SetPriority(Expr, Expr),
    /// A sequence that is one indivisible step.
    DStep(DStep),
    /// In an event trace only: a message that is sent or received.
    Event {
        /// It is sent; otherwise received.
        send: bool,
        /// The channel.
        channel: Expr,
        /// What its fields must be; a place to store in stands for any value.
        fields: Vec<ReceiveField>,
    },
    /// The process dies, when it is the youngest.
    End,
}

/// A deterministic sequence.
#[derive(Clone, Debug)]
pub struct DStep {
    /// It is possible when one of these tests holds; an empty list is always possible.
    pub guards: Vec<ActionKind>,
    /// The sequence as a graph; execution starts at node 0.
    pub nodes: Vec<DStepNode>,
}

/// A node of a [`DStep`].
#[derive(Clone, Debug)]
pub enum DStepNode {
    /// Execute the statement, which must be possible, and go on.
    Do(ActionKind, Span, u32),
    /// Go on.
    Goto(u32),
    /// Try the nodes in order. A [`DStepNode::Do`] is taken when it is possible; any other node is taken as it is.
    /// A choice with nothing possible is a fault.
    Choose(Vec<u32>, Span),
    /// The sequence is over.
    Exit,
}

impl Model {
    /// The process type behind an id.
    pub fn process_type(&self, id: ProcessTypeId) -> &ProcessType {
        &self.process_types[id.0 as usize]
    }

    /// The channel type behind an id.
    pub fn channel_type(&self, id: ChannelTypeId) -> &ChannelType {
        &self.channel_types[id.0 as usize]
    }

    /// The process type of a name.
    pub fn find_process_type(&self, name: &str) -> Option<ProcessTypeId> {
        self.process_types.iter().position(|p| p.name == name).map(|i| ProcessTypeId(i as u16))
    }

    /// The name of a symbolic constant; the number itself where it has none.
    pub fn symbol(&self, set: u16, value: i32) -> String {
        let find = |s: &Vec<(i32, String)>| s.iter().find(|(v, _)| *v == value).map(|(_, n)| n.clone());
        self.symbol_sets.get(set as usize).and_then(find).unwrap_or_else(|| value.to_string())
    }
}
