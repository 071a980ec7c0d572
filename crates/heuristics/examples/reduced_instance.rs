//! Measures the guide `reduced-instance`: mean steps to a violation over 20 seeds, on guided and on uniform walks.
//!
//! `cargo run --release -p lurcher-heuristics --example reduced_instance -- [OPTIONS] MODEL [NAME=VALUE …]`
//!
//! Options: `--print` the table; `--plain` makes that of the thesis; `--bias=thesis`, `linear` or `steep`;
//! `--states=N` is the budget for building; `--invariant=EXPR` is hunted instead of end states and assertions. A mean
//! with `+` contains hunts that were given up after 2 million steps.

#[path = "../tests/walk/mod.rs"]
mod walk;

use std::path::Path;
use std::time::Instant;

use lurcher_engines::reduce::{Request, reduced_instance};
use lurcher_engines::{Asked, LoadOptions, load};
use lurcher_heuristics::reduced_instance::{Style, to_text};
use lurcher_ir::PropertyKind;
use lurcher_search::{Bias, Guidance};
use lurcher_system::{Interpreter, Limits};

const SEEDS: u64 = 20;
const STEPS: u64 = 2_000_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (options, words): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|a| a.starts_with("--"));
    let flag = |name: &str| options.iter().any(|a| *a == name);
    let value = |name: &str| options.iter().find_map(|a| a.strip_prefix(name)?.strip_prefix('='));
    let model = words.iter().find(|a| !a.contains('=')).expect("a model");
    let defines = words.iter().filter_map(|a| a.split_once('='));
    let defines = defines.map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    let load_options = LoadOptions { defines, ..LoadOptions::default() };
    let mut loaded = load(Path::new(model), &load_options).expect("a model that loads");

    let asked = match value("--invariant") {
        Some(text) => Asked::Invariant(text.to_owned()),
        None => Asked::Named("safety".to_owned()),
    };
    let property = asked.resolve(&mut loaded).expect("a property").remove(0);
    let request = Request {
        options: &load_options,
        asked: &asked,
        property: &property,
        reduction: None,
        states: value("--states").map_or(200_000, |n| n.parse().expect("a number of states")),
        style: if flag("--plain") { Style::Plain } else { Style::Roles },
    };
    let bias = match value("--bias") {
        Some("thesis") => Bias::Thesis,
        Some("linear") => Bias::Linear,
        _ => Bias::Steep,
    };
    let started = Instant::now();
    let built = match reduced_instance(&loaded, &request) {
        Ok(built) => built,
        Err(why) => return println!("{why}"),
    };
    println!("built in {:.2} s: {}", started.elapsed().as_secs_f64(), built.notes.join("; "));
    if flag("--print") {
        print!("{}", to_text(built.guide.table(), Some((loaded.model(), &loaded.sources))));
    }
    let invariant = match &property.kind {
        PropertyKind::Invariant(atom) => Some(atom.expr()),
        _ => None,
    };
    let interpreter = Interpreter::new(loaded.model(), Limits::for_model(loaded.model()));
    let guide: &dyn Guidance = &built.guide;
    for (name, guide) in [("guided", Some((guide, bias))), ("uniform", None)] {
        let hunt = walk::Hunt { interpreter: &interpreter, guide, invariant, steps: STEPS };
        let given_up = (1..=SEEDS).any(|seed| hunt.run(seed) >= STEPS);
        println!("{name:<8}{:.1}{}", hunt.mean(SEEDS), if given_up { "+" } else { "" });
    }
}
