//! The live line on a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use lurcher_search::{Observer, Progress};

/// Shows how far a search is, on standard error, when that is a terminal.
pub struct Live {
    bar: Option<ProgressBar>,
    what: String,
    started: Instant,
}

impl Live {
    /// A line about one property; nothing with `quiet`.
    pub fn new(what: &str, quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new_spinner();
            let style = ProgressStyle::with_template("{spinner} {msg}").expect("a fixed template");
            bar.set_style(style);
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Live { bar, what: what.to_owned(), started: Instant::now() }
    }
}

impl Observer for Live {
    fn progress(&mut self, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        let rate = progress.stored as f64 / self.started.elapsed().as_secs_f64().max(0.001);
        bar.set_message(format!(
            "{}: {} states, {}/s, depth {}, {}",
            self.what,
            HumanCount(progress.stored),
            HumanCount(rate as u64),
            HumanCount(progress.depth),
            HumanBytes(progress.memory),
        ));
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
