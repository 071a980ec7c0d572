//! The command line: every flag in one place. The flags of engines come from the registry.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, ArgMatches, Args, Command as Clap, CommandFactory, FromArgMatches, Parser, Subcommand};
use lurcher::engines::{ENGINES, Info, Kind, Options, Parameter, SETTINGS, Semantics, Setting};
use lurcher::formats::{self, FORMATS};
use lurcher::{LANGUAGES, Question};
use lurcher_heuristics::registry::HEURISTICS;
use lurcher_lab::units::{duration, size};
use lurcher_syntax::{closest, did_you_mean};

use crate::{help, input};

/// Hunts for errors in formal models, and proves them right when it can
#[derive(Debug, Parser)]
#[command(name = "lurcher", version, propagate_version = true, max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
    /// Colours; `auto` obeys NO_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = ["auto", "always", "never"])]
    #[arg(help_heading = "Output", display_order = 900)]
    pub color: String,
    /// Show no progress
    #[arg(long, short, global = true, conflicts_with = "verbose", help_heading = "Output", display_order = 901)]
    pub quiet: bool,
    /// Say on standard error which phase begins when, and how long each took
    #[arg(long, short, global = true, help_heading = "Output", display_order = 902)]
    pub verbose: bool,
    /// The time between two lines of progress where standard error is no terminal
    #[arg(long, global = true, value_name = "TIME", value_parser = duration, default_value = "30s")]
    #[arg(help_heading = "Output", display_order = 903)]
    pub progress_every: Duration,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Look for a violation: random walks, guided and not, until something is found or the budget is used up
    ///
    /// Without --engine it explores the first few thousand states exhaustively, then makes walks of many kinds at once and
    /// gives more steps to those that pay. What it finds is minimised before it is shown. Walk i of a seed is the same walk
    /// on every machine, and the answer does not depend on --jobs. Without --time, --walks or --saturation it lasts a minute.
    #[command(after_help = "Examples:
  lurcher hunt models/promela/philosophers.pml
  lurcher hunt model.pml --define N=70 --time 5m
  lurcher hunt model.pml --ltl '[] (request -> <> grant)'
  lurcher hunt model.pml --engine walk --guide local-distance --walks 2020
  lurcher hunt model.pml --time 1h --save night.json
  lurcher hunt model.pml --time 1h --resume night.json
  m4 model.m4 | lurcher hunt - --lang promela

Exit status:
  0    no violation found when the budget was used up
  1    violation found
  2    bad input
  3    interrupted, out of memory, out of time before the walks began, or with --require-proof nothing proved
  101  a bug in lurcher")]
    Hunt(Box<HuntArgs>),
    /// Search completely: prove or refute
    ///
    /// Without --property, checks end states and assertions, then every `ltl` block and never claim of the model; in SMV
    /// models, every specification.
    #[command(after_help = "Examples:
  lurcher verify model.pml
  lurcher verify model.pml --property liveness --fair
  lurcher verify model.pml --no-claims --all-errors --json
  lurcher verify model.pml --property non-progress --trail model.pml.trail

Exit status:
  0    holds
  1    violated
  2    bad input
  3    stopped by a limit or interrupted
  101  a bug in lurcher")]
    #[command(mut_arg("time", without_default))]
    Verify(Box<VerifyArgs>),
    /// Run the model once, at random or step by step
    #[command(after_help = "Examples:
  lurcher simulate model.pml --seed 7 --steps 200
  lurcher simulate model.pml --interactive
  lurcher simulate model.pml --seed 7 --trace run.json
  lurcher simulate model.pml --follow run.json

Exit status:
  0    the run ended
  1    it met a violation
  2    bad input
  3    stopped by a limit or interrupted
  101  a bug in lurcher")]
    #[command(mut_arg("time", without_default))]
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

