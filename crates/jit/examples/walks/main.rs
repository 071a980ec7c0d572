//! How fast are walks: written by hand, by the kernel, by the interpreter?
//!
//! `cargo run --release -p lurcher-jit --example walks [-- ROUNDS]` prints medians of steps per second over interleaved
//! rounds. All three take the same steps, which is checked. Time is what the thread has run, so that a busy machine
//! disturbs little.

mod hand;
#[path = "../../tests/agreement/read.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod read;

use std::time::Instant;

use hand::{Hand, Peterson, Philosophers, Ring};
use lurcher_jit::Kernel;
use lurcher_search::{Keep, Objective, ProcessPosition, WalkPlan, Walker};
use lurcher_system::{Course, Interpreter, Limits, WalkKernel};

/// Steps of a walk.
const DEPTH: u32 = 10_000;
const SEED: u64 = 1;

fn course(index: u64) -> Course {
    let (chain, all_children, deadlock) = (1, false, true);
    Course { seed: SEED, index, depth: DEPTH, chain, all_children, deadlock, level: None, memory: None }
}

/// Seconds that this thread has run. Where the system does not say, they are those of the clock on the wall.
fn seconds() -> f64 {
    thread_local! { static START: Instant = Instant::now(); }
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.with(Instant::elapsed).as_secs_f64(), |n| n / 1e9)
}

/// Walks `0..walks`: steps, tries, and seconds.
fn timed(walks: u64, mut walk: impl FnMut(u64) -> (u64, u64)) -> (u64, u64, f64) {
    let started = seconds();
    let (mut steps, mut tries) = (0, 0);
    for index in 0..walks {
        let (s, t) = walk(index);
        steps += s;
        tries += t;
    }
    (steps, tries, seconds() - started)
}

/// How many walks make so many steps. Systems tell the time of a thread only every few milliseconds.
fn enough(steps: u64, mut walk: impl FnMut(u64) -> (u64, u64)) -> u64 {
    let mut taken = 0;
    (0..)
        .take_while(|&i| {
            taken < steps && {
                taken += walk(i).0;
                true
            }
        })
        .count() as u64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Measures one model; gives the kernel's nanoseconds per step.
fn measure<H: Hand>(name: &str, text: &str, n: usize, mut hand: H, rounds: usize) -> f64 {
    let model = read::read("model.pml", text.to_owned(), &[("N", &n.to_string())]).expect("a model");
    let limits = Limits::for_model(&model);
    let interpreter = Interpreter::new(&model, limits.clone());
    let initial = interpreter.initial().expect("a model that starts");
    let started = seconds();
    let kernel = Kernel::new(&model, limits, Vec::new()).expect("a model that compiles");
    let compile = (seconds() - started) * 1e3;
    let objective = Objective { claim: None, invariants: Vec::new(), end_states: true, fair: false };
    let plan = WalkPlan { depth: DEPTH, ..WalkPlan::default() };
    let keep = Keep { blind: true, ..Keep::default() };
    let mut fast = kernel.walker(&initial);
    let mut slow = Walker::new(ProcessPosition::<_, ()>::new(&interpreter, &objective, &initial));
    let mut pool = Vec::new();
    let (mut by_hand, mut by_kernel, mut by_interpreter) = (Vec::new(), Vec::new(), Vec::new());
    let many = enough(4_000_000, |i| {
        let walk = fast.run(&course(i), &|| false);
        (walk.steps, walk.tries)
    });
    for _ in 0..rounds {
        let a = timed(many, |i| hand::walk(&mut hand, (SEED, i), u64::from(DEPTH), &mut pool));
        let b = timed(many, |i| {
            let walk = fast.run(&course(i), &|| false);
            (walk.steps, walk.tries)
        });
        assert_eq!((a.0, a.1), (b.0, b.1), "{name}: not the same steps by hand and by the kernel");
        let c = timed(many.div_ceil(10), |i| {
            let walk = slow.run(plan, None, (SEED, i), keep, || false);
            (walk.steps, walk.tries)
        });
        by_hand.push(a.0 as f64 / a.2);
        by_kernel.push(b.0 as f64 / b.2);
        by_interpreter.push(c.0 as f64 / c.2);
    }
    let (a, b, c) = (median(by_hand), median(by_kernel), median(by_interpreter));
    println!(
        "| {name} {n} | {:.1} | {:.1} | {:.2} | {:.2} | {:.1} | {compile:.1} |",
        a / 1e6,
        b / 1e6,
        c / 1e6,
        b / a,
        b / c
    );
    1e9 / b
}

fn main() {
    let rounds = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(7);
    println!(
        "| model | by hand, M steps/s | kernel | interpreter | kernel / by hand | kernel / interpreter | compile, ms |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let costs: Vec<f64> = [10, 100, 1000]
        .into_iter()
        .map(|n| measure("philosophers", Philosophers::MODEL, n, Philosophers::new(n), rounds))
        .collect();
    measure("mutual exclusion", Peterson::MODEL, 2, Peterson::new(), rounds);
    for n in [3, 10, 100] {
        measure("channel ring", Ring::MODEL, n, Ring::new(n), rounds);
    }
    println!("\na step of 1,000 philosophers costs {:.2} times a step of 10", costs[2] / costs[0]);
}
