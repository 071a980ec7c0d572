//! Searches the tree of a timed model: `cargo run --release -p lurcher-timed --example tree -- FILE PROCESS DEPTH NAME=VALUE…`.

use lurcher_astral::{Request, check, lower, parse};
use lurcher_syntax::{SourceMap, render};
use lurcher_timed::{Encoding, SetsSettings, TreeSettings};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&arguments[0]).unwrap();
    let mut sources = SourceMap::new();
    let file = sources.add(&arguments[0], text);
    let parsed = parse(&sources, file);
    let (specification, said) = check(&parsed.file);
    print!("{}", render(&sources, &said, false));
    let mut request = Request { process: Some(arguments[1].clone()), ..Request::default() };
    for define in &arguments[3..] {
        let (name, value) = define.split_once('=').unwrap();
        request.defines.push((name.to_owned(), value.to_owned()));
    }
    let (model, said) = lower(&specification.unwrap(), &request);
    print!("{}", render(&sources, &said, false));
    let model = model.unwrap();
    let schedules: Vec<usize> = (0..model.properties.len())
        .filter(|&p| model.properties[p].kind == lurcher_ir::timed::PropertyKind::Schedule)
        .collect();
    let others: Vec<usize> = (0..model.properties.len()).filter(|p| !schedules.contains(p)).collect();
    for properties in [schedules, others] {
        if properties.is_empty() {
            continue;
        }
        if arguments[2] == "sets" {
            let encoding = Encoding::new(&model, &properties);
            println!("{:?}", encoding.and_then(|e| e.sets(&SetsSettings::default())));
            continue;
        }
        for last_layer in [false, true] {
            let depth = arguments[2].parse().unwrap();
            let every_instant = std::env::var("EVERY").is_ok();
            let window = std::env::var("WINDOW").map_or(2, |w| w.parse().unwrap());
            let settings = TreeSettings { depth, last_layer, every_instant, window, ..TreeSettings::default() };
            let encoding = Encoding::new(&model, &properties);
            println!("{:?}", encoding.and_then(|e| e.tree(&settings, 0, 0)));
        }
    }
}
