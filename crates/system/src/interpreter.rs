//! The interpreter: the reference for what a model does.
//!
//! The order of things is Spin's. Processes are tried from the youngest to the oldest, branches in the order of the
//! table. Within one process two rules look back at what was possible before: `else` is possible when nothing
//! before it was, and once a branch of an escape is possible, branches of other groups no longer are. A rendezvous
//! send is possible when another process can receive it, and then both are one [`Move`]. When no process can move,
//! all are tried once more with `timeout` true. Inside an atomic chain only its process is tried; when it cannot
//! move, it loses its exclusive control and all are tried.

use std::sync::Arc;

use lurcher_ir::{
    Action, ActionKind, Branch, Expr, Frame, Initial, Location, LocationId, Model, ProcessTypeId, ReceiveField,
};
use lurcher_syntax::Span;

use crate::branches;
use crate::channel;
use crate::d_step::opening_receive;
use crate::eval::{Context, kept, process};
use crate::fault::{Fault, Violation};
use crate::monitor::Event;
use crate::rendezvous;
use crate::state::{ChannelId, Layout, ProcessId, State};

/// Settings that change what a model does.
#[derive(Clone, Debug)]
pub struct Limits {
    /// A message sent to a full channel is lost, and the sender goes on.
    pub message_loss: bool,
    /// The most processes that may exist at once.
    pub processes: u16,
    /// A claim takes part; as in Spin, `_nr_pr` counts it.
    pub with_claim: bool,
}

impl Limits {
    /// Spin's limits: 255 processes, or as many as the model starts with; no message loss.
    pub fn for_model(model: &Model) -> Limits {
        let processes = model.initial_processes.len().clamp(255, 60_000) as u16;
        Limits { message_loss: false, processes, with_claim: false }
    }
}

/// Something that can happen next: a branch of a process, or a send together with the receive that answers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The process.
    pub process: ProcessId,
    /// Index of its branch.
    pub branch: u16,
    /// For a rendezvous: who receives, by which of its branches.
    pub partner: Option<(ProcessId, u16)>,
    /// It is possible only because nothing else is.
    pub timeout: bool,
}

impl Move {
    /// Steps in a trace: two for a rendezvous.
    pub fn length(&self) -> u32 {
        if self.partner.is_some() { 2 } else { 1 }
    }

    /// Steps in a trace that ends with this move and what it violates.
    pub fn length_with(&self, violation: Option<&Violation>) -> u32 {
        if violation.is_some_and(Violation::is_half) { 1 } else { self.length() }
    }
}

/// A move of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimStep {
    /// Branches taken, in order: more than one inside an atomic chain.
    pub branches: Vec<(LocationId, u16)>,
    /// Where it leads.
    pub target: LocationId,
    /// What the claim itself asserts and does not find.
    pub violation: Option<Violation>,
}

/// Runs a model.
#[derive(Clone, Debug)]
pub struct Interpreter<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layout: Layout,
    pub(crate) limits: Limits,
    /// By process type and location: does what one branch may do depend on the others?
    entangled: Arc<Vec<Vec<bool>>>,
    /// By process type and action: is it a receive from a channel, and which one among those of its process type? Equal
    /// expressions name the same channel at a location.
    sources: Arc<Vec<Vec<Option<u16>>>>,
    /// There are channels, and none has room for a message. Then, as in Spin, a receive that names no channel waits.
    only_rendezvous: bool,
    /// There are rendezvous, and who is asked to receive may see that the message is under way.
    pub(crate) halves_seen: bool,
}

