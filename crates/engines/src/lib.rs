//! A job: model, property, engine and budget in, verdict out.
//!
//! [`load()`] reads a model; a [`Job`] checks properties of it. Every violation is replayed by the interpreter before it
//! is reported, and `holds` is only said after a complete search with exact storage.

mod analysis;
mod asked;
mod claims;
mod confirm;
mod diagrams;
mod exec;
mod execute;
mod guided;
mod guides;
mod hunt;
mod job;
mod load;
mod partial_order;
mod portfolio;
mod quarry;
mod recommend;
pub mod reduce;
mod relation;
mod runner;
mod saved;
mod search;
mod verdict;
mod walk_report;

pub use analysis::{GuideAnalysis, ProcessSummary, Sample, TargetAnalysis, analyse, graphs, processes};
pub use asked::{AskError, Asked};
pub use diagrams::{DiagramHunt, droppable};
pub use exec::{Exec, Executor};
pub use guided::{StateGuide, SymbolicHunter};
pub use guides::{GuideError, GuideKind, GuideSettings, NamedGuide, Origin};
pub use hunt::{HuntJob, Hunted, Pack};
pub use job::{Engine, Job, JobError, MINIMISE, safety};
pub use load::{Language, LoadError, LoadOptions, Loaded, LoadedModel, load, load_model, load_text};
pub use portfolio::PORTFOLIO_GUIDES;
pub use quarry::Quarry;
pub use recommend::{Recommendation, Recommended, guided_symbolic};
pub use relation::{
    LoadedRelation, LurchCurve, Sets, StateEngine, StateHunt, StateHunted, StateHunter, StateJob, shows,
};
pub use saved::{SavedHunt, SavedProperty, SavedWalks};
pub use verdict::{Bound, Counterexample, MemberReport, ProcessTrace, Report, Times, Trace, Verdict, WalkReport};
