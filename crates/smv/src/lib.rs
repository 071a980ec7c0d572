//! The SMV front-end: what NuSMV 2.6 reads, as a syntax tree.
//!
//! [`parse()`] makes a tree ([`ast`]) out of a file and collects everything that is wrong with it; [`print()`](print()) writes
//! a tree as text again. Names are not resolved and types are not checked here.
//!
//! ```
//! use lurcher_syntax::SourceMap;
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("light.smv", "MODULE main VAR on : boolean; ASSIGN next(on) := !on; LTLSPEC G F on");
//! let parsed = lurcher_smv::parse(&sources, file);
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(parsed.file.modules[0].sections.len(), 3);
//! ```

pub mod ast;
mod lex;
pub mod parse;
mod print;
mod token;

pub use parse::{ExprClass, Parsed, parse, parse_expression};
pub use print::{print, print_expr};
