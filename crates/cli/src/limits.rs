//! Limits from the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub fn interrupt() -> Arc<AtomicBool> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = interrupt.clone();
    // Without a handler Ctrl-C still works; it only ends less gracefully.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    interrupt
}

/// Addresses for code and stacks.
const PROGRAM: u64 = 128 << 20;

/// Three quarters of the memory that is free, or 4 GiB where the machine does not tell; no more than half of the other
/// addresses where those are limited (`ulimit -v`), because tables need room while they grow.
pub fn default_memory() -> u64 {
    let field = |file: &str, line: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let rest = text.lines().find_map(|l| l.strip_prefix(line))?;
        rest.split_whitespace().next()?.parse::<u64>().ok()
    };
    let free = field("/proc/meminfo", "MemAvailable:").map_or(4 << 30, |kib| (kib << 10) / 4 * 3);
    let addresses = field("/proc/self/limits", "Max address space");
    addresses.map_or(free, |bytes| free.min(bytes.saturating_sub(PROGRAM) / 2))
}
