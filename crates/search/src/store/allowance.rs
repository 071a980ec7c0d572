//! How much memory a store may take.

use std::sync::atomic::{AtomicU64, Ordering};

use super::StoreFull;

/// A limit, and what has been taken of it. It is taken in pieces of a few kilobytes at least, so threads that share it
/// hardly ever meet here.
#[derive(Debug)]
pub(crate) struct Allowance {
    limit: u64,
    used: AtomicU64,
}

impl Allowance {
    pub fn new(limit: Option<u64>) -> Self {
        Allowance { limit: limit.unwrap_or(u64::MAX), used: AtomicU64::new(0) }
    }

    /// Takes so many bytes, if they are left.
    pub fn take(&self, bytes: u64) -> Result<(), StoreFull> {
        let more = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.limit);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).map(drop).map_err(|_| StoreFull)
    }

    /// Bytes taken.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
}
