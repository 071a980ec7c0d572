//! Formulas from expressions and statements, and which of their literals have lower bounds.
//!
//! `timeout` is false in a property and true in a deadlock. In the condition of an assertion it may be either, so literals that
//! depend on it count as true. So do literals over `enabled(…)` in these places, which depends on `timeout`.

use lurcher_ir::analysis::{ControlFlow, constant};
use lurcher_ir::{ActionKind, BinaryOp, Expr, LocationId, Model, Probe, Scalar, UnaryOp};

use super::step_facts::{StepFacts, is_fixed};
use super::{AtLocation, Formula, Literal, MessageTest, Relation};

/// Builds formulas of a model.
#[derive(Debug)]
pub(super) struct Builder<'m> {
    pub model: &'m Model,
    pub facts: StepFacts<'m>,
    /// The value of `timeout`, if it is known.
    pub timeout: Option<bool>,
}

impl<'m> Builder<'m> {
    pub fn new(model: &'m Model, timeout: Option<bool>) -> Self {
        Builder { model, facts: StepFacts::of(model), timeout }
    }

    /// The formula that an expression has a truth value.
    pub fn truth(&self, expr: &Expr, wanted: bool) -> Formula {
        if let Some(value) = constant(expr, None) {
            return Formula::constant((value != 0) == wanted);
        }
        match expr {
            Expr::Unary(UnaryOp::Not, e) => self.truth(e, !wanted),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let parts = vec![self.truth(a, wanted), self.truth(b, wanted)];
                if (*op == BinaryOp::And) == wanted { Formula::All(parts) } else { Formula::Any(parts) }
            }
            Expr::Cond(c, a, b) => {
                let case =
                    |condition: bool, e: &Expr| Formula::All(vec![self.truth(c, condition), self.truth(e, wanted)]);
                Formula::Any(vec![case(true, a), case(false, b)])
            }
            Expr::Timeout => self.timeout.map_or(Formula::constant(true), |now| Formula::constant(now == wanted)),
            _ if self.depends_on_timeout(expr) => Formula::constant(true),
            atom => self.literal(atom, wanted),
        }
    }

    fn depends_on_timeout(&self, expr: &Expr) -> bool {
        self.timeout != Some(false) && expr.any(&|e| matches!(e, Expr::Timeout | Expr::Enabled(_)))
    }

    fn literal(&self, atom: &Expr, wanted: bool) -> Formula {
        let (literal, is_bound) = match atom {
            Expr::Binary(op, a, b) if negated(*op).is_some() => return self.relation(*op, a, b, wanted),
            Expr::Probe(probe, channel) => {
                let (full, plain) = match probe {
                    Probe::Full => (true, true),
                    Probe::NotFull => (true, false),
                    Probe::Empty => (false, true),
                    Probe::NotEmpty => (false, false),
                };
                let literal = if full { Literal::Full } else { Literal::Empty };
                (literal((**channel).clone(), plain == wanted), self.facts.counts_messages(channel))
            }
            Expr::Poll(channel, any_position, fields) => {
                let channel = (**channel).clone();
                let test = MessageTest { channel, any_position: *any_position, fields: fields.clone() };
                let is_bound = self.facts.counts_matching(&test);
                (Literal::Message(test, wanted), is_bound)
            }
            Expr::At(process, _, location) => return self.at(process, *location, wanted),
            other => (Literal::Truth(other.clone(), wanted), false),
        };
        Formula::Literal { literal, is_bound }
    }

    fn relation(&self, op: BinaryOp, left: &Expr, right: &Expr, wanted: bool) -> Formula {
        let operator = if wanted { op } else { negated(op).expect("a relation") };
        if let (Expr::PcValue(process), Some(number), BinaryOp::Eq | BinaryOp::Ne) =
            (left, constant(right, None).and_then(|v| u16::try_from(v).ok()).filter(|&v| v > 0), operator)
        {
            return self.at(process, LocationId(number), operator == BinaryOp::Eq);
        }
        let per_step = self.facts.change(left).zip(self.facts.change(right)).and_then(|(a, b)| a.checked_add(b));
        let is_numeric = is_numeric(left) && is_numeric(right);
        let relation = Relation { operator, left: left.clone(), right: right.clone(), is_numeric, per_step };
        Formula::Literal { literal: Literal::Relation(relation), is_bound: per_step.is_some() }
    }

    fn at(&self, process: &Expr, location: LocationId, wanted: bool) -> Formula {
        let pid = constant(process, None).and_then(|v| u16::try_from(v).ok());
        let distances: Vec<_> = self
            .model
            .process_types
            .iter()
            .map(|ty| ControlFlow::new(ty, pid).distances(|l| (l == location).then_some(0), |_| None))
            .collect();
        let from_start =
            |(ty, found): (&lurcher_ir::ProcessType, &lurcher_ir::analysis::Distances)| found.of(ty.initial);
        let created = self.model.process_types.iter().zip(&distances).filter_map(from_start).min();
        let created = created.filter(|_| self.facts.creates);
        // The first process of a type is another one after its death, unless none is created.
        let is_bound = is_fixed(process) || matches!(process, Expr::FirstOf(_)) && !self.facts.creates;
        let at = AtLocation { process: process.clone(), location, distances, created };
        Formula::Literal { literal: if wanted { Literal::At(at) } else { Literal::NotAt(at) }, is_bound }
    }

    /// The formula that a statement is not executable (the negation of the paper's figure 11).
    pub fn blocked(&self, kind: &ActionKind) -> Formula {
        let (literal, is_bound) = match kind {
            ActionKind::Guard(e) => return self.truth(e, false),
            ActionKind::DStep(sequence) if !sequence.guards.is_empty() => {
                return Formula::All(sequence.guards.iter().map(|guard| self.blocked(guard)).collect());
            }
            ActionKind::Send(channel, _, arguments) => {
                let is_bound = self.facts.counts_messages(channel);
                (Literal::SendBlocked(channel.clone(), arguments.clone()), is_bound)
            }
            ActionKind::Receive { channel, random, fields, .. } => {
                let test = MessageTest { channel: channel.clone(), any_position: *random, fields: fields.clone() };
                let is_bound = self.facts.counts_matching(&test);
                (Literal::ReceiveBlocked(test), is_bound)
            }
            ActionKind::End => (Literal::NotYoungest, false),
            _ => return Formula::constant(false),
        };
        Formula::Literal { literal, is_bound }
    }

    /// The formula that an invariant is broken. The search counts a fault as well, and one step may bring it about.
    pub fn broken(&self, invariant: &Expr, faults_count: bool) -> Formula {
        match faults_count && self.facts.may_fault(invariant) {
            true => Formula::Literal { literal: Literal::Broken(invariant.clone()), is_bound: false },
            false => self.truth(invariant, false),
        }
    }
}

/// The relation that holds where this one does not; none if the operator is no relation.
fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        _ => return None,
    })
}

/// Whether differences of the expression's values are distances.
fn is_numeric(expr: &Expr) -> bool {
    match expr {
        Expr::Read(place) => !matches!(place.scalar, Scalar::Symbol(_) | Scalar::Channel),
        Expr::Const(_) | Expr::Len(_) | Expr::ProcessCount | Expr::Priority(_) => true,
        Expr::Unary(_, a) => is_numeric(a),
        Expr::Binary(_, a, b) | Expr::Cond(_, a, b) => is_numeric(a) && is_numeric(b),
        _ => false,
    }
}
