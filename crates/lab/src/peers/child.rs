//! One child process with limits on time and memory, and the resources it used. Needs Unix.
//!
//! Output goes to files, not pipes: a child never blocks on its reader, and no reader thread disturbs a measurement.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use lurcher_resources::StopSignal;
use rustix::io::retry_on_intr;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use tempfile::tempfile;
use wait4::Wait4;

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this status.
    Exited(i32),
    /// It died of this signal.
    Signal(i32),
    /// It was killed at its time limit.
    TimedOut,
    /// It was killed because of [`Bounds::interrupt`].
    Interrupted,
}

/// What a child may use; nothing is limited by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds<'a> {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes of address space (`ulimit -v`).
    pub memory: Option<u64>,
    /// Seconds of processor time (`ulimit -t`).
    pub processor: Option<u64>,
    /// The child is killed when this becomes true.
    pub interrupt: Option<&'a StopSignal>,
}

impl Bounds<'_> {
    /// A limit on wall-clock time alone.
    pub fn time(limit: Duration) -> Self {
        Bounds { time: Some(limit), ..Bounds::default() }
    }
}

/// The resources that a child used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// Seconds of wall-clock time.
    pub wall: f64,
    /// Seconds of user and system time.
    pub processor: f64,
    /// The largest resident set, in bytes.
    pub resident: u64,
    /// The largest resident set without file pages, in bytes, as sampled; 0 where `/proc` does not have it.
    pub data: u64,
}

/// A child that has ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// Standard output; in [`run_merged`] standard error too, interleaved as written.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The resources it used.
    pub usage: Usage,
}

impl Finished {
    /// Whether it exited with status 0.
    pub fn succeeded(&self) -> bool {
        self.ending == Ending::Exited(0)
    }

    /// Standard output followed by standard error.
    pub fn output(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// Runs a command in `folder`, with its output streams apart.
pub fn run(command: &Command, folder: &Path, bounds: Bounds<'_>) -> io::Result<Finished> {
    let (mut out, mut err) = (tempfile()?, tempfile()?);
    let (ending, usage) = supervise(command, folder, bounds, &out, &err)?;
    Ok(Finished { ending, stdout: read(&mut out)?, stderr: read(&mut err)?, usage })
}

/// Runs a command in `folder`, with standard error inside standard output.
pub fn run_merged(command: &Command, folder: &Path, bounds: Bounds<'_>) -> io::Result<Finished> {
    let mut out = tempfile()?;
    let (ending, usage) = supervise(command, folder, bounds, &out, &out)?;
    Ok(Finished { ending, stdout: read(&mut out)?, stderr: String::new(), usage })
}

fn read(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Time between two checks of the limits and the memory of a child.
const POLL: Duration = Duration::from_millis(5);

fn supervise(
    command: &Command,
    folder: &Path,
    bounds: Bounds<'_>,
    out: &File,
    err: &File,
) -> io::Result<(Ending, Usage)> {
    let mut command = with_ulimits(command, bounds);
    command.current_dir(folder).stdin(Stdio::null()).stdout(out.try_clone()?).stderr(err.try_clone()?);
    let started = Instant::now();
    let mut child = command.spawn()?;
    let exit = watch(&child);
    let (mut killed, mut data) = (None, 0);
    let ended = loop {
        data = data.max(anonymous_memory(child.id()));
        if let Ok(ended) = exit.recv_timeout(POLL) {
            break ended;
        }
        if bounds.interrupt.is_some_and(|interrupt| interrupt.raised().is_some()) {
            killed = Some(Ending::Interrupted);
        } else if bounds.time.is_some_and(|limit| started.elapsed() >= limit) {
            killed = Some(Ending::TimedOut);
        }
        if killed.is_some() {
            child.kill()?;
            break Instant::now();
        }
    };
    let used = child.wait4()?;
    let usage = Usage {
        wall: (ended - started).as_secs_f64(),
        processor: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        resident: used.rusage.maxrss,
        data,
    };
    let exited =
        || used.status.code().map_or_else(|| Ending::Signal(used.status.signal().unwrap_or(0)), Ending::Exited);
    Ok((killed.unwrap_or_else(exited), usage))
}

/// A copy of the command that sets its own `ulimit`s, where there are such bounds.
fn with_ulimits(command: &Command, bounds: Bounds<'_>) -> Command {
    let memory = bounds.memory.map(|bytes| format!("ulimit -v {} && ", bytes / 1024)).unwrap_or_default();
    let processor = bounds.processor.map(|seconds| format!("ulimit -t {seconds} && ")).unwrap_or_default();
    let mut copy = Command::new(command.get_program());
    if bounds.memory.is_some() || bounds.processor.is_some() {
        copy = Command::new("sh");
        copy.args(["-c", &format!("{memory}{processor}exec \"$@\""), "sh"]).arg(command.get_program());
    }
    copy.args(command.get_args());
    copy
}

/// Bytes of the resident set of a process that are not file pages; 0 where the system does not tell.
fn anonymous_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("RssAnon:"));
    line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) << 10
}

/// Reports when a child exits and does not reap it, so that its process id stays valid for [`Child::kill`].
fn watch(child: &Child) -> Receiver<Instant> {
    let (sender, receiver) = mpsc::channel();
    let pid = Pid::from_child(child);
    std::thread::spawn(move || {
        let unreaped = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let _ = retry_on_intr(|| waitid(WaitId::Pid(pid), unreaped));
        let _ = sender.send(Instant::now());
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, bounds: Bounds<'_>) -> Finished {
        let folder = tempfile::tempdir().unwrap();
        run(Command::new("sh").args(["-c", script]), folder.path(), bounds).unwrap()
    }

    #[test]
    fn limits_and_interrupts_kill_a_child() {
        assert_eq!(sh("exec sleep 5", Bounds::time(Duration::from_millis(30))).ending, Ending::TimedOut);
        let now = StopSignal::default();
        now.interrupt();
        let interrupt = Bounds { interrupt: Some(&now), ..Bounds::default() };
        assert_eq!(sh("exec sleep 5", interrupt).ending, Ending::Interrupted);
        let processor = Bounds { processor: Some(1), ..Bounds::time(Duration::from_secs(30)) };
        assert!(matches!(sh("while :; do :; done", processor).ending, Ending::Signal(_)));
    }

    #[test]
    fn streams_are_apart_or_merged() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let folder = tempfile::tempdir().unwrap();
        let apart = run(&command, folder.path(), Bounds::default()).unwrap();
        assert_eq!((apart.ending, apart.stdout.as_str(), apart.stderr.as_str()), (Ending::Exited(3), "out\n", "err\n"));
        assert_eq!(run_merged(&command, folder.path(), Bounds::default()).unwrap().stdout, "out\nerr\n");
    }

    #[test]
    fn the_resources_of_a_child_are_measured() {
        let script = "x=$(head -c 20000000 /dev/zero | tr '\\0' a); sleep 0.2; echo ${#x}";
        let Finished { stdout, usage, .. } = sh(script, Bounds::default());
        assert_eq!(stdout.trim(), "20000000");
        assert!(usage.processor > 0.0 && usage.wall >= 0.2);
        if cfg!(target_os = "linux") {
            assert!((20_000_000..=usage.resident).contains(&usage.data), "{usage:?}");
        }
    }
}
