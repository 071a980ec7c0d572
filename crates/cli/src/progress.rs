//! Progress on standard error: a line rewritten in place on a terminal, else a line now and then.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount};
use lurcher::formats::columns;
use lurcher_search::{Observer, Phase, Progress};

use crate::limits;
use crate::terminal::{Form, Stream, Verbosity, is_dumb, message};

/// The time between two lines on a terminal.
const REDRAWN: Duration = Duration::from_millis(200);
/// The time over which rates are measured.
const SAMPLED: Duration = Duration::from_millis(500);
/// The shortest and the longest time between two lines elsewhere.
const BETWEEN: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1 << 25));
/// The fewest columns of a part that is cut to fit the line.
const SHORTEST: usize = 10;
/// The stack of the thread that draws.
const STACK: usize = 256 << 10;

/// When the command began to show what it does.
static STARTED: OnceLock<Instant> = OnceLock::new();

/// Shows what a command does, until it is dropped.
pub struct Live {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    status: Mutex<Status>,
    ended: Condvar,
}

impl Shared {
    fn status(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is known of a command that runs.
struct Status {
    started: Instant,
    /// The time that it has.
    limit: Option<Duration>,
    engine: String,
    property: String,
    activity: String,
    /// More about the phase.
    detail: String,
    phase_started: Instant,
    progress: Option<Progress>,
    /// Steps counted at a time, and the steps a second between the two times before.
    sample: Option<(Instant, u64)>,
    rate: Option<f64>,
    /// The phases so far, with the time that each took.
    phases: Vec<(String, Duration)>,
    ended: bool,
}

impl Live {
    /// Begins with an activity; `limit` is the time that the command has.
    pub fn new(activity: &str, limit: Option<Duration>) -> Live {
        let now = Instant::now();
        let started = *STARTED.get_or_init(|| now);
        let shared = Arc::new(Shared {
            status: Mutex::new(Status {
                started,
                limit,
                engine: String::new(),
                property: String::new(),
                activity: activity.to_owned(),
                detail: String::new(),
                phase_started: now,
                progress: None,
                sample: None,
                rate: None,
                phases: Vec::new(),
                ended: false,
            }),
            ended: Condvar::new(),
        });
        if Verbosity::get().verbose {
            message(&format!("{:9.3} s  {activity}\n", started.elapsed().as_secs_f64()));
        }
        let thread = (!Verbosity::get().quiet).then(|| spawn(shared.clone())).flatten();
        Live { shared, thread }
    }

    /// Says more about the phase.
    pub fn detail(&self, text: String) {
        self.shared.status().detail = text;
    }

    /// Who is told of the progress.
    pub fn observer(&self) -> impl Observer + use<> {
        Watcher(self.shared.clone())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        {
            let mut status = self.shared.status();
            status.ended = true;
            status.end_phase();
            self.shared.ended.notify_all();
            if Verbosity::get().verbose {
                message(&status.summary());
            }
        }
        if let Some(thread) = self.thread.take() {
            // A thread that failed to draw has nothing left to show.
            let _ = thread.join();
        }
        clear_line();
    }
}

/// Draws until the command ends. Without a thread, nothing is drawn.
fn spawn(shared: Arc<Shared>) -> Option<JoinHandle<()>> {
    let in_place = std::io::stderr().is_terminal() && !is_dumb();
    let every = if in_place { REDRAWN } else { Verbosity::get().every.clamp(BETWEEN.0, BETWEEN.1) };
    let draw = move || {
        let mut next = Instant::now() + every;
        let mut status = shared.status();
        while !status.ended {
            let wait = next.saturating_duration_since(Instant::now());
            if !wait.is_zero() {
                status = shared.ended.wait_timeout(status, wait).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            next = Instant::now() + every;
            let form = Stream::Err.form();
            let line = status.line(resident(), form.width.filter(|_| in_place));
            drop(status);
            if in_place {
                rewrite_line(&form, &line)
            } else {
                message(&format!("{line}\n"))
            }
            status = shared.status();
        }
    };
    std::thread::Builder::new().name("progress".to_owned()).stack_size(STACK).spawn(draw).ok()
}

/// A line of progress stands on the terminal.
static SHOWN: AtomicBool = AtomicBool::new(false);

fn rewrite_line(form: &Form, line: &str) {
    let mut stderr = std::io::stderr().lock();
    let line = Form { width: None, ..*form }.line(line);
    // Progress that cannot be shown is no error.
    let _ = write!(stderr, "\r{line}\x1b[K");
    let _ = stderr.flush();
    SHOWN.store(true, Ordering::Relaxed);
}

/// Removes the line of progress, where there is one.
pub fn clear_line() {
    if !SHOWN.load(Ordering::Relaxed) {
        return;
    }
    let mut stderr = std::io::stderr().lock();
    if SHOWN.swap(false, Ordering::Relaxed) {
        let _ = write!(stderr, "\r\x1b[K");
        let _ = stderr.flush();
    }
}

/// Bytes of memory that the program uses, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// A duration as people read it: `4 s`, `2:07`, `1:00:00`.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m}:{s:02}"),
        (h, m, s) => format!("{h}:{m:02}:{s:02}"),
    }
}

impl Status {
    fn begin(&mut self, phase: &Phase<'_>) {
        let engine = if phase.engine.is_empty() { self.engine.clone() } else { phase.engine.to_owned() };
        let same = engine == self.engine && phase.property == self.property && phase.activity == self.activity;
        if same {
            return;
        }
        self.end_phase();
        self.engine = engine;
        (self.property, self.activity) = (phase.property.to_owned(), phase.activity.to_owned());
        (self.progress, self.sample, self.rate) = (None, None, None);
        self.detail.clear();
        let name = self.name();
        if Verbosity::get().verbose && !self.phases.iter().any(|(known, _)| *known == name) {
            message(&format!("{:9.3} s  {name}\n", self.started.elapsed().as_secs_f64()));
        }
    }

