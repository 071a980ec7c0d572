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

/// Three quarters of the memory that is free, or 4 GiB where the machine does not tell.
fn default_memory() -> u64 {
    let available = || {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
    };
    available().map_or(4 << 30, |bytes| bytes / 4 * 3)
}
