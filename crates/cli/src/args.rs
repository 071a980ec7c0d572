//! The command line: every flag in one place.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lurcher_engines::{Exec, GuideKind};
use lurcher_lab::units::{duration, size};

/// lurcher: hunts for errors in formal models, and proves them right when it can
#[derive(Debug, Parser)]
#[command(name = "lurcher", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Look for a violation: random walks, guided and not, until something is found or the budget is used up
    ///
    /// Without --engine it looks at the first few thousand states exhaustively, then makes walks of many kinds at once
    /// and gives more steps to those that pay. What it finds is made short before it is shown. Walk i of a seed is the
    /// same walk on every machine, and the answer does not depend on --jobs.
    #[command(after_help = "Examples:
  lurcher hunt models/promela/philosophers.pml
  lurcher hunt model.pml --define N=70 --time 5m
  lurcher hunt model.pml --ltl '[] (request -> <> grant)'
  lurcher hunt model.pml --engine walk --guide local-distance --walks 2020 --depth 5000
  lurcher hunt model.pml --time 1h --save night.json; lurcher hunt model.pml --time 1h --resume night.json

Exit status: 0 no violation found, 1 violation found, 2 bad input, 3 out of memory or interrupted, 101 a bug in lurcher")]
    Hunt(Box<HuntArgs>),
    /// Search completely: prove or refute
    ///
    /// Without --property, checks end states and assertions, then every `ltl` block and never claim of the model.
    #[command(after_help = "Examples:
  lurcher verify model.pml
  lurcher verify model.pml --property liveness --fair
  lurcher verify model.pml --no-claims --all-errors --json
  lurcher verify model.pml --property non-progress --trail model.pml.trail

Exit status: 0 holds, 1 violated, 2 bad input, 3 stopped by a limit, 101 a bug in lurcher")]
    Verify(VerifyArgs),
    /// Run the model once, at random or step by step
    #[command(after_help = "Examples:
  lurcher simulate model.pml --seed 7 --steps 200
  lurcher simulate model.pml --interactive

Exit status: 0 the run ended, 1 it met a violation, 2 bad input")]
    Simulate(SimulateArgs),
    /// Say what a model is, how good the guides to its violations are and which engine to use
    ///
    /// Prints the process types, which variables matter to each property and how closely, which processes can take part
    /// in a violation, for each guide how well it ranks states by their true distance from a violation, and the engine to
    /// use with the reason. Distances are exact for small models; --define makes a model small.
    #[command(after_help = "Examples:
  lurcher analyze model.pml
  lurcher analyze model.pml --define N=3 --property assertion
  lurcher analyze model.pml --guide reduced-instance --save-guide model.guide
  lurcher analyze model.pml --dot graphs && dot -Tsvg graphs/P.dot > P.svg

Exit status: 0 done, 2 bad input")]
    Analyze(AnalyzeArgs),
    /// Execute a trace again, check it and show it
    ///
    /// Takes lurcher's JSON traces and Spin's trail files, with merged statements or without.
    #[command(after_help = "Examples:
  lurcher replay model.pml model.pml.trail
  lurcher replay model.pml trace.json --json

