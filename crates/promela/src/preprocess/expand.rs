//! Replaces macros.
//!
//! The method is gcc's: a stack of contexts, each a list of tokens still to be read, the body of a macro on top of
//! the text that used it. A macro is disabled while its body is on the stack; its name, if met then, is *painted* and
//! never expanded again, also not later as part of an argument. Arguments are expanded on their own, above a barrier,
//! before they replace a parameter, except beside `#` and `##`.

use std::sync::Arc;

use lurcher_syntax::{Diagnostic, Span};

use super::macros::{Macro, is_builtin};
use super::scan::Scanner;
use super::token::{PpKind, PpToken};
use super::{Preprocessor, Run, limits};

/// Tokens to be read before the text below them.
#[derive(Debug)]
pub(crate) struct Context {
    tokens: Vec<PpToken>,
    next: usize,
    /// The macro whose body this is.
    of: Option<Arc<str>>,
    /// Reading stops here: the tokens are expanded on their own.
    barrier: bool,
}

/// The outermost macro use being expanded.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub span: Span,
    pub line: u32,
}

impl Preprocessor<'_> {
    /// The next token with all macros replaced.
    pub(super) fn next_expanded(&mut self) -> Run<PpToken> {
        loop {
            let (mut token, from_file) = self.next_unexpanded()?;
            if token.kind == PpKind::Ident && !token.painted {
                if self.in_condition && &*token.text == "defined" {
                    return self.defined_operator(token);
                }
                if is_builtin(&token.text) {
                    self.enter_use(&token, from_file);
                    return Ok(self.builtin(&token));
                }
                if let Some(found) = self.macros.get(&token.text).cloned() {
                    if self.disabled.contains(&token.text) {
                        token.painted = true;
                    } else if self.enter(&found, &token, from_file)? {
                        continue;
                    }
                }
            }
            if from_file {
                self.current_use = None;
            }
            return Ok(token);
        }
    }

    /// The next token as it stands, and whether it came straight from a file.
    pub(super) fn next_unexpanded(&mut self) -> Run<(PpToken, bool)> {
        loop {
            let Some(top) = self.contexts.last_mut() else {
                let token = self.next_from_file()?;
                return Ok((self.padded(token), true));
            };
            if let Some(token) = top.tokens.get(top.next) {
                let token = token.clone();
                top.next += 1;
                return Ok((self.padded(token), false));
            }
            if top.barrier {
                return Ok((self.end_of_list(), false));
            }
            self.leave();
        }
    }

    fn padded(&mut self, mut token: PpToken) -> PpToken {
        if let Some(space) = self.padding.take() {
            token.boundary = true;
            token.space |= space;
        }
        token
    }

    fn end_of_list(&self) -> PpToken {
        let span = self.current_use.as_ref().map_or(Span::default(), |u| u.span);
        PpToken {
            kind: PpKind::Eof,
            text: "".into(),
            span,
            line: 0,
            space: false,
            first: false,
            boundary: false,
            painted: false,
            from_body: false,
        }
    }

    fn enter_use(&mut self, name: &PpToken, from_file: bool) {
        if from_file {
            self.current_use = Some(Use { span: name.span, line: name.line });
        }
    }

    /// Puts the body of a macro on the stack; `false` if it takes arguments and none follow.
    fn enter(&mut self, found: &Arc<Macro>, name: &PpToken, from_file: bool) -> Run<bool> {
        let body = if found.params.is_some() {
            if !self.paren_follows()? {
                return Ok(false);
            }
            self.enter_use(name, from_file);
            let Some(arguments) = self.collect_arguments(found, name)? else { return Ok(false) };
            if self.argument_depth >= limits::ARGUMENT_DEPTH {
                return self.give_up(name.span, "macro calls are nested too deeply in arguments");
            }
            self.argument_depth += 1;
            let body = self.substitute(found, arguments);
            self.argument_depth -= 1;
            body?
        } else {
            self.enter_use(name, from_file);
            self.substitute(found, Vec::new())?
        };
        self.charge(1 + body.len(), name.span)?;
        self.padding = Some(name.space);
        self.disabled.insert(found.name.clone());
        self.contexts.push(Context { tokens: body, next: 0, of: Some(found.name.clone()), barrier: false });
        Ok(true)
    }

    fn leave(&mut self) {
        if let Some(name) = self.contexts.pop().and_then(|c| c.of) {
            self.disabled.remove(&name);
        }
        self.padding.get_or_insert(false);
    }

    /// Reads the `(` of a macro call if it is the next token, perhaps on a later line.
    fn paren_follows(&mut self) -> Run<bool> {
        let padding = self.padding.take();
        let (token, from_file) = self.next_unexpanded()?;
        if token.is("(") {
            return Ok(true);
        }
        self.padding = padding;
        if from_file {
            self.put_back_to_file(token);
        } else if token.kind != PpKind::Eof
            && let Some(top) = self.contexts.last_mut()
        {
            top.next -= 1;
        }
        Ok(false)
    }

    /// Reads arguments up to the closing parenthesis, which may be in a context below or in the file.
    fn collect_arguments(&mut self, found: &Macro, name: &PpToken) -> Run<Option<Vec<Vec<PpToken>>>> {
        let params = found.params.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let (mut token, from_file) = self.next_unexpanded()?;
            if token.kind == PpKind::Eof {
                let at = self.current_use.as_ref().map_or(name.span, |u| u.span);
                self.report(
                    Diagnostic::error(at, format!("the call of macro `{}` has no closing `)`", found.name))
                        .also(found.span, "defined here"),
                )?;
                if from_file {
                    self.put_back_to_file(token);
                }
                return Ok(None);
            }
            self.charge(1, name.span)?;
            if token.kind == PpKind::Ident && self.disabled.contains(&token.text) {
                token.painted = true;
            }
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
            depth = depth + usize::from(token.is("(")) - usize::from(token.is(")"));
            if let Some(argument) = arguments.last_mut() {
                argument.push(token);
            }
        }
        self.padding = None;
        if params == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if found.variadic && arguments.len() + 1 == params {
            arguments.push(Vec::new());
        }
        if arguments.len() != params {
            let message = format!("macro `{}` takes {params} arguments, but {} are given", found.name, arguments.len());
            self.report(Diagnostic::error(name.span, message).also(found.span, "defined here"))?;
            arguments.resize(params, Vec::new());
        }
        Ok(Some(arguments))
    }

    /// The body with parameters replaced, `#` and `##` obeyed.
    fn substitute(&mut self, found: &Macro, arguments: Vec<Vec<PpToken>>) -> Run<Vec<PpToken>> {
        let mut expanded: Vec<Option<Vec<PpToken>>> = vec![None; arguments.len()];
        let mut out: Vec<PpToken> = Vec::new();
        let body = &found.body;
        let mut i = 0;
        // Set when the token just handled ended an argument or a paste, so that the next one must not run into it.
        let mut boundary = false;
        while i < body.len() {
            let token = &body[i];
            let pasted = i > 0 && body[i - 1].is("##");
            let pasting = body.get(i + 1).is_some_and(|t| t.is("##"));
            if token.is("##") {
                i += 1;
                continue;
            }
            let mut piece = if token.is("#") && found.params.is_some() {
                i += 1;
                let argument = found.param(&body[i]).map_or(&[][..], |p| &arguments[p]);
                vec![stringify(argument, token)]
            } else if let Some(p) = found.param(token) {
                let mut piece = if pasted || pasting {
                    arguments[p].clone()
                } else {
                    if expanded[p].is_none() {
                        expanded[p] = Some(self.expand_alone(arguments[p].clone())?);
                    }
                    expanded[p].clone().unwrap_or_default()
                };
                self.charge(piece.len(), token.span)?;
                if let Some(first) = piece.first_mut() {
                    (first.space, first.boundary) = (token.space, true);
                }
                boundary = true;
                piece
            } else {
                let mut token = token.clone();
                token.boundary |= std::mem::take(&mut boundary);
                vec![token]
            };
            if pasted {
                // GNU: `, ## __VA_ARGS__` drops the comma where there are no further arguments.
                let variadic = found.variadic && found.param(token).is_some_and(|p| p + 1 == arguments.len());
                if variadic && out.last().is_some_and(|t| t.is(",")) {
                    if piece.is_empty() {
                        out.pop();
                    }
                } else if let (Some(left), Some(right)) = (out.last().cloned(), piece.first().cloned())
                    && !left_is_placemarker(body, found, &arguments, i)
                {
                    out.pop();
                    piece[0] = self.paste(&left, &right)?;
                }
                boundary = true;
            }
            out.append(&mut piece);
            i += 1;
        }
        let bytes = out.iter().map(|t| t.text.len()).sum();
        self.charge(bytes, found.span)?;
        Ok(out)
    }

    /// Expands a list of tokens as if nothing stood around it.
    pub(super) fn expand_alone(&mut self, tokens: Vec<PpToken>) -> Run<Vec<PpToken>> {
        let padding = self.padding.take();
        self.contexts.push(Context { tokens, next: 0, of: None, barrier: true });
        let mut out = Vec::new();
        let result = loop {
            match self.next_expanded() {
                Ok(token) if token.kind == PpKind::Eof => break Ok(out),
                Ok(token) => out.push(token),
                Err(exhausted) => break Err(exhausted),
            }
        };
        self.contexts.pop();
        self.padding = padding;
        result
    }

    fn paste(&mut self, left: &PpToken, right: &PpToken) -> Run<PpToken> {
        let text = format!("{}{}", left.text, right.text);
        self.charge(text.len(), left.span)?;
        let mut scanner = Scanner::new(left.span.file, text.clone().into());
        let token = scanner.next();
        if *token.text != *text || matches!(token.kind, PpKind::Other | PpKind::Newline | PpKind::Eof) {
            let at = self.current_use.as_ref().map_or(left.span, |u| u.span);
            let message = format!("`##` makes `{text}` here, which is not a single token");
            self.error(at, message)?;
        }
        Ok(PpToken { boundary: true, ..PpToken::made(token.kind, text, left) })
    }

    fn builtin(&mut self, token: &PpToken) -> PpToken {
        let number = |value: String| PpToken::made(PpKind::Number, value, token);
        let string = |value: &str| PpToken::made(PpKind::Str, format!("{value:?}"), token);
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

    /// `defined X` and `defined(X)` in the condition of an `#if`, also where a macro brought the word here.
    fn defined_operator(&mut self, word: PpToken) -> Run<PpToken> {
        let (mut name, _) = self.next_unexpanded()?;
        let paren = name.is("(");
        if paren {
            name = self.next_unexpanded()?.0;
        }
        if name.kind != PpKind::Ident || (paren && !self.next_unexpanded()?.0.is(")")) {
            self.error(word.span, "`defined` needs a name, or a name in parentheses")?;
        }
        let value = if self.macros.is_defined(&name.text) { "1" } else { "0" };
        Ok(PpToken::made(PpKind::Number, value, &word))
    }
}

/// Whether the operand left of the `##` before body token `i` is an empty argument, so that `out` ends with something
/// further left which must stay as it is.
fn left_is_placemarker(body: &[PpToken], found: &Macro, arguments: &[Vec<PpToken>], i: usize) -> bool {
    let mut left = i;
    while left >= 2 && body[left - 1].is("##") {
        left -= 2;
        match found.param(&body[left]) {
            Some(p) if arguments[p].is_empty() => {}
            _ => return false,
        }
    }
    true
}

/// `#x`: the spelling of an argument as a string constant.
fn stringify(argument: &[PpToken], hash: &PpToken) -> PpToken {
    let mut text = String::from("\"");
    for (i, token) in argument.iter().enumerate() {
        if i > 0 && token.space {
            text.push(' ');
        }
        let quoted = matches!(token.kind, PpKind::Str | PpKind::Char);
        for c in token.text.chars() {
            if quoted && matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
    }
    text.push('"');
    PpToken::made(PpKind::Str, text, hash)
}
