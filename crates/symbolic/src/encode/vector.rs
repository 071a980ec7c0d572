//! Numbers as vectors of functions: two's complement, lowest bit first.
//!
//! The last function of a vector is the sign, and stands for all higher bits up to the 64th. Results get as many bits
//! as they need and lose those that only repeat the sign, so that small numbers stay small; 64 bits are never exceeded,
//! which is how arithmetic of terms wraps ([`BinaryTerm`](lurcher_ir::relation::BinaryTerm)).

use crate::kernel::{Bdd, Kernel, Stoppable};

/// The widest number.
const WIDEST: usize = 64;

/// A number. It has at least one bit: the sign.
#[derive(Clone)]
pub(super) struct Vector(Vec<Bdd>);

/// Works on numbers.
pub(super) struct Arithmetic<'k>(pub &'k Kernel);

impl Vector {
    /// A number of these bits, the last the sign.
    pub fn new(mut bits: Vec<Bdd>) -> Vector {
        bits.truncate(WIDEST);
        while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
            bits.pop();
        }
        Vector(bits)
    }

    /// A bit; the sign from its place on.
    pub fn bit(&self, index: usize) -> &Bdd {
        self.0.get(index).unwrap_or_else(|| self.sign())
    }

    /// The sign.
    pub fn sign(&self) -> &Bdd {
        self.0.last().expect("a number has a sign")
    }

    /// How many bits differ from the sign at most, the sign included.
    pub fn width(&self) -> usize {
        self.0.len()
    }
}

