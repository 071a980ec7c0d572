//! From raw tokens to the tokens of the grammar.
//!
//! Spin's lexer depends on its parser: it inserts semicolons, knows declarations, replaces inline parameters and defers
//! formulas to the end of the file. As in Spin there are two steps: [`Stream::lex`] classifies words and inserts the
//! semicolons of line ends, [`Stream::next`] adds those that `}` and `else` imply and drops superfluous ones. Tokens are
//! produced on demand, because the parser changes the rules ([`Modes`]).

use std::collections::HashMap;
use std::rc::Rc;

use lurcher_resources::checkpoint;
use lurcher_syntax::{Diagnostic, Severity, Span};

use super::inline::{Call, Inline};
use super::names::Names;
use super::token::{T, Token};
use super::{Expansion, limits};
use crate::lex::{Raw, RawToken};

/// Modes that the parser sets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Modes {
    /// Temporal operators are enabled.
    pub formula: bool,
    /// `/\` and `\/` are enabled too, for formulas of the command line.
    pub mathematical: bool,
    /// `in` is a keyword.
    pub in_for: bool,
    /// Line ends may stand for `;`: inside a body or a typedef.
    pub in_sequence: bool,
    /// Depth of parentheses, inside which line ends do not count.
    pub parens: i32,
}

/// A source of tokens: the file, and expansions on top of it.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub tokens: Rc<[RawToken<'a>]>,
    pub next: usize,
    pub kind: FrameKind<'a>,
}

#[derive(Debug)]
pub(crate) enum FrameKind<'a> {
    /// The file, or a deferred formula.
    File,
    /// The body of an inline.
    Inline(Rc<Call<'a>>),
    /// The argument that replaces a parameter.
    Argument,
    /// Replaced tokens: `(timeout)`, an expanded `select`.
    Pushed,
}

/// An `ltl` unit, which is parsed last.
#[derive(Debug)]
pub(crate) struct Deferred<'a> {
    /// The span of the keyword.
    pub keyword: Span,
    /// The tokens after the keyword, up to the closing brace.
    pub tokens: Rc<[RawToken<'a>]>,
}

pub(crate) struct Stream<'a> {
    pub modes: Modes,
    pub names: Names,
    pub inlines: HashMap<String, Rc<Inline<'a>>>,
    pub expansions: Vec<Expansion>,
    pub deferred: Vec<Deferred<'a>>,
    pub diagnostics: Vec<Diagnostic>,
    pub(super) frames: Vec<Frame<'a>>,
    /// The last token of [`Stream::lex`], on which line ends depend.
    pub(super) last_token: Option<T>,
    /// The last token [`Stream::next`] returned.
    last: Option<T>,
    held: Option<Token<'a>>,
    newline_done: bool,
    /// Whether `ltl` units are deferred.
    pub(super) defer_formulas: bool,
    end: RawToken<'a>,
    /// Tokens read from expansions so far.
    pub(super) spent: usize,
    /// A limit is exceeded; the rest is not read.
    pub(super) exhausted: bool,
}

impl<'a> Stream<'a> {
    /// Reads `tokens`, which end with [`Raw::Eof`].
    pub(crate) fn new(tokens: Vec<RawToken<'a>>, names: Names) -> Self {
        let end = *tokens.last().expect("the tokens of a file end with the end of the file");
        let mut stream = Stream {
            modes: Modes::default(),
            names,
            inlines: HashMap::new(),
            expansions: Vec::new(),
            deferred: Vec::new(),
            diagnostics: Vec::new(),
            frames: Vec::new(),
            last_token: None,
            last: None,
            held: None,
            newline_done: false,
            defer_formulas: true,
            end,
            spent: 0,
            exhausted: false,
        };
        stream.restart(tokens.into());
        stream
    }

    /// Restarts with other tokens.
    pub(crate) fn restart(&mut self, tokens: Rc<[RawToken<'a>]>) {
        self.frames = vec![Frame { tokens, next: 0, kind: FrameKind::File }];
        self.modes = Modes::default();
        (self.last_token, self.last, self.held) = (None, None, None);
        self.newline_done = false;
    }

    /// Records a diagnostic, unless it is a duplicate (an inline that is expanded twice has its errors twice). After too
    /// many, the rest is not read.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.labels[0].span;
        let same = |d: &Diagnostic| d.labels[0].span == place && d.message == diagnostic.message;
        let full = self.diagnostics.len() >= limits::ERRORS;
        if self.exhausted || self.diagnostics.iter().any(same) || (full && diagnostic.severity == Severity::Warning) {
            return;
        }
        self.diagnostics.push(diagnostic);
        if full {
            self.diagnostics.push(Diagnostic::error(place, "too many errors; the rest is not read"));
            self.exhausted = true;
        }
    }

