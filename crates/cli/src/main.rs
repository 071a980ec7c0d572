//! The lurcher command line: arguments, progress, colour and exit status live here and nowhere else.

mod analyze;
mod analyze_relation;
mod args;
mod check;
mod experiment;
mod help;
mod input;
mod json;
mod limits;
mod manual;
mod menu;
mod outcome;
mod progress;
mod replay;
mod report;
mod simulate;
mod summary;
mod terminal;
mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use lurcher_resources::LimitReached;
use lurcher_syntax::closest;
use serde_json::{Value, json};

use args::{Cli, Command, CommonArgs};
use limits::Supervisor;
use terminal::{Stream, Verbosity};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// No violation found.
    Clean,
    /// A violation was found.
    Violation,
    /// Bad input or usage.
    BadInput,
    /// Stopped by a limit before finishing.
    Limit,
    /// A bug in lurcher.
    Bug,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Violation => 1,
            Exit::BadInput => 2,
            Exit::Limit => 3,
            Exit::Bug => 101,
        })
    }
}

/// A result of the program's own that shows a bug in it.
#[derive(Debug)]
pub(crate) struct Bug(pub String);

impl std::fmt::Display for Bug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bug in lurcher: {}", self.0)
    }
}

impl std::error::Error for Bug {}

fn main() -> ExitCode {
    limits::save_addresses();
    terminal::choose_colours(std::env::args_os());
    // Bad arguments are answered in JSON as well.
    let json = std::env::args_os().take_while(|a| a != "--").any(|a| a == "--json");
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return unparsed(with_suggestion(error), json).into(),
    };
    Verbosity { quiet: cli.quiet, verbose: cli.verbose, every: cli.progress_every }.set();
    let result = catch_unwind(AssertUnwindSafe(|| run(&cli.command)));
    let error = match result {
        Ok(Ok(exit)) => return exit.into(),
        Ok(Err(error)) => error,
        Err(_) => Bug("it panicked; the message is on standard error".to_owned()).into(),
    };
    let is_broken_pipe = |e: &std::io::Error| e.kind() == std::io::ErrorKind::BrokenPipe;
    if error.downcast_ref().is_some_and(is_broken_pipe) {
        return Exit::Clean.into();
    }
    let exit = if error.is::<Bug>() { Exit::Bug } else { Exit::BadInput };
    let kind = if exit == Exit::Bug { "bug" } else { "input" };
    terminal::message(&format!("error: {error:#}\n"));
    if json {
        let rejected = error.downcast_ref::<input::Rejected>();
        let diagnostics = rejected.map_or(Value::Null, |r| Value::Array(r.diagnostics.clone()));
        failed(kind, &format!("{error:#}"), diagnostics);
    }
    exit.into()
}

/// Runs a command within the limits of its arguments. All that it does without limits of its own ends at these.
fn limited(args: &CommonArgs, command: impl FnOnce(&Supervisor) -> Result<Exit>) -> Result<Exit> {
    let limits = Supervisor::start(args);
    let result = limits.resources.with_grace().bound(|| command(&limits)).unwrap_or_else(|limit| Err(limit.into()));
    match result {
        Err(error) => match error.downcast::<LimitReached>() {
            Ok(limit) => limits.unfinished(args, limit),
            Err(error) => Err(error),
        },
        exit => exit,
    }
}

fn run(command: &Command) -> Result<Exit> {
    match command {
        Command::Hunt(args) => limited(&args.check.common, |limits| check::hunt(args, limits)),
        Command::Verify(args) => limited(&args.check.common, |limits| check::verify(args, limits)),
        Command::Analyze(args) => limited(&args.common, |limits| analyze::analyze(args, limits)),
        Command::Simulate(args) => limited(&args.common, |limits| simulate::simulate(args, limits)),
        Command::Replay(args) => limited(&args.common, |limits| replay::replay(args, limits)),
        Command::Experiment(args) => experiment::experiment(args),
        Command::Help(args) => help::help(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
    }
}

/// Puts a suggestion that is near into a message about a misspelt word. `clap` suggests nothing for transposed letters of short
/// names, and far-fetched words for others.
fn with_suggestion(mut error: clap::Error) -> clap::Error {
    for (invalid, suggested) in [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
    ] {
        let bare = |word: &'_ String| word.trim_start_matches('-').to_owned();
        let words = |kind| match error.get(kind) {
            Some(ContextValue::String(word)) => vec![bare(word)],
            Some(ContextValue::Strings(words)) => words.iter().map(bare).collect(),
            _ => Vec::new(),
        };
        let near = words(suggested);
        if words(invalid).iter().all(|word| closest(word, near.iter().map(String::as_str)).is_none()) {
            error.remove(suggested);
        }
    }
    let suggested = ContextKind::SuggestedValue;
    if let (None, Some(ContextValue::String(value)), Some(ContextValue::Strings(valid))) =
        (error.get(suggested), error.get(ContextKind::InvalidValue), error.get(ContextKind::ValidValue))
        && let Some(near) = closest(value, valid.iter().map(String::as_str)).map(str::to_owned)
    {
        error.insert(suggested, ContextValue::String(near));
    }
    if let Some(owner) = owner(&error) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![owner.into()]));
    }
    error
}

/// Whom an option or an engine belongs to that this command does not have.
fn owner(error: &clap::Error) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let argument = word(ContextKind::InvalidArg)?;
    if let Some(name) = word(ContextKind::InvalidValue) {
        let hunts = argument.starts_with("--engine ") && lurcher::engines::engine(name).is_some();
        return hunts.then(|| format!("`{name}` finds violations and proves nothing: it is an engine of `hunt`"));
    }
    if error.kind() != ErrorKind::UnknownArgument || error.get(ContextKind::SuggestedArg).is_some() {
        return None;
    }
    let option = argument.strip_prefix("--")?;
    let cli = Cli::command();
    let has = |command: &&clap::Command| command.get_arguments().any(|a| a.get_long() == Some(option));
    let owners: Vec<String> = cli.get_subcommands().filter(has).map(|c| format!("`{}`", c.get_name())).collect();
    (!owners.is_empty()).then(|| format!("{argument} is an option of {}", owners.join(", ")))
}

/// Answers arguments that ask for help, or that cannot be read.
fn unparsed(error: clap::Error, json: bool) -> Exit {
    let stream = if error.use_stderr() { Stream::Err } else { Stream::Out };
    let text = match error.kind() {
        ErrorKind::DisplayVersion => StyledStr::from(concat!("lurcher ", env!("CARGO_PKG_VERSION"), "\n")),
        _ => error.render(),
    };
    let text = if stream.form().colour { text.ansi().to_string() } else { text.to_string() };
    // A reader that has seen enough of the help is no error.
    let _ = stream.print(&text);
    if stream == Stream::Out {
        return Exit::Clean;
    }
    if json {
        let text = error.render().to_string();
        failed("usage", text.trim().strip_prefix("error: ").unwrap_or(text.trim()), Value::Null);
    }
    Exit::BadInput
}

/// Prints the error as JSON.
fn failed(kind: &str, message: &str, diagnostics: Value) {
    let object = json!({
        "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"),
        "error": { "kind": kind, "message": message, "diagnostics": diagnostics },
    });
    // The exit status tells the same where standard output is closed.
    let _ = terminal::print_json(&object);
}
