//! Constant expressions.

use crate::expr::{BinaryOp, Expr, UnaryOp};

/// The value of a constant expression; with a process number, `_pid` is constant. An expression that always faults has
/// none.
///
/// ```
/// use lurcher_ir::{analysis::constant, BinaryOp, Expr};
/// let next = Expr::binary(BinaryOp::Add, Expr::Pid, Expr::Const(1));
/// assert_eq!(constant(&next, None), None);
/// assert_eq!(constant(&next, Some(4)), Some(5));
/// ```
pub fn constant(expr: &Expr, pid: Option<u16>) -> Option<i32> {
    known_value(expr, &|part| if let Expr::Pid = part { pid.map(i32::from) } else { None })
}

/// The value of an expression of which some parts are known: `known` gives the values of variables and of what else is
/// neither a constant nor an operator. An expression that may fault has none.
pub fn known_value(expr: &Expr, known: &dyn Fn(&Expr) -> Option<i32>) -> Option<i32> {
    let value = |e: &Expr| known_value(e, known);
    match expr {
        Expr::Const(v) | Expr::Symbol(v, _) => Some(*v),
        Expr::Unary(op, e) => value(e).map(|v| op.apply(v)),
        Expr::Binary(BinaryOp::And, a, b) => match (value(a), value(b)) {
            (Some(0), _) | (Some(_), Some(0)) => Some(0),
            (Some(_), Some(_)) => Some(1),
            _ => None,
        },
        Expr::Binary(BinaryOp::Or, a, b) => match (value(a), value(b)) {
            (Some(0), Some(0)) => Some(0),
            (Some(0), None) | (None, _) => None,
            _ => Some(1),
        },
        Expr::Binary(op, a, b) => op.apply(value(a)?, value(b)?),
        Expr::Cond(c, a, b) => value(if value(c)? != 0 { a } else { b }),
        part => known(part),
    }
}

impl UnaryOp {
    /// The operator applied to a value.
    pub fn apply(self, value: i32) -> i32 {
        match self {
            UnaryOp::Not => i32::from(value == 0),
            UnaryOp::Minus => value.wrapping_neg(),
            UnaryOp::Complement => !value,
        }
    }
}

impl BinaryOp {
    /// The operator applied to two values; none for a division by zero.
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div | BinaryOp::Mod if b == 0 => return None,
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Mod => a.wrapping_rem(b),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitOr => a | b,
            BinaryOp::Gt => i32::from(a > b),
            BinaryOp::Lt => i32::from(a < b),
            BinaryOp::Ge => i32::from(a >= b),
            BinaryOp::Le => i32::from(a <= b),
            BinaryOp::Eq => i32::from(a == b),
            BinaryOp::Ne => i32::from(a != b),
            BinaryOp::And => i32::from(a != 0 && b != 0),
            BinaryOp::Or => i32::from(a != 0 || b != 0),
            // As on x86, only the low five bits of the shift distance count.
            BinaryOp::Shl => a.wrapping_shl(b as u32),
            BinaryOp::Shr => a.wrapping_shr(b as u32),
        })
    }
}
