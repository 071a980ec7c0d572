//! Executability and effects of statements.

use lurcher_ir::relation::TermId;
use lurcher_ir::{ActionKind, Expr, Initial, Place, ProcessTypeId};

use super::expr::Evaluated;
use super::{Builder, Case, Cell, Context, Refusal, StepError, Updates, refuse};

/// The executing process.
#[derive(Clone, Copy)]
pub(super) struct Actor {
    pub process: usize,
    pub timeout: bool,
}

impl Actor {
    pub fn context<'v>(self, updates: &'v Updates) -> Context<'v> {
        Context { process: Some(self.process), timeout: self.timeout, created: None, updates }
    }
}

impl Builder<'_> {
    /// The value of an expression; faults are recorded.
    pub(super) fn eval_or_fault(
        &mut self,
        actor: Actor,
        case: &mut Case,
        expr: &Expr,
        created: Option<usize>,
    ) -> Result<TermId, Refusal> {
        let context = Context { created, ..actor.context(&case.updates) };
        let Evaluated { term, fault } = self.eval(context, expr)?;
        self.add_fault(case, fault);
        Ok(term)
    }

    pub(super) fn store(&mut self, actor: Actor, case: &mut Case, place: &Place, value: TermId) -> Result<(), Refusal> {
        let (targets, fault) = self.targets(actor.context(&case.updates), place)?;
        self.add_fault(case, fault);
        let kept = self.truncated(place.scalar, value);
        let before = case.updates.clone();
        for (condition, cell) in targets {
            let Cell::Variable(variable) = cell else { unreachable!("what is written is a variable") };
            let new = self.ite(condition, kept, self.updated(&before, variable));
            case.updates.insert(variable, new);
        }
        Ok(())
    }

    /// Whether a statement is executable, rendezvous aside.
    pub(super) fn executable(&self, at: Context<'_>, kind: &ActionKind) -> Result<Evaluated, Refusal> {
        let (yes, no) = (self.truth(true), self.truth(false));
        Ok(match kind {
            ActionKind::Guard(e) => self.eval(at, e)?,
            ActionKind::Send(channel, ..) => {
                let (channels, fault) = self.channels_of(at, channel)?;
                let mut any = no;
                for (named, k) in channels.into_iter().filter(|&(_, k)| self.channels[k].len.is_some()) {
                    let full = self.is(self.len(at, k), self.channels[k].messages.len() as i64);
                    any = self.or(any, self.and_not(named, full));
                }
                Evaluated { term: any, fault }
            }
            ActionKind::Receive { channel, random, copy, fields } => {
                let (channels, mut fault) = self.channels_of(at, channel)?;
                if !*copy && self.model.has_only_rendezvous() {
                    fault = no;
                }
                let mut any = no;
                for (named, k) in channels {
                    if self.channels[k].len.is_none() {
                        if *copy {
                            fault = self.or(fault, named);
                        }
                        continue;
                    }
                    let (slots, wrong) = self.matching(at, k, *random, fields)?;
                    any = self.or(any, self.and(named, self.any(slots)));
                    fault = self.or(fault, self.and(named, wrong));
                }
                Evaluated { term: any, fault }
            }
            ActionKind::End => {
                let next = at.process.expect("a process ends") + 1;
                let waits = if next < self.slots.len() { self.alive(at.updates, next) } else { no };
                Evaluated { term: self.not(waits), fault: no }
            }
            ActionKind::DStep(sequence) if !sequence.guards.is_empty() => {
                let mut all = Evaluated { term: no, fault: no };
                for guard in &sequence.guards {
                    let one = self.executable(at, guard)?;
                    let wrong = self.and_not(one.fault, all.term);
                    all = Evaluated { fault: self.or(all.fault, wrong), term: self.or(all.term, one.term) };
                }
                all
            }
            ActionKind::Event { .. } => return refuse("an event trace cannot be translated to a relation"),
            _ => Evaluated { term: yes, fault: no },
        })
    }

    /// The outcomes of a statement, rendezvous aside.
    pub(super) fn perform(&mut self, actor: Actor, kind: &ActionKind, mut case: Case) -> Result<Vec<Case>, Refusal> {
        match kind {
            ActionKind::Skip | ActionKind::Else => {}
            ActionKind::Print(_, args) => {
                for arg in args {
                    self.eval_or_fault(actor, &mut case, arg, None)?;
                }
            }
            ActionKind::PrintSymbol(e, _) => {
                self.eval_or_fault(actor, &mut case, e, None)?;
            }
            ActionKind::Assert(e) => {
                let term = self.eval_or_fault(actor, &mut case, e, None)?;
                let fails = self.not(term);
                self.add_violation(StepError::Assertion, case.guard, fails);
            }
            ActionKind::Guard(e) => {
                return self.with_value(actor, e, case, |me, case, term| {
                    case.guard = me.and(case.guard, term);
                    Ok(())
                });
            }
            ActionKind::Assign(place, e) => {
                return self.with_value(actor, e, case, |me, case, term| me.store(actor, case, place, term));
            }
            ActionKind::Send(channel, sorted, args) => return self.send(actor, channel, *sorted, args, case),
            ActionKind::Receive { channel, random, copy, fields } => {
                return self.receive(actor, channel, *random, *copy, fields, case);
            }
            ActionKind::DStep(sequence) => return self.d_step(actor, sequence, case),
            ActionKind::End => self.end(actor.process, &mut case),
            ActionKind::SetPriority(..) => return refuse("process priorities cannot be translated to a relation"),
            ActionKind::Event { .. } => return refuse("an event trace cannot be translated to a relation"),
        }
        Ok(vec![case])
    }

    /// Evaluates an expression, which may create a process, and continues with its value.
    fn with_value(
        &mut self,
        actor: Actor,
        expr: &Expr,
        mut case: Case,
        mut then: impl FnMut(&mut Self, &mut Case, TermId) -> Result<(), Refusal>,
    ) -> Result<Vec<Case>, Refusal> {
        let Some((ty, args, _)) = expr.created() else {
            let term = self.eval_or_fault(actor, &mut case, expr, None)?;
            then(self, &mut case, term)?;
            return Ok(vec![case]);
        };
        let mut cases = Vec::new();
        for (mut case, created) in self.create(actor, ty, args, case)? {
            if created.is_some() {
                let term = self.eval_or_fault(actor, &mut case, expr, created)?;
                then(self, &mut case, term)?;
            }
            cases.push(case);
        }
        Ok(cases)
    }

    /// Creates a process under the first free pid. If that slot has another type, or no slot is free, the case overflows.
    fn create(
        &mut self,
        actor: Actor,
        ty: ProcessTypeId,
        args: &[Expr],
        mut case: Case,
    ) -> Result<Vec<(Case, Option<usize>)>, Refusal> {
        let mut passed = Vec::new();
        for arg in args {
            passed.push(self.eval_or_fault(actor, &mut case, arg, None)?);
        }
        let mut cases = Vec::new();
        let mut left = case.guard;
        for q in 0..self.slots.len() {
            let alive = self.alive(&case.updates, q);
            let guard = self.and_not(left, alive);
            left = self.and(left, alive);
            if self.slots[q].ty == ty {
                let mut here = Case { guard, updates: case.updates.clone() };
                self.initialise(q, &passed, &mut here)?;
                cases.push((here, Some(q)));
            } else {
                cases.push((self.overflowing(guard), None));
            }
        }
        cases.push((self.overflowing(left), None));
        cases.retain(|(case, _)| !self.is_false(case.guard));
        Ok(cases)
    }

    fn overflowing(&self, guard: TermId) -> Case {
        Case { guard, updates: Updates::from([(self.overflow, self.truth(true))]) }
    }

    /// Sets the location, parameters and locals of a new process.
    fn initialise(&mut self, q: usize, passed: &[TermId], case: &mut Case) -> Result<(), Refusal> {
        let process = self.model.process_type(self.slots[q].ty);
        let new = Actor { process: q, timeout: false };
        case.updates.insert(self.slots[q].location, self.value(i64::from(process.initial.0)));
        for (place, &value) in process.params.iter().zip(passed) {
            self.store(new, case, place, value)?;
        }
        let mut channel = self.slots[q].channels.start;
        for step in &process.init {
            match step {
                Initial::Value(place, e) => {
                    let value = self.eval_or_fault(new, case, e, None)?;
                    self.store(new, case, place, value)?;
                }
                Initial::Channel(new_channel) => {
                    channel += 1;
                    self.store(new, case, &new_channel.place, self.value(channel as i64))?;
                }
            }
        }
        Ok(())
    }

    /// Removes a process and its channels.
    fn end(&self, p: usize, case: &mut Case) {
        let zero = self.value(0);
        let slot = &self.slots[p];
        case.updates.insert(slot.location, zero);
        let variable = |cell: &Cell| match cell {
            Cell::Variable(v) => Some(*v),
            Cell::Constant(_) => None,
        };
        case.updates.extend(slot.locals.values().filter_map(variable).map(|v| (v, zero)));
        for channel in &self.channels[slot.channels.clone()] {
            let all = channel.len.iter().chain(channel.messages.iter().flatten());
            case.updates.extend(all.map(|&v| (v, zero)));
        }
    }
}
