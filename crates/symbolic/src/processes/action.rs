//! Statements: when they are possible, and what they change.

use lurcher_ir::relation::{BinaryTerm, TermId};
use lurcher_ir::{ActionKind, DStep, DStepNode, Expr, Initial, Place, ProcessTypeId, ReceiveField};

use super::expr::Computed;
use super::{Builder, Case, Context, Refusal, Values, refuse};

/// Nodes of a `d_step` that are gone through, over all its ways.
const D_STEP_NODES: usize = 4000;

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
    fn impossible(&self, case: &Case) -> bool {
        self.relation.terms.constant(case.guard) == Some(0)
    }

    /// Notes a fault, and goes on where there is none.
    fn fails(&mut self, what: &'static str, case: &mut Case, fault: TermId) {
        self.violation(what, case.guard, fault);
        case.guard = self.and_not(case.guard, fault);
    }

    /// The value of an expression; faults are noted.
    fn computed(
        &mut self,
        actor: Actor,
        case: &mut Case,
        expr: &Expr,
        created: Option<usize>,
    ) -> Result<TermId, Refusal> {
        let values = case.values.clone();
        let Computed { term, fault } = self.eval(Context { created, ..actor.context(&values) }, expr)?;
        self.fails("a fault", case, fault);
        Ok(term)
    }

    pub(super) fn store(&mut self, actor: Actor, case: &mut Case, place: &Place, value: TermId) -> Result<(), Refusal> {
        let values = case.values.clone();
        let (targets, fault) = self.targets(actor.context(&values), place)?;
        self.fails("a fault", case, fault);
        let kept = self.truncated(place.scalar, value);
        for (condition, variable) in targets {
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
                self.violation("an assertion", case.guard, fails);
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
        case.values.extend(slot.locals.values().map(|&v| (v, zero)));
        for channel in &self.channels[slot.channels.clone()] {
            let all = channel.len.iter().chain(channel.messages.iter().flatten());
            case.values.extend(all.map(|&v| (v, zero)));
        }
    }

    fn send(
        &mut self,
        actor: Actor,
        channel: &Expr,
        sorted: bool,
        args: &[Expr],
        mut case: Case,
    ) -> Result<Vec<Case>, Refusal> {
        let values = case.values.clone();
        let (channels, fault) = self.named(actor.context(&values), channel)?;
        self.fails("a fault", &mut case, fault);
        let mut sent = Vec::new();
        for arg in args {
            sent.push(self.computed(actor, &mut case, arg, None)?);
        }
        let mut cases = Vec::new();
        for (named, k) in channels {
            let mut here = Case { guard: self.and(case.guard, named), values: case.values.clone() };
            let Some(len) = self.channels[k].len else { continue };
            let fields = self.model.channel_type(self.channels[k].ty).fields.clone();
            if fields.len() != sent.len() {
                let yes = self.terms().truth(true);
                self.fails("a wrong number of message fields", &mut here, yes);
                continue;
            }
            let messages = self.channels[k].messages.clone();
            let length = self.now(&here.values, len);
            let full = self.terms().is(length, messages.len() as i64);
            here.guard = self.and_not(here.guard, full);
            let one = self.terms().value(1);
            let longer = self.terms().binary(BinaryTerm::Add, length, one);
            let mut before = self.terms().truth(false);
            // The message goes to the end, or in front of the first that is greater.
            for slot in 0..messages.len() {
                let at_end = self.terms().is(length, slot as i64);
                let greater =
                    if sorted { self.less(&here.values, &sent, &messages[slot], slot, length) } else { at_end };
                let place = self.or(at_end, greater);
                let first = self.and_not(place, before);
                before = self.or(before, place);
                let mut put = Case { guard: self.and(here.guard, first), values: here.values.clone() };
                for behind in (slot + 1..messages.len()).filter(|_| sorted) {
                    for i in 0..fields.len() {
                        let moved = self.now(&here.values, messages[behind - 1][i]);
                        put.values.insert(messages[behind][i], moved);
                    }
                }
                for (i, &field) in fields.iter().enumerate() {
                    let kept = self.truncated(field, sent[i]);
                    put.values.insert(messages[slot][i], kept);
                }
                put.values.insert(len, longer);
                cases.push(put);
            }
        }
        cases.retain(|case| !self.impossible(case));
        Ok(cases)
    }

    /// Does a message sort in front of the one in a slot that is in use?
    fn less(
        &mut self,
        values: &Values,
        sent: &[TermId],
        held: &[lurcher_ir::relation::VariableId],
        slot: usize,
        length: TermId,
    ) -> TermId {
        let mut less = self.terms().truth(false);
        for (new, &old) in sent.iter().zip(held).rev() {
            let old = self.now(values, old);
            let same = self.terms().binary(BinaryTerm::Eq, *new, old);
            let smaller = self.terms().binary(BinaryTerm::Lt, *new, old);
            let rest = self.and(same, less);
            less = self.or(smaller, rest);
        }
        let slot = self.terms().value(slot as i64);
        let used = self.terms().binary(BinaryTerm::Lt, slot, length);
        self.and(used, less)
    }

    fn receive(
        &mut self,
        actor: Actor,
        channel: &Expr,
        random: bool,
        copy: bool,
        fields: &[ReceiveField],
        mut case: Case,
    ) -> Result<Vec<Case>, Refusal> {
        let values = case.values.clone();
        let (channels, fault) = self.named(actor.context(&values), channel)?;
        self.fails("a fault", &mut case, fault);
        let mut cases = Vec::new();
        for (named, k) in channels {
            let Some(len) = self.channels[k].len else { continue };
            let mut here = Case { guard: self.and(case.guard, named), values: case.values.clone() };
            let (slots, fault) = self.matching(actor.context(&values), k, random, fields)?;
            self.fails("a fault", &mut here, fault);
            let messages = self.channels[k].messages.clone();
            for (slot, found) in slots.into_iter().enumerate() {
                let mut taken = Case { guard: self.and(here.guard, found), values: here.values.clone() };
                if fields.len() != messages[slot].len() {
                    let yes = self.terms().truth(true);
                    self.fails("a wrong number of message fields", &mut taken, yes);
                    continue;
                }
                let held: Vec<TermId> = messages[slot].iter().map(|&v| self.now(&values, v)).collect();
                self.take_fields(actor, fields, &held, &mut taken)?;
                if !copy {
                    for behind in slot..messages.len() {
                        for i in 0..held.len() {
                            let moved = match messages.get(behind + 1) {
                                Some(next) => self.now(&values, next[i]),
                                None => self.terms().value(0),
                            };
                            taken.values.insert(messages[behind][i], moved);
                        }
                    }
                    let (length, one) = (self.now(&values, len), self.terms().value(1));
                    let shorter = self.terms().binary(BinaryTerm::Sub, length, one);
                    taken.values.insert(len, shorter);
                }
                cases.push(taken);
            }
        }
        cases.retain(|case| !self.impossible(case));
        Ok(cases)
    }

    /// Stores the fields of a message.
    pub(super) fn take_fields(
        &mut self,
        actor: Actor,
        fields: &[ReceiveField],
        message: &[TermId],
        case: &mut Case,
    ) -> Result<(), Refusal> {
        for (field, &value) in fields.iter().zip(message) {
            if let ReceiveField::Store(place) = field {
                self.store(actor, case, place, value)?;
            }
        }
        Ok(())
    }

    /// All ways through a deterministic sequence.
    fn d_step(&mut self, actor: Actor, sequence: &DStep, case: Case) -> Result<Vec<Case>, Refusal> {
        let mut done = Vec::new();
        let mut open = vec![(0, case)];
        let mut visited = 0;
        while let Some((at, mut case)) = open.pop() {
            visited += 1;
            if visited > D_STEP_NODES {
                return refuse("a `d_step` with a loop that does not end by itself cannot be translated to a relation");
            }
            match &sequence.nodes[at as usize] {
                DStepNode::Exit => done.push(case),
                DStepNode::Goto(next) => open.push((*next, case)),
                DStepNode::Choose(options, _) => {
                    for &option in options {
                        let mut taken = case.clone();
                        if let DStepNode::Do(kind, ..) = &sequence.nodes[option as usize] {
                            let values = case.values.clone();
                            let possible = self.executable(actor.context(&values), kind)?;
                            self.fails("a fault", &mut case, possible.fault);
                            taken.guard = self.and(case.guard, possible.term);
                            case.guard = self.and_not(case.guard, possible.term);
                        } else {
                            case.guard = self.terms().truth(false);
                        }
                        if !self.impossible(&taken) {
                            open.push((option, taken));
                        }
                    }
                    let yes = self.terms().truth(true);
                    self.violation("a block inside a d_step", case.guard, yes);
                }
                DStepNode::Do(kind, _, next) => {
                    let values = case.values.clone();
                    let possible = self.executable(actor.context(&values), kind)?;
                    self.fails("a fault", &mut case, possible.fault);
                    let blocked = self.terms().not(possible.term);
                    self.fails("a block inside a d_step", &mut case, blocked);
                    for on in self.perform(actor, kind, case)? {
                        if !self.impossible(&on) {
                            open.push((*next, on));
                        }
                    }
                }
            }
        }
        Ok(done)
    }
}
