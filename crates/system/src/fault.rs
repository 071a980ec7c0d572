//! Faults and violations of a running model.

use std::fmt;

use lurcher_syntax::Span;

/// A run-time fault of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Division or remainder by zero.
    DivisionByZero,
    /// An array index outside the array: index, number of elements.
    IndexOutOfBounds(i32, u32),
    /// An uninitialised channel variable.
    NoChannel,
    /// A channel whose creator has died.
    DeadChannel,
    /// A message with more or fewer fields than the channel carries: given, carried.
    FieldCount(usize, usize),
    /// A poll of a rendezvous channel, which never holds a message.
    PolledRendezvous,
    /// A disabled statement inside a `d_step`.
    BlockedInDStep,
    /// A rendezvous send inside a `d_step`.
    RendezvousInDStep,
    /// A `d_step` that executed this many statements.
    EndlessDStep(u32),
    /// More processes than this limit.
    TooManyProcesses(u16),
    /// More channels than a state can number.
    TooManyChannels,
    /// A priority outside 1 to 255.
    BadPriority(i32),
    /// `enabled()` applied to the executing process.
    EnabledOfSelf,
    /// Nondeterminism in a `D_proctype`.
    Nondeterminism,
    /// An event that the `trace` forbids.
    TraceMismatch,
    /// An event sequence that the `notrace` matches.
    NoTraceMatched,
    /// Two alternatives of an event trace match the same event.
    TraceChoice,
}

impl Fault {
    /// The kind in reports: an event-trace violation or a fault.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::TraceMismatch | Fault::NoTraceMatched | Fault::TraceChoice => "trace",
            _ => "fault",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::DivisionByZero => write!(f, "division by zero"),
            Fault::IndexOutOfBounds(index, count) => write!(f, "index {index} out of bounds for {count} elements"),
            Fault::NoChannel => write!(f, "use of an uninitialised channel"),
            Fault::DeadChannel => write!(f, "use of a channel whose creator has died"),
            Fault::FieldCount(given, carried) => {
                write!(f, "{given} message fields for a channel that carries {carried}")
            }
            Fault::PolledRendezvous => write!(f, "a rendezvous channel cannot be polled"),
            Fault::BlockedInDStep => write!(f, "a statement inside a d_step is not executable"),
            Fault::RendezvousInDStep => write!(f, "a rendezvous send inside a d_step"),
            Fault::EndlessDStep(steps) => write!(f, "a d_step did not end after {steps} statements"),
            Fault::TooManyProcesses(limit) => write!(f, "more than {limit} processes"),
            Fault::TooManyChannels => write!(f, "too many channels"),
            Fault::BadPriority(value) => write!(f, "priority {value} is not between 1 and 255"),
            Fault::EnabledOfSelf => write!(f, "enabled() asks about the process that asks, directly or through others"),
            Fault::Nondeterminism => write!(f, "a D_proctype has a choice"),
            Fault::TraceMismatch => write!(f, "an event that the trace does not allow"),
            Fault::NoTraceMatched => write!(f, "the events that notrace forbids"),
            Fault::TraceChoice => write!(f, "two alternatives of the event trace match"),
        }
    }
}

impl std::error::Error for Fault {}

/// A violation by a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A failed assertion.
    Assertion(Span),
    /// A fault.
    Fault {
        /// The fault.
        fault: Fault,
        /// The statement.
        span: Span,
        /// The step has no successor state.
        fatal: bool,
        /// It occurs in the send of a rendezvous, so the receive is not part of the trace.
        half: bool,
    },
}

impl Violation {
    /// A fault after which there is no successor state.
    pub(crate) fn fatal(fault: Fault, span: Span) -> Violation {
        Violation::Fault { fault, span, fatal: true, half: false }
    }

    /// Whether two violations are the same assertion, or the same kind of fault at the same place.
    pub fn is_like(&self, other: &Violation) -> bool {
        match (self, other) {
            (Violation::Assertion(a), Violation::Assertion(b)) => a == b,
            (Violation::Fault { fault: f, span: a, .. }, Violation::Fault { fault: g, span: b, .. }) => {
                std::mem::discriminant(f) == std::mem::discriminant(g) && a == b
            }
            _ => false,
        }
    }

    /// Whether the step has no successor state.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Violation::Fault { fatal: true, .. })
    }

    /// Whether it occurs in the send of a rendezvous.
    pub fn is_half(&self) -> bool {
        matches!(self, Violation::Fault { half: true, .. })
    }

    /// The span of the statement.
    pub fn span(&self) -> Span {
        match self {
            Violation::Assertion(span) | Violation::Fault { span, .. } => *span,
        }
    }
}
