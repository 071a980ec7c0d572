//! Searches through the states of a model.
//!
//! A [`Space`] is the graph that is searched: the states of a model, or their product with a claim, or the states of a
//! relation. Every search is generic over it, so that expansion is written once and only the frontier differs: [`dfs`]
//! and [`bfs`] look for bad states, [`nested_dfs`] for accepting cycles, the last two on many threads as well;
//! [`lossy_dfs`] looks for both and keeps less than a [`Store`] does; [`fair_run`] looks for fair runs of a relation.
//! Walks move a [`Position`] of a [`WalkDomain`]: a [`Hunt`] makes many of them, [`lurch`] watches every property in one
//! search. What a search is allowed to use is a [`Budget`]; what stops it is a [`StopReason`]; who watches it is an
//! [`Observer`].

mod budget;
mod claim_table;
mod coverage;
mod dfs;
mod graph;
mod guidance;
mod hunt;
mod lossy;
mod lurch;
mod nested_dfs;
mod outcome;
mod product;
mod recall;
mod reduction;
mod relation;
mod shared;
mod space;
mod stack;
mod store;
mod system;
#[cfg(test)]
mod test_size;
mod walk;

pub use budget::{Budget, Observer, Progress, StopReason};
pub use claim_table::ClaimTable;
pub use coverage::Coverage;
pub use dfs::dfs;
pub use guidance::{Guidance, Scores};
pub use hunt::{Advance, Hunt, HuntPlan, HuntState, Member, MemberStats, ProcessHunt, Seen};
pub use lossy::lossy_dfs;
pub use lurch::{LurchFound, LurchPlan, LurchReport, Saturation, lurch};
pub use nested_dfs::nested_dfs;
pub use outcome::{Found, FoundKind, Outcome, Stats};
pub use product::{Claim, Product};
pub use reduction::Reduction;
pub use relation::{FairOutcome, RelationSpace, RelationStep, fair_run};
pub use shared::{Offspring, bfs, bfs_on, nested_dfs_on};
pub use space::{Edge, NodeInfo, Space, Step};
pub use store::{Batch, Cut, SharedStore, StateId, Storage, Store, StoreFull, TOGETHER, Unfolded};
pub use system::System;
pub use walk::{
    Bias, Choice, Chosen, Covers, DEPTH, Draws, End, Keep, Kind, Objective, Position, ProcessPosition, Processes,
    RelationCoverage, RelationDomain, RelationGuidance, RelationObjective, RelationPosition, Selection, UNBOUNDED,
    Until, Visited, WalkDomain, WalkPlan, Walked, Walker,
};
