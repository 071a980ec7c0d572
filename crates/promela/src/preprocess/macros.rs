//! Macro definitions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lurcher_syntax::{Diagnostic, Span};

use super::limits;
use super::predefined::predefined;
use super::token::{PpKind, PpToken};

const PASTE_AT_END: &str = "`##` cannot stand at either end of a macro";

/// One macro.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    pub name: Arc<str>,
    /// The span of the name in its definition.
    pub span: Span,
    /// `None` for a macro without an argument list.
    pub params: Option<Vec<Arc<str>>>,
    /// The last parameter takes all remaining arguments.
    pub variadic: bool,
    pub body: Vec<PpToken>,
}

impl Macro {
    /// The parameter that a token of the body names.
    pub(crate) fn param(&self, token: &PpToken) -> Option<usize> {
        if token.kind != PpKind::Ident {
            return None;
        }
        self.params.as_ref()?.iter().position(|p| *p == token.text)
    }

    /// Parses the line of a `#define`.
    pub(crate) fn parse(line: &[PpToken], at: Span) -> Result<Macro, Diagnostic> {
        let Some(name) = line.first() else { return Err(Diagnostic::error(at, "`#define` without a name")) };
        if name.kind != PpKind::Ident {
            let message = format!("expected the name of a macro, found `{}`", name.text);
            return Err(Diagnostic::error(name.span, message));
        }
        if &*name.text == "defined" {
            return Err(Diagnostic::error(name.span, "`defined` cannot be the name of a macro"));
        }
        let mut rest = &line[1..];
        let (mut params, mut variadic) = (None, false);
        if let Some(paren) = rest.first().filter(|t| t.is("(") && !t.space) {
            let (list, dots, after) = parse_params(&rest[1..], paren.span)?;
            (params, variadic, rest) = (Some(list), dots, after);
        }
        let mut body: Vec<PpToken> =
            rest.iter().map(|t| PpToken { from_body: true, first: false, ..t.clone() }).collect();
        if let Some(first) = body.first_mut() {
            first.space = false;
        }
        let mut definition = Macro { name: name.text.clone(), span: name.span, params, variadic, body: Vec::new() };
        definition.set_body(body)?;
        Ok(definition)
    }

    /// Sets the body, with `#` and `##` turned into marks on their operands.
    fn set_body(&mut self, tokens: Vec<PpToken>) -> Result<(), Diagnostic> {
        let mut hash: Option<PpToken> = None;
        let mut paste: Option<PpToken> = None;
        for mut token in tokens {
            if let Some(hash) = hash.take() {
                if self.param(&token).is_none() {
                    return Err(Diagnostic::error(hash.span, "`#` is not followed by a macro parameter"));
                }
                token.stringify = true;
                token.space = hash.space;
            } else if token.is("##") {
                match self.body.last_mut() {
                    Some(left) => left.paste_left = true,
                    None => return Err(Diagnostic::error(token.span, PASTE_AT_END)),
                }
                paste = Some(token);
                continue;
            } else if token.is("#") && self.params.is_some() {
                hash = Some(token);
                continue;
            }
            paste = None;
            self.body.push(token);
        }
        match (hash, paste) {
            (Some(hash), _) => Err(Diagnostic::error(hash.span, "`#` is not followed by a macro parameter")),
            (None, Some(paste)) => Err(Diagnostic::error(paste.span, PASTE_AT_END)),
            (None, None) => Ok(()),
        }
    }

    /// Whether two definitions are the same.
    pub(crate) fn same_as(&self, other: &Macro) -> bool {
        let token = |t: &PpToken| (t.text.clone(), t.space, t.paste_left, t.stringify);
        let spelling = |m: &Macro| m.body.iter().map(token).collect::<Vec<_>>();
        self.params == other.params && self.variadic == other.variadic && spelling(self) == spelling(other)
    }
}

type Params<'a> = (Vec<Arc<str>>, bool, &'a [PpToken]);

fn parse_params(mut rest: &[PpToken], open: Span) -> Result<Params<'_>, Diagnostic> {
    let mut params: Vec<Arc<str>> = Vec::new();
    let mut variadic = false;
    loop {
        let Some(token) = rest.first() else {
            return Err(Diagnostic::error(open, "expected `)` at the end of the parameter list"));
        };
        rest = &rest[1..];
        if token.is(")") && params.is_empty() {
            return Ok((params, variadic, rest));
        }
        if token.is("...") {
            params.push("__VA_ARGS__".into());
            variadic = true;
        } else if token.kind == PpKind::Ident {
            if params.contains(&token.text) {
                return Err(Diagnostic::error(token.span, format!("macro parameter `{}` given twice", token.text)));
            }
            params.push(token.text.clone());
            if params.len() > limits::PARAMETERS {
                return Err(Diagnostic::error(token.span, "too many macro parameters"));
            }
            if rest.first().is_some_and(|t| t.is("...")) {
                variadic = true;
                rest = &rest[1..];
            }
        } else {
            return Err(Diagnostic::error(token.span, format!("expected a parameter, found `{}`", token.text)));
        }
        match rest.first() {
            Some(t) if t.is(")") => return Ok((params, variadic, &rest[1..])),
            Some(t) if t.is(",") && !variadic => rest = &rest[1..],
            Some(t) => {
                return Err(Diagnostic::error(t.span, format!("expected `,` or `)`, found `{}`", t.text)));
            }
            None => return Err(Diagnostic::error(open, "expected `)` at the end of the parameter list")),
        }
    }
}

/// The defined macros.
#[derive(Clone, Debug, Default)]
pub(crate) struct MacroTable {
    macros: HashMap<Arc<str>, Arc<Macro>>,
    /// Macros of the caller, which files cannot change.
    pinned: HashMap<Arc<str>, Span>,
    /// Predefined macros that a file has undefined.
    undefined: HashSet<Arc<str>>,
}

impl MacroTable {
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Macro>> {
        self.macros.get(name)
    }

    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || is_builtin(name) || self.predefined(name).is_some()
    }

    /// The text of a predefined macro, unless a file has undefined it.
    pub(crate) fn predefined(&self, name: &str) -> Option<&'static str> {
        predefined(name).filter(|_| !self.undefined.contains(name))
    }

    /// Defines a macro, unless the caller did; returns the replaced definition.
    pub(crate) fn define(&mut self, definition: Macro) -> Option<Arc<Macro>> {
        if self.pinned.contains_key(&definition.name) {
            return None;
        }
        self.macros.insert(definition.name.clone(), Arc::new(definition))
    }

    /// Defines a macro of the caller.
    pub(crate) fn pin(&mut self, definition: Macro) {
        self.pinned.insert(definition.name.clone(), definition.span);
        self.macros.insert(definition.name.clone(), Arc::new(definition));
    }

    pub(crate) fn undefine(&mut self, name: &str) {
        if !self.pinned.contains_key(name) {
            self.macros.remove(name);
            if predefined(name).is_some() {
                self.undefined.insert(name.into());
            }
        }
    }
}

/// Whether the macro depends on where it is used.
pub(crate) fn is_builtin(name: &str) -> bool {
    matches!(name, "__LINE__" | "__FILE__" | "__BASE_FILE__" | "__COUNTER__" | "__INCLUDE_LEVEL__")
}
