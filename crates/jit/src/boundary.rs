//! The boundary between Rust and compiled code: all unsafe code of this crate but `relation/entry.rs`.
//!
//! Compiled code is entered through a [`Session`], which borrows a state, and calls back the functions at the end of this
//! file. Three rules make that sound:
//!
//! * a state's bytes follow the model's layout, and the code accesses only where the layout, as checked by
//!   `lurcher_ir::check`, has values: a [`Session`] is for states of the same model only;
//! * no Rust reference to the state is alive while compiled code runs; a callback creates one from the raw pointer and
//!   drops it before it returns;
//! * a callback that may move memory updates the pointers in the [`Run`], and compiled code reloads them.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::mem::ManuallyDrop;

use lurcher_ir::{ActionKind, Expr, ProcessTypeId};
use lurcher_syntax::Span;
use lurcher_system::{Fault, Interpreter, Move, ProcessId, State, Violation};

use crate::build::{Function, UnitCode};
use crate::compiler::Code;
use crate::run::{Run, code, fault, position};

/// A compiled function: registers, process, whether a timeout is pending, argument.
pub(crate) type Entry = unsafe extern "C" fn(*mut Run, u32, u32, u64) -> u32;

/// Buffers that are reused by later sessions.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    moves: Vec<u64>,
    message: Vec<i32>,
    scratch: Vec<Move>,
}

thread_local! {
    /// Registers and buffers that no session uses.
    static IDLE: Cell<Option<(Box<Run>, Box<Buffers>)>> = const { Cell::new(None) };
}

/// The data of the host for a unit of compiled code.
#[derive(Debug)]
pub(crate) struct Origin<'m> {
    pub interpreter: Interpreter<'m>,
    pub spans: Vec<Span>,
    /// The most values of a message or of the arguments of `run`.
    pub values: usize,
    /// By process type: the number of its first action.
    pub first_action: Vec<u32>,
    /// Bits of a process type in a position.
    pub type_bits: u32,
}

/// The data of the callbacks.
struct Host<'h, 'm> {
    origin: &'h Origin<'m>,
    state: *mut State,
    buffers: ManuallyDrop<Box<Buffers>>,
    found: Option<Violation>,
    fault: Option<Fault>,
    /// Fingerprints of observed states.
    seen: Vec<u64>,
    /// Observes fingerprints with at least this many low zero bits.
    level: Option<u32>,
}

/// A state borrowed by compiled code.
pub(crate) struct Session<'h, 'm> {
    run: ManuallyDrop<Box<Run>>,
    host: Host<'h, 'm>,
    /// Whether compiled code may write to the state.
    writes: bool,
}

impl<'h, 'm> Session<'h, 'm> {
    /// Borrows a state to read it.
    #[inline]
    pub fn reading(origin: &'h Origin<'m>, state: &'h State) -> Self {
        Session::new(origin, std::ptr::from_ref(state).cast_mut(), false)
    }

    /// Borrows a state to change it.
    #[inline]
    pub fn writing(origin: &'h Origin<'m>, state: &'h mut State) -> Self {
        Session::new(origin, state, true)
    }

    #[inline]
    fn new(origin: &'h Origin<'m>, state: *mut State, writes: bool) -> Self {
        let (mut run, mut buffers) = IDLE.take().unwrap_or_default();
        if buffers.message.len() < origin.values {
            buffers.message.resize(origin.values, 0);
        }
        run.begin();
        run.moves = buffers.moves.as_mut_ptr();
        run.moves_capacity = buffers.moves.capacity() as u32;
        run.message = buffers.message.as_mut_ptr();
        // SAFETY: the state is borrowed for 'h, and compiled code is not running now.
        unsafe {
            run.exclusive = (*state).exclusive.map_or(0, |p| u32::from(p.0) + 1);
            refresh(&mut run, state, writes);
        }
        Session {
            run: ManuallyDrop::new(run),
            host: Host {
                origin,
                state,
                buffers: ManuallyDrop::new(buffers),
                found: None,
                fault: None,
                seen: Vec::new(),
                level: None,
            },
            writes,
        }
    }

    /// The registers.
    pub fn run(&mut self) -> &mut Run {
        &mut self.run
    }

    /// Observes the states of a walk whose fingerprints have at least `level` low zero bits.
    pub fn observe(&mut self, level: Option<u32>, seen: Vec<u64>) {
        (self.host.seen, self.host.level) = (seen, level);
    }

    /// Bytes of the observed fingerprints.
    pub fn observed_memory(&self) -> u64 {
        self.host.seen.capacity() as u64 * 8
    }

    /// Ends the session and returns the observed fingerprints.
    pub fn into_observed(mut self) -> Vec<u64> {
        std::mem::take(&mut self.host.seen)
    }

