//! What the text forms of heuristics share.

use std::fmt;

/// An error in the text of a heuristic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// What the message starts with.
    pub(crate) context: &'static str,
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl TextError {
    pub(crate) fn new(line: usize, message: String) -> TextError {
        TextError { context: "", line, message }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}line {}: {}", self.context, self.line, self.message)
    }
}

impl std::error::Error for TextError {}

/// The lines of a text without comments and empty lines, with their numbers.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let stripped = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    stripped.enumerate().filter(|(_, line)| !line.is_empty()).map(|(index, line)| (index + 1, line))
}
