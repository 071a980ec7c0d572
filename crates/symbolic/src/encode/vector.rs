//! Numbers as vectors of functions: two's complement, lowest bit first.
//!
//! The last function is the sign and stands for all higher bits. Results have as many bits as they need, without
//! redundant sign bits, and at most 64, where term arithmetic wraps
//! ([`BinaryTerm`](lurcher_ir::relation::BinaryTerm)).

use crate::kernel::{Bdd, BddResult, Kernel};

/// The most bits of a number.
const WIDEST: usize = 64;

/// A number of at least one bit: the sign.
#[derive(Clone)]
pub(super) struct Vector(Vec<Bdd>);

/// Operations on numbers.
pub(super) struct Arithmetic<'k>(pub &'k Kernel);

impl Vector {
    /// A number from its bits; the last is the sign.
    pub fn new(mut bits: Vec<Bdd>) -> Vector {
        bits.truncate(WIDEST);
        while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
            bits.pop();
        }
        Vector(bits)
    }

    /// A bit; the sign from the width on.
    pub fn bit(&self, index: usize) -> &Bdd {
        self.0.get(index).unwrap_or_else(|| self.sign())
    }

    /// The sign.
    pub fn sign(&self) -> &Bdd {
        self.0.last().expect("a number has a sign")
    }

    /// Number of bits, the sign included.
    pub fn width(&self) -> usize {
        self.0.len()
    }
}

