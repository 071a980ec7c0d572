//! Read footprints of claims.

use std::collections::HashSet;

use crate::analysis::{Access, OffsetSet, Owner, Region};
use crate::expr::Expr;
use crate::model::{LocationId, Model, ProcessTypeId};
use crate::statement::ActionKind;

/// What the moves of a claim at a location depend on. In two states that agree on it, the claim has the same moves, where the
/// system can move and `np_` has the same value.
#[derive(Clone, Debug, Default)]
pub struct ClaimFootprint<'m> {
    /// Global values.
    pub globals: Vec<Region>,
    /// Processes whose frames are read.
    pub processes: Vec<u16>,
    /// Channels, by the expressions that name them.
    pub channels: Vec<&'m Expr>,
}

impl<'m> ClaimFootprint<'m> {
    /// The footprint of a claim at a location, with the atomic chains that begin there; none if it is unbounded: the claim
    /// has side effects, or depends on unknown processes, on which of them are enabled, or on `timeout`.
    pub fn of(model: &'m Model, claim: ProcessTypeId, location: LocationId) -> Option<Self> {
        let process_type = model.process_type(claim);
        let mut found = ClaimFootprint::default();
        let mut seen = HashSet::from([location]);
        let mut work = vec![location];
        while let Some(at) = work.pop() {
            for branch in &process_type.location(at).branches {
                let kind = &process_type.action(branch.action).kind;
                if !matches!(kind, ActionKind::End) {
                    found.add(Access::of_kind(kind, None), reads_progress_only(kind))?;
                }
                if branch.atomic && seen.insert(branch.target) {
                    work.push(branch.target);
                }
            }
        }
        Some(found)
    }

    fn add(&mut self, access: Access<'m>, progress_only: bool) -> Option<()> {
        let sees_processes = access.timeout || access.population || access.global_state && !progress_only;
        if sees_processes || !access.writes.is_empty() || !access.creates.is_empty() {
            return None;
        }
        for region in access.reads() {
            match region.owner {
                Owner::Global => self.globals.push(region.clone()),
                Owner::Process(_, Some(process)) => self.processes.push(process),
                Owner::Process(_, None) | Owner::Own => return None,
            }
        }
        for (_, process) in &access.locations {
            self.processes.push((*process)?);
        }
        self.channels.extend(access.channels.iter().map(|(channel, _)| channel));
        Some(())
    }

    /// Whether an expression reads nothing but constant globals.
    pub fn is_constant(&self, expr: &Expr, constant: &OffsetSet) -> bool {
        let access = Access::of_test(expr, None);
        let is_constant = |region: &Region| {
            region.owner == Owner::Global && region.offsets().iter().all(|&offset| constant.contains(offset))
        };
        access.channels.is_empty()
            && access.locations.is_empty()
            && !access.sees_processes()
            && access.reads().all(is_constant)
    }
}

/// Whether `np_` is all that a statement reads of the set of processes.
fn reads_progress_only(kind: &ActionKind) -> bool {
    let reads_more = |e: &Expr| matches!(e, Expr::Enabled(_) | Expr::Priority(_) | Expr::Last | Expr::FirstOf(_));
    matches!(kind, ActionKind::Guard(_) | ActionKind::Assert(_)) && !kind.any(&reads_more)
}
