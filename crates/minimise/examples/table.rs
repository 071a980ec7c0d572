//! Prints how much shorter traces of random walks become: found and minimised lengths, work and time.
//!
//! `cargo run --release -p lurcher-minimise --example table`

use std::path::Path;
use std::time::Instant;

use lurcher_exec::{Interpreter, Limits, Move};
use lurcher_minimise::{Found, MinimiseBudget, minimise};
use lurcher_search::FoundKind;
use lurcher_session::{LoadOptions, load};
use lurcher_trace::Question;

struct Draw(u64);
impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }
}

fn walk(interpreter: &Interpreter<'_>, draw: &mut Draw, depth: usize) -> Option<(Vec<Move>, FoundKind)> {
    let mut state = interpreter.initial().ok()?;
    let (mut moves, mut taken) = (Vec::new(), Vec::new());
    for _ in 0..depth {
        interpreter.moves(&state, &mut moves);
        if moves.is_empty() {
            let dead = state.process_count() > 0 && !interpreter.is_valid_end(&state);
            return dead.then_some((taken, FoundKind::Deadlock));
        }
        let step = moves[draw.below(moves.len())];
        taken.push(step);
        if let Some(v) = interpreter.apply(&mut state, &step) {
            return Some((taken, FoundKind::Step(v)));
        }
    }
    None
}

fn main() {
    let seeds: u64 = std::env::args().nth(1).map_or(3, |a| a.parse().unwrap());
    let only = std::env::args().nth(2);
    let expansions: u64 = std::env::args().nth(3).map_or(200_000, |a| a.parse().unwrap());
    let rows = [
        ("philosophers", 10, 5000),
        ("philosophers", 30, 5000),
        ("philosophers", 50, 20000),
        ("philosophers", 100, 50000),
        ("mutex-flawed", 3, 5000),
        ("mutex-flawed", 8, 5000),
        ("mutex-flawed", 30, 5000),
        ("leader-flawed", 3, 5000),
        ("leader-flawed", 4, 5000),
        ("leader-flawed", 5, 5000),
        ("leader-flawed", 8, 5000),
        ("leader-flawed", 12, 5000),
        ("peterson-n-flawed", 3, 5000),
        ("peterson-n-flawed", 4, 5000),
        ("peterson-n-flawed", 5, 20000),
        ("peterson-n-flawed", 7, 50000),
    ];
    for (model, n, depth) in rows {
        if only.as_ref().is_some_and(|o| !format!("{model}{n}").contains(o)) {
            continue;
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/promela/{model}.pml"));
        let options = LoadOptions { defines: vec![("N".into(), n.to_string())], ..LoadOptions::default() };
        let loaded = load(&path, &options).unwrap();
        let interpreter = Interpreter::new(loaded.model(), Limits::for_model(loaded.model()));
        for seed in 0..seeds {
            let mut draw = Draw(seed);
            let t = Instant::now();
            let mut tries = 0;
            let Some((moves, kind)) = (0..2000).find_map(|_| {
                tries += 1;
                walk(&interpreter, &mut draw, depth)
            }) else {
                println!("{model} {n}: none");
                continue;
            };
            let wt = t.elapsed();
            let t = Instant::now();
            let budget = MinimiseBudget { expansions, ..Default::default() };
            let m = minimise(
                &interpreter,
                &Question::default(),
                &Found { kind: &kind, moves: &moves, cycle_start: None, fair: false },
                &budget,
                &mut (),
            );
            if std::env::var("SHOW").is_ok() {
                let trail = lurcher_trace::Trail::of_moves(&interpreter, &m.moves, None);
                let r = lurcher_trace::replay(&interpreter, &trail).unwrap();
                for st in &r.steps {
                    let (_, a) = interpreter.branch(&st.before, st.taken.process, st.taken.branch);
                    println!("  {} {}", st.taken.process.0, a.text);
                }
            }
            println!(
                "{model} {n} seed {seed}: found {} -> {} optimal {} expansions {} {:.2?} (walks {tries} {wt:.2?})",
                m.found_length,
                m.length,
                m.optimal,
                m.expansions,
                t.elapsed()
            );
        }
    }
}
