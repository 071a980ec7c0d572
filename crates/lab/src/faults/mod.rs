//! Seeded faults, after the study of Owen, Menzies, Heimdahl and Gao (2003).
//!
//! Faults are seeded into a model, complete verification (the judge) decides which properties each mutant violates, and every
//! engine is measured by how many of these violations it finds. An engine that contradicts the judge has a bug. A mutant
//! that violates nothing is no fault. Properties that the model violates without a fault are left out.

mod conduct;
mod findings;
mod plots;
mod report;
mod tables;
mod trial;

use std::time::Duration;

use lurcher::engines::{Info, engine};
use lurcher_smv::mutate::FaultKind;
use lurcher_syntax::Span;

use crate::spec::Head;

pub use conduct::conduct_faults;

/// A study of seeded faults.
#[derive(Clone, Debug)]
pub struct FaultStudy {
    pub head: Head,
    /// The model without faults, an SMV file.
    pub model: (String, Span),
    /// The number of mutants.
    pub count: u64,
    /// The seed of the mutants.
    pub seed: u64,
    /// Kinds of faults, used in turn.
    pub kinds: Vec<FaultKind>,
    /// Names of properties; none means all invariants and LTL formulas.
    pub properties: Option<Vec<(String, Span)>>,
    /// The engines that are measured, by their entries in the registry.
    pub engines: Vec<&'static Info>,
    /// Runs of each engine that has a seed; run *i* has seed *i*.
    pub runs: u64,
    /// The budget of each run of an engine.
    pub effort: Effort,
    /// Time for each property of a mutant, for the judge.
    pub judge_time: Duration,
    /// Whether the faulty models are kept with the results.
    pub keep: bool,
}

/// The budget of a run. Results do not depend on the machine unless the time runs out.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Paths of each LURCH search; walks or trails for each property.
    pub paths: u64,
    /// Steps of a path.
    pub depth: u32,
    /// Repeated states that end a path of LURCH.
    pub repeats: u32,
    pub time: Duration,
    /// Bytes.
    pub memory: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { paths: 100, depth: 1000, repeats: 2, time: Duration::from_secs(60), memory: 2 << 30 }
    }
}

/// The engines of this build that a study can measure, LURCH first. LURCH watches all properties at once, the others one
/// property at a time.
pub(crate) fn engines() -> Vec<&'static Info> {
    ["lurch", "walk", "trail", "bfs", "bdd"].into_iter().filter_map(engine).map(|engine| engine.info()).collect()
}
