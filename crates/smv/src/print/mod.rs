//! Printing a tree as SMV text, which parses to the same tree. Parentheses are minimal; comments are not kept.

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
