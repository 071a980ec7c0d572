//! The interpreter: the reference semantics of a process model.
//!
//! The order of evaluation is Spin's. Processes are tried from the youngest to the oldest, branches in the order of the
//! table. Two rules depend on earlier branches: `else` is enabled if none of them is, and an enabled branch of an escape
//! disables the branches of other groups. A rendezvous send is enabled if another process can receive it; both are one
//! [`Move`]. If no process can move, all are tried again with `timeout` true. In an atomic chain only its process is tried;
//! if it is blocked, it loses exclusive control and all are tried.

use std::sync::Arc;

use lurcher_ir::{
    Action, ActionKind, Branch, Expr, Frame, Initial, Location, LocationId, Model, ProcessTypeId, ReceiveField,
};
use lurcher_syntax::Span;

use crate::branches;
use crate::channel;
use crate::eval::{Context, process, stored};
use crate::fault::{Fault, Violation};
use crate::monitor::Event;
use crate::rendezvous;
use crate::state::{ChannelId, Layout, ProcessId, State};

/// Settings of an execution.
#[derive(Clone, Debug)]
pub struct Limits {
    /// A send to a full channel loses the message instead of blocking.
    pub message_loss: bool,
    /// The most processes that exist at once.
    pub processes: u16,
    /// There is a claim; as in Spin, `_nr_pr` counts it.
    pub with_claim: bool,
}

impl Limits {
    /// Spin's limits: 255 processes, or as many as there are initially; no message loss.
    pub fn for_model(model: &Model) -> Limits {
        let processes = model.initial_processes.len().clamp(255, 60_000) as u16;
        Limits { message_loss: false, processes, with_claim: false }
    }
}

/// A move: a branch of a process, or the send and the receive of a rendezvous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The process.
    pub process: ProcessId,
    /// The index of its branch.
    pub branch: u16,
    /// For a rendezvous: the receiver and its branch.
    pub partner: Option<(ProcessId, u16)>,
    /// It is enabled by `timeout`.
    pub timeout: bool,
}

impl Move {
    /// The number of steps in a trace: two for a rendezvous.
    pub fn length(&self) -> u32 {
        if self.partner.is_some() { 2 } else { 1 }
    }

    /// The processes that take part in it.
    pub fn processes(&self) -> impl Iterator<Item = ProcessId> + use<> {
        std::iter::once(self.process).chain(self.partner.map(|(p, _)| p))
    }

    /// The number of steps in a trace that ends with this move and its violation.
    pub fn length_with(&self, violation: Option<&Violation>) -> u32 {
        if violation.is_some_and(Violation::is_half) { 1 } else { self.length() }
    }
}

/// A step of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimStep {
    /// The executed branches: several in an atomic chain.
    pub branches: Vec<(LocationId, u16)>,
    /// The next location.
    pub target: LocationId,
    /// A failed assertion of the claim itself.
    pub violation: Option<Violation>,
}

/// Runs a model.
#[derive(Clone, Debug)]
pub struct Interpreter<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layout: Layout,
    pub(crate) limits: Limits,
    /// By process type and location: whether a branch depends on the branches before it.
    order_dependent: Arc<Vec<Vec<bool>>>,
    /// By process type and action: the number of the channel expression of a receive.
    received_channels: Arc<Vec<Vec<Option<u16>>>>,
    /// All channels are rendezvous channels. Then, as in Spin, a receive from no channel blocks instead of faulting.
    only_rendezvous: bool,
    /// A receiver of a rendezvous may observe the intermediate state.
    pub(crate) observable_sends: bool,
}

