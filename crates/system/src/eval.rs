//! Evaluation of expressions.

use lurcher_ir::{ActionKind, BinaryOp, Expr, Frame, Place, Probe, ReceiveField, Scalar};

use crate::channel;
use crate::fault::Fault;
use crate::interpreter::Interpreter;
use crate::state::{ChannelId, ProcessId, State};

/// The context of an evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    /// The executing process; none for claims and properties.
    pub process: Option<ProcessId>,
    /// The value of `timeout`.
    pub timeout: bool,
    /// The system has stopped, and only the claim moves.
    pub stutter: bool,
    /// The process that `run` has created.
    pub created: Option<ProcessId>,
    /// How many calls of `enabled()` this is a part of.
    pub enabled_depth: u8,
}

/// The most calls of `enabled()` within one another: processes may ask for each other.
const ENABLED_DEPTH: u8 = 4;

impl Context {
    /// The context of a process.
    pub fn of(process: ProcessId, timeout: bool) -> Context {
        Context { process: Some(process), timeout, ..Context::default() }
    }

    /// The context of a process, or of a property.
    fn of_reader(process: Option<ProcessId>) -> Context {
        Context { process, ..Context::default() }
    }
}

impl Interpreter<'_> {
    /// The value of an expression. `run` creates nothing here; it is 1 before the creation.
    pub(crate) fn eval(&self, state: &State, context: Context, expr: &Expr) -> Result<i32, Fault> {
        let eval = |e: &Expr| self.eval(state, context, e);
        Ok(match expr {
            Expr::Const(v) | Expr::Symbol(v, _) => *v,
            Expr::Read(place) => match self.address(state, context, place)? {
                Some(at) => state.get(at, place.scalar),
                None => 0,
            },
            Expr::Unary(op, e) => op.apply(eval(e)?),
            Expr::Binary(BinaryOp::And, a, b) => i32::from(eval(a)? != 0 && eval(b)? != 0),
            Expr::Binary(BinaryOp::Or, a, b) => i32::from(eval(a)? != 0 || eval(b)? != 0),
            Expr::Binary(op, a, b) => op.apply(eval(a)?, eval(b)?).ok_or(Fault::DivisionByZero)?,
            Expr::Cond(c, a, b) => eval(if eval(c)? != 0 { a } else { b })?,
            Expr::Len(c) => i32::from(state.channel_len(self.channel(state, context, c)?)),
            Expr::Probe(probe, c) => {
                let id = self.channel(state, context, c)?;
                let (full, empty) = (channel::is_full(self.model, state, id), state.channel_len(id) == 0);
                i32::from(match probe {
                    Probe::Full => full,
                    Probe::Empty => empty,
                    Probe::NotFull => !full,
                    Probe::NotEmpty => !empty,
                })
            }
            Expr::Poll(c, random, fields) => {
                let id = self.channel(state, context, c)?;
                if channel::channel_type(self.model, state, id).capacity == 0 {
                    return Err(Fault::PolledRendezvous);
                }
                i32::from(self.find_message(state, context, id, *random, fields)?.is_some())
            }
            Expr::Run(..) => context.created.map_or(1, |p| i32::from(p.0)),
            Expr::Pid => context.process.map_or(0, |p| i32::from(p.0)),
            Expr::ProcessCount => i32::from(state.process_count()) + i32::from(self.limits.with_claim),
            Expr::Last => i32::from(state.last(&self.layout)),
            Expr::Timeout => i32::from(context.timeout),
            Expr::NonProgress => i32::from(!context.stutter && !self.any_location(state, |l| l.progress)),
            Expr::Enabled(p) => {
                let number = eval(p)?;
                let own = context.process.is_some_and(|me| i32::from(me.0) == number);
                if own || context.enabled_depth == ENABLED_DEPTH {
                    return Err(Fault::EnabledOfSelf);
                }
                let enabled_depth = context.enabled_depth + 1;
                process(state, number).map_or(0, |id| {
                    let asked = Context { enabled_depth, ..Context::of(id, context.timeout) };
                    i32::from(self.has_branch(state, id, asked))
                })
            }
            Expr::PcValue(p) => process(state, eval(p)?).map_or(0, |id| i32::from(state.location(id).0)),
            Expr::Priority(p) => process(state, eval(p)?).map_or(0, |id| i32::from(state.priority(&self.layout, id))),
            Expr::FirstOf(ty) => {
                let first = (0..state.process_count()).find(|&p| state.process_type(ProcessId(p)) == *ty);
                first.map_or(-1, i32::from)
            }
            // As in Spin, the type of the process is ignored.
            Expr::At(p, _, location) => {
                process(state, eval(p)?).map_or(0, |id| i32::from(state.location(id) == *location))
            }
        })
    }

    /// The offset of a place in the state; `None` in a process that does not exist.
    pub(crate) fn address(&self, state: &State, context: Context, place: &Place) -> Result<Option<usize>, Fault> {
        let base = match &place.frame {
            Frame::Global => state.globals_at(&self.layout),
            Frame::Local => match context.process {
                Some(id) => state.locals_at(&self.layout, id),
                None => return Ok(None),
            },
            Frame::Process(number, ty) => match process(state, self.eval(state, context, number)?) {
                Some(id) if state.process_type(id) == *ty => state.locals_at(&self.layout, id),
                _ => return Ok(None),
            },
        };
        let mut at = base + place.offset as usize;
        for index in &place.indices {
            let i = self.eval(state, context, &index.expr)?;
            match u32::try_from(i) {
                Ok(n) if n < index.count => at += (n * index.stride) as usize,
                _ => return Err(Fault::IndexOutOfBounds(i, index.count)),
            }
        }
        Ok(Some(at))
    }

    /// The channel of an expression.
    pub(crate) fn channel(&self, state: &State, context: Context, expr: &Expr) -> Result<ChannelId, Fault> {
        channel::resolve(state, self.eval(state, context, expr)?)
    }

    /// The slot of the first matching message, among the first or with `random` all.
    pub(crate) fn find_message(
        &self,
        state: &State,
        context: Context,
        id: ChannelId,
        random: bool,
        fields: &[ReceiveField],
    ) -> Result<Option<u16>, Fault> {
        let len = state.channel_len(id);
        let last = if random { len } else { len.min(1) };
        for slot in 0..last {
            if self.message_fits(state, context, (id, slot), fields)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// Whether the message in a slot of a channel matches.
    fn message_fits(
        &self,
        state: &State,
        context: Context,
        (id, slot): (ChannelId, u16),
        fields: &[ReceiveField],
    ) -> Result<bool, Fault> {
        let carried = channel::channel_type(self.model, state, id).fields.len();
        for (i, field) in fields.iter().enumerate() {
            let Some(e) = field.pattern() else { continue };
            if i >= carried {
                return Err(Fault::FieldCount(fields.len(), carried));
            }
            if self.eval(state, context, e)? != channel::field(self.model, state, id, slot, i) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the message in a slot of a channel matches, for a process or for a property.
    ///
    /// # Errors
    /// When the evaluation faults.
    pub fn message_fits_for(
        &self,
        state: &State,
        reader: Option<ProcessId>,
        message: (ChannelId, u16),
        fields: &[ReceiveField],
    ) -> Result<bool, Fault> {
        self.message_fits(state, Context::of_reader(reader), message, fields)
    }

    /// The value of an expression, for a process or for a property.
    ///
    /// # Errors
    /// When the evaluation faults.
    pub fn value_for(&self, state: &State, reader: Option<ProcessId>, expr: &Expr) -> Result<i32, Fault> {
        self.eval(state, Context::of_reader(reader), expr)
    }

    /// The channel that an expression denotes, for a process or for a property.
    ///
    /// # Errors
    /// When the evaluation faults or there is no such channel.
    pub fn channel_for(&self, state: &State, reader: Option<ProcessId>, expr: &Expr) -> Result<ChannelId, Fault> {
        self.channel(state, Context::of_reader(reader), expr)
    }

    /// Whether a statement is enabled, ignoring rendezvous.
    pub(crate) fn executable(&self, state: &State, context: Context, kind: &ActionKind) -> Result<bool, Fault> {
        Ok(match kind {
            ActionKind::Guard(e) => self.eval(state, context, e)? != 0,
            ActionKind::Send(c, _, _) => {
                let id = self.channel(state, context, c)?;
                self.limits.message_loss || !channel::is_full(self.model, state, id)
            }
            ActionKind::Receive { channel: c, random, copy, fields } => {
                let id = self.channel(state, context, c)?;
                if *copy && channel::channel_type(self.model, state, id).capacity == 0 {
                    return Err(Fault::PolledRendezvous);
                }
                self.find_message(state, context, id, *random, fields)?.is_some()
            }
            ActionKind::End => context.process.is_some_and(|p| p.0 + 1 == state.process_count()),
            ActionKind::DStep(sequence) => {
                let mut enabled = sequence.guards.is_empty();
                for guard in &sequence.guards {
                    enabled = enabled || self.executable(state, context, guard)?;
                }
                enabled
            }
            ActionKind::Event { .. } => false,
            _ => {
                debug_assert!(!kind.can_wait(), "what enables it is not known");
                true
            }
        })
    }

    /// The values of the arguments of a send.
    pub(crate) fn message(&self, state: &State, context: Context, args: &[Expr]) -> Result<Vec<i32>, Fault> {
        args.iter().map(|a| self.eval(state, context, a)).collect()
    }
}

/// The process of a number.
pub(crate) fn process(state: &State, number: i32) -> Option<ProcessId> {
    u16::try_from(number).ok().filter(|&n| n < state.process_count()).map(ProcessId)
}

/// The values of a message as the channel stores them.
pub(crate) fn stored(values: &[i32], fields: &[Scalar]) -> Vec<i32> {
    fields.iter().enumerate().map(|(i, f)| f.truncate(values.get(i).copied().unwrap_or(0))).collect()
}
