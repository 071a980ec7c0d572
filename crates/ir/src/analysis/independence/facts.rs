//! What each branch of a process touches, location by location.

use crate::expr::Expr;
use crate::model::{ActionKind, Branch, Location, Model, ProcessRole, ProcessTypeId};

use super::Visibility;
use super::fixed::Fixed;
use super::resources::Resources;
use super::touch::{Bits, Touch, Toucher, add, intersects, set};

/// A branch.
#[derive(Clone, Debug)]
pub(super) struct BranchFacts {
    /// What the branch alone touches.
    pub touch: Touch,
    /// The same in the middle of an atomic chain.
    pub inside: Touch,
    /// It can never be taken.
    pub impossible: bool,
    /// It changes what the property sees.
    pub visible: bool,
    /// Where it leads.
    pub target: usize,
    /// The process keeps exclusive control.
    pub atomic: bool,
    /// Where the one channel that it receives from, first message first, has its tail.
    pub fifo: Option<u32>,
}

/// The branches of a process.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// By location.
    pub branches: Vec<Vec<BranchFacts>>,
    /// Where it starts.
    pub initial: usize,
}

/// Through what a process is looked at.
pub(super) struct Lens<'a> {
    pub model: &'a Model,
    pub resources: &'a Resources,
    pub watch: &'a Visibility,
    pub seen: &'a Bits,
    pub message_loss: bool,
}

impl Lens<'_> {
    /// The branches of a process of a type; claims and event traces have none here.
    pub fn facts(&self, ty: ProcessTypeId, fixed: &Fixed<'_>) -> Facts {
        let process_type = self.model.process_type(ty);
        let initial = process_type.initial.0 as usize;
        if process_type.role != ProcessRole::System {
            return Facts { branches: vec![Vec::new(); process_type.locations.len()], initial };
        }
        let toucher =
            Toucher { model: self.model, resources: self.resources, ty, fixed, message_loss: self.message_loss };
        let provided = process_type.provided.as_ref().map(|e| toucher.test(e));
        let mut branches = Vec::new();
        for (number, location) in process_type.locations.iter().enumerate() {
            let kinds: Vec<ActionKind> =
                location.branches.iter().map(|b| fixed.kind(&process_type.action(b.action).kind)).collect();
            let mut touches: Vec<Touch> = kinds.iter().map(|k| toucher.statement(k)).collect();
            self.look_aside(location, &kinds, process_type.deterministic, &mut touches);
            let here = location.branches.iter().zip(kinds.iter().zip(touches));
            branches.push(
                here.map(|(branch, (kind, mut touch))| {
                    if let Some(reads) = &provided {
                        add(&mut touch.reads, reads);
                        add(&mut touch.enablers, reads);
                    }
                    self.leave(number, branch, &mut touch);
                    self.branch(&toucher, location, branch, kind, touch)
                })
                .collect(),
            );
        }
        Facts { branches, initial }
    }

    fn branch(
        &self,
        toucher: &Toucher<'_>,
        from: &Location,
        branch: &Branch,
        kind: &ActionKind,
        touch: Touch,
    ) -> BranchFacts {
        let process_type = self.model.process_type(toucher.ty);
        let to = (!touch.dies).then(|| process_type.location(branch.target));
        let changes = |label: fn(&Location) -> bool| {
            let created = |ty: &ProcessTypeId| {
                let created = self.model.process_type(*ty);
                label(created.location(created.initial))
            };
            label(from) != to.is_some_and(label) || touch.creates.iter().any(created)
        };
        BranchFacts {
            inside: toucher.in_chain(&touch),
            impossible: matches!(kind, ActionKind::Guard(Expr::Const(0))),
            visible: intersects(&touch.writes, self.seen)
                || self.watch.accept && changes(|l| l.accept)
                || self.watch.progress && changes(|l| l.progress)
                || self.watch.faults && (process_type.deterministic || toucher.may_fail(kind)),
            target: branch.target.0 as usize,
            atomic: branch.atomic,
            fifo: match kind {
                ActionKind::Receive { channel, random: false, .. } => toucher.only_tail(channel),
                _ => None,
            },
            touch,
        }
    }

    /// Lets branches read what those beside them read, where they depend on each other.
    fn look_aside(&self, location: &Location, kinds: &[ActionKind], deterministic: bool, touches: &mut [Touch]) {
        let all = deterministic || location.branches.iter().any(|b| b.escape > 0);
        if !all && !kinds.iter().any(is_else) {
            return;
        }
        let mut read = vec![0; self.resources.words];
        let possible = |k: &ActionKind| !matches!(k, ActionKind::Guard(Expr::Const(0)));
        let mut offers = false;
        for (touch, _) in touches.iter().zip(kinds).filter(|(_, k)| possible(k)) {
            add(&mut read, &touch.enablers);
            offers |= touch.offers;
        }
        for (touch, kind) in touches.iter_mut().zip(kinds) {
            if all || is_else(kind) {
                add(&mut touch.reads, &read);
                add(&mut touch.enablers, &read);
                if offers {
                    set(&mut touch.writes, self.resources.moved());
                }
            }
        }
    }

    /// Notes that the process leaves one location for another, where somebody asks.
    fn leave(&self, from: usize, branch: &Branch, touch: &mut Touch) {
        let to = branch.target;
        let moved = touch.dies || usize::from(to.0) != from;
        for location in [crate::model::LocationId(from as u16), to] {
            if let Some(bit) = self.resources.location(location).filter(|_| moved) {
                set(&mut touch.writes, bit);
            }
        }
    }
}

