//! Macro expansion.
//!
//! The method is gcc's: a stack of contexts, each a list of unread tokens, with the body of a macro on top of the text that
//! uses it. A macro is disabled while its body is on the stack; its name is then *painted* and never expanded again, not
//! even later as part of an argument. Arguments are expanded on their own, above a barrier, before they replace a
//! parameter, except next to `#` and `##`.
//!
//! Spin's lexer depends on blanks, so these are gcc's too: padding tokens tell the writer where an expansion starts and
//! ends.

use std::sync::Arc;

use lurcher_resources::checkpoint;
use lurcher_syntax::{Diagnostic, Span};

use super::macros::{Macro, is_builtin};
use super::predefined::is_name_elsewhere;
use super::scan::Scanner;
use super::token::{PpKind, PpToken};
use super::{Preprocessor, Run, limits};

/// Tokens on the stack, to be read before those below.
#[derive(Debug)]
pub(crate) struct Context {
    tokens: Vec<PpToken>,
    next: usize,
    /// The macro whose body this is.
    of: Option<Arc<str>>,
    /// Whether reading stops at its end: the tokens are expanded on their own.
    barrier: bool,
}

impl Context {
    fn of_tokens(tokens: Vec<PpToken>) -> Self {
        Context { tokens, next: 0, of: None, barrier: false }
    }
}

/// The outermost macro use under expansion.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub span: Span,
    pub line: u32,
}

