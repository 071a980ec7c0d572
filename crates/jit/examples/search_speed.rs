//! How fast complete searches are: `search_speed [dfs|bfs|reduced] [interp|jit] THREADS MODEL [NAME=VALUE…]`; a depth-first
//! one has one thread.

#[path = "../tests/agreement/read.rs"]
#[allow(dead_code)]
mod read;

use std::process::ExitCode;
use std::time::Instant;

use lurcher_ir::analysis::Visibility;
use lurcher_jit::Compiled;
use lurcher_search::{Budget, Reduction, System, bfs_on, dfs};
use lurcher_system::{Interpreter, Limits, Machine};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [engine, exec, threads, path, defines @ ..] = args.as_slice() else {
        eprintln!("usage: search_speed dfs|bfs|reduced interp|jit THREADS MODEL [NAME=VALUE…]");
        return ExitCode::from(2);
    };
    let threads = threads.parse().expect("a number of threads");
    let text = std::fs::read_to_string(path).expect("a readable model");
    let defines: Vec<(&str, &str)> = defines.iter().filter_map(|d| d.split_once('=')).collect();
    let model = read::read(path, text, &defines).expect("a correct model");
    let limits = Limits::for_model(&model);
    if exec == "jit" {
        let compiled = Compiled::new(&model, limits).expect("a model within the budget");
        measure(engine, threads, &compiled);
    } else {
        measure(engine, threads, &Interpreter::new(&model, limits));
    }
    ExitCode::SUCCESS
}

#[inline(never)]
fn measure<M: Machine + Sync>(engine: &str, threads: usize, machine: &M) {
    let reduction = (engine == "reduced").then(|| {
        let mut reduction = Reduction::new(machine.model(), Visibility::default(), false);
        reduction.go_through_atomic();
        reduction
    });
    let system = || System::new(machine, Vec::new(), true).reduced(reduction.clone());
    let started = Instant::now();
    let budget = Budget { all_errors: true, ..Budget::default() };
    let outcome = if engine == "dfs" {
        dfs(&mut system(), &budget, &mut ())
    } else {
        let mut systems: Vec<_> = (0..threads).map(|_| system().leading_on()).collect();
        bfs_on(&mut systems, &budget, &mut ())
    };
    let (stats, seconds) = (outcome.stats, started.elapsed().as_secs_f64());
    println!(
        "{} states, {} transitions, {seconds:.2} s: {:.0} states/s, {:.0} transitions/s, {} bytes/state",
        stats.stored,
        stats.transitions,
        stats.stored as f64 / seconds,
        stats.transitions as f64 / seconds,
        stats.memory / stats.stored.max(1),
    );
}