    fn end_phase(&mut self) {
        let (name, took) = (self.name(), self.phase_started.elapsed());
        match self.phases.iter_mut().find(|(known, _)| *known == name) {
            Some((_, time)) => *time += took,
            None => self.phases.push((name, took)),
        }
        self.phase_started = Instant::now();
    }

    /// The phase in words.
    fn name(&self) -> String {
        let engine = if self.engine.is_empty() { String::new() } else { format!("{}: ", self.engine) };
        let property = if self.property.is_empty() { String::new() } else { format!(" ({})", self.property) };
        format!("{engine}{}{property}", self.activity)
    }

    fn note(&mut self, progress: &Progress) {
        let now = Instant::now();
        match self.sample {
            Some((at, steps)) if progress.transitions >= steps => {
                let time = now.duration_since(at);
                if time >= SAMPLED {
                    self.rate = Some((progress.transitions - steps) as f64 / time.as_secs_f64());
                    self.sample = Some((now, progress.transitions));
                }
            }
            _ => self.sample = Some((now, progress.transitions)),
        }
        self.progress = Some(*progress);
    }

    /// The line of progress; on a terminal of so many columns, only what fits.
    fn line(&self, memory: Option<u64>, width: Option<usize>) -> String {
        let elapsed = self.started.elapsed();
        let mut parts = vec![clock(elapsed)];
        let left = |limit: Duration| limit.saturating_sub(elapsed) + Duration::from_millis(999);
        parts.extend(self.limit.map(|limit| format!("{} left", clock(left(limit)))));
        parts.push(self.name());
        parts.extend(self.detail.split(", ").filter(|part| !part.is_empty()).map(str::to_owned));
        if let Some(progress) = &self.progress {
            parts.extend(progress.walks.map(|walks| format!("{} walks", HumanCount(walks))));
            if progress.stored > 0 {
                parts.push(format!("{} states", HumanCount(progress.stored)));
            }
            parts.extend(self.rate.filter(|r| *r >= 1.0).map(|r| format!("{} steps/s", HumanCount(r as u64))));
            let depth = HumanCount(progress.depth);
            parts.extend((progress.depth > 0).then(|| match (progress.walks, progress.stored) {
                (Some(_), _) => format!("longest {depth}"),
                (None, 0) => format!("round {depth}"),
                (None, _) => format!("depth {depth}"),
            }));
            parts.extend(progress.trials.map(|trials| format!("trial {}", HumanCount(trials))));
            parts.extend(progress.frontier.map(|open| format!("{} open", HumanCount(open))));
            parts.extend(progress.new_share.map(|share| format!("{:.1} % new states", share * 100.0)));
            parts.extend(progress.best.map(|best| format!("best score {best}")));
        }
        let memory = memory.or(self.progress.map(|p| p.memory));
        parts.extend(memory.map(|bytes| HumanBytes(bytes).to_string()));
        let mut line = String::new();
        for part in parts {
            let part = if line.is_empty() { part } else { format!(", {part}") };
            // The last column stays free: some terminals go to the next line there.
            let room = width.map_or(usize::MAX, |w| w.saturating_sub(columns(&line) + 1));
            if columns(&part) > room {
                let cut: String = part.chars().take(room.saturating_sub(1)).collect();
                if room >= SHORTEST {
                    line.push_str(&format!("{cut}…"));
                }
                break;
            }
            line.push_str(&part);
        }
        line
    }

