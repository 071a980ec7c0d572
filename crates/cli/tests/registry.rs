//! Engines are listed in one place, the registry: no other source file has a list of engine names.
//!
//! A list is an array, or a `match` or `|` pattern, with two or more names of registered engines as string literals. Tests
//! and benchmarks may have them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lurcher::engines::ENGINES;

/// Files and folders that may list engines, and why.
const ALLOWED: [(&str, &str); 6] = [
    ("crates/engines/src/engines/", "the registry"),
    ("crates/engines/src/walks.rs", "the kinds of guided walks in the portfolio, not engines to choose from"),
    ("crates/cli/src/check.rs", "the engines whose walks can be saved and resumed"),
    ("crates/lab/src/faults/mod.rs", "the engines that studies of seeded faults compare"),
    ("crates/lab/src/output/tries.rs", "the engines whose tries per step are sampled"),
    ("xtask/src/", "harnesses that compare chosen engines with each other and with other tools"),
];

/// A token of a source file, as far as lists are concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'t> {
    Literal(&'t str),
    Open(char),
    Close,
    /// `|` or `=>`.
    Alternative,
    Other,
}

/// The tokens of a source file, without comments and blanks.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let hashes = rest.strip_prefix('r').map_or(0, |raw| raw.chars().take_while(|c| *c == '#').count());
        let (token, length) = if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (None, rest.find("*/").expect("a comment ends") + 2)
        } else if first == 'r' && rest[1 + hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let length = rest[hashes + 2..].find(&end).expect("a raw string ends");
            (Some(Token::Literal(&rest[hashes + 2..hashes + 2 + length])), hashes + 2 + length + end.len())
        } else if first == '"' {
            let length = until_quote(&rest[1..], '"');
            (Some(Token::Literal(&rest[1..=length])), length + 2)
        } else if first == '\'' && (rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'')) {
            (Some(Token::Other), until_quote(&rest[1..], '\'') + 2)
        } else if rest.starts_with("=>") {
            (Some(Token::Alternative), 2)
        } else {
            let token = match first {
                '[' | '(' | '{' => Token::Open(first),
                ']' | ')' | '}' => Token::Close,
                '|' => Token::Alternative,
                _ => Token::Other,
            };
            (Some(token).filter(|_| !first.is_whitespace()), first.len_utf8())
        };
        all.extend(token);
        at += length;
    }
    all
}

/// Bytes before a quote that is not escaped.
fn until_quote(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let closes = |c: char| {
        let closes = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    };
    text.find(closes).expect("a literal ends")
}

/// The lists in a source file that name two or more engines, each as the set of its names.
fn lists<'t>(text: &'t str, engines: &[&str]) -> Vec<BTreeSet<&'t str>> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    // Open groups: the kind of bracket, and the names that are elements of a list in it.
    let mut open: Vec<(char, BTreeSet<&str>)> = vec![('{', BTreeSet::new())];
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            Token::Open(bracket) => open.push((bracket, BTreeSet::new())),
            Token::Close => {
                let (bracket, names) = open.pop().expect("balanced brackets");
                // A tuple or a nested array belongs to the array around it.
                if let Some((_, outer)) = open.last_mut().filter(|(b, _)| bracket != '{' && *b != '{') {
                    outer.extend(&names);
                }
                found.extend((names.len() > 1).then_some(names));
            }
            Token::Literal(name) if engines.contains(&name) => {
                let beside = [at.checked_sub(1), Some(at + 1)];
                let alternative = beside.iter().flatten().any(|&n| tokens.get(n) == Some(&Token::Alternative));
                let in_array = open.iter().rev().map(|(b, _)| *b).find(|b| *b != '(') == Some('[');
                if alternative || in_array {
                    open.last_mut().expect("a group").1.insert(name);
                }
            }
            _ => {}
        }
    }
    found
}

/// The source files under a folder, without tests, benchmarks and build outputs.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && !["tests", "benches", "bench", "target", ".git"].contains(&name.as_str()) {
            sources(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") && name != "tests.rs" {
            files.push(path);
        }
    }
}

#[test]
fn only_the_registry_lists_engines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let engines: Vec<&str> = ENGINES.iter().map(|e| e.info().name).collect();
    let (mut files, mut wrong, mut used) = (Vec::new(), Vec::new(), BTreeSet::new());
    sources(&root, &mut files);
    assert!(files.len() > 200, "only {} files", files.len());
    for file in &files {
        let name = file.strip_prefix(&root).expect("inside the repository").display().to_string();
        let text = std::fs::read_to_string(file).expect("a readable file");
        for list in lists(&text, &engines) {
            match ALLOWED.iter().find(|(allowed, _)| name.starts_with(allowed)) {
                Some((allowed, _)) => _ = used.insert(*allowed),
                None => wrong.push(format!("{name} lists {list:?}; it should ask the registry")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unused: Vec<&str> = ALLOWED[1..].iter().map(|(file, _)| *file).filter(|f| !used.contains(f)).collect();
    assert!(unused.is_empty(), "{unused:?} list no engines any more and need no exception");
}

#[test]
fn lists_are_recognised_and_single_names_are_not() {
    let engines = ["walk", "trail", "bfs"];
    for list in [
        r#"let all = ["walk", "trail"];"#,
        r#"const ALL: &[(&str, u32)] = &[("walk", 1), ("bfs", 2)];"#,
        r#"matches!(name, "walk" | "trail")"#,
        r#"match name { "walk" => 1, "bfs" => 2, _ => 3 }"#,
        r#"match kind { Kind::Walk => "walk", Kind::Trail => "trail" }"#,
    ] {
        assert_eq!(lists(list, &engines).len(), 1, "{list}");
    }
    for single in [
        r#"engine("bfs").check(); engine("walk").check();"#,
        r#"["walk", "--guide"]"#,
        r#"let all = []; // ["walk", "trail"]"#,
        r#"let text = "[\"walk\", \"trail\"]";"#,
        r#"if trail { "trail" } else { "walk" }"#,
    ] {
        assert_eq!(lists(single, &engines), [], "{single}");
    }
}
