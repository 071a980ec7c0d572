//! Nothing is lost: hunts are saved while they go on, and an old save only goes when a new one is complete.

mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{model, run_json, scratch};

/// The arguments of a hunt that finds nothing.
fn endless() -> Vec<String> {
    let words =
        ["hunt", &model("leader-ring.pml"), "--define", "N=6", "--no-claims", "--engine", "walk", "--jobs", "1"];
    words.map(str::to_owned).to_vec()
}

#[test]
fn a_hunt_that_is_killed_can_be_resumed_from_its_last_save() {
    let file = scratch("killed.json").display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lurcher"));
    command.args(endless()).args(["--time", "10m", "--save", &file, "--save-every", "50ms"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lurcher starts");
    let started = Instant::now();
    while !std::path::Path::new(&file).exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing was saved");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let resumed: Vec<String> =
        [endless(), ["--walks", "1000000000", "--time", "1s", "--resume", &file].map(str::to_owned).to_vec()].concat();
    let resumed: Vec<&str> = resumed.iter().map(String::as_str).collect();
    let (status, object) = run_json(&resumed);
    assert_eq!(status, 0, "{object}");
    assert!(object["walks"].as_u64() > Some(0), "{object}");
}

#[cfg(unix)]
#[test]
fn an_old_save_survives_a_full_disk_and_the_report_is_printed() {
    let file = scratch("full.json").display().to_string();
    let quoted: Vec<String> = endless().iter().map(|word| format!("'{word}'")).collect();
    let shell = |limit: &str, more: &str| {
        let lurcher = env!("CARGO_BIN_EXE_lurcher");
        let line = format!("{limit} '{lurcher}' {} --save '{file}' {more}", quoted.join(" "));
        Command::new("sh").args(["-c", &line]).output().expect("a shell")
    };
    assert_eq!(shell("", "--walks 200").status.code(), Some(0));
    let saved = std::fs::read(&file).expect("it was saved");
    // Files may not grow beyond one block, and a write that tries it fails as on a full disk.
    let output = shell("trap '' XFSZ; ulimit -f 1;", &format!("--walks 400 --resume '{file}'"));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("400 walks"),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
    assert_eq!(std::fs::read(&file).expect("it is still there"), saved);
    let folder = std::path::Path::new(&file).parent().expect("a folder");
    let left: Vec<_> = std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok).collect();
    assert!(left.iter().all(|f| !f.file_name().to_string_lossy().contains("unfinished")), "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_a_link_stays_a_link() {
    use std::os::unix::fs::FileTypeExt;
    let (file, link) = (scratch("target.json"), scratch("link.json"));
    std::fs::write(&file, "").expect("a scratch file");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    for path in ["/dev/null".to_owned(), link.display().to_string()] {
        let args = [endless(), ["--walks", "50", "--save", &path].map(str::to_owned).to_vec()].concat();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        assert_eq!(run_json(&args).0, 0);
    }
    assert!(std::fs::metadata("/dev/null").expect("a device").file_type().is_char_device());
    assert!(link.is_symlink() && std::fs::metadata(&file).expect("the target").len() > 0);
}
