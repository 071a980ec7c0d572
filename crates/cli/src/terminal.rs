//! The terminal: what it can show, and the writers through which text for people gets there.
//!
//! Every line of a report passes [`Form::line`]. Control characters, which names of files and the output of models may
//! contain, are escaped. On a terminal, long lines are broken at spaces. Where the locale has no UTF-8, text is ASCII.

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lurcher::formats::{columns, fill};
use lurcher_syntax::escape;
use serde_json::Value;

/// How much is said on standard error.
#[derive(Clone, Copy, Debug)]
pub struct Verbosity {
    /// No progress.
    pub quiet: bool,
    /// Phases, as they begin.
    pub verbose: bool,
    /// The time between two lines of progress where standard error is no terminal.
    pub every: Duration,
}

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

impl Verbosity {
    /// Sets it, once.
    pub fn set(self) {
        VERBOSITY.get_or_init(|| self);
    }

    /// What was set.
    pub fn get() -> Verbosity {
        *VERBOSITY.get_or_init(|| Verbosity { quiet: true, verbose: false, every: Duration::MAX })
    }
}

/// When there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colours {
    /// As the environment says.
    Auto,
    Always,
    Never,
}

static COLOURS: OnceLock<Colours> = OnceLock::new();

impl Colours {
    /// Whether a stream has colours. In the environment, `0` and nothing mean no.
    fn on(self, is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty() && value != "0");
        match self {
            Colours::Always => true,
            Colours::Never => false,
            Colours::Auto if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) => false,
            Colours::Auto if is_set("CLICOLOR_FORCE") => true,
            Colours::Auto => is_terminal && !is_dumb() && variable("CLICOLOR").is_none_or(|value| value != "0"),
        }
    }
}

/// Follows `--color`, which messages about the arguments themselves obey as well. `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR` and
/// `TERM` decide what `auto` means.
pub fn choose_colours(arguments: impl Iterator<Item = OsString>) {
    let mut chosen = Colours::Auto;
    let mut is_value = false;
    for argument in arguments.take_while(|a| a != "--") {
        let text = argument.to_string_lossy();
        match text.strip_prefix("--color=").or(is_value.then_some(&*text)) {
            Some("always") => chosen = Colours::Always,
            Some("never") => chosen = Colours::Never,
            Some("auto") => chosen = Colours::Auto,
            _ => {}
        }
        is_value = text == "--color";
    }
    COLOURS.get_or_init(|| chosen);
}

/// Whether `TERM` names a terminal without control sequences.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").map_or(cfg!(unix), |term| term.is_empty() || term == "dumb")
}

/// A stream for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// The report goes to standard error, because standard output has something else.
static REPORT_TO_STDERR: AtomicBool = AtomicBool::new(false);

/// Keeps standard output free for something else than the report.
pub fn report_to_stderr() {
    REPORT_TO_STDERR.store(true, Ordering::Relaxed);
}

impl Stream {
    /// Where the report goes.
    pub fn report() -> Stream {
        if REPORT_TO_STDERR.load(Ordering::Relaxed) { Stream::Err } else { Stream::Out }
    }

    /// What the stream can show.
    pub fn form(self) -> Form {
        let (is_terminal, size) = match self {
            Stream::Out => (std::io::stdout().is_terminal(), terminal_size::terminal_size_of(std::io::stdout())),
            Stream::Err => (std::io::stderr().is_terminal(), terminal_size::terminal_size_of(std::io::stderr())),
        };
        let variable = |name: &str| std::env::var_os(name);
        let colour = COLOURS.get().unwrap_or(&Colours::Auto).on(is_terminal, variable);
        let width = size.map(|(width, _)| usize::from(width.0)).filter(|&w| is_terminal && w > 0);
        Form { colour, ascii: !has_utf8(variable), width }
    }

    /// A writer of text for people.
    pub fn writer(self) -> Writer {
        let to: Box<dyn Write> = match self {
            Stream::Out => Box::new(std::io::stdout().lock()),
            Stream::Err => Box::new(std::io::stderr()),
        };
        Writer { to, form: self.form(), pending: Vec::new() }
    }

