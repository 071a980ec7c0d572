//! Upper bounds of stored values.
//!
//! Every stored value starts at 0 and changes by assignments. Bounds propagate from assignment to assignment until a
//! fixpoint; a bound that still grows after some rounds is widened to none. Only values that are never negative have a
//! bound. Guards are ignored, so a counter that a guard stops has no bound.

use std::collections::HashMap;

use super::access::{Cell, cells};
use crate::analysis::creates_processes;
use crate::expr::{BinaryOp, Expr, Place, ReceiveField, UnaryOp};
use crate::model::{Initial, Model, ProcessTypeId};
use crate::statement::ActionKind;
use crate::types::Scalar;

/// Rounds before widening.
const ROUNDS: usize = 24;
/// The largest bound of a message field.
const FIELD: u32 = i16::MAX as u32;

/// A stored value: a variable, or a field of the messages of all channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stored {
    Variable(Cell),
    Field(usize),
}

/// Upper bounds of values that are never negative.
///
/// ```
/// use lurcher_ir::{Model, analysis::Bounds};
/// // No statement writes, so every value is 0.
/// assert_eq!(Bounds::of(&Model::default(), 0).global(0), Some(0));
/// ```
#[derive(Debug)]
pub struct Bounds {
    /// Missing values are always 0; values without a bound are arbitrary.
    known: HashMap<Stored, Option<u32>>,
}

/// The fixpoint computation.
struct Propagation<'m> {
    model: &'m Model,
    /// The greatest number of a channel.
    channels: u32,
    /// The bound of `_pid` and `_nr_pr`, if no process is created.
    pid: Option<u32>,
    bounds: Bounds,
    /// Growing bounds are dropped.
    widen: bool,
    changed: bool,
}

impl Bounds {
    /// The bounds of a model that has this many channels at most.
    pub fn of(model: &Model, channels: u32) -> Bounds {
        let pid = (!creates_processes(model)).then(|| model.initial_processes.len() as u32 + 1);
        let bounds = Bounds { known: HashMap::new() };
        let mut propagation = Propagation { model, channels, pid, bounds, widen: false, changed: true };
        let mut rounds = 0;
        while propagation.changed {
            (propagation.changed, propagation.widen) = (false, rounds >= ROUNDS);
            propagation.round();
            rounds += 1;
        }
        propagation.bounds
    }

    /// The bound of the global value at an offset.
    pub fn global(&self, offset: u32) -> Option<u32> {
        self.get(Stored::Variable((None, offset)))
    }

    /// The bound of a local value of a process type.
    pub fn local(&self, ty: ProcessTypeId, offset: u32) -> Option<u32> {
        self.get(Stored::Variable((Some(ty), offset)))
    }

    /// The bound of a field of messages.
    pub fn field(&self, number: usize) -> Option<u32> {
        self.get(Stored::Field(number))
    }

    fn get(&self, stored: Stored) -> Option<u32> {
        self.known.get(&stored).copied().unwrap_or(Some(0))
    }
}

