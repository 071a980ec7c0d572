//! Parses SMV files and says what was found: one line per file; with `--tree` the tree, with `--print` its text.

use std::process::ExitCode;

use lurcher_smv::{parse, print};
use lurcher_syntax::{Severity, SourceMap, render};

fn main() -> ExitCode {
    let (flags, files): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let mut failed = false;
    for name in files {
        let mut sources = SourceMap::new();
        let bytes = match std::fs::read(&name) {
            Ok(bytes) => bytes,
            Err(e) => {
                eprintln!("{name}: {e}");
                return ExitCode::FAILURE;
            }
        };
        let main = sources.add(name.as_str(), String::from_utf8_lossy(&bytes).into_owned());
        let parsed = parse(&sources, main);
        let bad = parsed.diagnostics.iter().any(|d| d.severity == Severity::Error);
        failed |= bad;
        println!("{} {name}", if bad { "refused" } else { "ok" });
        print!("{}", render(&sources, &parsed.diagnostics, false));
        if flags.iter().any(|f| f == "--tree") {
            println!("{:#?}", parsed.file);
        }
        if flags.iter().any(|f| f == "--print") {
            print!("{}", print(&parsed.file));
        }
    }
    ExitCode::from(u8::from(failed))
}
