//! The Promela front-end: preprocessor, parser, lowering to the model form.

pub mod ast;
mod lex;
pub mod parse;
mod preprocess;

mod lower;
pub use lower::{Lowered, lower};
