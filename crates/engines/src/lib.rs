//! Engines: everything that answers whether a property holds.
//!
//! [`ENGINES`] is the registry. An engine is given a [`Model`] (a process model or a relation of [`lurcher_ir`], or a type of the
//! user's own), properties and a [`Task`], and returns [`Report`]s. Every violation is replayed by the interpreter before it is
//! reported, and `holds` is only said after a complete search with exact storage.

mod analysis;
mod cycles;
mod directed;
mod engine;
mod engines;
mod error;
mod options;
mod own;
mod portfolio;
mod processes;
mod recommend;
mod relation;
mod report;
mod saved;
mod shorten;
#[cfg(feature = "symbolic")]
mod symbolic_goal;
mod system;
mod timed;
mod walks;

pub use analysis::{
    GuideAnalysis, ProcessSummary, Sample, TargetAnalysis, analyse, control_flow_graphs, process_summaries,
};
pub use directed::Direction;
pub use engine::{Checked, Engine, Goal, Info, MINIMISE, Run, Saving, Task};
pub use engines::{ENGINES, check_with, engine, parameters, refuse_unread, walk_plan};
pub use error::EngineError;
pub use lurcher_search::{SETTINGS, Semantics, Setting, StopReason};
pub use options::*;
pub use own::{Executed, HEURISTIC_MAX, Own, OwnStep, OwnTrace, StateMachine, replay as replay_own};
pub use processes::{Exec, Executor, ProcessSystem, prepare};
pub use recommend::{Recommendation, guided_symbolic};
pub use relation::{PreparedProperties, RelationSystem, evidence};
pub use report::{
    Answer, Bound, Counterexample, LurchCurve, MemberReport, Polyhedra, ProcessTrace, Report, Sets, Times, Trace,
    TrialReport, Verdict, WalkReport,
};
pub use saved::{SavedHunt, SavedProperty};
pub use shorten::shorten;
#[cfg(feature = "symbolic")]
pub use symbolic_goal::{GoalStates, SymbolicAnswer, SymbolicGoal};
pub use system::{Confirmed, Minimise, Model, Search, Shape, System};
pub use timed::{SetSearch, TimedTrace};
