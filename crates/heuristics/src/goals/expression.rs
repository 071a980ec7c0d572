//! What processes can do to give an expression a wanted value.
//!
//! The expression is taken apart at `&&`, `||` and `!` into atoms with wanted values. An atom about a location makes
//! that location a goal of the process it names; an atom over variables makes their assignments goals. An assignment
//! of a constant that gives the only variable of an atom the wrong value is seen and left out; others are kept.

use lurcher_ir::analysis::{ControlFlow, constant};
use lurcher_ir::{
    ActionId, ActionKind, BinaryOp, Expr, Frame, LocationId, Model, Place, Probe, ProcessTypeId, UnaryOp,
};

use super::{Goals, ProcessGoals, system_types};

/// Adds the goals of making the expression true, or false.
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

/// The number of the process that an expression of a property names, where it is known at load time.
fn number(model: &Model, expr: &Expr) -> Option<u16> {
    match expr {
        Expr::FirstOf(ty) => model.initial_processes.iter().position(|(t, _)| t == ty).map(|p| p as u16),
        _ => constant(expr, None).and_then(|v| u16::try_from(v).ok()),
    }
}

/// The goals of the process that is named, or of its type when its number is not known.
fn named<'g>(model: &Model, process: &Expr, ty: ProcessTypeId, goals: &'g mut Goals) -> &'g mut ProcessGoals {
    match number(model, process) {
        Some(number) => goals.named.entry(number).or_default(),
        None => &mut goals.types[ty.0 as usize],
    }
}

/// Goes round and round without progress: locations on cycles without a progress location.
fn without_progress(model: &Model, goals: &mut Goals) {
    for (number, process_type) in system_types(model) {
        let flow = ControlFlow::new(process_type, None);
        let idle = flow.on_cycles(|l| !process_type.location(l).progress);
        goals.types[number].locations.extend(idle);
    }
}

/// What is written, from where.
struct Write<'m> {
    place: &'m Place,
    /// The value, where the statement says it.
    value: Option<i32>,
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
            for write in writes(&action.kind) {
                for read in &reads {
                    if touches(&write, read, type_number) && may_decide(atom, wanted, &reads, read, &write) {
                        let own = match &read.frame {
                            Frame::Process(p, ty) => named(model, p, *ty, goals),
                            _ => &mut goals.types[type_number],
                        };
                        own.actions.insert(id);
                    }
                }
            }
        }
    }
}

fn writes(kind: &ActionKind) -> Vec<Write<'_>> {
    match kind {
        ActionKind::Assign(place, value) => vec![Write { place, value: constant(value, None) }],
        _ => {
            let mut found = Vec::new();
            places(kind, &mut found);
            found.into_iter().map(|place| Write { place, value: None }).collect()
        }
    }
}

fn places<'m>(kind: &'m ActionKind, found: &mut Vec<&'m Place>) {
    match kind {
        ActionKind::Assign(place, _) => found.push(place),
        ActionKind::Receive { fields, .. } => found.extend(fields.iter().filter_map(|f| match f {
            lurcher_ir::ReceiveField::Store(place) => Some(place),
            _ => None,
        })),
        ActionKind::DStep(sequence) => {
            for node in &sequence.nodes {
                if let lurcher_ir::DStepNode::Do(kind, ..) = node {
                    places(kind, found);
                }
            }
        }
        _ => {}
    }
}

/// Can a write of a process of this type change what the property reads?
fn touches(write: &Write<'_>, read: &Place, writer: usize) -> bool {
    let same_frame = match (&write.place.frame, &read.frame) {
        (Frame::Global, Frame::Global) => true,
        (Frame::Local, Frame::Process(_, ty)) => ty.0 as usize == writer,
        _ => false,
    };
    let end = |p: &Place| {
        let reach: u32 = p.indices.iter().map(|i| i.count.saturating_sub(1) * i.stride).sum();
        p.offset + reach + p.scalar.size()
    };
    same_frame && write.place.offset < end(read) && read.offset < end(write.place)
}

/// May the write give the atom the wanted value? Only a constant written to the one variable it reads tells.
fn may_decide(atom: &Expr, wanted: bool, reads: &[Place], read: &Place, write: &Write<'_>) -> bool {
    let alone = reads.iter().all(|r| r == read) && read.indices.is_empty() && write.place.indices.is_empty();
    match write.value {
        Some(value) if alone => {
            let value = write.place.scalar.truncate(value);
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

/// Does the statement send to, or receive from, a channel whose filling the atom asks about?
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

/// The locations of the system that carry an accept label and lie on a cycle.
pub(super) fn accepting(model: &Model, goals: &mut Goals) {
    for (number, process_type) in system_types(model) {
        let flow = ControlFlow::new(process_type, None);
        let cycles = flow.on_cycles(|_| true);
        let accepts = |l: &LocationId| process_type.location(*l).accept;
        goals.types[number].locations.extend(cycles.into_iter().filter(accepts));
    }
}
