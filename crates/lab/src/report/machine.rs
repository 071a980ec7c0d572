//! The machine and the program that made the numbers.

use std::time::{SystemTime, UNIX_EPOCH};

/// What a reader must know to judge times.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The processor.
    pub processor: String,
    /// Cores that may be used.
    pub cores: usize,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// The operating system.
    pub system: String,
    /// The version of lurcher.
    pub version: String,
    /// Spin and the compiler, where they are used.
    pub spin: Option<String>,
    /// The day, as year-month-day.
    pub date: String,
    /// Trials at a time.
    pub jobs: usize,
    /// The command.
    pub command: String,
}

impl Machine {
    /// This machine, now.
    pub fn here(command: &str, jobs: usize, spin: Option<String>) -> Machine {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let after = |text: &str, key: &str| {
            let line = text.lines().find(|l| l.starts_with(key))?;
            line.split_once([':', '=']).map(|(_, value)| value.trim().trim_matches('"').to_owned())
        };
        let kernel = read("/proc/sys/kernel/osrelease");
        let name = after(&read("/etc/os-release"), "PRETTY_NAME").unwrap_or_else(|| std::env::consts::OS.to_owned());
        let memory = after(&read("/proc/meminfo"), "MemTotal");
        Machine {
            processor: after(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: memory.and_then(|m| m.split_whitespace().next()?.parse::<u64>().ok()).map(|kib| kib << 10),
            system: if kernel.is_empty() { name } else { format!("{name}, kernel {}", kernel.trim()) },
            version: env!("CARGO_PKG_VERSION").to_owned(),
            spin,
            date: date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() / 86_400)),
            jobs,
            command: command.to_owned(),
        }
    }

    /// Lines for a list.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let memory = self.memory.map_or("unknown".to_owned(), |b| format!("{:.1} GiB", b as f64 / f64::from(1 << 30)));
        let mut lines = vec![
            ("command", format!("`{}`", self.command)),
            ("date", self.date.clone()),
            ("lurcher", self.version.clone()),
            ("processor", format!("{}, {} cores, {} trials at a time", self.processor, self.cores, self.jobs)),
            ("memory", memory),
            ("system", self.system.clone()),
        ];
        lines.extend(self.spin.clone().map(|spin| ("Spin", spin)));
        lines
    }
}

/// The date of a day after 1970-01-01, by Hinnant's algorithm: years start in March, so that leap days come last.
fn date(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, text) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_772, "2026-11-15")] {
            assert_eq!(date(days), text);
        }
    }
}