Exit status:
  0    done
  2    bad input
  3    stopped by a limit or interrupted
  101  a bug in lurcher")]
    #[command(mut_arg("time", without_default))]
    Analyze(AnalyzeArgs),
    /// Execute a trace again, check it and show it
    ///
    /// Takes lurcher's JSON traces and Spin's trail files, with merged statements or without.
    #[command(after_help = "Examples:
  lurcher replay model.pml model.pml.trail
  lurcher replay model.pml trace.json --json
  lurcher replay model.pml model.pml.trail --shorten --to-trail short.trail

Exit status:
  0    it replays and violates nothing
  1    it shows a violation
  2    it does not replay, or bad input
  3    stopped by a limit or interrupted
  101  a bug in lurcher")]
    #[command(mut_arg("time", without_default))]
    Replay(ReplayArgs),
    /// Run many trials: sizes × engines × guides × seeds, with tables, statistics and plots
    ///
    /// A TOML file says what is varied, and which techniques are compared by tests; docs/experiments.md describes it. The
    /// results are a folder with README.md (tables, plots, the machine), trials.csv (one row for each trial) and the traces
    /// of what was found. Each trial runs on one thread; what it counts does not depend on --jobs.
    #[command(after_help = "Examples:
  lurcher experiment bench/thesis/philosophers.toml --out results
  lurcher experiment bench/thesis/*.toml --out results --jobs 2
  lurcher experiment bench/randomised/prefer-threads.toml --out results
  lurcher experiment night.toml --out results --resume
  lurcher experiment night.toml --trials-only N=10 --trials-only 'guide=local*'

Exit status:
  0    the trials ran
  2    bad input
  3    interrupted
  101  a trial showed a bug in lurcher")]
    Experiment(ExperimentArgs),
    /// Print help on a command, or list `engines`, `guides`, `options` and `formats`
    Help(HelpArgs),
    /// Print what a shell needs to complete commands, options and their values
    #[command(after_help = "Examples:
  lurcher completions bash > ~/.local/share/bash-completion/completions/lurcher
  lurcher completions zsh > ~/.zfunc/_lurcher        (with ~/.zfunc in $fpath)
  lurcher completions fish > ~/.config/fish/completions/lurcher.fish")]
    Completions(CompletionsArgs),
    /// Print the man page, or write one for each command to a folder
    #[command(after_help = "Examples:
  lurcher man | man -l -
  lurcher man ~/.local/share/man/man1 && man lurcher-hunt")]
    Man(ManArgs),
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write lurcher.1 and a page for each command here [default: print lurcher.1]
    pub folder: Option<PathBuf>,
}

/// Reads any topic; shells complete those that there are.
const TOPIC: Completed<String> = Completed {
    read: |text| Ok(text.to_owned()),
    values: || {
        let cli = Cli::command();
        let commands = cli.get_subcommands().map(|c| c.get_name().to_owned());
        commands.chain(help::TOPICS.map(str::to_owned)).collect()
    },
};

/// Arguments of `help`.
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// A command, `engines`, `guides`, `options` or `formats`
    #[arg(value_parser = TOPIC, hide_possible_values = true)]
    pub topic: Option<String>,
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
    #[arg(long, value_parser = jobs)]
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

/// A parser of values of which shells complete some.
#[derive(Clone)]
struct Completed<T> {
    read: fn(&str) -> Result<T, String>,
    values: fn() -> Vec<String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Completed<T> {
    type Value = T;

    fn parse_ref(&self, command: &Clap, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let read = self.read;
        StringValueParser::new().try_map(move |text| read(&text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.values)().into_iter().map(PossibleValue::new)))
    }
}

/// A parser of names that suggests the closest one, as all of lurcher does.
#[derive(Clone)]
struct Names {
    values: PossibleValuesParser,
    names: Vec<&'static str>,
}

impl Names {
    fn new(names: impl Iterator<Item = (&'static str, &'static str)>) -> Self {
        let (names, values): (Vec<_>, Vec<_>) = names.map(|(n, help)| (n, PossibleValue::new(n).help(help))).unzip();
        Names { values: PossibleValuesParser::new(values), names }
    }
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Clap, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        self.values.parse_ref(command, arg, value).map_err(|mut error| {
            error.remove(ContextKind::SuggestedValue);
            if let Some(near) = closest(&value.to_string_lossy(), self.names.iter().copied()) {
                error.insert(ContextKind::SuggestedValue, ContextValue::String(near.to_owned()));
            }
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.values.possible_values()
    }
}

/// What every command takes.
#[derive(Clone, Debug, Args)]
pub struct CommonArgs {
    /// The model in Promela, SMV or ASTRAL, or `-` for standard input
    #[arg(value_parser = OsStringValueParser::new().map(model))]
    pub model: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Seed of everything random
    #[arg(long, default_value_t = 1, value_parser = |text: &str| number(text, 0, u64::MAX))]
    pub seed: u64,
    /// Threads to use [default: one for each core]; searches with --engine dfs, lossy storage and those of SMV models use one
    #[arg(long, value_parser = jobs)]
    pub jobs: Option<u16>,
    /// Stop after this long: 30s, 5m, 1h [default: 1m for a hunt without --walks or --saturation, else no limit]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Use at most this much memory: 500M, 8G [default: three quarters of what is free, less under ulimit -v]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// Define a macro, in SMV a name in main, in ASTRAL a constant; it wins over the model's own
    #[arg(long = "define", short = 'D', value_name = "NAME=VALUE", value_parser = define)]
    pub defines: Vec<(String, String)>,
    /// The language [default: by the extension, or else by the text]
    #[arg(long, visible_alias = "language", value_name = "NAME", value_parser = languages())]
    pub lang: Option<String>,
    /// Of a real-time specification, check this process or instance [default: all processes]
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub process: Option<String>,
    /// Of a real-time specification, let its further assumptions of this number count; may be repeated
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub further: Vec<i64>,
}

fn languages() -> PossibleValuesParser {
    PossibleValuesParser::new(LANGUAGES.iter().map(|l| PossibleValue::new(l.name())))
}

/// Which property is meant.
#[derive(Debug, Args)]
pub struct PropertyArgs {
    /// Check this one: a property of the model by name, or `safety` or its parts `deadlock` and `assertion`, `never`,
    /// `non-progress`, `acceptance`, in SMV models `deadlock`; `a,b` for several and `'safe*'` for all that match; may be
    /// repeated [default: all that the model states, and safety in Promela]
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Check this temporal formula
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Check this branching-time formula (SMV models)
    #[arg(long, value_name = "FORMULA", hide_short_help = true)]
    pub ctl: Vec<String>,
    /// Check that this expression holds in every state
    #[arg(long, value_name = "EXPR")]
    pub invariant: Vec<String>,
    /// End states and assertions only, whatever the model claims (Spin's -DNOCLAIM)
    #[arg(long, hide_short_help = true, conflicts_with_all = ["property", "ltl", "ctl", "invariant"])]
    pub no_claims: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub semantics: SemanticsArgs<false>,
}

/// Where traces go.
#[derive(Debug, Args)]
pub struct TraceArgs {
    /// Show violations as they were found, however long
    #[arg(long, hide_short_help = true)]
    pub no_minimise: bool,
    /// Write the first counterexample as a JSON trace; `-` is standard output, and the report goes to standard error
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write the first counterexample as a trail for `spin -t`
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub trail: Option<PathBuf>,
    /// Write the first counterexample in any format; `lurcher help formats` lists them
    #[arg(long, value_name = "FORMAT=FILE", value_parser = EXPORT, hide_possible_values = true, hide_short_help = true)]
    pub export: Vec<Export>,
}

/// A trace to be written: the name of a format, and the file.
pub type Export = (&'static str, PathBuf);

/// Reads a trace to be written; shells complete the name of its format.
const EXPORT: Completed<Export> =
    Completed { read: export, values: || FORMATS.iter().map(|f| format!("{}=", f.name())).collect() };

fn export(text: &str) -> Result<Export, String> {
    let (name, file) = text.split_once('=').ok_or("FORMAT=FILE is expected, as in text=bug.txt")?;
    let names = || FORMATS.iter().map(|f| f.name());
    let known = || names().collect::<Vec<_>>().join(", ") + &did_you_mean(name, names());
    let format = formats::format(name).ok_or_else(|| format!("there is no format `{name}`; there are {}", known()))?;
    if file.is_empty() {
        return Err("the file is missing".to_owned());
    }
    Ok((format.name(), PathBuf::from(file)))
}

/// All traces to be written, those of the flags for single formats first.
fn exports(trail: &Option<PathBuf>, json: &Option<PathBuf>, others: &[Export]) -> Vec<Export> {
    let named = |name, path: &Option<PathBuf>| path.clone().map(|path| (name, path));
    let given = [named("spin-trail", trail), named("json", json)].into_iter().flatten();
    given.chain(others.iter().cloned()).collect()
}

impl TraceArgs {
    /// The traces to be written.
    pub fn exports(&self) -> Vec<Export> {
        exports(&self.trail, &self.trace, &self.export)
    }
}

impl ReplayArgs {
    /// The property that the trace is about, where the user says so.
    pub fn question(&self) -> Option<Question> {
        let formula = |text: &Option<String>, name: &str, ask: fn(String, String) -> Question| {
            text.clone().map(|text| ask(name.to_owned(), text))
        };
        let named = self.property.clone().map(Question::Named);
        let ltl = || formula(&self.ltl, "ltl", Question::Ltl);
        let ctl = || formula(&self.ctl, "ctl", Question::Ctl);
        named.or_else(ltl).or_else(ctl).or_else(|| formula(&self.invariant, "invariant", Question::Invariant))
    }

    /// The traces to be written.
    pub fn exports(&self) -> Vec<Export> {
        exports(&self.to_trail, &self.to_json, &self.export)
    }
}

/// Arguments of `hunt`.
#[derive(Debug, Args)]
pub struct HuntArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub check: CheckArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub engine: EngineArgs<false>,
    /// Exit with 3 when nothing was found but nothing was proved either
    #[arg(long, hide_short_help = true)]
    pub require_proof: bool,
    /// Write what is needed to go on later: now and then, and when the hunt ends without a violation
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// The time between two saves
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m", requires = "save", hide_short_help = true)]
    pub save_every: Duration,
    /// Go on where a saved hunt ended
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub check: CheckArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub engine: EngineArgs<true>,
}

/// What `hunt` and `verify` share.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub property: PropertyArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub traces: TraceArgs,
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
    /// A file with the names of variables that the pattern database or the abstraction drops, one on each line
    #[arg(long, value_name = "FILE")]
    pub drop: Option<PathBuf>,
    /// The smaller instance that the guide reduced-instance is made from [default: chosen automatically]
    #[arg(long, value_name = "NAME=VALUE,…")]
    pub reduce: Option<String>,
    /// The process types whose moves the guide prefer-threads puts first
    #[arg(long, value_name = "TYPE,…")]
    pub prefer: Option<String>,
    /// The guide to write
    #[arg(long, value_name = "NAME", value_parser = guides())]
    pub guide: Option<String>,
    /// Write the guide to a file: to be read, edited, and used with `hunt --load-guide`
    #[arg(long, value_name = "FILE", requires = "guide")]
    pub save_guide: Option<PathBuf>,
}

fn guides() -> Names {
    Names::new(HEURISTICS.iter().map(|h| (h.name, h.help)))
}

/// Arguments of `simulate`.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub semantics: SemanticsArgs<true>,
    /// Choose every step from a menu
    #[arg(long, short, conflicts_with = "json")]
    pub interactive: bool,
    /// Stop after this many steps
    #[arg(long, default_value_t = 1000, value_parser = |text: &str| number(text, 0, u32::MAX))]
    pub steps: u32,
    /// Show this trace instead of a random run
    #[arg(long, value_name = "FILE", conflicts_with_all = ["interactive", "trace", "export"])]
    pub follow: Option<PathBuf>,
    /// Write the run as a JSON trace; `-` is standard output, and what is shown goes to standard error
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write the run in any format; `lurcher help formats` lists them
    #[arg(long, value_name = "FORMAT=FILE", value_parser = EXPORT, hide_possible_values = true)]
    pub export: Vec<Export>,
}

impl SimulateArgs {
    /// The traces to be written.
    pub fn exports(&self) -> Vec<Export> {
        exports(&None, &self.trace, &self.export)
    }
}

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub semantics: SemanticsArgs<true>,
    /// The trace: lurcher's JSON or Spin's trail
    pub trace: PathBuf,
    /// The property it is about [default: the first that it violates]
    #[arg(long, value_name = "NAME", group = "about")]
    pub property: Option<String>,
    /// The temporal formula it is about
    #[arg(long, value_name = "FORMULA", group = "about")]
    pub ltl: Option<String>,
    /// The branching-time formula it is about (SMV models)
    #[arg(long, value_name = "FORMULA", group = "about")]
    pub ctl: Option<String>,
    /// The expression it is about, which should hold in every state
    #[arg(long, value_name = "EXPR", group = "about")]
    pub invariant: Option<String>,
    /// Make it shorter first: search from it, up to N expanded states, for a shorter trace to the same kind of violation
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1000000")]
    pub shorten: Option<u64>,
    /// Write it as a JSON trace
    #[arg(long, value_name = "FILE")]
    pub to_json: Option<PathBuf>,
    /// Write it as a trail for `spin -t`
    #[arg(long, value_name = "FILE")]
    pub to_trail: Option<PathBuf>,
    /// Write it in any format; `lurcher help formats` lists them
    #[arg(long, value_name = "FORMAT=FILE", value_parser = EXPORT, hide_possible_values = true)]
    pub export: Vec<Export>,
}

/// The semantics of process models, from the table of its settings. With `STEPS`, only those that change steps.
#[derive(Clone, Copy, Debug)]
pub struct SemanticsArgs<const STEPS: bool>(pub Semantics);

impl<const STEPS: bool> SemanticsArgs<STEPS> {
    fn settings() -> impl Iterator<Item = &'static Setting> {
        SETTINGS.iter().filter(|setting| setting.changes_steps || !STEPS)
    }
}

impl<const STEPS: bool> Args for SemanticsArgs<STEPS> {
    fn augment_args(command: Clap) -> Clap {
        let flag = |s: &Setting| Arg::new(s.name).long(s.name).help(s.help).action(ArgAction::SetTrue);
        command.args(Self::settings().map(flag))
    }

    fn augment_args_for_update(command: Clap) -> Clap {
        Self::augment_args(command)
    }
}

impl<const STEPS: bool> FromArgMatches for SemanticsArgs<STEPS> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut semantics = Semantics::default();
        Self::settings().for_each(|s| *(s.value)(&mut semantics) = matches.get_flag(s.name));
        Ok(SemanticsArgs(semantics))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The engine and its options: whatever the registry has. With `PROVE`, only engines that can prove.
#[derive(Debug)]
pub struct EngineArgs<const PROVE: bool> {
    /// The engine's name.
    pub engine: String,
    /// Options and their texts, as given.
    given: Vec<(&'static Parameter, String)>,
}

impl<const PROVE: bool> EngineArgs<PROVE> {
    fn engines() -> impl Iterator<Item = &'static Info> {
        ENGINES.iter().map(|e| e.info()).filter(|i| i.proves || !PROVE)
    }

    fn parameters() -> Vec<&'static Parameter> {
        let read = |p: &&'static Parameter| Self::engines().any(|i| reads(i, p));
        lurcher::engines::parameters().into_iter().filter(read).collect()
    }

    /// The options, with the texts of the files that some of them name.
    pub fn options(&self) -> Result<Options> {
        let mut options = Options::default();
        for (parameter, text) in &self.given {
            let text = match parameter.kind {
                Kind::File => input::read_text(text.as_ref())?,
                _ => text.clone(),
            };
            options.add(parameter, &text).map_err(|why| anyhow!("--{}: {why}", parameter.name))?;
        }
        Ok(options)
    }
}

impl<const PROVE: bool> Args for EngineArgs<PROVE> {
    fn augment_args(mut command: Clap) -> Clap {
        let engines = Names::new(Self::engines().map(|i| (i.name, i.help)));
        let engine = Arg::new("engine").long("engine").value_name("ENGINE").default_value("auto");
        command = command.arg(engine.value_parser(engines).help("How to search"));
        for parameter in Self::parameters() {
            command = command.arg(argument(parameter));
        }
        command
    }

    fn augment_args_for_update(command: Clap) -> Clap {
        Self::augment_args(command)
    }
}

/// The options of engines that the short help lists.
const SHORT_HELP: [&str; 4] = ["all-errors", "depth", "guide", "walks"];

fn reads(engine: &Info, parameter: &Parameter) -> bool {
    engine.reads(parameter.name)
}

/// The flag of a parameter.
fn argument(parameter: &'static Parameter) -> Arg {
    let help = match parameter.default {
        "" => parameter.help.to_owned(),
        default => format!("{} [default: {default}]", parameter.help),
    };
    let arg = Arg::new(parameter.name).long(parameter.name).help(help).help_heading("Engine options");
    let arg = arg.hide_short_help(!SHORT_HELP.contains(&parameter.name));
    match &parameter.kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::Word(words) => {
            let words = words.iter().map(|(word, help)| PossibleValue::new(*word).help(*help));
            arg.value_name(parameter.value).value_parser(PossibleValuesParser::new(words))
        }
        Kind::Heuristic => {
            let none = PossibleValue::new("none").help("Unguided");
            let all = HEURISTICS.iter().map(|h| PossibleValue::new(h.name).help(h.help));
            let all = PossibleValuesParser::new(std::iter::once(none).chain(all));
            arg.value_name(parameter.value).value_parser(all).action(ArgAction::Append)
        }
        _ => arg.value_name(parameter.value).value_parser(move |text: &str| {
            let mut options = Options::default();
            let checked = matches!(parameter.kind, Kind::File) || options.add(parameter, text).is_ok();
            match checked {
                true => Ok(text.to_owned()),
                false => Err(options.add(parameter, text).unwrap_err()),
            }
        }),
    }
}

impl<const PROVE: bool> FromArgMatches for EngineArgs<PROVE> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let engine = matches.get_one::<String>("engine").cloned().unwrap_or_default();
        let mut given = Vec::new();
        for parameter in Self::parameters() {
            match parameter.kind {
                Kind::Flag if matches.get_flag(parameter.name) => given.push((parameter, "true".to_owned())),
                Kind::Flag => {}
                _ => {
                    let texts = matches.get_many::<String>(parameter.name).into_iter().flatten();
                    given.extend(texts.map(|text| (parameter, text.clone())));
                }
            }
        }
        Ok(EngineArgs { engine, given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The time limit of a command that has none by default.
fn without_default(time: Arg) -> Arg {
    time.help("Stop after this long: 30s, 5m, 1h [default: no limit]")
}

/// What the model on standard input is called.
pub const STDIN: &str = "<stdin>";

/// The model of a path, as everything calls it.
fn model(path: OsString) -> PathBuf {
    if path == "-" { STDIN.into() } else { path.into() }
}

/// Reads a number of a range.
fn number<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let inside = |number: &T| (&least..=&most).contains(&number);
    text.parse().ok().filter(inside).ok_or_else(|| format!("no whole number from {least} to {most}"))
}

fn jobs(text: &str) -> Result<u16, String> {
    number(text, 1, u16::MAX)
}

fn define(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("`{name}` is no macro name"));
    }
    Ok((name.to_owned(), value.to_owned()))
}
