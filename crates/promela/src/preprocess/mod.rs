//! A C preprocessor for Promela.
//!
//! Spin runs `gcc -std=gnu99 -E -x c` on a model, so models use the whole C preprocessor. This one needs no compiler and
//! keeps the source position of every token. It follows the C standard, and gcc where the standard leaves room, except:
//!
//! * A macro of the caller ([`Settings::defines`]) overrides any `#define` or `#undef` in a file.
//! * `#include <…>` is refused: no system header is Promela.
//! * Of gcc's own macros, those that programs ask for are defined; `linux` and `unix` are replaced in conditions only.
//! * Growth is bounded: see [`limits`].
//!
//! Reading order: [`scan`] splits a file into tokens, [`expand`] and [`substitute`] replace macros, [`directive`] executes
//! `#` lines with [`condition`], [`output`] writes the result. [`predefined`] has the macros that are there from the start.

mod condition;
mod directive;
mod expand;
mod include;
mod macros;
mod output;
mod predefined;
mod scan;
mod substitute;
#[cfg(test)]
mod tests;
mod token;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use lurcher_syntax::{Diagnostic, FileId, SourceMap, Span};

pub use include::{DiskReader, IncludeReader};
pub(crate) use macros::MacroTable;
pub(crate) use output::Expanded;

use directive::Conditional;
use expand::{Context, Use};
use macros::Macro;
use output::Writer;
use scan::Scanner;
use token::{PpKind, PpToken};

/// Limits of a preprocessor run; exceeding one ends the run with an error.
pub mod limits {
    /// Tokens and bytes of all macro expansions together …
    pub const EXPANSION: usize = 2 << 20;
    /// … and additional ones for each byte of source.
    pub const EXPANSION_PER_BYTE: usize = 32;
    /// Bytes of preprocessed text.
    pub const OUTPUT: usize = 16 << 20;
    /// Files open inside each other.
    pub const INCLUDE_DEPTH: usize = 64;
    /// `#include` lines.
    pub const INCLUDES: usize = 4096;
    /// Macro calls nested in the arguments of macro calls.
    pub const ARGUMENT_DEPTH: usize = 128;
    /// `#if` inside `#if`, and parentheses in the condition of one.
    pub const CONDITION_DEPTH: usize = 128;
    /// Parameters of one macro.
    pub const PARAMETERS: usize = 255;
    /// Errors reported before the run stops.
    pub const ERRORS: usize = 100;
}

/// Options of the caller.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Macros that files cannot change.
    pub defines: Vec<(String, String)>,
    /// Directories for `#include`, searched after that of the including file.
    pub include_dirs: Vec<PathBuf>,
}

/// The result of a run.
pub(crate) struct Outcome {
    pub expanded: Expanded,
    pub diagnostics: Vec<Diagnostic>,
    /// The macros defined at the end.
    pub macros: MacroTable,
    /// A limit was exceeded, and the text is incomplete.
    pub exhausted: bool,
}

/// Preprocesses a file, with some macros already defined.
pub(crate) fn preprocess(
    sources: &mut SourceMap,
    main: FileId,
    macros: MacroTable,
    settings: &Settings,
    reader: &dyn IncludeReader,
) -> Outcome {
    let mut run = Preprocessor::new(sources, macros, settings, reader);
    run.define_from_settings();
    run.open(main);
    let exhausted = run.drive().is_err();
    if !exhausted {
        run.warn_of_unused_defines();
    }
    let end = run.sources.file(main).text().len() as u32;
    let expanded = std::mem::take(&mut run.writer).finish(Span::new(main, end, end));
    Outcome { expanded, diagnostics: run.diagnostics, macros: run.macros, exhausted }
}

/// A limit was exceeded, and the run must end.
#[derive(Debug)]
pub(crate) struct Exhausted;

type Run<T> = Result<T, Exhausted>;

struct OpenFile {
    scanner: Scanner,
    conditionals: Vec<Conditional>,
}

