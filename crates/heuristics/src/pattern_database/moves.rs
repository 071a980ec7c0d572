//! The moves of an abstract state: those that may happen, and those that certainly can.
//!
//! Moves are made for every branch that may be enabled in some state with this projection. Where the absence of a move
//! matters, a branch counts that is enabled in all of them: it disables `else`, an escape hides the other branches, an
//! atomic chain keeps control, and a process that certainly moves rules out a deadlock. In doubt both cases are explored,
//! so every move of the model has a counterpart, and abstract distances are never longer.

use lurcher_ir::{ActionKind, Branch, Expr};

use super::pattern::KeptChannel;
use super::value::{Actor, Named, View};

/// Whether something is possible, over all states with the same projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Possible {
    /// In none of them.
    Never,
    /// In some of them, as far as is known.
    Maybe,
    /// In all of them.
    Surely,
}

impl Possible {
    pub fn may(self) -> bool {
        self != Possible::Never
    }

    fn sure(is_possible: bool) -> Possible {
        if is_possible { Possible::Surely } else { Possible::Never }
    }

    /// Whether a condition holds; an unknown value may be true.
    fn holds(value: Option<i32>) -> Possible {
        value.map_or(Possible::Maybe, |v| Possible::sure(v != 0))
    }
}

/// A receive that may complete a rendezvous.
pub(super) struct Partner<'m> {
    pub actor: Actor,
    pub kind: &'m ActionKind,
    /// The branch of a kept process.
    pub branch: Option<Branch>,
    pub message: Vec<Option<i32>>,
    pub sure: bool,
}

/// A branch that may be enabled.
pub(super) struct Candidate<'m> {
    pub branch: Branch,
    pub kind: &'m ActionKind,
    /// It may be taken without a rendezvous partner.
    pub alone: bool,
    pub partners: Vec<Partner<'m>>,
    pub sure: bool,
}