Exit status: 0 it replays and violates nothing, 1 it shows a violation, 2 it does not replay")]
    Replay(ReplayArgs),
    /// Run many trials: sizes × engines × guides × seeds, with tables, statistics and plots
    ///
    /// A TOML file says what is varied; docs/experiments.md describes it. The results are a folder with README.md
    /// (tables, plots, the machine), trials.csv (one row for each trial) and the traces of what was found. Each trial
    /// runs on one thread; what it counts does not depend on --jobs.
    #[command(after_help = "Examples:
  lurcher experiment bench/thesis/philosophers.toml --out results
  lurcher experiment bench/thesis/*.toml --out results --jobs 2
  lurcher experiment night.toml --out results --resume
  lurcher experiment night.toml --out results --trials-only N=10 --trials-only 'guide=local*'

Exit status: 0 the trials ran, 2 bad input, 3 interrupted, 101 a trial showed a bug in lurcher")]
    Experiment(ExperimentArgs),
}

/// Arguments of `experiment`.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The experiments
    #[arg(required = true, value_name = "FILE.toml")]
    pub files: Vec<PathBuf>,
    /// Where the results go; with several files, each has a folder of its name in there
    #[arg(long, value_name = "DIR", default_value = "experiment-results")]
    pub out: PathBuf,
    /// Trials at a time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Go on from the results that are there: no trial is run twice
    #[arg(long)]
    pub resume: bool,
    /// Run only trials with this parameter, such as series=guides, N=10, guide=none, engine=sp*; may be repeated, and
    /// then all must hold
    #[arg(long, value_name = "PATTERN")]
    pub trials_only: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What every command takes.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// The model
    pub model: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads to use [default: one for each core]; searches with --engine dfs, lossy storage and those of SMV models use one
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Stop after this long: 30s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Use at most this much memory: 500M, 8G [default: three quarters of what is free, less under ulimit -v]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// Define a macro, in SMV a name in main; it wins over the model's own
    #[arg(long = "define", short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub defines: Vec<(String, String)>,
    /// The language, when the extension does not tell
    #[arg(long, value_name = "NAME")]
    pub lang: Option<Lang>,
    /// A message sent to a full channel is lost, instead of the sender waiting (Spin's -m)
    #[arg(long)]
    pub message_loss: bool,
}

/// Languages.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Lang {
    /// Promela
    Promela,
    /// SMV
    Smv,
}

/// Which property is meant.
#[derive(Debug, Args)]
pub struct PropertyArgs {
    /// Check this one: an `ltl` block or never claim by name, `safety`, `never`, `non-progress`, `acceptance`
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Check this temporal formula
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Check this branching-time formula (SMV models)
    #[arg(long, value_name = "FORMULA")]
    pub ctl: Vec<String>,
    /// Check that this expression holds in every state
    #[arg(long, value_name = "EXPR")]
    pub invariant: Vec<String>,
    /// End states and assertions only, whatever the model claims (Spin's -DNOCLAIM)
    #[arg(long)]
    pub no_claims: bool,
    /// Only runs count in which no process is neglected for ever (weak fairness)
    #[arg(long)]
    pub fair: bool,
}

/// Where traces go.
#[derive(Debug, Args)]
pub struct TraceArgs {
    /// Show violations as they were found, however long
    #[arg(long)]
    pub no_minimise: bool,
    /// Write the first counterexample as a JSON trace
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write the first counterexample as a trail for `spin -t`
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
}

/// Arguments of `hunt`.
#[derive(Debug, Args)]
pub struct HuntArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub property: PropertyArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub traces: TraceArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub walks: WalkArgs,
    /// How to look
    #[arg(long, default_value = "auto")]
    pub engine: HuntEngine,
    /// What runs the model; SMV models in explicit walks and LURCH
    #[arg(long, value_name = "HOW", default_value = "jit")]
    pub exec: ExecArg,
    /// Exit with 3 when nothing was found but nothing was proved either
    #[arg(long)]
    pub require_proof: bool,
    /// Write what is needed to go on later, when the hunt ends without a violation
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Go on where a saved hunt ended
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

/// How walks go, and when they end.
#[derive(Debug, Args)]
#[command(next_help_heading = "Walks")]
pub struct WalkArgs {
    /// How a step is chosen [default: try-a-child]
    #[arg(long, value_name = "HOW")]
    pub select: Option<Select>,
    /// The heuristic that guides walks [default: none; with --engine auto, all that can be made]
    #[arg(long, value_name = "NAME")]
    pub guide: Vec<GuideArg>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub guides: GuideFileArgs,
    /// Read the guide from a file that `analyze --save-guide` wrote
    #[arg(long, value_name = "FILE", requires = "guide")]
    pub load_guide: Option<PathBuf>,
    /// How scores become weights [default: linear for reduced-instance, steep for the others]
    #[arg(long, value_name = "HOW")]
    pub bias: Option<BiasArg>,
    /// Prefer what the guide likes least, to see how much it matters
    #[arg(long)]
    pub reverse_guide: bool,
    /// End a walk after this many steps, or `none`: after ten million [default: 10000, growing with --engine auto]
    #[arg(long, value_name = "STEPS", value_parser = depth)]
    pub depth: Option<u32>,
    /// End a walk at the first state it has seen before (`loop`), or after that many such states
    #[arg(long, value_name = "loop|N", value_parser = until)]
    pub until: Option<u32>,
    /// Where a walk starts
    #[arg(long, default_value = "initial", value_name = "WHERE")]
    pub restart: Restart,
    /// With --restart random: walks in a chain before the next chain starts in the initial state
    #[arg(long, value_name = "WALKS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..))]
    pub chain: u32,
    /// Stop after this many walks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub walks: Option<u64>,
    /// With --epsilon: stop after ln δ / ln(1 − ε) walks
    #[arg(long, value_name = "δ", requires = "epsilon", value_parser = probability)]
    pub delta: Option<f64>,
    /// With --delta: the probability of a violating walk that is to be noticed
    #[arg(long, value_name = "ε", requires = "delta", value_parser = probability)]
    pub epsilon: Option<f64>,
    /// Stop when less than this share of the states that a batch of walks sees is new
    #[arg(long, value_name = "SHARE", value_parser = probability)]
    pub saturation: Option<f64>,
    /// Make the walks from this number on; needs --engine walk or trail
    #[arg(long, value_name = "A")]
    pub walks_from: Option<u64>,
    /// Make the walks below this number; needs --engine walk or trail
    #[arg(long, value_name = "B")]
    pub walks_to: Option<u64>,
}

/// Ways to hunt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HuntEngine {
    /// Many kinds of walks at once; in SMV models what is recommended, and more
    Auto,
    /// Random walks
    Walk,
    /// Random walks that never visit a state twice
    Trail,
    /// Breadth-first search
    Bfs,
    /// LURCH: random paths that end after --until repeats, all properties watched at once (SMV models)
    Lurch,
    /// Sets of states as binary decision diagrams
    Bdd,
    /// Symbolic A*, guided by an abstraction
    Sgmc,
    /// Symbolic random walks; with --guide abstraction this is SGRMC
    SymbolicWalk,
    /// The same without visiting a state twice
    SymbolicTrail,
}

/// What runs a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExecArg {
    /// The interpreter
    Interp,
    /// Native code, made in milliseconds; the interpreter where a model is too large or a search is small. Nothing else
    /// differs
    Jit,
}

impl ExecArg {
    /// What it means.
    pub fn exec(self) -> Exec {
        match self {
            ExecArg::Interp => Exec::Interp,
            ExecArg::Jit => Exec::Jit,
        }
    }
}

/// Heuristics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GuideArg {
    /// Unguided
    None,
    /// Distances over the control flow of each process type, for steps (h0)
    LocalDistance,
    /// The same for states: the sum over all processes
    LocalDistanceSum,
    /// The same for states: the greatest over all processes
    LocalDistanceMax,
    /// Distances in an abstraction of the model without its weak variables, for states
    PatternDatabase,
    /// The way to a violation in a smaller instance, for steps (h1)
    ReducedInstance,
    /// Distances in an abstraction without weak variables or those of --drop, as BDD rings, for states and sets of states
    Abstraction,
}

impl GuideArg {
    /// The heuristic it means.
    pub fn kind(self) -> Option<GuideKind> {
        match self {
            GuideArg::None => None,
            GuideArg::LocalDistance => Some(GuideKind::LocalDistance),
            GuideArg::LocalDistanceSum => Some(GuideKind::LocalDistanceSum),
            GuideArg::LocalDistanceMax => Some(GuideKind::LocalDistanceMax),
            GuideArg::PatternDatabase => Some(GuideKind::PatternDatabase),
            GuideArg::ReducedInstance => Some(GuideKind::ReducedInstance),
            GuideArg::Abstraction => Some(GuideKind::Abstraction),
        }
    }
}

/// How scores become weights; h is a score, max the greatest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BiasArg {
    /// max − h: what scores worst is never chosen unless all do
    Thesis,
    /// max − h + 1
    Linear,
    /// Halved for each unit above the best, and never 0
    Steep,
}

/// How a step is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Select {
    /// A random process, then a random branch of it, until one is possible
    TryAChild,
    /// One of all possible steps
    AllChildren,
}

/// Where a walk starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Restart {
    /// In the initial state
    Initial,
    /// At a random state of the walk before
    Random,
}

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub property: PropertyArgs,
    /// Write the control flow of each process type here, as graphs in DOT with distances to the first property's goals
    #[arg(long, value_name = "FOLDER")]
    pub dot: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub guides: GuideFileArgs,
    /// The guide to write
    #[arg(long, value_name = "NAME")]
    pub guide: Option<GuideArg>,
    /// Write the guide to a file: to be read, edited, and used with `hunt --load-guide`
    #[arg(long, value_name = "FILE", requires = "guide")]
    pub save_guide: Option<PathBuf>,
}

/// How guides are made.
#[derive(Debug, Args)]
pub struct GuideFileArgs {
    /// A file with the names of variables that the pattern database or the abstraction drops, one on each line
    #[arg(long, value_name = "FILE")]
    pub drop: Option<PathBuf>,
    /// The smaller instance that the guide reduced-instance is made from [default: found by itself]
    #[arg(long, value_name = "NAME=VALUE,…")]
    pub reduce: Option<String>,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub property: PropertyArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub traces: TraceArgs,
    /// How to search for bad states; but for bdd, cycles of Promela models are looked for by nested depth-first search
    #[arg(long, default_value = "auto")]
    pub engine: EngineArg,
    /// What runs a Promela model
    #[arg(long, value_name = "HOW", default_value = "jit")]
    pub exec: ExecArg,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub storage: StorageArgs,
    /// Go on past the first violation and report all, one for each kind and place
    #[arg(long)]
    pub all_errors: bool,
    /// Look no deeper than this many steps
    #[arg(long, value_name = "STEPS")]
    pub depth: Option<u32>,
    /// Reductions of the state space
    #[arg(long, default_value = "auto")]
    pub reduction: Reduction,
    /// Exit with 3 when nothing was found but nothing was proved either
    #[arg(long)]
    pub require_proof: bool,
}

/// How states are stored.
#[derive(Debug, Args)]
pub struct StorageArgs {
    /// What is kept of a state of a Promela model; all but `exact` search depth first and can refute but never prove
    #[arg(long, value_name = "HOW", default_value = "exact")]
    pub storage: StorageArg,
    /// With --storage bitstate: how many bits a state sets
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=32))]
    pub hash_functions: u8,
}

/// What is kept of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StorageArg {
    /// All of it
    Exact,
    /// 40 bits of a hash (hash-compact)
    Compact,
    /// A few bits among those that fill three quarters of --memory, or 1 GiB
    Bitstate,
}

/// Searches for bad states.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EngineArg {
    /// bfs for Promela models; bdd for SMV models, where values are multiplied after a look at the first states
    Auto,
    /// Sets of states as binary decision diagrams
    Bdd,
    /// Depth first
    Dfs,
    /// Breadth first: with --reduction none, counterexamples are shortest
    Bfs,
}

/// Reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reduction {
    /// Those that are sound: orders of steps that do not matter are left out (partial-order reduction), and values that
    /// nobody will ask for again; in SMV models, what a property does not depend on
    Auto,
    /// Every state is looked at
    None,
}

/// Arguments of `simulate`.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonArgs,
    /// Choose every step from a menu
    #[arg(long, short)]
    pub interactive: bool,
    /// Stop after this many steps
    #[arg(long, default_value_t = 1000)]
    pub steps: u32,
    /// Follow this trace instead
    #[arg(long, value_name = "FILE", conflicts_with = "interactive")]
    pub trace: Option<PathBuf>,
}

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonArgs,
    /// The trace: lurcher's JSON or Spin's trail
    pub trace: PathBuf,
    /// The property it is about [default: the first that it violates]
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// Write it as a JSON trace
    #[arg(long, value_name = "FILE")]
    pub to_json: Option<PathBuf>,
    /// Write it as a trail for `spin -t`
    #[arg(long, value_name = "FILE")]
    pub to_trail: Option<PathBuf>,
}

fn define(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("`{name}` is no macro name"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn depth(text: &str) -> Result<u32, String> {
    match text {
        "none" => Ok(lurcher_search::UNBOUNDED),
        _ => match text.parse() {
            Ok(n) if n > 0 && n <= lurcher_search::UNBOUNDED => Ok(n),
            _ => Err(format!("`{text}` is no number of steps from 1 to {}, nor `none`", lurcher_search::UNBOUNDED)),
        },
    }
}

fn until(text: &str) -> Result<u32, String> {
    match text {
        "loop" => Ok(1),
        _ => match text.parse() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(format!("`{text}` is neither `loop` nor a number of repeated states")),
        },
    }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if p > 0.0 && p < 1.0 => Ok(p),
        _ => Err(format!("`{text}` is not a number between 0 and 1")),
    }
}
