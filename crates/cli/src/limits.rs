//! The limits of this run of the program.
//!
//! Every phase consults [`ResourceLimits`]. A thread raises their signal when the process grows beyond its memory, and ends the
//! program where a phase does not stop in time: some operations on diagrams cannot be interrupted.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use lurcher::engines::Verdict;
use lurcher_resources::{
    LimitReached, ResourceLimits, Scope, StopSignal, address_limit, available_memory, resident_memory,
};
use lurcher_syntax::escape;
use serde_json::{Value, json};

use crate::Exit;
use crate::args::CommonArgs;
use crate::progress::clear_line;
use crate::terminal::warn;

/// Time between two looks at the process.
const INTERVAL: Duration = Duration::from_millis(5);
/// Time after [`ResourceLimits::grace`] in which the program has to end.
const PATIENCE: Duration = Duration::from_millis(100);
/// Time after a signal in which a phase has to stop, and traces are judged.
const PATIENCE_AFTER_SIGNAL: Duration = Duration::from_millis(320);
/// Resident memory that limits do not count: the program itself, stacks, what an allocator keeps.
const PROGRAM: u64 = 32 << 20;
/// The same when the program is ended.
const MOST: u64 = 46 << 20;

/// Watches over the limits from the start of a command to its results.
pub struct Supervisor {
    /// When the command started.
    pub started: Instant,
    /// What it may use.
    pub resources: ResourceLimits,
    /// The results are complete.
    finished: Arc<Mutex<bool>>,
}

impl Supervisor {
    /// Starts with the limits of the arguments.
    pub fn start(args: &CommonArgs) -> Supervisor {
        let started = Instant::now();
        let memory = args.memory.unwrap_or_else(default_memory);
        let resources = ResourceLimits::new(started, args.time, Some(memory), interrupts());
        let finished = Arc::new(Mutex::new(false));
        end_where_allocation_fails(args, finished.clone());
        let watch = Watch { args: args.clone(), resources: resources.clone(), finished: finished.clone() };
        // Without the thread the phases still watch their deadlines.
        if let Err(error) = std::thread::Builder::new().name("limits".to_owned()).spawn(move || watch.run(memory)) {
            warn(&format!("the memory of the process is not watched: {error}"));
        }
        Supervisor { started, resources, finished }
    }

    /// From now on results are printed: nothing ends the program any more. What takes long in that is to be bound by
    /// [`ResourceLimits::current`], as long as the scope lasts.
    pub fn finish(&self) -> Scope {
        *self.finished.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.resources.for_report().enter()
    }

    /// The report on a command that was stopped before it had results.
    pub fn unfinished(&self, args: &CommonArgs, limit: LimitReached) -> Result<Exit> {
        let _scope = self.finish();
        clear_line();
        let (text, exit) = unfinished(args, limit, self.started.elapsed());
        io::stdout().write_all(text.as_bytes())?;
        Ok(exit)
    }
}

/// A signal that Ctrl-C and SIGTERM raise. The second one ends the program at once.
pub fn interrupts() -> StopSignal {
    // A write beyond the limit on the size of files (`ulimit -f`) is to fail, not to end the program.
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()) {
        warn(&format!("a limit on the size of files ends the program without a report: {error}"));
    }
    let stop = StopSignal::default();
    let signal = stop.clone();
    let handler = move || {
        if signal.interrupt() {
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        warn(&format!("interrupts end the program without a report: {error}"));
    }
    stop
}

/// Ends the program as a memory limit does where an allocation fails. The standard library aborts then; that happens where
/// addresses are limited (`ulimit -v`).
#[allow(unsafe_code)]
fn end_where_allocation_fails(args: &CommonArgs, finished: Arc<Mutex<bool>>) {
    if address_limit().is_none() {
        return;
    }
    let (text, _) = unfinished(args, LimitReached::Memory, Duration::ZERO);
    let end = move || {
        if finished.try_lock().is_ok_and(|finished| !*finished) {
            // Nothing can be done where standard output is closed.
            let _ = rustix::io::write(io::stdout(), text.as_bytes());
        }
        signal_hook::low_level::exit(3);
    };
    // SAFETY: the action neither allocates nor waits. It writes a text that exists already, and exits.
    let registered = unsafe { signal_hook::low_level::register(signal_hook::consts::SIGABRT, end) };
    if let Err(error) = registered {
        warn(&format!("lack of addresses ends the program without a report: {error}"));
    }
}

struct Watch {
    args: CommonArgs,
    resources: ResourceLimits,
    finished: Arc<Mutex<bool>>,
}

