//! What a statement does to an abstract state: every outcome that is possible.
//!
//! A value that is unknown becomes each value its type can hold, if these are few; otherwise the place it goes to
//! cannot be kept, and the pattern has to do without it.

use lurcher_ir::analysis::Region;
use lurcher_ir::{ActionKind, Expr, Frame, Place, ProcessTypeId, ReceiveField, Scalar};

use super::abstraction::{Abstraction, Obstacle};
use super::pattern::{Item, OTHER};
use super::value::Actor;

/// What comes out of a statement.
#[derive(Default)]
pub(super) struct Outcomes {
    pub states: Vec<Vec<i32>>,
    /// An assertion in it may fail.
    pub failed: bool,
}

/// The values that a type can hold, if they are few.
pub(super) fn few_values(scalar: Scalar) -> Option<std::ops::Range<i32>> {
    match scalar {
        Scalar::Bit | Scalar::Unsigned(1) => Some(0..2),
        Scalar::Unsigned(2) => Some(0..4),
        _ => None,
    }
}

/// A message that is being handed over.
pub(super) type Message<'v> = &'v [Option<i32>];

impl Abstraction<'_, '_> {
    /// Executes a statement that may be possible. `message` is what a rendezvous hands over.
    pub fn execute(
        &self,
        values: &[i32],
        actor: Actor,
        kind: &ActionKind,
        message: Option<Message<'_>>,
    ) -> Result<Outcomes, Obstacle> {
        let same = || vec![values.to_vec()];
        let mut failed = false;
        let states = match kind {
            ActionKind::Guard(e) => self.create(values, actor, e)?,
            ActionKind::Assign(place, e) => {
                let value = self.eval(values, actor, e);
                let mut states = Vec::new();
                for before in self.create(values, actor, e)? {
                    self.store(before, actor, place, value, &mut states)?;
                }
                states
            }
            ActionKind::Assert(e) => {
                failed = self.eval(values, actor, e).is_none_or(|v| v == 0);
                same()
            }
            ActionKind::Send(channel, sorted, args) => self.send(values, actor, channel, *sorted, args)?,
            ActionKind::Receive { channel, random, copy, fields } => match message {
                Some(message) => {
                    self.store_fields(values.to_vec(), actor, fields, |i| message.get(i).copied().flatten())?
                }
                None => self.receive(values, actor, channel, *random, *copy, fields)?,
            },
            ActionKind::DStep(sequence) => return self.d_step(values, actor, sequence, message),
            ActionKind::End => {
                let mut next = values.to_vec();
                if let Some(slot) = actor.slot {
                    self.clear(&mut next, slot);
                }
                vec![next]
            }
            ActionKind::Skip
            | ActionKind::Else
            | ActionKind::Print(..)
            | ActionKind::PrintSymbol(..)
            | ActionKind::SetPriority(..)
            | ActionKind::Event { .. } => same(),
        };
        Ok(Outcomes { states, failed })
    }

    fn clear(&self, values: &mut [i32], slot: usize) {
        values[slot] = 0;
        for &(owner, offset, _) in &self.pattern.locals {
            if owner == slot {
                values[self.pattern.local(slot, offset).expect("a kept local")] = 0;
            }
        }
    }

    /// Stores a value; the outcomes are added.
    fn store(
        &self,
        values: Vec<i32>,
        actor: Actor,
        place: &Place,
        value: Option<i32>,
        out: &mut Vec<Vec<i32>>,
    ) -> Result<(), Obstacle> {
        let position = |offset: u32| match place.frame {
            Frame::Global => self.pattern.global(offset).map(|at| (at, Item::Global(offset))),
            Frame::Local => {
                let slot = actor.slot?;
                let pid = self.pattern.processes[slot].0;
                self.pattern.local(slot, offset).map(|at| (at, Item::Local(pid, offset)))
            }
            Frame::Process(..) => None,
        };
        let mut positions = Vec::new();
        match self.offset(&values, actor, place) {
            Some(offset) => match position(offset) {
                Some(kept) => positions.push(kept),
                None => out.push(values.clone()),
            },
            None => {
                Region::of(place, actor.pid).offsets(&mut |o| positions.extend(position(o)));
                out.push(values.clone());
            }
        }
        for &(at, _) in &positions {
            match (value, few_values(place.scalar)) {
                (Some(v), _) => out.push(with(&values, at, place.scalar.truncate(v))),
                (None, Some(few)) => out.extend(few.map(|v| with(&values, at, v))),
                (None, None) => {
                    return Err(Obstacle::Drop(positions.iter().map(|p| p.1).collect()));
                }
            }
        }
        Ok(())
    }

