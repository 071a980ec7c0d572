//! Faint variables: values that affect no guard, no property and no other non-faint value.
//!
//! A faint value is written, and read only to be printed or to compute other faint values, such as a statistics counter.

use std::collections::HashSet;
use std::ops::Range;

use super::access::{Cell, cells};
use crate::expr::{BinaryOp, Expr, Place};
use crate::model::{Model, ProcessRole, ProcessTypeId, VarDecl};
use crate::statement::ActionKind;
use crate::types::Scalar;

/// The faint values of a model.
#[derive(Debug, Default)]
pub(super) struct Faint {
    written: HashSet<Cell>,
    /// Values that are not faint.
    strong: HashSet<Cell>,
    /// Assignments: the written values and those read to compute them.
    assignments: Vec<(Vec<Cell>, Vec<Cell>)>,
}

/// Joins ranges, which are in order, where they touch.
pub(super) fn maximal(ranges: impl Iterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut joined: Vec<Range<u32>> = Vec::new();
    for bytes in ranges {
        match joined.last_mut().filter(|last| last.end == bytes.start) {
            Some(last) => last.end = bytes.end,
            None => joined.push(bytes),
        }
    }
    joined
}

/// Whether one of some ranges, which are in order, contains an offset.
pub(super) fn contains(ranges: &[Range<u32>], offset: u32) -> bool {
    let next = ranges.partition_point(|bytes| bytes.end <= offset);
    ranges.get(next).is_some_and(|bytes| bytes.contains(&offset))
}

impl Faint {
    /// The faint values of a model with a property over these expressions.
    pub fn of(model: &Model, observed: &[Expr]) -> Faint {
        let mut faint = Faint::default();
        let no_process = ProcessTypeId(u16::MAX);
        observed.iter().for_each(|e| faint.observe(no_process, e));
        for (id, ty) in model.process_types() {
            if ty.role == ProcessRole::System {
                ty.provided.iter().for_each(|e| faint.observe(id, e));
                ty.actions.iter().for_each(|action| faint.statement(id, &action.kind));
            } else {
                ty.walk(&mut |e| faint.observe_read(id, e));
            }
        }
        faint.propagate();
        faint
    }

    /// The bytes of the faint values among some variables, as maximal ranges in order.
    pub fn bytes(&self, owner: Option<ProcessTypeId>, variables: &[VarDecl]) -> Vec<Range<u32>> {
        let faint = |&(offset, scalar): &(u32, Scalar)| {
            let cell = (owner, offset);
            scalar != Scalar::Channel && self.written.contains(&cell) && !self.strong.contains(&cell)
        };
        let values = variables.iter().filter(|v| !v.hidden).flat_map(VarDecl::scalars).filter(faint);
        let mut bytes: Vec<Range<u32>> = values.map(|(offset, scalar)| offset..offset + scalar.size()).collect();
        bytes.sort_by_key(|bytes| bytes.start);
        maximal(bytes.into_iter())
    }

    fn statement(&mut self, ty: ProcessTypeId, kind: &ActionKind) {
        match kind {
            ActionKind::Assign(place, expr) => {
                self.observe_indices(ty, place);
                let mut read = Vec::new();
                self.read(ty, expr, &mut read);
                let targets = cells(ty, place);
                self.written.extend(&targets);
                self.assignments.push((targets, read));
            }
            _ if kind.only_prints() => kind.exprs(&mut |e| self.read(ty, e, &mut Vec::new())),
            ActionKind::DStep(sequence) => {
                sequence.guards.iter().for_each(|guard| guard.walk(&mut |e| self.observe_read(ty, e)));
                kind.statements().for_each(|statement| self.statement(ty, statement));
            }
            _ => {
                kind.places(&mut |place| self.written.extend(cells(ty, place)));
                kind.walk(&mut |e| self.observe_read(ty, e));
            }
        }
    }

    /// Collects the values that only determine the value of an expression. Values that decide whether it faults are
    /// strong.
    fn read(&mut self, ty: ProcessTypeId, expr: &Expr, found: &mut Vec<Cell>) {
        match expr {
            Expr::Read(place) => {
                self.observe_indices(ty, place);
                found.extend(cells(ty, place));
            }
            Expr::Unary(_, a) => self.read(ty, a, found),
            Expr::Binary(BinaryOp::Div | BinaryOp::Mod, a, b) => {
                self.read(ty, a, found);
                self.observe(ty, b);
            }
            // The first operand decides whether the others are evaluated, which may fault.
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.observe(ty, a);
                self.read(ty, b, found);
            }
            Expr::Cond(a, b, c) => {
                self.observe(ty, a);
                [b, c].into_iter().for_each(|e| self.read(ty, e, found));
            }
            Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| self.read(ty, e, found)),
            _ => self.observe(ty, expr),
        }
    }

    /// Makes every value strong that an expression reads.
    fn observe(&mut self, ty: ProcessTypeId, expr: &Expr) {
        expr.walk(&mut |e| self.observe_read(ty, e));
    }

    fn observe_indices(&mut self, ty: ProcessTypeId, place: &Place) {
        place.walk(&mut |e| self.observe_read(ty, e));
    }

    fn observe_read(&mut self, ty: ProcessTypeId, expr: &Expr) {
        if let Expr::Read(place) = expr {
            self.strong.extend(cells(ty, place));
        }
    }

    /// Makes the values strong that compute strong values, until nothing changes.
    fn propagate(&mut self) {
        let mut assignments = std::mem::take(&mut self.assignments);
        loop {
            let (met, left): (Vec<_>, Vec<_>) =
                assignments.into_iter().partition(|(targets, _)| targets.iter().any(|t| self.strong.contains(t)));
            assignments = left;
            if met.is_empty() {
                return;
            }
            met.into_iter().for_each(|(_, read)| self.strong.extend(read));
        }
    }
}
