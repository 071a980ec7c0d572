//! Inline definitions and the expansion of their calls.
//!
//! Spin expands an `inline` as text: each parameter in the body is replaced by the text of its argument. Here the same
//! happens with tokens, also after a `.` and in labels, but not in strings. As in Spin, an argument that is the name of
//! another parameter is refused, and if the *last* word of a longer argument is the name of a parameter, it is replaced
//! again.

use std::rc::Rc;

use lurcher_syntax::{Diagnostic, Span};

use super::stream::{Frame, FrameKind, Stream};
use super::token::{T, Token};
use super::{Abort, Expansion, P, Parser, limits};
use crate::ast::{Block, Stmt, StmtKind, VarRef};
use crate::lex::{Raw, RawToken};

/// An inline definition.
#[derive(Debug)]
pub(crate) struct Inline<'a> {
    pub name: &'a str,
    pub span: Span,
    pub params: Vec<&'a str>,
    /// The body, braces included.
    pub body: Rc<[RawToken<'a>]>,
}

/// One argument of a call.
#[derive(Debug)]
pub(crate) struct Argument<'a> {
    tokens: Rc<[RawToken<'a>]>,
    /// Its text without white space.
    text: String,
}

impl<'a> Argument<'a> {
    pub(crate) fn new(tokens: &[Token<'a>]) -> Self {
        let text =
            tokens.iter().map(|t| if t.kind == T::Const { t.value.to_string() } else { t.text.to_owned() }).collect();
        let raw = |t: &Token<'a>| RawToken {
            kind: t.raw,
            text: t.text,
            value: t.value,
            span: t.span,
            newline: false,
            adjacent: false,
        };
        Argument { tokens: tokens.iter().map(raw).collect(), text }
    }
}

/// A call under expansion.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub inline: Rc<Inline<'a>>,
    pub arguments: Vec<Argument<'a>>,
    /// The variable of `v = f(…)`, which `return` assigns.
    pub result: Option<VarRef>,
    pub site: Span,
    pub id: u32,
}

impl<'a> Stream<'a> {
    /// Stores the body after `inline f(…)`, unparsed.
    pub(crate) fn define_inline(&mut self, name: Token<'a>, params: Vec<&'a str>) -> P<()> {
        let open = self.peek_raw();
        if open.kind != Raw::BraceOpen {
            self.report(Diagnostic::error(open.span, "expected `{` and the body of the inline"));
            return Err(Abort);
        }
        let Some(body) = self.take_braced() else {
            let message = format!("the body of inline `{}` has no closing `}}`", name.text);
            self.report(Diagnostic::error(open.span, message));
            return Err(Abort);
        };
        let inline = Inline { name: name.text, span: name.span, params, body };
        if let Some(old) = self.inlines.insert(name.text.to_owned(), Rc::new(inline)) {
            let message = format!("inline `{}` is defined twice", name.text);
            self.report(Diagnostic::error(name.span, message).also(old.span, "first defined here"));
        }
        Ok(())
    }

    /// Pushes the body of an inline. Returns the number of the expansion, or `None` with a diagnostic if the call is wrong.
    pub(crate) fn call_inline(
        &mut self,
        name: Token<'a>,
        arguments: Vec<Argument<'a>>,
        result: Option<VarRef>,
        site: Span,
    ) -> Option<u32> {
        let inline = self.inlines.get(name.text)?.clone();
        let outer = self.calls().find(|c| Rc::ptr_eq(&c.inline, &inline)).map(|c| c.site);
        if let Some(outer) = outer {
            self.report(
                Diagnostic::error(site, format!("inline `{}` calls itself", name.text))
                    .also(outer, "expanded from here")
                    .note("an inline is expanded as text and cannot be recursive; use a proctype"),
            );
            return None;
        }
        if self.calls().count() >= limits::INLINE_DEPTH {
            self.report(Diagnostic::error(site, "inline calls are nested too deeply"));
            return None;
        }
        if inline.params.len() != arguments.len() {
            let (takes, given) = (inline.params.len(), arguments.len());
            self.report(
                Diagnostic::error(
                    site,
                    format!("inline `{}` takes {takes} arguments, but is given {given}", name.text),
                )
                .also(inline.span, "defined here"),
            );
            return None;
        }
        let id = self.expansions.len() as u32 + 1;
        let parent = self.call().map_or(0, |c| c.id);
        self.expansions.push(Expansion { id, name: name.text.to_owned(), call: site, parent });
        let body = inline.body.clone();
        let call = Call { inline, arguments, result, site, id };
        self.push_frame(body, FrameKind::Inline(Rc::new(call)));
        self.last_token = Some(T::Semi);
        Some(id)
    }

