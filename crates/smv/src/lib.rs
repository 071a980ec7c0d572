//! The SMV front-end: the language of NuSMV 2.6 as a syntax tree and as a relation.
//!
//! [`parse()`] turns a file into a tree ([`ast`]) and diagnostics; [`print()`](print()) turns a tree into text. [`lower()`]
//! resolves names, checks types and ranges, and builds a [`Relation`](lurcher_ir::relation::Relation);
//! [`lower_specification`] lowers one more property of it. [`mutate`] seeds faults.
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
mod lower;
pub mod mutate;
pub mod parse;
mod print;
mod token;

pub use lower::{lower, lower_specification};
pub use parse::{ExprClass, Parsed, parse, parse_expression};
pub use print::{print, print_expr};