    pub fn store_fields(
        &self,
        values: Vec<i32>,
        actor: Actor,
        fields: &[ReceiveField],
        value: impl Fn(usize) -> Option<i32>,
    ) -> Result<Vec<Vec<i32>>, Obstacle> {
        let mut states = vec![values];
        for (i, field) in fields.iter().enumerate() {
            if let ReceiveField::Store(place) = field {
                let mut next = Vec::new();
                for before in states {
                    self.store(before, actor, place, value(i), &mut next)?;
                }
                states = next;
            }
        }
        Ok(states)
    }

    /// The states after the process that an expression creates, if it does, is there.
    fn create(&self, values: &[i32], actor: Actor, expr: &Expr) -> Result<Vec<Vec<i32>>, Obstacle> {
        let mut run = None;
        expr.walk(&mut |e| {
            if let Expr::Run(ty, args, _) = e {
                run = Some((*ty, args.clone()));
            }
        });
        let Some((ty, args)) = run else { return Ok(vec![values.to_vec()]) };
        let present = |slot: usize| values[slot] != 0;
        let slots = 0..self.pattern.processes.len();
        let candidates: Vec<usize> = match self.exact {
            true => slots.clone().find(|&s| !present(s)).into_iter().collect(),
            false => slots.filter(|&s| !present(s)).collect(),
        };
        let mut states = Vec::new();
        if candidates.is_empty() || !self.exact {
            self.unkept(ty)?;
            states.push(values.to_vec());
        }
        let args: Vec<Option<i32>> = args.iter().map(|a| self.eval(values, actor, a)).collect();
        for slot in candidates {
            let mut next = values.to_vec();
            if self.pattern.processes[slot].1 != ty {
                self.unkept(ty)?;
                next[slot] = OTHER;
                states.push(next);
                continue;
            }
            next[slot] = i32::from(self.model.process_type(ty).initial.0);
            states.extend(self.set_up(next, slot, ty, &args)?);
        }
        Ok(states)
    }

    fn unkept(&self, ty: ProcessTypeId) -> Result<(), Obstacle> {
        if self.created.contains(&ty) { Ok(()) } else { Err(Obstacle::Ghost(ty)) }
    }

    fn set_up(
        &self,
        values: Vec<i32>,
        slot: usize,
        ty: ProcessTypeId,
        args: &[Option<i32>],
    ) -> Result<Vec<Vec<i32>>, Obstacle> {
        let process_type = self.model.process_type(ty);
        let pid = self.pattern.processes[slot].0;
        let actor = Actor { slot: Some(slot), pid: Some(pid), ty: Some(ty), timeout: Some(0), stutter: false };
        let mut states = vec![values];
        for (i, place) in process_type.params.iter().enumerate() {
            let mut next = Vec::new();
            for before in states {
                self.store(before, actor, place, args.get(i).copied().flatten(), &mut next)?;
            }
            states = next;
        }
        for step in &process_type.init {
            let mut next = Vec::new();
            for before in states {
                match step {
                    lurcher_ir::Initial::Value(place, e) => {
                        let value = self.eval(&before, actor, e);
                        self.store(before, actor, place, value, &mut next)?;
                    }
                    lurcher_ir::Initial::Channel(new) => self.store(before, actor, &new.place, None, &mut next)?,
                }
            }
            states = next;
        }
        Ok(states)
    }
}

/// The same with one value changed.
pub(super) fn with(values: &[i32], at: usize, value: i32) -> Vec<i32> {
    let mut next = values.to_vec();
    next[at] = value;
    next
}
