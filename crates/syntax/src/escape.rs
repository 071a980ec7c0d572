//! Text that a terminal shows as it is.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character moves the cursor, changes the state of a terminal or the direction of the text.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text without control characters: they are written as in Rust, `\x1b` or `\u{202e}`. Line ends stay.
///
/// ```
/// assert_eq!(lurcher_syntax::escape("a\x1b[2J\u{9b}b\n"), "a\\x1b[2J\\u{9b}b\n");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c != '\n' && is_control(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        // Writing to a string does not fail.
        let _ = match c {
            '\n' => out.write_char(c),
            '\t' => out.write_str("\\t"),
            '\r' => out.write_str("\\r"),
            c if is_control(c) && c.is_ascii() => write!(out, "\\x{:02x}", u32::from(c)),
            c if is_control(c) => write!(out, "{}", c.escape_unicode()),
            c => out.write_char(c),
        };
    }
    Cow::Owned(out)
}
