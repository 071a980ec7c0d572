//! Speed of exhaustive searches: `search_speed [dfs|bfs|reduced] [interp|jit] THREADS MODEL [NAME=VALUE…]`. Depth-first
//! search ignores the number of threads.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use lurcher_ir::analysis::Visibility;
use lurcher_jit::Compiled;
use lurcher_search::{AmpleMoves, Budget, StateGraph, bfs_on, dfs};
use lurcher_system::{Interpreter, Limits, Machine};
use lurcher_test_support::promela_file;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [engine, exec, threads, path, defines @ ..] = args.as_slice() else {
        eprintln!("usage: search_speed dfs|bfs|reduced interp|jit THREADS MODEL [NAME=VALUE…]");
        return ExitCode::from(2);
    };
    let threads = threads.parse().expect("a number of threads");
    let defines: Vec<(&str, &str)> = defines.iter().filter_map(|d| d.split_once('=')).collect();
    let model = promela_file(Path::new(path), &defines).expect("a correct model");
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
    let graph = || StateGraph::new(machine, Vec::new(), true);
    let started = Instant::now();
    let budget = Budget { all_errors: true, ..Budget::default() };
    let outcome = match engine {
        "dfs" => dfs(&mut graph(), &budget, &mut ()),
        "reduced" => {
            let mut ample = AmpleMoves::new(machine.model(), Visibility::default(), false);
            ample.chain_through_atomic();
            let mut graphs: Vec<_> = (0..threads).map(|_| graph().reduced(ample.clone()).cached()).collect();
            bfs_on(&mut graphs, &budget, &mut ())
        }
        _ => {
            let mut graphs: Vec<_> = (0..threads).map(|_| graph().merging_chains().cached()).collect();
            bfs_on(&mut graphs, &budget, &mut ())
        }
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
