//! Completions and man pages.

mod support;

use std::process::{Command, Stdio};

use support::{run, scratch_file};

/// Runs a checker over a file; what it says. `None`, loudly, where it is not installed.
fn checked(program: &str, args: &[&str]) -> Option<String> {
    match Command::new(program).args(args).stdin(Stdio::null()).output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(_) => {
            eprintln!("SKIPPED: {program} is not installed");
            None
        }
    }
}

#[test]
fn shells_can_read_the_completions() {
    for (shell, names) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        let (status, script, _) = run(&["completions", shell]);
        assert_eq!(status, 0);
        for word in ["verify", "save-every", "reduced-instance", "bitstate", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        let path = scratch_file(&format!("lurcher.{shell}"), &script).display().to_string();
        assert!(checked(shell, &[names, &path]).is_none_or(|said| said.is_empty()), "{shell}");
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    let (_, script, _) = run(&["completions", "bash"]);
    let path = scratch_file("complete.bash", &script).display().to_string();
    for (line, wanted) in [
        ("lurcher hu", "hunt"),
        ("lurcher hunt --save-e", "--save-every"),
        ("lurcher hunt --engine sg", "sgmc"),
        ("lurcher hunt --engine = sg", "sgmc"),
        ("lurcher help gu", "guides"),
        ("lurcher help ana", "analyze"),
        ("lurcher verify --export mark", "markdown="),
        ("lurcher verify --export markdown = x", ""),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let (current, previous) = (words[words.len() - 1], words[words.len() - 2]);
        let program = format!(
            "source '{path}'; COMP_WORDS=({line}); COMP_CWORD={}; _lurcher lurcher '{current}' '{previous}'; echo \"${{COMPREPLY[@]}}\"",
            words.len() - 1
        );
        let output = Command::new("bash").args(["-c", &program]).output().expect("bash runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), wanted, "{line}");
    }
}

#[test]
fn man_pages_render_without_warnings() {
    let folder = scratch_file("man1/placeholder", "").parent().expect("a folder").to_owned();
    let (status, _, errors) = run(&["man", &folder.display().to_string()]);
    assert_eq!((status, errors.as_str()), (0, ""));
    for name in ["lurcher", "lurcher-hunt", "lurcher-verify", "lurcher-completions"] {
        let page = folder.join(format!("{name}.1")).display().to_string();
        let text = std::fs::read_to_string(&page).unwrap_or_else(|e| panic!("{page}: {e}"));
        let command = ["lurcher-hunt", "lurcher-verify"].contains(&name);
        for words in [".SH EXAMPLES", ".SH \"EXIT STATUS\"", "the greatest one", "With \\-\\-storage bitstate"] {
            let only_hunt = words == "the greatest one" && name != "lurcher-hunt";
            assert!(text.contains(words) || !command || only_hunt, "{name}: {words}");
        }
        let said = checked("groff", &["-ww", "-man", "-Tutf8", "-Kutf8", "-z", &page]);
        assert!(
            said.is_none_or(|said| said.is_empty()),
            "{name}: {:?}",
            checked("groff", &["-ww", "-man", "-Tutf8", "-Kutf8", "-z", &page])
        );
    }
    let (status, page, _) = run(&["man"]);
    assert_eq!(status, 0);
    assert!(page.contains(".TH lurcher 1"), "{page}");
    assert_eq!(run(&["man", "/proc/nowhere"]).0, 2);
}

#[test]
fn help_fits_eighty_columns_and_names_the_defaults() {
    let width = |text: &str| text.lines().map(|l| l.chars().count()).max();
    for topic in ["engines", "guides", "options", "formats"] {
        let (status, text, _) = run(&["help", topic]);
        assert_eq!(status, 0);
        assert!(width(&text) <= Some(80), "{topic}:\n{text}");
    }
    let (_, short, _) = run(&["hunt", "-h"]);
    let (_, long, _) = run(&["hunt", "--help"]);
    assert!(short.lines().count() < long.lines().count() / 2);
    let long = long.split_whitespace().collect::<Vec<_>>().join(" ");
    for default in
        ["1m for a hunt", "one for each core", "three quarters of what is free", "[default: 5m]", "10000 for walks"]
    {
        assert!(long.contains(default), "{default}");
    }
}

#[test]
fn help_names_every_exit_status() {
    for command in ["hunt", "verify", "simulate", "analyze", "replay"] {
        let (_, help, _) = run(&["help", command]);
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let status = help.split("Exit status:").nth(1).unwrap_or_default();
        for number in [" 0 ", " 2 bad input", "3 ", "interrupted", "101 a bug"] {
            let bad_input = number.contains("bad input") && status.contains("or bad input");
            assert!(status.contains(number) || bad_input, "{command}: {status}");
        }
    }
}
