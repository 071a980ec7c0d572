//! Deep nesting is refused before the stack ends, and time grows with the size of a file, not faster.

use std::time::Instant;

use lurcher_smv::parse::limits;
use lurcher_smv::{Parsed, parse, print};
use lurcher_syntax::SourceMap;

fn parsed(text: &str) -> Parsed {
    let mut sources = SourceMap::new();
    let file = sources.add("limits.smv", text);
    parse(&sources, file)
}

#[test]
fn deep_nesting_is_refused() {
    let repeated = |head: &str, part: &str, tail: &str| format!("MODULE main\n{head}{}{tail}", part.repeat(100_000));
    let texts = [
        repeated("INIT ", "(", "a"),
        repeated("INIT ", "!", "a"),
        repeated("INIT ", "- ", "a"),
        repeated("INIT ", "a -> ", "a"),
        repeated("INIT ", "a ? b : ", "c"),
        repeated("INIT ", "a ? ", "c"),
        repeated("INIT ", "{", "c"),
        repeated("INIT ", "a[", "c"),
        repeated("INIT ", "next(", "c"),
        repeated("INIT ", "case a : ", "c"),
        repeated("INIT ", "a + (b * ", "c"),
        repeated("VAR x : ", "array 0..1 of ", "boolean;"),
        repeated("DEFINE d := ", "[", ";"),
        repeated("CTLSPEC ", "AG ", "a"),
        repeated("CTLSPEC ", "A [a U ", "a"),
        repeated("LTLSPEC ", "X ! ", "a"),
    ];
    for text in texts {
        let parsed = parsed(&text);
        let message = format!("nested more than {} levels deep", limits::NESTING);
        assert!(parsed.diagnostics.iter().any(|d| d.message == message), "{}", &text[..40]);
    }
}

#[test]
fn nesting_up_to_the_limit_is_read_printed_and_dropped() {
    let levels = limits::NESTING / 2 - 2;
    for (open, close) in [("(a + ", ")"), ("case a : ", "; esac"), ("max(b, ", ")"), ("!(", ")")] {
        let text = format!("MODULE main\nINIT {}a{}", open.repeat(levels), close.repeat(levels));
        let parsed = parsed(&text);
        assert!(parsed.diagnostics.is_empty(), "{open}: {:?}", parsed.diagnostics);
        assert!(print(&parsed.file).len() > levels);
        assert!(parsed.file == parsed.file.clone());
    }
}

#[test]
fn long_chains_are_not_nesting() {
    let chains = ["a & ", "a | b & c | ", "a + b * c - ", "a = b | ", "a.b[1].c = "];
    for chain in chains {
        let parsed = parsed(&format!("MODULE main\nINIT {}a", chain.repeat(50_000)));
        assert!(parsed.diagnostics.is_empty(), "{chain}: {:?}", parsed.diagnostics);
    }
    let selections = parsed(&format!("MODULE main\nINIT a{}", ".b[1]".repeat(50_000)));
    assert!(selections.diagnostics.is_empty());
}

#[test]
fn wrong_files_take_time_in_proportion_to_their_size() {
    let once = |copies: usize| {
        let start = Instant::now();
        parsed(&format!("MODULE main\nASSIGN {}", "x := case a : (b c; TRUE 1; esac; case ".repeat(copies)));
        parsed(&format!("MODULE main\n{}", "VAR x : 0..3; ASSIGN next(x) := x + 1;\n".repeat(copies)));
        start.elapsed().as_secs_f64()
    };
    let seconds = |copies| (0..3).map(|_| once(copies)).fold(f64::INFINITY, f64::min);
    let small = seconds(2_000).max(0.001);
    let large = seconds(20_000);
    assert!(large < 60.0 * small, "ten times the text took {:.0} times as long", large / small);
}
