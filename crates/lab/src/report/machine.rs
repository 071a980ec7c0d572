//! The machine and the version behind measurements.

use std::time::{SystemTime, UNIX_EPOCH};

/// What times depend on.
#[derive(Clone, Debug)]
pub struct Machine {
    processor: String,
    cores: usize,
    memory: Option<u64>,
    system: String,
    spin: Option<String>,
    /// The day, as year-month-day.
    pub date: String,
    jobs: usize,
    command: String,
}

impl Machine {
    /// This machine today, for a command with so many trials at a time and these versions of Spin and GCC.
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
            spin,
            date: date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() / 86_400)),
            jobs,
            command: command.to_owned(),
        }
    }

    /// A Markdown list.
    pub fn list(&self) -> String {
        let memory = self.memory.map_or("unknown".to_owned(), |b| format!("{:.1} GiB", b as f64 / f64::from(1 << 30)));
        let spin = self.spin.as_ref().map_or(String::new(), |spin| format!("* Spin: {spin}\n"));
        format!(
            "* command: `{}`\n* date: {}\n* lurcher: {}\n* processor: {}, {} cores, {} trials at a time\n\
             * memory: {memory}\n* system: {}\n{spin}",
            self.command,
            self.date,
            env!("CARGO_PKG_VERSION"),
            self.processor,
            self.cores,
            self.jobs,
            self.system,
        )
    }
}

/// The date so many days after 1970-01-01, by Hinnant's algorithm: years start in March, so that leap days come last.
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
