//! Diagnostics: errors and warnings of front-ends.

use crate::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model is accepted.
    Warning,
    /// The model is rejected.
    Error,
}

/// A message at a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The span.
    pub span: Span,
    /// The message; may be empty.
    pub message: String,
}

/// A message with labelled spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// Labels, the primary one first.
    pub labels: Vec<Label>,
    /// Advice to the user.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error at a span.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message)
    }

    /// A warning at a span.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, span, message)
    }

    fn new(severity: Severity, span: Span, message: impl Into<String>) -> Self {
        let labels = vec![Label { span, message: String::new() }];
        Diagnostic { severity, message: message.into(), labels, notes: Vec::new() }
    }

    /// Whether the model is rejected.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Sets the message of the primary label.
    pub fn at(mut self, message: impl Into<String>) -> Self {
        self.labels[0].message = message.into();
        self
    }

    /// Adds a secondary label.
    pub fn also(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds the suggestion of a name in place of a misspelt one, if there is one.
    pub fn suggest(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.note(format!("did you mean `{name}`?")),
            None => self,
        }
    }
}