impl<'m> Interpreter<'m> {
    /// An interpreter of a model.
    pub fn new(model: &'m Model, limits: Limits) -> Self {
        let entangled = Arc::new(model.process_types.iter().map(branches::entangled).collect());
        let sources = Arc::new(model.process_types.iter().map(branches::sources).collect());
        let only_rendezvous = !model.channel_types.is_empty() && model.channel_types.iter().all(|c| c.capacity == 0);
        let halves_seen = rendezvous::is_seen(model);
        Interpreter { model, layout: Layout::new(model), limits, entangled, sources, only_rendezvous, halves_seen }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The settings it runs under.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Where things are in its states.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The state in which every run starts.
    pub fn initial(&self) -> Result<State, Violation> {
        let mut state = State::empty(&self.layout);
        let at = |span| move |fault| Violation::Fault { fault, span, fatal: true, half: false };
        for step in &self.model.global_init {
            self.set_up(&mut state, Context::default(), step).map_err(at(Span::default()))?;
        }
        for &(ty, priority) in &self.model.initial_processes {
            let span = self.model.process_type(ty).span;
            let zeros = vec![0; self.model.process_type(ty).params.len()];
            self.create(&mut state, ty, &zeros, priority).map_err(at(span))?;
        }
        if let Some(id) = self.model.event_trace {
            let initial = self.model.process_type(id).initial;
            state.set_event(&self.layout, initial);
        }
        Ok(state)
    }

    fn set_up(&self, state: &mut State, context: Context, step: &Initial) -> Result<(), Fault> {
        match step {
            Initial::Value(place, value) => {
                let value = self.eval(state, context, value)?;
                self.store(state, context, place, value)
            }
            Initial::Channel(new) => {
                if state.channel_count() >= 0x7fff {
                    return Err(Fault::TooManyChannels);
                }
                let id = state.push_channel(&self.layout, new.channel);
                self.store(state, context, &new.place, i32::from(id.0) + 1)
            }
        }
    }

    fn store(&self, state: &mut State, context: Context, place: &lurcher_ir::Place, value: i32) -> Result<(), Fault> {
        if let Some(at) = self.address(state, context, place)? {
            state.set(at, place.scalar, value);
        }
        Ok(())
    }

    /// Creates a process, as `run` does.
    pub fn create(&self, state: &mut State, ty: ProcessTypeId, args: &[i32], priority: u8) -> Result<ProcessId, Fault> {
        if state.process_count() >= self.limits.processes {
            return Err(Fault::TooManyProcesses(self.limits.processes));
        }
        let process_type = self.model.process_type(ty);
        let id = state.push_process(&self.layout, ty, process_type.initial, priority);
        let context = Context::of(id, false);
        let locals = state.locals_at(&self.layout, id);
        for (place, &value) in process_type.params.iter().zip(args) {
            match &place.frame {
                Frame::Local if place.indices.is_empty() => {
                    state.set(locals + place.offset as usize, place.scalar, value);
                }
                _ => self.store(state, context, place, value)?,
            }
        }
        for step in &process_type.init {
            self.set_up(state, context, step)?;
        }
        Ok(id)
    }

    fn location(&self, state: &State, id: ProcessId) -> &'m Location {
        self.model.process_type(state.process_type(id)).location(state.location(id))
    }

    /// Does any process stand at a location that satisfies the test?
    pub fn any_location(&self, state: &State, test: impl Fn(&Location) -> bool) -> bool {
        (0..state.process_count()).any(|p| test(self.location(state, ProcessId(p))))
    }

    /// The action and branch of a process that a move takes.
    pub fn branch(&self, state: &State, id: ProcessId, branch: u16) -> (Branch, &'m Action) {
        let process_type = self.model.process_type(state.process_type(id));
        let branch = process_type.location(state.location(id)).branches[branch as usize];
        (branch, process_type.action(branch.action))
    }

    /// May every process rest where it stands for ever?
    pub fn is_valid_end(&self, state: &State) -> bool {
        !self.any_location(state, |l| !l.end) && self.trace_may_end(state)
    }

