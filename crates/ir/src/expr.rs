//! Expressions and the places they read and write.

use std::ops::Range;

use crate::model::{LocationId, ProcessTypeId};
use crate::types::Scalar;

/// The frame that a place lies in.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// The global variables.
    Global,
    /// The variables of the process that executes.
    Local,
    /// The variables of the process with this number and type; reading from a process that does not exist gives 0.
    Process(Box<Expr>, ProcessTypeId),
}

/// An array index: adds `expr * stride` to the offset; a fault unless `0 <= expr < count`.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The index expression.
    pub expr: Expr,
    /// Number of elements.
    pub count: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

/// A value in the state: where it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The frame.
    pub frame: Frame,
    /// The offset for index 0.
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

/// Binary operators. `And` and `Or` are short-circuiting. Arithmetic wraps; division by zero is a fault.
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

/// Tests of the fill level of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Probe {
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

/// An expression. Its value is an `i32`; nonzero is true.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// A symbolic constant: its value and its set.
    Symbol(i32, u16),
    /// The value at a place.
    Read(Box<Place>),
    /// A unary operation.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operation.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// If, then, else.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The number of messages in a channel.
    Len(Box<Expr>),
    /// A test of the fill level of a channel.
    Probe(Probe, Box<Expr>),
    /// Whether a message matches, without receiving it: channel, any position instead of the first, fields.
    Poll(Box<Expr>, bool, Vec<ReceiveField>),
    /// Creates a process; the value is its number. Process type, arguments, priority.
    Run(ProcessTypeId, Vec<Expr>, u8),
    /// The number of the executing process.
    Pid,
    /// The number of processes.
    ProcessCount,
    /// The process that moved last.
    Last,
    /// True if no process can move otherwise.
    Timeout,
    /// True if no process is at a progress location.
    NonProgress,
    /// Whether a process can move.
    Enabled(Box<Expr>),
    /// The location of a process, as a number.
    PcValue(Box<Expr>),
    /// The priority of a process.
    Priority(Box<Expr>),
    /// The number of the first process of a type.
    FirstOf(ProcessTypeId),
    /// Whether a process of a type is at a location.
    At(Box<Expr>, ProcessTypeId, LocationId),
}

/// A field of a receive or poll.
#[derive(Clone, Debug, PartialEq)]
pub enum ReceiveField {
    /// Stores the value at a place.
    Store(Place),
    /// Matches any value.
    Any,
    /// Matches a constant.
    Match(Expr),
    /// Matches the value of an expression (`eval`).
    Eval(Expr),
}

impl Expr {
    /// A binary operation.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    /// The value at a place.
    pub fn read(place: Place) -> Expr {
        Expr::Read(Box::new(place))
    }

    /// Negation.
    pub fn negated(self) -> Expr {
        Expr::Unary(UnaryOp::Not, Box::new(self))
    }

    /// Calls `f` on the operands, in the order of evaluation. The interpreter does this at every step, so nothing is
    /// allocated.
    pub fn operands<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        match self {
            Expr::Const(_)
            | Expr::Symbol(..)
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::FirstOf(_) => {}
            Expr::Read(place) => place.operands().for_each(f),
            Expr::Unary(_, e)
            | Expr::Len(e)
            | Expr::Probe(_, e)
            | Expr::Enabled(e)
            | Expr::PcValue(e)
            | Expr::Priority(e)
            | Expr::At(e, ..) => f(e),
            Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| f(e)),
            Expr::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| f(e)),
            Expr::Poll(channel, _, fields) => {
                f(channel);
                fields.iter().flat_map(ReceiveField::operands).for_each(f);
            }
            Expr::Run(_, args, _) => args.iter().for_each(f),
        }
    }

    /// Calls `f` on this expression and every part of it, outermost first.
    pub fn walk<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        f(self);
        self.operands(&mut |e| e.walk(f));
    }

    /// The process that the expression creates: type, arguments and priority of its last `run`.
    pub fn created(&self) -> Option<(ProcessTypeId, &[Expr], u8)> {
        let mut run = None;
        self.walk(&mut |e| {
            if let Expr::Run(ty, args, priority) = e {
                run = Some((*ty, args.as_slice(), *priority));
            }
        });
        run
    }

    /// Whether this expression or any part of it satisfies the test.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= test(e));
        found
    }
}

impl Place {
    /// The place of a single value.
    pub fn new(frame: Frame, offset: u32, scalar: Scalar) -> Place {
        Place { frame, offset, indices: Vec::new(), scalar }
    }

    /// The expressions of the frame and the indices.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let pid = match &self.frame {
            Frame::Process(pid, _) => Some(&**pid),
            Frame::Global | Frame::Local => None,
        };
        pid.into_iter().chain(self.indices.iter().map(|index| &index.expr))
    }

    /// The bytes of its frame that it can denote, whatever its indices are.
    pub fn bytes(&self) -> Range<u32> {
        let reach: u32 = self.indices.iter().map(|i| i.count.saturating_sub(1) * i.stride).sum();
        self.offset..self.offset + reach + self.scalar.size()
    }

    /// Calls `f` on every expression in the frame and the indices.
    pub fn walk<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        self.operands().for_each(|e| e.walk(f));
    }
}

impl ReceiveField {
    /// The field with its expression or its place replaced.
    pub fn map(&self, expr: &dyn Fn(&Expr) -> Expr, place: &dyn Fn(&Place) -> Place) -> ReceiveField {
        match self {
            ReceiveField::Store(at) => ReceiveField::Store(place(at)),
            ReceiveField::Any => ReceiveField::Any,
            ReceiveField::Match(e) => ReceiveField::Match(expr(e)),
            ReceiveField::Eval(e) => ReceiveField::Eval(expr(e)),
        }
    }

    /// The expression that the field must equal.
    pub fn pattern(&self) -> Option<&Expr> {
        match self {
            ReceiveField::Match(e) | ReceiveField::Eval(e) => Some(e),
            ReceiveField::Store(_) | ReceiveField::Any => None,
        }
    }

    /// The place that stores the field.
    pub fn stored(&self) -> Option<&Place> {
        match self {
            ReceiveField::Store(place) => Some(place),
            _ => None,
        }
    }

    fn operands(&self) -> impl Iterator<Item = &Expr> {
        self.pattern().into_iter().chain(self.stored().into_iter().flat_map(Place::operands))
    }
}
