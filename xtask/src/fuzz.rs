//! Fuzzing on stable Rust: mutants of everything that lurcher reads.
//!
//! Input `i` of a seed is the same on every machine. Workers are processes of their own, so that an input that overflows
//! the stack, exhausts the memory or never ends is found like one that panics. Each is saved in `target/fuzz`. A worker
//! reports `>` before it reads an input, and `+` (accepted), `-` (refused) or `!` and a message (panicked) afterwards.

mod engines;
mod targets;
mod worker;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::options::Threads;
use crate::repository;
use targets::{TARGETS, Target};
use worker::Inputs;

/// Options of the chore.
#[derive(clap::Args)]
pub struct Options {
    /// Stop after this many seconds
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Stop after this many inputs instead
    #[arg(long, value_name = "N")]
    inputs: Option<u64>,
    /// Seed of the inputs
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// What to read: promela, smv, formula, engines, experiment, trace, save [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    targets: Vec<String>,
    /// An input may take this many seconds
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: u64,
    /// A worker may use this many MiB of addresses
    #[arg(long, value_name = "N", default_value_t = 8192)]
    memory: u64,
    /// Print input I instead
    #[arg(long, value_name = "I")]
    show: Option<u64>,
    /// Read every N-th input from I on; the chore starts this
    #[arg(long, hide = true, value_name = "I,N", value_delimiter = ',')]
    worker: Vec<u64>,
}

impl Options {
    fn targets(&self) -> Result<Vec<&'static Target>, String> {
        let find = |name: &String| {
            let found = TARGETS.iter().find(|t| t.name == name);
            found.ok_or_else(|| format!("there is no target `{name}`"))
        };
        match self.targets.is_empty() {
            true => Ok(TARGETS.iter().collect()),
            false => self.targets.iter().map(find).collect(),
        }
    }
}

/// Fuzzes; true when nothing was found.
pub fn run(options: &Options) -> Result<bool, String> {
    let inputs = Inputs::new(options.seed, options.targets()?)?;
    if let Some(index) = options.show {
        print!("{}", inputs.text(index));
        return Ok(true);
    }
    if let &[first, step] = options.worker.as_slice() {
        worker::work(&inputs, first, step);
    }
    let started = Instant::now();
    let jobs = options.threads.count() as u64;
    let end = started + Duration::from_secs(options.seconds);
    let supervisor = Supervisor { options, inputs, jobs, end, totals: Mutex::default() };
    let ended: Vec<Result<(), String>> = thread::scope(|scope| {
        let supervisor = &supervisor;
        let threads: Vec<_> = (0..jobs).map(|first| scope.spawn(move || supervisor.supervise(first))).collect();
        threads.into_iter().map(|t| t.join().unwrap_or_else(|_| Err("a supervisor panicked".to_owned()))).collect()
    });
    let totals = supervisor.totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    print!("{totals}");
    println!("{:.0} s, {jobs} workers, seed {}", started.elapsed().as_secs_f64(), options.seed);
    ended.into_iter().collect::<Result<(), String>>()?;
    Ok(totals.findings.is_empty())
}

/// What became of the inputs.
#[derive(Default)]
struct Totals {
    counts: BTreeMap<&'static str, Count>,
    findings: Vec<String>,
}

/// What became of the inputs of one target.
#[derive(Default)]
struct Count {
    read: u64,
    accepted: u64,
    /// The longest time, and the index of its input.
    slowest: (Duration, u64),
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (target, Count { read, accepted, slowest: (time, index) }) in &self.counts {
            writeln!(f, "{target}: {read} inputs, {accepted} accepted; the slowest took {time:.1?} (input {index})")?;
        }
        for finding in &self.findings {
            writeln!(f, "{finding}")?;
        }
        writeln!(f, "{} findings", self.findings.len())
    }
}

struct Supervisor<'o> {
    options: &'o Options,
    inputs: Inputs,
    jobs: u64,
    end: Instant,
    totals: Mutex<Totals>,
}