    /// Stores the positions of all processes, for a walk.
    pub fn note_positions(&mut self) {
        let (origin, state) = (self.host.origin, self.host.state);
        // SAFETY: the state is borrowed for 'h, and compiled code is not running now.
        note_positions(&mut self.run, origin, unsafe { &*state }, 0);
    }

    /// Calls a compiled function.
    ///
    /// The function must belong to the unit of the session's origin.
    #[inline]
    pub fn call(&mut self, entry: Entry, process: u32, timeout: bool, rest: u64) -> u32 {
        self.run.host = std::ptr::from_mut(&mut self.host).cast();
        // SAFETY: every register is valid since the session began, and the function was compiled for these registers.
        let result = unsafe { entry(&mut **self.run, process, u32::from(timeout), rest) };
        if self.writes {
            // SAFETY: the state is borrowed for 'h, exclusively, and compiled code has returned.
            let state = unsafe { &mut *self.host.state };
            state.exclusive = self.run.exclusive.checked_sub(1).map(|p| ProcessId(p as u16));
        }
        result
    }

    /// The moves found by compiled code.
    pub fn found_moves(&self) -> &[u64] {
        // SAFETY: compiled code has written the first `moves_len` elements of a buffer of at least that capacity.
        unsafe { std::slice::from_raw_parts(self.run.moves, self.run.moves_len as usize) }
    }

    /// The violation reported by compiled code.
    #[inline]
    pub fn violation(&mut self) -> Option<Violation> {
        if self.run.violation == 0 {
            return None;
        }
        let interpreted = self.host.found.take();
        self.run.decode(&self.host.origin.spans, interpreted)
    }

    /// The fault of an evaluated expression.
    pub fn expression_fault(&mut self) -> Option<Fault> {
        match self.run.violation {
            0 => None,
            code::INTERPRETED => match self.host.found.take() {
                Some(Violation::Fault { fault, .. }) => Some(fault),
                _ => unreachable!("an expression has no assertion"),
            },
            code => Some(fault(code, self.run.fault_a, self.run.fault_b)),
        }
    }
}

impl Drop for Session<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: both are taken once and not used afterwards.
        let idle = unsafe { (ManuallyDrop::take(&mut self.run), ManuallyDrop::take(&mut self.host.buffers)) };
        IDLE.set(Some(idle));
    }
}

impl UnitCode {
    /// A compiled function.
    pub fn entry(&self, function: Function) -> Option<Entry> {
        // SAFETY: every function of a unit has this signature. Owners of the entry own the code.
        self.address(function).map(|address| unsafe { std::mem::transmute::<*const u8, Entry>(address) })
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.take() {
            // SAFETY: entries are called only by owners of the code, so nothing can run it any more.
            unsafe { module.free_memory() };
        }
    }
}

/// Updates the pointers into a state.
///
/// # Safety
/// The state must be alive, and no reference to it in use.
#[inline]
unsafe fn refresh(run: &mut Run, state: *mut State, writes: bool) {
    // SAFETY: by the caller's promise. The references are dropped before compiled code continues. If the state is borrowed
    // for reading only, the code contains no store to it.
    let bytes =
        unsafe { if writes { (*state).bytes_mut().as_mut_ptr() } else { (*state).bytes().as_ptr().cast_mut() } };
    // SAFETY: as above.
    let state = unsafe { &*state };
    run.bytes = bytes;
    run.processes = state.process_offsets().as_ptr();
    run.channels = state.channel_offsets().as_ptr();
    run.process_count = u32::from(state.process_count());
    run.channel_count = u32::from(state.channel_count());
}

/// Stores the positions of processes from one on, in a walk.
fn note_positions(run: &mut Run, origin: &Origin<'_>, state: &State, from: u16) {
    if run.positions.is_null() {
        return;
    }
    for id in (from..state.process_count()).map(ProcessId) {
        let number = position(origin.type_bits, state.process_type(id), state.location(id));
        // SAFETY: there is an element for every possible process.
        unsafe { run.positions.add(usize::from(id.0)).write(number) };
    }
}

/// The registers and the host of a callback.
///
/// # Safety
/// The run must be one that a [`Session`] has passed to compiled code, which has called back.
unsafe fn host<'r>(run: *mut Run) -> (&'r mut Run, &'r mut Host<'r, 'r>) {
    // SAFETY: by the caller's promise both are alive, and compiled code holds no Rust references.
    unsafe {
        let run = &mut *run;
        let host = &mut *run.host.cast::<Host<'r, 'r>>();
        (run, host)
    }
}

