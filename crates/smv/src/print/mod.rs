//! A tree as SMV text: what is read back is the same tree.
//!
//! Parentheses stand only where they are needed, and comments are gone.

mod expr;
mod section;
mod types;

use crate::ast::{Expr, File};

/// A file as text.
pub fn print(file: &File) -> String {
    let mut out = String::new();
    section::file(&mut out, file);
    out
}

/// An expression as text, on one line.
pub fn print_expr(expr: &Expr) -> String {
    let mut out = String::new();
    expr::expr(&mut out, expr);
    out
}
