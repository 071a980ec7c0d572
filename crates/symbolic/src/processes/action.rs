//! Statements: when they are possible, and what they change.

use lurcher_ir::relation::TermId;
use lurcher_ir::{ActionKind, Expr, Initial, Place, ProcessTypeId};

use super::expr::Computed;
use super::{Builder, Case, Cell, Context, Refusal, Values, Wrong, refuse};

/// Who executes.
#[derive(Clone, Copy)]
pub(super) struct Actor {
    pub process: usize,
    pub timeout: bool,
}

impl Actor {
    pub fn context<'v>(self, values: &'v Values) -> Context<'v> {
        Context { process: Some(self.process), timeout: self.timeout, created: None, values }
    }
}

impl Builder<'_> {
    pub(super) fn impossible(&self, case: &Case) -> bool {
        self.relation.terms.constant(case.guard) == Some(0)
    }

    /// Notes a fault, and goes on where there is none.
    pub(super) fn fails(&mut self, case: &mut Case, fault: TermId) {
        self.violation(Wrong::Fault, case.guard, fault);
        case.guard = self.and_not(case.guard, fault);
    }

    /// The value of an expression; faults are noted.
    pub(super) fn computed(
        &mut self,
        actor: Actor,
        case: &mut Case,
        expr: &Expr,
        created: Option<usize>,
    ) -> Result<TermId, Refusal> {
        let values = case.values.clone();
        let Computed { term, fault } = self.eval(Context { created, ..actor.context(&values) }, expr)?;
        self.fails(case, fault);
        Ok(term)
    }

    pub(super) fn store(&mut self, actor: Actor, case: &mut Case, place: &Place, value: TermId) -> Result<(), Refusal> {
        let values = case.values.clone();
        let (targets, fault) = self.targets(actor.context(&values), place)?;
        self.fails(case, fault);
        let kept = self.truncated(place.scalar, value);
        for (condition, cell) in targets {
            let Cell::Variable(variable) = cell else { unreachable!("what is written is a variable") };
            let old = self.now(&values, variable);
            let new = self.terms().ite(condition, kept, old);
            case.values.insert(variable, new);
        }
        Ok(())
    }

    /// Is a statement possible, rendezvous aside?
    pub(super) fn executable(&mut self, at: Context<'_>, kind: &ActionKind) -> Result<Computed, Refusal> {
        let (yes, no) = (self.terms().truth(true), self.terms().truth(false));
        Ok(match kind {
            ActionKind::Guard(e) => self.eval(at, e)?,
            ActionKind::Send(channel, ..) => {
                let (channels, fault) = self.named(at, channel)?;
                let mut any = no;
                for (named, k) in
                    channels.into_iter().filter(|&(_, k)| self.channels[k].len.is_some()).collect::<Vec<_>>()
                {
                    let capacity = self.channels[k].messages.len() as i64;
                    let len = self.len(at, k);
                    let full = self.terms().is(len, capacity);
                    let room = self.and_not(named, full);
                    any = self.or(any, room);
                }
                Computed { term: any, fault }
            }
            ActionKind::Receive { channel, random, copy, fields } => {
                let (channels, mut fault) = self.named(at, channel)?;
                if !*copy && self.channels.iter().all(|c| c.len.is_none()) {
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
                    let found = self.relation.terms.any(slots);
                    let found = self.and(named, found);
                    any = self.or(any, found);
                    let wrong = self.and(named, wrong);
                    fault = self.or(fault, wrong);
                }
                Computed { term: any, fault }
            }
            ActionKind::End => {
                let next = at.process.expect("a process ends") + 1;
                let waits = if next < self.slots.len() { self.alive(at.values, next) } else { no };
                Computed { term: self.terms().not(waits), fault: no }
            }
            ActionKind::DStep(sequence) if !sequence.guards.is_empty() => {
                let mut all = Computed { term: no, fault: no };
                for guard in &sequence.guards {
                    let one = self.executable(at, guard)?;
                    let wrong = self.and_not(one.fault, all.term);
                    all = Computed { fault: self.or(all.fault, wrong), term: self.or(all.term, one.term) };
                }
                all
            }
            ActionKind::Event { .. } => return refuse("an event trace cannot be translated to a relation"),
            _ => Computed { term: yes, fault: no },
        })
    }

    /// The ways in which a statement goes, a rendezvous aside.
    pub(super) fn perform(&mut self, actor: Actor, kind: &ActionKind, mut case: Case) -> Result<Vec<Case>, Refusal> {
        match kind {
            ActionKind::Skip | ActionKind::Else => Ok(vec![case]),
            ActionKind::Print(_, args) => {
                for arg in args {
                    self.computed(actor, &mut case, arg, None)?;
                }
                Ok(vec![case])
            }
            ActionKind::PrintSymbol(e, _) => {
                self.computed(actor, &mut case, e, None)?;
                Ok(vec![case])
            }
            ActionKind::Assert(e) => {
                let term = self.computed(actor, &mut case, e, None)?;
                let fails = self.terms().not(term);
                self.violation(Wrong::Assertion, case.guard, fails);
                Ok(vec![case])
            }
            ActionKind::Guard(e) => self.evaluating(actor, e, case, |me, case, term| {
                case.guard = me.and(case.guard, term);
                Ok(())
            }),
            ActionKind::Assign(place, e) => {
                self.evaluating(actor, e, case, |me, case, term| me.store(actor, case, place, term))
            }
            ActionKind::Send(channel, sorted, args) => self.send(actor, channel, *sorted, args, case),
            ActionKind::Receive { channel, random, copy, fields } => {
                self.receive(actor, channel, *random, *copy, fields, case)
            }
            ActionKind::DStep(sequence) => self.d_step(actor, sequence, case),
            ActionKind::End => {
                self.end(actor.process, &mut case);
                Ok(vec![case])
            }
            ActionKind::SetPriority(..) => refuse("process priorities cannot be translated to a relation"),
            ActionKind::Event { .. } => refuse("an event trace cannot be translated to a relation"),
        }
    }

    /// Evaluates an expression, which may create a process, and does something with its value.
    fn evaluating(
        &mut self,
        actor: Actor,
        expr: &Expr,
        mut case: Case,
        mut then: impl FnMut(&mut Self, &mut Case, TermId) -> Result<(), Refusal>,
    ) -> Result<Vec<Case>, Refusal> {
        let mut run = None;
        expr.walk(&mut |e| {
            if let Expr::Run(ty, args, _) = e {
                run = Some((*ty, args.clone()));
            }
        });
        let Some((ty, args)) = run else {
            let term = self.computed(actor, &mut case, expr, None)?;
            then(self, &mut case, term)?;
            return Ok(vec![case]);
        };
        let mut cases = Vec::new();
        for (mut case, created) in self.create(actor, ty, &args, case)? {
            if created.is_some() {
                let term = self.computed(actor, &mut case, expr, created)?;
                then(self, &mut case, term)?;
            }
            cases.push(case);
        }
        Ok(cases)
    }

    /// Creates a process under the first number that is free; without one that fits, what is beyond is noted.
    fn create(
        &mut self,
        actor: Actor,
        ty: ProcessTypeId,
        args: &[Expr],
        mut case: Case,
    ) -> Result<Vec<(Case, Option<usize>)>, Refusal> {
        let mut passed = Vec::new();
        for arg in args {
            passed.push(self.computed(actor, &mut case, arg, None)?);
        }
        let mut cases = Vec::new();
        let mut left = case.guard;
        for q in 0..self.slots.len() {
            let alive = self.alive(&case.values, q);
            let guard = self.and_not(left, alive);
            left = self.and(left, alive);
            if self.slots[q].ty == ty {
                let mut here = Case { guard, values: case.values.clone() };
                self.set_up(q, &passed, &mut here)?;
                cases.push((here, Some(q)));
            } else {
                cases.push((self.beyond(guard), None));
            }
        }
        cases.push((self.beyond(left), None));
        cases.retain(|(case, _)| !self.impossible(case));
        Ok(cases)
    }

    fn beyond(&mut self, guard: TermId) -> Case {
        let yes = self.terms().truth(true);
        Case { guard, values: Values::from([(self.beyond, yes)]) }
    }

    fn set_up(&mut self, q: usize, passed: &[TermId], case: &mut Case) -> Result<(), Refusal> {
        let model = self.model;
        let process = model.process_type(self.slots[q].ty);
        let new = Actor { process: q, timeout: false };
        let first = self.terms().value(i64::from(process.initial.0));
        case.values.insert(self.slots[q].location, first);
        for (place, &value) in process.params.iter().zip(passed) {
            self.store(new, case, place, value)?;
        }
        let mut channel = self.slots[q].channels.start;
        for step in &process.init {
            match step {
                Initial::Value(place, e) => {
                    let value = self.computed(new, case, e, None)?;
                    self.store(new, case, place, value)?;
                }
                Initial::Channel(made) => {
                    channel += 1;
                    let number = self.terms().value(channel as i64);
                    self.store(new, case, &made.place, number)?;
                }
            }
        }
        Ok(())
    }

    /// The process dies, and its channels with it.
    fn end(&mut self, p: usize, case: &mut Case) {
        let zero = self.terms().value(0);
        let slot = &self.slots[p];
        case.values.insert(slot.location, zero);
        let variable = |cell: &Cell| match cell {
            Cell::Variable(v) => Some(*v),
            Cell::Constant(_) => None,
        };
        case.values.extend(slot.locals.values().filter_map(variable).map(|v| (v, zero)));
        for channel in &self.channels[slot.channels.clone()] {
            let all = channel.len.iter().chain(channel.messages.iter().flatten());
            case.values.extend(all.map(|&v| (v, zero)));
        }
    }
}
