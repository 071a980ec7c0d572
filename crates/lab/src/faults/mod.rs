//! Seeded faults: which engines notice them?
//!
//! After the study of Owen, Menzies, Heimdahl and Gao (2003): faults are seeded into a model, complete verification says
//! which properties each of them violates, and every engine is then measured by how much of that it finds. Complete
//! verification is the judge: what it says is true, so an engine that reports a violation of a property that holds has
//! a bug. A mutant that violates nothing is no fault, and a property that the model violates without any fault tells
//! nothing about faults and is left out.

mod conduct;
mod pictures;
mod report;
mod tables;
mod tally;
mod trial;

use std::path::PathBuf;
use std::time::Duration;

use lurcher_smv::mutate::FaultKind;
use lurcher_syntax::Span;

pub use conduct::conduct_faults;

/// What a study of seeded faults is about.
#[derive(Clone, Debug)]
pub struct FaultStudy {
    /// The heading of the results.
    pub title: String,
    /// What it is about, in a few lines.
    pub about: String,
    /// The folder of the file: the model is named relative to it.
    pub folder: PathBuf,
    /// The model without faults, an SMV file.
    pub model: (String, Span),
    /// Mutants to make.
    pub count: u64,
    /// What chooses them.
    pub seed: u64,
    /// Kinds of faults, which take turns.
    pub kinds: Vec<FaultKind>,
    /// Names of properties; none means all invariants and LTL formulas.
    pub properties: Option<Vec<(String, Span)>>,
    /// What is measured.
    pub engines: Vec<FaultEngine>,
    /// Runs of each engine that has a seed; run *i* has seed *i*.
    pub runs: u64,
    /// What each run of an engine may use.
    pub effort: Effort,
    /// Time for each property of a mutant, for the judge.
    pub judge_time: Duration,
    /// Keep the faulty models with the results.
    pub keep: bool,
}

/// What a run may use. Paths, depth and repeats are counted, so that what is found does not depend on the machine
/// unless the time is up.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Paths of LURCH in each of its searches, and walks or trails for each property.
    pub paths: u64,
    /// Steps of a path.
    pub depth: u32,
    /// Repeated states that end a path of LURCH.
    pub repeats: u32,
    /// Time.
    pub time: Duration,
    /// Bytes.
    pub memory: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { paths: 100, depth: 1000, repeats: 2, time: Duration::from_secs(60), memory: 2 << 30 }
    }
}

/// An engine that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultEngine {
    /// LURCH, all properties at once.
    Lurch,
    /// Random walks, one property at a time.
    Walk,
    /// Random trails, one property at a time.
    Trail,
    /// Breadth-first search, state by state.
    Bfs,
    /// Symbolic reachability.
    Bdd,
}

impl FaultEngine {
    /// All of them.
    pub const ALL: [FaultEngine; 5] =
        [FaultEngine::Lurch, FaultEngine::Walk, FaultEngine::Trail, FaultEngine::Bfs, FaultEngine::Bdd];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            FaultEngine::Lurch => "lurch",
            FaultEngine::Walk => "walk",
            FaultEngine::Trail => "trail",
            FaultEngine::Bfs => "bfs",
            FaultEngine::Bdd => "bdd",
        }
    }

    /// Does a seed change what it does? Others are run once.
    pub fn is_random(self) -> bool {
        matches!(self, FaultEngine::Lurch | FaultEngine::Walk | FaultEngine::Trail)
    }
}
