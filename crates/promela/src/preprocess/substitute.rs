//! Substitution of parameters by arguments.

use super::macros::Macro;
use super::output::Padding;
use super::token::{PpKind, PpToken};
use super::{Preprocessor, Run};

impl Preprocessor<'_> {
    /// The body of a macro with its parameters replaced. Operands of `##` are marked, and pasted when they are read.
    pub(super) fn substitute(&mut self, found: &Macro, arguments: &[Vec<PpToken>]) -> Run<Vec<PpToken>> {
        let mut expanded: Vec<Option<Vec<PpToken>>> = vec![None; arguments.len()];
        let mut out: Vec<PpToken> = Vec::new();
        for (i, token) in found.body.iter().enumerate() {
            let Some(index) = found.param(token) else {
                out.push(token.clone());
                continue;
            };
            let argument = &arguments[index];
            let pasted = i > 0 && found.body[i - 1].paste_left;
            if i > 0 && !pasted {
                out.push(PpToken::generated(PpKind::Lead, "", token));
            }
            let before = out.len();
            if token.stringify {
                out.push(stringify(argument, token));
            } else if pasted || token.paste_left {
                out.extend_from_slice(argument);
            } else {
                if expanded[index].is_none() {
                    expanded[index] = Some(self.expand_alone(argument.clone())?);
                }
                out.extend(expanded[index].iter().flatten().cloned());
            }
            let added = out.len() - before;
            self.charge(added, token.span)?;
            if pasted {
                let takes_rest = found.variadic && index + 1 == arguments.len();
                join_left(&mut out, before, token, takes_rest);
            }
            match out.last_mut() {
                Some(last) if added > 0 => last.paste_left = token.paste_left,
                _ => {}
            }
            if !token.paste_left {
                out.push(PpToken::generated(PpKind::Seam, "", token));
            }
        }
        let bytes = out.iter().map(|t| t.text.len()).sum();
        self.charge(bytes, found.span)?;
        Ok(out)
    }
}

/// Handles the `##` to the left of an argument that starts at `out[start]`.
fn join_left(out: &mut Vec<PpToken>, start: usize, token: &PpToken, takes_rest: bool) {
    let empty = out.len() == start;
    let Some(left) = start.checked_sub(1).map(|i| &mut out[i]) else { return };
    if left.is(",") && takes_rest && left.paste_left {
        // GNU: `, ## __VA_ARGS__` drops the comma if there are no further arguments, and pastes nothing otherwise.
        left.paste_left = false;
        if empty {
            out.pop();
        }
    } else if empty {
        // An empty operand: in `a ## empty ## b`, `a` is pasted with `b`.
        left.paste_left &= token.paste_left;
    }
}

/// `#x`: the spelling of an argument as a string constant.
fn stringify(argument: &[PpToken], parameter: &PpToken) -> PpToken {
    let mut text = String::from("\"");
    let mut padding = Padding::default();
    for token in argument {
        if token.is_padding() {
            padding.add(token);
            continue;
        }
        if padding.spacing.take().unwrap_or(token.space) && text.len() > 1 {
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
    PpToken::generated(PpKind::Str, text, parameter)
}