pub(crate) struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    settings: &'a Settings,
    reader: &'a dyn IncludeReader,
    macros: MacroTable,
    open_files: Vec<OpenFile>,
    /// Files by path, so that a second `#include` does not read again.
    known_files: HashMap<PathBuf, FileId>,
    once: HashSet<FileId>,
    includes: usize,
    contexts: Vec<Context>,
    disabled: HashSet<Arc<str>>,
    current_use: Option<Use>,
    argument_depth: usize,
    in_condition: bool,
    counter: u32,
    /// Macros of the caller, by name and position, that no file has used yet.
    unused: Vec<(Arc<str>, Span)>,
    /// The total of [`Self::charge`].
    spent: usize,
    /// Bytes of source read.
    read: usize,
    writer: Writer,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Preprocessor<'a> {
    fn new(
        sources: &'a mut SourceMap,
        macros: MacroTable,
        settings: &'a Settings,
        reader: &'a dyn IncludeReader,
    ) -> Self {
        Preprocessor {
            sources,
            settings,
            reader,
            macros,
            open_files: Vec::new(),
            known_files: HashMap::new(),
            once: HashSet::new(),
            includes: 0,
            contexts: Vec::new(),
            disabled: HashSet::new(),
            current_use: None,
            argument_depth: 0,
            in_condition: false,
            counter: 0,
            unused: Vec::new(),
            spent: 0,
            read: 0,
            writer: Writer::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Defines the macros of the caller, each in a file of its own, so that errors have a position.
    fn define_from_settings(&mut self) {
        for (name, value) in &self.settings.defines {
            let text = format!("{name} {value}");
            let file = self.sources.add(format!("--define {name}"), text.clone());
            let mut scanner = Scanner::new(file, text.into());
            let line: Vec<_> = std::iter::from_fn(|| Some(scanner.next()).filter(|t| !t.ends_line())).collect();
            match Macro::parse(&line, Span::new(file, 0, 0)) {
                Ok(definition) if *definition.name == **name => {
                    self.unused.push((definition.name.clone(), definition.span));
                    self.macros.pin(definition);
                }
                Ok(_) => {
                    let whole = Span::new(file, 0, name.len() as u32);
                    self.diagnostics.push(Diagnostic::error(whole, format!("`{name}` is not the name of a macro")));
                }
                Err(diagnostic) => self.diagnostics.push(diagnostic),
            }
        }
    }

    /// Records that a file uses a macro name.
    fn note_use(&mut self, name: &str) {
        if !self.unused.is_empty() {
            self.unused.retain(|(unused, _)| **unused != *name);
        }
    }

    /// Warns of macros of the caller that no file uses.
    fn warn_of_unused_defines(&mut self) {
        for (name, span) in std::mem::take(&mut self.unused) {
            let message = format!("the model never uses `{name}`: defining it changes nothing");
            self.diagnostics.push(Diagnostic::warning(span, message));
        }
    }

    fn open(&mut self, file: FileId) {
        let text = self.sources.file(file).text().clone();
        if let Some(at) = text.find('\0') {
            let place = Span::new(file, at as u32, at as u32 + 1);
            let message = "NUL byte in the source: is this a text file?";
            self.diagnostics.push(Diagnostic::error(place, message));
        }
        self.read += text.len();
        self.open_files.push(OpenFile { scanner: Scanner::new(file, text), conditionals: Vec::new() });
    }

    /// Writes tokens until the last file ends.
    fn drive(&mut self) -> Run<()> {
        loop {
            let token = self.next_expanded()?;
            if token.kind == PpKind::Eof {
                self.close_file();
                if self.open_files.is_empty() {
                    return Ok(());
                }
                continue;
            }
            let (span, line) = self.reported_place(&token);
            self.warn_of_hidden_macro(&token, span)?;
            self.writer.write(self.sources, &token, span, line);
            if self.writer.len() > limits::OUTPUT {
                return self.give_up(span, "the preprocessed model is too large");
            }
        }
    }

    /// The reported position of a token: for tokens of a macro's body and for arguments on later lines, that of the macro
    /// use, as in Spin.
    fn reported_place(&self, token: &PpToken) -> (Span, u32) {
        match &self.current_use {
            Some(site) if token.from_body || token.line != site.line || token.span.file != site.span.file => {
                (site.span, site.line)
            }
            _ => (token.span, token.line),
        }
    }

    /// Warns of a macro `N` in `0..N`, which is one number in C and not expanded.
    fn warn_of_hidden_macro(&mut self, token: &PpToken, span: Span) -> Run<()> {
        let Some((_, upper)) = token.text.split_once("..").filter(|_| token.kind == PpKind::Number) else {
            return Ok(());
        };
        if !self.macros.is_defined(upper) {
            return Ok(());
        }
        let message = format!("macro `{upper}` is not replaced in `{}`", token.text);
        let spaced = token.text.replacen("..", " .. ", 1);
        let note = format!("the C preprocessor reads this as one number: write `{spaced}`");
        self.report(Diagnostic::warning(span, message).note(note))
    }

    fn close_file(&mut self) {
        let Some(closed) = self.open_files.pop() else { return };
        if let Some(span) = closed.scanner.unterminated_comment {
            self.diagnostics.push(Diagnostic::error(span, "this comment never ends"));
        }
        for open in closed.conditionals {
            self.diagnostics.push(Diagnostic::error(open.span, "this conditional has no `#endif`"));
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Run<()> {
        self.report(Diagnostic::error(span, message))
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Run<()> {
        let span = diagnostic.labels[0].span;
        self.diagnostics.push(diagnostic);
        if self.diagnostics.len() >= limits::ERRORS { self.give_up(span, "too many errors") } else { Ok(()) }
    }

    fn give_up<T>(&mut self, span: Span, message: &str) -> Run<T> {
        self.diagnostics.push(Diagnostic::error(span, message));
        Err(Exhausted)
    }

    /// Counts tokens and bytes of expansions against the limit.
    fn charge(&mut self, amount: usize, span: Span) -> Run<()> {
        self.spent += amount;
        if self.spent <= limits::EXPANSION + limits::EXPANSION_PER_BYTE * self.read {
            return Ok(());
        }
        let site = self.current_use.as_ref().map_or(span, |u| u.span);
        self.give_up(site, "macro expansion grows without end here")
    }
}
