//! A job: model, property, engine and budget in, verdict out.

mod load;

pub use load::{Language, LoadError, LoadOptions, Loaded, load, load_text};
