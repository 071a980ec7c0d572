//! Searches through the states of a model.
//!
//! A [`Space`] is the graph that is searched: the states of a model ([`StateGraph`]), their product with a claim
//! ([`Product`]), or the states of a relation ([`RelationSpace`]). Every search is generic over it. [`dfs`] and [`bfs`] search
//! for bad states, [`nested_dfs`] for accepting cycles, the last two on several threads as well; [`lossy_dfs`] searches for
//! both with hash-compact or bitstate storage; [`AStarNested`], [`BestFirst`] and [`IterativeDeepening`] follow a heuristic; [`fair_run`] searches for fair runs of a relation. Partial-order reduction
//! ([`AmpleMoves`]), chain merging ([`AtomicChains`]) and the transition cache ([`CachedExpansion`]) are layers around
//! [`StateGraph`]. Walks move a [`Position`] of a [`WalkDomain`]: a [`Hunt`] makes many of them, [`lurch`] checks every
//! property in one search. A [`Budget`] limits a search, a [`StopReason`] says why it stopped, an [`Observer`] receives its
//! progress.

mod budget;
mod claim_table;
mod coverage;
mod dfs;
mod directed;
mod guidance;
mod hunt;
mod lurch;
mod outcome;
mod parallel;
mod prepared;
mod product;
mod reduction;
mod relation;
mod space;
mod state_graph;
mod store;
#[cfg(test)]
mod test_size;
mod transition_cache;
mod walk;

pub use budget::{Budget, BudgetMeter, Observer, Phase, Progress, StopReason};
pub use claim_table::ClaimTable;
pub use coverage::Coverage;
pub use dfs::{Nesting, dfs, lossy_dfs, nested_dfs, random_dfs};
pub use directed::{
    AStarNested, BestFirst, Guided, IterativeDeepening, NodeHeuristic, Priority, Ties, Trial, TrialCounts, Trials,
};
pub use guidance::{Guidance, History, Scores};
pub use hunt::{Advance, Hunt, HuntPlan, HuntState, Member, MemberStats, Seen};
pub use lurch::{LurchFound, LurchPlan, LurchReport, Saturation, lurch};
pub use outcome::{Found, FoundKind, Outcome, Stats};
pub use parallel::{SuccessorBatch, bfs, bfs_on, nested_dfs_on};
pub use prepared::{
    CONE, Prepared, PreparedRelation, RelationGoal, SETTINGS, Semantics, Setting, TooLarge, observed_terms,
};
pub use product::{CachedProduct, Claim, Product};
pub use reduction::AmpleMoves;
pub use relation::{FairOutcome, RelationSpace, RelationStep, fair_run};
pub use space::{ClaimComponent, Edge, Expander, NodeClass, NodeInfo, Space, StateSpace, Step};
pub use state_graph::{AllMoves, AtomicChains, CachedExpansion, CachedSelection, MoveSelection, StateGraph};
pub use store::{Partition, StateId, Storage, Store, StoreFull};
pub use walk::{
    Bias, Choice, Chosen, Covers, DEPTH, Draws, End, Keep, Kind, Objective, Position, ProcessPosition, Processes,
    RelationCoverage, RelationDomain, RelationGuidance, RelationObjective, RelationPosition, SPLITMIX_STEP, Selection,
    UNBOUNDED, Until, Visited, WalkDomain, WalkPlan, Walked, Walker, splitmix64,
};
