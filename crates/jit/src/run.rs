//! What compiled code and its host share.
//!
//! Compiled code is given one pointer, to a [`Run`], and finds the rest from there. What it hands back to the host goes
//! through the functions of `boundary.rs`, which find the host in the last field.

use std::mem::offset_of;
use std::ptr::{null, null_mut};

use lurcher_ir::{LocationId, ProcessTypeId};
use lurcher_syntax::Span;
use lurcher_system::{Fault, Violation};

/// The registers of a run. Compiled code reads and writes it by the offsets of [`field`].
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Run {
    /// The bytes of the state.
    pub bytes: *mut u8,
    /// Where each process begins.
    pub processes: *const u32,
    /// Where each channel begins.
    pub channels: *const u32,
    pub process_count: u32,
    pub channel_count: u32,
    /// The process that alone may move, plus one.
    pub exclusive: u32,
    /// 0, or what went wrong: see [`decode`].
    pub violation: u32,
    pub fatal: u32,
    /// The first half of a rendezvous met it.
    pub half: u32,
    pub fault_a: i32,
    pub fault_b: i32,
    /// Where it went wrong: an index into the spans of the unit.
    pub span: u32,
    pub moves_len: u32,
    pub moves_capacity: u32,
    /// Number of values in `message`.
    pub message_len: u32,
    /// Moves found: process, branch, receiver plus one and its branch, 16 bits each from the low end.
    pub moves: *mut u64,
    /// The message of a rendezvous under way, or the values that `run` passes.
    pub message: *mut i32,
    pub random_state: u64,
    pub random_increment: u64,
    /// Process numbers in order, between two steps.
    pub pool: *mut u16,
    /// Positions of the pool that differ from that.
    pub touched: *mut u16,
    /// By action: was it executed?
    pub coverage: *mut u8,
    /// By process: its type and where it stands, as one number ([`standing`]). In walks only.
    pub standing: *mut u32,
    pub tries: u64,
    /// Steps until the host is asked.
    pub fuel: u32,
    /// Steps after `fuel`, one by one, where the host looks at every state.
    pub looks: u32,
    /// Rendezvous taken.
    pub meetings: u32,
    pub host: *mut (),
}

/// Offsets of the fields of a [`Run`].
pub(crate) mod field {
    use super::*;

    macro_rules! fields {
        ($($name:ident: $field:ident,)*) => { $(pub const $name: i32 = offset_of!(Run, $field) as i32;)* };
    }

    fields! {
        BYTES: bytes,
        PROCESSES: processes,
        CHANNELS: channels,
        PROCESS_COUNT: process_count,
        CHANNEL_COUNT: channel_count,
        EXCLUSIVE: exclusive,
        VIOLATION: violation,
        FATAL: fatal,
        HALF: half,
        FAULT_A: fault_a,
        FAULT_B: fault_b,
        SPAN: span,
        MOVES_LEN: moves_len,
        MOVES_CAPACITY: moves_capacity,
        MESSAGE_LEN: message_len,
        MOVES: moves,
        MESSAGE: message,
        RANDOM_STATE: random_state,
        RANDOM_INCREMENT: random_increment,
        POOL: pool,
        TOUCHED: touched,
        COVERAGE: coverage,
        STANDING: standing,
        TRIES: tries,
        FUEL: fuel,
        MEETINGS: meetings,
    }
}

/// A process's type and where it stands, as one number: the type has as few bits as the model's need.
pub(crate) fn standing(type_bits: u32, ty: ProcessTypeId, location: LocationId) -> u32 {
    u32::from(location.0) << type_bits | u32::from(ty.0)
}

/// Values of [`Run::violation`].
pub(crate) mod code {
    pub const ASSERTION: u32 = 1;
    /// The host has the violation.
    pub const FOREIGN: u32 = 2;
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

/// The fault behind the numbers that compiled code left.
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

impl Default for Run {
    fn default() -> Self {
        Run {
            bytes: null_mut(),
            processes: null(),
            channels: null(),
            process_count: 0,
            channel_count: 0,
            exclusive: 0,
            violation: 0,
            fatal: 0,
            half: 0,
            fault_a: 0,
            fault_b: 0,
            span: 0,
            moves_len: 0,
            moves_capacity: 0,
            message_len: 0,
            moves: null_mut(),
            message: null_mut(),
            random_state: 0,
            random_increment: 0,
            pool: null_mut(),
            touched: null_mut(),
            coverage: null_mut(),
            standing: null_mut(),
            tries: 0,
            fuel: 0,
            looks: 0,
            meetings: 0,
            host: null_mut(),
        }
    }
}

impl Run {
    /// Nothing has happened yet.
    pub fn begin(&mut self) {
        (self.violation, self.fatal, self.half) = (0, 0, 0);
        (self.moves_len, self.message_len) = (0, 0);
        (self.tries, self.meetings) = (0, 0);
        self.coverage = null_mut();
        self.standing = null_mut();
    }

    /// The violation that compiled code left; `foreign` is the one that the host has.
    pub fn decode(&self, spans: &[Span], foreign: Option<Violation>) -> Option<Violation> {
        let mut violation = match self.violation {
            0 => return None,
            code::FOREIGN => foreign.expect("the host has the violation"),
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