impl Watch {
    fn run(&self, memory: u64) {
        let started = Instant::now();
        // The time since which the signal is raised.
        let mut raised: Option<Instant> = None;
        loop {
            std::thread::sleep(INTERVAL);
            let resident = resident_memory().unwrap_or(0);
            if resident > memory.saturating_add(memory / 50 + PROGRAM) {
                self.resources.stop.out_of_memory();
            }
            let stop = self.resources.stop.raised();
            // Work that has stopped may have made room.
            raised = stop.map(|_| raised.unwrap_or_else(Instant::now));
            let patience = raised.map(|since| since + PATIENCE_AFTER_SIGNAL);
            let late = self.resources.deadline.map(|deadline| deadline + self.resources.grace + PATIENCE);
            let overdue = [patience, late].into_iter().flatten().any(|latest| Instant::now() >= latest);
            if overdue || resident > memory.saturating_add(memory / 13 + MOST) {
                self.end(stop.unwrap_or(LimitReached::Time), started.elapsed());
            }
        }
    }

    /// Ends the program, unless it has results.
    fn end(&self, limit: LimitReached, elapsed: Duration) {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if *finished {
            return;
        }
        clear_line();
        // The main thread may hold the lock of standard output.
        let (text, exit) = unfinished(&self.args, limit, elapsed);
        let written =
            io::stdout().as_fd().try_clone_to_owned().and_then(|out| File::from(out).write_all(text.as_bytes()));
        if std::env::var_os(TELL).is_some() {
            eprintln!("a phase did not stop in time");
        }
        std::process::exit(if written.is_err() {
            2
        } else if exit == Exit::Violation {
            1
        } else {
            3
        });
    }
}

/// Set by tests, which want phases to stop by themselves.
const TELL: &str = "LURCHER_TELL_OVERDUE";

/// The properties that were decided so far, with their verdicts.
static DECIDED: Mutex<Vec<(String, &str)>> = Mutex::new(Vec::new());

/// Keeps a verdict for the case that a limit ends the program before there is a report.
pub fn note_decided(property: &str, verdict: &'static str) {
    DECIDED.lock().unwrap_or_else(PoisonError::into_inner).push((property.to_owned(), verdict));
}

/// What is known when a limit ends a command without a report, and the status that tells it.
fn unfinished(args: &CommonArgs, limit: LimitReached, elapsed: Duration) -> (String, Exit) {
    let decided = DECIDED.lock().unwrap_or_else(PoisonError::into_inner);
    let violated = Verdict::Violated.name();
    let exit = if decided.iter().any(|(_, verdict)| *verdict == violated) { Exit::Violation } else { Exit::Limit };
    let verdict = if exit == Exit::Violation { violated } else { Verdict::Inconclusive.name() };
    let model = args.model.display().to_string();
    if !args.json {
        let mut text = format!("{}: {verdict}\n", escape(&model));
        if decided.is_empty() {
            text.push_str(&format!("not proved: {limit} before there were results\n"));
        } else {
            text.push_str(&format!("{limit} before there was a report; decided until then:\n"));
            decided.iter().for_each(|(name, verdict)| text.push_str(&format!("  {}: {verdict}\n", escape(name))));
        }
        return (text, exit);
    }
    let properties: Vec<Value> = decided.iter().map(|(name, v)| json!({"name": name, "verdict": v})).collect();
    let object = json!({
        "tool": "lurcher", "version": env!("CARGO_PKG_VERSION"), "model": model, "seed": args.seed,
        "verdict": verdict, "stop_reason": limit.name(), "complete": false, "property": null, "engine": null,
        "guide": null, "walks": 0, "steps": 0, "states": {"stored": 0, "matched": 0, "transitions": 0, "expanded": 0, "depth": 0},
        "trace": null, "properties": properties, "time": {"total": elapsed.as_secs_f64()},
        "memory_bytes": resident_memory().unwrap_or(0),
    });
    (format!("{object:#}\n"), exit)
}

/// Addresses for code and stacks.
const CODE: u64 = 128 << 20;

/// Three quarters of the memory that is free, or 4 GiB where the machine does not tell; no more than half of the other
/// addresses where those are limited (`ulimit -v`), because tables need room while they grow.
pub fn default_memory() -> u64 {
    let free = available_memory().map_or(4 << 30, |bytes| bytes / 4 * 3);
    address_limit().map_or(free, |bytes| free.min(bytes.saturating_sub(CODE) / 2))
}

/// Settings of libraries that set addresses aside, which they read from the environment: the stack of OxiDD's pool, a
/// gigabyte by default (nothing runs on it), and the arenas of the C library, 64 MiB for each thread.
const FRUGAL: [(&str, &str); 2] = [("OXIDD_STACK_SIZE", "1048576"), ("MALLOC_ARENA_MAX", "1")];

/// Where addresses are limited (`ulimit -v`), starts the program again with an environment in which libraries set few of
/// them aside. A running program cannot change its environment safely.
pub fn save_addresses() {
    if address_limit().is_none() || FRUGAL.iter().all(|(name, _)| std::env::var_os(name).is_some()) {
        return;
    }
    let mut arguments = std::env::args_os();
    let (Ok(program), Some(name)) = (std::env::current_exe(), arguments.next()) else { return };
    let unset = FRUGAL.into_iter().filter(|(name, _)| std::env::var_os(name).is_none());
    // It returns only when it fails; this process then goes on as it is.
    let failed = Command::new(program).arg0(name).args(arguments).envs(unset).exec();
    warn(&format!("the program needs more addresses than it has to: {failed}"));
}
