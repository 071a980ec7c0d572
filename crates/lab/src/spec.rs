//! What an experiment's file says, before any model is read.

use std::path::PathBuf;
use std::time::Duration;

use crate::report::Axes;
use lurcher::Question;
use lurcher::engines::Parameter;
use lurcher_syntax::Span;

/// A whole file.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The heading of the results.
    pub title: String,
    /// What it is about, in a few lines.
    pub about: String,
    /// The folder of the file: models are named relative to it.
    pub folder: PathBuf,
    /// Its parts.
    pub series: Vec<Series>,
}

/// One table: a cross product of choices.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name, which is also that of its files.
    pub name: String,
    /// The heading of its tables.
    pub title: String,
    /// The macro whose value is the size; without one, the first that has several values.
    pub size: Option<String>,
    /// The quantities that have a table.
    pub show: Vec<Metric>,
    /// The quantities that have a plot.
    pub plots: Vec<Plot>,
    /// Which axes of the plots are logarithmic.
    pub log: Axes,
    /// Numbers from elsewhere that stand beside the measured ones.
    pub references: Vec<Reference>,
    /// What is varied.
    pub choices: Choices,
    /// Where it is written.
    pub span: Span,
}

impl Series {
    /// The macro whose value is the size.
    pub fn size_name(&self) -> Option<&str> {
        let several =
            || self.choices.defines.iter().find(|(_, values)| values.len() > 1).map(|(name, _)| name.as_str());
        self.size.as_deref().or_else(several)
    }
}

/// What is varied in a series; every list has at least one element.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Files, as written.
    pub models: Vec<(String, Span)>,
    /// Macros and their values.
    pub defines: Vec<(String, Vec<String>)>,
    /// What is asked.
    pub properties: Vec<(Question, Span)>,
    /// The engines, by their names in the registry.
    pub engines: Vec<&'static str>,
    /// Values of engine parameters.
    pub options: Vec<(&'static Parameter, Vec<String>)>,
    /// Where a walk ends.
    pub depths: Vec<Depth>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// Shorten what is found?
    pub minimise: Vec<bool>,
    /// What a trial may use.
    pub limits: Limits,
    /// Run Spin as well, with these limits.
    pub spin: Option<SpinLimits>,
    /// Run NuSMV as well, with these limits.
    pub nusmv: Option<PeerLimits>,
    /// Which traces are kept.
    pub traces: Traces,
    /// Write down how many branches were tested before each step.
    pub tries: bool,
}

/// What a trial may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Walks.
    pub walks: Option<u64>,
    /// Time.
    pub time: Duration,
    /// Bytes.
    pub memory: u64,
    /// States stored; only complete searches store them.
    pub states: Option<u64>,
}

/// What NuSMV may use.
#[derive(Clone, Debug)]
pub struct PeerLimits {
    /// Time for everything, reading included.
    pub time: Duration,
    /// Bytes.
    pub memory: u64,
}

/// What Spin's verifier may use.
#[derive(Clone, Debug)]
pub struct SpinLimits {
    /// Time for the search.
    pub time: Duration,
    /// Bytes.
    pub memory: u64,
    /// Its `-m`.
    pub depth: u32,
}

/// Where a walk ends, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth {
    /// The text: a number, `none`, or an expression over `processes` and macros.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// Which traces are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traces {
    /// One for every violation.
    All,
    /// One for each size and configuration: the first.
    First,
    /// None.
    None,
}

/// A plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plot {
    /// The mean of a quantity against the size.
    Mean(Metric),
    /// The share of trials that have found something by a time, for the largest size.
    Times,
}

/// Numbers from elsewhere, by size.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Whose they are.
    pub name: String,
    /// What they measure.
    pub metric: Metric,
    /// Size and number.
    pub values: Vec<(String, f64)>,
}

/// A quantity that trials measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Walks made.
    Walks,
    /// Steps taken, or transitions of a complete search.
    Steps,
    /// Branches tested for each step.
    TriesPerStep,
    /// Seconds of search and of making guides.
    Time,
    /// Seconds of search alone.
    SearchTime,
    /// Seconds of making guides.
    GuideTime,
    /// Seconds of everything, shortening and compiling included.
    TotalTime,
    /// Length of the trace when it was found.
    Found,
    /// Length of the trace that is reported.
    Reported,
    /// Distinct states.
    States,
    /// Bytes of the store.
    Memory,
}

impl Metric {
    /// All of them.
    pub const ALL: [Metric; 11] = [
        Metric::Walks,
        Metric::Steps,
        Metric::TriesPerStep,
        Metric::Time,
        Metric::SearchTime,
        Metric::GuideTime,
        Metric::TotalTime,
        Metric::Found,
        Metric::Reported,
        Metric::States,
        Metric::Memory,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Walks => "walks",
            Metric::Steps => "steps",
            Metric::TriesPerStep => "tries-per-step",
            Metric::Time => "time",
            Metric::SearchTime => "search-time",
            Metric::GuideTime => "guide-time",
            Metric::TotalTime => "total-time",
            Metric::Found => "found-length",
            Metric::Reported => "length",
            Metric::States => "states",
            Metric::Memory => "memory",
        }
    }

    /// What stands above its tables and beside its axis.
    pub fn title(self) -> &'static str {
        match self {
            Metric::Walks => "walks",
            Metric::Steps => "steps",
            Metric::TriesPerStep => "branches tested per step",
            Metric::Time => "time to find, in ms",
            Metric::SearchTime => "time of the search alone, in ms",
            Metric::GuideTime => "time to make the guide, in ms",
            Metric::TotalTime => "time in all, in ms",
            Metric::Found => "length as found",
            Metric::Reported => "length as reported",
            Metric::States => "distinct states",
            Metric::Memory => "memory of the store, in MB",
        }
    }
}
