//! What can be said about walks when they are over.

use std::collections::BTreeMap;

use lurcher_search::{Hunt, WalkDomain};

use crate::verdict::{Bound, MemberReport, WalkReport};

/// The confidence of bounds.
const CONFIDENCE: f64 = 0.95;
/// Bounds are given for the greatest depth that at least so many walks had, and for the depth that all had.
const ENOUGH_WALKS: u64 = 100;

/// What the walks of a hunt came to; `winner` is the unit and the member that found something.
pub(crate) fn walk_report<D: WalkDomain>(
    hunt: &Hunt<D>,
    winner: Option<(u64, usize)>,
    first: u64,
    rate: f64,
) -> WalkReport {
    let state = &hunt.state;
    let members: Vec<MemberReport> = hunt
        .members()
        .iter()
        .zip(&state.members)
        .map(|(member, stats)| MemberReport {
            name: member.name.clone(),
            walks: stats.walks,
            steps: stats.steps,
            new_states: stats.new_states,
            best: stats.best,
        })
        .collect();
    let plain = || hunt.members().iter().zip(&state.members).filter(|(m, _)| m.is_plain());
    let plain_walks: u64 = plain().map(|(_, s)| s.looked_walks).sum();
    let bounds = match winner {
        Some(_) => Vec::new(),
        None => plain().flat_map(|(m, s)| bounds(&m.name, &s.depths)).collect(),
    };
    WalkReport {
        winner: winner.map(|(_, m)| hunt.members()[m].name.clone()),
        unit: winner.map(|(u, _)| u),
        units: state.next - first,
        walks: state.walks,
        looked_walks: state.members.iter().map(|m| m.looked_walks).sum(),
        steps: state.steps,
        rate,
        tries: state.tries,
        depth: state.depth,
        distinct: state.seen.distinct(),
        exact: state.seen.is_exact(),
        members,
        bounds,
        new_states_per_walk: (plain_walks > 0).then(|| state.seen.singles() as f64 / plain_walks as f64),
    }
}

/// A walk of some depth is, up to a smaller one, a walk of that depth: so many walks count for each depth.
fn bounds(member: &str, depths: &BTreeMap<u32, u64>) -> Vec<Bound> {
    let at_least = |depth: u32| -> u64 { depths.range(depth..).map(|(_, n)| n).sum() };
    let Some(&all) = depths.keys().next() else { return Vec::new() };
    let deep = depths.keys().copied().filter(|&d| at_least(d) >= ENOUGH_WALKS).max().unwrap_or(all);
    let mut chosen = vec![deep, all];
    chosen.dedup();
    chosen.into_iter().map(|depth| Bound::after(member, depth, at_least(depth), CONFIDENCE)).collect()
}