    /// Writes text for people.
    pub fn print(self, text: &str) -> std::io::Result<()> {
        let mut writer = self.writer();
        writer.write_all(text.as_bytes())?;
        writer.flush()
    }
}

/// A message on standard error. The line of progress makes room for it.
pub fn message(text: &str) {
    crate::progress::clear_line();
    // There is no other place to say that standard error is closed.
    let _ = Stream::Err.print(text);
}

/// A warning on standard error.
pub fn warn(text: &str) {
    message(&format!("warning: {text}\n"));
}

/// The JSON document of this run is on standard output.
static JSON_IS_PRINTED: AtomicBool = AtomicBool::new(false);

/// Writes the one JSON document of this run to standard output; an error after it is told on standard error only. Control
/// characters are escaped, also those that JSON allows.
pub fn print_json(value: &Value) -> anyhow::Result<()> {
    if JSON_IS_PRINTED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let text = serde_json::to_string_pretty(value)?;
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        match c {
            '\u{7f}'..='\u{9f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('\n');
    let mut to = std::io::stdout().lock();
    to.write_all(out.as_bytes())?;
    Ok(to.flush()?)
}

/// Whether the locale has UTF-8: `LC_ALL` decides, else `LC_CTYPE`, else `LANG`.
fn has_utf8(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    let names_utf8 = |locale: &OsStr| {
        let locale = locale.to_string_lossy().to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    };
    cfg!(windows) || locale.is_some_and(|locale| names_utf8(&locale))
}

/// A style of text.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    /// A verdict that is bad.
    Bad,
    /// A verdict that is good.
    Good,
    /// A verdict that is open.
    Open,
    /// Emphasis.
    Strong,
}

/// Text of the report in a style, where there are colours.
pub fn paint(text: &str, style: Style) -> String {
    let code = match style {
        Style::Bad => "1;31",
        Style::Good => "1;32",
        Style::Open => "1;33",
        Style::Strong => "1",
    };
    let text = escape(text);
    if Stream::report().form().colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into_owned() }
}

/// What a stream can show.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Colours.
    pub colour: bool,
    /// Only ASCII.
    pub ascii: bool,
    /// Columns, of a terminal.
    pub width: Option<usize>,
}

/// The most columns by which the lines that continue a line are indented.
const INDENT: usize = 16;

impl Form {
    /// A line of text as the stream shows it.
    pub fn line(&self, line: &str) -> String {
        let mut text = String::with_capacity(line.len());
        let mut rest = line;
        // Colour codes are our own where there are colours; other control characters are not.
        while let Some(start) = rest.find("\x1b[").filter(|_| self.colour) {
            let parameters = rest[start + 2..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
            let end = if parameters.starts_with('m') { rest.len() - parameters.len() + 1 } else { start + 1 };
            self.show(&mut text, &rest[..start]);
            match parameters.starts_with('m') {
                true => text.push_str(&rest[start..end]),
                false => self.show(&mut text, &rest[start..end]),
            }
            rest = &rest[end..];
        }
        self.show(&mut text, rest);
        match self.width {
            Some(width) if columns(&text) > width => wrapped(&text, width),
            _ => text,
        }
    }

    /// Appends text without control characters, in ASCII where nothing else can be shown.
    fn show(&self, out: &mut String, text: &str) {
        let text = text.replace('\t', "        ");
        let text = escape(&text);
        match self.ascii {
            true => out.push_str(&in_ascii(&text)),
            false => out.push_str(&text),
        }
    }
}

/// The line broken at spaces. The lines after the first are indented a little more than it.
fn wrapped(line: &str, width: usize) -> String {
    let body = line.trim_start_matches(' ');
    let indent = line.len() - body.len();
    let rest = " ".repeat((indent + 2).min(INDENT).min(width / 2));
    let mut out = String::new();
    fill(&mut out, &line[..indent.min(width / 2)], &rest, body.split(' '), Some(width));
    out.pop();
    out
}

/// Text in ASCII.
pub fn in_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_ascii(&mut out, c));
    out
}

