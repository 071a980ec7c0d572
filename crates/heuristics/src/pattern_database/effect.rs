//! The effects of a statement on an abstract state: every possible outcome.
//!
//! An unknown value becomes each value of its type, if these are few. Otherwise the item it is stored to cannot be kept, and
//! exploration stops with an [`Obstacle`].

use std::collections::HashSet;

use lurcher_ir::analysis::Region;
use lurcher_ir::{ActionKind, DStep, DStepNode, Expr, Frame, Initial, Place, ProcessTypeId, ReceiveField, Scalar};

use super::abstract_model::Obstacle;
use super::moves::Possible;
use super::pattern::{Item, OTHER};
use super::value::View;
use crate::goals::Target;

/// The most situations that are explored inside a deterministic sequence.
const SITUATIONS: usize = 4096;

/// Abstract states.
pub(super) type States = Vec<Vec<i32>>;

/// The message of a rendezvous.
pub(super) type Message<'v> = &'v [Option<i32>];

/// The outcomes of a statement.
#[derive(Default)]
pub(super) struct Outcomes {
    pub states: States,
    /// An assertion may fail, and that is the target.
    pub failed: bool,
}

/// The values of a type, if they are few.
pub(super) fn few_values(scalar: Scalar) -> Option<std::ops::Range<i32>> {
    match scalar {
        Scalar::Bit | Scalar::Unsigned(1) => Some(0..2),
        Scalar::Unsigned(2) => Some(0..4),
        _ => None,
    }
}

/// The same state with one value changed.
pub(super) fn with(values: &[i32], at: usize, value: i32) -> Vec<i32> {
    let mut next = values.to_vec();
    next[at] = value;
    next
}

/// All outcomes of an effect on some states.
fn each(states: &States, mut effect: impl FnMut(&[i32]) -> Result<States, Obstacle>) -> Result<States, Obstacle> {
    let mut next = States::new();
    for state in states {
        next.extend(effect(state)?);
    }
    Ok(next)
}

impl View<'_, '_> {
    /// Executes a statement that may be enabled; `message` is that of a rendezvous.
    pub fn execute(self, kind: &ActionKind, message: Option<Message<'_>>) -> Result<Outcomes, Obstacle> {
        let mut failed = false;
        let states = match kind {
            ActionKind::Guard(e) => self.create(e)?,
            ActionKind::Assign(place, e) => {
                let value = self.eval(e);
                each(&self.create(e)?, |s| self.with(s).store(place, value))?
            }
            ActionKind::Assert(e) => {
                failed = matches!(self.model.target, Target::Assertion) && self.eval(e).is_none_or(|v| v == 0);
                vec![self.values.to_vec()]
            }
            ActionKind::Send(channel, sorted, args) => self.send(channel, *sorted, args)?,
            ActionKind::Receive { channel, random, copy, fields } => match message {
                Some(message) => self.store_fields(fields, |i| message.get(i).copied().flatten())?,
                None => self.receive(channel, *random, *copy, fields)?,
            },
            ActionKind::DStep(sequence) => return self.d_step(sequence, message),
            ActionKind::End => {
                let mut next = self.values.to_vec();
                if let (Some(slot), Some(pid)) = (self.actor.slot, self.actor.pid) {
                    next[slot] = 0;
                    self.model.pattern.locals(pid).for_each(|at| next[at] = 0);
                }
                vec![next]
            }
            _ => vec![self.values.to_vec()],
        };
        Ok(Outcomes { states, failed })
    }

    fn store(self, place: &Place, value: Option<i32>) -> Result<States, Obstacle> {
        let kept = |offset: u32| {
            let item = match place.frame {
                Frame::Global => Item::Global(offset),
                Frame::Local => Item::Local(self.actor.pid?, offset),
                Frame::Process(..) => return None,
            };
            Some((self.model.pattern.position(item)?, item))
        };
        let offset = self.offset(place);
        let mut positions = Vec::new();
        match offset {
            Some(offset) => positions.extend(kept(offset)),
            None => positions.extend(Region::of(place, self.actor.pid).offsets().into_iter().filter_map(kept)),
        }
        let mut states = States::new();
        if offset.is_none() || positions.is_empty() {
            states.push(self.values.to_vec());
        }
        for &(at, _) in &positions {
            match (value, few_values(place.scalar)) {
                (Some(v), _) => states.push(with(self.values, at, place.scalar.truncate(v))),
                (None, Some(few)) => states.extend(few.map(|v| with(self.values, at, v))),
                (None, None) => return Err(Obstacle::Drop(positions.into_iter().map(|p| p.1).collect())),
            }
        }
        Ok(states)
    }

