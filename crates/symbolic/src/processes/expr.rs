//! Expressions and places as terms.

use lurcher_ir::relation::{BinaryTerm, TermId, UnaryTerm, WordShape};
use lurcher_ir::{BinaryOp, Expr, Frame, Place, Probe, ReceiveField, Scalar, UnaryOp};

use super::{Builder, Cell, Context, Refusal, refuse};

/// Elements of an array that a place may stand for.
const TARGETS: usize = 4096;

/// A value, and where computing it is a fault.
#[derive(Clone, Copy)]
pub(super) struct Computed {
    pub term: TermId,
    pub fault: TermId,
}

const INT: WordShape = WordShape { width: 32, signed: true };

impl Builder<'_> {
    fn known(&mut self, value: i64) -> Computed {
        Computed { term: self.terms().value(value), fault: self.terms().truth(false) }
    }

    pub(super) fn eval(&mut self, at: Context<'_>, expr: &Expr) -> Result<Computed, Refusal> {
        Ok(match expr {
            Expr::Const(v) | Expr::Symbol(v, _) => self.known(i64::from(*v)),
            Expr::Read(place) => self.read(at, place)?,
            Expr::Unary(op, e) => self.unary(at, *op, e)?,
            Expr::Binary(op, a, b) => self.binary(at, *op, a, b)?,
            Expr::Cond(c, a, b) => {
                let (c, a, b) = (self.eval(at, c)?, self.eval(at, a)?, self.eval(at, b)?);
                let inside = self.terms().ite(c.term, a.fault, b.fault);
                Computed { term: self.terms().ite(c.term, a.term, b.term), fault: self.or(c.fault, inside) }
            }
            Expr::Len(c) => self.of_channel(at, c, |me, at, k| me.len(at, k))?,
            Expr::Probe(probe, c) => self.of_channel(at, c, |me, at, k| me.probe(at, *probe, k))?,
            Expr::Poll(c, random, fields) => self.poll(at, c, *random, fields)?,
            Expr::Run(..) => self.known(at.created.map_or(1, |p| p as i64)),
            Expr::Pid => self.known(at.process.map_or(0, |p| p as i64)),
            Expr::ProcessCount => {
                let claims = i64::from(self.watcher.is_some());
                self.of_slots(at, claims, |_, q| q as i64 + 1 + claims)
            }
            Expr::Timeout => self.known(i64::from(at.timeout)),
            Expr::FirstOf(ty) => {
                let none = self.terms().value(-1);
                let mut first = none;
                for q in (0..self.slots.len()).rev().filter(|&q| self.slots[q].ty == *ty).collect::<Vec<_>>() {
                    let alive = self.alive(at.values, q);
                    let number = self.terms().value(q as i64);
                    first = self.terms().ite(alive, number, first);
                }
                Computed { term: first, fault: self.terms().truth(false) }
            }
            Expr::PcValue(p) => self.of_process(at, p, |me, at, q| me.now(at.values, me.slots[q].location))?,
            Expr::At(p, _, location) => self.of_process(at, p, |me, at, q| {
                let here = me.now(at.values, me.slots[q].location);
                me.terms().is(here, i64::from(location.0))
            })?,
            Expr::Last => return refuse("`_last` cannot be translated to a relation"),
            Expr::NonProgress => {
                let progress = self.somebody_at(at.values, |l| l.progress);
                let none = self.terms().not(progress);
                let stayed = self.watcher.as_ref().and_then(|w| w.stayed).filter(|_| at.process.is_none());
                let stayed = stayed.map(|v| self.relation.terms.current(v));
                let term = stayed.map_or(none, |stayed| self.and_not(none, stayed));
                Computed { term, fault: self.terms().truth(false) }
            }
            Expr::Enabled(_) => return refuse("`enabled` cannot be translated to a relation"),
            Expr::Priority(_) => return refuse("process priorities cannot be translated to a relation"),
        })
    }

    /// The highest process that is there decides.
    fn of_slots(&mut self, at: Context<'_>, none: i64, value: impl Fn(&Self, usize) -> i64) -> Computed {
        let mut term = self.terms().value(none);
        for q in 0..self.slots.len() {
            let alive = self.alive(at.values, q);
            let number = value(self, q);
            let number = self.terms().value(number);
            term = self.terms().ite(alive, number, term);
        }
        Computed { term, fault: self.terms().truth(false) }
    }

    /// Something about the process of a number; 0 if there is none.
    fn of_process(
        &mut self,
        at: Context<'_>,
        number: &Expr,
        value: impl Fn(&mut Self, Context<'_>, usize) -> TermId,
    ) -> Result<Computed, Refusal> {
        let number = self.eval(at, number)?;
        let mut term = self.terms().value(0);
        for q in 0..self.slots.len() {
            let named = self.terms().is(number.term, q as i64);
            let alive = self.alive(at.values, q);
            let chosen = self.and(named, alive);
            let here = value(self, at, q);
            term = self.terms().ite(chosen, here, term);
        }
        Ok(Computed { term, fault: number.fault })
    }

    fn unary(&mut self, at: Context<'_>, op: UnaryOp, e: &Expr) -> Result<Computed, Refusal> {
        let Computed { term, fault } = self.eval(at, e)?;
        let terms = self.terms();
        let term = match op {
            UnaryOp::Not => terms.not(term),
            UnaryOp::Minus => {
                let minus = terms.unary(UnaryTerm::Minus, term);
                terms.unary(UnaryTerm::Wrap(INT), minus)
            }
            UnaryOp::Complement => {
                let ones = terms.value(-1);
                terms.binary(BinaryTerm::BitXor, term, ones)
            }
        };
        Ok(Computed { term, fault })
    }

    fn binary(&mut self, at: Context<'_>, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Computed, Refusal> {
        let (a, b) = (self.eval(at, a)?, self.eval(at, b)?);
        let terms = &mut self.relation.terms;
        let wrapped = |terms: &mut lurcher_ir::relation::Terms, op, x, y| {
            let result = terms.binary(op, x, y);
            terms.unary(UnaryTerm::Wrap(INT), result)
        };
        let distance = |terms: &mut lurcher_ir::relation::Terms| {
            let low = terms.value(31);
            terms.binary(BinaryTerm::BitAnd, b.term, low)
        };
        let (x, y) = (a.term, b.term);
        let term = match op {
            BinaryOp::Add => wrapped(terms, BinaryTerm::Add, x, y),
            BinaryOp::Sub => wrapped(terms, BinaryTerm::Sub, x, y),
            BinaryOp::Mul => wrapped(terms, BinaryTerm::Mul, x, y),
            BinaryOp::Div => wrapped(terms, BinaryTerm::Div, x, y),
            BinaryOp::Mod => terms.binary(BinaryTerm::Mod, x, y),
            BinaryOp::BitAnd => terms.binary(BinaryTerm::BitAnd, x, y),
            BinaryOp::BitXor => terms.binary(BinaryTerm::BitXor, x, y),
            BinaryOp::BitOr => terms.binary(BinaryTerm::BitOr, x, y),
            BinaryOp::Gt => terms.binary(BinaryTerm::Lt, y, x),
            BinaryOp::Lt => terms.binary(BinaryTerm::Lt, x, y),
            BinaryOp::Ge => terms.binary(BinaryTerm::Le, y, x),
            BinaryOp::Le => terms.binary(BinaryTerm::Le, x, y),
            BinaryOp::Eq => terms.binary(BinaryTerm::Eq, x, y),
            BinaryOp::Ne => {
                let same = terms.binary(BinaryTerm::Eq, x, y);
                terms.not(same)
            }
            BinaryOp::And => terms.binary(BinaryTerm::And, x, y),
            BinaryOp::Or => terms.binary(BinaryTerm::Or, x, y),
            BinaryOp::Shl => {
                let distance = distance(terms);
                wrapped(terms, BinaryTerm::Shl, x, distance)
            }
            BinaryOp::Shr => {
                let distance = distance(terms);
                terms.binary(BinaryTerm::Shr, x, distance)
            }
        };
        // The right side counts only where the left does not decide.
        let right = match op {
            BinaryOp::And => self.and(x, b.fault),
            BinaryOp::Or => self.and_not(b.fault, x),
            BinaryOp::Div | BinaryOp::Mod => {
                let zero = self.terms().is(y, 0);
                self.or(b.fault, zero)
            }
            _ => b.fault,
        };
        Ok(Computed { term, fault: self.or(a.fault, right) })
    }

    /// The values that a place may stand for, each with when it does, and where finding out is a fault.
    pub(super) fn targets(&mut self, at: Context<'_>, place: &Place) -> Result<(Vec<(TermId, Cell)>, TermId), Refusal> {
        let yes = self.terms().truth(true);
        let mut fault = self.terms().truth(false);
        // Offsets in frames, a frame being the globals or a process.
        let mut found: Vec<(TermId, Option<usize>, u32)> = match &place.frame {
            Frame::Global => vec![(yes, None, place.offset)],
            Frame::Local => at.process.map(|p| (yes, Some(p), place.offset)).into_iter().collect(),
            Frame::Process(number, ty) => {
                let number = self.eval(at, number)?;
                fault = number.fault;
                let mut frames = Vec::new();
                for q in (0..self.slots.len()).filter(|&q| self.slots[q].ty == *ty).collect::<Vec<_>>() {
                    let named = self.terms().is(number.term, q as i64);
                    let alive = self.alive(at.values, q);
                    frames.push((self.and(named, alive), Some(q), place.offset));
                }
                frames
            }
        };
        for index in &place.indices {
            let value = self.eval(at, &index.expr)?;
            let low = self.terms().value(0);
            let high = self.terms().value(i64::from(index.count));
            let not_below = self.terms().binary(BinaryTerm::Le, low, value.term);
            let below = self.terms().binary(BinaryTerm::Lt, value.term, high);
            let inside = self.and(not_below, below);
            let outside = self.terms().not(inside);
            let wrong = self.or(value.fault, outside);
            fault = self.or(fault, wrong);
            let constant = self.relation.terms.constant(value.term);
            let mut next = Vec::new();
            for (condition, frame, offset) in found {
                for i in (0..index.count).filter(|&i| constant.is_none_or(|c| c == i64::from(i))) {
                    let here = self.terms().is(value.term, i64::from(i));
                    next.push((self.and(condition, here), frame, offset + i * index.stride));
                }
            }
            found = next;
            if found.len() > TARGETS {
                return refuse(format!("an array of more than {TARGETS} elements cannot be translated to a relation"));
            }
        }
        let variable = |frame: Option<usize>, offset: u32| match frame {
            None => self.globals[&offset],
            Some(q) => self.slots[q].locals[&offset],
        };
        Ok((found.into_iter().map(|(c, frame, offset)| (c, variable(frame, offset))).collect(), fault))
    }

    fn read(&mut self, at: Context<'_>, place: &Place) -> Result<Computed, Refusal> {
        let (targets, fault) = self.targets(at, place)?;
        let mut term = self.terms().value(0);
        for (condition, cell) in targets.into_iter().rev() {
            let value = match cell {
                Cell::Variable(variable) => self.now(at.values, variable),
                Cell::Constant(value) => self.terms().value(value),
            };
            term = self.terms().ite(condition, value, term);
        }
        Ok(Computed { term, fault })
    }

    /// What is kept of a value when it is stored.
    pub(super) fn truncated(&mut self, scalar: Scalar, value: TermId) -> TermId {
        let wrap = |width, signed| UnaryTerm::Wrap(WordShape { width, signed });
        let terms = self.terms();
        match scalar {
            Scalar::Bit => terms.unary(wrap(1, false), value),
            Scalar::Byte | Scalar::Symbol(_) => terms.unary(wrap(8, false), value),
            Scalar::Short => terms.unary(wrap(16, true), value),
            Scalar::Unsigned(bits) => terms.unary(wrap(u32::from(bits.clamp(1, 31)), false), value),
            Scalar::Int | Scalar::Channel => value,
        }
    }

    /// The channels that an expression may name, each with when it does, and where it names none.
    pub(super) fn named(&mut self, at: Context<'_>, channel: &Expr) -> Result<(Vec<(TermId, usize)>, TermId), Refusal> {
        let value = self.eval(at, channel)?;
        let mut found = Vec::new();
        let mut any = self.terms().truth(false);
        for k in 0..self.channels.len() {
            let mut named = self.terms().is(value.term, k as i64 + 1);
            if let Some(owner) = self.channels[k].owner {
                let alive = self.alive(at.values, owner);
                named = self.and(named, alive);
            }
            if self.relation.terms.constant(named) != Some(0) {
                any = self.or(any, named);
                found.push((named, k));
            }
        }
        let none = self.terms().not(any);
        Ok((found, self.or(value.fault, none)))
    }

    fn of_channel(
        &mut self,
        at: Context<'_>,
        channel: &Expr,
        value: impl Fn(&mut Self, Context<'_>, usize) -> TermId,
    ) -> Result<Computed, Refusal> {
        let (channels, fault) = self.named(at, channel)?;
        let mut term = self.terms().value(0);
        for (condition, k) in channels {
            let here = value(self, at, k);
            term = self.terms().ite(condition, here, term);
        }
        Ok(Computed { term, fault })
    }

    /// Messages in a channel.
    pub(super) fn len(&mut self, at: Context<'_>, k: usize) -> TermId {
        match self.channels[k].len {
            Some(len) => self.now(at.values, len),
            None => self.terms().value(0),
        }
    }

    fn probe(&mut self, at: Context<'_>, probe: Probe, k: usize) -> TermId {
        let slots = i64::from(self.model.channel_type(self.channels[k].ty).slots());
        let len = self.len(at, k);
        let (full, empty) = (self.terms().is(len, slots), self.terms().is(len, 0));
        match probe {
            Probe::Full => full,
            Probe::Empty => empty,
            Probe::NotFull => self.terms().not(full),
            Probe::NotEmpty => self.terms().not(empty),
        }
    }

    fn poll(
        &mut self,
        at: Context<'_>,
        channel: &Expr,
        random: bool,
        fields: &[ReceiveField],
    ) -> Result<Computed, Refusal> {
        let (channels, mut fault) = self.named(at, channel)?;
        let mut term = self.terms().value(0);
        for (condition, k) in channels {
            if self.channels[k].len.is_none() {
                fault = self.or(fault, condition);
                continue;
            }
            let (slots, wrong) = self.matching(at, k, random, fields)?;
            let wrong = self.and(condition, wrong);
            fault = self.or(fault, wrong);
            let any = self.relation.terms.any(slots);
            term = self.terms().ite(condition, any, term);
        }
        Ok(Computed { term, fault })
    }

    /// For each slot of a buffered channel, when its message is the one that the fields take; and where asking is a
    /// fault.
    pub(super) fn matching(
        &mut self,
        at: Context<'_>,
        k: usize,
        random: bool,
        fields: &[ReceiveField],
    ) -> Result<(Vec<TermId>, TermId), Refusal> {
        let carried = self.model.channel_type(self.channels[k].ty).fields.len();
        let len = self.len(at, k);
        let slots = self.channels[k].messages.len();
        let mut fault = self.terms().truth(false);
        let mut before = self.terms().truth(false);
        let mut found = Vec::new();
        for slot in 0..if random { slots } else { 1 } {
            let number = self.terms().value(slot as i64);
            let mut matches = self.terms().binary(BinaryTerm::Lt, number, len);
            for (i, field) in fields.iter().enumerate() {
                let (ReceiveField::Match(e) | ReceiveField::Eval(e)) = field else { continue };
                let value = self.eval(at, e)?;
                let asked = self.and_not(matches, before);
                let wrong = if i >= carried { asked } else { self.and(asked, value.fault) };
                fault = self.or(fault, wrong);
                if i < carried {
                    let held = self.now(at.values, self.channels[k].messages[slot][i]);
                    let same = self.terms().binary(BinaryTerm::Eq, value.term, held);
                    matches = self.and(matches, same);
                }
            }
            found.push(self.and_not(matches, before));
            before = self.or(before, matches);
        }
        Ok((found, fault))
    }
}
