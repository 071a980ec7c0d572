//! The estimate of a formula in a state.

use lurcher_ir::{BinaryOp, Expr};
use lurcher_system::{ChannelId, Fault, Interpreter, ProcessId, State};

use super::{AtLocation, FAR, Formula, FormulaForm, INFINITE, Literal, MessageTest, Relation};

/// A state, seen by a property or by a process.
#[derive(Clone, Copy)]
pub(super) struct View<'a, 'm> {
    pub interpreter: &'a Interpreter<'m>,
    pub state: &'a State,
    /// The process that evaluates expressions; none for a property.
    pub reader: Option<ProcessId>,
    pub form: FormulaForm,
}

impl View<'_, '_> {
    /// The estimated number of steps until a formula holds (the paper's figure 8).
    pub fn estimate(&self, formula: &Formula) -> u32 {
        match formula {
            Formula::All(parts) => parts.iter().fold(0, |sum, part| self.form.join(sum, self.estimate(part))),
            Formula::Any(parts) => parts.iter().map(|part| self.estimate(part)).min().unwrap_or(INFINITE),
            Formula::Literal { literal, is_bound } => {
                let value = self.literal(literal);
                if self.form == FormulaForm::Max && !is_bound { value.min(1) } else { value }
            }
        }
    }

    fn literal(&self, literal: &Literal) -> u32 {
        let value = match literal {
            Literal::Truth(e, wanted) => self.value(e).map(|v| u32::from((v != 0) != *wanted)),
            Literal::Broken(e) => Ok(u32::from(self.value(e).is_ok_and(|v| v != 0))),
            Literal::Relation(relation) => self.relation(relation),
            Literal::Full(channel, wanted) => self.channel(channel).map(|c| self.full(c, *wanted)),
            Literal::Empty(channel, wanted) => self.channel(channel).map(|c| self.empty(c, *wanted)),
            Literal::Message(test, wanted) => self.channel(&test.channel).and_then(|c| self.message(c, test, *wanted)),
            Literal::At(at) => self.value(&at.process).map(|p| self.steps_to(at, p)),
            Literal::NotAt(at) => self.value(&at.process).map(|p| u32::from(self.is_at(at, p))),
            Literal::SendBlocked(channel, arguments) => self.send_blocked(channel, arguments),
            Literal::ReceiveBlocked(test) => self.receive_blocked(test),
            Literal::NotYoungest => Ok(u32::from(self.reader.is_some_and(|p| p.0 + 1 == self.state.process_count()))),
        };
        // A fault is neither true nor false.
        value.unwrap_or(1)
    }

    pub fn value(&self, expr: &Expr) -> Result<i32, Fault> {
        self.interpreter.value_for(self.state, self.reader, expr)
    }

    pub fn channel(&self, expr: &Expr) -> Result<ChannelId, Fault> {
        self.interpreter.channel_for(self.state, self.reader, expr)
    }

    /// The distance of two values from a relation. In the maximum form, in steps that change it as fast as possible.
    fn relation(&self, relation: &Relation) -> Result<u32, Fault> {
        let (a, b) = (i64::from(self.value(&relation.left)?), i64::from(self.value(&relation.right)?));
        let gap = match relation.operator {
            BinaryOp::Eq => (a - b).abs(),
            BinaryOp::Ne => i64::from(a == b),
            BinaryOp::Lt => a - b + 1,
            BinaryOp::Le => a - b,
            BinaryOp::Gt => b - a + 1,
            BinaryOp::Ge => b - a,
            other => unreachable!("{other:?} is no relation"),
        };
        let gap = gap.clamp(0, FAR.into()) as u32;
        Ok(match (self.form, relation.per_step) {
            (FormulaForm::Sum, _) if relation.is_numeric => gap,
            (FormulaForm::Max, Some(per_step)) => gap.div_ceil(per_step.max(1)),
            _ => gap.min(1),
        })
    }

    /// The distance of a channel from being full, or from not being full (figure 9).
    pub fn full(&self, channel: ChannelId, wanted: bool) -> u32 {
        let ty = self.interpreter.model().channel_type(self.state.channel_type(channel));
        let free = u32::from(ty.slots().saturating_sub(self.state.channel_len(channel)));
        if wanted { free } else { u32::from(free == 0) }
    }

    fn empty(&self, channel: ChannelId, wanted: bool) -> u32 {
        let length = u32::from(self.state.channel_len(channel));
        if wanted { length } else { u32::from(length == 0) }
    }

    /// The distance from a state in which a message matches: the number of messages before it, or of all and one more. The
    /// distance from one in which none does: the number of matching messages in front.
    pub fn message(&self, channel: ChannelId, test: &MessageTest, wanted: bool) -> Result<u32, Fault> {
        let is_rendezvous = self.interpreter.model().channel_type(self.state.channel_type(channel)).capacity == 0;
        if is_rendezvous {
            return Err(Fault::PolledRendezvous);
        }
        let (mut before, mut matching) = (0, 0);
        let length = self.state.channel_len(channel);
        for slot in 0..length {
            match self.interpreter.message_fits_for(self.state, self.reader, (channel, slot), &test.fields)? {
                true if wanted && test.any_position => return Ok(0),
                true if wanted => return Ok(before),
                true => matching += 1,
                false if !wanted && !test.any_position => break,
                false => before += 1,
            }
        }
        Ok(match (wanted, test.any_position) {
            (true, true) => 1,
            (true, false) => u32::from(length) + 1,
            (false, _) => matching,
        })
    }

    fn is_at(&self, at: &AtLocation, process: i32) -> bool {
        self.process(process).is_some_and(|p| self.state.location(p) == at.location)
    }

    /// The distance of a process from a location (figure 10). It may also die, and another one may be created with its number.
    fn steps_to(&self, at: &AtLocation, process: i32) -> u32 {
        let alive = self.process(process);
        let created = at.created.map_or(INFINITE, |steps| steps + 1 + u32::from(alive.is_some()));
        let own = |p: ProcessId| at.distances[self.state.process_type(p).0 as usize].of(self.state.location(p));
        alive.and_then(own).unwrap_or(INFINITE).min(created)
    }

    fn process(&self, number: i32) -> Option<ProcessId> {
        u16::try_from(number).ok().filter(|&p| p < self.state.process_count()).map(ProcessId)
    }

    fn send_blocked(&self, channel: &Expr, arguments: &[Expr]) -> Result<u32, Fault> {
        let id = self.channel(channel)?;
        let ty = self.interpreter.model().channel_type(self.state.channel_type(id));
        Ok(match ty.capacity {
            0 => self.count(self.receivers(id, &ty.fields, arguments)),
            _ if self.interpreter.limits().message_loss => INFINITE,
            _ => self.full(id, true),
        })
    }

    fn receive_blocked(&self, test: &MessageTest) -> Result<u32, Fault> {
        // Without a channel a receive blocks in some models, and faults in others.
        let Ok(id) = self.channel(&test.channel) else { return Ok(0) };
        let ty = self.interpreter.model().channel_type(self.state.channel_type(id));
        match ty.capacity {
            0 => Ok(self.count(self.senders(id, &ty.fields, &test.fields))),
            _ => self.message(id, test, false),
        }
    }

    /// Processes that have to leave their locations. One step may disable several.
    fn count(&self, processes: u32) -> u32 {
        if self.form == FormulaForm::Max { processes.min(1) } else { processes }
    }
}
