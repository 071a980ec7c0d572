//! `help`: commands, and what the registries have.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use clap::CommandFactory;
use lurcher::engines::{ENGINES, Kind, parameters};
use lurcher::formats::FORMATS;
use lurcher_heuristics::registry::HEURISTICS;
use lurcher_search::Scores;
use lurcher_syntax::did_you_mean;

use crate::Exit;
use crate::args::{Cli, HelpArgs};
use crate::terminal::{Stream, in_ascii};

/// What help lists beside the commands.
pub const TOPICS: [&str; 4] = ["engines", "guides", "options", "formats"];

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
            None => {
                let near = did_you_mean(name, cli.get_subcommands().map(|c| c.get_name()).chain(TOPICS));
                bail!("there is no command `{name}`; topics are {}{near}", TOPICS.join(", "))
            }
        },
    };
    Stream::Out.print(&text)?;
    Ok(Exit::Clean)
}

/// The width of lists: what most terminals show.
const WIDTH: usize = 80;

/// Writes a name and lines of text behind it, broken between words.
fn entry(out: &mut String, name: &str, column: usize, lines: &[String]) {
    let name = if Stream::Out.form().ascii { in_ascii(name) } else { name.to_owned() };
    let mut head = format!("  {name:<column$}");
    if head.trim_end().chars().count() > column + 1 {
        let _ = writeln!(out, "{}", head.trim_end());
        head = " ".repeat(column + 2);
    }
    for line in lines {
        let indent = line.len() - line.trim_start().len();
        let mut row = format!("{head}{}", " ".repeat(indent));
        head = " ".repeat(column + 2);
        let mut empty = true;
        for word in line.split_whitespace() {
            if !empty && row.chars().count() + 1 + word.chars().count() > WIDTH {
                let _ = writeln!(out, "{row}");
                (row, empty) = (format!("{head}{}", " ".repeat(indent + 2)), true);
            }
            let space = if empty { "" } else { " " };
            row = format!("{row}{space}{word}");
            empty = false;
        }
        let _ = writeln!(out, "{row}");
    }
}

fn engines() -> String {
    let mut out = "Engines (--engine NAME):\n".to_owned();
    for info in ENGINES.iter().map(|e| e.info()) {
        let commands = if info.proves { "hunt, verify" } else { "hunt" };
        let options: Vec<String> = info.parameters().map(|p| format!("--{}", p.name)).collect();
        let options = if options.is_empty() { "none".to_owned() } else { options.join(" ") };
        let lines = [info.help.to_owned(), format!("commands: {commands}"), format!("options: {options}")];
        out.push('\n');
        entry(&mut out, info.name, 15, &lines);
    }
    out
}

fn guides() -> String {
    let mut out = "Guides (--guide NAME):\n\n".to_owned();
    for guide in HEURISTICS {
        let scores = match guide.scores {
            Scores::States => "states",
            Scores::Steps => "steps",
        };
        entry(&mut out, guide.name, 20, &[format!("{} (scores {scores})", guide.help)]);
    }
    out
}

fn formats() -> String {
    let mut out = "Formats of traces (--export NAME=FILE):\n\n".to_owned();
    for format in FORMATS {
        entry(&mut out, format.name(), 20, &[format.help().to_owned()]);
    }
    out
}

fn options() -> String {
    let mut out = "Options of engines:\n".to_owned();
    for parameter in parameters() {
        let flag = format!("--{} {}", parameter.name, parameter.value);
        let readers = ENGINES.iter().map(|e| e.info()).filter(|i| i.reads(parameter.name));
        let readers: Vec<&str> = readers.map(|i| i.name).collect();
        let mut lines = vec![parameter.help.to_owned()];
        if let Kind::Word(words) = &parameter.kind {
            lines.extend(words.iter().map(|(word, help)| format!("  {word}: {help}")));
        }
        if !parameter.default.is_empty() {
            lines.push(format!("default: {}", parameter.default));
        }
        lines.push(format!("engines: {}", readers.join(", ")));
        out.push('\n');
        entry(&mut out, flag.trim_end(), 24, &lines);
    }
    out
}
