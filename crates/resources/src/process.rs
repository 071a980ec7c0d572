//! What the operating system says about this process. `None` where it does not tell.

/// Bytes of addresses that the process may use (`ulimit -v`), if they are limited.
pub fn address_limit() -> Option<u64> {
    number("/proc/self/limits", "Max address space")
}

/// Bytes of memory that the process occupies.
pub fn resident_memory() -> Option<u64> {
    number("/proc/self/status", "VmRSS:").map(|kib| kib << 10)
}

/// Bytes of memory that are free on this machine.
pub fn available_memory() -> Option<u64> {
    number("/proc/meminfo", "MemAvailable:").map(|kib| kib << 10)
}

/// The number behind a label in a file that the kernel makes.
fn number(file: &str, label: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(label))?;
    rest.split_whitespace().next()?.parse().ok()
}
