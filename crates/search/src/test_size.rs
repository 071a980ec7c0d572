//! The size of tests.

/// This count, or a four-hundredth of it under Miri, which is a thousand times slower.
pub(crate) fn many(count: usize) -> usize {
    if cfg!(miri) { count.div_ceil(400) } else { count }
}
