//! The Promela front-end: preprocessor, parser, lowering to the model form.

pub mod ast;
