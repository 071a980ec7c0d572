//! Goals under a claim: what enables the claim's next step towards acceptance.
//!
//! At each location of the claim, the guards of the branches that lead nearer to an accepting location (from an accepting
//! one, of those on a shortest path back to one) have to become true. The claim's end counts as accepting.

use lurcher_ir::analysis::{ControlFlow, Distances};
use lurcher_ir::{ActionKind, LocationId, Model, ProcessTypeId};
use lurcher_search::Claim;

use super::{Goals, expression};

pub(super) fn goals(model: &Model, claim: Claim) -> Vec<Goals> {
    let mut always = Goals::none(model);
    if claim.counts_system() {
        expression::accepting(model, &mut always);
    }
    let Some(id) = claim.process_type() else { return vec![always] };
    let process_type = model.process_type(id);
    let flow = ControlFlow::new(process_type, None);
    let distances = claim_distances(model, id);
    let stage = |location: usize| {
        let from = LocationId(location as u16);
        let mut goals = always.clone();
        let nearest = flow.outgoing(from).filter_map(|e| e.target.and_then(|t| distances.of(t))).min();
        for edge in flow.outgoing(from) {
            let leads = edge.target.and_then(|t| distances.of(t)) == nearest && nearest.is_some();
            if leads && let ActionKind::Guard(e) = &flow.action(edge).kind {
                expression::add(model, e, true, &mut goals);
            }
        }
        goals
    };
    (0..process_type.locations.len()).map(stage).collect()
}

/// By location, the steps of the claim to an accepting location.
pub(crate) fn claim_distances(model: &Model, claim: ProcessTypeId) -> Distances {
    let process_type = model.process_type(claim);
    let flow = ControlFlow::new(process_type, None);
    let accepts = |l: LocationId| {
        let location = process_type.location(l);
        (location.accept || location.end).then_some(0)
    };
    flow.distances(accepts, |_| None)
}
