//! Hints for errors: spellings of other languages, and names that contain operators.

use lurcher_syntax::{Diagnostic, one_edit_apart};

use super::cursor::Parser;
use crate::token::{Keyword, T, Token};

/// The SMV spelling of an operator of another language.
fn translation(text: &str) -> Option<&'static str> {
    Some(match text {
        "==" => "`=`",
        "&&" | "and" | "AND" => "`&`",
        "||" | "or" | "OR" => "`|`",
        "not" | "NOT" | "~" => "`!`",
        "<>" => "`!=`",
        "=>" => "`->`",
        "<=>" => "`<->`",
        "++" => "`::`",
        "%" | "MOD" => "`mod`",
        "^" | "XOR" => "`xor`",
        "R" => "`V`",
        _ => return None,
    })
}

impl Parser<'_> {
    /// Adds a hint about the unexpected next token.
    pub(super) fn advise(&self, diagnostic: Diagnostic) -> Diagnostic {
        let (previous, found) = (self.previous(), self.peek());
        let joined = format!("{}{}", previous.text, found.text);
        let touching = previous.span.end == found.span.start;
        for (text, possible) in [(found.text, true), (&joined, touching), (previous.text, true)] {
            if let Some(smv) = translation(text).filter(|_| possible) {
                return diagnostic.note(format!("SMV writes {smv} for `{text}`"));
            }
        }
        match found.kind {
            T::Eq if previous.kind == T::Name => diagnostic.note("values and definitions are given with `:=`"),
            T::DotDot => diagnostic.note("in an expression, both ends of a range are plain integers"),
            T::RotateLeft | T::RotateRight => diagnostic.note("NuSMV has no rotation; use shifts"),
            T::Becomes => diagnostic.note("is there an `esac`, a `;` or a section keyword missing before this?"),
            T::Name => {
                let section = || similar_among(previous.text, Keyword::starts_section);
                let near = similar_among(found.text, |_| true);
                diagnostic.suggest(near.or_else(|| section().filter(|_| previous.kind == T::Name)).map(Keyword::text))
            }
            _ if previous.kind == T::Name => {
                diagnostic.suggest(similar_among(previous.text, |_| true).map(Keyword::text))
            }
            _ => diagnostic,
        }
    }

    /// Warns of a name that contains `-` by mistake.
    pub(super) fn doubt_name(&mut self, token: &Token<'_>) {
        let follows = self.peek();
        let arrow = token.text.ends_with('-') && follows.kind == T::Gt && follows.span.start == token.span.end;
        if arrow {
            let message = format!("this is the name `{}` followed by `>`", token.text);
            let warning = Diagnostic::warning(token.span, message);
            self.report(warning.note("names may hold `-`: write a space before `->`"));
        } else if token.text.contains("--") && !token.text.starts_with('"') {
            let warning = Diagnostic::warning(token.span, format!("`{}` is one name, not a comment", token.text));
            self.report(warning.note("names may hold `-`: write a space before `--`"));
        }
    }
}

/// The reserved word that a name resembles, among some.
pub(super) fn similar_among(text: &str, wanted: impl Fn(Keyword) -> bool) -> Option<Keyword> {
    let candidates = || Keyword::ALL.iter().copied().filter(|&k| k.text().len() > 1 && wanted(k));
    let same_letters = candidates().find(|k| k.text().eq_ignore_ascii_case(text));
    same_letters.or_else(|| candidates().find(|k| k.text().len() > 2 && one_edit_apart(k.text(), text)))
}
