//! `completions` and `man`: what shells and `man` need, from the table of arguments.

use std::io::Write;

use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::Exit;
use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::terminal;

/// Where the script for Bash has read the words of the line.
const START: &str = "    prev=\"$3\"\n";

/// To Bash `=` is a word of its own. What follows that of an option is the option's value; else it is the name of a file.
const EQUALS: &str = r#"    if [[ "${COMP_WORDS[COMP_CWORD]}" == "=" ]]; then
        i="=" cur="" prev="${COMP_WORDS[COMP_CWORD-1]}"
    elif [[ "${prev}" == "=" ]]; then
        i="=" prev="${COMP_WORDS[COMP_CWORD-2]}"
    fi
    [[ "${i}" == "=" && "${prev}" != --* ]] && return 0
    [[ "${prev}" == --export ]] && compopt -o nospace 2> /dev/null
"#;

/// `lurcher completions`.
pub fn completions(args: &CompletionsArgs) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "lurcher", &mut script);
    let mut script = String::from_utf8(script)?;
    if args.shell == Shell::Bash {
        script = script.replacen(START, &format!("{START}{EQUALS}"), 1);
    }
    std::io::stdout().write_all(script.as_bytes())?;
    Ok(Exit::Clean)
}

/// `lurcher man`.
pub fn man(args: &ManArgs) -> Result<Exit> {
    let mut cli = Cli::command();
    // This also gives the commands their full names.
    cli.build();
    let Some(folder) = &args.folder else {
        std::io::stdout().write_all(&page(&cli)?)?;
        return Ok(Exit::Clean);
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for command in std::iter::once(&cli).chain(cli.get_subcommands()) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = folder.join(format!("{name}.1"));
        std::fs::write(&path, page(command)?).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Exit::Clean)
}

/// The man page of a command. Each paragraph behind its help, such as `Examples: …`, is a section.
fn page(command: &Command) -> Result<Vec<u8>> {
    // What the short help leaves out belongs here.
    let command = command.clone().mut_args(|arg| arg.hide_short_help(false));
    let behind = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_commands = command.has_subcommands();
    let man = Man::new(command).source(concat!("lurcher ", env!("CARGO_PKG_VERSION"))).manual("lurcher");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    for (title, text) in behind.split("\n\n").filter_map(|paragraph| paragraph.split_once(':')) {
        let mut section = Roff::new();
        section.control("SH", [title.to_uppercase().as_str()]).control("nf", []);
        section.text(text.trim().lines().flat_map(|line| [roman(line.trim()), roman("\n")]).collect::<Vec<_>>());
        section.control("fi", []);
        section.to_writer(&mut page)?;
    }
    // Devices of `man` lack characters that other terminals have.
    Ok(terminal::in_ascii(&String::from_utf8(page)?).into_bytes())
}
