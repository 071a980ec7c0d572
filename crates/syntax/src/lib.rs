//! Source files, spans, diagnostics, suggestions for misspelt names, and patterns of names.
//!
//! A [`SourceMap`] owns the text of the files of one model (the main file and its includes). A
//! [`Span`] is a byte range in one of them, small enough for every tree node. Front-ends collect [`Diagnostic`]s, and
//! [`render()`] turns them into text.

mod diagnostic;
mod escape;
mod excerpt;
mod render;
mod similar;
mod source;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use escape::escape;
pub use render::render;
pub use similar::{closest, did_you_mean, glob, one_edit_apart};
pub use source::{FORMULA_FILE, FileId, SourceFile, SourceMap, Span};