    /// Replaces a parameter in the body of an inline by its argument; `false` if the word is not one.
    pub(crate) fn substitute(&mut self, word: &RawToken<'a>) -> bool {
        let Some(call) = self.call().cloned() else { return false };
        let Some(index) = call.inline.params.iter().position(|p| *p == word.text) else { return false };
        let argument = &call.arguments[index];
        if argument.text == word.text || !self.check_substitution(&call, argument, word) {
            return false;
        }
        let nested = self.frames.iter().rev().take_while(|f| matches!(f.kind, FrameKind::Argument)).count();
        if nested > call.inline.params.len() {
            let message = format!("argument `{}` of inline `{}` contains itself", argument.text, call.inline.name);
            self.report(Diagnostic::error(call.site, message));
            return false;
        }
        if nested > 0 {
            self.report(
                Diagnostic::warning(call.site, format!("`{}` in this call of inline `{}` is replaced again", word.text, call.inline.name))
                    .note("it ends an argument and is also the name of a parameter; Spin reads it so too: rename one of the two"),
            );
        }
        let tokens = argument.tokens.iter().map(|t| RawToken { span: word.span, ..*t }).collect();
        self.push_frame(tokens, FrameKind::Argument);
        true
    }

    /// Refuses substitutions that Spin refuses.
    fn check_substitution(&mut self, call: &Call<'a>, argument: &Argument<'a>, word: &RawToken<'a>) -> bool {
        let (name, text) = (call.inline.name, &argument.text);
        let beside_dot =
            |(at, found): (usize, &str)| text[..at].ends_with('.') || text[at + found.len()..].starts_with('.');
        let message = if call.inline.params.iter().any(|p| p == text) {
            format!("argument `{text}` of inline `{name}` is also the name of another parameter")
        } else if text.match_indices(word.text).any(beside_dot) {
            format!("parameter `{}` of inline `{name}` also names a part of its argument `{text}`", word.text)
        } else {
            return true;
        };
        self.report(
            Diagnostic::error(call.site, message)
                .also(call.inline.span, "defined here")
                .note("Spin refuses this, since it replaces text: rename the parameter"),
        );
        false
    }

    /// The innermost call under expansion.
    pub(crate) fn call(&self) -> Option<&Rc<Call<'a>>> {
        self.calls().next()
    }

    /// All calls under expansion, innermost first.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Rc<Call<'a>>> {
        self.frames.iter().rev().filter_map(|f| match &f.kind {
            FrameKind::Inline(call) => Some(call),
            _ => None,
        })
    }

    fn push_frame(&mut self, tokens: Rc<[RawToken<'a>]>, kind: FrameKind<'a>) {
        self.spent += tokens.len();
        if self.spent > limits::INLINE_TOKENS {
            if !self.exhausted {
                let site = self.calls().last().map_or(Span::default(), |c| c.site);
                self.report(Diagnostic::error(site, "the expansion of inline calls grows too large"));
            }
            self.exhausted = true;
            return;
        }
        self.frames.push(Frame { tokens, next: 0, kind });
    }
}

impl<'a> Parser<'a> {
    /// `f(args)` or `v = f(args)`: the expansion is parsed in its place.
    pub(super) fn inline_call(&mut self, result: Option<VarRef>, start: Span) -> P<Box<Stmt>> {
        let (id, site) = self.inline_header(result, start)?;
        if id == 0 {
            return Ok(self.stmt_since(start, StmtKind::Block(Block { span: site, ..Block::default() })));
        }
        let end = self.previous;
        let mut block = self.nested(Self::block)?;
        block.inline_id = id;
        self.previous = end;
        Ok(self.stmt_since(start, StmtKind::Block(block)))
    }

    /// The call itself: the number of its expansion, which is read next, or 0 if the call is wrong; and its span.
    fn inline_header(&mut self, result: Option<VarRef>, start: Span) -> P<(u32, Span)> {
        let name = self.bump();
        self.expect(T::ParenOpen, "`(` and the arguments")?;
        let arguments = self.inline_arguments()?;
        let close = self.expect(T::ParenClose, "`,` or `)`")?;
        let site = start.to(close.span);
        Ok((self.stream.call_inline(name, arguments, result, site).unwrap_or(0), site))
    }

    /// The arguments: expressions, of which the tokens are kept.
    fn inline_arguments(&mut self) -> P<Vec<Argument<'a>>> {
        if self.at(T::ParenClose) {
            return Ok(Vec::new());
        }
        self.list(|p| Ok(Argument::new(&p.recorded(Self::expr)?)))
    }

    /// The tokens a rule takes.
    fn recorded<X>(&mut self, rule: impl FnOnce(&mut Self) -> P<X>) -> P<Vec<Token<'a>>> {
        self.recording = Some(Vec::new());
        let result = rule(self);
        let tokens = self.recording.take().unwrap_or_default();
        result.map(|_| tokens)
    }

    /// `return e` in an inline called as `v = f(…)`: assigns to `v`.
    pub(super) fn return_value(&mut self) -> P<Box<Stmt>> {
        let word = self.bump();
        let target = self.stream.call().and_then(|c| c.result.clone());
        let value = self.full_expr()?;
        let Some(target) = target else {
            let message = "`return` is only allowed in an inline whose call is assigned to a variable";
            self.report(Diagnostic::error(word.span, message));
            return Ok(self.stmt_since(word.span, StmtKind::Expr(value)));
        };
        let span = target.span;
        Ok(Box::new(Stmt { kind: StmtKind::Assign(target, value), span }))
    }
}