/// Appends a character in ASCII.
fn push_ascii(out: &mut String, c: char) {
    let text = match c {
        c if c.is_ascii() => return out.push(c),
        '→' => "->",
        '⇄' => "<->",
        '—' | '–' | '─' | '−' => "-",
        '…' => "...",
        '×' => "x",
        '│' => "|",
        '┌' | '└' | '╭' | '╰' | '├' | '┬' | '┴' => "+",
        '·' => ".",
        'µ' => "u",
        '≤' => "<=",
        '≥' => ">=",
        'δ' => "delta",
        'ε' => "epsilon",
        '‘' | '’' => "'",
        '“' | '”' => "\"",
        c => return out.extend(c.escape_unicode()),
    };
    out.push_str(text);
}

/// Writes lines of text as a stream shows them. A last line without an end is written when the writer is flushed.
pub struct Writer {
    to: Box<dyn Write>,
    form: Form,
    pending: Vec<u8>,
}

impl Writer {
    /// The columns that there are, on a terminal.
    pub fn width(&self) -> Option<usize> {
        self.form.width
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let Some(end) = bytes.iter().rposition(|&b| b == b'\n') else {
            self.pending.extend_from_slice(bytes);
            return Ok(bytes.len());
        };
        self.pending.extend_from_slice(&bytes[..end]);
        let lines = std::mem::replace(&mut self.pending, bytes[end + 1..].to_vec());
        let mut text = String::with_capacity(lines.len() + 1);
        for line in String::from_utf8_lossy(&lines).split('\n') {
            text.push_str(&self.form.line(line));
            text.push('\n');
        }
        self.to.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let rest = std::mem::take(&mut self.pending);
        self.to.write_all(self.form.line(&String::from_utf8_lossy(&rest)).as_bytes())?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Form = Form { colour: false, ascii: false, width: None };

    #[test]
    fn locales_are_read_in_their_order() {
        let locale = |all: &[(&str, &str)]| {
            let all: Vec<(String, String)> = all.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
            has_utf8(move |name| all.iter().find(|(n, _)| n == name).map(|(_, v)| v.into()))
        };
        assert!(locale(&[("LANG", "en_GB.UTF-8")]));
        assert!(locale(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!locale(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
        assert!(!locale(&[("LC_CTYPE", "POSIX"), ("LANG", "en_GB.UTF-8")]));
        assert!(!locale(&[]));
    }

    #[test]
    fn only_colours_of_our_own_reach_the_terminal() {
        assert_eq!(PLAIN.line("a\x1b[1mb\x1b[2Jc\u{9b}1Ad\te"), "a\\x1b[1mb\\x1b[2Jc\\u{9b}1Ad        e");
        let colour = Form { colour: true, ..PLAIN };
        assert_eq!(colour.line("\x1b[1;31mbad\x1b[0m \x1b[2J\x1b[\x1b["), "\x1b[1;31mbad\x1b[0m \\x1b[2J\\x1b[\\x1b[");
    }

    #[test]
    fn text_is_spelt_in_ascii() {
        let ascii = Form { ascii: true, ..PLAIN };
        assert_eq!(ascii.line("┌ x — y → 3 … 2µs ü"), "+ x - y -> 3 ... 2us \\u{fc}");
    }

    #[test]
    fn long_lines_are_broken_and_indented() {
        let narrow = Form { width: Some(20), ..PLAIN };
        assert_eq!(narrow.line("  one two three four five"), "  one two three four\n    five");
        assert_eq!(narrow.line("0123456789 0123456789"), "0123456789\n  0123456789");
        let coloured = Form { colour: true, ..narrow };
        assert_eq!(coloured.line("\x1b[1;31m0123456789\x1b[0m 01234567"), "\x1b[1;31m0123456789\x1b[0m 01234567");
        let one = Form { width: Some(1), ..PLAIN };
        assert_eq!(one.line("0123456789"), "01234567\n89");
    }
}
