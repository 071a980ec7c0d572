//! What a process can see and change from where it stands.
//!
//! What a process does next depends on its own frame and on what its statements name: global values and channels. Two
//! states in which these are the same offer it the same moves with the same effects, whatever else differs. A move and
//! the atomic chain that it begins count as one.

use std::collections::HashSet;

use crate::analysis::{Access, ChannelUse, Owner, Region};
use crate::expr::Expr;
use crate::model::{ActionKind, LocationId, Model, ProcessType, ProcessTypeId};

/// What a process at a location can see and change beside its own frame.
#[derive(Clone, Debug, Default)]
pub struct Surroundings<'m> {
    /// Global values.
    pub globals: Vec<Region>,
    /// Channels, by expressions that may be evaluated in the state at hand.
    pub channels: Vec<(&'m Expr, ChannelUse)>,
}

impl<'m> Surroundings<'m> {
    /// The surroundings of a process; none when what it does depends on more: on other processes, on who moved last, on
    /// priorities, on channels that are not known before. `constant` are the [`constant_globals`](super::constant_globals).
    pub fn of(
        model: &'m Model,
        constant: &HashSet<u32>,
        (pid, ty, location): (u16, ProcessTypeId, LocationId),
    ) -> Option<Self> {
        let process_type = model.process_type(ty);
        if process_type.deterministic || model.uses_last || model.uses_priorities || model.event_trace.is_some() {
            return None;
        }
        let mut finding = Finding { process_type, pid, constant, found: Surroundings::default() };
        if let Some(provided) = &process_type.provided {
            finding.add(Access::of_test(provided, Some(pid)), true)?;
        }
        let mut seen = HashSet::from([location]);
        let mut work = vec![location];
        while let Some(at) = work.pop() {
            for branch in &process_type.location(at).branches {
                let kind = &process_type.action(branch.action).kind;
                // Whether a process may die is up to how many there are, which is the same in states that are cut alike.
                if !matches!(kind, ActionKind::End) {
                    let first = at == location && !matches!(kind, ActionKind::DStep(_));
                    finding.add(Access::of_kind(kind, Some(pid)), first)?;
                }
                if branch.atomic && seen.insert(branch.target) {
                    work.push(branch.target);
                }
            }
        }
        Some(finding.found)
    }
}

struct Finding<'a, 'm> {
    process_type: &'m ProcessType,
    pid: u16,
    constant: &'a HashSet<u32>,
    found: Surroundings<'m>,
}

impl<'m> Finding<'_, 'm> {
    /// Adds what a statement touches; `first` when nothing has happened yet where it is executed.
    fn add(&mut self, access: Access<'m>, first: bool) -> Option<()> {
        if access.global_state || !access.locations.is_empty() || !access.creates.is_empty() {
            return None;
        }
        for region in access.reads().chain(&access.writes) {
            match region.owner {
                Owner::Global => self.found.globals.push(region.clone()),
                Owner::Own => {}
                Owner::Process(..) => return None,
            }
        }
        for (channel, used) in access.channels {
            let known = |region: &Region| match region.owner {
                Owner::Global => self.is_constant(region),
                Owner::Own => first || !self.is_written(region),
                Owner::Process(..) => false,
            };
            if !Access::of_test(channel, Some(self.pid)).reads().all(known) {
                return None;
            }
            self.found.channels.push((channel, used));
        }
        Some(())
    }

    fn is_constant(&self, region: &Region) -> bool {
        let mut constant = true;
        region.offsets(&mut |offset| constant &= self.constant.contains(&offset));
        constant
    }

    /// Does a statement of this process type store there?
    fn is_written(&self, region: &Region) -> bool {
        let mut actions = self.process_type.actions.iter();
        actions.any(|action| Access::of_action(action, None).writes.iter().any(|w| w.overlaps(region)))
    }
}
