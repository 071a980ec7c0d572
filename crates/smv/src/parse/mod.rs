//! From source text to the syntax tree.
//!
//! A recursive-descent parser of the grammar of NuSMV 2.6: it accepts what NuSMV accepts, PSL aside. Reading order:
//!
//! * `section` parses modules, `declare` their sections, `types` types;
//! * `expr` parses binary operators by precedence climbing; `prefix`, `temporal`, `primary` and `select` parse operands,
//!   `number` literals;
//! * `class` checks where operators are allowed (no `next` under `INIT`, no CTL under `LTLSPEC`);
//! * `cursor` holds the tokens, `recover` reports errors and skips to where parsing can continue, `advice` adds hints.

mod advice;
mod class;
mod cursor;
mod declare;
mod expr;
mod number;
mod prefix;
mod primary;
mod recover;
mod section;
mod select;
mod temporal;
mod types;

use lurcher_syntax::{Diagnostic, FORMULA_FILE, FileId, SourceMap};

use crate::ast;
use crate::lex;
use crate::token::T;
pub use class::ExprClass;
use cursor::Parser;

/// Limits of the parser; a model that exceeds one is refused.
pub mod limits {
    /// Parentheses, cases, types and right-associative operators inside each other.
    pub const NESTING: usize = 250;
    /// Errors reported before the parser stops, and the most warnings.
    pub const ERRORS: usize = 100;
    /// The largest integer of NuSMV.
    pub const INTEGER: i64 = i32::MAX as i64;
    /// The widest word constant of NuSMV.
    pub const WORD_CONSTANT_WIDTH: u32 = 64;
}

/// A file and its diagnostics. The tree is complete only if no diagnostic is an error.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree.
    pub file: ast::File,
    /// Errors and warnings, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file of `sources`.
pub fn parse(sources: &SourceMap, file: FileId) -> Parsed {
    let mut parser = Parser::new(lex::tokens(sources, file), sources.file(file).text());
    let tree = parser.file();
    Parsed { file: tree, diagnostics: parser.into_diagnostics() }
}

/// Parses an expression or formula that is not part of the model, such as one from the command line.
///
/// ```
/// use lurcher_smv::{ExprClass, parse_expression, print_expr};
/// use lurcher_syntax::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let formula = parse_expression(&mut sources, "G (request -> F grant)", ExprClass::Ltl).unwrap();
/// assert_eq!(print_expr(&formula), "G (request -> F grant)");
/// assert!(parse_expression(&mut sources, "EF grant", ExprClass::Ltl).is_err());
/// ```
///
/// # Errors
/// All errors, in a new file of `sources`.
pub fn parse_expression(sources: &mut SourceMap, text: &str, class: ExprClass) -> Result<ast::Expr, Vec<Diagnostic>> {
    let file = sources.add(FORMULA_FILE, text);
    let mut parser = Parser::new(lex::tokens(sources, file), sources.file(file).text());
    let result = parser
        .classed(class, "on the command line")
        .and_then(|e| parser.expect(T::Eof, "an operator or the end of the expression").map(|_| e));
    let diagnostics = parser.into_diagnostics();
    match result {
        Ok(expr) if !diagnostics.iter().any(Diagnostic::is_error) => Ok(expr),
        _ => Err(diagnostics),
    }
}
