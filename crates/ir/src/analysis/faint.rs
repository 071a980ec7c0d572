//! Values that nobody ever asks for.
//!
//! Such a value is written, and at most read to be printed or to find what the next such value is: a counter that a model
//! keeps for whoever watches it. Whatever it is, the model does the same.

use std::collections::HashSet;
use std::ops::Range;

use crate::analysis::{Owner, Region};
use crate::expr::{BinaryOp, Expr, Frame, Place, ReceiveField};
use crate::model::{ActionKind, DStepNode, Model, ProcessRole, ProcessTypeId, VarDecl};
use crate::types::Scalar;

/// Where a value is: among the globals or the locals of a process type, and the offset there.
type Value = (Option<ProcessTypeId>, u32);

/// Values that nobody ever asks for.
#[derive(Debug, Default)]
pub(super) struct Faint {
    written: HashSet<Value>,
    asked: HashSet<Value>,
    /// What is written, and what is read for that.
    feeds: Vec<(Vec<Value>, Vec<Value>)>,
}

impl Faint {
    /// Those of a model of which these expressions are asked for.
    pub fn of(model: &Model, asked: &[Expr]) -> Faint {
        let mut faint = Faint::default();
        asked.iter().for_each(|e| faint.ask(None, e));
        for (number, ty) in model.process_types.iter().enumerate() {
            let id = ProcessTypeId(number as u16);
            ty.provided.iter().for_each(|e| faint.ask(Some(id), e));
            for action in &ty.actions {
                match ty.role {
                    ProcessRole::System => faint.look_at(id, &action.kind),
                    ProcessRole::Claim | ProcessRole::Trace | ProcessRole::NoTrace => faint.ask_all(id, &action.kind),
                }
            }
        }
        faint.spread();
        faint
    }

    /// The bytes of such values among some variables.
    pub fn bytes(&self, owner: Option<ProcessTypeId>, variables: &[VarDecl]) -> Vec<Range<u32>> {
        let mut bytes = Vec::new();
        for variable in variables.iter().filter(|v| !v.hidden) {
            variable.shape.leaves(&mut |_, offset, scalar| {
                let at = variable.offset + offset;
                if scalar != Scalar::Channel && self.contains((owner, at)) {
                    bytes.push(at..at + scalar.size());
                }
            });
        }
        bytes
    }

    fn contains(&self, value: Value) -> bool {
        self.written.contains(&value) && !self.asked.contains(&value)
    }

    fn look_at(&mut self, ty: ProcessTypeId, kind: &ActionKind) {
        match kind {
            ActionKind::Assign(place, expr) => {
                self.ask_indices(ty, place);
                let mut read = Vec::new();
                self.read(ty, expr, &mut read);
                let targets = values(ty, place);
                self.written.extend(&targets);
                self.feeds.push((targets, read));
            }
            ActionKind::Print(_, args) => args.iter().for_each(|e| self.read(ty, e, &mut Vec::new())),
            ActionKind::PrintSymbol(e, _) => self.read(ty, e, &mut Vec::new()),
            ActionKind::DStep(sequence) => {
                sequence.guards.iter().for_each(|guard| self.ask_all(ty, guard));
                for node in &sequence.nodes {
                    if let DStepNode::Do(kind, ..) = node {
                        self.look_at(ty, kind);
                    }
                }
            }
            ActionKind::Receive { fields, .. } => {
                let stored = fields.iter().filter_map(|f| if let ReceiveField::Store(p) = f { Some(p) } else { None });
                self.written.extend(stored.flat_map(|place| values(ty, place)));
                self.ask_all(ty, kind);
            }
            _ => self.ask_all(ty, kind),
        }
    }

    /// Finds what an expression reads for its value alone. What decides whether it has one is asked for.
    fn read(&mut self, ty: ProcessTypeId, expr: &Expr, found: &mut Vec<Value>) {
        match expr {
            Expr::Read(place) => {
                self.ask_indices(ty, place);
                found.extend(values(ty, place));
            }
            Expr::Unary(_, a) => self.read(ty, a, found),
            Expr::Binary(BinaryOp::Div | BinaryOp::Mod, a, b) => {
                self.read(ty, a, found);
                self.ask(Some(ty), b);
            }
            // The first decides whether the others are looked at, which may be a fault.
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.ask(Some(ty), a);
                self.read(ty, b, found);
            }
            Expr::Cond(a, b, c) => {
                self.ask(Some(ty), a);
                [b, c].into_iter().for_each(|e| self.read(ty, e, found));
            }
            Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| self.read(ty, e, found)),
            _ => self.ask(Some(ty), expr),
        }
    }

    /// All that an expression reads is asked for.
    fn ask(&mut self, ty: Option<ProcessTypeId>, expr: &Expr) {
        expr.walk(&mut |e| {
            if let Expr::Read(place) = e {
                self.asked.extend(values(ty.unwrap_or(ProcessTypeId(u16::MAX)), place));
            }
        });
    }

    fn ask_all(&mut self, ty: ProcessTypeId, kind: &ActionKind) {
        kind.exprs(&mut |e| self.ask(Some(ty), e));
        kind.places(&mut |place| self.ask_indices(ty, place));
    }

    fn ask_indices(&mut self, ty: ProcessTypeId, place: &Place) {
        place.indices.iter().for_each(|index| self.ask(Some(ty), &index.expr));
        if let Frame::Process(process, _) = &place.frame {
            self.ask(Some(ty), process);
        }
    }

    /// What is read to find a value that is asked for is asked for.
    fn spread(&mut self) {
        let mut feeds = std::mem::take(&mut self.feeds);
        loop {
            let (met, left): (Vec<_>, Vec<_>) =
                feeds.into_iter().partition(|(targets, _)| targets.iter().any(|t| self.asked.contains(t)));
            feeds = left;
            if met.is_empty() {
                return;
            }
            met.into_iter().for_each(|(_, read)| self.asked.extend(read));
        }
    }
}

/// The values that a place may be, in a process of a type.
fn values(ty: ProcessTypeId, place: &Place) -> Vec<Value> {
    let region = Region::of(place, None);
    let owner = match (&region.owner, &place.frame) {
        (Owner::Global, _) => None,
        (_, Frame::Process(_, other)) => Some(*other),
        _ => Some(ty),
    };
    let mut found = Vec::new();
    region.offsets(&mut |offset| found.push((owner, offset)));
    found
}