impl<'m> View<'_, 'm> {
    /// Whether the statement is enabled without a rendezvous partner.
    pub fn possible(self, kind: &ActionKind) -> Possible {
        match kind {
            ActionKind::Guard(Expr::Run(..)) => Possible::Surely,
            ActionKind::Guard(e) => Possible::holds(self.eval(e)),
            ActionKind::Send(c, ..) => {
                self.over_channels(c, |kept| Possible::sure(self.has_room(kept) || self.model.message_loss()))
            }
            ActionKind::Receive { channel: c, random, fields, .. } => self.over_channels(c, |kept| {
                let last = self.matching(kept, *random, fields).last().copied();
                last.map_or(Possible::Never, |(_, sure)| if sure { Possible::Surely } else { Possible::Maybe })
            }),
            ActionKind::End => {
                let own = self.actor.slot.unwrap_or(usize::MAX);
                let slots = &self.values[..self.model.pattern.processes.len()];
                match slots.iter().enumerate().any(|(s, v)| s > own && *v != 0) {
                    true => Possible::Never,
                    false if self.model.all_kept() => Possible::Surely,
                    false => Possible::Maybe,
                }
            }
            ActionKind::DStep(sequence) => {
                sequence.guards.iter().map(|g| self.possible(g)).max().unwrap_or(Possible::Surely)
            }
            ActionKind::Event { .. } => Possible::Never,
            _ => Possible::Surely,
        }
    }

    /// Whether an operation is enabled on the channel that an expression names; `kept` answers for a kept channel.
    fn over_channels(self, channel: &Expr, kept: impl Fn(&KeptChannel) -> Possible) -> Possible {
        let possible = |named: Named<'_>| match named {
            Named::Kept(channel) => kept(channel),
            Named::Dropped(ty) if self.model.model().channel_type(ty).capacity == 0 => Possible::Never,
            Named::Dropped(_) | Named::Unknown => Possible::Maybe,
        };
        let channels = self.channels(channel).into_iter().map(possible);
        channels.reduce(|a, b| if a == b { a } else { Possible::Maybe }).expect("an expression names a channel")
    }

    /// Whether the kept process exists and its `provided` clause holds.
    fn may_run(self) -> Possible {
        let (Some(slot), Some(ty)) = (self.actor.slot, self.actor.ty) else { return Possible::Never };
        if self.values[slot] <= 0 {
            return Possible::Never;
        }
        let clause = self.model.model().process_type(ty).provided.as_ref();
        clause.map_or(Possible::Surely, |e| Possible::holds(self.eval(e)))
    }

    /// The branches at the location of the kept process.
    fn branches(self) -> impl Iterator<Item = (Branch, &'m ActionKind)> + use<'m> {
        let slot = self.actor.slot.expect("a kept process");
        let process_type = self.model.model().process_type(self.model.pattern.processes[slot].1);
        let branches = &process_type.locations[self.values[slot] as usize].branches;
        branches.iter().map(|b| (*b, &process_type.action(b.action).kind))
    }

    /// The branches of the kept process that `test` finds possible, and whether they certainly are. A sure branch hides
    /// the branches that it escapes from.
    fn enabled<T>(self, mut test: impl FnMut(&'m ActionKind) -> (Possible, T)) -> Vec<(Branch, bool, T)> {
        let may_run = self.may_run();
        let mut found = Vec::new();
        if !may_run.may() {
            return found;
        }
        let mut escape = 0;
        for (branch, kind) in self.branches() {
            if escape > 0 && escape != branch.escape {
                break;
            }
            let (possible, more) = test(kind);
            if possible == Possible::Surely {
                escape = branch.escape;
            }
            if possible.may() {
                found.push((branch, possible.min(may_run) == Possible::Surely, more));
            }
        }
        found
    }

    /// The branches that the kept process may take.
    pub fn candidates(self) -> Vec<Candidate<'m>> {
        let mut sure_before = false;
        let enabled = self.enabled(|kind| {
            let alone = match kind.is_else() {
                true if sure_before => Possible::Never,
                true => Possible::Maybe,
                false => self.possible(kind),
            };
            let partners = match kind {
                ActionKind::Send(c, _, args) => self.partners(c, args),
                _ => Vec::new(),
            };
            let with_partner = partners.iter().map(|p| if p.sure { Possible::Surely } else { Possible::Maybe }).max();
            let possible = alone.max(with_partner.unwrap_or(Possible::Never));
            sure_before |= possible == Possible::Surely;
            (possible, (kind, alone.may(), partners))
        });
        let candidate = |(branch, sure, (kind, alone, partners))| Candidate { branch, kind, alone, partners, sure };
        enabled.into_iter().map(candidate).collect()
    }

    /// Whether the kept process certainly has a move.
    pub fn surely_moves(self) -> bool {
        // Where there is an `else`, some branch is enabled.
        self.may_run() == Possible::Surely
            && (self.branches().any(|(_, kind)| kind.is_else()) || self.candidates().iter().any(|c| c.sure))
    }

    /// The receives that may complete a rendezvous.
    pub fn partners(self, channel: &Expr, args: &[Expr]) -> Vec<Partner<'m>> {
        let fields = |named: &Named<'_>| match named {
            Named::Dropped(ty) => {
                let channel = self.model.model().channel_type(*ty);
                (channel.capacity == 0).then_some(Some(&channel.fields))
            }
            Named::Unknown => Some(None),
            Named::Kept(_) => None,
        };
        let Some(fields) = self.channels(channel).iter().find_map(fields) else { return Vec::new() };
        let truncated = |i: usize, v: i32| match fields {
            Some(fields) => fields.get(i).map(|f| f.truncate(v)),
            // Every type holds 0 and 1.
            None => Some(v).filter(|v| (0..2).contains(v)),
        };
        let value = |(i, a): (usize, &Expr)| self.eval(a).and_then(|v| truncated(i, v));
        let message: Vec<Option<i32>> = args.iter().enumerate().map(value).collect();
        let sent = self.eval(channel);
        let mut found = Vec::new();
        for slot in (0..self.model.pattern.processes.len()).filter(|&s| Some(s) != self.actor.slot) {
            let receiver = self.model.view_of(self.values, slot, self.actor.timeout);
            for (branch, sure, kind) in receiver.enabled(|kind| (receiver.accepts(sent, &message, kind), kind)) {
                let (actor, message) = (receiver.actor, message.clone());
                found.push(Partner { actor, kind, branch: Some(branch), message, sure });
            }
        }
        for &(actor, kind) in self.model.environment.iter().filter(|_| self.actor.slot.is_some()) {
            if self.model.view(self.values, actor).accepts(sent, &message, kind).may() {
                found.push(Partner { actor, kind, branch: None, message: message.clone(), sure: false });
            }
        }
        found
    }

    /// Whether a statement can receive a message from a channel.
    fn accepts(self, sent: Option<i32>, message: &[Option<i32>], kind: &ActionKind) -> Possible {
        let Some((channel, fields)) = kind.rendezvous_receive() else { return Possible::Never };
        let same = match (sent, self.eval(channel)) {
            (Some(a), Some(b)) => Possible::sure(a == b),
            _ => Possible::Maybe,
        };
        same.min(self.matches(fields, |i| message.get(i).copied().flatten()))
    }
}
