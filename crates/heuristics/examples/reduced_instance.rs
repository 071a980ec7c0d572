//! Measures the guide `reduced-instance`: mean steps to a violation over 20 seeds, on guided and on uniform walks.
//!
//! `cargo run --release -p lurcher-heuristics --example reduced_instance -- [OPTIONS] MODEL [NAME=VALUE …]`
//!
//! Options: `--print` the table; `--plain` makes that of the thesis; `--bias=thesis`, `linear` or `steep`;
//! `--states=N` is the budget for building; `--invariant=EXPR` replaces end states and assertions. A mean
//! with `+` contains hunts that stopped after 2 million steps.

#[path = "../tests/walk/mod.rs"]
mod walk;

use std::collections::BTreeMap;
use std::time::Instant;

use lurcher::reduce::{Request, reduced_instance};
use lurcher::{PromelaSource, Question, Source};
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
    let text = std::fs::read_to_string(model).expect("a readable model");
    let mut source = PromelaSource::read(model, text, defines, BTreeMap::new()).expect("a model that loads");

    let question = match value("--invariant") {
        Some(text) => Question::Invariant(text.to_owned()),
        None => Question::Named("safety".to_owned()),
    };
    let property = source.resolve(&question).expect("a property").remove(0);
    let request = Request {
        question: &question,
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
    let (guide, notes) = match reduced_instance(&source, &request) {
        Ok(built) => built,
        Err(why) => return println!("{why}"),
    };
    println!("built in {:.2} s: {}", started.elapsed().as_secs_f64(), notes.join("; "));
    if flag("--print") {
        print!("{}", to_text(guide.table(), Some((source.model(), &source.sources))));
    }
    let invariant = match &property.kind {
        PropertyKind::Invariant(atom) => Some(atom.expr()),
        _ => None,
    };
    let interpreter = Interpreter::new(source.model(), Limits::for_model(source.model()));
    let guide: &dyn Guidance = &guide;
    for (name, guide) in [("guided", Some((guide, bias))), ("uniform", None)] {
        let hunt = walk::Hunt { interpreter: &interpreter, guide, invariant, steps: STEPS };
        let given_up = (1..=SEEDS).any(|seed| hunt.run(seed) >= STEPS);
        println!("{name:<8}{:.1}{}", hunt.mean(SEEDS), if given_up { "+" } else { "" });
    }
}
