//! The access sets of every branch of a process.

use lurcher_resources::checkpoint;

use crate::expr::Expr;
use crate::model::{Branch, Location, LocationId, ProcessRole, ProcessTypeId};
use crate::statement::ActionKind;

use super::Inner;
use super::access_sets::{AccessSets, ReadWrite, SetBuilder, add, intersects, set};
use super::fixed::Fixed;

/// Static facts of a branch.
#[derive(Clone, Debug)]
pub(super) struct BranchFacts {
    /// The access sets of the branch alone.
    pub access: AccessSets,
    /// It is never enabled.
    pub disabled: bool,
    /// It may change what the property observes.
    pub visible: bool,
    /// The index of the target location.
    pub target: usize,
    /// The process keeps exclusive control.
    pub atomic: bool,
    /// The tail of the only channel that it receives from, first message first.
    pub fifo: Option<u32>,
}

/// The branches of a process.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// By location.
    pub branches: Vec<Vec<BranchFacts>>,
    /// The index of the initial location.
    pub initial: usize,
}

impl Inner {
    /// The branches of a process of a type; claims and event traces have none.
    pub fn facts(&self, ty: ProcessTypeId, pid: Option<u16>, locals: &[(u32, i32)]) -> Facts {
        let process_type = self.model.process_type(ty);
        let initial = process_type.initial.0 as usize;
        if process_type.role != ProcessRole::System {
            return Facts { branches: vec![Vec::new(); process_type.locations.len()], initial };
        }
        let fixed = Fixed { pid, locals, globals: &self.globals };
        let builder = SetBuilder { inner: self, ty, fixed: &fixed };
        let provided = process_type.provided.as_ref().map(|e| builder.test(e));
        let mut branches = Vec::new();
        for (number, location) in process_type.locations.iter().enumerate() {
            let kinds: Vec<ActionKind> =
                location.branches.iter().map(|b| fixed.kind(&process_type.action(b.action).kind)).collect();
            let mut sets: Vec<AccessSets> = kinds.iter().map(|k| builder.statement(k)).collect();
            self.add_sibling_reads(location, &kinds, process_type.deterministic, &mut sets);
            let here = location.branches.iter().zip(kinds.iter().zip(sets));
            branches.push(
                here.map(|(branch, (kind, mut access))| {
                    if let Some(reads) = &provided {
                        access.add_reads(reads);
                    }
                    self.add_locations(number, branch, &mut access);
                    self.branch(&builder, location, branch, kind, access)
                })
                .collect(),
            );
        }
        Facts { branches, initial }
    }

    fn branch(
        &self,
        builder: &SetBuilder<'_>,
        from: &Location,
        branch: &Branch,
        kind: &ActionKind,
        access: AccessSets,
    ) -> BranchFacts {
        let process_type = self.model.process_type(builder.ty);
        let to = (!access.dies).then(|| process_type.location(branch.target));
        let changes = |label: fn(&Location) -> bool| {
            let created = |ty: &ProcessTypeId| {
                let created = self.model.process_type(*ty);
                label(created.location(created.initial))
            };
            label(from) != to.is_some_and(label) || access.creates.iter().any(created)
        };
        let visibility = &self.visibility;
        BranchFacts {
            disabled: is_false(kind),
            visible: intersects(&access.sets.writes, &self.observed)
                || visibility.accept && changes(|l| l.accept)
                || visibility.progress && changes(|l| l.progress)
                || visibility.faults && (process_type.deterministic || builder.may_fail(kind)),
            target: branch.target.0 as usize,
            atomic: branch.atomic,
            fifo: match kind {
                ActionKind::Receive { channel, random: false, .. } => builder.only_tail(channel),
                _ => None,
            },
            access,
        }
    }

    /// Lets branches read what the other branches of their location read, if they depend on them.
    fn add_sibling_reads(
        &self,
        location: &Location,
        kinds: &[ActionKind],
        deterministic: bool,
        branches: &mut [AccessSets],
    ) {
        let all = deterministic || location.branches.iter().any(|b| b.escape > 0);
        if !all && !kinds.iter().any(ActionKind::is_else) {
            return;
        }
        let mut read = vec![0; self.resources.words];
        let mut offers = false;
        for (access, _) in branches.iter().zip(kinds).filter(|(_, k)| !is_false(k)) {
            add(&mut read, &access.enablers);
            offers |= access.offers_rendezvous;
        }
        for (access, kind) in branches.iter_mut().zip(kinds) {
            if all || kind.is_else() {
                access.add_reads(&read);
                if offers {
                    set(&mut access.sets.writes, self.resources.moved());
                }
            }
        }
    }

    /// Adds the locations that the process leaves and enters, if an expression reads them.
    fn add_locations(&self, from: usize, branch: &Branch, access: &mut AccessSets) {
        let to = branch.target;
        let moved = access.dies || usize::from(to.0) != from;
        for location in [LocationId(from as u16), to] {
            if let Some(bit) = self.resources.location(location).filter(|_| moved) {
                set(&mut access.sets.writes, bit);
            }
        }
    }
}

fn is_false(kind: &ActionKind) -> bool {
    matches!(kind, ActionKind::Guard(Expr::Const(0)))
}

/// The rest of an atomic chain.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub sets: ReadWrite,
    /// It is invisible and has no sticky edge.
    pub ample: bool,
}

impl Facts {
    /// The rest of the atomic chain at each location, if it is inside one.
    pub fn chains(&self, sticky: &[Vec<bool>], words: usize) -> Vec<Chain> {
        let mut chains = vec![Chain { sets: ReadWrite::empty(words), ample: true }; self.branches.len()];
        self.fixpoint(&mut chains, |chains, location, index, branch| {
            let rest = branch.atomic.then(|| chains[branch.target].clone());
            let chain = &mut chains[location];
            // Blocking would end the chain, so what enables the branch counts as read.
            let mut grown = chain.sets.add(&branch.access.sets) | add(&mut chain.sets.reads, &branch.access.enablers);
            let ample = chain.ample
                && !branch.visible
                && !sticky[location][index]
                && rest.as_ref().is_none_or(|rest| rest.ample);
            grown |= ample != chain.ample;
            chain.ample = ample;
            grown | rest.is_some_and(|rest| chain.sets.add(&rest.sets))
        });
        chains
    }

    /// Everything that the process may do from each location on; `whole` is the same for created processes.
    pub fn futures(&self, chains: &[Chain], whole: &[ReadWrite], words: usize) -> Vec<ReadWrite> {
        let mut futures = vec![ReadWrite::empty(words); self.branches.len()];
        self.fixpoint(&mut futures, |futures, location, _, branch| {
            let after = futures[branch.target].clone();
            let future = &mut futures[location];
            let mut grown = future.add(&branch.access.sets);
            if branch.atomic {
                grown |= future.add(&chains[branch.target].sets);
            }
            if !branch.access.dies {
                grown |= future.add(&after);
            }
            branch.access.creates.iter().fold(grown, |grown, ty| grown | future.add(&whole[ty.0 as usize]))
        });
        futures
    }

    /// Applies an equation to every branch that may be enabled, with its location and index, until nothing grows.
    fn fixpoint<T>(&self, solution: &mut [T], equation: impl Fn(&mut [T], usize, usize, &BranchFacts) -> bool) {
        let mut grown = true;
        while grown {
            grown = false;
            for (location, branches) in self.branches.iter().enumerate().rev() {
                for (index, branch) in branches.iter().enumerate().filter(|(_, b)| !b.disabled) {
                    checkpoint();
                    grown |= equation(solution, location, index, branch);
                }
            }
        }
    }
}
