//! Claims: the guards of the claim's next step towards acceptance or its end.

use lurcher_ir::analysis::ControlFlow;
use lurcher_ir::{ActionKind, LocationId, ProcessTypeId};

use super::Formula;
use super::build::Builder;
use crate::goals::claim_distances;

/// What a location of a claim needs.
#[derive(Debug)]
pub(super) struct ClaimStage {
    /// The steps of the claim to an accepting location; none if it reaches none.
    pub ahead: Option<u32>,
    /// The guards of the steps that lead nearer.
    pub guard: Formula,
}

/// By location of the claim.
pub(super) fn stages(builder: &Builder<'_>, claim: ProcessTypeId) -> Vec<ClaimStage> {
    let process_type = builder.model.process_type(claim);
    let flow = ControlFlow::new(process_type, None);
    let distances = claim_distances(builder.model, claim);
    let stage = |from: LocationId| {
        let ahead = distances.of(from);
        if process_type.location(from).end {
            return ClaimStage { ahead, guard: Formula::constant(true) };
        }
        let target = |edge: &lurcher_ir::analysis::Edge| edge.target.and_then(|t| distances.of(t));
        let nearest = flow.outgoing(from).filter_map(target).min();
        let leading = flow.outgoing(from).filter(|edge| nearest.is_some() && target(edge) == nearest);
        let guard = leading.map(|edge| match &flow.action(edge).kind {
            ActionKind::Guard(e) => builder.truth(e, true),
            _ => Formula::constant(true),
        });
        ClaimStage { ahead, guard: Formula::Any(guard.collect()) }
    };
    process_type.location_ids().map(stage).collect()
}