impl Arithmetic<'_> {
    /// A constant.
    pub fn constant(&self, value: i64) -> Vector {
        Vector::new((0..WIDEST).map(|i| self.0.constant(value >> i & 1 != 0)).collect())
    }

    /// A natural number from its bits.
    pub fn natural(&self, mut bits: Vec<Bdd>) -> Vector {
        bits.push(self.0.constant(false));
        Vector::new(bits)
    }

    fn is_natural(&self, a: &Vector) -> bool {
        self.0.is_empty(a.sign())
    }

    /// The bits of the number taken as unsigned: all 64, or fewer if the sign is never set.
    fn unsigned(&self, a: &Vector) -> Vec<Bdd> {
        let width = if self.is_natural(a) { a.width() - 1 } else { WIDEST };
        (0..width).map(|i| a.bit(i).clone()).collect()
    }

    /// Applies an operator to each pair of bits.
    pub fn bitwise(&self, a: &Vector, b: &Vector, op: impl Fn(&Bdd, &Bdd) -> BddResult<Bdd>) -> BddResult<Vector> {
        let width = a.width().max(b.width());
        let bits: BddResult<Vec<Bdd>> = (0..width).map(|i| op(a.bit(i), b.bit(i))).collect();
        Ok(Vector::new(bits?))
    }

    /// If, then, else.
    pub fn ite(&self, condition: &Bdd, a: &Vector, b: &Vector) -> BddResult<Vector> {
        self.bitwise(a, b, |a, b| self.0.ite(condition, a, b))
    }

    /// `a + b + carry`, with `b` inverted if `invert` is set.
    fn sum(&self, a: &Vector, b: &Vector, invert: bool, carry: Bdd) -> BddResult<Vector> {
        let width = (a.width().max(b.width()) + 1).min(WIDEST);
        let (bits, _) = self.ripple(width, |i| a.bit(i).clone(), |i| b.bit(i).clone(), invert, carry)?;
        Ok(Vector::new(bits))
    }

    /// A ripple-carry adder: the bits of the sum and the last carry.
    fn ripple(
        &self,
        width: usize,
        a: impl Fn(usize) -> Bdd,
        b: impl Fn(usize) -> Bdd,
        invert: bool,
        mut carry: Bdd,
    ) -> BddResult<(Vec<Bdd>, Bdd)> {
        let k = self.0;
        let mut bits = Vec::with_capacity(width);
        for i in 0..width {
            let x = a(i);
            let y = if invert { k.not(&b(i))? } else { b(i) };
            let half = k.xor(&x, &y)?;
            bits.push(k.xor(&half, &carry)?);
            carry = k.ite(&half, &carry, &x)?;
        }
        Ok((bits, carry))
    }

    /// `a + b`.
    pub fn add(&self, a: &Vector, b: &Vector) -> BddResult<Vector> {
        self.sum(a, b, false, self.0.constant(false))
    }

    /// `a - b`.
    pub fn subtract(&self, a: &Vector, b: &Vector) -> BddResult<Vector> {
        self.sum(a, b, true, self.0.constant(true))
    }

    /// `-a`.
    pub fn negative(&self, a: &Vector) -> BddResult<Vector> {
        self.subtract(&self.constant(0), a)
    }

    /// `a * b` by shift and add; the sign bit of `b` subtracts.
    pub fn multiply(&self, a: &Vector, b: &Vector) -> BddResult<Vector> {
        let k = self.0;
        let mut product = self.constant(0);
        for i in 0..b.width() {
            let mut bits = vec![k.constant(false); i];
            for j in 0..a.width().min(WIDEST - i) {
                bits.push(k.and(a.bit(j), b.bit(i))?);
            }
            let part = Vector::new(bits);
            let is_sign = i + 1 == b.width();
            product = if is_sign { self.subtract(&product, &part)? } else { self.add(&product, &part)? };
        }
        Ok(product)
    }

    /// Left shift by a constant.
    pub fn shifted_left(&self, a: &Vector, by: usize) -> Vector {
        let zeros = vec![self.0.constant(false); by.min(WIDEST)];
        Vector::new(zeros.into_iter().chain(a.0.iter().cloned()).collect())
    }

    /// Arithmetic right shift by a constant.
    pub fn shifted_right(&self, a: &Vector, by: usize) -> Vector {
        Vector::new((by.min(a.width() - 1)..a.width()).map(|i| a.bit(i).clone()).collect())
    }

    /// A barrel shifter. `beyond` is the result for amounts of 64 and more, and for negative amounts.
    pub fn shift(
        &self,
        a: &Vector,
        amount: &Vector,
        beyond: &Vector,
        by: impl Fn(&Vector, usize) -> Vector,
    ) -> BddResult<Vector> {
        let mut shifted = a.clone();
        for i in 0..6usize.min(amount.width()) {
            shifted = self.ite(amount.bit(i), &by(&shifted, 1 << i), &shifted)?;
        }
        let mut huge = amount.sign().clone();
        for i in 6..amount.width() {
            huge = self.0.or(&huge, amount.bit(i))?;
        }
        self.ite(&huge, beyond, &shifted)
    }

    /// Logical right shift by a constant.
    pub fn shifted_right_zeros(&self, a: &Vector, by: usize) -> Vector {
        if by == 0 {
            return a.clone();
        }
        self.natural(self.unsigned(a).into_iter().skip(by).collect())
    }

    /// `a = b`.
    pub fn equal(&self, a: &Vector, b: &Vector) -> BddResult<Bdd> {
        let width = a.width().max(b.width());
        (0..width).try_fold(self.0.constant(true), |equal, i| {
            let same = self.0.iff(a.bit(i), b.bit(i))?;
            self.0.and(&equal, &same)
        })
    }

    /// `a < b`, signed or unsigned.
    pub fn less(&self, a: &Vector, b: &Vector, unsigned: bool) -> BddResult<Bdd> {
        let width = a.width().max(b.width());
        let mut less = self.0.constant(false);
        for i in 0..width {
            let (x, y) = (a.bit(i), b.bit(i));
            let differ = self.0.xor(x, y)?;
            let sign = i + 1 == width && !unsigned;
            less = self.0.ite(&differ, if sign { x } else { y }, &less)?;
        }
        Ok(less)
    }

    /// Whether any bit is set.
    pub fn truth(&self, a: &Vector) -> BddResult<Bdd> {
        self.0.any(&a.0)
    }

    /// The lowest bits as an unsigned or signed number.
    pub fn wrap(&self, a: &Vector, width: usize, signed: bool) -> Vector {
        let bits: Vec<Bdd> = (0..width).map(|i| a.bit(i).clone()).collect();
        if signed { Vector::new(bits) } else { self.natural(bits) }
    }

    /// Unsigned quotient and remainder by long division; both zero if the divisor is zero.
    pub fn divide_natural(&self, a: &Vector, b: &Vector) -> BddResult<(Vector, Vector)> {
        let k = self.0;
        let (dividend, divisor) = (self.unsigned(a), self.unsigned(b));
        let no = k.constant(false);
        let mut rest: Vec<Bdd> = vec![no.clone(); divisor.len() + 1];
        let mut quotient = vec![no.clone(); dividend.len()];
        for i in (0..dividend.len()).rev() {
            rest.pop();
            rest.insert(0, dividend[i].clone());
            let subtrahend = |j: usize| divisor.get(j).unwrap_or(&no).clone();
            // The last carry is clear if the subtraction underflows.
            let (less, fits) = self.ripple(rest.len(), |j| rest[j].clone(), subtrahend, true, k.constant(true))?;
            for j in 0..rest.len() {
                rest[j] = k.ite(&fits, &less[j], &rest[j])?;
            }
            quotient[i] = fits;
        }
        let some = k.any(&divisor)?;
        let guard = |bits: Vec<Bdd>| -> BddResult<Vector> {
            let bits: BddResult<Vec<Bdd>> = bits.iter().map(|b| k.and(b, &some)).collect();
            Ok(self.natural(bits?))
        };
        Ok((guard(quotient)?, guard(rest)?))
    }

    /// Quotient and remainder, rounded towards zero; both zero if the divisor is zero.
    pub fn divide(&self, a: &Vector, b: &Vector) -> BddResult<(Vector, Vector)> {
        let absolute = |v: &Vector| -> BddResult<Vector> { self.ite(v.sign(), &self.negative(v)?, v) };
        let (quotient, rest) = self.divide_natural(&absolute(a)?, &absolute(b)?)?;
        let differ = self.0.xor(a.sign(), b.sign())?;
        let quotient = self.ite(&differ, &self.negative(&quotient)?, &quotient)?;
        let rest = self.ite(a.sign(), &self.negative(&rest)?, &rest)?;
        Ok((quotient, rest))
    }
}
