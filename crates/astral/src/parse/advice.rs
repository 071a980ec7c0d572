//! Hints for errors: spellings of other languages and misspelt reserved words.

use lurcher_syntax::{Diagnostic, one_edit_apart};

use super::cursor::Parser;
use crate::token::{Keyword, T, Token};

/// The ASTRAL spelling of an operator of another language.
fn translation(text: &str) -> Option<&'static str> {
    Some(match text.to_ascii_lowercase().as_str() {
        "==" => "`=`",
        "&&" | "and" => "`&`",
        "||" | "or" => "`|`",
        "not" => "`~`",
        "<>" => "`~=`",
        "=>" => "`->`",
        "<=>" => "`<->`",
        ":=" => "`=` or `BECOMES`",
        "%" => "`MOD`",
        ";" => "no semicolons: declarations are separated by `,`",
        _ => return None,
    })
}

impl Parser<'_> {
    /// Adds a hint about the unexpected next token.
    pub(super) fn advise(&self, diagnostic: Diagnostic) -> Diagnostic {
        let (previous, found) = (self.previous(), self.peek());
        let joined = |a: Token<'_>, b: Token<'_>| {
            if a.span.end == b.span.start { a.text.to_owned() + b.text } else { String::new() }
        };
        let word = if previous.kind == T::Name { previous.text } else { "" };
        for text in [found.text, &joined(found, self.look(1)), &joined(previous, found), word] {
            if let Some(astral) = translation(text) {
                return diagnostic.note(match astral.starts_with('`') {
                    true => format!("ASTRAL writes {astral} for `{text}`"),
                    false => format!("ASTRAL has {astral}"),
                });
            }
        }
        match found.kind {
            T::Name => {
                let before = || similar(previous.text).filter(|_| previous.kind == T::Name);
                diagnostic.suggest(similar(found.text).or_else(before).map(Keyword::text))
            }
            _ if previous.kind == T::Name => diagnostic.suggest(similar(previous.text).map(Keyword::text)),
            _ => diagnostic,
        }
    }
}

/// The reserved word that a name resembles.
pub(super) fn similar(text: &str) -> Option<Keyword> {
    let lower = text.to_ascii_lowercase();
    let candidates = Keyword::ALL.iter().copied().filter(|k| k.text().len() > 2 && lower.len() > 2);
    candidates.filter(|k| one_edit_apart(&k.text().to_ascii_lowercase(), &lower)).max_by_key(|k| k.text().len())
}
