//! What an experiment's file says, before any model is read.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::report::Axes;
use lurcher::Question;
use lurcher::engines::Parameter;
use lurcher_syntax::Span;

/// An experiment of trials.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What the file says about itself.
    pub head: Head,
    /// Its parts, one table each.
    pub series: Vec<Series>,
    /// Tests between two techniques.
    pub comparisons: Vec<Comparison>,
}

/// What a file says about itself.
#[derive(Clone, Debug)]
pub struct Head {
    /// The heading of the results; the name of the file where it has no title.
    pub title: String,
    /// A description in a few lines.
    pub about: String,
    /// The folder of the file. Models are relative to it.
    pub folder: PathBuf,
}

impl Head {
    /// That of a file without title and description.
    pub fn new(path: &Path) -> Head {
        let title = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        Head { title, about: String::new(), folder: path.parent().map(Path::to_owned).unwrap_or_default() }
    }
}

/// One table: a cross product of choices.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name, which is also that of its files.
    pub name: String,
    pub title: String,
    /// The macro whose value is the size; without one, the first that has several values.
    pub size: Option<String>,
    /// What has a table.
    pub show: Vec<Table>,
    /// The quantities that have a plot.
    pub plots: Vec<Plot>,
    /// Which axes of the plots are logarithmic.
    pub log: Axes,
    /// Numbers from elsewhere that stand beside the measured ones.
    pub references: Vec<Reference>,
    pub choices: Choices,
    pub span: Span,
}

impl Series {
    pub fn size_name(&self) -> Option<&str> {
        let several =
            || self.choices.defines.iter().find(|(_, values)| values.len() > 1).map(|(name, _)| name.as_str());
        self.size.as_deref().or_else(several)
    }
}

/// Two techniques on the same subjects: models, sizes and properties.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Its name, which is also that of its files.
    pub name: String,
    pub title: String,
    /// The series whose trials take part; all without one.
    pub series: Option<String>,
    /// Patterns that the trials of each technique match.
    pub first: Vec<String>,
    pub second: Vec<String>,
    /// The quantities that are compared.
    pub metrics: Vec<Metric>,
    pub span: Span,
}

/// What is varied in a series; every list has at least one element.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Files, as written.
    pub models: Vec<(String, Span)>,
    pub defines: Vec<(String, Vec<String>)>,
    /// The questions about each model.
    pub properties: Vec<(Question, Span)>,
    /// The engines, by their names in the registry.
    pub engines: Vec<&'static str>,
    /// Values of engine parameters.
    pub options: Vec<(&'static Parameter, Vec<String>)>,
    /// Where a walk ends.
    pub depths: Vec<Depth>,
    pub seeds: Vec<u64>,
    /// Whether traces are shortened.
    pub minimise: Vec<bool>,
    pub limits: Limits,
    /// Run Spin as well, with these limits.
    pub spin: Option<PeerLimits>,
    /// Run NuSMV as well, with these limits.
    pub nusmv: Option<PeerLimits>,
    pub traces: Traces,
    /// Whether the branches tested before each step are written down.
    pub tries: bool,
}

/// The limits of a trial.
#[derive(Clone, Debug)]
pub struct Limits {
    pub walks: Option<u64>,
    pub time: Duration,
    /// Bytes.
    pub memory: u64,
    /// States stored; only complete searches store them.
    pub states: Option<u64>,
}

/// The limits of Spin's verifier or of NuSMV.
#[derive(Clone, Debug)]
pub struct PeerLimits {
    /// Time for the search; for NuSMV including reading.
    pub time: Duration,
    /// Bytes.
    pub memory: u64,
    /// The verifier's `-m`; none for NuSMV.
    pub depth: Option<u64>,
}

/// Where a walk ends, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth {
    /// The text: a number, `none`, or an expression over `processes` and macros.
    pub text: String,
    pub span: Span,
}

/// Which traces are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traces {
    /// One for every violation.
    All,
    /// One for each size and configuration: the first.
    First,
    None,
}

/// A table of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The mean of a quantity, by size and configuration.
    Mean(Metric),
    /// States stored and expanded, transitions and lengths side by side.
    Effort,
    /// The quantities of [`Metric::NORMALISED`] between 0 and 1, and path error density.
    Normalised,
}

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
    /// The source of the numbers.
    pub name: String,
    pub metric: Metric,
    /// Size and number.
    pub values: Vec<(String, f64)>,
}

/// A quantity that trials measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    Walks,
    /// Steps taken, or transitions of a complete search.
    Steps,
    TriesPerStep,
    /// Seconds of search and of making guides.
    Time,
    SearchTime,
    GuideTime,
    /// Seconds of everything, shortening and compiling included.
    TotalTime,
    Found,
    Reported,
    States,
    /// States whose successors were listed.
    Expanded,
    Memory,
}

/// The quantities in the order of their variants: name in files, and heading of tables and axes.
const METRICS: [(Metric, &str, &str); 12] = [
    (Metric::Walks, "walks", "walks"),
    (Metric::Steps, "steps", "steps"),
    (Metric::TriesPerStep, "tries-per-step", "branches tested per step"),
    (Metric::Time, "time", "time to find, in ms"),
    (Metric::SearchTime, "search-time", "time of the search alone, in ms"),
    (Metric::GuideTime, "guide-time", "time to make the guide, in ms"),
    (Metric::TotalTime, "total-time", "time in all, in ms"),
    (Metric::Found, "found-length", "length as found"),
    (Metric::Reported, "length", "length as reported"),
    (Metric::States, "states", "distinct states"),
    (Metric::Expanded, "expanded", "states expanded"),
    (Metric::Memory, "memory", "memory of the store, in MB"),
];

impl Metric {
    /// The metrics of Rungta and Mercer (2007, section 4) beside path error density: states, time, length, memory.
    pub const NORMALISED: [Metric; 4] = [Metric::States, Metric::Time, Metric::Found, Metric::Memory];

    pub fn all() -> impl Iterator<Item = Metric> {
        METRICS.into_iter().map(|(metric, ..)| metric)
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        METRICS[self as usize].1
    }

    /// The heading of its tables and axes.
    pub fn title(self) -> &'static str {
        METRICS[self as usize].2
    }
}
