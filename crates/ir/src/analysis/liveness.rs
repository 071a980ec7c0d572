//! Which values of a process nobody will ask for again.
//!
//! A value is *dead* where a process stands when it writes it before it reads it, on every way from there, or never reads
//! it any more. States that differ in dead values only have the same future. What somebody else reads, another process, a
//! claim or a property, is never dead; nor is the number of a channel.

use std::ops::Range;

use super::faint::Faint;
use crate::analysis::{Access, Owner, Region};
use crate::expr::{Expr, Frame};
use crate::model::{ActionKind, DStep, DStepNode, LocationId, Model, ProcessRole, ProcessType, ProcessTypeId, VarDecl};
use crate::types::Scalar;

/// The dead values of each process type, by location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dead {
    /// By process type and location: bytes of the frame.
    types: Vec<Vec<Vec<Range<u32>>>>,
    /// Bytes of the globals, dead everywhere.
    globals: Vec<Range<u32>>,
}

impl Dead {
    /// The dead values of a model of which these expressions are asked for.
    pub fn of(model: &Model, asked: &[Expr]) -> Dead {
        Dead::beside(model, asked, None)
    }

    /// With them, the values that nobody ever asks for, globals too. A run that comes back to a state but for such values
    /// need not come back to it.
    pub fn with_faint(model: &Model, asked: &[Expr]) -> Dead {
        Dead::beside(model, asked, Some(&Faint::of(model, asked)))
    }

    fn beside(model: &Model, asked: &[Expr], faint: Option<&Faint>) -> Dead {
        let mut looked_at: Vec<Vec<Region>> = vec![Vec::new(); model.process_types.len()];
        for_each_expr(model, &mut |e| look(e, &mut looked_at));
        asked.iter().for_each(|asked| asked.walk(&mut |e| look(e, &mut looked_at)));
        let vain_of = |owner, variables: &[VarDecl]| faint.map_or_else(Vec::new, |v| v.bytes(owner, variables));
        let types =
            model.process_types.iter().zip(&looked_at).enumerate().map(|(number, (ty, looked_at))| match ty.role {
                ProcessRole::System => {
                    let faint = vain_of(Some(ProcessTypeId(number as u16)), &ty.locals);
                    Values::of(ty, looked_at).dead(&faint)
                }
                ProcessRole::Claim | ProcessRole::Trace | ProcessRole::NoTrace => Vec::new(),
            });
        Dead { types: types.collect(), globals: vain_of(None, &model.globals) }
    }

    /// The bytes of the globals that are dead.
    pub fn globals(&self) -> &[Range<u32>] {
        &self.globals
    }

    /// The bytes of its frame that are dead where a process stands.
    #[inline]
    pub fn at(&self, ty: ProcessTypeId, location: LocationId) -> &[Range<u32>] {
        let locations = self.types.get(ty.0 as usize);
        locations.and_then(|l| l.get(location.0 as usize)).map_or(&[], Vec::as_slice)
    }

    /// Is nothing ever dead?
    pub fn is_empty(&self) -> bool {
        self.globals.is_empty() && self.types.iter().flatten().all(Vec::is_empty)
    }
}

/// Calls `f` on all expressions of a model's processes.
fn for_each_expr(model: &Model, f: &mut dyn FnMut(&Expr)) {
    for ty in &model.process_types {
        ty.provided.iter().for_each(|e| e.walk(f));
        for action in &ty.actions {
            action.kind.exprs(&mut |e| e.walk(f));
            action.kind.places(&mut |place| place.walk(f));
        }
    }
}

/// Notes what an expression reads of a process that it names.
fn look(expr: &Expr, looked_at: &mut [Vec<Region>]) {
    if let Expr::Read(place) = expr
        && let Frame::Process(_, ty) = place.frame
    {
        looked_at[ty.0 as usize].push(Region::of(place, None));
    }
}

/// A set of values, a flag for each.
type Set = Vec<bool>;

/// The values of a process type.
struct Values<'m> {
    ty: &'m ProcessType,
    /// The bytes of each, in order.
    bytes: Vec<Range<u32>>,
    /// Those that may never be forgotten.
    kept: Set,
}