impl Preprocessor<'_> {
    /// The next token after macro expansion, or padding.
    pub(super) fn next_expanded(&mut self) -> Run<PpToken> {
        let (mut token, from_file) = self.next_unexpanded()?;
        if token.kind == PpKind::Ident && !token.painted {
            if self.in_condition && &*token.text == "defined" {
                return self.defined_operator(token);
            }
            if is_builtin(&token.text) {
                self.enter_use(&token, from_file);
                return Ok(self.builtin(&token));
            }
            self.note_use(&token.text);
            if let Some(found) = self.macros.get(&token.text).cloned() {
                if self.disabled.contains(&token.text) {
                    token.painted = true;
                } else if self.enter(&found, &token, from_file)? {
                    return Ok(PpToken::generated(PpKind::Lead, "", &token));
                }
            } else if let Some(text) = self.macros.predefined(&token.text)
                && (self.in_condition || !is_name_elsewhere(&token.text))
            {
                self.enter_use(&token, from_file);
                let kind = if text.starts_with('"') { PpKind::Str } else { PpKind::Number };
                return Ok(PpToken::generated(kind, text, &token));
            }
        }
        if from_file {
            self.current_use = None;
        }
        Ok(token)
    }

    /// The next token before macro expansion, and whether it is from a file.
    pub(super) fn next_unexpanded(&mut self) -> Run<(PpToken, bool)> {
        checkpoint();
        let Some(top) = self.contexts.last_mut() else {
            return Ok((self.next_from_file()?, true));
        };
        let token = match top.tokens.get(top.next) {
            Some(token) if token.paste_left => self.paste_all()?,
            Some(token) => {
                top.next += 1;
                token.clone()
            }
            None if top.barrier => self.padding(PpKind::Eof),
            None => {
                self.leave();
                self.padding(PpKind::Seam)
            }
        };
        Ok((token, false))
    }

    fn padding(&self, kind: PpKind) -> PpToken {
        let (span, line) = self.current_use.as_ref().map_or((Span::default(), 0), |u| (u.span, u.line));
        PpToken::new(kind, "", span, line)
    }

    fn enter_use(&mut self, name: &PpToken, from_file: bool) {
        if from_file {
            self.current_use = Some(Use { span: name.span, line: name.line });
        }
    }

    /// Pushes the body of a macro; `false` if it takes arguments and none follow.
    fn enter(&mut self, found: &Arc<Macro>, name: &PpToken, from_file: bool) -> Run<bool> {
        let mut arguments = Vec::new();
        if found.params.is_some() {
            if !self.paren_follows()? {
                return Ok(false);
            }
            self.enter_use(name, from_file);
            match self.collect_arguments(found, name)? {
                Some(collected) => arguments = collected,
                None => return Ok(false),
            }
        } else {
            self.enter_use(name, from_file);
        }
        if self.argument_depth >= limits::ARGUMENT_DEPTH {
            return self.give_up(name.span, "macro calls are nested too deeply in arguments");
        }
        self.argument_depth += 1;
        let body = self.substitute(found, &arguments);
        self.argument_depth -= 1;
        let body = body?;
        self.charge(1 + body.len(), name.span)?;
        self.disabled.insert(found.name.clone());
        self.contexts.push(Context { of: Some(found.name.clone()), ..Context::of_tokens(body) });
        Ok(true)
    }

    fn leave(&mut self) {
        if let Some(name) = self.contexts.pop().and_then(|c| c.of) {
            self.disabled.remove(&name);
        }
    }

    /// Takes the `(` of a macro call if it is the next token, perhaps on a later line.
    fn paren_follows(&mut self) -> Run<bool> {
        let mut padding: Option<PpToken> = None;
        let (token, from_file) = loop {
            let (token, from_file) = self.next_unexpanded()?;
            if !token.is_padding() {
                break (token, from_file);
            }
            let replaced = padding.as_ref().is_none_or(|old| match old.kind {
                PpKind::Seam => true,
                _ => !old.space && token.kind == PpKind::Seam,
            });
            if replaced {
                padding = Some(token);
            }
        };
        if token.is("(") {
            return Ok(true);
        }
        if from_file {
            self.put_back_to_file(token);
        } else if token.kind != PpKind::Eof
            && let Some(top) = self.contexts.last_mut()
        {
            top.next -= 1;
        }
        self.contexts.extend(padding.map(|padding| Context::of_tokens(vec![padding])));
        Ok(false)
    }

    /// Takes arguments up to the closing parenthesis, which may be in a context below or in the file.
    fn collect_arguments(&mut self, found: &Macro, name: &PpToken) -> Run<Option<Vec<Vec<PpToken>>>> {
        let params = found.params.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let (mut token, from_file) = self.next_unexpanded()?;
            if token.kind == PpKind::Eof {
                if from_file {
                    self.put_back_to_file(token);
                }
                return self.unclosed_call(found, name);
            }
            self.charge(1, name.span)?;
            if depth == 0 && token.is(")") {
                if let Some(site) = self.current_use.as_mut().filter(|_| from_file) {
                    site.span = site.span.to(token.span);
                }
                break;
            }
            let takes_all = found.variadic && arguments.len() == params;
            if depth == 0 && token.is(",") && !takes_all {
                arguments.push(Vec::new());
                continue;
            }
            depth += usize::from(token.is("("));
            depth -= usize::from(token.is(")"));
            token.painted |= token.kind == PpKind::Ident && self.disabled.contains(&token.text);
            let argument = arguments.last_mut().expect("there is a current argument");
            if !(argument.is_empty() && token.is_padding()) {
                argument.push(token);
            }
        }
        for argument in &mut arguments {
            while argument.last().is_some_and(PpToken::is_padding) {
                argument.pop();
            }
        }
        self.check_count(found, name, &mut arguments)?;
        Ok(Some(arguments))
    }

    fn unclosed_call<T>(&mut self, found: &Macro, name: &PpToken) -> Run<Option<T>> {
        let at = self.current_use.as_ref().map_or(name.span, |u| u.span);
        let message = format!("the call of macro `{}` has no closing `)`", found.name);
        self.report(Diagnostic::error(at, message).also(found.span, "defined here"))?;
        Ok(None)
    }

    /// Adjusts the number of arguments, with an error if it is wrong.
    fn check_count(&mut self, found: &Macro, name: &PpToken, arguments: &mut Vec<Vec<PpToken>>) -> Run<()> {
        let params = found.params.as_ref().map_or(0, Vec::len);
        if params == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if found.variadic && arguments.len() + 1 == params {
            arguments.push(Vec::new());
        }
        if arguments.len() != params {
            let given = arguments.len();
            let message = format!("macro `{}` takes {params} arguments, but is given {given}", found.name);
            self.report(Diagnostic::error(name.span, message).also(found.span, "defined here"))?;
            arguments.resize(params, Vec::new());
        }
        Ok(())
    }

    /// Expands a list of tokens on its own.
    pub(super) fn expand_alone(&mut self, tokens: Vec<PpToken>) -> Run<Vec<PpToken>> {
        self.contexts.push(Context { barrier: true, ..Context::of_tokens(tokens) });
        let mut out = Vec::new();
        let result = loop {
            match self.next_expanded() {
                Ok(token) if token.kind == PpKind::Eof => break Ok(out),
                Ok(token) => out.push(token),
                Err(exhausted) => break Err(exhausted),
            }
        };
        self.contexts.pop();
        result
    }

    /// Pastes tokens of the innermost context at `##`, and pushes the result.
    fn paste_all(&mut self) -> Run<PpToken> {
        let top = self.contexts.last_mut().expect("a token was seen in this context");
        let first = top.tokens[top.next].clone();
        let mut text = first.text.to_string();
        let mut right = &first;
        top.next += 1;
        while right.paste_left {
            let Some(next) = top.tokens.get(top.next) else { break };
            top.next += 1;
            if next.is_padding() {
                continue;
            }
            right = next;
            text.push_str(&right.text);
        }
        self.charge(text.len(), first.span)?;
        let token = Scanner::new(first.span.file, text.clone().into()).next();
        if *token.text != *text || matches!(token.kind, PpKind::Other | PpKind::Newline | PpKind::Eof) {
            let at = self.current_use.as_ref().map_or(first.span, |u| u.span);
            self.error(at, format!("`##` makes `{text}` here, which is not a single token"))?;
        }
        let joined = PpToken::generated(token.kind, text, &first);
        self.contexts.push(Context::of_tokens(vec![joined]));
        Ok(PpToken::generated(PpKind::Lead, "", &first))
    }

    fn builtin(&mut self, token: &PpToken) -> PpToken {
        let number = |value: String| PpToken::generated(PpKind::Number, value, token);
        let string = |value: &str| PpToken::generated(PpKind::Str, format!("{value:?}"), token);
        match &*token.text {
            "__LINE__" => number(self.current_use.as_ref().map_or(token.line, |u| u.line).to_string()),
            "__COUNTER__" => {
                self.counter += 1;
                number((self.counter - 1).to_string())
            }
            "__INCLUDE_LEVEL__" => number((self.open_files.len() - 1).to_string()),
            name => {
                let file = if name == "__FILE__" { self.open_files.last() } else { self.open_files.first() };
                string(file.map_or("", |f| self.sources.file(f.scanner.file()).name()))
            }
        }
    }

    /// `defined X` and `defined(X)` in the condition of an `#if`, perhaps from a macro.
    fn defined_operator(&mut self, word: PpToken) -> Run<PpToken> {
        let mut name = self.next_significant()?;
        let paren = name.is("(");
        if paren {
            name = self.next_significant()?;
        }
        if name.kind != PpKind::Ident || (paren && !self.next_significant()?.is(")")) {
            self.error(word.span, "`defined` needs a name, or a name in parentheses")?;
        }
        self.note_use(&name.text);
        let value = if self.macros.is_defined(&name.text) { "1" } else { "0" };
        Ok(PpToken::generated(PpKind::Number, value, &word))
    }

    fn next_significant(&mut self) -> Run<PpToken> {
        loop {
            let token = self.next_unexpanded()?.0;
            if !token.is_padding() {
                return Ok(token);
            }
        }
    }
}
