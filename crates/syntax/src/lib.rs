//! Source files, spans, diagnostics, and suggestions for misspelt names.
//!
//! A [`SourceMap`] owns the text of the files of one model (the main file and its includes). A
//! [`Span`] is a byte range in one of them, small enough for every tree node. Front-ends collect [`Diagnostic`]s, and
//! [`render()`] turns them into text.

mod diagnostic;
mod excerpt;
mod render;
mod similar;
mod source;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use render::render;
pub use similar::{closest, one_edit_apart};
pub use source::{FileId, SourceFile, SourceMap, Span};
