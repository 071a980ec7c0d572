//! The portfolio of `hunt`: which kinds of walks are made when nobody says.

use lurcher_guide::Guide;
use lurcher_ir::Model;
use lurcher_search::{Bias, Guidance, Kind, Member, Scores, Selection, WalkPlan};

use crate::guides::NamedGuide;

/// Walks in a chain, where each starts inside the one before.
pub(crate) const CHAIN: u32 = 16;

/// The depth that growing walks start with: enough for every process to do something.
fn first_depth(model: &Model) -> u32 {
    (32 * (model.initial_processes.len() as u32 + 1)).clamp(64, 100_000)
}

/// Everything: walks by both selections, trails, chains, and for each guide a walk and a trail; none deeper than that.
pub(crate) fn portfolio<'m, 'a>(model: &Model, guides: &'a [NamedGuide<'m>], depth: u32) -> Vec<Member<'a, Guide<'m>>> {
    let growing_from = Some(first_depth(model));
    let member = |name: &str, plan: WalkPlan| Member { name: name.to_owned(), plan, growing_from, guide: None };
    let walk = WalkPlan { depth, ..WalkPlan::default() };
    let all = WalkPlan { selection: Selection::AllChildren, ..walk };
    let trail = WalkPlan { kind: Kind::Trail, ..walk };
    let mut members = vec![
        member("walk", walk),
        member("trail", trail),
        member("walk, all children", all),
        member("walk, restarting", WalkPlan { chain: CHAIN, ..walk }),
    ];
    for NamedGuide { name, guide, .. } in guides {
        let selection = match guide.scores() {
            Scores::Steps => Selection::TryAChild,
            Scores::States => Selection::AllChildren,
        };
        for (kind, word) in [(Kind::Walk, "walk"), (Kind::Trail, "trail")] {
            let plan = WalkPlan { kind, selection, bias: Bias::Steep, ..walk };
            let guided = Some((name.as_str(), guide));
            members.push(Member { guide: guided, ..member(&format!("{word}, {name}"), plan) });
        }
    }
    members
}
