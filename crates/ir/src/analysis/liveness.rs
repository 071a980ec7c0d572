//! Dead variables: local values that a process does not read again before it writes them.
//!
//! A value is *dead* at a location if every path from there writes it before it reads it, or never reads it again.
//! States that differ only in dead values have the same future. Values that another process, a claim or a property reads
//! are never dead; nor are channel variables.

use std::ops::Range;

use lurcher_resources::charge;

use super::faint::{Faint, contains, maximal};
use crate::analysis::{Access, Owner, Region};
use crate::expr::{Expr, Frame};
use crate::model::{LocationId, Model, ProcessRole, ProcessType, ProcessTypeId, VarDecl};
use crate::statement::{ActionKind, DStep, DStepNode};
use crate::types::Scalar;

/// The dead values of a model: those of each location, and faint globals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dead {
    /// Dead bytes of the frame, by process type and location.
    types: Vec<Vec<Vec<Range<u32>>>>,
    /// Faint bytes of the globals.
    globals: Vec<Range<u32>>,
}

impl Dead {
    /// The dead values of a model with a property over these expressions.
    pub fn of(model: &Model, observed: &[Expr]) -> Dead {
        Dead::new(model, observed, None)
    }

    /// The dead and faint values. Resetting faint values may close cycles that the model does not have.
    pub fn with_faint(model: &Model, observed: &[Expr]) -> Dead {
        Dead::new(model, observed, Some(&Faint::of(model, observed)))
    }

    fn new(model: &Model, observed: &[Expr], faint: Option<&Faint>) -> Dead {
        let mut remote_reads: Vec<Vec<Region>> = vec![Vec::new(); model.process_types.len()];
        model.process_types.iter().for_each(|ty| ty.walk(&mut |e| add_remote_read(e, &mut remote_reads)));
        observed.iter().for_each(|expr| expr.walk(&mut |e| add_remote_read(e, &mut remote_reads)));
        let faint_bytes = |owner, variables: &[VarDecl]| faint.map_or_else(Vec::new, |v| v.bytes(owner, variables));
        let types = model.process_types().zip(&remote_reads).map(|((id, ty), reads)| match ty.role {
            ProcessRole::System => Liveness::of(ty, reads).dead(&faint_bytes(Some(id), &ty.locals)),
            _ => Vec::new(),
        });
        Dead { types: types.collect(), globals: faint_bytes(None, &model.globals) }
    }

    /// The dead bytes of the globals.
    pub fn globals(&self) -> &[Range<u32>] {
        &self.globals
    }

    /// The dead bytes of the frame of a process at a location.
    #[inline]
    pub fn at(&self, ty: ProcessTypeId, location: LocationId) -> &[Range<u32>] {
        let locations = self.types.get(ty.0 as usize);
        locations.and_then(|l| l.get(location.0 as usize)).map_or(&[], Vec::as_slice)
    }

    /// Whether there are no dead values.
    pub fn is_empty(&self) -> bool {
        self.globals.is_empty() && self.types.iter().flatten().all(Vec::is_empty)
    }
}

/// Records the region that an expression reads in the frame of another process.
fn add_remote_read(expr: &Expr, reads: &mut [Vec<Region>]) {
    if let Expr::Read(place) = expr
        && let Frame::Process(_, ty) = place.frame
    {
        reads[ty.0 as usize].push(Region::of(place, None));
    }
}

/// A set of values of a process type: a flag for each.
type Set = Vec<bool>;

/// The backward live-variable analysis of a process type.
struct Liveness<'m> {
    ty: &'m ProcessType,
    /// The bytes of each value, in order.
    bytes: Vec<Range<u32>>,
    /// Values that are never dead.
    kept: Set,
}

impl<'m> Liveness<'m> {
    fn of(ty: &'m ProcessType, remote_reads: &[Region]) -> Self {
        let bytes = ty.locals.iter().flat_map(|local| {
            let kept = |scalar: Scalar| local.hidden || scalar == Scalar::Channel;
            local.scalars().into_iter().map(move |(at, scalar)| (at..at + scalar.size(), kept(scalar)))
        });
        let mut bytes: Vec<(Range<u32>, bool)> = bytes.collect();
        bytes.sort_by_key(|(b, _)| b.start);
        let (bytes, mut kept): (Vec<_>, Set) = bytes.into_iter().unzip();
        let mut values = Liveness { ty, bytes, kept: Vec::new() };
        remote_reads.iter().for_each(|region| values.add(region, &mut kept));
        if let Some(test) = &ty.provided {
            values.add_reads(&Access::of_test(test, None), &mut kept);
        }
        values.kept = kept;
        values
    }

