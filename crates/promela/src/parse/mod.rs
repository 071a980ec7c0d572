//! From source text to the syntax tree.
//!
//! A recursive-descent parser over the grammar of Spin 6.5.2, rule by rule: what Spin refuses is refused, what it
//! accepts is accepted, embedded C aside. Reading order:
//!
//! * `stream` makes tokens, with Spin's habit of making up semicolons; `classify` and `special` know what single
//!   words mean to it, `inline` expands inline calls.
//! * `unit`, `decl`, `stmt` (with `simple` and `call`) and `expr` (with `primary`, `varref` and
//!   `constant`) are the grammar.
//! * `recover` is what happens after an error.

mod call;
mod classify;
mod constant;
mod decl;
mod expr;
mod inline;
mod names;
mod primary;
mod recover;
mod simple;
mod special;
mod stmt;
mod stream;
mod token;
mod unit;
mod varref;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use lurcher_syntax::{Diagnostic, FileId, Severity, SourceMap, Span};

use crate::ast;
use crate::lex;
use crate::preprocess::{self, MacroTable, Settings};
pub use crate::preprocess::{DiskReader, IncludeReader};
use names::Names;
use stream::Stream;
use token::{T, Token};

/// Bounds on what the parser takes; past any of them the model is refused.
pub mod limits {
    pub use crate::preprocess::limits as preprocessor;

    /// Blocks, options, parentheses and indices inside each other.
    pub const NESTING: usize = 100;
    /// The height of an expression: `a + b + c + …` counts one for each operator.
    pub const EXPRESSION_HEIGHT: u32 = 500;
    /// Inline calls inside inline calls; Spin's own limit.
    pub const INLINE_DEPTH: usize = 16;
    /// Parameters of one inline.
    pub const INLINE_PARAMETERS: usize = 255;
    /// Tokens that all inline expansions together may have.
    pub const INLINE_TOKENS: usize = 1 << 19;
    /// Errors reported before the parser gives up.
    pub const ERRORS: usize = 100;
}

/// What the caller decides.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Macros (`--define NAME=VALUE`). They win: a `#define` or `#undef` of the same name in a file is ignored.
    pub defines: Vec<(String, String)>,
    /// Where `#include "…"` looks after the directory of the including file.
    pub include_dirs: Vec<PathBuf>,
    /// Numbers that win over those in `active [n] proctype`, by name; a process type that is not active stays so.
    pub active: BTreeMap<String, u16>,
}

/// A program and what was said about it. The tree is only complete if no diagnostic is an error.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub program: ast::Program,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The expansions of inline calls: entry `i` is number `i + 1`, the [`ast::Block::inline_id`] of its block.
    pub expansions: Vec<Expansion>,
    /// What [`parse_formula`] needs to read a formula about this program.
    pub context: Context,
}

/// One expanded inline call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Its number, counted from one.
    pub id: u32,
    /// The inline.
    pub name: String,
    /// Place of the call.
    pub call: Span,
    /// The expansion in which the call stands; 0 for none.
    pub parent: u32,
}

/// Names and macros of a program, under which formulas from elsewhere are read.
#[derive(Clone, Debug, Default)]
pub struct Context {
    names: Names,
    macros: MacroTable,
}

/// Preprocesses and parses file `main` of `sources`; the files it includes are read with `reader` and added.
///
/// ```
/// use std::collections::{BTreeMap, HashMap, HashSet};
/// use lurcher_promela::parse::{Options, parse};
/// use lurcher_syntax::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let main = sources.add("hello.pml", "init { printf(\"hello\\n\") }");
/// let parsed = parse(&mut sources, main, &Options::default(), &HashMap::new());
/// assert!(parsed.diagnostics.is_empty());
/// assert_eq!(parsed.program.units.len(), 1);
/// ```
pub fn parse(sources: &mut SourceMap, main: FileId, options: &Options, reader: &dyn IncludeReader) -> Parsed {
    let settings = Settings { defines: options.defines.clone(), include_dirs: options.include_dirs.clone() };
    let done = preprocess::preprocess(sources, main, MacroTable::default(), &settings, reader);
    let tokens = lex::tokens(&done.expanded);
    let mut parser = Parser::new(Stream::new(tokens, Names::default()));
    parser.stream.exhausted = done.exhausted;
    let mut program = parser.program();
    override_active(&mut program, &options.active);
    let stream = parser.stream;
    let diagnostics = merge(sources, done.diagnostics, stream.diagnostics);
    let context = Context { names: stream.names, macros: done.macros };
    Parsed { program, diagnostics, expansions: stream.expansions, context }
}

fn override_active(program: &mut ast::Program, numbers: &BTreeMap<String, u16>) {
    for unit in &mut program.units {
        let ast::Unit::Proctype(proctype) = unit else { continue };
        if let (Some(size), Some(&n)) = (&mut proctype.active, numbers.get(&proctype.name.name)) {
            *size = ast::ArraySize::Const(i32::from(n), proctype.name.span);
        }
    }
}