impl Arithmetic<'_> {
    /// A known number.
    pub fn constant(&self, value: i64) -> Vector {
        Vector::new((0..WIDEST).map(|i| self.0.constant(value >> i & 1 != 0)).collect())
    }

    /// A natural number of these bits.
    pub fn natural(&self, mut bits: Vec<Bdd>) -> Vector {
        bits.push(self.0.constant(false));
        Vector::new(bits)
    }

    fn is_natural(&self, a: &Vector) -> bool {
        self.0.is_empty(a.sign())
    }

    /// All 64 bits as those of a natural number; fewer where the sign is never set.
    fn unsigned(&self, a: &Vector) -> Vec<Bdd> {
        let width = if self.is_natural(a) { a.width() - 1 } else { WIDEST };
        (0..width).map(|i| a.bit(i).clone()).collect()
    }

    /// Bit by bit.
    pub fn bitwise(&self, a: &Vector, b: &Vector, op: impl Fn(&Bdd, &Bdd) -> Stoppable<Bdd>) -> Stoppable<Vector> {
        let width = a.width().max(b.width());
        let bits: Stoppable<Vec<Bdd>> = (0..width).map(|i| op(a.bit(i), b.bit(i))).collect();
        Ok(Vector::new(bits?))
    }

    /// If, then, else.
    pub fn ite(&self, condition: &Bdd, a: &Vector, b: &Vector) -> Stoppable<Vector> {
        self.bitwise(a, b, |a, b| self.0.ite(condition, a, b))
    }

    /// `a + b`, and one more where `carry` is set; `b` inverted where asked for.
    fn sum(&self, a: &Vector, b: &Vector, invert: bool, carry: Bdd) -> Stoppable<Vector> {
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
    ) -> Stoppable<(Vec<Bdd>, Bdd)> {
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
    pub fn add(&self, a: &Vector, b: &Vector) -> Stoppable<Vector> {
        self.sum(a, b, false, self.0.constant(false))
    }

    /// `a - b`.
    pub fn subtract(&self, a: &Vector, b: &Vector) -> Stoppable<Vector> {
        self.sum(a, b, true, self.0.constant(true))
    }

    /// `-a`.
    pub fn negative(&self, a: &Vector) -> Stoppable<Vector> {
        self.subtract(&self.constant(0), a)
    }

    /// `a * b`: shifted copies of `a`, added where `b` has a bit, and taken away for its sign.
    pub fn multiply(&self, a: &Vector, b: &Vector) -> Stoppable<Vector> {
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

    /// The bits shifted left by a number of bits.
    pub fn shifted_left(&self, a: &Vector, by: usize) -> Vector {
        let zeros = vec![self.0.constant(false); by.min(WIDEST)];
        Vector::new(zeros.into_iter().chain(a.0.iter().cloned()).collect())
    }

    /// The bits shifted right by a number of bits, the sign kept.
    pub fn shifted_right(&self, a: &Vector, by: usize) -> Vector {
        Vector::new((by.min(a.width() - 1)..a.width()).map(|i| a.bit(i).clone()).collect())
    }

    /// A shift by a number that is not known: by each power of two in turn, where the amount has that bit. `beyond` is
    /// the result from 64 bits on, and for negative amounts, which count as huge.
    pub fn shift(
        &self,
        a: &Vector,
        amount: &Vector,
        beyond: &Vector,
        by: impl Fn(&Vector, usize) -> Vector,
    ) -> Stoppable<Vector> {
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

    /// The bits shifted right by a number of bits, zeros coming in.
    pub fn shifted_right_zeros(&self, a: &Vector, by: usize) -> Vector {
        if by == 0 {
            return a.clone();
        }
        self.natural(self.unsigned(a).into_iter().skip(by).collect())
    }

    /// `a = b`.
    pub fn equal(&self, a: &Vector, b: &Vector) -> Stoppable<Bdd> {
        let width = a.width().max(b.width());
        (0..width).try_fold(self.0.constant(true), |equal, i| {
            let same = self.0.iff(a.bit(i), b.bit(i))?;
            self.0.and(&equal, &same)
        })
    }

    /// `a < b`; with `unsigned`, of the bits as natural numbers.
    pub fn less(&self, a: &Vector, b: &Vector, unsigned: bool) -> Stoppable<Bdd> {
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

    /// Is any bit set?
    pub fn truth(&self, a: &Vector) -> Stoppable<Bdd> {
        self.0.any(&a.0)
    }

    /// The natural number of the lowest bits, or with `signed` the number in two's complement.
    pub fn wrap(&self, a: &Vector, width: usize, signed: bool) -> Vector {
        let bits: Vec<Bdd> = (0..width).map(|i| a.bit(i).clone()).collect();
        if signed { Vector::new(bits) } else { self.natural(bits) }
    }

    /// Quotient and remainder of natural numbers by long division; both zero where the divisor is. The numbers are
    /// those of 64 bits that `a` and `b` have.
    pub fn divide_natural(&self, a: &Vector, b: &Vector) -> Stoppable<(Vector, Vector)> {
        let k = self.0;
        let (dividend, divisor) = (self.unsigned(a), self.unsigned(b));
        let no = k.constant(false);
        let mut rest: Vec<Bdd> = vec![no.clone(); divisor.len() + 1];
        let mut quotient = vec![no.clone(); dividend.len()];
        for i in (0..dividend.len()).rev() {
            rest.pop();
            rest.insert(0, dividend[i].clone());
            let subtrahend = |j: usize| divisor.get(j).unwrap_or(&no).clone();
            // Without a last carry the subtraction went below zero.
            let (less, fits) = self.ripple(rest.len(), |j| rest[j].clone(), subtrahend, true, k.constant(true))?;
            for j in 0..rest.len() {
                rest[j] = k.ite(&fits, &less[j], &rest[j])?;
            }
            quotient[i] = fits;
        }
        let some = k.any(&divisor)?;
        let guard = |bits: Vec<Bdd>| -> Stoppable<Vector> {
            let bits: Stoppable<Vec<Bdd>> = bits.iter().map(|b| k.and(b, &some)).collect();
            Ok(self.natural(bits?))
        };
        Ok((guard(quotient)?, guard(rest)?))
    }

    /// Quotient and remainder, rounded towards zero; both zero where the divisor is.
    pub fn divide(&self, a: &Vector, b: &Vector) -> Stoppable<(Vector, Vector)> {
        let absolute = |v: &Vector| -> Stoppable<Vector> { self.ite(v.sign(), &self.negative(v)?, v) };
        let (quotient, rest) = self.divide_natural(&absolute(a)?, &absolute(b)?)?;
        let differ = self.0.xor(a.sign(), b.sign())?;
        let quotient = self.ite(&differ, &self.negative(&quotient)?, &quotient)?;
        let rest = self.ite(a.sign(), &self.negative(&rest)?, &rest)?;
        Ok((quotient, rest))
    }
}
