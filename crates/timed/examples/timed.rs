//! Checks the properties of a timed model of the repository: all reachable states, or the tree of paths to a depth.
//!
//! `cargo run --release -p lurcher-timed --example timed -- railroad-crossing sets --process Gate --define n_tracks=2 --define
//! min_speed=15 --define max_speed=20`; instead of `sets` a depth; after a depth `+` examines the last layer, too.

use lurcher_ir::timed::PropertyKind;
use lurcher_test_support::astral_file;
use lurcher_timed::{Encoding, Error, SetsSettings, TreeSettings};

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, how, options @ ..] = arguments.as_slice() else {
        println!("a model, `sets` or a depth, and options are missing");
        return Ok(());
    };
    let options = options.join(" ");
    let model = astral_file(name, &options);
    let is_schedule = |p: &usize| model.properties[*p].kind == PropertyKind::Schedule;
    let (schedules, others): (Vec<usize>, Vec<usize>) = (0..model.properties.len()).partition(is_schedule);
    for properties in [schedules, others].into_iter().filter(|properties| !properties.is_empty()) {
        let encoding = Encoding::new(&model, &properties)?;
        let outcome = match how.trim_end_matches('+').parse() {
            Ok(depth) => {
                let last_layer = how.ends_with('+');
                encoding.tree(&TreeSettings { depth, last_layer, ..TreeSettings::default() }, 0, 0)?
            }
            Err(_) => encoding.sets(&SetsSettings::default())?,
        };
        let names: Vec<&str> = properties.iter().map(|&p| model.properties[p].name.as_str()).collect();
        println!("{}: {:?} in {:.3?}", names.join(", "), outcome.ended, outcome.time);
        println!(
            "  {} nodes or rounds, at most {} polyhedra, window {}",
            outcome.nodes, outcome.disjuncts, outcome.window
        );
        if let Some(run) = &outcome.run {
            println!("  {}: {run:?}", outcome.path.join(" "));
        }
    }
    Ok(())
}
