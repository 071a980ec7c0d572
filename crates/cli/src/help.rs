//! `help`: commands, and what the registries have.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use clap::CommandFactory;
use lurcher::engines::{ENGINES, Kind, parameters};
use lurcher::formats::FORMATS;
use lurcher_heuristics::registry::HEURISTICS;
use lurcher_search::Scores;

use crate::Exit;
use crate::args::{Cli, HelpArgs};

/// `lurcher help`.
pub fn help(args: &HelpArgs) -> Result<Exit> {
    let mut cli = Cli::command();
    cli.build();
    let text = match args.topic.as_deref() {
        None => cli.render_long_help().to_string(),
        Some("engines") => engines(),
        Some("guides") => guides(),
        Some("options") => options(),
        Some("formats") => formats(),
        Some(name) => match cli.find_subcommand_mut(name) {
            Some(command) => command.render_long_help().to_string(),
            None => bail!("there is no command `{name}`; topics are engines, guides, options and formats"),
        },
    };
    print!("{text}");
    Ok(Exit::Clean)
}

fn engines() -> String {
    let mut out = "Engines (--engine NAME):\n\n".to_owned();
    for info in ENGINES.iter().map(|e| e.info()) {
        let proves = if info.proves { "hunt, verify" } else { "hunt" };
        let _ = writeln!(out, "  {:<15} {}", info.name, info.help);
        let options: Vec<String> = info.parameters.iter().map(|p| format!("--{}", p.name)).collect();
        let options = if options.is_empty() { "none".to_owned() } else { options.join(" ") };
        let _ = writeln!(out, "  {:<15} commands: {proves}; options: {options}\n", "");
    }
    out
}

fn guides() -> String {
    let mut out = "Guides (--guide NAME):\n\n".to_owned();
    for entry in HEURISTICS {
        let scores = match entry.scores {
            Scores::States => "states",
            Scores::Steps => "steps",
        };
        let _ = writeln!(out, "  {:<20} {} (scores {scores})", entry.name, entry.help);
    }
    out
}

fn formats() -> String {
    let mut out = "Formats of traces (--export NAME=FILE):\n\n".to_owned();
    for format in FORMATS {
        let _ = writeln!(out, "  {:<20} {}", format.name(), format.help());
    }
    out
}

fn options() -> String {
    let mut out = "Options of engines:\n\n".to_owned();
    for parameter in parameters() {
        let flag = format!("--{} {}", parameter.name, parameter.value);
        let readers =
            ENGINES.iter().map(|e| e.info()).filter(|i| i.parameters.iter().any(|p| p.name == parameter.name));
        let readers: Vec<&str> = readers.map(|i| i.name).collect();
        let _ = writeln!(out, "  {:<26} {}", flag.trim_end(), parameter.help);
        if let Kind::Word(words) = &parameter.kind {
            for (word, help) in *words {
                let _ = writeln!(out, "  {:<26}   {word}: {help}", "");
            }
        }
        let default =
            if parameter.default.is_empty() { String::new() } else { format!("default: {}; ", parameter.default) };
        let _ = writeln!(out, "  {:<26} {default}engines: {}\n", "", readers.join(", "));
    }
    out
}
