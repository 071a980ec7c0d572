//! Runs of the relation as runs of the processes.
//!
//! A transition is one move of a process, so a run of the relation names the states that the processes go through. The
//! moves are found by trying: of those that are possible, the one that leads to the next state. Where none is, the
//! system has stopped and stays.

use lurcher_exec::{ChannelId, Interpreter, Move, ProcessId, State};
use lurcher_ir::relation::VariableId;
use lurcher_ir::{Scalar, VarDecl};

use super::{Builder, Cell, ProcessRun};
use crate::trace::Trace;

/// A value of a frame: where it is, what it is, and its variable.
#[derive(Clone, Debug)]
struct Held {
    offset: u32,
    scalar: Scalar,
    variable: VariableId,
}

/// The messages of a channel: how many there are, and their fields.
#[derive(Clone, Debug)]
struct Messages {
    len: VariableId,
    fields: Vec<Vec<(Scalar, VariableId)>>,
}

/// Which variables stand for what in a state.
#[derive(Clone, Debug)]
pub(super) struct StateMap {
    globals: Vec<Held>,
    /// By process number: its location, and its frame.
    slots: Vec<(VariableId, Vec<Held>)>,
    /// By channel number; none for a rendezvous, which holds nothing.
    channels: Vec<Option<Messages>>,
    holder: VariableId,
}

impl StateMap {
    pub fn of(builder: &Builder<'_>) -> StateMap {
        let held = |declared: &[VarDecl], cells: &std::collections::HashMap<u32, Cell>| {
            let mut all = Vec::new();
            for variable in declared {
                variable.shape.leaves(&mut |_, offset, scalar| {
                    let offset = variable.offset + offset;
                    if let Some(&Cell::Variable(variable)) = cells.get(&offset) {
                        all.push(Held { offset, scalar, variable });
                    }
                });
            }
            all
        };
        let slot = |s: &super::Slot| (s.location, held(&builder.model.process_type(s.ty).locals, &s.locals));
        let channel = |c: &super::Channel| {
            let fields = &builder.model.channel_type(c.ty).fields;
            let message = |m: &Vec<VariableId>| fields.iter().copied().zip(m.iter().copied()).collect();
            c.len.map(|len| Messages { len, fields: c.messages.iter().map(message).collect() })
        };
        StateMap {
            globals: held(&builder.model.globals, &builder.globals),
            slots: builder.slots.iter().map(slot).collect(),
            channels: builder.channels.iter().map(channel).collect(),
            holder: builder.holder,
        }
    }

    /// Does a valuation say what a state holds?
    fn describes(&self, interpreter: &Interpreter<'_>, valuation: &[i64], state: &State) -> bool {
        let layout = interpreter.layout();
        let value = |v: VariableId| valuation[v.0 as usize];
        let same = |at: usize, held: &[Held]| {
            held.iter().all(|h| value(h.variable) == i64::from(state.get(at + h.offset as usize, h.scalar)))
        };
        let holder = state.exclusive.map_or(0, |p| i64::from(p.0) + 1);
        let slots = self.slots.iter().enumerate().all(|(number, (location, held))| {
            let id = ProcessId(number as u16);
            match id.0 < state.process_count() {
                true => value(*location) == i64::from(state.location(id).0) && same(state.locals_at(layout, id), held),
                false => value(*location) == 0,
            }
        });
        let mut channels = self.channels.iter().take(usize::from(state.channel_count())).enumerate();
        let channels = channels.all(|(number, channel)| {
            let Some(Messages { len, fields }) = channel else { return true };
            let id = ChannelId(number as u16);
            let count = usize::from(state.channel_len(id));
            let mut at = state.messages_at(id);
            value(*len) == count as i64
                && fields.iter().take(count).flatten().all(|(scalar, variable)| {
                    let here = state.get(at, *scalar);
                    at += scalar.size() as usize;
                    value(*variable) == i64::from(here)
                })
        });
        value(self.holder) == holder && slots && channels && same(state.globals_at(layout), &self.globals)
    }

    /// What the processes do along a run; nothing when they cannot follow.
    pub fn follow(&self, interpreter: &Interpreter<'_>, trace: &Trace, wrong: bool) -> Option<ProcessRun> {
        let mut state = interpreter.initial().ok()?;
        let mut run = ProcessRun { moves: Vec::new(), cycle_start: None, violation: None };
        let mut possible = Vec::new();
        let home = trace.cycle_start.map(|start| &trace.states[start]);
        for (number, valuation) in trace.states.iter().skip(1).chain(home).enumerate() {
            if trace.cycle_start == Some(number) {
                run.cycle_start = Some(run.moves.len());
            }
            interpreter.moves(&state, &mut possible);
            if possible.is_empty() && self.describes(interpreter, valuation, &state) {
                continue;
            }
            let (taken, violation, next) = possible.iter().find_map(|taken| {
                let mut next = state.clone();
                let violation = interpreter.apply(&mut next, taken);
                self.describes(interpreter, valuation, &next).then_some((*taken, violation, next))
            })?;
            run.moves.push(taken);
            if violation.is_some() {
                return Some(ProcessRun { violation, cycle_start: None, ..run });
            }
            state = next;
        }
        if wrong {
            interpreter.moves(&state, &mut possible);
            let wrong = |taken: &Move| Some((*taken, interpreter.apply(&mut state.clone(), taken)?));
            let (taken, violation) = possible.iter().find_map(wrong)?;
            run.moves.push(taken);
            run.violation = Some(violation);
        }
        Some(run)
    }
}
