//! What does a step of the kernel's walks cost, walk for walk?
//!
//! `cargo run --release -p lurcher-jit --example walk_speed -- STEPS MODEL [NAME=VALUE]…` walks until it has taken so many
//! steps, and prints what they cost, in processor time of the thread. Steps, tries and the fingerprints of the states
//! that walks end in are the same for every kernel that makes the same walks.

#[path = "../tests/agreement/read.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod read;

use std::time::Instant;

use lurcher_jit::Kernel;
use lurcher_system::{Course, Interpreter, Limits, WalkKernel};

/// Seconds that this thread has run. Where the system does not say, they are those of the clock on the wall.
fn seconds() -> f64 {
    thread_local! { static START: Instant = Instant::now(); }
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.with(Instant::elapsed).as_secs_f64(), |n| n / 1e9)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let most: u64 = arguments.next().and_then(|n| n.parse().ok()).expect("a number of steps");
    let path = arguments.next().expect("a model");
    let defines: Vec<String> = arguments.collect();
    let defines: Vec<(&str, &str)> = defines.iter().map(|d| d.split_once('=').expect("NAME=VALUE")).collect();
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let model = read::read(&path, text, &defines).expect("a model");
    let limits = Limits::for_model(&model);
    let initial = Interpreter::new(&model, limits.clone()).initial().expect("a model that starts");
    let kernel = Kernel::new(&model, limits, Vec::new()).expect("a model that compiles");
    let mut walker = kernel.walker(&initial);
    let (mut steps, mut tries, mut walks, mut ends) = (0, 0, 0, 0u64);
    let started = seconds();
    while steps < most {
        let (chain, all_children, deadlock) = (1, false, false);
        let course =
            Course { seed: 1, index: walks, depth: 10_000, chain, all_children, deadlock, level: None, memory: None };
        let walk = walker.run(&course, &|| false);
        steps += walk.steps;
        tries += walk.tries;
        walks += 1;
        ends = ends.rotate_left(5) ^ walker.state().fingerprint(0);
    }
    let spent = seconds() - started;
    let (each, tried) = (spent * 1e9 / steps as f64, tries as f64 / steps as f64);
    let compiled = kernel.size().time.as_secs_f64() * 1e3;
    println!(
        "{each:.2} ns a step, {tried:.2} tries; {walks} walks, {steps} steps, {ends:016x}; {compiled:.1} ms to compile"
    );
}
