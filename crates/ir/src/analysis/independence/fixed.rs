//! Fixed values: the number of a process, and locals and globals that no statement writes. They are substituted in
//! statements, so that `fork[id]` denotes one element and `in?x` one channel.

use std::collections::{HashMap, HashSet};

use lurcher_resources::checkpoint;

use crate::analysis::{Region, constant, constant_globals};
use crate::expr::{Expr, Frame, Index, Place};
use crate::model::{Initial, Model, ProcessType, ProcessTypeId};
use crate::statement::ActionKind;
use crate::types::Scalar;

/// A variable of a process type that keeps its initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedLocal {
    /// Offset in the frame of the process.
    pub offset: u32,
    /// Its type.
    pub scalar: Scalar,
}

/// The variables of a process type that some statement reads and none writes.
pub(super) fn fixed_locals(process_type: &ProcessType) -> Vec<FixedLocal> {
    let mut written = HashSet::new();
    let mut found: Vec<FixedLocal> = Vec::new();
    let mut note = |e: &Expr| {
        e.walk(&mut |e| {
            if let Expr::Read(place) = e
                && place.frame == Frame::Local
                && place.indices.is_empty()
                && !found.iter().any(|l| l.offset == place.offset)
            {
                found.push(FixedLocal { offset: place.offset, scalar: place.scalar });
            }
        });
    };
    process_type.provided.iter().for_each(&mut note);
    for action in &process_type.actions {
        action.kind.exprs(&mut note);
        action.kind.places(&mut |place| {
            place.indices.iter().for_each(|i| note(&i.expr));
            if place.frame == Frame::Local {
                written.extend(Region::of(place, None).offsets());
            }
        });
    }
    found.retain(|l| !written.contains(&l.offset));
    found
}

/// The values of globals that no statement writes, by offset.
pub(super) fn fixed_globals(model: &Model) -> HashMap<u32, i32> {
    let unwritten = constant_globals(model);
    let mut values: HashMap<u32, Option<i32>> =
        unwritten.iter().inspect(|_| checkpoint()).map(|o| (o, Some(0))).collect();
    let mut channels = 0;
    for step in &model.global_init {
        let (place, value) = match step {
            Initial::Value(place, e) => (place, constant(e, None).map(|v| place.scalar.truncate(v))),
            Initial::Channel(new) => {
                channels += 1;
                (&new.place, Some(channels))
            }
        };
        let region = Region::of(place, None);
        let value = value.filter(|_| region.is_single());
        for o in region.offsets() {
            values.entry(o).and_modify(|known| *known = value);
        }
    }
    values.into_iter().filter_map(|(o, v)| Some((o, v?))).collect()
}

/// The fixed values of one process.
pub(super) struct Fixed<'a> {
    /// The number of the process, if it is known.
    pub pid: Option<u16>,
    /// Variables of the process, by offset.
    pub locals: &'a [(u32, i32)],
    /// Globals, by offset.
    pub globals: &'a HashMap<u32, i32>,
}

impl Fixed<'_> {
    /// Substitutes fixed values in an expression and folds constants.
    pub fn expr(&self, expr: &Expr) -> Expr {
        let boxed = |e: &Expr| Box::new(self.expr(e));
        let all = |list: &[Expr]| list.iter().map(|e| self.expr(e)).collect();
        let folded = match expr {
            Expr::Const(_)
            | Expr::Symbol(..)
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::FirstOf(_) => expr.clone(),
            Expr::Read(place) => self.read(place),
            Expr::Unary(op, e) => Expr::Unary(*op, boxed(e)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, boxed(a), boxed(b)),
            Expr::Cond(a, b, c) => Expr::Cond(boxed(a), boxed(b), boxed(c)),
            Expr::Len(c) => Expr::Len(boxed(c)),
            Expr::Probe(probe, c) => Expr::Probe(*probe, boxed(c)),
            Expr::Poll(c, random, fields) => Expr::Poll(
                boxed(c),
                *random,
                fields.iter().map(|f| f.map(&|e| self.expr(e), &|place| self.place(place))).collect(),
            ),
            Expr::Run(ty, args, priority) => Expr::Run(*ty, all(args), *priority),
            Expr::Enabled(p) => Expr::Enabled(boxed(p)),
            Expr::PcValue(p) => Expr::PcValue(boxed(p)),
            Expr::Priority(p) => Expr::Priority(boxed(p)),
            Expr::At(p, ty, location) => Expr::At(boxed(p), *ty, *location),
        };
        constant(&folded, self.pid).map_or(folded, Expr::Const)
    }

    fn read(&self, place: &Place) -> Expr {
        let place = self.place(place);
        let region = Region::of(&place, self.pid);
        let known = match &place.frame {
            Frame::Global if region.is_single() => self.globals.get(&region.offset).copied(),
            Frame::Local if place.indices.is_empty() => {
                self.locals.iter().find(|(offset, _)| *offset == place.offset).map(|(_, value)| *value)
            }
            _ => None,
        };
        known.map_or_else(|| Expr::Read(Box::new(place)), Expr::Const)
    }

    fn place(&self, place: &Place) -> Place {
        let frame = match &place.frame {
            Frame::Process(p, ty) => Frame::Process(Box::new(self.expr(p)), *ty),
            other => other.clone(),
        };
        let index = |i: &Index| Index { expr: self.expr(&i.expr), ..i.clone() };
        Place { frame, indices: place.indices.iter().map(index).collect(), ..place.clone() }
    }

    /// Substitutes fixed values in a statement.
    pub fn kind(&self, kind: &ActionKind) -> ActionKind {
        kind.map(&|e| self.expr(e), &|place| self.place(place))
    }
}

/// Whether processes of a type create channels of their own.
pub(super) fn has_own_channels(model: &Model, ty: ProcessTypeId) -> bool {
    model.process_type(ty).init.iter().any(|step| matches!(step, Initial::Channel(_)))
}