impl Propagation<'_> {
    fn round(&mut self) {
        let model = self.model;
        let no_process = ProcessTypeId(u16::MAX);
        self.initials(no_process, &model.global_init);
        for (ty, process) in model.process_types() {
            self.initials(ty, &process.init);
            for action in &process.actions {
                self.action(ty, &action.kind);
            }
        }
    }

    fn initials(&mut self, ty: ProcessTypeId, steps: &[Initial]) {
        for step in steps {
            match step {
                Initial::Value(place, e) => self.store(ty, place, self.upper(ty, e)),
                Initial::Channel(new) => self.store(ty, &new.place, Some(self.channels)),
            }
        }
    }

    fn action(&mut self, ty: ProcessTypeId, kind: &ActionKind) {
        kind.exprs(&mut |e| {
            e.walk(&mut |e| {
                if let Expr::Run(created, args, _) = e {
                    let model = self.model;
                    for (place, arg) in model.process_type(*created).params.iter().zip(args) {
                        self.store(*created, place, self.upper(ty, arg));
                    }
                }
            });
        });
        match kind {
            ActionKind::Assign(place, e) => self.store(ty, place, self.upper(ty, e)),
            ActionKind::Send(_, _, args) => {
                for (number, arg) in args.iter().enumerate() {
                    let bound = self.upper(ty, arg).filter(|&b| b <= FIELD);
                    self.raise(Stored::Field(number), bound);
                }
            }
            ActionKind::Receive { fields, .. } => {
                for (number, field) in fields.iter().enumerate() {
                    if let ReceiveField::Store(place) = field {
                        self.store(ty, place, self.bounds.field(number));
                    }
                }
            }
            ActionKind::DStep(_) => kind.statements().for_each(|statement| self.action(ty, statement)),
            _ => {}
        }
    }

    /// Stores a value with this bound at a place.
    fn store(&mut self, ty: ProcessTypeId, place: &Place, bound: Option<u32>) {
        let largest = match place.scalar {
            Scalar::Bit => Some(1),
            Scalar::Byte | Scalar::Symbol(_) => Some(u32::from(u8::MAX)),
            Scalar::Unsigned(bits) => Some((1 << bits.clamp(1, 31)) - 1),
            Scalar::Short | Scalar::Int | Scalar::Channel => None,
        };
        // A value that does not fit is truncated to an arbitrary one.
        let bound = match (place.scalar, largest) {
            (_, Some(largest)) => Some(bound.map_or(largest, |b| b.min(largest))),
            (Scalar::Short, None) => bound.filter(|&b| b <= i16::MAX as u32),
            (Scalar::Channel, None) => bound.filter(|&b| b <= u32::from(u16::MAX)),
            (_, None) => bound.filter(|&b| b <= i32::MAX as u32),
        };
        for cell in cells(ty, place) {
            self.raise(Stored::Variable(cell), bound);
        }
    }

    fn raise(&mut self, stored: Stored, bound: Option<u32>) {
        let old = self.bounds.get(stored);
        let higher = match (old, bound) {
            (None, _) => return,
            (Some(_), None) => None,
            (Some(old), Some(new)) if new <= old => return,
            (Some(_), Some(_)) if self.widen => None,
            (Some(_), Some(new)) => Some(new),
        };
        self.bounds.known.insert(stored, higher);
        self.changed = true;
    }

    /// The bound of an expression that a process of a type evaluates; none if it may be negative.
    fn upper(&self, ty: ProcessTypeId, expr: &Expr) -> Option<u32> {
        let upper = |e: &Expr| self.upper(ty, e);
        let within = |bound: Option<u32>| bound.filter(|&b| b <= i32::MAX as u32);
        match expr {
            Expr::Const(v) | Expr::Symbol(v, _) => u32::try_from(*v).ok(),
            Expr::Read(place) => {
                let mut cells = cells(ty, place).into_iter();
                cells.try_fold(0, |most, cell| Some(most.max(self.bounds.get(Stored::Variable(cell))?)))
            }
            Expr::Unary(UnaryOp::Not, _) => Some(1),
            Expr::Unary(UnaryOp::Minus | UnaryOp::Complement, _) => None,
            Expr::Binary(op, a, b) => match op {
                BinaryOp::Gt | BinaryOp::Lt | BinaryOp::Ge | BinaryOp::Le | BinaryOp::Eq | BinaryOp::Ne => Some(1),
                BinaryOp::And | BinaryOp::Or => Some(1),
                BinaryOp::Add => within(upper(a)?.checked_add(upper(b)?)),
                BinaryOp::Mul => within(upper(a)?.checked_mul(upper(b)?)),
                BinaryOp::Div | BinaryOp::Shr => upper(b).and(upper(a)),
                BinaryOp::Mod => Some(upper(a)?.min(upper(b)?.saturating_sub(1))),
                BinaryOp::BitAnd => match (upper(a), upper(b)) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                },
                BinaryOp::BitOr | BinaryOp::BitXor => {
                    within((upper(a)?.max(upper(b)?) + 1).checked_next_power_of_two().map(|p| p - 1))
                }
                BinaryOp::Sub | BinaryOp::Shl => None,
            },
            Expr::Cond(_, a, b) => Some(upper(a)?.max(upper(b)?)),
            Expr::Len(_) => Some(self.model.channel_types.iter().map(|c| u32::from(c.capacity)).max().unwrap_or(0)),
            Expr::Probe(..) | Expr::Poll(..) | Expr::Timeout | Expr::NonProgress | Expr::Enabled(_) | Expr::At(..) => {
                Some(1)
            }
            Expr::Pid | Expr::ProcessCount | Expr::FirstOf(_) => self.pid,
            Expr::Run(..) | Expr::Last | Expr::PcValue(_) | Expr::Priority(_) => None,
        }
    }
}
