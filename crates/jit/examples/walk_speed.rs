//! The cost of a step of the kernel's walks.
//!
//! `cargo run --release -p lurcher-jit --example walk_speed -- STEPS MODEL [NAME=VALUE]…` walks for STEPS steps and prints
//! the processor time per step. Steps, tries and the fingerprint of the final states identify the walks.

use std::path::Path;
use std::time::Instant;

use lurcher_jit::Kernel;
use lurcher_system::{Course, Interpreter, Limits, WalkKernel};
use lurcher_test_support::promela_file;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let most: u64 = arguments.next().and_then(|n| n.parse().ok()).expect("a number of steps");
    let path = arguments.next().expect("a model");
    let defines: Vec<String> = arguments.collect();
    let defines: Vec<(&str, &str)> = defines.iter().map(|d| d.split_once('=').expect("NAME=VALUE")).collect();
    let model = promela_file(Path::new(&path), &defines).expect("a model");
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

/// Processor time of this thread in seconds; wall-clock time if the system does not report it.
fn seconds() -> f64 {
    thread_local! { static START: Instant = Instant::now(); }
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = statistics.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.with(Instant::elapsed).as_secs_f64(), |n| n / 1e9)
}
