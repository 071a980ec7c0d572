//! Kinds of statements, and what every analysis needs to know of a kind.
//!
//! What a kind does is written in four places: the interpreter, native code, the translation to a relation, and here.

use lurcher_syntax::Span;

use crate::expr::{Expr, Place, ReceiveField};

/// A statement: when it is enabled and what it does.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// No effect; always enabled.
    Skip,
    /// Enabled if the expression holds. The expression may create a process (`run`).
    Guard(Expr),
    /// Enabled if no branch before it is.
    Else,
    /// Stores a value.
    Assign(Place, Expr),
    /// A violation if the expression does not hold.
    Assert(Expr),
    /// Prints.
    Print(String, Vec<Expr>),
    /// Prints the name of a symbolic constant of a set.
    PrintSymbol(Expr, u16),
    /// Sends a message: channel, in sorted position, fields.
    Send(Expr, bool, Vec<Expr>),
    /// Receives a message.
    Receive {
        /// The channel.
        channel: Expr,
        /// Any matching message, instead of the first (`??`).
        random: bool,
        /// The message stays in the channel.
        copy: bool,
        /// Fields.
        fields: Vec<ReceiveField>,
    },
    /// Sets the priority of a process: process, priority.
    SetPriority(Expr, Expr),
    /// A deterministic sequence (`d_step`): one indivisible step.
    DStep(DStep),
    /// In an event trace: a send or receive that it allows.
    Event {
        /// A send, not a receive.
        send: bool,
        /// The channel.
        channel: Expr,
        /// Patterns of the message fields; a place matches any value.
        fields: Vec<ReceiveField>,
    },
    /// The process dies; enabled if it is the youngest.
    End,
}

/// A deterministic sequence.
#[derive(Clone, Debug)]
pub struct DStep {
    /// Enabled if one of these statements is, or if there are none.
    pub guards: Vec<ActionKind>,
    /// The sequence as a graph; execution starts at node 0.
    pub nodes: Vec<DStepNode>,
}

/// A node of a [`DStep`].
#[derive(Clone, Debug)]
pub enum DStepNode {
    /// Executes a statement, which must be enabled, and continues at a node.
    Do(ActionKind, Span, u32),
    /// Continues at a node.
    Goto(u32),
    /// Continues at the first node that is not a disabled [`DStepNode::Do`]; a fault if there is none.
    Choose(Vec<u32>, Span),
    /// The end of the sequence.
    Exit,
}

impl ActionKind {
    /// The primitive statements: those of a deterministic sequence, or the statement itself.
    pub fn statements(&self) -> impl Iterator<Item = &ActionKind> {
        let nodes = match self {
            ActionKind::DStep(sequence) => sequence.nodes.as_slice(),
            _ => &[],
        };
        let primitive = (!matches!(self, ActionKind::DStep(_))).then_some(self);
        primitive.into_iter().chain(nodes.iter().filter_map(|node| match node {
            DStepNode::Do(kind, ..) => Some(kind),
            _ => None,
        }))
    }

    /// Whether it is an `else`, or a deterministic sequence that an `else` guards.
    pub fn is_else(&self) -> bool {
        match self {
            ActionKind::Else => true,
            ActionKind::DStep(sequence) => matches!(sequence.guards.as_slice(), [ActionKind::Else]),
            _ => false,
        }
    }

