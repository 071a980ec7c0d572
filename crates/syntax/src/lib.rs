//! Source files, spans and diagnostics: what every front-end and every report shares.
//!
//! A [`SourceMap`] owns the text of the files that make up one model (the main file and whatever it includes). A
//! [`Span`] names a range of bytes in one of them and is small enough to sit in every tree node. Front-ends collect
//! [`Diagnostic`]s and go on; only [`render()`] turns them into text.

mod diagnostic;
mod excerpt;
mod render;
mod source;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use render::render;
pub use source::{FileId, SourceFile, SourceMap, Span};
