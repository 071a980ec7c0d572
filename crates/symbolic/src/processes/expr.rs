//! Expressions and places as terms.

use lurcher_ir::relation::{BinaryTerm, TermId, UnaryTerm, WordShape};
use lurcher_ir::{BinaryOp, Expr, Frame, Place, Probe, ReceiveField, Scalar, UnaryOp};

use super::{Builder, Cell, Context, Refusal, refuse};

/// The most elements that a place may stand for.
const TARGETS: usize = 4096;

/// The value of an expression, and when its evaluation is a fault.
#[derive(Clone, Copy)]
pub(super) struct Evaluated {
    pub term: TermId,
    pub fault: TermId,
}

const INT: WordShape = WordShape { width: 32, signed: true };

impl Builder<'_> {
    fn known(&self, value: i64) -> Evaluated {
        self.without_fault(self.value(value))
    }

    fn without_fault(&self, term: TermId) -> Evaluated {
        Evaluated { term, fault: self.truth(false) }
    }

    pub(super) fn eval(&self, at: Context<'_>, expr: &Expr) -> Result<Evaluated, Refusal> {
        Ok(match expr {
            Expr::Const(v) | Expr::Symbol(v, _) => self.known(i64::from(*v)),
            Expr::Read(place) => self.read(at, place)?,
            Expr::Unary(op, e) => self.eval_unary(at, *op, e)?,
            Expr::Binary(op, a, b) => self.eval_binary(at, *op, a, b)?,
            Expr::Cond(c, a, b) => {
                let (c, a, b) = (self.eval(at, c)?, self.eval(at, a)?, self.eval(at, b)?);
                let inside = self.ite(c.term, a.fault, b.fault);
                Evaluated { term: self.ite(c.term, a.term, b.term), fault: self.or(c.fault, inside) }
            }
            Expr::Len(c) => self.of_channel(at, c, |k| self.len(at, k))?,
            Expr::Probe(probe, c) => self.of_channel(at, c, |k| self.probe(at, *probe, k))?,
            Expr::Poll(c, random, fields) => self.poll(at, c, *random, fields)?,
            Expr::Run(..) => self.known(at.created.map_or(1, |p| p as i64)),
            Expr::Pid => self.known(at.process.map_or(0, |p| p as i64)),
            Expr::ProcessCount => {
                let claims = i64::from(self.claim.is_some());
                let mut count = self.value(claims);
                for q in 0..self.slots.len() {
                    count = self.ite(self.alive(at.updates, q), self.value(q as i64 + 1 + claims), count);
                }
                self.without_fault(count)
            }
            Expr::Timeout => self.known(i64::from(at.timeout)),
            Expr::FirstOf(ty) => {
                let mut first = self.value(-1);
                for q in (0..self.slots.len()).rev().filter(|&q| self.slots[q].ty == *ty) {
                    first = self.ite(self.alive(at.updates, q), self.value(q as i64), first);
                }
                self.without_fault(first)
            }
            Expr::PcValue(p) => self.of_process(at, p, |q| self.updated(at.updates, self.slots[q].location))?,
            Expr::At(p, _, location) => self.of_process(at, p, |q| self.is_at(at.updates, q, *location))?,
            Expr::Last => return refuse("`_last` cannot be translated to a relation"),
            Expr::NonProgress => {
                let none = self.not(self.any_process_at(at.updates, |l| l.progress));
                let stuttered = self.claim.as_ref().and_then(|c| c.stuttered).filter(|_| at.process.is_none());
                self.without_fault(stuttered.map_or(none, |v| self.and_not(none, self.current(v))))
            }
            Expr::Enabled(_) => return refuse("`enabled` cannot be translated to a relation"),
            Expr::Priority(_) => return refuse("process priorities cannot be translated to a relation"),
        })
    }

    /// A value that depends on the process of a pid; 0 if it does not exist.
    fn of_process(&self, at: Context<'_>, pid: &Expr, value: impl Fn(usize) -> TermId) -> Result<Evaluated, Refusal> {
        let pid = self.eval(at, pid)?;
        let mut term = self.value(0);
        for q in 0..self.slots.len() {
            let named = self.is(pid.term, q as i64);
            let chosen = self.and(named, self.alive(at.updates, q));
            term = self.ite(chosen, value(q), term);
        }
        Ok(Evaluated { term, fault: pid.fault })
    }

    fn eval_unary(&self, at: Context<'_>, op: UnaryOp, e: &Expr) -> Result<Evaluated, Refusal> {
        let Evaluated { term, fault } = self.eval(at, e)?;
        let term = match op {
            UnaryOp::Not => self.not(term),
            UnaryOp::Minus => self.unary(UnaryTerm::Wrap(INT), self.unary(UnaryTerm::Minus, term)),
            UnaryOp::Complement => {
                let ones = self.value(-1);
                self.binary(BinaryTerm::BitXor, term, ones)
            }
        };
        Ok(Evaluated { term, fault })
    }

    fn eval_binary(&self, at: Context<'_>, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Evaluated, Refusal> {
        let (a, b) = (self.eval(at, a)?, self.eval(at, b)?);
        let (x, y) = (a.term, b.term);
        let wrapped = |op, y| self.unary(UnaryTerm::Wrap(INT), self.binary(op, x, y));
        let distance = || self.binary(BinaryTerm::BitAnd, y, self.value(31));
        let term = match op {
            BinaryOp::Add => wrapped(BinaryTerm::Add, y),
            BinaryOp::Sub => wrapped(BinaryTerm::Sub, y),
            BinaryOp::Mul => wrapped(BinaryTerm::Mul, y),
            BinaryOp::Div => wrapped(BinaryTerm::Div, y),
            BinaryOp::Mod => self.binary(BinaryTerm::Mod, x, y),
            BinaryOp::BitAnd => self.binary(BinaryTerm::BitAnd, x, y),
            BinaryOp::BitXor => self.binary(BinaryTerm::BitXor, x, y),
            BinaryOp::BitOr => self.binary(BinaryTerm::BitOr, x, y),
            BinaryOp::Gt => self.binary(BinaryTerm::Lt, y, x),
            BinaryOp::Lt => self.binary(BinaryTerm::Lt, x, y),
            BinaryOp::Ge => self.binary(BinaryTerm::Le, y, x),
            BinaryOp::Le => self.binary(BinaryTerm::Le, x, y),
            BinaryOp::Eq => self.binary(BinaryTerm::Eq, x, y),
            BinaryOp::Ne => self.not(self.binary(BinaryTerm::Eq, x, y)),
            BinaryOp::And => self.binary(BinaryTerm::And, x, y),
            BinaryOp::Or => self.binary(BinaryTerm::Or, x, y),
            BinaryOp::Shl => wrapped(BinaryTerm::Shl, distance()),
            BinaryOp::Shr => self.binary(BinaryTerm::Shr, x, distance()),
        };
        // `&&` and `||` evaluate the right operand only if the left does not decide.
        let right = match op {
            BinaryOp::And => self.and(x, b.fault),
            BinaryOp::Or => self.and_not(b.fault, x),
            BinaryOp::Div | BinaryOp::Mod => self.or(b.fault, self.is(y, 0)),
            _ => b.fault,
        };
        Ok(Evaluated { term, fault: self.or(a.fault, right) })
    }

    /// The scalars that a place may stand for, each with its condition, and when its evaluation is a fault.
    pub(super) fn targets(&self, at: Context<'_>, place: &Place) -> Result<(Vec<(TermId, Cell)>, TermId), Refusal> {
        let yes = self.truth(true);
        let mut fault = self.truth(false);
        // Offsets in the globals (`None`) or in the frame of a process.
        let mut found: Vec<(TermId, Option<usize>, u32)> = match &place.frame {
            Frame::Global => vec![(yes, None, place.offset)],
            Frame::Local => at.process.map(|p| (yes, Some(p), place.offset)).into_iter().collect(),
            Frame::Process(pid, ty) => {
                let pid = self.eval(at, pid)?;
                fault = pid.fault;
                let frame = |q: usize| {
                    let named = self.is(pid.term, q as i64);
                    (self.and(named, self.alive(at.updates, q)), Some(q), place.offset)
                };
                (0..self.slots.len()).filter(|&q| self.slots[q].ty == *ty).map(frame).collect()
            }
        };
        for index in &place.indices {
            let value = self.eval(at, &index.expr)?;
            let (low, high) = (self.value(0), self.value(i64::from(index.count)));
            let not_below = self.binary(BinaryTerm::Le, low, value.term);
            let below = self.binary(BinaryTerm::Lt, value.term, high);
            let outside = self.not(self.and(not_below, below));
            fault = self.or(fault, self.or(value.fault, outside));
            let constant = self.constant(value.term);
            let mut next = Vec::new();
            for (condition, frame, offset) in found {
                for i in (0..index.count).filter(|&i| constant.is_none_or(|c| c == i64::from(i))) {
                    let here = self.is(value.term, i64::from(i));
                    next.push((self.and(condition, here), frame, offset + i * index.stride));
                }
            }
            found = next;
            if found.len() > TARGETS {
                return refuse(format!("an array of more than {TARGETS} elements cannot be translated to a relation"));
            }
        }
        let cell = |frame: Option<usize>, offset: u32| match frame {
            None => self.globals[&offset],
            Some(q) => self.slots[q].locals[&offset],
        };
        Ok((found.into_iter().map(|(c, frame, offset)| (c, cell(frame, offset))).collect(), fault))
    }

    fn read(&self, at: Context<'_>, place: &Place) -> Result<Evaluated, Refusal> {
        let (targets, fault) = self.targets(at, place)?;
        let mut term = self.value(0);
        for (condition, cell) in targets.into_iter().rev() {
            let value = match cell {
                Cell::Variable(variable) => self.updated(at.updates, variable),
                Cell::Constant(value) => self.value(value),
            };
            term = self.ite(condition, value, term);
        }
        Ok(Evaluated { term, fault })
    }

    /// A value truncated to the type it is stored in.
    pub(super) fn truncated(&self, scalar: Scalar, value: TermId) -> TermId {
        let wrap = |width, signed| self.unary(UnaryTerm::Wrap(WordShape { width, signed }), value);
        match scalar {
            Scalar::Bit => wrap(1, false),
            Scalar::Byte | Scalar::Symbol(_) => wrap(8, false),
            Scalar::Short => wrap(16, true),
            Scalar::Unsigned(bits) => wrap(u32::from(bits.clamp(1, 31)), false),
            Scalar::Channel => wrap(16, false),
            Scalar::Int => value,
        }
    }

    /// The channels that an expression may name, each with its condition, and when it names none.
    pub(super) fn channels_of(
        &self,
        at: Context<'_>,
        channel: &Expr,
    ) -> Result<(Vec<(TermId, usize)>, TermId), Refusal> {
        let value = self.eval(at, channel)?;
        let mut found = Vec::new();
        let mut any = self.truth(false);
        for k in 0..self.channels.len() {
            let mut named = self.is(value.term, k as i64 + 1);
            if let Some(owner) = self.channels[k].owner {
                named = self.and(named, self.alive(at.updates, owner));
            }
            if !self.is_false(named) {
                any = self.or(any, named);
                found.push((named, k));
            }
        }
        let none = self.not(any);
        Ok((found, self.or(value.fault, none)))
    }

    /// A value that depends on the channel that an expression names.
    fn of_channel(
        &self,
        at: Context<'_>,
        channel: &Expr,
        value: impl Fn(usize) -> TermId,
    ) -> Result<Evaluated, Refusal> {
        let (channels, fault) = self.channels_of(at, channel)?;
        let zero = self.value(0);
        let term = channels.into_iter().fold(zero, |term, (condition, k)| self.ite(condition, value(k), term));
        Ok(Evaluated { term, fault })
    }

    /// Number of messages in a channel.
    pub(super) fn len(&self, at: Context<'_>, k: usize) -> TermId {
        self.channels[k].len.map_or_else(|| self.value(0), |len| self.updated(at.updates, len))
    }

    fn probe(&self, at: Context<'_>, probe: Probe, k: usize) -> TermId {
        let slots = i64::from(self.model.channel_type(self.channels[k].ty).slots());
        let len = self.len(at, k);
        let (full, empty) = (self.is(len, slots), self.is(len, 0));
        match probe {
            Probe::Full => full,
            Probe::Empty => empty,
            Probe::NotFull => self.not(full),
            Probe::NotEmpty => self.not(empty),
        }
    }

    fn poll(
        &self,
        at: Context<'_>,
        channel: &Expr,
        random: bool,
        fields: &[ReceiveField],
    ) -> Result<Evaluated, Refusal> {
        let (channels, mut fault) = self.channels_of(at, channel)?;
        let mut term = self.value(0);
        for (condition, k) in channels {
            if self.channels[k].len.is_none() {
                fault = self.or(fault, condition);
                continue;
            }
            let (slots, wrong) = self.matching(at, k, random, fields)?;
            fault = self.or(fault, self.and(condition, wrong));
            term = self.ite(condition, self.any(slots), term);
        }
        Ok(Evaluated { term, fault })
    }

    /// For each slot of a buffered channel, when it holds the first message that matches the fields; and when matching is
    /// a fault.
    pub(super) fn matching(
        &self,
        at: Context<'_>,
        k: usize,
        random: bool,
        fields: &[ReceiveField],
    ) -> Result<(Vec<TermId>, TermId), Refusal> {
        let carried = self.model.channel_type(self.channels[k].ty).fields.len();
        let len = self.len(at, k);
        let slots = self.channels[k].messages.len();
        let mut fault = self.truth(false);
        let mut before = self.truth(false);
        let mut found = Vec::new();
        for slot in 0..if random { slots } else { 1 } {
            let mut matches = self.binary(BinaryTerm::Lt, self.value(slot as i64), len);
            for (i, field) in fields.iter().enumerate() {
                let Some(e) = field.pattern() else { continue };
                let value = self.eval(at, e)?;
                let tested = self.and_not(matches, before);
                let wrong = if i >= carried { tested } else { self.and(tested, value.fault) };
                fault = self.or(fault, wrong);
                if i < carried {
                    let held = self.updated(at.updates, self.channels[k].messages[slot][i]);
                    matches = self.and(matches, self.binary(BinaryTerm::Eq, value.term, held));
                }
            }
            found.push(self.and_not(matches, before));
            before = self.or(before, matches);
        }
        Ok((found, fault))
    }
}
