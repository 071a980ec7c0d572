//! Literals.

use lurcher_syntax::Diagnostic;

use super::cursor::{P, Parser};
use super::limits;
use crate::ast::{Bounds, Expr, ExprKind, UnaryOp, WordConstant};
use crate::token::T;

impl Parser<'_> {
    /// An integer without sign.
    pub(super) fn number(&mut self) -> P<i64> {
        let token = self.peek();
        if token.kind != T::Number {
            return self.unexpected("an integer");
        }
        match token.text.parse() {
            Ok(value) if value <= limits::INTEGER => {
                self.bump();
                Ok(value)
            }
            _ => {
                let message = format!("integers go up to {}", limits::INTEGER);
                self.fail(Diagnostic::error(token.span, message))
            }
        }
    }

    /// An integer with or without sign.
    pub(super) fn integer(&mut self) -> P<i64> {
        let negative = self.eat(T::Minus).is_some();
        if !negative {
            self.eat(T::Plus);
        }
        let value = self.number()?;
        Ok(if negative { -value } else { value })
    }

    /// An integer with or without sign, as an expression.
    pub(super) fn literal(&mut self) -> P<ExprKind> {
        let value = self.integer()?;
        if value >= 0 {
            return Ok(ExprKind::Integer(value));
        }
        let inner = Expr { kind: ExprKind::Integer(-value), span: self.previous().span };
        Ok(ExprKind::Unary(UnaryOp::Minus, Box::new(inner)))
    }

    /// `1..3`.
    pub(super) fn bounds(&mut self) -> P<Bounds> {
        let lower = self.integer()?;
        self.expect(T::DotDot, "`..`")?;
        Ok(Bounds { lower, upper: self.integer()? })
    }

    /// Whether `1..`, `-1..` or `+1..` starts here.
    pub(super) fn at_bounds(&self) -> bool {
        let signed = matches!(self.peek().kind, T::Plus | T::Minus);
        let at = usize::from(signed);
        self.look(at).kind == T::Number && self.look(at + 1).kind == T::DotDot
    }

    pub(super) fn word_constant(&mut self) -> P<ExprKind> {
        let token = self.peek();
        match word(token.text) {
            Ok(constant) => {
                self.bump();
                Ok(ExprKind::Word(constant))
            }
            Err(why) => self.fail(Diagnostic::error(token.span, why)),
        }
    }

    /// Refuses numbers that NuSMV lexes but does not support.
    pub(super) fn refused_number<X>(&mut self) -> P<X> {
        let (span, what) = (self.here(), self.peek().kind);
        let error = match what {
            T::Real => Diagnostic::error(span, "real constants are not supported"),
            T::Exponential => Diagnostic::error(span, "exponential constants are not supported"),
            T::Fraction => Diagnostic::error(span, "fractional constants are not supported"),
            _ => Diagnostic::error(span, "this is not a word constant")
                .note("word constants look like `0ub4_1010`, `0sd8_100` or `0h_ff`"),
        };
        self.fail(error)
    }
}

/// A word constant: `0`, `u` or `s`, a base, a width and the digits after `_`.
fn word(text: &str) -> Result<WordConstant, String> {
    let body = &text[1..];
    let signed = body.starts_with('s');
    let body = body.trim_start_matches(['u', 's']);
    let (base, bits_per_digit) = match body.as_bytes()[0].to_ascii_lowercase() {
        b'b' => (2, Some(1)),
        b'o' => (8, Some(3)),
        b'd' => (10, None),
        _ => (16, Some(4)),
    };
    let (width, digits) = body[1..].split_once('_').unwrap_or(("", ""));
    let digits = digits.replace('_', "");
    let width = match (width, bits_per_digit) {
        ("", None) => return Err("a decimal word constant needs a width, as in `0ud8_255`".to_owned()),
        ("", Some(bits)) => u64::from(bits as u32) * digits.len() as u64,
        (width, _) => width.parse().unwrap_or(u64::MAX),
    };
    let width = u32::try_from(width).ok().filter(|w| (1..=limits::WORD_CONSTANT_WIDTH).contains(w));
    let width = width.ok_or_else(|| format!("word constants have 1 to {} bits", limits::WORD_CONSTANT_WIDTH))?;
    let bits = value(&digits, base)?;
    let fits = bits >> (width - 1) <= 1 && !(signed && base == 10 && bits > 1 << (width - 1));
    let fitting = u64::try_from(bits).ok().filter(|_| fits);
    let bits = fitting.ok_or_else(|| format!("the value does not fit into {width} bits"))?;
    Ok(WordConstant { signed, width, bits })
}

/// The value of digits; more than 128 bits saturate.
fn value(digits: &str, base: u32) -> Result<u128, String> {
    if let Some(wrong) = digits.chars().find(|c| !c.is_digit(base)) {
        return Err(format!("`{wrong}` is not a digit of base {base}"));
    }
    Ok(u128::from_str_radix(digits, base).unwrap_or(u128::MAX))
}
