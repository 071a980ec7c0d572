//! From source text to the syntax tree.
//!
//! A recursive-descent parser of the whole grammar of ASTRAL. Clauses may stand in any order. Reading order:
//!
//! * `block` parses specifications, processes and levels, `clause` their clauses, `declare` declarations and types,
//!   `transition` transitions, `further` assumptions and implementations;
//! * `expr` parses operators by precedence climbing, `primary` operands, `select` names and selections, `temporal` events,
//!   `Change` and `past`;
//! * `cursor` holds the tokens, `recover` reports errors and skips to where parsing can continue, `advice` adds hints.

mod advice;
mod block;
mod clause;
mod cursor;
mod declare;
mod expr;
mod further;
mod primary;
mod recover;
mod select;
mod temporal;
mod transition;

use lurcher_syntax::{Diagnostic, FORMULA_FILE, FileId, SourceMap};

use crate::ast;
use crate::lex;
use crate::token::T;
use cursor::Parser;

/// Limits of the parser; a specification that exceeds one is refused.
pub mod limits {
    /// Parentheses, conditionals and quantifiers inside each other.
    pub const NESTING: usize = 150;
    /// Errors reported before the parser stops, and the most warnings.
    pub const ERRORS: usize = 100;
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
    let mut parser = Parser::new(lex::tokens(sources, file));
    let tree = parser.file();
    Parsed { file: tree, diagnostics: parser.into_diagnostics() }
}

/// Parses an expression or formula that is not part of a file.
///
/// ```
/// use lurcher_astral::parse::parse_expression;
/// use lurcher_astral::print_expr;
/// use lurcher_syntax::SourceMap;
///
/// let formula = parse_expression(&mut SourceMap::new(), "now-END(lower)>=2&!open").unwrap();
/// assert_eq!(print_expr(&formula), "now - End(lower) >= 2 & ~open");
/// ```
///
/// # Errors
/// All diagnostics, in a new file of `sources`, if one of them is an error.
pub fn parse_expression(sources: &mut SourceMap, text: &str) -> Result<ast::Expr, Vec<Diagnostic>> {
    let file = sources.add(FORMULA_FILE, text);
    let mut parser = Parser::new(lex::tokens(sources, file));
    let result =
        parser.expr().and_then(|e| parser.expect(T::Eof, "an operator or the end of the expression").map(|_| e));
    let diagnostics = parser.into_diagnostics();
    match result {
        Ok(expr) if !diagnostics.iter().any(Diagnostic::is_error) => Ok(expr),
        _ => Err(diagnostics),
    }
}