    pub fn store_fields(
        self,
        fields: &[ReceiveField],
        value: impl Fn(usize) -> Option<i32>,
    ) -> Result<States, Obstacle> {
        let mut states = vec![self.values.to_vec()];
        for (i, field) in fields.iter().enumerate() {
            if let ReceiveField::Store(place) = field {
                states = each(&states, |s| self.with(s).store(place, value(i)))?;
            }
        }
        Ok(states)
    }

    /// The states after the creation of the process that an expression runs, if it runs one.
    fn create(self, expr: &Expr) -> Result<States, Obstacle> {
        let mut run = None;
        expr.walk(&mut |e| {
            if let Expr::Run(ty, args, _) = e {
                run = Some((*ty, args.iter().map(|a| self.eval(a)).collect::<Vec<_>>()));
            }
        });
        let Some((ty, args)) = run else { return Ok(vec![self.values.to_vec()]) };
        let (processes, exact) = (&self.model.pattern.processes, self.model.exact);
        let free = (0..processes.len()).filter(|&slot| self.values[slot] == 0);
        let candidates: Vec<usize> = free.take(if exact { 1 } else { usize::MAX }).collect();
        let fits = |slot: &usize| processes[*slot].1 == ty;
        if (candidates.is_empty() || !exact || !candidates.iter().all(fits)) && !self.model.created.contains(&ty) {
            return Err(Obstacle::Created(ty));
        }
        let mut states = States::new();
        if candidates.is_empty() || !exact {
            states.push(self.values.to_vec());
        }
        for slot in candidates {
            match fits(&slot) {
                true => states.extend(self.initialise(slot, ty, &args)?),
                false => states.push(with(self.values, slot, OTHER)),
            }
        }
        Ok(states)
    }

    fn initialise(self, slot: usize, ty: ProcessTypeId, args: &[Option<i32>]) -> Result<States, Obstacle> {
        let process_type = self.model.model().process_type(ty);
        let created = self.model.view_of(self.values, slot, Some(0));
        let mut states = vec![with(self.values, slot, i32::from(process_type.initial.0))];
        for (i, place) in process_type.params.iter().enumerate() {
            states = each(&states, |s| created.with(s).store(place, args.get(i).copied().flatten()))?;
        }
        for step in &process_type.init {
            states = each(&states, |s| match step {
                Initial::Value(place, e) => created.with(s).store(place, created.with(s).eval(e)),
                Initial::Channel(new) => created.with(s).store(&new.place, None),
            })?;
        }
        Ok(states)
    }

    /// Executes a deterministic sequence along every path that may be taken.
    fn d_step(self, sequence: &DStep, message: Option<Message<'_>>) -> Result<Outcomes, Obstacle> {
        let mut outcomes = Outcomes::default();
        let mut seen: HashSet<(u32, bool, Vec<i32>)> = HashSet::new();
        let mut open = vec![(0u32, message.is_some(), self.values.to_vec())];
        while let Some((node, pending, values)) = open.pop() {
            if !seen.insert((node, pending, values.clone())) {
                continue;
            }
            if seen.len() > SITUATIONS {
                return Err(Obstacle::TooLarge);
            }
            let view = self.with(&values);
            match &sequence.nodes[node as usize] {
                DStepNode::Exit => outcomes.states.push(values),
                DStepNode::Goto(next) => open.push((*next, pending, values)),
                DStepNode::Choose(options, _) => {
                    for &option in options {
                        let possible = match &sequence.nodes[option as usize] {
                            DStepNode::Do(kind, ..) if !pending => view.possible(kind),
                            DStepNode::Do(..) => Possible::Maybe,
                            _ => Possible::Surely,
                        };
                        if possible.may() {
                            open.push((option, pending, values.clone()));
                        }
                        if possible == Possible::Surely {
                            break;
                        }
                    }
                }
                DStepNode::Do(kind, _, next) => {
                    let takes = pending && matches!(kind, ActionKind::Receive { .. });
                    if !takes && !view.possible(kind).may() {
                        continue;
                    }
                    let done = view.execute(kind, message.filter(|_| takes))?;
                    outcomes.failed |= done.failed;
                    open.extend(done.states.into_iter().map(|s| (*next, pending && !takes, s)));
                }
            }
        }
        Ok(outcomes)
    }
}