    /// The phases with their times.
    fn summary(&self) -> String {
        let mut out = String::new();
        for (name, time) in self.phases.iter().filter(|(_, time)| *time >= Duration::from_millis(1)) {
            out.push_str(&format!("{:9.3} s  in all for {name}\n", time.as_secs_f64()));
        }
        out
    }
}

/// Tells a [`Live`] of the progress.
struct Watcher(Arc<Shared>);

impl Observer for Watcher {
    fn progress(&mut self, progress: &Progress) {
        self.0.status().note(progress);
    }

    fn phase(&mut self, phase: &Phase<'_>) {
        self.0.status().begin(phase);
    }

    fn decided(&mut self, property: &str, verdict: &'static str) {
        limits::note_decided(property, verdict);
    }

    fn refused(&mut self, properties: &[&str], why: &str) {
        let more = properties.len().saturating_sub(NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = properties[..properties.len().min(NAMES)].join(", ");
        eprintln!("note: not checked: {names}{more}: {why}");
    }
}

/// The most names that a line lists.
const NAMES: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_engine_and_phase_and_keeps_to_its_width() {
        let live = Live::new("loading the model", Some(Duration::from_secs(3700)));
        let mut observer = live.observer();
        observer.phase(&Phase { engine: "walk", property: "safety", activity: "random walks" });
        observer.progress(&Progress { walks: Some(1234), transitions: 5, stored: 77, depth: 9, ..Progress::default() });
        let status = live.shared.status();
        let whole = status.line(Some(3 << 20), None);
        assert_eq!(
            whole,
            "0 s, 1:01:40 left, walk: random walks (safety), 1,234 walks, 77 states, longest 9, 3.00 MiB"
        );
        for width in 1..whole.len() + 2 {
            let line = status.line(Some(3 << 20), Some(width));
            assert!(line.chars().count() < width, "{width}: {line}");
            assert!(whole.starts_with(line.trim_end_matches('…')), "{line}");
        }
    }

    #[test]
    fn a_phase_without_an_engine_is_one_of_the_engine_before() {
        let live = Live::new("loading the model", None);
        let mut observer = live.observer();
        observer.phase(&Phase { engine: "bdd", property: "p", activity: "computing the reachable states" });
        observer.phase(&Phase { property: "p", activity: "shortening the trace", ..Phase::default() });
        let mut status = live.shared.status();
        assert_eq!(status.name(), "bdd: shortening the trace (p)");
        status.end_phase();
        let names: Vec<&str> = status.phases.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["loading the model", "bdd: computing the reachable states (p)", "bdd: shortening the trace (p)"]
        );
    }

    #[test]
    fn times_can_be_read() {
        let texts = [0, 59, 60, 3599, 3600].map(|s| clock(Duration::from_secs(s)));
        assert_eq!(texts, ["0 s", "59 s", "1:00", "59:59", "1:00:00"]);
    }
}