/// As [`host`], with the state.
///
/// # Safety
/// As for [`host`].
unsafe fn reading<'r>(run: *mut Run) -> (&'r mut Run, &'r mut Host<'r, 'r>, &'r State) {
    // SAFETY: by the caller's promise; the session borrows the state.
    unsafe {
        let (run, host) = host(run);
        let state = &*host.state;
        (run, host, state)
    }
}

/// As [`reading`], for a session that may write.
///
/// # Safety
/// As for [`host`]; the session must be a writing one.
unsafe fn writing<'r>(run: *mut Run) -> (&'r mut Run, &'r mut Host<'r, 'r>, &'r mut State) {
    // SAFETY: by the caller's promise; the session borrows the state exclusively.
    unsafe {
        let (run, host) = host(run);
        let state = &mut *host.state;
        (run, host, state)
    }
}

/// Reports a violation of the interpreter; returns whether it is fatal. A fatal one replaces an earlier one.
fn report_violation(run: &mut Run, host: &mut Host<'_, '_>, violation: Violation) -> u32 {
    let fatal = violation.is_fatal();
    if fatal || run.violation == 0 {
        run.violation = code::INTERPRETED;
        run.fatal = u32::from(fatal);
        host.found = Some(violation);
    }
    u32::from(fatal)
}

/// Grows the list of moves.
pub(crate) unsafe extern "C" fn grow(run: *mut Run) {
    // SAFETY: called back from compiled code.
    let (run, host) = unsafe { host(run) };
    let moves = &mut host.buffers.moves;
    let used = run.moves_len as usize;
    // SAFETY: compiled code has written the first `used` elements, and the capacity is at least that.
    unsafe { moves.set_len(used) };
    moves.reserve(used.max(16));
    run.moves = moves.as_mut_ptr();
    run.moves_capacity = moves.capacity() as u32;
}

/// Creates a process with the first values of the message as arguments; returns its pid, or -1 on failure.
pub(crate) unsafe extern "C" fn create(run: *mut Run, ty: u32, values: u32, priority: u32, span: u32) -> i32 {
    // SAFETY: called back from compiled code of a writing session, which has written `values` values.
    let (run, host, state) = unsafe { writing(run) };
    let args = &host.buffers.message[..values as usize];
    let created = host.origin.interpreter.create(state, ProcessTypeId(ty as u16), args, priority as u8);
    if let Ok(id) = created {
        note_positions(run, host.origin, state, id.0);
    }
    // SAFETY: `state` is not used any more.
    unsafe { refresh(run, host.state, true) };
    match created {
        Ok(id) => i32::from(id.0),
        Err(fault) => {
            let span = host.origin.spans[span as usize];
            report_violation(run, host, Violation::Fault { fault, span, fatal: true, half: false });
            -1
        }
    }
}

/// Removes the youngest process.
pub(crate) unsafe extern "C" fn end(run: *mut Run) {
    // SAFETY: called back from compiled code of a writing session; the reference is not used after `pop_process`.
    unsafe {
        let (run, host, state) = writing(run);
        state.pop_process();
        refresh(run, host.state, true);
    }
}

/// Executes a statement; returns whether it fails fatally.
pub(crate) unsafe extern "C" fn perform(
    run: *mut Run,
    kind: *const ActionKind,
    span: u32,
    process: u32,
    timeout: u32,
) -> u32 {
    // SAFETY: called back from compiled code of a writing session, which has the address from the model.
    let ((run, host, state), kind) = unsafe { (writing(run), &*kind) };
    let span = host.origin.spans[span as usize];
    let violation = host.origin.interpreter.perform(state, ProcessId(process as u16), timeout != 0, kind, span);
    note_positions(run, host.origin, state, 0);
    // SAFETY: `state` is not used any more.
    unsafe { refresh(run, host.state, true) };
    violation.map_or(0, |violation| report_violation(run, host, violation))
}

/// Evaluates an expression for a process or for none (`u32::MAX`); sets bit 32 on a fault.
pub(crate) unsafe extern "C" fn value(run: *mut Run, expr: *const Expr, process: u32, timeout: u32) -> u64 {
    // SAFETY: called back from compiled code, which has the address from the model or from the watched expressions.
    let ((_, host, state), expr) = unsafe { (reading(run), &*expr) };
    let id = (process != u32::MAX).then_some(ProcessId(process as u16));
    match host.origin.interpreter.value(state, id, timeout != 0, expr) {
        Ok(value) => u64::from(value as u32),
        Err(fault) => {
            host.fault = Some(fault);
            1 << 32
        }
    }
}

/// Reports the fault of the last [`value`].
pub(crate) unsafe extern "C" fn report(run: *mut Run, span: u32) {
    // SAFETY: called back from compiled code.
    let (run, host) = unsafe { host(run) };
    let span = host.origin.spans[span as usize];
    let fault = host.fault.take().expect("a fault occurred");
    report_violation(run, host, Violation::Fault { fault, span, fatal: true, half: false });
}

