//! The typed model form shared by every language and every engine.

pub mod ltl;
