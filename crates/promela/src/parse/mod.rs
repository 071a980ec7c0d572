//! From source text to the syntax tree.
//!
//! A recursive-descent parser of the grammar of Spin 6.5.2: it accepts what Spin accepts, embedded C aside. Reading order:
//!
//! * `stream` produces tokens and inserts semicolons as Spin does; `classify` and `special` decide the kind of single
//!   words, `inline` expands inline calls.
//! * `unit`, `decl`, `stmt` (with `simple`) and `expr` (with `primary`, `varref` and `constant`) are the
//!   grammar.
//! * `recover` reports errors and skips to where parsing can continue.

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

use lurcher_syntax::{Diagnostic, FORMULA_FILE, FileId, SourceMap, Span};

use crate::ast;
use crate::lex;
use crate::preprocess::{self, MacroTable, Settings};
pub use crate::preprocess::{DiskReader, IncludeReader};
use names::Names;
use stream::Stream;
use token::{T, Token};

/// Limits of the parser; a model that exceeds one is refused.
pub mod limits {
    pub use crate::preprocess::limits as preprocessor;

    /// Blocks, options, parentheses and indices inside each other.
    pub const NESTING: usize = 100;
    /// The height of an expression; `a + b + c + …` counts one per operator.
    pub const EXPRESSION_HEIGHT: u32 = 500;
    /// Inline calls inside inline calls; Spin's own limit.
    pub const INLINE_DEPTH: usize = 16;
    /// Parameters of one inline.
    pub const INLINE_PARAMETERS: usize = 255;
    /// Tokens of all inline expansions together.
    pub const INLINE_TOKENS: usize = 1 << 19;
    /// Errors reported before the parser stops.
    pub const ERRORS: usize = 100;
}

/// Options of the caller.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Macros (`--define NAME=VALUE`). A `#define` or `#undef` of the same name in a file is ignored.
    pub defines: Vec<(String, String)>,
    /// Directories for `#include "…"`, searched after that of the including file.
    pub include_dirs: Vec<PathBuf>,
    /// Numbers of instances that replace those of `active [n] proctype`, by name of an active process type.
    pub active: BTreeMap<String, u16>,
}

/// A program and its diagnostics. The tree is complete only if no diagnostic is an error.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub program: ast::Program,
    /// Errors and warnings, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The expansions of inline calls; entry `i` has the number `i + 1`, the [`ast::Block::inline_id`] of its block.
    pub expansions: Vec<Expansion>,
    /// The context for [`parse_formula`].
    pub context: Context,
}

/// One expanded inline call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Its number, from one.
    pub id: u32,
    /// The inline.
    pub name: String,
    /// The span of the call.
    pub call: Span,
    /// The expansion that contains the call, or 0.
    pub parent: u32,
}

/// The names and macros of a program, for parsing formulas about it.
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
    let (tokens, warnings) = lex::tokens(&done.expanded);
    let mut parser = Parser::new(Stream::new(tokens, Names::default()));
    warnings.into_iter().for_each(|w| parser.stream.report(w));
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

/// Sorts diagnostics by position. On lines where the preprocessor reports an error, those of the parser are dropped: it
/// saw a different text.
fn merge(sources: &SourceMap, preprocessor: Vec<Diagnostic>, parser: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let line = |d: &Diagnostic| (d.labels[0].span.file, sources.line(d.labels[0].span));
    let refused: HashSet<_> = preprocessor.iter().filter(|d| d.is_error()).map(line).collect();
    let kept = parser.into_iter().filter(|d| !refused.contains(&line(d)));
    let mut all: Vec<_> = preprocessor.iter().cloned().chain(kept).collect();
    all.sort_by_key(|d| (d.labels[0].span.file, d.labels[0].span.start));
    all
}

/// Parses a formula that is not part of the program, such as one from the command line. Besides the syntax of
/// `ltl { … }`, it accepts `/\` and `\/`.
///
/// # Errors
/// All errors, in a new file of `sources`.
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
    let file = sources.add(FORMULA_FILE, text);
    let no_includes: HashMap<String, String> = HashMap::new();
    let done = preprocess::preprocess(sources, file, context.macros.clone(), &Settings::default(), &no_includes);
    let mut parser = Parser::new(Stream::new(lex::tokens(&done.expanded).0, context.names.clone()));
    parser.stream.diagnostics = done.diagnostics;
    parser.stream.defer_formulas = false;
    parser.stream.modes.formula = formula;
    parser.stream.modes.mathematical = formula;
    let expr =
        parser.full_expr().and_then(|e| parser.expect(T::Eof, "an operator or the end of the formula").map(|_| e));
    match expr {
        Ok(expr) if !parser.stream.diagnostics.iter().any(Diagnostic::is_error) => Ok(expr),
        _ => Err(parser.stream.diagnostics),
    }
}

/// An error was reported, and the rule cannot continue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abort;

type P<X> = Result<X, Abort>;

pub(crate) struct Parser<'a> {
    stream: Stream<'a>,
    peeked: Option<Token<'a>>,
    /// The span of the last token taken.
    previous: Span,
    /// The last token taken, if it was a name.
    previous_name: Option<&'a str>,
    /// Whether the last token taken was a `;` that is not in the source.
    after_implied: bool,
    /// Tokens taken so far.
    taken: usize,
    /// The value of `taken` at the last error; a second error at the same token is not reported.
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
            previous_name: None,
            after_implied: false,
            taken: 0,
            error_at: None,
            nesting: 0,
            recording: None,
        }
    }

    /// The next token, which is not taken. This fixes its kind: see `stream`.
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
            self.previous_name = (token.kind == T::Name).then_some(token.text);
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

    /// One or more elements, separated by commas.
    fn list<X>(&mut self, mut element: impl FnMut(&mut Self) -> P<X>) -> P<Vec<X>> {
        let mut list = vec![element(self)?];
        while self.eat(T::Comma).is_some() {
            list.push(element(self)?);
        }
        Ok(list)
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
