//! What may happen in an abstract state, and what is sure to be possible.
//!
//! Two questions about every branch: may it be possible in some state with this projection, and is it possible in
//! all of them? Moves are made for the first. The second serves where the absence of a move matters: `else` is left
//! out when a branch before it is sure, an escape hides the rest when it is sure, an atomic chain keeps control for
//! sure when its next branch is, and a deadlock is ruled out when some process is sure to be able to move. In doubt
//! both ways are taken, so every move of the model has its counterpart here, and abstract distances are never longer.

use lurcher_ir::{ActionKind, Branch, Expr, ReceiveField};

use super::abstraction::Abstraction;
use super::value::{Actor, Named};

/// Who may take the message that is offered.
pub(super) struct Partner<'m> {
    pub actor: Actor,
    pub kind: &'m ActionKind,
    /// Its branch, when it is kept.
    pub branch: Option<Branch>,
    pub message: Vec<Option<i32>>,
    pub sure: bool,
}

/// A branch that may be possible.
pub(super) struct Candidate<'m> {
    pub branch: Branch,
    pub kind: &'m ActionKind,
    /// It may be taken alone.
    pub alone: bool,
    pub partners: Vec<Partner<'m>>,
    pub sure: bool,
}

pub(super) fn is_else(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Else => true,
        ActionKind::DStep(sequence) => matches!(sequence.guards.as_slice(), [ActionKind::Else]),
        _ => false,
    }
}

/// The receive that can answer a rendezvous.
pub(super) fn opening_receive(kind: &ActionKind) -> Option<(&Expr, &[ReceiveField])> {
    match kind {
        ActionKind::Receive { channel, copy: false, fields, .. } => Some((channel, fields)),
        ActionKind::DStep(sequence) => match sequence.guards.as_slice() {
            [receive @ ActionKind::Receive { .. }] => opening_receive(receive),
            _ => None,
        },
        _ => None,
    }
}

/// Of several cases one holds: possible in one is maybe, sure in all is sure.
fn together(cases: impl Iterator<Item = (bool, bool)>) -> (bool, bool) {
    cases.fold((false, true), |a, b| (a.0 || b.0, a.1 && b.1))
}

