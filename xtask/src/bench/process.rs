//! Running a program and asking the system what it used.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// What a program printed and used.
#[derive(Clone, Debug)]
pub struct Used {
    /// Standard output.
    pub output: String,
    /// Whether it exited with one of the statuses that were expected.
    pub status: Option<i32>,
    /// Seconds by the clock on the wall.
    pub wall: f64,
    /// Seconds of processor time, its children's included.
    pub processor: f64,
    /// The most memory it, or a child of it, had at a time.
    pub resident: u64,
    /// The same without the pages of files, which are its program; as far as a look now and then tells.
    pub data: u64,
}

/// How often somebody looks how much memory a program has.
const LOOK: Duration = Duration::from_millis(5);

/// Runs a command in a folder. Its output goes to a file, so that nobody has to read while it runs.
pub fn run(command: &mut Command, folder: &Path) -> Result<Used, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", command_name(command));
    let (out, err) = (folder.join("bench.out"), folder.join("bench.err"));
    let (stdout, stderr) = (File::create(&out), File::create(&err));
    let (stdout, stderr) = (stdout.map_err(failed)?, stderr.map_err(failed)?);
    command.current_dir(folder).stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    let started = Instant::now();
    let mut child = command.spawn().map_err(|e| format!("{}: {e}", command_name(command)))?;
    let (pid, ended) = (child.id(), AtomicBool::new(false));
    let (used, wall, data) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut most = 0;
            while !ended.load(Ordering::Relaxed) {
                most = most.max(data_of(pid));
                std::thread::sleep(LOOK);
            }
            most
        });
        let used = child.wait4();
        let wall = started.elapsed().as_secs_f64();
        ended.store(true, Ordering::Relaxed);
        (used, wall, watcher.join().unwrap_or(0))
    });
    let used = used.map_err(|e| e.to_string())?;
    let output = std::fs::read(&out).map_err(|e| e.to_string())?;
    Ok(Used {
        output: String::from_utf8_lossy(&output).into_owned(),
        status: used.status.code(),
        wall,
        processor: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        resident: used.rusage.maxrss,
        data,
    })
}

/// Bytes of memory that a process, or a child of it, has beside the pages of files; 0 where the system does not say.
fn data_of(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("RssAnon:"));
    let own = line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) << 10;
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    children.split_whitespace().filter_map(|c| c.parse().ok()).map(data_of).fold(own, u64::max)
}

/// A command that is ended after so many seconds.
pub fn limited(program: &Path, seconds: u32) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--kill-after", "5", &seconds.to_string()]).arg(program);
    command
}

/// What a command printed on standard error in the run before.
pub fn complaints(folder: &Path) -> String {
    let text = std::fs::read(folder.join("bench.err")).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().take(3).collect::<Vec<_>>().join("; ")
}

fn command_name(command: &Command) -> String {
    Path::new(command.get_program()).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_uses_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut busy = Command::new("sh");
        busy.args(["-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i; exit 3"]);
        let used = run(&mut busy, folder.path()).unwrap();
        assert_eq!((used.output.as_str(), used.status), ("20000\n", Some(3)));
        assert!(used.processor > 0.0 && used.wall > 0.0 && used.resident > 100_000);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_of_a_child_is_seen_without_its_program() {
        let folder = tempfile::tempdir().unwrap();
        let script = "x=$(head -c 20000000 /dev/zero | tr '\\0' a); sleep 0.2; echo ${#x}";
        let used = run(limited(Path::new("sh"), 20).args(["-c", script]), folder.path()).unwrap();
        assert_eq!(used.output.trim(), "20000000");
        assert!((20_000_000..=used.resident).contains(&used.data), "{} of {}", used.data, used.resident);
    }

    #[test]
    fn a_program_past_its_limit_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let used = run(limited(Path::new("sleep"), 1).arg("30"), folder.path()).unwrap();
        assert!(used.wall < 20.0);
        assert_eq!(used.status, Some(124));
    }
}
