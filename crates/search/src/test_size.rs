//! How large tests are.

/// So many, or a four-hundredth of it under Miri, which takes a thousand times as long.
pub(crate) fn many(count: usize) -> usize {
    if cfg!(miri) { count.div_ceil(400) } else { count }
}