impl<'m> Interpreter<'m> {
    /// An interpreter of a model.
    pub fn new(model: &'m Model, limits: Limits) -> Self {
        let order_dependent = Arc::new(model.process_types.iter().map(branches::order_dependent).collect());
        let received_channels = Arc::new(model.process_types.iter().map(branches::received_channels).collect());
        let only_rendezvous = model.has_only_rendezvous();
        let observable_sends = rendezvous::is_observable(model);
        Interpreter {
            model,
            layout: Layout::new(model),
            limits,
            order_dependent,
            received_channels,
            only_rendezvous,
            observable_sends,
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The settings.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The layout of its states.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The initial state.
    pub fn initial(&self) -> Result<State, Violation> {
        let mut state = State::empty(&self.layout);
        let at = |span| move |fault| Violation::fatal(fault, span);
        for step in &self.model.global_init {
            self.initialise(&mut state, Context::default(), step).map_err(at(Span::default()))?;
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

    fn initialise(&self, state: &mut State, context: Context, step: &Initial) -> Result<(), Fault> {
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
            self.initialise(state, context, step)?;
        }
        Ok(id)
    }

    fn location(&self, state: &State, id: ProcessId) -> &'m Location {
        self.model.process_type(state.process_type(id)).location(state.location(id))
    }

    /// Whether any process is at a location that satisfies the test.
    pub fn any_location(&self, state: &State, test: impl Fn(&Location) -> bool) -> bool {
        (0..state.process_count()).any(|p| test(self.location(state, ProcessId(p))))
    }

    /// A branch of the current location of a process, and its action.
    pub fn branch(&self, state: &State, id: ProcessId, branch: u16) -> (Branch, &'m Action) {
        let process_type = self.model.process_type(state.process_type(id));
        let branch = process_type.location(state.location(id)).branches[branch as usize];
        (branch, process_type.action(branch.action))
    }

    /// Whether every process is at a valid end.
    pub fn is_valid_end(&self, state: &State) -> bool {
        !self.any_location(state, |l| !l.end) && self.trace_may_end(state)
    }

    /// The truth of an expression of a property.
    pub fn holds(&self, state: &State, expr: &Expr) -> Result<bool, Fault> {
        Ok(self.eval(state, Context::default(), expr)? != 0)
    }

    /// The truth of an expression that a process evaluates.
    pub fn holds_for(&self, state: &State, id: ProcessId, expr: &Expr) -> Result<bool, Fault> {
        Ok(self.eval(state, Context::of(id, false), expr)? != 0)
    }

    /// Collects the enabled moves.
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

    /// Collects the enabled moves of one process, except timeouts; none while another has exclusive control.
    pub fn moves_of(&self, state: &State, id: ProcessId, moves: &mut Vec<Move>) {
        moves.clear();
        if state.exclusive.is_none_or(|holder| holder == id) {
            self.process_moves(state, id, false, moves);
        }
    }

    /// Ends exclusive control of a process that is blocked.
    fn release_control(&self, state: &mut State) {
        if let Some(id) = state.exclusive {
            let mut moves = Vec::new();
            self.process_moves(state, id, false, &mut moves);
            if moves.is_empty() {
                state.exclusive = None;
            }
        }
    }

    /// The number of branches at the location of a process.
    pub fn branch_count(&self, state: &State, id: ProcessId) -> u16 {
        self.location(state, id).branches.len() as u16
    }

    /// Collects the enabled moves by one branch of a process that may run.
    pub fn moves_by_branch(&self, state: &State, id: ProcessId, branch: u16, timeout: bool, moves: &mut Vec<Move>) {
        moves.clear();
        let (ty, location) = (state.process_type(id), state.location(id));
        if self.order_dependent[ty.0 as usize][location.0 as usize] {
            self.branch_moves(state, id, Context::of(id, timeout), moves);
            moves.retain(|m| m.branch == branch);
        } else {
            let (_, action) = self.branch(state, id, branch);
            self.add_moves(state, Context::of(id, timeout), id, branch, &action.kind, false, moves);
        }
    }

    fn all_moves(&self, state: &State, timeout: bool, moves: &mut Vec<Move>) {
        for p in (0..state.process_count()).rev() {
            self.process_moves(state, ProcessId(p), timeout, moves);
        }
    }

    /// Whether the `provided` clause and the priority of a process let it run.
    pub fn may_run(&self, state: &State, id: ProcessId, timeout: bool) -> bool {
        self.is_provided(state, Context::of(id, timeout)) && self.has_priority(state, id, timeout)
    }

    fn has_priority(&self, state: &State, id: ProcessId, timeout: bool) -> bool {
        if !self.model.uses_priorities {
            return true;
        }
        let mine = state.priority(&self.layout, id);
        !(0..state.process_count()).map(ProcessId).any(|other| {
            other != id
                && state.priority(&self.layout, other) > mine
                && self.is_provided(state, Context::of(other, timeout))
                && self.is_enabled(state, other, timeout)
        })
    }

    /// Whether the `provided` clause of the context's process is true. `timeout` is false in it.
    fn is_provided(&self, state: &State, context: Context) -> bool {
        let Some(id) = context.process else { return true };
        match &self.model.process_type(state.process_type(id)).provided {
            Some(e) => self.eval(state, Context { timeout: false, ..context }, e).unwrap_or(1) != 0,
            None => true,
        }
    }

    /// Whether a process has an enabled branch, ignoring priorities.
    pub fn is_enabled(&self, state: &State, id: ProcessId, timeout: bool) -> bool {
        self.has_branch(state, id, Context::of(id, timeout))
    }

    /// The same in a context.
    pub(crate) fn has_branch(&self, state: &State, id: ProcessId, context: Context) -> bool {
        let mut found = Vec::new();
        self.branch_moves(state, id, context, &mut found);
        !found.is_empty()
    }

    fn process_moves(&self, state: &State, id: ProcessId, timeout: bool, moves: &mut Vec<Move>) {
        if self.may_run(state, id, timeout) {
            self.branch_moves(state, id, Context::of(id, timeout), moves);
        }
    }

    pub(crate) fn branch_moves(&self, state: &State, id: ProcessId, context: Context, moves: &mut Vec<Move>) {
        let ty = state.process_type(id);
        let (process_type, received_channels) = (self.model.process_type(ty), &self.received_channels[ty.0 as usize]);
        let first = moves.len();
        let mut escape = 0;
        // The channel of the previous receive, if it is empty: further receives from it are disabled.
        let mut empty = None;
        for (index, branch) in process_type.location(state.location(id)).branches.iter().enumerate() {
            if escape > 0 && escape != branch.escape {
                break;
            }
            let source = received_channels[branch.action.0 as usize];
            if source.is_some() && source == empty {
                continue;
            }
            let before = moves.len();
            let moved = before > first;
            let kind = &process_type.action(branch.action).kind;
            let is_empty = self.add_moves(state, context, id, index as u16, kind, moved, moves);
            empty = source.filter(|_| is_empty);
            if moves.len() > before {
                escape = branch.escape;
            }
        }
    }

    /// Adds the moves by a branch; `moved` if an earlier branch is enabled. Returns whether the branch is a
    /// receive from an empty channel.
    #[expect(clippy::too_many_arguments, reason = "a branch and its context")]
    pub(crate) fn add_moves(
        &self,
        state: &State,
        context: Context,
        id: ProcessId,
        branch: u16,
        kind: &ActionKind,
        moved: bool,
        moves: &mut Vec<Move>,
    ) -> bool {
        let one = Move { process: id, branch, partner: None, timeout: context.timeout };
        match self.enabled(state, context, kind, moved) {
            Enabled::No => {}
            Enabled::Empty => return true,
            Enabled::Yes => moves.push(one),
            Enabled::Rendezvous(channel, message) => {
                let after_send = self.observable_sends.then(|| self.after_send(state, &one, channel, &message));
                let observed = after_send.as_ref().unwrap_or(state);
                self.receivers(state, observed, context, channel, &message, |partner| {
                    moves.push(Move { partner: Some(partner), ..one });
                });
            }
        }
        false
    }

    /// Whether a branch is enabled. A fault in the evaluation enables it: its execution reports the fault.
    fn enabled(&self, state: &State, context: Context, kind: &ActionKind, moved: bool) -> Enabled {
        let result = match kind {
            kind if kind.is_else() => Ok(Enabled::from(!moved)),
            ActionKind::Send(c, _, args) => self.enabled_send(state, context, c, args),
            ActionKind::Receive { channel, copy: false, random, fields } => {
                match self.channel(state, context, channel) {
                    // A rendezvous is a move of the sender.
                    Ok(id) if channel::channel_type(self.model, state, id).capacity == 0 => Ok(Enabled::No),
                    Err(Fault::NoChannel | Fault::DeadChannel) if self.only_rendezvous => Ok(Enabled::No),
                    Ok(id) if state.channel_len(id) == 0 => Ok(Enabled::Empty),
                    Ok(id) => {
                        self.find_message(state, context, id, *random, fields).map(|slot| Enabled::from(slot.is_some()))
                    }
                    Err(fault) => Err(fault),
                }
            }
            _ => self.executable(state, context, kind).map(Enabled::from),
        };
        result.unwrap_or(Enabled::Yes)
    }

    fn enabled_send(&self, state: &State, context: Context, c: &Expr, args: &[Expr]) -> Result<Enabled, Fault> {
        let id = self.channel(state, context, c)?;
        let ty = channel::channel_type(self.model, state, id);
        if ty.capacity > 0 {
            return Ok(Enabled::from(self.limits.message_loss || !channel::is_full(self.model, state, id)));
        }
        let values = self.message(state, context, args)?;
        field_count(values.len(), ty.fields.len())?;
        Ok(Enabled::Rendezvous(id, stored(&values, &ty.fields)))
    }

    /// Finds the processes and branches that receive a message from a rendezvous channel, whatever their priority. As in
    /// Spin, they are evaluated after the send: `observed` is that state, or the one before if the difference is not
    /// observable.
    fn receivers(
        &self,
        state: &State,
        observed: &State,
        sender: Context,
        channel: ChannelId,
        message: &[i32],
        mut found: impl FnMut((ProcessId, u16)),
    ) {
        for p in (0..state.process_count()).rev().map(ProcessId) {
            let context = Context { process: Some(p), ..sender };
            if sender.process == Some(p) || !self.is_provided(observed, context) {
                continue;
            }
            let process_type = self.model.process_type(state.process_type(p));
            let mut escape = 0;
            for (index, branch) in process_type.location(state.location(p)).branches.iter().enumerate() {
                if escape > 0 && escape != branch.escape {
                    break;
                }
                let receive = process_type.action(branch.action).kind.rendezvous_receive();
                if receive.is_some_and(|receive| self.accepts(observed, context, receive, channel, message)) {
                    escape = branch.escape;
                    found((p, index as u16));
                }
            }
        }
    }

    /// Whether a receive accepts a message from a rendezvous channel.
    fn accepts(
        &self,
        state: &State,
        context: Context,
        (channel, fields): (&Expr, &[ReceiveField]),
        id: ChannelId,
        message: &[i32],
    ) -> bool {
        if self.channel(state, context, channel) != Ok(id) {
            return false;
        }
        // A field that faults is reported by the execution.
        let fits = |i: usize, e: &Expr| self.eval(state, context, e).map_or(true, |v| message.get(i) == Some(&v));
        fields.iter().enumerate().all(|(i, field)| field.pattern().is_none_or(|e| fits(i, e)))
    }

    /// Executes a move. After a fatal violation the state is undefined.
    pub fn apply(&self, state: &mut State, step: &Move) -> Option<Violation> {
        let choice = self.nondeterminism(state, step);
        let violation = self.execute_move(state, step);
        if violation.as_ref().is_none_or(|v| !v.is_fatal()) {
            self.release_control(state);
        }
        violation.or(choice)
    }

    fn execute_move(&self, state: &mut State, step: &Move) -> Option<Violation> {
        let mut violation = self.execute_branch(state, step.process, step.branch, step.timeout);
        let Some((receiver, branch)) = step.partner else { return violation };
        if let Some(Violation::Fault { half, .. }) = &mut violation {
            *half = true;
        }
        if violation.as_ref().is_some_and(Violation::is_fatal) {
            return violation;
        }
        let received = self.execute_branch(state, receiver, branch, step.timeout);
        violation.or(received)
    }

    fn execute_branch(&self, state: &mut State, id: ProcessId, branch: u16, timeout: bool) -> Option<Violation> {
        let (branch, action) = self.branch(state, id, branch);
        state.exclusive = None;
        let violation = self.execute(state, Context::of(id, timeout), &action.kind, action.span);
        state.set_last(&self.layout, id);
        if !matches!(action.kind, ActionKind::End) && violation.as_ref().is_none_or(|v| !v.is_fatal()) {
            state.set_location(id, branch.target);
            state.exclusive = branch.atomic.then_some(id);
        }
        violation
    }

    /// Executes an enabled statement.
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
                value => value.map(|_| ()),
            },
            ActionKind::Print(_, args) => args.iter().try_for_each(|a| self.eval(state, context, a).map(|_| ())),
            ActionKind::PrintSymbol(e, _) => self.eval(state, context, e).map(|_| ()),
            ActionKind::Send(c, sorted, args) => return self.send(state, context, (c, *sorted, args), span).err(),
            ActionKind::Receive { channel, random, copy, fields } => {
                return self.receive(state, context, (channel, *random, *copy, fields), span).err();
            }
            ActionKind::SetPriority(p, n) => self.set_priority(state, context, p, n),
            ActionKind::DStep(sequence) => return self.run_d_step(state, context, sequence, span),
            ActionKind::End => {
                state.pop_process();
                Ok(())
            }
        };
        done.err().map(|fault| Violation::fatal(fault, span))
    }

    /// The value of an expression, after creating the process of a `run` in it.
    fn eval_creating(&self, state: &mut State, context: Context, expr: &Expr) -> Result<i32, Fault> {
        let mut context = context;
        if let Some((ty, args, priority)) = expr.created() {
            let values = self.message(state, context, args)?;
            context.created = Some(self.create(state, ty, &values, priority)?);
        }
        self.eval(state, context, expr)
    }

    /// Executes a send: channel, in sorted position, arguments.
    fn send(
        &self,
        state: &mut State,
        context: Context,
        (c, sorted, args): (&Expr, bool, &[Expr]),
        span: Span,
    ) -> Result<(), Violation> {
        let fatal = |fault| Violation::fatal(fault, span);
        let id = self.channel(state, context, c).map_err(fatal)?;
        let values = self.message(state, context, args).map_err(fatal)?;
        if channel::is_full(self.model, state, id) {
            return Ok(()); // the message is lost
        }
        channel::insert(self.model, state, id, &values, sorted);
        let ty = channel::channel_type(self.model, state, id);
        let observed = match self.model.event_trace {
            Some(_) => self.observe(state, &Event { send: true, channel: id, values: &stored(&values, &ty.fields) }),
            None => Ok(()),
        };
        let counted = field_count(values.len(), ty.fields.len());
        // A rendezvous with a wrong number of fields has no receiver.
        let fatal = counted.is_err() && ty.capacity == 0;
        counted.and(observed).map_err(|fault| Violation::Fault { fault, span, fatal, half: false })
    }

    /// Executes a receive: channel, from any position, leave the message, fields.
    fn receive(
        &self,
        state: &mut State,
        context: Context,
        (c, random, copy, fields): (&Expr, bool, bool, &[ReceiveField]),
        span: Span,
    ) -> Result<(), Violation> {
        let fatal = |fault| Violation::fatal(fault, span);
        let id = self.channel(state, context, c).map_err(fatal)?;
        let slot = self.find_message(state, context, id, random, fields).map_err(fatal)?;
        let slot = slot.ok_or_else(|| fatal(Fault::BlockedInDStep))?;
        let carried = channel::channel_type(self.model, state, id).fields.len();
        if fields.len() > carried {
            return Err(fatal(Fault::FieldCount(fields.len(), carried)));
        }
        for (i, field) in fields.iter().enumerate() {
            if let Some(place) = field.stored() {
                let value = channel::field(self.model, state, id, slot, i);
                self.store(state, context, place, value).map_err(fatal)?;
            }
        }
        if copy {
            return Ok(());
        }
        let observed = self.model.event_trace.map_or(Ok(()), |_| {
            let values: Vec<i32> = (0..carried).map(|i| channel::field(self.model, state, id, slot, i)).collect();
            self.observe(state, &Event { send: false, channel: id, values: &values })
        });
        channel::remove(self.model, state, id, slot);
        let done = field_count(fields.len(), carried).and(observed);
        done.map_err(|fault| Violation::Fault { fault, span, fatal: false, half: false })
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

fn field_count(given: usize, carried: usize) -> Result<(), Fault> {
    if given == carried { Ok(()) } else { Err(Fault::FieldCount(given, carried)) }
}

/// Whether a branch is enabled.
enum Enabled {
    No,
    /// A receive from an empty buffered channel.
    Empty,
    Yes,
    /// A send that is enabled if another process receives the message.
    Rendezvous(ChannelId, Vec<i32>),
}

impl From<bool> for Enabled {
    fn from(yes: bool) -> Enabled {
        if yes { Enabled::Yes } else { Enabled::No }
    }
}
