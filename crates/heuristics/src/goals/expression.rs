//! Goals of an expression: what gives it a wanted value.
//!
//! The expression is split at `&&`, `||` and `!` into atoms with wanted values. An atom about a location makes that location
//! a goal of the process it names; an atom over variables makes their assignments goals, except assignments of a constant
//! that give the only variable of the atom the wrong value.

use lurcher_ir::analysis::{ControlFlow, constant};
use lurcher_ir::{
    ActionId, ActionKind, BinaryOp, Expr, Frame, LocationId, Model, Place, Probe, ProcessTypeId, UnaryOp,
};

use super::{Goals, ProcessGoals, system_types};

/// Adds the goals of giving the expression a value.
pub(super) fn add(model: &Model, expr: &Expr, wanted: bool, goals: &mut Goals) {
    match expr {
        Expr::Unary(UnaryOp::Not, e) => add(model, e, !wanted, goals),
        Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            add(model, a, wanted, goals);
            add(model, b, wanted, goals);
        }
        Expr::Cond(_, a, b) => {
            add(model, a, wanted, goals);
            add(model, b, wanted, goals);
        }
        Expr::At(p, ty, location) if wanted => {
            named(model, p, *ty, goals).locations.insert(*location);
        }
        Expr::At(..) => {}
        Expr::NonProgress if wanted => without_progress(model, goals),
        Expr::NonProgress => {}
        atom => add_atom(model, atom, wanted, goals),
    }
}

/// The number of the process that an expression names, if it is known statically.
fn number(model: &Model, expr: &Expr) -> Option<u16> {
    match expr {
        Expr::FirstOf(ty) => model.initial_processes.iter().position(|(t, _)| t == ty).map(|p| p as u16),
        _ => constant(expr, None).and_then(|v| u16::try_from(v).ok()),
    }
}

/// The goals of the named process, or of its type if its number is not known.
fn named<'g>(model: &Model, process: &Expr, ty: ProcessTypeId, goals: &'g mut Goals) -> &'g mut ProcessGoals {
    match number(model, process) {
        Some(number) => goals.named.entry(number).or_default(),
        None => &mut goals.types[ty.0 as usize],
    }
}

/// Adds the locations on cycles without a progress location.
fn without_progress(model: &Model, goals: &mut Goals) {
    for (number, process_type) in system_types(model) {
        let flow = ControlFlow::new(process_type, None);
        let idle = flow.on_cycles(|l| !process_type.location(l).progress);
        goals.types[number].locations.extend(idle);
    }
}

fn add_atom(model: &Model, atom: &Expr, wanted: bool, goals: &mut Goals) {
    let mut reads = Vec::new();
    atom.walk(&mut |e| {
        if let Expr::Read(place) = e {
            reads.push((**place).clone());
        }
    });
    for (type_number, process_type) in system_types(model) {
        for (action_number, action) in process_type.actions.iter().enumerate() {
            let id = ActionId(action_number as u32);
            if moves_messages(&action.kind, atom, wanted) {
                goals.types[type_number].actions.insert(id);
            }
            let value = if let ActionKind::Assign(_, value) = &action.kind { constant(value, None) } else { None };
            action.kind.places(&mut |written| {
                for read in &reads {
                    if touches(written, read, type_number) && may_decide(atom, wanted, &reads, read, written, value) {
                        let own = match &read.frame {
                            Frame::Process(p, ty) => named(model, p, *ty, goals),
                            _ => &mut goals.types[type_number],
                        };
                        own.actions.insert(id);
                    }
                }
            });
        }
    }
}

/// Whether a write by a process of this type can change what the property reads.
fn touches(written: &Place, read: &Place, writer: usize) -> bool {
    let same_frame = match (&written.frame, &read.frame) {
        (Frame::Global, Frame::Global) => true,
        (Frame::Local, Frame::Process(_, ty)) => ty.0 as usize == writer,
        _ => false,
    };
    same_frame && written.offset < read.bytes().end && read.offset < written.bytes().end
}

/// Whether a write may give the atom the wanted value. This can be excluded only for a constant that is written to the
/// single variable of the atom.
fn may_decide(atom: &Expr, wanted: bool, reads: &[Place], read: &Place, written: &Place, value: Option<i32>) -> bool {
    let alone = reads.iter().all(|r| r == read) && read.indices.is_empty() && written.indices.is_empty();
    match value {
        Some(value) if alone => {
            let value = written.scalar.truncate(value);
            constant(&with_value(atom, read, value), None).is_none_or(|v| (v != 0) == wanted)
        }
        _ => true,
    }
}

fn with_value(expr: &Expr, place: &Place, value: i32) -> Expr {
    let with = |e: &Expr| Box::new(with_value(e, place, value));
    match expr {
        Expr::Read(read) if **read == *place => Expr::Const(value),
        Expr::Unary(op, e) => Expr::Unary(*op, with(e)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, with(a), with(b)),
        Expr::Cond(c, a, b) => Expr::Cond(with(c), with(a), with(b)),
        other => other.clone(),
    }
}

/// Whether the statement sends to or receives from a channel whose contents the atom tests.
fn moves_messages(kind: &ActionKind, atom: &Expr, wanted: bool) -> bool {
    let (channel, fuller, emptier) = match atom {
        Expr::Probe(Probe::Full | Probe::NotEmpty, c) => (c, wanted, !wanted),
        Expr::Probe(Probe::Empty | Probe::NotFull, c) => (c, !wanted, wanted),
        Expr::Poll(c, ..) => (c, wanted, !wanted),
        _ => return false,
    };
    match kind {
        ActionKind::Send(c, ..) => fuller && c == &**channel,
        ActionKind::Receive { channel: c, copy: false, .. } => emptier && c == &**channel,
        _ => false,
    }
}

/// Adds the accepting locations of the system that lie on a cycle.
pub(super) fn accepting(model: &Model, goals: &mut Goals) {
    for (number, process_type) in system_types(model) {
        let flow = ControlFlow::new(process_type, None);
        let cycles = flow.on_cycles(|_| true);
        let accepts = |l: &LocationId| process_type.location(*l).accept;
        goals.types[number].locations.extend(cycles.into_iter().filter(accepts));
    }
}
