//! The time of images: all paths of a railroad gate with two tracks and unknown constants, up to a depth.
//!
//! `cargo run --release -p lurcher-presburger --example crossing -- 10`; with a further number, of that mutant of the gate; with
//! a further `checked`, nodes in the last layer are checked too.

#[path = "../tests/crossing/gate.rs"]
mod gate;

use std::time::{Duration, Instant};

use gate::{Gate, LastLayer, Outcome};
use lurcher_presburger::Error;

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments.get(index).and_then(|argument| argument.parse().ok());
    let depth = number(0).unwrap_or(8);
    let gate = number(1).map_or(Gate::Unchanged, Gate::Mutant);
    let is_checked = arguments.iter().any(|argument| argument == "checked");
    let last_layer = if is_checked { LastLayer::Checked } else { LastLayer::Counted };
    let start = Instant::now();
    let outcome = gate.search(depth, last_layer)?;
    let Outcome { violated, nodes, images, image_time, slowest_image, check_time, disjuncts } = outcome;
    println!("depth {depth}: {nodes} nodes, violated: {violated}, in {:.2?}", start.elapsed());
    let mean = |time: Duration| time / images.max(1);
    println!(
        "images: {images}, mean {:.2?}, slowest {slowest_image:.2?}, at most {disjuncts} disjuncts",
        mean(image_time)
    );
    println!("checks: mean {:.2?}", mean(check_time));
    Ok(())
}
