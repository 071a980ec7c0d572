//! The event trace: an automaton that sees every message on the channels it mentions.

use lurcher_ir::{ActionKind, Branch, Expr, ProcessRole, ProcessType, ReceiveField};

use crate::eval::Context;
use crate::fault::Fault;
use crate::interpreter::Interpreter;
use crate::state::{ChannelId, State};

/// A message that was sent or is being received.
pub(crate) struct Event<'v> {
    pub send: bool,
    pub channel: ChannelId,
    pub values: &'v [i32],
}

impl Interpreter<'_> {
    /// Moves the event trace. An event that it forbids is a fault.
    pub(crate) fn observe(&self, state: &mut State, event: &Event<'_>) -> Result<(), Fault> {
        let Some(id) = self.model.event_trace else { return Ok(()) };
        let monitor = self.model.process_type(id);
        if !self.in_scope(state, monitor, event)? {
            return Ok(());
        }
        let here = state.event(&self.layout);
        let ended = self.is_over(monitor, here);
        let mut matching: Vec<Branch> = Vec::new();
        if !ended {
            for branch in &monitor.location(here).branches {
                if self.matches(state, &monitor.action(branch.action).kind, event)? {
                    matching.push(*branch);
                }
            }
        }
        match matching.as_slice() {
            [] if monitor.role == ProcessRole::NoTrace => {
                let end = self.end_of(monitor);
                state.set_event(&self.layout, end);
                Ok(())
            }
            [] => Err(Fault::TraceMismatch),
            [only] => {
                state.set_event(&self.layout, only.target);
                if monitor.role == ProcessRole::NoTrace && self.is_over(monitor, only.target) {
                    return Err(Fault::NoTraceMatched);
                }
                Ok(())
            }
            _ => Err(Fault::TraceChoice),
        }
    }

    /// May the run end where the event trace stands?
    pub(crate) fn trace_may_end(&self, state: &State) -> bool {
        self.model.event_trace.is_none_or(|id| self.model.process_type(id).location(state.event(&self.layout)).end)
    }

    fn end_of(&self, monitor: &ProcessType) -> lurcher_ir::LocationId {
        let is_end = |l: &&lurcher_ir::Action| matches!(l.kind, ActionKind::End);
        monitor.actions.iter().find(is_end).map_or(monitor.initial, |a| a.home)
    }

    fn is_over(&self, monitor: &ProcessType, at: lurcher_ir::LocationId) -> bool {
        at == self.end_of(monitor)
    }

    /// Does the trace mention the event's channel in this direction?
    fn in_scope(&self, state: &State, monitor: &ProcessType, event: &Event<'_>) -> Result<bool, Fault> {
        for action in &monitor.actions {
            let channel = match &action.kind {
                ActionKind::Send(c, _, _) if event.send => c,
                ActionKind::Receive { channel, .. } if !event.send => channel,
                _ => continue,
            };
            if self.eval(state, Context::default(), channel)? == i32::from(event.channel.0) + 1 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn matches(&self, state: &State, kind: &ActionKind, event: &Event<'_>) -> Result<bool, Fault> {
        let context = Context::default();
        let same = |c: &Expr| Ok(self.eval(state, context, c)? == i32::from(event.channel.0) + 1);
        let value = |i: usize| event.values.get(i).copied().unwrap_or(0);
        match kind {
            ActionKind::Send(channel, _, args) if event.send => {
                let fits = |(i, a): (usize, &Expr)| match a {
                    Expr::Const(v) | Expr::Symbol(v, _) => *v == value(i),
                    _ => true,
                };
                Ok(same(channel)? && args.iter().enumerate().all(fits))
            }
            ActionKind::Receive { channel, fields, .. } if !event.send => {
                if !same(channel)? {
                    return Ok(false);
                }
                for (i, field) in fields.iter().enumerate() {
                    if let ReceiveField::Match(e) | ReceiveField::Eval(e) = field
                        && self.eval(state, context, e)? != value(i)
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