/// Why a worker is followed no longer.
enum Stopped {
    Finished,
    Late,
    Ended,
}

impl Supervisor<'_> {
    /// Starts one worker after the other, until the time or the inputs are used up.
    fn supervise(&self, first: u64) -> Result<(), String> {
        let mut next = first;
        loop {
            let (mut child, lines) = self.start_worker(next)?;
            let stopped = self.follow(&lines, &mut next)?;
            // A worker that has ended already cannot be killed.
            let _ = child.kill();
            let status = child.wait().map_err(|e| format!("a worker is lost: {e}"))?;
            let why = match (stopped, status.signal()) {
                (Stopped::Finished, _) => return Ok(()),
                (Stopped::Late, _) => format!("takes more than {} s", self.options.limit),
                (Stopped::Ended, Some(signal)) => format!("ends the program with signal {signal}"),
                (Stopped::Ended, None) => format!("ends the program: {status}"),
            };
            self.record(next, &why)?;
            next += self.jobs;
        }
    }

    /// Starts a worker at an input; the lines of its report come through the channel.
    fn start_worker(&self, first: u64) -> Result<(Child, Receiver<String>), String> {
        let program = std::env::current_exe().map_err(|e| format!("where is this program? {e}"))?;
        let names: Vec<&str> = self.inputs.targets.iter().map(|t| t.name).collect();
        let mut command = Command::new("sh");
        command.args(["-c", r#"ulimit -v "$1" && shift && exec "$0" "$@""#]).arg(program);
        command.arg((self.options.memory << 10).to_string()).args(["fuzz", "--targets", &names.join(",")]);
        command.args(["--seed", &self.options.seed.to_string(), "--worker", &format!("{first},{}", self.jobs)]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| format!("no worker: {e}"))?;
        let output = BufReader::new(child.stdout.take().ok_or("a worker without output")?);
        let (sender, receiver) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                // The supervisor may have gone on to another worker.
                if line.is_err() || sender.send(line.unwrap_or_default()).is_err() {
                    break;
                }
            }
        });
        Ok((child, receiver))
    }

    /// Follows a worker's report; `next` is the input it is at.
    fn follow(&self, lines: &Receiver<String>, next: &mut u64) -> Result<Stopped, String> {
        let limit = Duration::from_secs(self.options.limit);
        let mut since = Instant::now();
        loop {
            let finished = match self.options.inputs {
                Some(inputs) => *next >= inputs,
                None => Instant::now() >= self.end,
            };
            if finished {
                return Ok(Stopped::Finished);
            }
            let line = match lines.recv_timeout(limit) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Ok(Stopped::Late),
                Err(RecvTimeoutError::Disconnected) => return Ok(Stopped::Ended),
            };
            if line == ">" {
                since = Instant::now();
                continue;
            }
            self.count(*next, line == "+", since.elapsed());
            if let Some(message) = line.strip_prefix('!') {
                self.record(*next, &format!("panics: {message}"))?;
            }
            *next += self.jobs;
        }
    }

    fn count(&self, index: u64, accepted: bool, time: Duration) {
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        let count = totals.counts.entry(self.inputs.target(index).name).or_default();
        count.read += 1;
        count.accepted += u64::from(accepted);
        count.slowest = count.slowest.max((time, index));
    }

    /// Saves an input that shows a fault.
    fn record(&self, index: u64, why: &str) -> Result<(), String> {
        let folder = repository::target_folder().join("fuzz");
        repository::create_folder(&folder)?;
        let target = self.inputs.target(index);
        let name = format!("{}-{}-{index}.{}", target.name, self.options.seed, target.extension);
        repository::write(&folder.join(&name), &self.inputs.text(index))?;
        let finding = format!("target/fuzz/{name} {why}");
        eprintln!("{finding}");
        self.totals.lock().unwrap_or_else(PoisonError::into_inner).findings.push(finding);
        Ok(())
    }
}