fn is_else(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Else => true,
        ActionKind::DStep(sequence) => matches!(sequence.guards.as_slice(), [ActionKind::Else]),
        _ => false,
    }
}

impl Facts {
    /// The possible branches of a location.
    pub fn possible(&self, location: usize) -> impl Iterator<Item = &BranchFacts> {
        self.branches[location].iter().filter(|b| !b.impossible)
    }

    /// What each location's continued atomic chain reads and writes, and whether it is visible or cuts a cycle.
    pub fn chains(&self, cuts: &[Vec<bool>], words: usize) -> Vec<Chain> {
        let mut chains =
            vec![Chain { reads: vec![0; words], writes: vec![0; words], alone: true }; self.branches.len()];
        loop {
            let mut grown = false;
            for location in (0..self.branches.len()).rev() {
                for (branch, cut) in self.branches[location].iter().zip(&cuts[location]).filter(|(b, _)| !b.impossible)
                {
                    let rest = branch.atomic.then(|| chains[branch.target].clone());
                    let chain = &mut chains[location];
                    grown |=
                        add(&mut chain.reads, &branch.inside.reads) | add(&mut chain.writes, &branch.inside.writes);
                    let alone = chain.alone && !branch.visible && !cut && rest.as_ref().is_none_or(|r| r.alone);
                    grown |= alone != chain.alone;
                    chain.alone = alone;
                    if let Some(rest) = rest {
                        grown |= add(&mut chain.reads, &rest.reads) | add(&mut chain.writes, &rest.writes);
                    }
                }
            }
            if !grown {
                return chains;
            }
        }
    }

    /// What the process may read and write from each location on; `whole` says what created processes may.
    pub fn futures(&self, chains: &[Chain], whole: &[(Bits, Bits)]) -> Vec<(Bits, Bits)> {
        let words = whole.first().map_or(0, |w| w.0.len());
        let mut futures = vec![(vec![0; words], vec![0; words]); self.branches.len()];
        loop {
            let mut grown = false;
            for location in (0..self.branches.len()).rev() {
                for branch in self.possible(location) {
                    let after = futures[branch.target].clone();
                    let (reads, writes) = &mut futures[location];
                    grown |= add(reads, &branch.touch.reads) | add(writes, &branch.touch.writes);
                    if branch.atomic {
                        let chain = &chains[branch.target];
                        grown |= add(reads, &chain.reads) | add(writes, &chain.writes);
                    }
                    if !branch.touch.dies {
                        grown |= add(reads, &after.0) | add(writes, &after.1);
                    }
                    for created in &branch.touch.creates {
                        let created = &whole[created.0 as usize];
                        grown |= add(reads, &created.0) | add(writes, &created.1);
                    }
                }
            }
            if !grown {
                return futures;
            }
        }
    }
}

/// What follows in an atomic chain.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub reads: Bits,
    pub writes: Bits,
    /// It neither changes what the property sees nor cuts a cycle.
    pub alone: bool,
}
