//! The memory limit of a store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::StoreFull;

/// A limit and the bytes reserved of it. Reservations are a few kilobytes at least, so threads hardly contend for it.
#[derive(Debug)]
pub(crate) struct MemoryLimit {
    limit: u64,
    used: AtomicU64,
}

impl MemoryLimit {
    pub fn new(limit: Option<u64>) -> Arc<Self> {
        Arc::new(MemoryLimit { limit: limit.unwrap_or(u64::MAX), used: AtomicU64::new(0) })
    }

    /// Reserves bytes, if the limit allows it.
    pub fn reserve(&self, bytes: u64) -> Result<(), StoreFull> {
        let more = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.limit);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).map(drop).map_err(|_| StoreFull)
    }

    /// Bytes reserved.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
}
