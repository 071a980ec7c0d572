//! Shared by the tests of the command line: running the program, reading its output, and files.

#![allow(dead_code)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program, in a locale with UTF-8 and without settings of colours.
pub fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lurcher"));
    command.args(args).env("LC_ALL", "C.UTF-8").env("TERM", "xterm").stdin(Stdio::null());
    ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"].iter().for_each(|name| {
        command.env_remove(name);
    });
    command
}

/// Runs the program without input.
pub fn lurcher(args: &[&str]) -> Output {
    program(args).output().expect("lurcher runs")
}

/// A model of the repository, by the name of its file.
pub fn model(name: &str) -> String {
    let folder = match name.rsplit_once('.') {
        Some((_, "smv")) => "smv",
        Some((_, "astral")) => "astral",
        _ => "promela",
    };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(folder).join(name).display().to_string()
}

/// Standard output.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error.
pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JSON on standard output.
pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", text(output), errors(output)))
}

/// Runs the program without input; returns the exit status, standard output and standard error.
pub fn run(args: &[&str]) -> (i32, String, String) {
    run_with(args, "")
}

/// Runs the program with input; returns the exit status, standard output and standard error.
pub fn run_with(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = program(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lurcher starts");
    let mut pipe = child.stdin.take().expect("it reads");
    // A command that reads nothing may have ended already.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let output = child.wait_with_output().expect("lurcher runs");
    (output.status.code().expect("an exit status"), text(&output), errors(&output))
}

/// Runs the program with `--json`; returns the exit status and the JSON.
pub fn run_json(args: &[&str]) -> (i32, Value) {
    let (status, out, err) = run(&[args, &["--json"]].concat());
    (status, serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}")))
}

/// The path of a scratch file.
pub fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("lurcher-cli-{}", std::process::id())).join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for scratch files");
    path
}

/// A scratch file with content.
pub fn scratch_file(name: &str, content: &str) -> PathBuf {
    let path = scratch(name);
    std::fs::write(&path, content).expect("a scratch file");
    path
}