impl<'m> Values<'m> {
    fn of(ty: &'m ProcessType, looked_at: &[Region]) -> Self {
        let (mut bytes, mut kept) = (Vec::new(), Vec::new());
        for local in &ty.locals {
            local.shape.leaves(&mut |_, offset, scalar| {
                let start = local.offset + offset;
                bytes.push((start..start + scalar.size(), local.hidden || scalar == Scalar::Channel));
            });
        }
        bytes.sort_by_key(|(b, _)| b.start);
        let bytes = bytes.into_iter().map(|(b, keep)| {
            kept.push(keep);
            b
        });
        let mut values = Values { ty, bytes: bytes.collect(), kept: Vec::new() };
        looked_at.iter().for_each(|region| values.add(region, &mut kept));
        if let Some(test) = &ty.provided {
            let access = Access::of_test(test, None);
            access.reads().filter(|r| r.owner == Owner::Own).for_each(|region| values.add(region, &mut kept));
        }
        values.kept = kept;
        values
    }

    /// By location: the bytes of values that are dead there; some are anyway.
    fn dead(&self, anyway: &[Range<u32>]) -> Vec<Vec<Range<u32>>> {
        let nothing = vec![false; self.bytes.len()];
        let mut live: Vec<Set> = vec![nothing; self.ty.locations.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for location in (0..live.len()).rev() {
                let mut before = live[location].clone();
                for branch in &self.ty.locations[location].branches {
                    let kind = &self.ty.action(branch.action).kind;
                    let after = live[branch.target.0 as usize].clone();
                    unite(&mut before, &self.before(kind, after));
                }
                changed |= before != live[location];
                live[location] = before;
            }
        }
        let anyway = |value: usize| anyway.contains(&self.bytes[value]);
        live.iter().map(|live| self.bytes_of(|value| anyway(value) || !live[value] && !self.kept[value])).collect()
    }

    /// The values that are live before a statement, by those that are live after it.
    fn before(&self, kind: &ActionKind, after: Set) -> Set {
        match kind {
            ActionKind::End => vec![false; self.bytes.len()],
            ActionKind::DStep(sequence) => self.before_sequence(sequence, &after),
            _ => self.before_one(kind, after),
        }
    }

    fn before_one(&self, kind: &ActionKind, mut live: Set) -> Set {
        let access = Access::of_kind(kind, None);
        for written in access.writes.iter().filter(|r| r.owner == Owner::Own && r.is_single()) {
            if let Some(value) = self.value_at(written.offset) {
                live[value] = false;
            }
        }
        access.reads().filter(|r| r.owner == Owner::Own).for_each(|region| self.add(region, &mut live));
        live
    }

    fn before_sequence(&self, sequence: &DStep, after: &Set) -> Set {
        let mut live: Vec<Set> = vec![vec![false; self.bytes.len()]; sequence.nodes.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for node in (0..live.len()).rev() {
                let before = match &sequence.nodes[node] {
                    DStepNode::Exit => after.clone(),
                    DStepNode::Goto(next) => live[*next as usize].clone(),
                    DStepNode::Do(kind, _, next) => self.before_one(kind, live[*next as usize].clone()),
                    DStepNode::Choose(options, _) => {
                        let mut all = vec![false; self.bytes.len()];
                        options.iter().for_each(|&option| unite(&mut all, &live[option as usize]));
                        all
                    }
                };
                changed |= before != live[node];
                live[node] = before;
            }
        }
        let mut before = live.swap_remove(0);
        for guard in &sequence.guards {
            let access = Access::of_kind(guard, None);
            access.reads().filter(|r| r.owner == Owner::Own).for_each(|region| self.add(region, &mut before));
        }
        before
    }

    fn value_at(&self, offset: u32) -> Option<usize> {
        self.bytes.binary_search_by_key(&offset, |b| b.start).ok()
    }

    /// Adds the values of a region to a set.
    fn add(&self, region: &Region, set: &mut Set) {
        region.offsets(&mut |offset| {
            if let Some(value) = self.value_at(offset) {
                set[value] = true;
            }
        });
    }

    /// The bytes of some values, as few ranges as they make.
    fn bytes_of(&self, wanted: impl Fn(usize) -> bool) -> Vec<Range<u32>> {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for (_, bytes) in self.bytes.iter().enumerate().filter(|(value, _)| wanted(*value)) {
            match ranges.last_mut().filter(|last| last.end == bytes.start) {
                Some(last) => last.end = bytes.end,
                None => ranges.push(bytes.clone()),
            }
        }
        ranges
    }
}

fn unite(set: &mut Set, other: &Set) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}