    /// The channel and fields of the receive by which the statement can take part in a rendezvous: the statement itself, or
    /// the only guard of a deterministic sequence.
    pub fn rendezvous_receive(&self) -> Option<(&Expr, &[ReceiveField])> {
        match self {
            ActionKind::Receive { channel, copy: false, fields, .. } => Some((channel, fields)),
            ActionKind::DStep(sequence) => match sequence.guards.as_slice() {
                [receive @ ActionKind::Receive { .. }] => receive.rendezvous_receive(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Calls `f` on every expression of the statement, except those inside written places.
    pub fn exprs<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        match self {
            ActionKind::Skip | ActionKind::Else | ActionKind::End => {}
            ActionKind::Guard(e) | ActionKind::Assign(_, e) | ActionKind::Assert(e) | ActionKind::PrintSymbol(e, _) => {
                f(e)
            }
            ActionKind::Print(_, args) => args.iter().for_each(f),
            ActionKind::Send(channel, _, args) => {
                f(channel);
                args.iter().for_each(f);
            }
            ActionKind::Receive { channel, fields, .. } | ActionKind::Event { channel, fields, .. } => {
                f(channel);
                fields.iter().filter_map(ReceiveField::pattern).for_each(f);
            }
            ActionKind::SetPriority(process, priority) => {
                f(process);
                f(priority);
            }
            ActionKind::DStep(sequence) => sequence.guards.iter().chain(self.statements()).for_each(|k| k.exprs(f)),
        }
    }

    /// Calls `f` on every place that the statement writes.
    pub fn places<'e>(&'e self, f: &mut dyn FnMut(&'e Place)) {
        for statement in self.statements() {
            match statement {
                ActionKind::Assign(place, _) => f(place),
                ActionKind::Receive { fields, .. } => fields.iter().filter_map(ReceiveField::stored).for_each(&mut *f),
                _ => {}
            }
        }
    }

    /// Calls `f` on every expression and every part of one, including those inside written places.
    pub fn walk<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        self.exprs(&mut |e| e.walk(f));
        self.places(&mut |place| place.walk(f));
    }

    /// Whether any expression that [`ActionKind::exprs`] visits has a part that satisfies the test.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.exprs(&mut |e| found |= e.any(test));
        found
    }

    /// Whether it can be disabled. The other kinds are enabled in every state; `else` is, where no branch before it is.
    pub fn can_wait(&self) -> bool {
        match self {
            ActionKind::Guard(_)
            | ActionKind::Send(..)
            | ActionKind::Receive { .. }
            | ActionKind::DStep(_)
            | ActionKind::Event { .. }
            | ActionKind::End => true,
            ActionKind::Skip
            | ActionKind::Else
            | ActionKind::Assign(..)
            | ActionKind::Assert(_)
            | ActionKind::Print(..)
            | ActionKind::PrintSymbol(..)
            | ActionKind::SetPriority(..) => false,
        }
    }

    /// Whether it may fail although its expressions and places do not.
    pub fn may_fail_itself(&self) -> bool {
        matches!(self, ActionKind::Assert(_) | ActionKind::SetPriority(..) | ActionKind::Event { .. })
    }

    /// The statement with assertions that never fail.
    pub fn without_assertions(&self) -> ActionKind {
        match self {
            ActionKind::Assert(_) => ActionKind::Assert(Expr::Const(1)),
            ActionKind::DStep(sequence) => {
                let node = |n: &DStepNode| match n {
                    DStepNode::Do(kind, span, next) => DStepNode::Do(kind.without_assertions(), *span, *next),
                    other => other.clone(),
                };
                let nodes = sequence.nodes.iter().map(node).collect();
                ActionKind::DStep(DStep { guards: sequence.guards.clone(), nodes })
            }
            other => other.clone(),
        }
    }

    /// Whether it only prints.
    pub fn only_prints(&self) -> bool {
        matches!(self, ActionKind::Print(..) | ActionKind::PrintSymbol(..))
    }

    /// The statement with every expression and every written place replaced.
    pub fn map(&self, expr: &dyn Fn(&Expr) -> Expr, place: &dyn Fn(&Place) -> Place) -> ActionKind {
        let all = |list: &[Expr]| list.iter().map(expr).collect();
        let fields = |fields: &[ReceiveField]| fields.iter().map(|f| f.map(expr, place)).collect();
        match self {
            ActionKind::Skip => ActionKind::Skip,
            ActionKind::Else => ActionKind::Else,
            ActionKind::End => ActionKind::End,
            ActionKind::Guard(e) => ActionKind::Guard(expr(e)),
            ActionKind::Assign(at, e) => ActionKind::Assign(place(at), expr(e)),
            ActionKind::Assert(e) => ActionKind::Assert(expr(e)),
            ActionKind::Print(text, args) => ActionKind::Print(text.clone(), all(args)),
            ActionKind::PrintSymbol(e, set) => ActionKind::PrintSymbol(expr(e), *set),
            ActionKind::Send(c, sorted, args) => ActionKind::Send(expr(c), *sorted, all(args)),
            ActionKind::Receive { channel, random, copy, fields: given } => {
                ActionKind::Receive { channel: expr(channel), random: *random, copy: *copy, fields: fields(given) }
            }
            ActionKind::SetPriority(p, n) => ActionKind::SetPriority(expr(p), expr(n)),
            ActionKind::Event { send, channel, fields: given } => {
                ActionKind::Event { send: *send, channel: expr(channel), fields: fields(given) }
            }
            ActionKind::DStep(sequence) => {
                let node = |n: &DStepNode| match n {
                    DStepNode::Do(kind, span, next) => DStepNode::Do(kind.map(expr, place), *span, *next),
                    other => other.clone(),
                };
                ActionKind::DStep(DStep {
                    guards: sequence.guards.iter().map(|g| g.map(expr, place)).collect(),
                    nodes: sequence.nodes.iter().map(node).collect(),
                })
            }
        }
    }
}
