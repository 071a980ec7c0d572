//! How large values can get.
//!
//! Every value that a model stores starts at 0 and becomes what statements assign to it: constants, truth values, sums and
//! remainders of other values. Bounds are spread from assignment to assignment until nothing changes; one that keeps growing is
//! given up. Only values that are never negative have a bound, and conditions are not looked at, so a counter that a
//! guard stops has none.

use std::collections::HashMap;

use crate::analysis::{Owner, Region, creates_processes};
use crate::expr::{BinaryOp, Expr, Place, ReceiveField, UnaryOp};
use crate::model::{ActionKind, DStepNode, Initial, Model, ProcessTypeId};
use crate::types::Scalar;

/// Rounds after which a bound that still grows is given up.
const ROUNDS: usize = 24;
/// The largest bound of a field of a message: it fits into every type that is not smaller.
const FIELD: u32 = i16::MAX as u32;

/// Where a value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kept {
    /// By offset.
    Global(u32),
    /// By offset, in processes of a type.
    Local(ProcessTypeId, u32),
    /// By place in messages of all channels.
    Field(usize),
}

/// Upper bounds of values that are never negative.
///
/// ```
/// use lurcher_ir::{Model, analysis::Bounds};
/// // Nothing is ever stored, so every value stays 0.
/// assert_eq!(Bounds::of(&Model::default()).global(0), Some(0));
/// ```
#[derive(Debug)]
pub struct Bounds {
    /// What is not in here is 0; what is in here without a bound may be anything.
    known: HashMap<Kept, Option<u32>>,
}

/// Bounds under way.
struct Spread<'m> {
    model: &'m Model,
    /// Where no process is created: no number of a process or of processes is larger, with a claim among them or not.
    pid: Option<u32>,
    bounds: Bounds,
    /// A bound that grows is given up.
    widen: bool,
    changed: bool,
}

impl Bounds {
    /// The bounds of a model.
    pub fn of(model: &Model) -> Bounds {
        let pid = (!creates_processes(model)).then(|| model.initial_processes.len() as u32 + 1);
        let bounds = Bounds { known: HashMap::new() };
        let mut spread = Spread { model, pid, bounds, widen: false, changed: true };
        let mut rounds = 0;
        while spread.changed {
            (spread.changed, spread.widen) = (false, rounds >= ROUNDS);
            spread.round();
            rounds += 1;
        }
        spread.bounds
    }

    /// The bound of the global value at an offset.
    pub fn global(&self, offset: u32) -> Option<u32> {
        self.get(Kept::Global(offset))
    }

    /// The bound of a local value of a process type.
    pub fn local(&self, ty: ProcessTypeId, offset: u32) -> Option<u32> {
        self.get(Kept::Local(ty, offset))
    }

    /// The bound of a field of messages.
    pub fn field(&self, number: usize) -> Option<u32> {
        self.get(Kept::Field(number))
    }

    fn get(&self, kept: Kept) -> Option<u32> {
        self.known.get(&kept).copied().unwrap_or(Some(0))
    }
}

impl Spread<'_> {
    fn round(&mut self) {
        let model = self.model;
        let nobody = ProcessTypeId(u16::MAX);
        self.initials(nobody, &model.global_init);
        for (number, process) in model.process_types.iter().enumerate() {
            let ty = ProcessTypeId(number as u16);
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
                Initial::Channel(made) => self.store(ty, &made.place, None),
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
                    self.raise(Kept::Field(number), bound);
                }
            }
            ActionKind::Receive { fields, .. } => {
                for (number, field) in fields.iter().enumerate() {
                    if let ReceiveField::Store(place) = field {
                        self.store(ty, place, self.bounds.field(number));
                    }
                }
            }
            ActionKind::DStep(sequence) => {
                for node in &sequence.nodes {
                    if let DStepNode::Do(kind, ..) = node {
                        self.action(ty, kind);
                    }
                }
            }
            _ => {}
        }
    }

    /// A value with this bound is stored at a place.
    fn store(&mut self, ty: ProcessTypeId, place: &Place, bound: Option<u32>) {
        let largest = match place.scalar {
            Scalar::Bit => Some(1),
            Scalar::Byte | Scalar::Symbol(_) => Some(u32::from(u8::MAX)),
            Scalar::Unsigned(bits) => Some((1 << bits.clamp(1, 31)) - 1),
            Scalar::Short | Scalar::Int | Scalar::Channel => None,
        };
        // What does not fit is cut off: all is possible that does.
        let bound = match (place.scalar, largest) {
            (_, Some(largest)) => Some(bound.map_or(largest, |b| b.min(largest))),
            (Scalar::Short, None) => bound.filter(|&b| b <= i16::MAX as u32),
            (_, None) => bound.filter(|&b| b <= i32::MAX as u32),
        };
        for kept in kept(ty, place) {
            self.raise(kept, bound);
        }
    }

    fn raise(&mut self, kept: Kept, bound: Option<u32>) {
        let old = self.bounds.get(kept);
        let higher = match (old, bound) {
            (None, _) => return,
            (Some(_), None) => None,
            (Some(old), Some(new)) if new <= old => return,
            (Some(_), Some(_)) if self.widen => None,
            (Some(_), Some(new)) => Some(new),
        };
        self.bounds.known.insert(kept, higher);
        self.changed = true;
    }

    /// The bound of an expression that a process of a type evaluates; none where it may be negative.
    fn upper(&self, ty: ProcessTypeId, expr: &Expr) -> Option<u32> {
        let upper = |e: &Expr| self.upper(ty, e);
        let within = |bound: Option<u32>| bound.filter(|&b| b <= i32::MAX as u32);
        match expr {
            Expr::Const(v) | Expr::Symbol(v, _) => u32::try_from(*v).ok(),
            Expr::Read(place) => kept(ty, place).into_iter().try_fold(0, |most, k| Some(most.max(self.bounds.get(k)?))),
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

/// Where the values of a place are kept, seen by a process of a type.
fn kept(ty: ProcessTypeId, place: &Place) -> Vec<Kept> {
    let region = Region::of(place, None);
    let mut all = Vec::new();
    region.offsets(&mut |offset| {
        all.push(match region.owner {
            Owner::Global => Kept::Global(offset),
            Owner::Own => Kept::Local(ty, offset),
            Owner::Process(other, _) => Kept::Local(other, offset),
        });
    });
    all
}
