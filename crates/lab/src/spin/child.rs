//! Running another program under a time limit.
//!
//! Output goes to a file, not a pipe, so that a chatty child can never block on us and needs no reader thread.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It exited by itself with this status.
    Exited(i32),
    /// It died of a signal.
    Signal,
    /// It was stopped at its time limit.
    TimedOut,
    /// It was stopped because the experiment is.
    Interrupted,
}

/// Runs a command in a folder; gives both output streams in one text.
pub(crate) fn run_child(
    command: &mut Command,
    folder: &Path,
    limit: Duration,
    interrupt: &AtomicBool,
) -> io::Result<(Ending, String)> {
    let path = folder.join("child.out");
    let file = File::create(&path)?;
    command.stderr(Stdio::from(file.try_clone()?)).stdout(Stdio::from(file));
    let mut child = command.current_dir(folder).stdin(Stdio::null()).spawn()?;
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(200);
    let ending = loop {
        if let Some(status) = child.try_wait()? {
            break status.code().map_or(Ending::Signal, Ending::Exited);
        }
        let interrupted = interrupt.load(Ordering::Relaxed);
        if interrupted || Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            break if interrupted { Ending::Interrupted } else { Ending::TimedOut };
        }
        sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(5));
    };
    Ok((ending, String::from_utf8_lossy(&std::fs::read(&path)?).into_owned()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_child_past_its_limit_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let never = AtomicBool::new(false);
        let (ending, _) =
            run_child(Command::new("sleep").arg("5"), folder.path(), Duration::from_millis(30), &never).unwrap();
        assert_eq!(ending, Ending::TimedOut);
    }

    #[test]
    fn an_interrupt_stops_a_child() {
        let folder = tempfile::tempdir().unwrap();
        let now = AtomicBool::new(true);
        let (ending, _) =
            run_child(Command::new("sleep").arg("5"), folder.path(), Duration::from_secs(5), &now).unwrap();
        assert_eq!(ending, Ending::Interrupted);
    }
}
