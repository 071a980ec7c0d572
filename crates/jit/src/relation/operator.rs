//! Operators of terms. Every operator is total, as in `lurcher_ir::relation::BinaryTerm::apply`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::FunctionBuilder;
use lurcher_ir::relation::{BinaryTerm, UnaryTerm, WordShape};

/// A unary operator.
pub(super) fn unary(b: &mut FunctionBuilder<'_>, op: UnaryTerm, a: Value) -> Value {
    match op {
        UnaryTerm::Not => test_int(b, IntCC::Equal, a, 0),
        UnaryTerm::Minus => b.ins().ineg(a),
        UnaryTerm::Wrap(WordShape { width: 64, .. }) => a,
        UnaryTerm::Wrap(WordShape { width, signed }) => {
            let unused = i64::from(64 - width);
            let high = b.ins().ishl_imm_s(a, unused);
            if signed { b.ins().sshr_imm_s(high, unused) } else { b.ins().ushr_imm_s(high, unused) }
        }
    }
}

/// A binary operator.
pub(super) fn binary(b: &mut FunctionBuilder<'_>, op: BinaryTerm, x: Value, y: Value) -> Value {
    match op {
        BinaryTerm::Add => b.ins().iadd(x, y),
        BinaryTerm::Sub => b.ins().isub(x, y),
        BinaryTerm::Mul => b.ins().imul(x, y),
        BinaryTerm::Div | BinaryTerm::Mod => signed_division(b, op == BinaryTerm::Div, x, y),
        BinaryTerm::UnsignedDiv | BinaryTerm::UnsignedMod => {
            let (zero, one) = (b.ins().iconst(I64, 0), b.ins().iconst(I64, 1));
            let none = b.ins().icmp_imm_s(IntCC::Equal, y, 0);
            let divisor = b.ins().select(none, one, y);
            let result = match op {
                BinaryTerm::UnsignedDiv => b.ins().udiv(x, divisor),
                _ => b.ins().urem(x, divisor),
            };
            b.ins().select(none, zero, result)
        }
        BinaryTerm::Eq => test(b, IntCC::Equal, x, y),
        BinaryTerm::Lt => test(b, IntCC::SignedLessThan, x, y),
        BinaryTerm::Le => test(b, IntCC::SignedLessThanOrEqual, x, y),
        BinaryTerm::UnsignedLt => test(b, IntCC::UnsignedLessThan, x, y),
        BinaryTerm::UnsignedLe => test(b, IntCC::UnsignedLessThanOrEqual, x, y),
        BinaryTerm::And => {
            let (x, y) = (truth(b, x), truth(b, y));
            let both = b.ins().band(x, y);
            b.ins().uextend(I64, both)
        }
        BinaryTerm::Or => {
            let any = b.ins().bor(x, y);
            test_int(b, IntCC::NotEqual, any, 0)
        }
        BinaryTerm::BitAnd => b.ins().band(x, y),
        BinaryTerm::BitOr => b.ins().bor(x, y),
        BinaryTerm::BitXor => b.ins().bxor(x, y),
        BinaryTerm::Shl => {
            let shifted = b.ins().ishl(x, y);
            zero_if_far(b, y, shifted)
        }
        BinaryTerm::UnsignedShr => {
            let shifted = b.ins().ushr(x, y);
            zero_if_far(b, y, shifted)
        }
        BinaryTerm::Shr => {
            let (far, most) = (is_far(b, y), b.ins().iconst(I64, 63));
            let amount = b.ins().select(far, most, y);
            b.ins().sshr(x, amount)
        }
    }
}

/// The quotient or remainder, rounded towards zero; 0 if `y` is 0, without a trap for the smallest number.
fn signed_division(b: &mut FunctionBuilder<'_>, quotient: bool, x: Value, y: Value) -> Value {
    let (zero, one) = (b.ins().iconst(I64, 0), b.ins().iconst(I64, 1));
    let none = b.ins().icmp_imm_s(IntCC::Equal, y, 0);
    let minus = b.ins().icmp_imm_s(IntCC::Equal, y, -1);
    let special = b.ins().bor(none, minus);
    let divisor = b.ins().select(special, one, y);
    let result = if quotient {
        let divided = b.ins().sdiv(x, divisor);
        let negative = b.ins().ineg(x);
        b.ins().select(minus, negative, divided)
    } else {
        // The remainder by −1 is 0, as by 1.
        b.ins().srem(x, divisor)
    };
    b.ins().select(none, zero, result)
}

/// Whether a shift distance is below 0 or above 63.
fn is_far(b: &mut FunctionBuilder<'_>, amount: Value) -> Value {
    b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, amount, 63)
}

fn zero_if_far(b: &mut FunctionBuilder<'_>, amount: Value, shifted: Value) -> Value {
    let (far, zero) = (is_far(b, amount), b.ins().iconst(I64, 0));
    b.ins().select(far, zero, shifted)
}

fn truth(b: &mut FunctionBuilder<'_>, value: Value) -> Value {
    b.ins().icmp_imm_s(IntCC::NotEqual, value, 0)
}

fn test(b: &mut FunctionBuilder<'_>, cc: IntCC, x: Value, y: Value) -> Value {
    let result = b.ins().icmp(cc, x, y);
    b.ins().uextend(I64, result)
}

fn test_int(b: &mut FunctionBuilder<'_>, cc: IntCC, x: Value, y: i64) -> Value {
    let result = b.ins().icmp_imm_s(cc, x, y);
    b.ins().uextend(I64, result)
}
