//! The portfolio of `hunt`: which kinds of walks are made when nobody says.

use lurcher_heuristics::Heuristic;
use lurcher_ir::Model;
use lurcher_search::{Bias, Guidance, Kind, Member, Scores, Selection, WalkPlan};

use crate::guides::{GuideKind, NamedGuide};

/// The guides of a portfolio when nobody says.
pub const PORTFOLIO_GUIDES: [GuideKind; 4] =
    [GuideKind::LocalDistance, GuideKind::LocalDistanceSum, GuideKind::ReducedInstance, GuideKind::PatternDatabase];

/// Walks in a chain, where each starts inside the one before.
pub(crate) const CHAIN: u32 = 16;

/// The depth that growing walks start with: enough for every process to do something.
fn first_depth(model: &Model) -> u32 {
    (32 * (model.initial_processes.len() as u32 + 1)).clamp(64, 100_000)
}

/// The members without a guide: walks by both selections, trails, chains.
pub(crate) fn unguided<'m>(model: &Model, depth: u32) -> Vec<Member<Heuristic<'m>>> {
    let walk = WalkPlan { depth, ..WalkPlan::default() };
    let plans = [
        ("walk", walk),
        ("trail", WalkPlan { kind: Kind::Trail, ..walk }),
        ("walk, all children", WalkPlan { selection: Selection::AllChildren, ..walk }),
        ("walk, restarting", WalkPlan { chain: CHAIN, ..walk }),
    ];
    let growing_from = Some(first_depth(model));
    let member = |(name, plan): (&str, WalkPlan)| Member { name: name.to_owned(), plan, growing_from, guide: None };
    plans.into_iter().map(member).collect()
}

/// The members that follow guides: for each a walk and a trail.
pub(crate) fn guided<'m>(model: &Model, guides: Vec<NamedGuide<'m>>, depth: u32) -> Vec<Member<Heuristic<'m>>> {
    let growing_from = Some(first_depth(model));
    let mut members = Vec::new();
    for NamedGuide { name, guide, .. } in guides {
        let selection = match guide.scores() {
            Scores::Steps => Selection::TryAChild,
            Scores::States => Selection::AllChildren,
        };
        // Goal paths have scores far apart: halving would leave no choice at all.
        let bias = match &*guide {
            Heuristic::ReducedInstance(_) => Bias::Linear,
            _ => Bias::Steep,
        };
        for (kind, word) in [(Kind::Walk, "walk"), (Kind::Trail, "trail")] {
            let plan = WalkPlan { kind, selection, bias, depth, ..WalkPlan::default() };
            let guide = Some((name.clone(), guide.clone()));
            members.push(Member { name: format!("{word}, {name}"), plan, growing_from, guide });
        }
    }
    members
}
