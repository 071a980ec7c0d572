//! Expressions and the places they read and write.

use crate::model::{LocationId, ProcessTypeId};
use crate::types::Scalar;

/// Where a place's offset counts from.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// The global variables.
    Global,
    /// The variables of the process that executes.
    Local,
    /// The variables of another process, named by the expression, which must be of the given type. Reading from a
    /// process that does not exist gives 0.
    Process(Box<Expr>, ProcessTypeId),
}

/// One `[e]` on the way to a value: adds `e * stride`, and is a fault unless `0 <= e < count`.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The index.
    pub expr: Expr,
    /// Number of elements.
    pub count: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

/// A value in the state.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The frame.
    pub frame: Frame,
    /// Offset of the first element.
    pub offset: u32,
    /// Indices, outermost first.
    pub indices: Vec<Index>,
    /// Its type.
    pub scalar: Scalar,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Not,
    Minus,
    Complement,
}

/// Binary operators. `And` and `Or` do not evaluate their right side when the left decides. Arithmetic wraps;
/// dividing by zero is a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    BitAnd,
    BitXor,
    BitOr,
    Gt,
    Lt,
    Ge,
    Le,
    Eq,
    Ne,
    And,
    Or,
    Shl,
    Shr,
}

/// Tests of how full a channel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Probe {
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

/// An expression; its value is an `i32`, truth is "not 0".
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// A symbolic constant: its value, and the set it prints with.
    Symbol(i32, u16),
    /// The value at a place.
    Read(Box<Place>),
    /// A unary operator applied.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator applied.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// If, then, else.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The number of messages in a channel.
    Len(Box<Expr>),
    /// A test of how full a channel is.
    Probe(Probe, Box<Expr>),
    /// Could this message be received now? The message stays. Channel, any position rather than the first, fields.
    Poll(Box<Expr>, bool, Vec<ReceiveField>),
    /// Creates a process and gives its number. Process type, arguments, priority.
    Run(ProcessTypeId, Vec<Expr>, u8),
    /// The number of the executing process.
    Pid,
    /// The number of processes.
    ProcessCount,
    /// The process that made the last step.
    Last,
    /// No process can move otherwise.
    Timeout,
    /// No process is at a progress location.
    NonProgress,
    /// Can this process move?
    Enabled(Box<Expr>),
    /// The location of a process, as a number.
    PcValue(Box<Expr>),
    /// The priority of a process.
    Priority(Box<Expr>),
    /// The number of the first process of a type, for remote references without a number.
    FirstOf(ProcessTypeId),
    /// Is this process of this type at this location?
    At(Box<Expr>, ProcessTypeId, LocationId),
}

/// A field of a receive or poll.
#[derive(Clone, Debug, PartialEq)]
pub enum ReceiveField {
    /// Store the value there.
    Store(Place),
    /// Take any value and drop it.
    Any,
    /// The value must equal this one, which was written as a constant.
    Match(Expr),
    /// The value must equal this expression.
    Eval(Expr),
}

impl Expr {
    /// A binary operator applied.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    /// Negation.
    pub fn negated(self) -> Expr {
        Expr::Unary(UnaryOp::Not, Box::new(self))
    }

    /// Calls `f` on this expression and all inside it, outermost first.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        match self {
            Expr::Const(_)
            | Expr::Symbol(..)
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::FirstOf(_) => {}
            Expr::Read(place) => place.walk(f),
            Expr::Unary(_, e)
            | Expr::Len(e)
            | Expr::Probe(_, e)
            | Expr::Enabled(e)
            | Expr::PcValue(e)
            | Expr::Priority(e)
            | Expr::At(e, ..) => e.walk(f),
            Expr::Binary(_, a, b) => {
                a.walk(f);
                b.walk(f);
            }
            Expr::Cond(a, b, c) => {
                a.walk(f);
                b.walk(f);
                c.walk(f);
            }
            Expr::Poll(chan, _, fields) => {
                chan.walk(f);
                for field in fields {
                    field.walk(f);
                }
            }
            Expr::Run(_, args, _) => args.iter().for_each(|a| a.walk(f)),
        }
    }

    /// Does any part satisfy the test?
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= test(e));
        found
    }
}

impl Place {
    /// Calls `f` on every expression in the frame and the indices.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        if let Frame::Process(pid, _) = &self.frame {
            pid.walk(f);
        }
        for index in &self.indices {
            index.expr.walk(f);
        }
    }
}

impl ReceiveField {
    /// Calls `f` on every expression inside.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        match self {
            ReceiveField::Store(place) => place.walk(f),
            ReceiveField::Any => {}
            ReceiveField::Match(e) | ReceiveField::Eval(e) => e.walk(f),
        }
    }
}
