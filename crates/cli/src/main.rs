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
mod menu;
mod outcome;
mod progress;
mod replay;
mod report;
mod simulate;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

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

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Hunt(args) => check::hunt(args),
        Command::Verify(args) => check::verify(args),
        Command::Analyze(args) => analyze::analyze(args),
        Command::Simulate(args) => simulate::simulate(args),
        Command::Replay(args) => replay::replay(args),
        Command::Experiment(args) => experiment::experiment(args),
        Command::Help(args) => help::help(args),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            let broken_pipe = error.downcast_ref::<std::io::Error>();
            if broken_pipe.is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe) {
                return Exit::Clean.into();
            }
            eprintln!("error: {error:#}");
            Exit::BadInput.into()
        }
    }
}
