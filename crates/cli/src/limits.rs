//! Budgets from arguments and from the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use lurcher_search::Budget;

use crate::args::CommonArgs;

/// The budget of a command, and Ctrl-C tied to it. A second Ctrl-C ends the program at once.
pub fn budget(args: &CommonArgs, depth: Option<u32>, all_errors: bool) -> Budget {
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = interrupt.clone();
    // Without a handler Ctrl-C still works; it only ends less gracefully.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    Budget {
        deadline: args.time.map(|t| Instant::now() + t),
        memory: Some(args.memory.unwrap_or_else(default_memory)),
        depth,
        interrupt,
        all_errors,
        ..Budget::default()
    }
}

/// Addresses for code and stacks.
const PROGRAM: u64 = 128 << 20;

/// Three quarters of the memory that is free, or 4 GiB where the machine does not tell; no more than half of the other addresses
/// where those are limited (`ulimit -v`), as tables that grow need some while they do.
fn default_memory() -> u64 {
    let field = |file: &str, line: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let rest = text.lines().find_map(|l| l.strip_prefix(line))?;
        rest.split_whitespace().next()?.parse::<u64>().ok()
    };
    let free = field("/proc/meminfo", "MemAvailable:").map_or(4 << 30, |kib| (kib << 10) / 4 * 3);
    let addresses = field("/proc/self/limits", "Max address space");
    addresses.map_or(free, |bytes| free.min(bytes.saturating_sub(PROGRAM) / 2))
}
