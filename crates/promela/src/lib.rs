//! The Promela front-end: preprocessor, parser, lowering to the model form.

pub mod ast;

mod lower;
pub use lower::{Lowered, lower};