    /// The next token of the grammar.
    pub(crate) fn next(&mut self) -> Token<'a> {
        checkpoint();
        let token = match self.held.take() {
            Some(held) => {
                self.last_token = Some(held.kind);
                held
            }
            None => {
                let token = self.lex();
                if self.needs_semicolon(token.kind) {
                    self.held = Some(token);
                    self.last_token = Some(T::Semi);
                    self.last = None;
                    return implied(token.span);
                }
                if matches!(token.kind, T::Semi | T::Arrow) { self.collapse(token) } else { token }
            }
        };
        self.last = Some(token.kind);
        token
    }

    /// Whether a `;` is missing between the last token and this one.
    fn needs_semicolon(&self, next: T) -> bool {
        match self.last {
            Some(T::Else) => !matches!(next, T::Semi | T::Arrow | T::Fi),
            Some(T::BraceClose) => {
                let unit = matches!(next, T::Proctype | T::Init | T::Never | T::Eof);
                let inside = matches!(next, T::Sep | T::Fi | T::Od | T::BraceClose | T::Unless | T::Semi | T::Arrow);
                !unit && !inside
            }
            _ => false,
        }
    }

    /// Drops a separator before `}` or before another separator.
    fn collapse(&mut self, separator: Token<'a>) -> Token<'a> {
        let next = self.lex();
        if matches!(next.kind, T::BraceClose | T::Arrow | T::Semi) {
            return Token { dropped: Some(separator.span).filter(|_| !separator.implied), ..next };
        }
        self.held = Some(next);
        separator
    }

    /// One step of Spin's lexer.
    fn lex(&mut self) -> Token<'a> {
        loop {
            let raw = self.peek_raw();
            if raw.newline && !std::mem::replace(&mut self.newline_done, true) && self.newline_is_semicolon(&raw) {
                self.last_token = Some(T::Semi);
                return implied(raw.span);
            }
            let in_argument = self.inside_argument();
            self.skip_raw(1);
            if let Some(token) = self.classify(raw, in_argument) {
                self.last_token = Some(token.kind);
                return token;
            }
        }
    }

    fn newline_is_semicolon(&self, next: &RawToken<'_>) -> bool {
        use T::{
            BraceClose, BracketClose, Break, CCode, CDecl, CExpr, Const, Decrement, Else, Fi, Increment, Name, Od,
        };
        let Some(last) = self.last_token else { return false };
        let closes = matches!(last, BraceClose | T::ParenClose | BracketClose | Od | Fi | Else | Break | Name | Const);
        let ends_statement = closes || matches!(last, CCode | CExpr | CDecl | Increment | Decrement);
        self.modes.in_sequence
            && self.modes.parens == 0
            && ends_statement
            // Spin tests only the first letter of `unless`.
            && !(last == BraceClose && next.text.starts_with('u'))
    }

    /// Takes the tokens from `{` to the matching `}`.
    pub(super) fn take_braced(&mut self) -> Option<Rc<[RawToken<'a>]>> {
        let rest = self.upcoming();
        let end = matching_brace(rest, 0)?;
        let body = rest[..=end].into();
        self.skip_raw(end + 1);
        Some(body)
    }

    /// Whether the next token is in an inline argument, but not its last one.
    fn inside_argument(&self) -> bool {
        self.frames.last().is_some_and(|f| matches!(f.kind, FrameKind::Argument) && f.next + 1 < f.tokens.len())
    }

    /// The next raw token; finished expansions are popped.
    pub(super) fn peek_raw(&mut self) -> RawToken<'a> {
        loop {
            let frame = self.frames.last().expect("the file is never popped");
            if self.exhausted {
                return self.end;
            }
            match frame.tokens.get(frame.next) {
                Some(&raw) => return raw,
                None if self.frames.len() > 1 => {
                    self.frames.pop();
                }
                None => return self.end,
            }
        }
    }

    pub(super) fn skip_raw(&mut self, count: usize) {
        if let Some(frame) = self.frames.last_mut() {
            let stop = match frame.kind {
                FrameKind::File => frame.tokens.len() - 1,
                _ => frame.tokens.len(),
            };
            frame.next = (frame.next + count).min(stop);
        }
        self.newline_done = false;
    }

    pub(super) fn push_tokens(&mut self, tokens: Vec<RawToken<'a>>) {
        self.frames.push(Frame { tokens: tokens.into(), next: 0, kind: FrameKind::Pushed });
    }

    /// The unread tokens of the innermost frame.
    pub(super) fn upcoming(&self) -> &[RawToken<'a>] {
        self.frames.last().map_or(&[], |f| &f.tokens[f.next..])
    }
}

/// A token of the grammar from a raw one.
pub(super) fn token<'a>(raw: &RawToken<'a>, kind: T, value: i32) -> Token<'a> {
    Token {
        kind,
        raw: raw.kind,
        text: raw.text,
        value,
        span: raw.span,
        implied: false,
        first: raw.newline,
        dropped: None,
    }
}

/// An implied `;` before `span`.
fn implied<'a>(span: Span) -> Token<'a> {
    let span = Span::new(span.file, span.start, span.start);
    Token { kind: T::Semi, raw: Raw::Semi, text: ";", value: 0, span, implied: true, first: false, dropped: None }
}

/// The index of the `}` that closes the `{` at `open`.
pub(super) fn matching_brace(tokens: &[RawToken<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Raw::BraceOpen => depth += 1,
            Raw::BraceClose => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}