/// Puts diagnostics in the order of their places. Where the preprocessor refused a line, what the parser says of that
/// line is left out: it saw something else than what is written there.
fn merge(sources: &SourceMap, preprocessor: Vec<Diagnostic>, parser: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let line = |d: &Diagnostic| (d.labels[0].span.file, sources.line(d.labels[0].span));
    let refused: HashSet<_> = preprocessor.iter().filter(|d| d.severity == Severity::Error).map(line).collect();
    let kept = parser.into_iter().filter(|d| !refused.contains(&line(d)));
    let mut all: Vec<_> = preprocessor.iter().cloned().chain(kept).collect();
    all.sort_by_key(|d| (d.labels[0].span.file, d.labels[0].span.start));
    all
}

/// Parses a formula that was not part of the program, such as one from the command line. Besides what `ltl { … }`
/// accepts it takes `/\` and `\/`.
///
/// # Errors
/// All errors found, placed in a file of their own that is added to `sources`.
pub fn parse_formula(sources: &mut SourceMap, context: &Context, text: &str) -> Result<ast::Expr, Vec<Diagnostic>> {
    parse_alone(sources, context, text, true)
}

/// Parses an expression without temporal operators, in which words such as `U` and `X` are ordinary names.
///
/// # Errors
/// As for [`parse_formula`].
pub fn parse_expression(sources: &mut SourceMap, context: &Context, text: &str) -> Result<ast::Expr, Vec<Diagnostic>> {
    parse_alone(sources, context, text, false)
}

fn parse_alone(
    sources: &mut SourceMap,
    context: &Context,
    text: &str,
    formula: bool,
) -> Result<ast::Expr, Vec<Diagnostic>> {
    let file = sources.add("<command line>", text);
    let no_includes: HashMap<String, String> = HashMap::new();
    let done = preprocess::preprocess(sources, file, context.macros.clone(), &Settings::default(), &no_includes);
    let mut parser = Parser::new(Stream::new(lex::tokens(&done.expanded), context.names.clone()));
    parser.stream.diagnostics = done.diagnostics;
    parser.stream.stop_deferring();
    parser.stream.modes.formula = formula;
    parser.stream.modes.mathematical = formula;
    let expr =
        parser.full_expr().and_then(|e| parser.expect(T::Eof, "an operator or the end of the formula").map(|_| e));
    match expr {
        Ok(expr) if parser.stream.diagnostics.iter().all(|d| d.severity != Severity::Error) => Ok(expr),
        _ => Err(parser.stream.diagnostics),
    }
}

/// An error was reported; the rule that met it cannot go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abort;

type P<X> = Result<X, Abort>;

pub(crate) struct Parser<'a> {
    stream: Stream<'a>,
    peeked: Option<Token<'a>>,
    /// Place of the last token taken.
    previous: Span,
    /// The last token taken was a `;` that nobody wrote.
    after_implied: bool,
    /// Tokens taken so far.
    taken: usize,
    /// The value of `taken` at the last error: a second error at the same token would only repeat the first.
    error_at: Option<usize>,
    nesting: usize,
    /// Tokens of the inline argument being read.
    recording: Option<Vec<Token<'a>>>,
}

impl<'a> Parser<'a> {
    fn new(stream: Stream<'a>) -> Self {
        Parser {
            stream,
            peeked: None,
            previous: Span::default(),
            after_implied: false,
            taken: 0,
            error_at: None,
            nesting: 0,
            recording: None,
        }
    }

    /// The next token, left where it is. Asking fixes its class: see `stream`.
    fn peek(&mut self) -> Token<'a> {
        *self.peeked.get_or_insert_with(|| self.stream.next())
    }

    fn at(&mut self, kind: T) -> bool {
        self.peek().kind == kind
    }

    fn bump(&mut self) -> Token<'a> {
        let token = self.peek();
        self.peeked = None;
        self.taken += 1;
        self.after_implied = token.implied;
        if !token.implied {
            self.previous = token.span;
        }
        match token.kind {
            T::ParenOpen => self.stream.modes.parens += 1,
            T::ParenClose => self.stream.modes.parens -= 1,
            _ => {}
        }
        if let Some(record) = &mut self.recording {
            record.push(token);
        }
        token
    }

    fn eat(&mut self, kind: T) -> Option<Token<'a>> {
        if self.at(kind) { Some(self.bump()) } else { None }
    }

    /// Takes a token of this kind, or reports that `what` was expected.
    fn expect(&mut self, kind: T, what: &str) -> P<Token<'a>> {
        match self.eat(kind) {
            Some(token) => Ok(token),
            None => self.unexpected(what),
        }
    }

    fn ident(token: &Token<'a>) -> ast::Ident {
        ast::Ident { name: token.text.to_owned(), span: token.span }
    }

    /// Runs a rule one level deeper.
    fn nested<X>(&mut self, rule: impl FnOnce(&mut Self) -> P<X>) -> P<X> {
        if self.nesting >= limits::NESTING {
            let span = self.peek().span;
            return self.fail(Diagnostic::error(span, format!("nested more than {} levels deep", limits::NESTING)));
        }
        self.nesting += 1;
        let result = rule(self);
        self.nesting -= 1;
        result
    }
}
