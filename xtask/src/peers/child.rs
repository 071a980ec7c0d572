//! Running another program under a time limit.
//!
//! Output goes to a file, not a pipe, so that a chatty child can never block on us and needs no reader thread.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It exited by itself with this status.
    Exited(i32),
    /// It died of this signal.
    Signal(i32),
    /// It was stopped by us at its time limit.
    TimedOut,
}

/// What a child left behind.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// Standard output and standard error, interleaved as written.
    pub output: String,
    /// Standard output alone; the same as `output` unless the two were kept apart.
    pub stdout: String,
}

/// Runs `command` in `directory`; both output streams go to one text.
pub fn run(command: &mut Command, directory: &Path, limit: Duration) -> io::Result<Finished> {
    let path = directory.join("child.out");
    let file = File::create(&path)?;
    command.stderr(Stdio::from(file.try_clone()?)).stdout(Stdio::from(file));
    let ending = wait(command, directory, limit)?;
    let output = read(&path)?;
    Ok(Finished { ending, stdout: output.clone(), output })
}

/// Runs `command` in `directory`; `stdout` is kept apart from `stderr`, which follows it in `output`.
pub fn run_apart(command: &mut Command, directory: &Path, limit: Duration) -> io::Result<Finished> {
    let (out, err) = (directory.join("child.out"), directory.join("child.err"));
    command.stdout(File::create(&out)?).stderr(File::create(&err)?);
    let ending = wait(command, directory, limit)?;
    let stdout = read(&out)?;
    Ok(Finished { ending, output: format!("{stdout}{}", read(&err)?), stdout })
}

fn read(path: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

fn wait(command: &mut Command, directory: &Path, limit: Duration) -> io::Result<Ending> {
    let mut child = command.current_dir(directory).stdin(Stdio::null()).spawn()?;
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(300);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ending_of(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(Ending::TimedOut);
        }
        sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_millis(10));
    }
}

#[cfg(unix)]
fn ending_of(status: std::process::ExitStatus) -> Ending {
    use std::os::unix::process::ExitStatusExt;
    match status.code() {
        Some(code) => Ending::Exited(code),
        None => Ending::Signal(status.signal().unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn ending_of(status: std::process::ExitStatus) -> Ending {
    Ending::Exited(status.code().unwrap_or(-1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_past_its_limit_is_stopped() {
        let directory = tempfile::tempdir().unwrap();
        let finished = run(Command::new("sleep").arg("5"), directory.path(), Duration::from_millis(30)).unwrap();
        assert_eq!(finished.ending, Ending::TimedOut);
    }

    #[test]
    fn streams_are_kept_apart_when_asked() {
        let directory = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let finished = run_apart(&mut command, directory.path(), Duration::from_secs(5)).unwrap();
        assert_eq!(finished.ending, Ending::Exited(3));
        assert_eq!((finished.stdout.as_str(), finished.output.as_str()), ("out\n", "out\nerr\n"));
    }
}
