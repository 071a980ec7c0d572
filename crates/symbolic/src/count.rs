//! Natural numbers of any size, with the three operations that counting needs.

use std::fmt;

/// A natural number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count(
    /// Digits to base 2⁶⁴, lowest first; the last is not zero.
    Vec<u64>,
);

/// The largest power of ten below 2⁶⁴, and its exponent.
const TEN: (u64, usize) = (10_000_000_000_000_000_000, 19);

impl From<u64> for Count {
    fn from(value: u64) -> Self {
        Count(if value == 0 { Vec::new() } else { vec![value] })
    }
}

impl Count {
    /// The sum.
    pub fn plus(&self, other: &Count) -> Count {
        let (long, short) = if self.0.len() >= other.0.len() { (self, other) } else { (other, self) };
        let mut digits = long.0.clone();
        let mut carry = false;
        for (index, digit) in digits.iter_mut().enumerate() {
            let add = short.0.get(index).copied().unwrap_or(0);
            let (sum, over) = digit.overflowing_add(add);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            *digit = sum;
            carry = over || over_again;
        }
        if carry {
            digits.push(1);
        }
        Count(digits)
    }

    /// The number times a power of two.
    pub fn doubled(&self, times: usize) -> Count {
        if self.0.is_empty() {
            return Count::default();
        }
        let (digits, bits) = (times / 64, times % 64);
        let mut shifted = vec![0; digits];
        let mut carry = 0;
        for &digit in &self.0 {
            shifted.push(digit << bits | carry);
            carry = if bits == 0 { 0 } else { digit >> (64 - bits) };
        }
        if carry != 0 {
            shifted.push(carry);
        }
        Count(shifted)
    }

    /// The number, if it fits into 128 bits.
    pub fn exact(&self) -> Option<u128> {
        match self.0[..] {
            [] => Some(0),
            [a] => Some(u128::from(a)),
            [a, b] => Some(u128::from(b) << 64 | u128::from(a)),
            _ => None,
        }
    }

    /// The number, rounded; infinite if too large for an `f64`.
    pub fn rounded(&self) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, &digit| sum * 2f64.powi(64) + digit as f64)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.0.clone();
        let mut groups = Vec::new();
        while !left.is_empty() {
            let mut rest = 0u128;
            for digit in left.iter_mut().rev() {
                let number = rest << 64 | u128::from(*digit);
                *digit = (number / u128::from(TEN.0)) as u64;
                rest = number % u128::from(TEN.0);
            }
            groups.push(rest);
            while left.last() == Some(&0) {
                left.pop();
            }
        }
        let mut groups = groups.iter().rev();
        let mut text = groups.next().unwrap_or(&0).to_string();
        groups.for_each(|g| text.push_str(&format!("{g:0width$}", width = TEN.1)));
        f.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_beyond_any_machine_word() {
        assert_eq!(Count::from(0).to_string(), "0");
        assert_eq!(Count::from(u64::MAX).plus(&Count::from(1)).to_string(), "18446744073709551616");
        let large = Count::from(3).doubled(200).plus(&Count::from(10));
        assert_eq!(large.to_string(), "4820814132776970826625886277023487807566608981348378505904138");
        assert_eq!(large.exact(), None);
        assert!((large.rounded() / 4.820_814_132_776_97e60 - 1.0).abs() < 1e-12);
        assert_eq!(Count::from(5).doubled(64).exact(), Some(5 << 64));
    }
}
