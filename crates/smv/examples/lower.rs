//! Lowers SMV files and prints the relations: variables, blocks, transitions, specifications.

use std::process::ExitCode;

use lurcher_smv::{lower, parse};
use lurcher_syntax::{Severity, SourceMap, render};

#[path = "../tests/lowering/dump.rs"]
mod dump;

fn main() -> ExitCode {
    let (flags, files): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let mut failed = false;
    for name in files {
        let mut sources = SourceMap::new();
        let text = match std::fs::read(&name) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(e) => {
                eprintln!("{name}: {e}");
                return ExitCode::FAILURE;
            }
        };
        let main = sources.add(name.as_str(), text);
        let parsed = parse(&sources, main);
        let mut diagnostics = parsed.diagnostics;
        let mut relation = None;
        if diagnostics.iter().all(|d| d.severity != Severity::Error) {
            let (lowered, more) = lower(&sources, &parsed.file, &[]);
            relation = lowered;
            diagnostics.extend(more);
        }
        failed |= relation.is_none();
        println!("{} {name}", if relation.is_none() { "refused" } else { "ok" });
        print!("{}", render(&sources, &diagnostics, false));
        if let Some(relation) = relation.filter(|_| !flags.iter().any(|f| f == "--quiet")) {
            print!("{}", dump::dump(&relation));
        }
    }
    ExitCode::from(u8::from(failed))
}
