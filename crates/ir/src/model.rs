//! Models made of processes: guarded actions between locations.

use lurcher_syntax::Span;

use crate::expr::{Expr, Place};
use crate::property::Property;
use crate::statement::ActionKind;
use crate::types::{Leaf, Scalar, VarShape};

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
    /// Initialisation of the globals, in order.
    pub global_init: Vec<Initial>,
    /// Process types: system processes, claims, and the event trace.
    pub process_types: Vec<ProcessType>,
    /// Channel types: one for each initialiser `[n] of { … }`.
    pub channel_types: Vec<ChannelType>,
    /// The processes of the initial state, in order, with their priorities.
    pub initial_processes: Vec<(ProcessTypeId, u8)>,
    /// Sets of symbolic constants (`mtype`): values with their names.
    pub symbol_sets: Vec<Vec<(i32, String)>>,
    /// The `trace` or `notrace` automaton.
    pub event_trace: Option<ProcessTypeId>,
    /// Properties that the model's source states.
    pub properties: Vec<Property>,
    /// The state includes the process that moved last, because something reads `_last`.
    pub uses_last: bool,
    /// The state includes priorities; only enabled processes of the highest priority run.
    pub uses_priorities: bool,
    /// Some variables are hidden.
    pub has_hidden: bool,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// Its name in the source.
    pub name: String,
    /// Offset in its frame.
    pub offset: u32,
    /// Its shape.
    pub shape: VarShape,
    /// Excluded from the stored state (`hidden`).
    pub hidden: bool,
    /// Where it is declared.
    pub span: Span,
}

impl VarDecl {
    /// Every value of the variable, with its offset in the frame.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf> {
        self.shape.leaves().map(|leaf| leaf.inside(&self.name, self.offset))
    }

    /// The value at an offset in the frame.
    pub fn leaf_at(&self, offset: u32) -> Option<Leaf> {
        Some(self.shape.leaf_at(offset.checked_sub(self.offset)?)?.inside(&self.name, self.offset))
    }

    /// The offset in the frame and the type of every value.
    pub fn scalars(&self) -> Vec<(u32, Scalar)> {
        let mut scalars = Vec::new();
        self.shape.scalars(self.offset, &mut |offset, scalar| scalars.push((offset, scalar)));
        scalars
    }
}

/// One step of the initialisation of a frame.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Stores a value.
    Value(Place, Expr),
    /// Creates a channel and stores its number.
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

    /// Message slots in the state: a rendezvous channel has one for the message being handed over.
    pub fn slots(&self) -> u16 {
        self.capacity.max(1)
    }
}

/// The role of a process type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessRole {
    /// A process of the model.
    System,
    /// A never claim.
    Claim,
    /// An event trace (`trace`).
    Trace,
    /// A forbidden event trace (`notrace`).
    NoTrace,
}

/// A process type.
#[derive(Clone, Debug)]
pub struct ProcessType {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: ProcessRole,
    /// Its variables; the parameters come first.
    pub locals: Vec<VarDecl>,
    /// Places of the parameters, one for each argument (records are passed field by field).
    pub params: Vec<Place>,
    /// Bytes of its frame.
    pub frame_size: u32,
    /// Initialisation of a created process, in order, after the parameters are stored.
    pub init: Vec<Initial>,
    /// Locations; index by [`LocationId`]. Location 0 is not used.
    pub locations: Vec<Location>,
    /// Actions; index by [`ActionId`].
    pub actions: Vec<Action>,
    /// The initial location.
    pub initial: LocationId,
    /// Processes move only while this holds (`provided`).
    pub provided: Option<Expr>,
    /// Declared deterministic (`D_proctype`): a second enabled action is a fault.
    pub deterministic: bool,
    /// Where it is declared.
    pub span: Span,
}

impl ProcessType {
    /// The location of an id.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.0 as usize]
    }

    /// The ids of all locations.
    pub fn location_ids(&self) -> impl Iterator<Item = LocationId> {
        (0..self.locations.len()).map(|l| LocationId(l as u16))
    }

    /// The action of an id.
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.0 as usize]
    }
}

/// A location: a control state of a process type.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// Outgoing branches in the order of evaluation. The order matters: `else` is enabled if no branch before it is, and
    /// the first enabled branch of an escape disables the branches of all other groups.
    pub branches: Vec<Branch>,
    /// A valid end location.
    pub end: bool,
    /// An accepting location.
    pub accept: bool,
    /// A progress location.
    pub progress: bool,
    /// Labels of the location.
    pub labels: Vec<String>,
    /// The span of its statement.
    pub span: Span,
}

/// A branch of a location: an edge of the control-flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The action.
    pub action: ActionId,
    /// The next location.
    pub target: LocationId,
    /// The process keeps exclusive control after the action.
    pub atomic: bool,
    /// The escape (`unless`) of this branch, or 0.
    pub escape: u16,
}

/// A statement with its origin.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its effect.
    pub kind: ActionKind,
    /// The number of the statement in Spin's trails.
    pub origin: u32,
    /// Its location in the source, before branches were flattened.
    pub home: LocationId,
    /// The source text.
    pub text: String,
    /// Its span.
    pub span: Span,
}

impl Model {
    /// The process type of an id.
    pub fn process_type(&self, id: ProcessTypeId) -> &ProcessType {
        &self.process_types[id.0 as usize]
    }

    /// All process types, with their ids.
    pub fn process_types(&self) -> impl Iterator<Item = (ProcessTypeId, &ProcessType)> {
        self.process_types.iter().enumerate().map(|(i, p)| (ProcessTypeId(i as u16), p))
    }

    /// The types of the processes of the system, with their ids: no claims and event traces.
    pub fn system_types(&self) -> impl Iterator<Item = (ProcessTypeId, &ProcessType)> {
        self.process_types().filter(|(_, p)| p.role == ProcessRole::System)
    }

    /// The channel type of an id.
    pub fn channel_type(&self, id: ChannelTypeId) -> &ChannelType {
        &self.channel_types[id.0 as usize]
    }

    /// The process type of a name.
    pub fn find_process_type(&self, name: &str) -> Option<ProcessTypeId> {
        self.process_types.iter().position(|p| p.name == name).map(|i| ProcessTypeId(i as u16))
    }

    /// Whether there are rendezvous channels.
    pub fn has_rendezvous(&self) -> bool {
        self.channel_types.iter().any(|c| c.capacity == 0)
    }

    /// Whether there are channels, all of them rendezvous channels.
    pub fn has_only_rendezvous(&self) -> bool {
        !self.channel_types.is_empty() && self.channel_types.iter().all(|c| c.capacity == 0)
    }

    /// The name of a symbolic constant, or its number if it has none.
    pub fn symbol(&self, set: u16, value: i32) -> String {
        let find = |s: &Vec<(i32, String)>| s.iter().find(|(v, _)| *v == value).map(|(_, n)| n.clone());
        self.symbol_sets.get(set as usize).and_then(find).unwrap_or_else(|| value.to_string())
    }
}

impl ProcessType {
    /// Calls `f` on every expression of the process type and every part of one, including those inside written places.
    pub fn walk<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        self.provided.iter().for_each(|e| e.walk(f));
        self.actions.iter().for_each(|action| action.kind.walk(f));
    }
}
