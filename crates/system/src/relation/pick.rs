//! Enumeration of *n* alternatives, in order or in a lazily drawn random order.

/// An order of enumeration.
pub(super) trait Order {
    /// The next alternative; called at most [`Pick::len`] times.
    fn next(&mut self, pick: &mut Pick) -> u64;
}

/// The state of an enumeration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    len: u64,
    tried: u64,
    /// Up to 64 alternatives: a bit for each that was tried. Above: the first alternative.
    mark: u64,
    stride: u64,
}

impl Pick {
    pub fn new(len: u64) -> Self {
        Pick { len, tried: 0, mark: 0, stride: 0 }
    }

    /// The next alternative, if there is one.
    pub fn next(&mut self, order: &mut impl Order) -> Option<u64> {
        if self.tried >= self.len {
            return None;
        }
        let index = order.next(self);
        self.tried += 1;
        Some(index)
    }
}

/// First to last.
pub(super) struct InOrder;

impl Order for InOrder {
    fn next(&mut self, pick: &mut Pick) -> u64 {
        pick.tried
    }
}

/// Random order. Up to 64 alternatives, each remaining one is equally likely. Above, the first is drawn uniformly and the
/// others follow at a random stride, which needs constant memory.
pub(super) struct Shuffled<F>(pub F);

impl<F: FnMut(u32) -> u32> Shuffled<F> {
    fn below(&mut self, n: u64) -> u64 {
        match u32::try_from(n) {
            Ok(n) => u64::from((self.0)(n)),
            Err(_) => {
                // Two draws; the bias is below n / 2⁶⁴.
                let high = u64::from((self.0)(u32::MAX));
                let wide = high << 32 | u64::from((self.0)(u32::MAX));
                ((u128::from(wide) * u128::from(n)) >> 64) as u64
            }
        }
    }
}

impl<F: FnMut(u32) -> u32> Order for Shuffled<F> {
    fn next(&mut self, pick: &mut Pick) -> u64 {
        let left = pick.len - pick.tried;
        if pick.len <= 64 {
            let mut skip = self.below(left);
            let mut open = !pick.mark;
            while skip > 0 {
                open &= open - 1;
                skip -= 1;
            }
            let index = u64::from(open.trailing_zeros());
            pick.mark |= 1 << index;
            return index;
        }
        match pick.tried {
            0 => pick.mark = self.below(pick.len),
            1 => {
                pick.stride = 1 + self.below(pick.len - 1);
                while gcd(pick.stride, pick.len) != 1 {
                    pick.stride = pick.stride % (pick.len - 1) + 1;
                }
            }
            _ => {}
        }
        let moved = u128::from(pick.tried) * u128::from(pick.stride);
        ((u128::from(pick.mark) + moved) % u128::from(pick.len)) as u64
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_alternative_comes_once() {
        let mut state = 1u64;
        let mut below = |n: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (((state >> 33) * u64::from(n)) >> 31) as u32
        };
        for len in (1..200).chain([1000, 4096]) {
            let mut order = Shuffled(&mut below);
            let mut pick = Pick::new(len);
            let mut seen: Vec<u64> = std::iter::from_fn(|| pick.next(&mut order)).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..len).collect::<Vec<u64>>());
        }
    }
}
