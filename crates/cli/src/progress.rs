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
        let seconds = self.started.elapsed().as_secs_f64().max(0.001);
        let per_second = |count: u64| HumanCount((count as f64 / seconds) as u64);
        bar.set_message(match progress.walks {
            Some(walks) => {
                let new = progress.new_share.map_or(String::new(), |s| format!(", {:.1} % new", s * 100.0));
                let best = progress.best.map_or(String::new(), |b| format!(", best score {b}"));
                format!(
                    "{}: {} walks, {} steps/s, longest {}, {} states{new}{best}",
                    self.what,
                    HumanCount(walks),
                    per_second(progress.transitions),
                    HumanCount(progress.depth),
                    HumanCount(progress.stored),
                )
            }
            None => format!(
                "{}: {} states, {}/s, depth {}, {}",
                self.what,
                HumanCount(progress.stored),
                per_second(progress.stored),
                HumanCount(progress.depth),
                HumanBytes(progress.memory),
            ),
        });
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