impl<'m> Abstraction<'_, 'm> {
    /// The process in a slot.
    pub fn actor(&self, slot: usize, timeout: Option<i32>) -> Actor {
        let (pid, ty) = self.pattern.processes[slot];
        Actor { slot: Some(slot), pid: Some(pid), ty: Some(ty), timeout, stutter: false }
    }

    /// May the statement be possible without a partner, and is it sure to be?
    pub fn possible(&self, values: &[i32], actor: Actor, kind: &ActionKind) -> (bool, bool) {
        match kind {
            ActionKind::Skip
            | ActionKind::Else
            | ActionKind::Assign(..)
            | ActionKind::Assert(_)
            | ActionKind::Print(..)
            | ActionKind::PrintSymbol(..)
            | ActionKind::SetPriority(..)
            | ActionKind::Guard(Expr::Run(..)) => (true, true),
            ActionKind::Guard(e) => match self.eval(values, actor, e) {
                Some(0) => (false, false),
                Some(_) => (true, true),
                None => (true, false),
            },
            ActionKind::Send(c, ..) => together(self.channels(values, actor, c).iter().map(|named| match named {
                Named::Kept(channel) => {
                    let room = values[channel.at] < i32::from(self.model.channel_type(channel.ty).slots());
                    (room || self.message_loss, room || self.message_loss)
                }
                Named::Dropped(ty) => (self.model.channel_type(*ty).capacity > 0, false),
                Named::Unknown => (true, false),
            })),
            ActionKind::Receive { channel: c, random, fields, .. } => {
                together(self.channels(values, actor, c).iter().map(|named| match named {
                    Named::Kept(channel) => {
                        let slots = self.matching(values, actor, channel, *random, fields);
                        (!slots.is_empty(), slots.last().is_some_and(|s| s.1))
                    }
                    Named::Dropped(ty) => (self.model.channel_type(*ty).capacity > 0, false),
                    Named::Unknown => (true, false),
                }))
            }
            ActionKind::End => {
                let own = actor.slot.unwrap_or(usize::MAX);
                let younger =
                    values[..self.pattern.processes.len()].iter().enumerate().any(|(s, v)| s > own && *v != 0);
                (!younger, !younger && self.exact && self.created.is_empty())
            }
            ActionKind::DStep(sequence) => {
                let tests = sequence.guards.iter().map(|g| self.possible(values, actor, g));
                let none = sequence.guards.is_empty();
                tests.fold((none, none), |a, b| (a.0 || b.0, a.1 || b.1))
            }
            ActionKind::Event { .. } => (false, false),
        }
    }

    fn provided(&self, values: &[i32], actor: Actor) -> (bool, bool) {
        let process_type = actor.ty.map(|ty| self.model.process_type(ty));
        match process_type.and_then(|p| p.provided.as_ref()) {
            None => (true, true),
            Some(e) => match self.eval(values, actor, e) {
                Some(v) => (v != 0, v != 0),
                None => (true, false),
            },
        }
    }

    /// The branches that a kept process may take.
    pub fn candidates(&self, values: &[i32], slot: usize, timeout: Option<i32>) -> Vec<Candidate<'m>> {
        let mut found = Vec::new();
        let actor = self.actor(slot, timeout);
        let (may_run, surely_runs) = self.provided(values, actor);
        if values[slot] <= 0 || !may_run {
            return found;
        }
        let process_type = self.model.process_type(self.pattern.processes[slot].1);
        let mut sure_before = false;
        let mut escape = 0;
        for branch in &process_type.locations[values[slot] as usize].branches {
            if escape > 0 && escape != branch.escape {
                break;
            }
            let kind = &process_type.action(branch.action).kind;
            let (alone, mut sure) = match is_else(kind) {
                true => (!sure_before, false),
                false => self.possible(values, actor, kind),
            };
            let partners = match kind {
                ActionKind::Send(c, _, args) => self.partners(values, actor, c, args),
                _ => Vec::new(),
            };
            sure |= partners.iter().any(|p| p.sure);
            sure_before |= sure;
            if sure {
                escape = branch.escape;
            }
            if alone || !partners.is_empty() {
                found.push(Candidate { branch: *branch, kind, alone, partners, sure: sure && surely_runs });
            }
        }
        found
    }

    /// Is a kept process sure to have a move?
    pub fn surely_moves(&self, values: &[i32], slot: usize, timeout: Option<i32>) -> bool {
        let actor = self.actor(slot, timeout);
        if values[slot] <= 0 || !self.provided(values, actor).1 {
            return false;
        }
        let process_type = self.model.process_type(self.pattern.processes[slot].1);
        let branches = &process_type.locations[values[slot] as usize].branches;
        // Where there is an `else`, something is possible.
        branches.iter().any(|b| is_else(&process_type.action(b.action).kind))
            || self.candidates(values, slot, timeout).iter().any(|c| c.sure)
    }

    /// Those who may answer a rendezvous.
    pub fn partners(&self, values: &[i32], sender: Actor, channel: &Expr, args: &[Expr]) -> Vec<Partner<'m>> {
        let offers = |named: &Named<'_>| match named {
            Named::Dropped(ty) => {
                let channel = self.model.channel_type(*ty);
                (channel.capacity == 0).then_some(Some(&channel.fields))
            }
            Named::Unknown => Some(None),
            Named::Kept(_) => None,
        };
        let Some(fields) = self.channels(values, sender, channel).iter().find_map(offers) else { return Vec::new() };
        let kept = |i: usize, v: i32| match fields {
            Some(fields) => fields.get(i).map(|f| f.truncate(v)),
            // Of an unknown type: only these are the same in all.
            None => Some(v).filter(|v| (0..2).contains(v)),
        };
        let value = |(i, a): (usize, &Expr)| self.eval(values, sender, a).and_then(|v| kept(i, v));
        let message: Vec<Option<i32>> = args.iter().enumerate().map(value).collect();
        let mut found = Vec::new();
        for slot in (0..self.pattern.processes.len()).filter(|&s| values[s] > 0 && Some(s) != sender.slot) {
            let actor = self.actor(slot, sender.timeout);
            let (may_run, surely_runs) = self.provided(values, actor);
            if !may_run {
                continue;
            }
            let process_type = self.model.process_type(self.pattern.processes[slot].1);
            let mut escape = 0;
            for branch in &process_type.locations[values[slot] as usize].branches {
                if escape > 0 && escape != branch.escape {
                    break;
                }
                let kind = &process_type.action(branch.action).kind;
                let (may, sure) = self.accepts(values, (sender, channel), &message, actor, kind);
                if sure {
                    escape = branch.escape;
                }
                if may {
                    let (branch, message, sure) = (Some(*branch), message.clone(), sure && surely_runs);
                    found.push(Partner { actor, kind, branch, message, sure });
                }
            }
        }
        for ghost in self.ghosts.iter().filter(|_| sender.slot.is_some()) {
            if self.accepts(values, (sender, channel), &message, ghost.actor, ghost.kind).0 {
                let (actor, kind, message) = (ghost.actor, ghost.kind, message.clone());
                found.push(Partner { actor, kind, branch: None, message, sure: false });
            }
        }
        found
    }

    /// May a statement take this message, and is it sure to?
    fn accepts(
        &self,
        values: &[i32],
        sent: (Actor, &Expr),
        message: &[Option<i32>],
        receiver: Actor,
        kind: &ActionKind,
    ) -> (bool, bool) {
        let Some((channel, fields)) = opening_receive(kind) else { return (false, false) };
        let mut sure = match self.same_channel(values, sent, (receiver, channel)) {
            Some(false) => return (false, false),
            Some(true) => true,
            None => false,
        };
        for (i, field) in fields.iter().enumerate() {
            let (ReceiveField::Match(e) | ReceiveField::Eval(e)) = field else { continue };
            match (self.eval(values, receiver, e), message.get(i).copied().flatten()) {
                (Some(a), Some(b)) if a != b => return (false, false),
                (Some(_), Some(_)) => {}
                _ => sure = false,
            }
        }
        (true, sure)
    }
}
