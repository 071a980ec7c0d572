//! The ASTRAL front-end: real-time specifications as a syntax tree, as a checked specification and as timed models.
//!
//! [`parse()`] turns a file into a tree ([`ast`]) and diagnostics; [`print()`](print()) turns a tree into text. [`check()`]
//! resolves names, checks types and what may stand where, and makes a [`checked::Specification`]. [`lower()`] makes a
//! [model](lurcher_ir::timed::Model) of one of its processes, which engines read.
//!
//! ```
//! use lurcher_astral::ast::Unit;
//! use lurcher_syntax::SourceMap;
//!
//! let text = "SPECIFICATION Lamp
//!   GLOBAL SPECIFICATION Lamp PROCESSES the_lamp: Lamp END Lamp
//!   PROCESS SPECIFICATION Lamp
//!     LEVEL Top VARIABLE on: BOOLEAN INITIAL ~on
//!     TRANSITION switch ENTRY [TIME: 1] TRUE EXIT on = ~on'
//!     END Top
//!   END Lamp
//! END Lamp";
//! let mut sources = SourceMap::new();
//! let file = sources.add("lamp.astral", text);
//! let parsed = lurcher_astral::parse(&sources, file);
//! assert!(parsed.diagnostics.is_empty());
//! let Some(Unit::Specification(lamp)) = parsed.file.unit else { panic!("a specification") };
//! assert_eq!(lamp.processes[0].levels[0].clauses.len(), 3);
//! ```

pub mod ast;
mod check;
pub mod checked;
mod lex;
mod lower;
pub mod parse;
mod print;
mod token;

pub use check::check;
pub use lower::{Request, lower};
pub use parse::{Parsed, parse};
pub use print::{print, print_expr};
