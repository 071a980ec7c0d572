//! Failed assertions: (i@u) ∧ ¬*a* for a process *i* and an assertion *a* at location *u*.
//!
//! Executing the assertion is one more step. What an assertion inside a `d_step` reads is not known before the `d_step` is
//! executed, so there only its location counts. The process may still have to be created; then only control flow counts.

use lurcher_ir::analysis::{Access, ControlFlow, Distances};
use lurcher_ir::{ActionKind, LocationId, ProcessType, ProcessTypeId};
use lurcher_system::{Interpreter, ProcessId};

use super::build::Builder;
use super::estimate::View;
use super::sites::Sites;
use super::{Formula, INFINITE};
use crate::combination::StateForm;
use crate::goals::{GoalSet, Target, can_fail};
use crate::local_distance::LocalDistance;

/// The assertions of a model.
#[derive(Debug)]
pub(super) struct Assertions {
    /// By process type.
    sites: Vec<Sites>,
    /// By process type: distances from assertions in processes that are still to be created.
    created: Vec<Distances>,
}

impl Assertions {
    pub fn of(interpreter: &Interpreter<'_>, builder: &Builder<'_>) -> Self {
        let types = || builder.model.process_types.iter();
        let flows: Vec<ControlFlow<'_>> = types().map(|ty| ControlFlow::new(ty, None)).collect();
        let sites = flows.iter().map(|flow| Sites::new(flow, failures(builder, flow.process_type())));
        Assertions { sites: sites.collect(), created: creations(interpreter, &flows) }
    }

    pub fn sites(&self) -> &[Sites] {
        &self.sites
    }

    /// The greatest distance to the creation of a process with an assertion.
    pub fn farthest_creation(&self) -> u32 {
        self.created.iter().filter_map(Distances::max).max().unwrap_or(0)
    }

    /// The estimated steps until an assertion has failed.
    pub fn estimate(&self, view: &View<'_, '_>) -> u32 {
        let of_process = |p: ProcessId| {
            let (ty, location) = (view.state.process_type(p).0 as usize, view.state.location(p));
            let view = View { reader: Some(p), ..*view };
            let own = self.sites[ty].estimate(&view, location).saturating_add(1);
            own.min(self.created[ty].of(location).unwrap_or(INFINITE))
        };
        (0..view.state.process_count()).map(|p| of_process(ProcessId(p))).min().unwrap_or(INFINITE)
    }
}

/// The negated conditions of the assertions of a process type, at their locations.
fn failures(builder: &Builder<'_>, process_type: &ProcessType) -> Vec<(LocationId, Formula)> {
    let mut found = Vec::new();
    for (number, location) in process_type.locations.iter().enumerate() {
        for branch in &location.branches {
            let kind = &process_type.action(branch.action).kind;
            if can_fail(kind) {
                let condition = match kind {
                    ActionKind::Assert(e) => builder.truth(e, false),
                    _ => Formula::constant(true),
                };
                found.push((LocationId(number as u16), condition));
            }
        }
    }
    found
}

/// By process type, the steps to a failed assertion of a process that is still to be created.
fn creations(interpreter: &Interpreter<'_>, flows: &[ControlFlow<'_>]) -> Vec<Distances> {
    let model = interpreter.model();
    let local = LocalDistance::states(interpreter, &Target::Assertion, StateForm::Min, GoalSet::Complete);
    let from_start = |ty: ProcessTypeId| {
        let steps = local.table(LocationId(0), ty).at(model.process_type(ty).initial);
        Some(steps).filter(|&steps| steps < local.far())
    };
    let distances = |flow: &ControlFlow<'_>| {
        flow.distances(
            |_| None,
            |edge| {
                let created = Access::of_kind(&flow.action(edge).kind, None).creates;
                created.into_iter().filter_map(from_start).min()
            },
        )
    };
    flows.iter().map(distances).collect()
}
