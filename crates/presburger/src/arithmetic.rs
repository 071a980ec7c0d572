//! Integers of 64 bits whose products are taken in 128 bits. No number wraps; the least `i64` is never used, so that every
//! number can be negated and the sum of two products fits.

use crate::Error;

/// The number as 64 bits.
#[inline]
pub(crate) fn narrow(value: i128) -> Result<i64, Error> {
    match i64::try_from(value) {
        Ok(value) if value != i64::MIN => Ok(value),
        _ => Err(Error::NumberTooLarge),
    }
}

/// The product as 64 bits.
#[inline]
pub(crate) fn multiply(a: i64, b: i64) -> Result<i64, Error> {
    narrow(i128::from(a) * i128::from(b))
}

/// The sum as 64 bits.
#[inline]
pub(crate) fn add(a: i64, b: i64) -> Result<i64, Error> {
    narrow(i128::from(a) + i128::from(b))
}

/// The greatest common divisor, not negative; 0 of two zeros.
#[inline]
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor, not negative; 0 of two zeros.
pub(crate) fn wide_gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The quotient, rounded down. The divisor is positive.
#[inline]
pub(crate) fn floor_div(a: i128, b: i128) -> i128 {
    a.div_euclid(b)
}

/// The quotient, rounded up. The divisor is positive.
#[inline]
pub(crate) fn ceil_div(a: i128, b: i128) -> i128 {
    -(-a).div_euclid(b)
}

/// The inverse of `a` modulo `m`, between 0 and `m - 1`. They have no common divisor, and `m` is positive.
pub(crate) fn inverse(a: i64, m: i64) -> i64 {
    let (mut old, mut rest) = (i128::from(a).rem_euclid(i128::from(m)), i128::from(m));
    let (mut old_factor, mut factor) = (1i128, 0i128);
    while rest != 0 {
        let quotient = old / rest;
        (old, rest) = (rest, old - quotient * rest);
        (old_factor, factor) = (factor, old_factor - quotient * factor);
    }
    // Both are smaller than the modulus, which fits.
    i64::try_from(old_factor.rem_euclid(i128::from(m))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_rounded_towards_the_named_side() {
        for (a, b) in [(7i128, 2), (-7, 2), (6, 3), (-6, 3), (0, 5), (1, 5), (-1, 5)] {
            let exact = a as f64 / b as f64;
            assert_eq!(floor_div(a, b) as f64, exact.floor());
            assert_eq!(ceil_div(a, b) as f64, exact.ceil());
        }
    }

    #[test]
    fn inverses_multiply_to_one() {
        for m in 1..40 {
            for a in -50..50 {
                if gcd(a, m) == 1 {
                    assert_eq!((a * inverse(a, m)).rem_euclid(m), 1 % m, "{a} modulo {m}");
                }
            }
        }
    }

    #[test]
    fn numbers_at_the_end_of_the_range_are_refused() {
        assert_eq!(narrow(i128::from(i64::MIN)), Err(Error::NumberTooLarge));
        assert_eq!(multiply(i64::MAX, 2), Err(Error::NumberTooLarge));
        assert_eq!(add(i64::MAX, -i64::MAX), Ok(0));
    }
}
