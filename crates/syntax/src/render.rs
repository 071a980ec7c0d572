//! Rendering of diagnostics.

use codespan_reporting::diagnostic as report;
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use codespan_reporting::term::{Config, emit_to_write_style};

use crate::excerpt::{Excerpts, printable};
use crate::{Diagnostic, Severity, SourceMap};

/// Diagnostics as text with source lines and carets, in the order given, a blank line after each.
///
/// Any span is accepted: one that lies in no file is left out, one that ends behind its line or inside a character is
/// cut. Very long lines are shown in part.
///
/// ```
/// use lurcher_syntax::{Diagnostic, SourceMap, Span, render};
///
/// let mut sources = SourceMap::new();
/// let file = sources.add("a.pml", "byte x\nbyte 7;\n");
/// let error = Diagnostic::error(Span::new(file, 12, 13), "expected a name, found `7`");
/// assert_eq!(render(&sources, &[error], false), "\
/// error: expected a name, found `7`
///   ┌─ a.pml:2:6
///   │
/// 2 │ byte 7;
///   │      ^
///
/// ");
/// ```
pub fn render(sources: &SourceMap, diagnostics: &[Diagnostic], colour: bool) -> String {
    let mut bytes = Vec::new();
    for diagnostic in diagnostics {
        if colour {
            emit(sources, diagnostic, &mut Ansi::new(&mut bytes));
        } else {
            emit(sources, diagnostic, &mut NoColor::new(&mut bytes));
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn emit(sources: &SourceMap, diagnostic: &Diagnostic, writer: &mut impl WriteColor) {
    let (excerpts, ranges) = Excerpts::new(sources, diagnostic.labels.iter().map(|l| l.span));
    let severity = match diagnostic.severity {
        Severity::Error => report::Severity::Error,
        Severity::Warning => report::Severity::Warning,
    };
    let style = |i| if i == 0 { report::LabelStyle::Primary } else { report::LabelStyle::Secondary };
    let labels = diagnostic.labels.iter().zip(ranges).enumerate().filter_map(|(i, (label, range))| {
        Some(report::Label::new(style(i), label.span.file, range?).with_message(clean(&label.message)))
    });
    let report = report::Diagnostic::new(severity)
        .with_message(clean(&diagnostic.message))
        .with_labels(labels.collect())
        .with_notes(diagnostic.notes.iter().map(|n| clean(n)).collect());
    let config = Config { tab_width: 8, ..Config::default() };
    emit_to_write_style(writer, &config, &excerpts, &report).expect("every label lies in its excerpt");
}

/// Text without control characters, except line ends.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { printable(c) }).collect()
}