/// Whether the `provided` clause and the priority of a process let it run.
pub(crate) unsafe extern "C" fn may_run(run: *mut Run, process: u32, timeout: u32) -> u32 {
    // SAFETY: called back from compiled code.
    let (_, host, state) = unsafe { reading(run) };
    u32::from(host.origin.interpreter.may_run(state, ProcessId(process as u16), timeout != 0))
}

/// Tests a branch: 0 if it is disabled, 1 if it is enabled, 2 for rendezvous, which are added to the moves.
pub(crate) unsafe extern "C" fn offer(run: *mut Run, process: u32, branch: u32, timeout: u32) -> u32 {
    // SAFETY: called back from compiled code.
    let (run, host, state) = unsafe { reading(run) };
    let mut offers = std::mem::take(&mut host.buffers.scratch);
    host.origin.interpreter.offers(state, ProcessId(process as u16), branch as u16, timeout != 0, &mut offers);
    let result = match offers.first() {
        None => 0,
        Some(Move { partner: None, .. }) => 1,
        Some(_) => {
            for offer in &offers {
                if run.moves_len == run.moves_capacity {
                    // SAFETY: the same promise; neither reference is used during the call.
                    unsafe { grow(run) };
                }
                // SAFETY: there is room for one more move.
                unsafe { run.moves.add(run.moves_len as usize).write(pack(offer)) };
                run.moves_len += 1;
            }
            2
        }
    };
    host.buffers.scratch = offers;
    result
}

/// Executes a move in the interpreter.
pub(crate) unsafe extern "C" fn apply(run: *mut Run, packed: u64, timeout: u32) {
    // SAFETY: called back from compiled code of a writing session.
    let (run, host, state) = unsafe { writing(run) };
    let step = unpack(packed, timeout != 0);
    if !run.coverage.is_null() {
        let one = Some((step.process, step.branch));
        for (id, branch) in [one, step.partner].into_iter().flatten() {
            let first = host.origin.first_action[state.process_type(id).0 as usize];
            let number = first + host.origin.interpreter.branch(state, id, branch).0.action.0;
            // SAFETY: there is a byte for every action of every process type.
            unsafe { run.coverage.add(number as usize).write(1) };
        }
    }
    let violation = host.origin.interpreter.apply(state, &step);
    note_positions(run, host.origin, state, 0);
    run.exclusive = state.exclusive.map_or(0, |p| u32::from(p.0) + 1);
    // SAFETY: `state` is not used any more.
    unsafe { refresh(run, host.state, true) };
    if let Some(violation) = violation {
        report_violation(run, host, violation);
    }
}

/// Called by a walk without fuel. Records the fingerprint of an observed state (not inside an atomic chain) and returns
/// the number of further steps: one if states are observed and steps are left.
pub(crate) unsafe extern "C" fn observe_state(run: *mut Run) -> u32 {
    // SAFETY: called back from compiled code.
    let (run, host, state) = unsafe { reading(run) };
    let Some(level) = host.level else { return 0 };
    if run.exclusive == 0 {
        let fingerprint = state.fingerprint(0);
        if fingerprint.trailing_zeros() >= level {
            host.seen.push(fingerprint);
        }
    }
    let more = run.observed.min(1);
    run.observed -= more;
    more
}

/// Keeps only the moves of one branch.
pub(crate) unsafe extern "C" fn filter(run: *mut Run, branch: u32) {
    // SAFETY: called back from compiled code, which has written the first `moves_len` elements.
    let (run, moves) = unsafe {
        let (run, _) = host(run);
        let moves = std::slice::from_raw_parts_mut(run.moves, run.moves_len as usize);
        (run, moves)
    };
    let mut kept = 0;
    for i in 0..moves.len() {
        if moves[i] >> 16 & 0xffff == u64::from(branch) {
            moves[kept] = moves[i];
            kept += 1;
        }
    }
    run.moves_len = kept as u32;
}

/// A move as one number: see [`Run::moves`].
pub(crate) fn pack(step: &Move) -> u64 {
    let (partner, answer) = step.partner.map_or((0, 0), |(p, b)| (u64::from(p.0) + 1, b));
    u64::from(step.process.0) | u64::from(step.branch) << 16 | partner << 32 | u64::from(answer) << 48
}

/// The inverse of [`pack`].
pub(crate) fn unpack(packed: u64, timeout: bool) -> Move {
    let part = |shift: u32| (packed >> shift) as u16;
    let partner = part(32).checked_sub(1).map(|p| (ProcessId(p), part(48)));
    Move { process: ProcessId(part(0)), branch: part(16), partner, timeout }
}
