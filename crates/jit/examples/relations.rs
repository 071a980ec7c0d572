//! How fast are random steps of SMV models: by the stepper, and with its plans as native code?
//!
//! `cargo run --release -p lurcher-jit --example relations -- FILE...` prints, for each model, steps per second of both
//! over the same walks, which is checked.

use std::sync::Arc;
use std::time::Instant;

use lurcher_jit::{Budget, CompiledPlans};
use lurcher_search::Draws;
use lurcher_smv::{lower, parse};
use lurcher_syntax::SourceMap;
use lurcher_system::relation::Stepper;

const STEPS: u64 = 100_000;
const DEPTH: u64 = 1000;

/// Walks; gives the seconds it took and something that depends on every state.
fn walk(stepper: &mut Stepper) -> (f64, i64) {
    let began = Instant::now();
    let mut sum = 0i64;
    for index in 0..STEPS / DEPTH {
        let mut draws = Draws::of(1, index);
        let first = stepper.sample_initial(|n| draws.below(n), |_| true);
        let Ok(Some(first)) = first else { break };
        let mut state = first.to_vec();
        for _ in 0..DEPTH {
            let Ok(Some(step)) = stepper.sample_successor(&state, |n| draws.below(n), |_| true) else { break };
            state.copy_from_slice(step.next);
            sum = state.iter().fold(sum, |sum, v| sum.wrapping_mul(31).wrapping_add(*v));
        }
    }
    (began.elapsed().as_secs_f64(), sum)
}

fn main() {
    println!("| model | stepper, steps/s | native, steps/s | native / stepper | compile, ms |");
    println!("| --- | --- | --- | --- | --- |");
    for path in std::env::args().skip(1) {
        let mut sources = SourceMap::new();
        let main = sources.add(path.as_str(), std::fs::read_to_string(&path).expect("a file that can be read"));
        let parsed = parse(&sources, main);
        let Some(relation) = lower(&sources, &parsed.file, &[]).0 else { continue };
        let mut plain = Stepper::new(&relation);
        let mut native = plain.clone();
        let code = match CompiledPlans::new(&native, Budget::default()) {
            Ok(code) => code,
            Err(why) => {
                println!("| {path} | {why} | | | |");
                continue;
            }
        };
        let compile = code.size().time.as_secs_f64() * 1e3;
        native.run_natively(Arc::new(code));
        let mut best = [f64::MAX; 2];
        for _ in 0..3 {
            let ((a, sum), (b, other)) = (walk(&mut plain), walk(&mut native));
            assert_eq!(sum, other, "{path}: not the same walks");
            best = [best[0].min(a), best[1].min(b)];
        }
        let [a, b] = best.map(|s| STEPS as f64 / s);
        println!("| {path} | {a:.0} | {b:.0} | {:.2} | {compile:.1} |", b / a);
    }
}