    /// The bytes of dead and faint values, by location.
    fn dead(&self, faint: &[Range<u32>]) -> Vec<Vec<Range<u32>>> {
        let live = self.fixpoint(self.ty.locations.len(), |location, live| {
            let mut before = self.nothing();
            for branch in &self.ty.locations[location].branches {
                let after = live[branch.target.0 as usize].clone();
                unite(&mut before, &self.before(&self.ty.action(branch.action).kind, after));
            }
            before
        });
        let is_faint = |value: usize| contains(faint, self.bytes[value].start);
        live.iter().map(|live| self.bytes_of(|value| is_faint(value) || !live[value] && !self.kept[value])).collect()
    }

    fn nothing(&self) -> Set {
        vec![false; self.bytes.len()]
    }

    /// The least fixpoint of a backward data-flow equation over the nodes of a graph.
    fn fixpoint(&self, nodes: usize, live_before: impl Fn(usize, &[Set]) -> Set) -> Vec<Set> {
        let mut live = vec![self.nothing(); nodes];
        let mut changed = true;
        while changed {
            changed = false;
            for node in (0..nodes).rev() {
                charge(1 + self.bytes.len() / 16);
                let before = live_before(node, &live);
                changed |= before != live[node];
                live[node] = before;
            }
        }
        live
    }

    /// The values that are live before a statement, given those live after it.
    fn before(&self, kind: &ActionKind, after: Set) -> Set {
        match kind {
            ActionKind::End => self.nothing(),
            ActionKind::DStep(sequence) => self.before_sequence(sequence, &after),
            _ => self.before_one(kind, after),
        }
    }

    fn before_one(&self, kind: &ActionKind, mut live: Set) -> Set {
        let access = Access::of_kind(kind, None);
        for written in access.writes.iter().filter(|r| r.owner == Owner::Own && r.is_single()) {
            if let Some(value) = self.value_at(written.offset) {
                live[value] = false;
            }
        }
        self.add_reads(&access, &mut live);
        live
    }

    /// Adds the values of the own frame that an access reads.
    fn add_reads(&self, access: &Access<'_>, set: &mut Set) {
        access.reads().filter(|r| r.owner == Owner::Own).for_each(|region| self.add(region, set));
    }

    fn before_sequence(&self, sequence: &DStep, after: &Set) -> Set {
        let mut live = self.fixpoint(sequence.nodes.len(), |node, live| match &sequence.nodes[node] {
            DStepNode::Exit => after.clone(),
            DStepNode::Goto(next) => live[*next as usize].clone(),
            DStepNode::Do(kind, _, next) => self.before_one(kind, live[*next as usize].clone()),
            DStepNode::Choose(options, _) => {
                let mut all = self.nothing();
                options.iter().for_each(|&option| unite(&mut all, &live[option as usize]));
                all
            }
        });
        let mut before = live.swap_remove(0);
        sequence.guards.iter().for_each(|guard| self.add_reads(&Access::of_kind(guard, None), &mut before));
        before
    }

    fn value_at(&self, offset: u32) -> Option<usize> {
        self.bytes.binary_search_by_key(&offset, |b| b.start).ok()
    }

    /// Adds the values of a region to a set.
    fn add(&self, region: &Region, set: &mut Set) {
        for value in region.offsets().into_iter().filter_map(|offset| self.value_at(offset)) {
            set[value] = true;
        }
    }

    /// The bytes of some values, as maximal ranges.
    fn bytes_of(&self, wanted: impl Fn(usize) -> bool) -> Vec<Range<u32>> {
        maximal(self.bytes.iter().enumerate().filter(|(value, _)| wanted(*value)).map(|(_, bytes)| bytes.clone()))
    }
}

fn unite(set: &mut Set, other: &Set) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}