    /// The value of a property's expression in a state.
    pub fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        Ok(self.eval(state, Context::default(), expr)? != 0)
    }

    /// The value of an expression that a process evaluates in a state.
    pub fn holds_for(&self, state: &State, id: ProcessId, expr: &Expr) -> Result<bool, Fault> {
        Ok(self.eval(state, Context::of(id, false), expr)? != 0)
    }

    /// Collects what can happen next.
    pub fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        moves.clear();
        if let Some(id) = state.exclusive {
            self.process_moves(state, id, false, moves);
            if !moves.is_empty() {
                return;
            }
        }
        self.all_moves(state, false, moves);
        if moves.is_empty() {
            self.all_moves(state, true, moves);
        }
    }

    /// Collects what one process can do next without a timeout: nothing while another holds exclusive control.
    pub fn moves_of(&self, state: &State, id: ProcessId, moves: &mut Vec<Move>) {
        moves.clear();
        if state.exclusive.is_none_or(|holder| holder == id) {
            self.process_moves(state, id, false, moves);
        }
    }

    /// Takes exclusive control away from an atomic chain that cannot go on.
    pub fn settle(&self, state: &mut State) {
        if let Some(id) = state.exclusive {
            let mut moves = Vec::new();
            self.process_moves(state, id, false, &mut moves);
            if moves.is_empty() {
                state.exclusive = None;
            }
        }
    }

    /// Number of branches at the location of a process.
    pub fn branch_count(&self, state: &State, id: ProcessId) -> u16 {
        self.location(state, id).branches.len() as u16
    }

    /// Collects the moves that one branch of a process offers. The process must be one that may run.
    pub fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        moves.clear();
        let (ty, location) = (state.process_type(id), state.location(id));
        if self.entangled[ty.0 as usize][location.0 as usize] {
            self.branch_moves(state, id, timeout, moves);
            moves.retain(|m| m.branch == branch);
        } else {
            let (_, action) = self.branch(state, id, branch);
            self.offer(state, Context::of(id, timeout), id, branch, &action.kind, false, moves);
        }
    }

    fn all_moves(&self, state: &State, timeout: bool, moves: &mut Vec<Move>) {
        for p in (0..state.process_count()).rev() {
            self.process_moves(state, ProcessId(p), timeout, moves);
        }
    }

    /// May this process move at all, by its `provided` clause and its priority?
    pub fn may_run(&self, state: &State, id: ProcessId, timeout: bool) -> bool {
        self.is_provided(state, id) && self.has_priority(state, id, timeout)
    }

    fn has_priority(&self, state: &State, id: ProcessId, timeout: bool) -> bool {
        if !self.model.uses_priorities {
            return true;
        }
        let mine = state.priority(&self.layout, id);
        !(0..state.process_count()).map(ProcessId).any(|other| {
            other != id
                && state.priority(&self.layout, other) > mine
                && self.is_provided(state, other)
                && self.is_enabled(state, other, timeout)
        })
    }

    fn is_provided(&self, state: &State, id: ProcessId) -> bool {
        match &self.model.process_type(state.process_type(id)).provided {
            Some(e) => self.eval(state, Context::of(id, false), e).unwrap_or(1) != 0,
            None => true,
        }
    }

    /// Could this process take a branch, whatever its priority?
    pub fn is_enabled(&self, state: &State, id: ProcessId, timeout: bool) -> bool {
        let mut found = Vec::new();
        self.branch_moves(state, id, timeout, &mut found);
        !found.is_empty()
    }

    fn process_moves(&self, state: &State, id: ProcessId, timeout: bool, moves: &mut Vec<Move>) {
        if self.may_run(state, id, timeout) {
            self.branch_moves(state, id, timeout, moves);
        }
    }

    pub(crate) fn branch_moves(&self, state: &State, id: ProcessId, timeout: bool, moves: &mut Vec<Move>) {
        let ty = state.process_type(id);
        let (process_type, sources) = (self.model.process_type(ty), &self.sources[ty.0 as usize]);
        let context = Context::of(id, timeout);
        let first = moves.len();
        let mut escape = 0;
        // The channel of the receive before, where it was found empty: there is nothing in it for others either.
        let mut empty = None;
        for (index, branch) in process_type.location(state.location(id)).branches.iter().enumerate() {
            if escape > 0 && escape != branch.escape {
                break;
            }
            let source = sources[branch.action.0 as usize];
            if source.is_some() && source == empty {
                continue;
            }
            let before = moves.len();
            let moved = before > first;
            let kind = &process_type.action(branch.action).kind;
            let offered = self.offer(state, context, id, index as u16, kind, moved, moves);
            empty = source.filter(|_| offered == Offered::Empty);
            if moves.len() > before {
                escape = branch.escape;
            }
        }
    }

    /// Adds the moves that a branch offers; `moved` says whether a branch before it was possible. Says whether it is a
    /// receive from a channel without messages.
    #[expect(clippy::too_many_arguments, reason = "a branch and where it is tried")]
    pub(crate) fn offer(
        &self,
        state: &State,
        context: Context,
        id: ProcessId,
        branch: u16,
        kind: &ActionKind,
        moved: bool,
        moves: &mut Vec<Move>,
    ) -> Offered {
        let one = Move { process: id, branch, partner: None, timeout: context.timeout };
        match self.possible(state, context, kind, moved) {
            Possible::No => {}
            Possible::Empty => return Offered::Empty,
            Possible::Yes => moves.push(one),
            Possible::Rendezvous(channel, message) => {
                let half = self.halves_seen.then(|| self.half_done(state, &one, channel, &message));
                let seen = half.as_ref().unwrap_or(state);
                self.receivers(state, seen, &one, channel, &message, |partner| {
                    moves.push(Move { partner: Some(partner), ..one });
                });
            }
        }
        Offered::All
    }

    /// Is a branch possible? A fault while finding out makes it so: taking it reports the fault.
    fn possible(&self, state: &State, context: Context, kind: &ActionKind, moved: bool) -> Possible {
        let result = match kind {
            ActionKind::Else => Ok(Possible::of(!moved)),
            ActionKind::DStep(sequence) if matches!(sequence.guards.as_slice(), [ActionKind::Else]) => {
                Ok(Possible::of(!moved))
            }
            ActionKind::Send(c, _, args) => self.possible_send(state, context, c, args),
            ActionKind::Receive { channel, copy: false, random, fields } => {
                match self.channel(state, context, channel) {
                    // A rendezvous is offered by the sender.
                    Ok(id) if channel::channel_type(self.model, state, id).capacity == 0 => Ok(Possible::No),
                    Err(Fault::NoChannel | Fault::DeadChannel) if self.only_rendezvous => Ok(Possible::No),
                    Ok(id) if state.channel_len(id) == 0 => Ok(Possible::Empty),
                    Ok(id) => {
                        self.find_message(state, context, id, *random, fields).map(|slot| Possible::of(slot.is_some()))
                    }
                    Err(fault) => Err(fault),
                }
            }
            _ => self.executable(state, context, kind).map(Possible::of),
        };
        result.unwrap_or(Possible::Yes)
    }

    fn possible_send(&self, state: &State, context: Context, c: &Expr, args: &[Expr]) -> Result<Possible, Fault> {
        let id = self.channel(state, context, c)?;
        let ty = channel::channel_type(self.model, state, id);
        if ty.capacity > 0 {
            return Ok(Possible::of(self.limits.message_loss || !channel::is_full(self.model, state, id)));
        }
        let values = self.message(state, context, args)?;
        if values.len() != ty.fields.len() {
            return Err(Fault::FieldCount(values.len(), ty.fields.len()));
        }
        Ok(Possible::Rendezvous(id, kept(&values, &ty.fields)))
    }

    /// Finds who could receive a message on a rendezvous channel, by which branches. As in Spin, they are asked when the
    /// message has been sent: `seen` is the state then, or, where nobody could tell, the one before.
    fn receivers(
        &self,
        state: &State,
        seen: &State,
        send: &Move,
        channel: ChannelId,
        message: &[i32],
        mut found: impl FnMut((ProcessId, u16)),
    ) {
        for p in (0..state.process_count()).rev().map(ProcessId) {
            if p == send.process || !self.is_provided(seen, p) || !self.has_priority(state, p, send.timeout) {
                continue;
            }
            let context = Context::of(p, send.timeout);
            let process_type = self.model.process_type(state.process_type(p));
            let mut escape = 0;
            for (index, branch) in process_type.location(state.location(p)).branches.iter().enumerate() {
                if escape > 0 && escape != branch.escape {
                    break;
                }
                let kind = &process_type.action(branch.action).kind;
                let receive = match kind {
                    ActionKind::DStep(sequence) => opening_receive(sequence),
                    _ => Some(kind),
                };
                if receive.is_some_and(|r| self.accepts(seen, context, r, channel, message)) {
                    escape = branch.escape;
                    found((p, index as u16));
                }
            }
        }
    }

    /// Would a receive take this message from this rendezvous channel?
    fn accepts(&self, state: &State, context: Context, kind: &ActionKind, id: ChannelId, message: &[i32]) -> bool {
        let ActionKind::Receive { channel, copy: false, fields, .. } = kind else { return false };
        if self.channel(state, context, channel) != Ok(id) {
            return false;
        }
        fields.iter().enumerate().all(|(i, field)| match field {
            ReceiveField::Match(e) | ReceiveField::Eval(e) => {
                // A field that cannot be computed is met when the message is taken.
                self.eval(state, context, e).map_or(true, |v| message.get(i) == Some(&v))
            }
            ReceiveField::Store(_) | ReceiveField::Any => true,
        })
    }

    /// Takes a move. After a fatal violation the state is not to be used.
    pub fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        let choice = self.second_choice(state, step);
        let violation = self.take(state, step);
        if violation.as_ref().is_none_or(|v| !v.is_fatal()) {
            self.settle(state);
        }
        violation.or(choice)
    }

    fn take(&self, state: &mut State, step: &Move) -> Option<Violation> {
        let (branch, action) = self.branch(state, step.process, step.branch);
        state.exclusive = None;
        let Some((receiver, receiver_branch)) = step.partner else {
            let violation = self.execute(state, Context::of(step.process, step.timeout), &action.kind, action.span);
            state.set_last(&self.layout, step.process);
            if !matches!(action.kind, ActionKind::End) && violation.as_ref().is_none_or(|v| !v.is_fatal()) {
                state.set_location(step.process, branch.target);
                state.exclusive = branch.atomic.then_some(step.process);
            }
            return violation;
        };
        self.hand_over(state, step, receiver, receiver_branch)
    }

    /// A rendezvous: the send, then the receive.
    fn hand_over(
        &self,
        state: &mut State,
        step: &Move,
        receiver: ProcessId,
        receiver_branch: u16,
    ) -> Option<Violation> {
        let (branch, action) = self.branch(state, step.process, step.branch);
        let (answer, receive) = self.branch(state, receiver, receiver_branch);
        let context = Context::of(step.process, step.timeout);
        let mut sent = self.execute(state, context, &action.kind, action.span);
        if let Some(Violation::Fault { half, .. }) = &mut sent {
            *half = true;
        }
        if sent.as_ref().is_some_and(Violation::is_fatal) {
            return sent;
        }
        state.set_location(step.process, branch.target);
        state.set_last(&self.layout, step.process);
        let context = Context::of(receiver, step.timeout);
        let received = self.execute(state, context, &receive.kind, receive.span);
        state.set_last(&self.layout, receiver);
        if received.as_ref().is_none_or(|v| !v.is_fatal()) {
            state.set_location(receiver, answer.target);
            state.exclusive = answer.atomic.then_some(receiver);
        }
        sent.or(received)
    }

    /// Executes a statement that is possible.
    pub(crate) fn execute(
        &self,
        state: &mut State,
        context: Context,
        kind: &ActionKind,
        span: Span,
    ) -> Option<Violation> {
        let done = match kind {
            ActionKind::Skip | ActionKind::Else | ActionKind::Event { .. } => Ok(()),
            ActionKind::Guard(e) => self.eval_creating(state, context, e).map(|_| ()),
            ActionKind::Assign(place, e) => {
                self.eval_creating(state, context, e).and_then(|value| self.store(state, context, place, value))
            }
            ActionKind::Assert(e) => match self.eval(state, context, e) {
                Ok(0) => return Some(Violation::Assertion(span)),
                Ok(_) => Ok(()),
                Err(fault) => Err(fault),
            },
            ActionKind::Print(_, args) => args.iter().try_for_each(|a| self.eval(state, context, a).map(|_| ())),
            ActionKind::PrintSymbol(e, _) => self.eval(state, context, e).map(|_| ()),
            ActionKind::Send(c, sorted, args) => return self.send(state, context, c, *sorted, args, span),
            ActionKind::Receive { channel, random, copy, fields } => {
                return self.receive(state, context, channel, *random, *copy, fields, span);
            }
            ActionKind::SetPriority(p, n) => self.set_priority(state, context, p, n),
            ActionKind::DStep(sequence) => return self.run_d_step(state, context, sequence, span),
            ActionKind::End => {
                state.pop_process();
                Ok(())
            }
        };
        done.err().map(|fault| Violation::Fault { fault, span, fatal: true, half: false })
    }

    /// The value of an expression, creating the process that a `run` in it asks for.
    fn eval_creating(&self, state: &mut State, context: Context, expr: &Expr) -> Result<i32, Fault> {
        let mut run = None;
        expr.walk(&mut |e| {
            if let Expr::Run(ty, args, priority) = e {
                run = Some((*ty, args.clone(), *priority));
            }
        });
        let mut context = context;
        if let Some((ty, args, priority)) = run {
            let values = self.message(state, context, &args)?;
            context.created = Some(self.create(state, ty, &values, priority)?);
        }
        self.eval(state, context, expr)
    }

    fn send(
        &self,
        state: &mut State,
        context: Context,
        c: &Expr,
        sorted: bool,
        args: &[Expr],
        span: Span,
    ) -> Option<Violation> {
        let prepared = self.channel(state, context, c).and_then(|id| Ok((id, self.message(state, context, args)?)));
        let (id, values) = match prepared {
            Ok(prepared) => prepared,
            Err(fault) => return Some(Violation::Fault { fault, span, fatal: true, half: false }),
        };
        if channel::is_full(self.model, state, id) {
            return None; // the message is lost
        }
        channel::insert(self.model, state, id, &values, sorted);
        let carried = &channel::channel_type(self.model, state, id).fields;
        let seen = match self.model.event_trace {
            Some(_) => self.observe(state, &Event { send: true, channel: id, values: &kept(&values, carried) }),
            None => Ok(()),
        };
        let counted =
            if values.len() == carried.len() { Ok(()) } else { Err(Fault::FieldCount(values.len(), carried.len())) };
        // Without a receiver at the other end there is no state after a wrong rendezvous.
        let fatal = counted.is_err() && channel::channel_type(self.model, state, id).capacity == 0;
        counted.and(seen).err().map(|fault| Violation::Fault { fault, span, fatal, half: false })
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a receive statement")]
    fn receive(
        &self,
        state: &mut State,
        context: Context,
        c: &Expr,
        random: bool,
        copy: bool,
        fields: &[ReceiveField],
        span: Span,
    ) -> Option<Violation> {
        let fatal = |fault| Some(Violation::Fault { fault, span, fatal: true, half: false });
        let found = self.channel(state, context, c).and_then(|id| {
            let slot = self.find_message(state, context, id, random, fields)?;
            Ok((id, slot.ok_or(Fault::BlockedInDStep)?))
        });
        let (id, slot) = match found {
            Ok(found) => found,
            Err(fault) => return fatal(fault),
        };
        let carried = channel::channel_type(self.model, state, id).fields.len();
        if fields.len() > carried {
            return fatal(Fault::FieldCount(fields.len(), carried));
        }
        for (i, field) in fields.iter().enumerate() {
            if let ReceiveField::Store(place) = field {
                let value = channel::field(self.model, state, id, slot, i);
                if let Err(fault) = self.store(state, context, place, value) {
                    return fatal(fault);
                }
            }
        }
        if copy {
            return None;
        }
        let seen = self.model.event_trace.map_or(Ok(()), |_| {
            let values: Vec<i32> = (0..carried).map(|i| channel::field(self.model, state, id, slot, i)).collect();
            self.observe(state, &Event { send: false, channel: id, values: &values })
        });
        channel::remove(self.model, state, id, slot);
        let counted = if fields.len() == carried { Ok(()) } else { Err(Fault::FieldCount(fields.len(), carried)) };
        counted.and(seen).err().map(|fault| Violation::Fault { fault, span, fatal: false, half: false })
    }

    fn set_priority(&self, state: &mut State, context: Context, p: &Expr, n: &Expr) -> Result<(), Fault> {
        let (number, priority) = (self.eval(state, context, p)?, self.eval(state, context, n)?);
        let Some(id) = process(state, number) else { return Ok(()) };
        match u8::try_from(priority) {
            Ok(value) if value > 0 => {
                state.set_priority(&self.layout, id, value);
                Ok(())
            }
            _ => Err(Fault::BadPriority(priority)),
        }
    }
}

/// What a branch was found to offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offered {
    /// What was added to the moves.
    All,
    /// Nothing: it is a receive from a channel that has no messages.
    Empty,
}

/// Whether a branch can be taken.
enum Possible {
    No,
    /// A receive from a channel that has room for messages, and none.
    Empty,
    Yes,
    Rendezvous(ChannelId, Vec<i32>),
}

impl Possible {
    fn of(yes: bool) -> Possible {
        if yes { Possible::Yes } else { Possible::No }
    }
}
