//! The event trace: an automaton over the messages on the channels that it mentions.

use lurcher_ir::{Action, ActionKind, Branch, Expr, LocationId, ProcessRole, ProcessType};

use crate::eval::Context;
use crate::fault::Fault;
use crate::interpreter::Interpreter;
use crate::state::{ChannelId, State};

/// A send or receive of a message.
pub(crate) struct Event<'v> {
    pub send: bool,
    pub channel: ChannelId,
    pub values: &'v [i32],
}

impl Interpreter<'_> {
    /// Advances the event trace. A forbidden event is a fault.
    pub(crate) fn observe(&self, state: &mut State, event: &Event<'_>) -> Result<(), Fault> {
        let Some(id) = self.model.event_trace else { return Ok(()) };
        let monitor = self.model.process_type(id);
        if !self.in_scope(state, monitor, event)? {
            return Ok(());
        }
        let here = state.event(&self.layout);
        let end = self.end_of(monitor);
        let mut matching: Vec<Branch> = Vec::new();
        if here != end {
            for branch in &monitor.location(here).branches {
                if self.matches(state, &monitor.action(branch.action).kind, event)? {
                    matching.push(*branch);
                }
            }
        }
        match matching.as_slice() {
            [] if monitor.role == ProcessRole::NoTrace => {
                state.set_event(&self.layout, end);
                Ok(())
            }
            [] => Err(Fault::TraceMismatch),
            [only] => {
                state.set_event(&self.layout, only.target);
                if monitor.role == ProcessRole::NoTrace && only.target == end {
                    return Err(Fault::NoTraceMatched);
                }
                Ok(())
            }
            _ => Err(Fault::TraceChoice),
        }
    }

    /// Whether the event trace is at a valid end.
    pub(crate) fn trace_may_end(&self, state: &State) -> bool {
        self.model.event_trace.is_none_or(|id| self.model.process_type(id).location(state.event(&self.layout)).end)
    }

    fn end_of(&self, monitor: &ProcessType) -> LocationId {
        let is_end = |l: &&Action| matches!(l.kind, ActionKind::End);
        monitor.actions.iter().find(is_end).map_or(monitor.initial, |a| a.home)
    }

    /// Whether the trace mentions sends or receives on the channel of the event.
    fn in_scope(&self, state: &State, monitor: &ProcessType, event: &Event<'_>) -> Result<bool, Fault> {
        for action in &monitor.actions {
            if let ActionKind::Event { send, channel, .. } = &action.kind
                && *send == event.send
                && self.is_channel(state, channel, event)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_channel(&self, state: &State, channel: &Expr, event: &Event<'_>) -> Result<bool, Fault> {
        Ok(self.eval(state, Context::default(), channel)? == i32::from(event.channel.0) + 1)
    }

    fn matches(&self, state: &State, kind: &ActionKind, event: &Event<'_>) -> Result<bool, Fault> {
        let ActionKind::Event { send, channel, fields } = kind else { return Ok(false) };
        if *send != event.send || !self.is_channel(state, channel, event)? {
            return Ok(false);
        }
        for (field, &value) in fields.iter().zip(event.values) {
            if let Some(e) = field.pattern()
                && self.eval(state, Context::default(), e)? != value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
