//! The state of the parser: the tokens and the diagnostics so far.

use lurcher_resources::checkpoint;
use lurcher_syntax::{Diagnostic, Span};

use super::clause::Section;
use super::limits;
use crate::ast::Ident;
use crate::token::{Keyword, T, Token};

/// An error was reported, and the rule cannot continue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abort;

pub(super) type P<X> = Result<X, Abort>;

pub(super) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    /// Index of the next token.
    position: usize,
    /// Index of the token of the last error; a second error there is not reported.
    pub(super) error_at: Option<usize>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Number of errors, reported or not.
    pub(super) errors: usize,
    /// Number of warnings, reported or not.
    pub(super) warnings: usize,
    nesting: usize,
    /// The names of the blocks that are not ended yet.
    pub(super) open_blocks: Vec<String>,
    /// What the current clause is part of.
    pub(super) section: Section,
}

impl<'a> Parser<'a> {
    pub(super) fn new(mut tokens: Vec<Token<'a>>) -> Self {
        let open = |t: &Token<'_>| Diagnostic::error(t.span, "this comment does not end").note("it ends with `*/`");
        let diagnostics: Vec<_> = tokens.iter().filter(|t| t.kind == T::Comment).map(open).collect();
        tokens.retain(|t| t.kind != T::Comment);
        let errors = diagnostics.len();
        Parser {
            tokens,
            position: 0,
            error_at: None,
            diagnostics,
            errors,
            warnings: 0,
            nesting: 0,
            open_blocks: Vec::new(),
            section: Section::Global,
        }
    }

    /// The diagnostics, sorted by position.
    pub(super) fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|d| d.labels[0].span.start);
        self.diagnostics
    }

    /// The next token, which is not taken.
    pub(super) fn peek(&self) -> Token<'a> {
        self.look(0)
    }

    /// The token `distance` after the next one.
    pub(super) fn look(&self, distance: usize) -> Token<'a> {
        self.tokens[(self.position + distance).min(self.tokens.len() - 1)]
    }

    /// The last token taken; at the start of the file, the next one.
    pub(super) fn previous(&self) -> Token<'a> {
        self.tokens[self.position.saturating_sub(1)]
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The span of the next token.
    pub(super) fn here(&self) -> Span {
        self.peek().span
    }

    pub(super) fn at(&self, kind: T) -> bool {
        self.peek().kind == kind
    }

    pub(super) fn at_key(&self, keyword: Keyword) -> bool {
        self.at(T::Key(keyword))
    }

    pub(super) fn bump(&mut self) -> Token<'a> {
        checkpoint();
        let token = self.peek();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        token
    }

    /// Skips the rest of the file.
    pub(super) fn stop(&mut self) {
        self.position = self.tokens.len() - 1;
    }

    pub(super) fn eat(&mut self, kind: T) -> Option<Token<'a>> {
        self.at(kind).then(|| self.bump())
    }

    pub(super) fn eat_key(&mut self, keyword: Keyword) -> bool {
        self.eat(T::Key(keyword)).is_some()
    }

    /// Takes a token of this kind, or reports that `what` was expected.
    pub(super) fn expect(&mut self, kind: T, what: &str) -> P<Token<'a>> {
        match self.eat(kind) {
            Some(token) => Ok(token),
            None => self.unexpected(what),
        }
    }

    pub(super) fn expect_key(&mut self, keyword: Keyword) -> P<Token<'a>> {
        self.expect(T::Key(keyword), &format!("`{}`", keyword.text()))
    }

    pub(super) fn ident(&mut self, what: &str) -> P<Ident> {
        let token = self.expect(T::Name, what)?;
        Ok(Ident { name: token.text.to_owned(), span: token.span })
    }

    /// An integer without sign.
    pub(super) fn number(&mut self, what: &str) -> P<i64> {
        let token = self.peek();
        if token.kind != T::Number {
            return self.unexpected(what);
        }
        match token.text.parse() {
            Ok(value) => {
                self.bump();
                Ok(value)
            }
            Err(_) => self.fail(Diagnostic::error(token.span, format!("integers go up to {}", i64::MAX))),
        }
    }

    /// The span from `start` to the last token taken.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.previous().span)
    }

    /// Runs a rule one level deeper.
    pub(super) fn nested<X>(&mut self, rule: impl FnOnce(&mut Self) -> P<X>) -> P<X> {
        if self.nesting >= limits::NESTING {
            let message = format!("nested more than {} levels deep", limits::NESTING);
            return self.fail(Diagnostic::error(self.here(), message));
        }
        self.nesting += 1;
        let result = rule(self);
        self.nesting -= 1;
        result
    }

    /// One or more elements, separated by commas.
    pub(super) fn list<X>(&mut self, mut element: impl FnMut(&mut Self) -> P<X>) -> P<Vec<X>> {
        let mut elements = vec![element(self)?];
        while self.eat(T::Comma).is_some() {
            elements.push(element(self)?);
        }
        Ok(elements)
    }

    /// A list in parentheses, or nothing.
    pub(super) fn optional_list<X>(&mut self, element: impl FnMut(&mut Self) -> P<X>) -> P<Vec<X>> {
        if self.eat(T::ParenOpen).is_none() {
            return Ok(Vec::new());
        }
        let elements = self.list(element)?;
        self.expect(T::ParenClose, "an operator, `,` or `)`")?;
        Ok(elements)
    }
}
