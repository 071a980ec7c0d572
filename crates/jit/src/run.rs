//! The registers that compiled code and its host share.
//!
//! Compiled code gets one pointer, to a [`Run`]. Calls to the host go through the functions of `boundary.rs`, which find
//! their data in the last field.

use lurcher_ir::{LocationId, ProcessTypeId};
use lurcher_syntax::Span;
use lurcher_system::{Fault, Violation};

/// The registers of a run. Compiled code accesses them by offset ([`field!`]).
#[repr(C)]
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// The bytes of the state.
    pub bytes: *mut u8,
    /// The offset of each process.
    pub processes: *const u32,
    /// The offset of each channel.
    pub channels: *const u32,
    pub process_count: u32,
    pub channel_count: u32,
    /// The process with exclusive control plus one, or 0.
    pub exclusive: u32,
    /// 0, or a violation: see [`Run::decode`].
    pub violation: u32,
    pub fatal: u32,
    /// Whether the violation is in the send of a rendezvous.
    pub half: u32,
    pub fault_a: i32,
    pub fault_b: i32,
    /// The position of the violation: an index into the spans of the unit.
    pub span: u32,
    pub moves_len: u32,
    pub moves_capacity: u32,
    /// Number of values in `message`.
    pub message_len: u32,
    /// The moves found: process, branch, receiver plus one and its branch, 16 bits each from the low end.
    pub moves: *mut u64,
    /// The message of a rendezvous, or the arguments of `run`.
    pub message: *mut i32,
    pub random_state: u64,
    pub random_increment: u64,
    /// Pids for drawing without replacement; in order between two steps.
    pub pool: *mut u16,
    /// Positions of the pool that are out of order.
    pub touched: *mut u16,
    /// By action: whether it was executed.
    pub coverage: *mut u8,
    /// By process: its type and location ([`position`]). In walks only.
    pub positions: *mut u32,
    pub tries: u64,
    /// Steps until the host is called.
    pub fuel: u32,
    /// Single steps after `fuel`, with a call of the host at each state.
    pub observed: u32,
    /// Number of rendezvous.
    pub rendezvous: u32,
    pub host: *mut (),
}

/// The offset of a field of [`Run`].
macro_rules! field {
    ($field:ident) => {
        std::mem::offset_of!(crate::run::Run, $field) as i32
    };
}
pub(crate) use field;

/// The type and location of a process as one number, with as few bits for the type as the model needs.
pub(crate) fn position(type_bits: u32, ty: ProcessTypeId, location: LocationId) -> u32 {
    u32::from(location.0) << type_bits | u32::from(ty.0)
}

/// Values of [`Run::violation`].
pub(crate) mod code {
    pub const ASSERTION: u32 = 1;
    /// The host holds the violation.
    pub const INTERPRETED: u32 = 2;
    pub const DIVISION_BY_ZERO: u32 = 3;
    pub const INDEX_OUT_OF_BOUNDS: u32 = 4;
    pub const NO_CHANNEL: u32 = 5;
    pub const DEAD_CHANNEL: u32 = 6;
    pub const FIELD_COUNT: u32 = 7;
    pub const POLLED_RENDEZVOUS: u32 = 8;
    pub const BLOCKED_IN_D_STEP: u32 = 9;
    pub const RENDEZVOUS_IN_D_STEP: u32 = 10;
    pub const ENDLESS_D_STEP: u32 = 11;
}

/// The fault of a violation code and its details.
pub(crate) fn fault(code: u32, a: i32, b: i32) -> Fault {
    match code {
        code::DIVISION_BY_ZERO => Fault::DivisionByZero,
        code::INDEX_OUT_OF_BOUNDS => Fault::IndexOutOfBounds(a, b as u32),
        code::NO_CHANNEL => Fault::NoChannel,
        code::DEAD_CHANNEL => Fault::DeadChannel,
        code::FIELD_COUNT => Fault::FieldCount(a as usize, b as usize),
        code::POLLED_RENDEZVOUS => Fault::PolledRendezvous,
        code::BLOCKED_IN_D_STEP => Fault::BlockedInDStep,
        code::RENDEZVOUS_IN_D_STEP => Fault::RendezvousInDStep,
        code::ENDLESS_D_STEP => Fault::EndlessDStep(a as u32),
        other => unreachable!("compiled code reports a fault numbered {other}"),
    }
}

impl Run {
    /// Resets the results of the last run.
    pub fn begin(&mut self) {
        (self.violation, self.fatal, self.half) = (0, 0, 0);
        (self.moves_len, self.message_len) = (0, 0);
        (self.tries, self.rendezvous) = (0, 0);
        self.coverage = std::ptr::null_mut();
        self.positions = std::ptr::null_mut();
    }

    /// The violation that compiled code reports; `interpreted` is the one that the host holds.
    pub fn decode(&self, spans: &[Span], interpreted: Option<Violation>) -> Option<Violation> {
        let mut violation = match self.violation {
            0 => return None,
            code::INTERPRETED => interpreted.expect("the host holds the violation"),
            code::ASSERTION => Violation::Assertion(spans[self.span as usize]),
            code => Violation::Fault {
                fault: fault(code, self.fault_a, self.fault_b),
                span: spans[self.span as usize],
                fatal: self.fatal != 0,
                half: false,
            },
        };
        if let Violation::Fault { half, .. } = &mut violation {
            *half |= self.half != 0;
        }
        Some(violation)
    }
}
